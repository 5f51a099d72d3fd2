"""What is posted after a move, who becomes due, and how texts are cut."""

import json
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bot.client.game_texts import pieces, thread_name
from bot.table.markdown import plain
from bot.table.move_lines import Uneventful
from bot.table.outbox.notices import (
    BOARD,
    END,
    FLAGS,
    LINE,
    TABLE,
    TURN,
    Before,
    Line,
    RoundBegun,
    ThreadPing,
    TurnChange,
    board,
    end_of_offer,
    ending,
    hand_over,
    is_asked_again,
    move_notices,
    proposal,
    proposal_of,
    table_note,
)
from engine.core.actions import Pass
from engine.core.events import (
    Event,
    HomePlaced,
    PhaseStarted,
    PresidentChanged,
    ProposalEnded,
    RoundStarted,
    TileLaid,
    TokenPlaced,
    TrainAgreed,
    TrainBought,
)
from engine.core.state import Proposal
from engine.game import Game
from engine.record import load_record
from storage import OutboxMessage
from tests.bot.support.positions import BANKRUPTCY
from tests.bot.support.table_service import TableService


def test_rows_read_back_what_was_written() -> None:
    line = Line("**PRR** lays #57 in D2", ("D2",))
    assert Line.read(line.notice().payload) == line
    assert line.notice().payload == '{"text": "**PRR** lays #57 in D2", "hexes": ["D2"]}'
    for flag, key in FLAGS.items():
        line = Line("A line", back=3, **{flag: True})  # type: ignore[arg-type]
        assert json.loads(line.notice().payload) == {"text": "A line", "hexes": [], key: True, "back": 3}
        assert Line.read(line.notice().payload) == line
    over = TurnChange(("p2",), "p1")
    assert TurnChange.read(over.notice().payload) == over
    over = TurnChange(("p2",), "p1", passes=True)
    assert TurnChange.read(over.notice().payload) == over
    assert RoundBegun.read(RoundBegun("SR 2").notice().payload) == RoundBegun("SR 2")
    assert proposal_of(proposal(5).payload) == 5
    assert [is_asked_again(board(again=again).payload) for again in (False, True)] == [False, True]


def test_a_line_of_no_move_is_shown_with_a_post_that_names_who_acts_or_nobody() -> None:
    over = TurnChange(("p2",), None).notice()
    assert table_note("A line.", over, new_post=True) == [
        Line("A line.", new_post=True, note=True).notice(),
        over,
    ]
    assert table_note("A line.") == [Line("A line.", note=True).notice(), TurnChange((), None).notice()]


def test_only_who_is_new_and_did_not_move_is_due() -> None:
    assert hand_over(("p1",), ("p2",), "p1").fresh == ("p2",)
    assert hand_over(("p1",), ("p1",), "p1").fresh == ()
    assert hand_over(("p1", "p2"), ("p2",), "p1").fresh == ()
    assert hand_over(("p2",), ("p1",), "p1").fresh == ()
    assert hand_over((), ("p1",), None).fresh == ("p1",)
    assert hand_over(("p1",), ("p1", "p2"), "p1").acting == ("p1", "p2")


def test_long_texts_are_cut_at_line_ends() -> None:
    text = "\n".join(f"line {number}" for number in range(1000))
    cut = pieces(text)
    assert all(len(piece) <= 2000 for piece in cut)
    assert "\n".join(cut) == text
    assert [len(piece) for piece in pieces("x" * 4001)] == [2000, 2000, 1]


def test_a_name_of_a_thread_fits() -> None:
    assert len(thread_name(1, "18Chesapeake", ["x" * 32] * 6)) == 100


def test_what_a_turn_change_says_of_an_offer_is_read_back() -> None:
    over = TurnChange(("p2",), "p1", asks=True, settled="Bob refuses.")
    assert TurnChange.read(over.notice().payload) == over
    assert not TurnChange.read('{"fresh": [], "mover": null}').asks


def test_a_ping_mentions_users_and_a_role_only_where_there_is_one() -> None:
    assert ThreadPing((11, 12), "Look.").says() == "<@11> <@12>\nLook."
    assert ThreadPing((), "Look.", 7).says() == "<@&7>\nLook."
    ping = ThreadPing((11,), "Look.", 7)
    assert ThreadPing.read(ping.notice().payload) == ping


async def test_the_end_is_posted_with_the_move_that_ends_a_game_alone(service: TableService) -> None:
    recorded, number = load_record(BANKRUPTCY.read_text("utf-8")), await service.game()
    game = recorded.begin()
    game.apply_all(recorded.actions)
    async with service.tables.reading(number) as live:
        over = replace(live, game=game)
        assert ending(live) == []
        assert [row.kind for row in ending(over)] == [END]
        assert ending(replace(over, row=replace(live.row, status="finished"))) == []


