"""Posts after a move, the players who become due, and how the rows of the outbox are read back."""

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from bot.table.live import LiveGame
from bot.table.markdown import plain_teller
from bot.table.move_lines import RoundLine, UneventfulLine
from bot.table.outbox.notices import (
    BOARD_KIND,
    END_KIND,
    LINE_FLAGS,
    LINE_KIND,
    ROUND_START_KIND,
    TURN_KIND,
    Line,
    PositionBeforeMove,
    RoundStart,
    ThreadPing,
    TurnChange,
    board_notice,
    game_end_notices,
    move_notices,
    offer_outcome,
    post_may_be_deleted,
    proposal_notice,
    proposal_number_in,
    turn_change_between,
)
from engine.core.actions import Answer, Pass
from engine.core.events import (
    Event,
    HomePlaced,
    PhaseStarted,
    PresidentChanged,
    ProposalEnded,
    RoundStarted,
    TileLaid,
    TokenPlaced,
    TrainBought,
    TrainPurchaseAgreed,
)
from engine.game import Game
from engine.record import read_record
from storage import OutboxMessage, SeatEntry
from tests.bot.support.positions import BANKRUPTCY
from tests.bot.support.table_service import TableService

OFFERS = Path(__file__).parents[2] / "golden" / "18tn-bankruptcy-3p.json"
REFUSED = ProposalEnded("p1", Pass(actor="p3", entity="p3"), is_withdrawn=False)


@cache
def at(name: str) -> Game:
    """A position: one at the start, one after its first move, around an offer of p3 to p1, and at the end."""
    if name in ("start", "moved"):
        game = Game("18chesapeake", [("p1", "Ann"), ("p2", "Bob"), ("p3", "Cy")], 3)
        game.apply_all([Pass(actor="p1", entity="p1")] if name == "moved" else [])
        return game
    if name in ("free", "asked", "agreed"):
        game = read_record(OFFERS.read_text("utf-8")).play(76 if name == "free" else 77)
        game.apply_all([Answer(actor="p1", entity="p1", reply="agree")] if name == "agreed" else [])
        return game
    return read_record(BANKRUPTCY.read_text("utf-8")).play()


@pytest.fixture
async def live(service: TableService) -> AsyncIterator[LiveGame]:
    """A running game of Ann, Bob and Cy."""
    async with service.tables.reading(await service.game()) as found:
        yield found


# --- rows ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "written"),
    [
        (Line("**PRR** lays #57", ("D2",)), {"text": "**PRR** lays #57", "hexes": ["D2"]}),
        (Line("A", undo_target=3), {"text": "A", "hexes": [], "back": 3}),
        (Line("A", undo_target=0), {"text": "A", "hexes": [], "back": 0}),
        *(
            (Line("A", **{flag: True}), {"text": "A", "hexes": [], key: True})  # type: ignore[arg-type]
            for flag, key in LINE_FLAGS.items()
        ),
        (TurnChange(("p2",), "p1"), {"fresh": ["p2"], "mover": "p1", "asks": False, "settled": ""}),
        (
            TurnChange((), None, has_open_offer=True, outcome="Bob refuses.", is_new_turn=True),
            {"fresh": [], "mover": None, "asks": True, "settled": "Bob refuses.", "passes": True},
        ),
        (
            RoundStart("SR 2", "It begins.", 7, ("D2",)),
            {"round": "SR 2", "text": "It begins.", "begun": 7, "hexes": ["D2"]},
        ),
        (ThreadPing((11,), "Look.", 7), {"users": [11], "text": "Look.", "role": 7}),
    ],
)
def test_row_reads_back_what_was_written(
    row: Line | TurnChange | RoundStart | ThreadPing, written: dict[str, Any]
) -> None:
    payload = row.notice().payload
    assert (type(row).read(payload), json.loads(payload)) == (row, written)