def test_the_newest_offer_is_the_one_whose_end_is_posted() -> None:
    settled, asks, neither = (
        TurnChange((), None, settled="Bob refuses."),
        TurnChange((), None, asks=True),
        TurnChange((), None),
    )
    assert end_of_offer([neither, settled, asks]) == "Bob refuses."
    assert end_of_offer([asks, settled]) == ""
    assert end_of_offer([neither]) == ""


def position(
    actors: tuple[str, ...], *, offer: Proposal | None = None, company: str = "PRR", over: bool = False
) -> Any:
    """A game in which these players act, in the turn of a company."""
    turn = ("OR 2.1", company, *actors)
    return SimpleNamespace(actors=lambda: actors, proposal=offer, over=over, turn=turn)


@pytest.fixture
def stated_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions say themselves whose turn it is."""
    monkeypatch.setattr("bot.table.outbox.notices.turn_key", lambda game: game.turn)


def table(game: Any, seq: int = 4) -> Any:
    """A running game of Ann (p1) and Bob (p2) with this position after its last row."""
    return SimpleNamespace(
        seq=seq,
        game=game,
        row=SimpleNamespace(status="running"),
        name_of={"p1": "Ann", "p2": "Bob"}.get,
        by_caretaker=frozenset(),
    )


OFFER = Proposal("p1", "p2", "{}")
ANOTHER = Proposal("p2", "p1", "{}")


def test_a_turn_passes_with_the_company_the_player_the_offer_and_the_end(stated_turns: None) -> None:
    del stated_turns
    before = Before.of(position(("p1",)))
    assert not before.passes(position(("p1",)), "p1")
    assert before.passes(position(("p1",), company="B&O"), "p1")
    assert before.passes(position(("p2",)), "p1")
    assert before.passes(position(("p1",), offer=OFFER), "p1")
    assert before.passes(position(("p1",), over=True), "p1")


def test_who_withdraws_an_offer_continues_the_same_turn(stated_turns: None) -> None:
    del stated_turns
    asked = Before.of(position(("p2",), offer=OFFER))
    assert not asked.passes(position(("p1",)), "p1"), "withdrawn"
    assert asked.passes(position(("p1",), over=True), "p1"), "withdrawn, and the game is over"
    assert asked.passes(position(("p1",)), "p2"), "refused"
    assert asked.passes(position(("p1",), company="B&O"), "p1"), "the next company operates"
    assert asked.passes(position(("p1",), offer=ANOTHER), "p1"), "another offer"
    assert Before.of(position(("p2",))).passes(position(("p1",)), "p1"), "nothing was offered"


@pytest.mark.parametrize(("computers", "passes"), [((), True), (("p2",), False), (("p1", "p2"), False)])
def test_a_turn_that_a_computer_continues_at_once_is_no_new_post(
    stated_turns: None, computers: tuple[str, ...], passes: bool
) -> None:
    """Its bids stand in the post of the turn before, until a person must act."""
    del stated_turns
    now = table(position(("p2",)))
    now.by_caretaker = frozenset(computers)
    rows = move_notices(now, "p1", [], [("One.",)], Before.of(position(("p1",))))
    turn = next(TurnChange.read(row.payload) for row in rows if row.kind == TURN)
    assert turn.passes == passes
    assert (BOARD in [row.kind for row in rows]) == passes


def laid(company: str, where: str) -> TileLaid:
    """Track in this hex."""
    return TileLaid(company, where, "57", 0, 0, 100, None)


def bought(contribution: int) -> TrainBought:
    """A train for which the president pays so much."""
    return TrainBought("PRR", "3", "bank", 200, contribution, "", 0)


def lines_of(rows: Sequence[OutboxMessage]) -> list[Line]:
    """The public lines among rows."""
    return [Line.read(row.payload) for row in rows if row.kind == LINE]


def test_lines_are_numbered_by_rows_and_the_first_shows_where_the_map_changed(stated_turns: None) -> None:
    del stated_turns
    game = position(("p1",))
    events: list[Event] = [laid("PRR", "D2"), HomePlaced("PRR", "F6"), TokenPlaced("PRR", "D2", 40, 60)]
    lines: list[Sequence[str]] = [("PRR lays track.", Uneventful("PRR skips.")), (Uneventful("PRR passes."),)]
    rows = move_notices(table(game), "p1", events, lines, Before.of(game))
    first, second = lines_of(rows)
    assert (first.text, second.text) == ("`5` PRR lays track.", "`6` PRR passes.")
    assert (first.hexes, second.hexes) == (("D2", "F6"), ())
    assert (first.silent, second.silent) == (False, True)
    assert [row.kind for row in rows] == [LINE, LINE, TURN], "the same turn has no new board"


@pytest.mark.parametrize(
    ("event", "loud"),
    [
        (PhaseStarted("3"), True),
        (PresidentChanged("PRR", "p1", "p2"), True),
        (TrainAgreed("PRR", "3", "B&O", 100, 50), True),
        (bought(1), True),
        (bought(0), False),
        (laid("PRR", "D2"), False),
    ],
)
def test_everybody_sees_at_once_a_phase_a_presidency_and_who_must_pay(
    stated_turns: None, event: Any, loud: bool
) -> None:
    del stated_turns
    game = position(("p1",))
    for events in ([event], [laid("PRR", "F6"), event]):
        first, second = lines_of(
            move_notices(table(game), "p1", events, [("One.",), ("Two.",)], Before.of(game))
        )
        assert (first.new_post, second.new_post) == (loud, False)


def turn_after(before: Any, game: Any, mover: str, *events: Any) -> TurnChange:
    """What the turn message is given after a move."""
    rows = move_notices(table(game), mover, events, [("A move.",)], Before.of(before))
    (change,) = [TurnChange.read(row.payload) for row in rows if row.kind == TURN]
    acts = before.actors() != game.actors()
    assert (BOARD in [row.kind for row in rows]) == (change.passes or acts), "the board says whose turn it is"
    return change


def test_the_end_of_an_offer_says_who_agreed_refused_or_withdrew(stated_turns: None) -> None:
    del stated_turns
    asked, free = position(("p2",), offer=OFFER), position(("p1",))
    said = ProposalEnded("p2", Pass(actor="p1", entity="PRR"), withdrawn=False)
    assert turn_after(asked, free, "p2").settled == "**Bob** agrees."
    assert turn_after(asked, free, "p2", said).settled == "**Bob** refuses."
    assert (
        turn_after(asked, free, "p1", replace(said, by="p1", withdrawn=True)).settled == "**Ann** withdraws."
    )
    assert turn_after(asked, asked, "p1").settled == "", "it still waits"
    assert turn_after(free, free, "p1").settled == ""
    assert turn_after(asked, position(("p1",), offer=ANOTHER), "p2").settled == "**Bob** agrees."


def test_a_turn_message_asks_while_an_offer_waits(stated_turns: None) -> None:
    del stated_turns
    asked, free = position(("p2",), offer=OFFER), position(("p1",))
    assert turn_after(free, asked, "p1") == TurnChange(("p2",), "p1", asks=True, passes=True)
    assert turn_after(free, free, "p1") == TurnChange((), "p1")


def test_a_round_is_announced_while_the_game_continues() -> None:
    game = Game("18chesapeake", [("p1", "Ann"), ("p2", "Bob")], 3)
    begun, before = RoundStarted("stock", 1), Before.of(game)
    named = [
        row.payload
        for row in move_notices(table(game), "p1", [begun], [("A move.",)], before)
        if row.kind == TABLE
    ]
    assert [RoundBegun.read(payload).name for payload in named] == [plain(game).round_name()]
    assert TABLE not in [row.kind for row in move_notices(table(game), "p1", [], [("A move.",)], before)]


def test_no_round_is_announced_after_the_end_and_the_board_shows_it(stated_turns: None) -> None:
    del stated_turns
    over = position((), over=True)
    rows = move_notices(
        table(over), "p1", [RoundStarted("stock", 3)], [("A move.",)], Before.of(position(("p1",)))
    )
    assert [row.kind for row in rows] == [LINE, BOARD, TURN, END]


@pytest.mark.parametrize(
    "line",
    [
        Line("a"),
        Line("a", new_post=True),
        Line("a", silent=True),
        Line("a", new_post=True, silent=True, back=0),
    ],
)
def test_a_line_says_what_it_is_and_no_more(line: Line) -> None:
    payload = line.notice().payload
    assert Line.read(payload) == line
    written = json.loads(payload)
    assert set(written) == {"text", "hexes"} | {key for name, key in FLAGS.items() if getattr(line, name)} | (
        set() if line.back is None else {"back"}
    )


def test_rows_of_earlier_versions_are_read_as_they_were_meant() -> None:
    assert Line.read('{"text": "a", "hexes": []}') == Line("a", (), new_post=False, silent=False)
    assert TurnChange.read('{"fresh": ["p1"], "mover": null}') == TurnChange(
        ("p1",), None, asks=False, passes=False
    )


@pytest.mark.parametrize("named", [{}, {"passes": True}])
def test_a_turn_change_says_what_is_new_and_no_more(named: dict[str, bool]) -> None:
    row = TurnChange(("p2",), "p1", **named).notice()  # type: ignore[arg-type]
    assert json.loads(row.payload) == {"fresh": ["p2"], "mover": "p1", "asks": False, "settled": "", **named}


def test_a_board_post_may_be_gone() -> None:
    assert is_asked_again(board(again=True).payload)
    assert not is_asked_again(board().payload)