def test_rows_of_earlier_versions_are_read() -> None:
    assert Line.read('{"text": "a", "hexes": []}') == Line("a")
    assert TurnChange.read('{"fresh": ["p1"], "mover": null}') == TurnChange(("p1",), None)


def test_other_rows_are_read_back() -> None:
    assert proposal_number_in(proposal_notice(5).payload) == 5
    assert [
        post_may_be_deleted(board_notice(post_may_be_deleted=again).payload) for again in (False, True)
    ] == [
        False,
        True,
    ]
    assert not post_may_be_deleted(board_notice().payload)
    assert ThreadPing((11, 12), "Look.").message_text() == "<@11> <@12>\nLook."
    assert ThreadPing((), "Look.", 7).message_text() == "<@&7>\nLook."


# --- whose turn ------------------------------------------------------------------------------------------------------


def test_only_who_is_new_and_did_not_move_is_due() -> None:
    for before, after, mover, fresh in (
        (("p1",), ("p2",), "p1", ("p2",)),
        (("p1",), ("p1",), "p1", ()),
        (("p1", "p2"), ("p2",), "p1", ()),
        (("p2",), ("p1",), "p1", ()),
        ((), ("p1",), None, ("p1",)),
        (("p1",), ("p1", "p2"), "p1", ("p2",)),
    ):
        assert turn_change_between(before, after, mover) == TurnChange(fresh, mover, all_on_turn=after)


def rows_of(
    live: LiveGame,
    before: str,
    after: str,
    mover: str,
    *events: Event,
    lines: Sequence[Sequence[str]] = (("A.",),),
) -> list[OutboxMessage]:
    return move_notices(
        replace(live, game=at(after)), mover, events, lines, PositionBeforeMove.of(at(before))
    )


def kinds(rows: Sequence[OutboxMessage]) -> list[str]:
    return [row.kind for row in rows]


def lines_of(rows: Sequence[OutboxMessage]) -> list[Line]:
    return [Line.read(row.payload) for row in rows if row.kind == LINE_KIND]


def turn_of(rows: Sequence[OutboxMessage]) -> TurnChange:
    [change] = [TurnChange.read(row.payload) for row in rows if row.kind == TURN_KIND]
    return change


@pytest.mark.parametrize(
    ("before", "after", "mover", "events", "change", "boards"),
    [
        ("start", "start", "p1", (), TurnChange((), "p1"), 0),
        ("start", "moved", "p1", (), TurnChange(("p2",), "p1", is_new_turn=True), 1),
        ("free", "asked", "p3", (), TurnChange(("p1",), "p3", has_open_offer=True, is_new_turn=True), 1),
        ("asked", "asked", "p3", (), TurnChange((), "p3", has_open_offer=True), 0),
        ("end", "end", "p1", (), TurnChange((), "p1", is_new_turn=True), 1),
        (
            "asked", "agreed", "p1", (),
            TurnChange(("p3",), "p1", outcome="**Ann** agrees.", is_new_turn=True), 1,
        ),
        (
            "asked", "free", "p1", (REFUSED,),
            TurnChange(("p3",), "p1", outcome="**Ann** refuses.", is_new_turn=True), 1,
        ),
        (
            "asked", "free", "p3", (replace(REFUSED, player="p3", is_withdrawn=True),),
            TurnChange((), "p3", outcome="**Cy** withdraws."), 1,
        ),
    ],
)  # fmt: skip
def test_turn_change_says_who_is_due(
    live: LiveGame,
    before: str,
    after: str,
    mover: str,
    events: tuple[Event, ...],
    change: TurnChange,
    boards: int,
) -> None:
    """And the board is posted where another acts."""
    rows = rows_of(live, before, after, mover, *events)
    assert (turn_of(rows), kinds(rows).count(BOARD_KIND)) == (change, boards)


@pytest.mark.parametrize(("computers", "passes"), [((), True), (("p2",), False), (("p1", "p2"), False)])
def test_computers_turn_begins_no_post(live: LiveGame, computers: tuple[str, ...], passes: bool) -> None:
    """Its bids stand in the post of the turn before, until a person must act."""
    seats = (SeatEntry(player, "caretaker", 1, "", 1, None, "") for player in computers)
    rows = rows_of(replace(live, seat_history=(*live.seat_history, *seats)), "start", "moved", "p1")
    assert (turn_of(rows).is_new_turn, BOARD_KIND in kinds(rows)) == (passes, passes)


def test_newest_offer_is_the_one_that_ended() -> None:
    settled, asks, neither = (
        TurnChange((), None, outcome="No."),
        TurnChange((), None, has_open_offer=True),
        TurnChange((), None),
    )
    assert [offer_outcome(overs) for overs in ([neither, settled, asks], [asks, settled], [neither])] == [
        "No.", "", "",
    ]  # fmt: skip


# --- lines, rounds and the end ---------------------------------------------------------------------------------------


def laid(where: str) -> TileLaid:
    """Track in this hex."""
    return TileLaid("PRR", where, "57", 0, 0, 100, None)


def test_lines_are_numbered_with_hexes(live: LiveGame) -> None:
    events: list[Event] = [laid("D2"), HomePlaced("PRR", "F6"), TokenPlaced("PRR", "D2", 40, 60)]
    lines: list[Sequence[str]] = [
        ("PRR lays track.", UneventfulLine("PRR skips.")),
        (UneventfulLine("PRR passes."),),
    ]
    rows = rows_of(live, "start", "start", "p1", *events, lines=lines)
    assert lines_of(rows) == [
        Line("`2` PRR lays track.", ("D2", "F6")), Line("`3` PRR passes.", is_silent=True),
    ]  # fmt: skip
    assert kinds(rows) == [LINE_KIND, LINE_KIND, TURN_KIND], "the same turn has no new board"


LOUD: Final[dict[Event, bool]] = {
    PhaseStarted("3"): True,
    PresidentChanged("PRR", "p1", "p2"): True,
    TrainPurchaseAgreed("PRR", "3", "B&O", 100, 50): True,
    TrainBought("PRR", "3", "bank", 200, 1, "", 0): True,
    TrainBought("PRR", "3", "bank", 200, 0, "", 0): False,
    laid("D2"): False,
}


def test_loud_events_are_seen_at_once(live: LiveGame) -> None:
    for event, loud in LOUD.items():
        for events in ((event,), (laid("F6"), event)):
            rows = rows_of(live, "start", "start", "p1", *events, lines=[("One.",), ("Two.",)])
            assert [line.is_new_post for line in lines_of(rows)] == [loud, False], event


def test_round_is_announced_until_the_end(live: LiveGame) -> None:
    """In a row of its own, with the lines about it; moves after that stand below it."""
    begun, lines = (
        [laid("D2"), RoundStarted("stock", 1), laid("F6")],
        (("A.", RoundLine("SR."), "B."), ("C.",)),
    )
    rows = rows_of(live, "start", "moved", "p1", *begun, lines=lines)
    starts = [RoundStart.read(row.payload) for row in rows if row.kind == ROUND_START_KIND]
    assert starts == [RoundStart(plain_teller(at("moved")).round_name(), "SR.\nB.", 2, ("F6",))]
    assert lines_of(rows) == [Line("`2` A.", ("D2",)), Line("`3` C.", is_after_round=True)]
    assert ROUND_START_KIND not in kinds(rows_of(live, "start", "moved", "p1"))
    ended = rows_of(live, "start", "end", "p1", *begun, lines=lines)
    assert (ROUND_START_KIND in kinds(ended), lines_of(ended)[0].text) == (False, "`2` A.\nSR.\nB.")


def test_end_is_posted_with_the_move_that_ends_it(live: LiveGame) -> None:
    over = replace(live, game=at("end"))
    assert (kinds(game_end_notices(live)), kinds(game_end_notices(over))) == ([], [END_KIND])
    assert game_end_notices(replace(over, row=replace(live.row, status="finished"))) == []
