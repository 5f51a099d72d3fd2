"""What becomes of a proposal by its votes; whose seat is meant; what is lost and redone; whose clock stands."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from bot.table import redo, undo
from bot.table.clocks import deadlines
from bot.table.clocks.time_banks import Allowed
from bot.table.errors import NotYours, Refused
from bot.table.games.game_log import Undone
from bot.table.live import LiveGame
from bot.table.undo import lost_by, undoable
from bot.table.votes.absent_seats import (
    AbsenceProposal,
    MoveProposal,
    absent_seat,
    played_so,
    propose_absence,
    propose_move,
)
from bot.table.votes.moderation import EndProposal
from bot.table.votes.pauses import (
    PauseProposal,
    pause_of,
    pause_text,
    pauses_now,
    present_users,
    require_unpaused,
)
from bot.table.votes.proposal_kinds import (
    Asking,
    Electorate,
    asking_text,
    more_than_half,
    settled_text,
    titled,
)
from bot.table.votes.seat_proposals import SeatProposal, own_seat, propose_seat, seat_meant
from bot.table.votes.undo_proposals import UndoProposal
from storage import CARETAKER, Row, log, orders
from tests.bot.support.table_service import ANN, BOB, CY

DEE, MODERATOR = 14, 99
asks = partial(Electorate, by=0)
"""Proposed by somebody whose vote does not count."""


def some(**values: Any) -> Any:
    """An object with these values."""
    return SimpleNamespace(**values)


def votes(*yes: int, no: Sequence[int] = ()) -> Any:
    return [
        *(some(user_id=user, agrees=True) for user in yes),
        *(some(user_id=user, agrees=False) for user in no),
    ]


# --- verdicts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "given", "verdict"),
    [
        (asks((ANN, BOB)), votes(), "open"),
        (asks((ANN, BOB)), votes(ANN), "open"),
        (asks((ANN, BOB)), votes(ANN, BOB), "accepted"),
        (asks((ANN, BOB)), votes(ANN, no=[BOB]), "refused"),
        (asks((), (ANN, BOB, CY), 2), votes(ANN), "open"),
        (asks((), (ANN, BOB, CY), 2), votes(ANN, CY), "accepted"),
        (asks((), (ANN, BOB, CY), 2), votes(no=[ANN]), "open"),
        (asks((), (ANN, BOB, CY), 2), votes(no=[ANN, BOB]), "refused"),
        (asks((), (ANN, BOB), 1), votes(MODERATOR), "open"),
        (asks((), (ANN,), 1, (BOB,)), votes(ANN), "accepted"),
        (asks((), (ANN,), 1, (BOB,)), votes(ANN, no=[BOB]), "refused"),
        (asks((), (ANN,), 1, moderator=True), votes(ANN), "open"),
        (asks((), (ANN,), 1, moderator=True), votes(ANN, MODERATOR), "accepted"),
        (asks((), (ANN,), 1, moderator=True), votes(ANN, no=[MODERATOR]), "refused"),
        (Electorate((), (ANN,), 1, moderator=True, by=BOB), votes(ANN, BOB), "open"),
        (asks((ANN,), (BOB,), 1), votes(BOB), "open"),
        (asks((ANN,), (BOB,), 1), votes(ANN, BOB), "accepted"),
        (asks(), votes(), "accepted"),
        (asks((ANN,)), votes(ANN, no=[CY]), "accepted"),
    ],
)
def test_a_proposal_is_accepted_refused_or_open_by_its_votes(
    asked: Electorate, given: Any, verdict: str
) -> None:
    assert asked.verdict(given) == verdict


def test_those_who_are_asked_answer_and_another_moderator_than_the_proposer_where_one_must_agree() -> None:
    asked = Electorate((ANN,), (BOB,), 1, (CY,), moderator=True, by=DEE)
    assert all(asked.may_answer(user, moderates=False) for user in (ANN, BOB, CY))
    assert asked.may_answer(MODERATOR, moderates=True)
    assert not asked.may_answer(MODERATOR, moderates=False)
    assert not asked.may_answer(DEE, moderates=True)
    assert not asks((ANN,)).may_answer(MODERATOR, moderates=True)


def test_everybody_who_is_asked_is_mentioned_once() -> None:
    assert asks((ANN, BOB), (BOB, CY), 1, (ANN,)).asked == (ANN, BOB, CY)
    assert [more_than_half(tuple(range(count))) for count in range(5)] == [0, 1, 2, 2, 3]


def asking(electorate: Electorate, *given: Any) -> Asking:
    proposal = some(number=3, by_user=ANN, until="2026-01-01T00:00:00+00:00", state="open")
    return Asking(proposal, EndProposal(), electorate, given)


def test_an_open_proposal_says_who_is_asked_and_until_when() -> None:
    asked = asking(asks((), (ANN, BOB, CY), 2, (MODERATOR,), moderator=True), *votes(ANN))
    lines = asking_text(asked).split("\n")
    assert lines[0] == f"{titled(asked.proposal, asked.subject)}, proposed by <@{ANN}>."
    assert lines[0].startswith("Proposal 3: the game ends here")
    assert lines[1].startswith("1 of 2 needed so far; ")
    assert lines[1].endswith(" are asked.")
    assert lines[2:] == [
        "A moderator must agree, too.", f"<@{MODERATOR}> can refuse it, too.",
        "-# It expires <t:1767225600:R>, at <t:1767225600:f>.",
    ]  # fmt: skip
    one = asking_text(asking(asks((), (BOB,), 1)))
    assert f"0 of 1 needed so far; <@{BOB}> is asked." in one
    assert "moderator" not in one
    assert "refuse" not in one
    assert asking(asks((), (BOB,), 1), *votes(BOB)).state() == "accepted"


def test_each_who_must_agree_is_named_with_those_who_have() -> None:
    lines = asking_text(asking(asks((ANN, BOB, CY)), *votes(ANN))).split("\n")
    assert lines[1:3] == [f"<@{ANN}> has agreed.", f"<@{BOB}>, <@{CY}>, do you agree?"]
    two = asking_text(asking(asks((ANN, BOB)), *votes(ANN, BOB))).split("\n")
    assert two[1] == f"<@{ANN}>, <@{BOB}> have agreed."
    assert "do you agree" not in two[2]
    none = asking_text(asking(asks((ANN,)))).split("\n")
    assert none[1] == f"<@{ANN}>, do you agree?"


@pytest.mark.parametrize(
    ("state", "why", "said"),
    [
        ("expired", None, "It has expired."),
        ("accepted", None, "It was accepted."),
        ("refused", None, "It was refused."),
        ("expired", "is overtaken", "It is overtaken."),
    ],
)
def test_a_proposal_that_is_settled_says_how(state: str, why: str | None, said: str) -> None:
    proposal: Any = some(number=3, by_user=ANN, state=state, why=why)
    text = settled_text(proposal, EndProposal())
    assert text == f"{titled(proposal, EndProposal())}, proposed by <@{ANN}>.\n-# {said}"


# --- who decides about what ------------------------------------------------------------------------------------------


def live(
    users: Sequence[int] = (ANN, BOB, CY), group: Sequence[str] = (), cared: Sequence[str] = (), **more: Any
) -> Any:
    """A running game of p1, p2, ... after row 9, in which p1 acts."""
    names = ("Ann", "Bob", "Cy", "Dee")
    seats = [
        some(player_id=f"p{number}", user_id=user, display_name=name)
        for number, (user, name) in enumerate(zip(users, names, strict=False), 1)
    ]
    holders = {seat.player_id: seat.user_id for seat in seats}
    vanished = {*group, *cared}
    usual: dict[str, Any] = {
        "id": 5, "seq": 9, "seats": seats, "by_group": frozenset(group), "by_caretaker": frozenset(cared),
        "holder_of": holders.get, "user_of": holders.get, "name_of": {s.player_id: s.display_name for s in seats}.get,
        "others_than": lambda player: tuple(
            seat.user_id for seat in seats if seat.player_id not in {player, *vanished}
        ),
        "player_of": lambda user: next((p for p, holder in holders.items() if holder == user), None),
        "people": tuple(holders.values()), "substitutes": {}, "waits": None, "pause": None, "automatic": {},
        "game": some(over=False, actors=lambda: ("p1",), in_game=lambda: tuple(holders)),
        "row": some(status="running", id=5), "seat_history": (), "counting": [], "undone": Undone(),
    }  # fmt: skip
    found = some(**(usual | more))
    found.require_running = partial(LiveGame.require_running, found)
    return found


GROUP = AbsenceProposal("p2", BOB, "Bob")
CARED = AbsenceProposal("p2", BOB, "Bob", "caretaker")


def test_more_than_half_of_the_others_decide_about_a_seat_and_its_holder_may_refuse() -> None:
    assert GROUP.electorate(live(), ANN) == Electorate((), (ANN, CY), 2, (BOB,), by=ANN)
    two = GROUP.electorate(live((ANN, BOB)), ANN)
    assert two == Electorate((), (ANN,), 1, (BOB,), moderator=True, by=ANN)
    assert AbsenceProposal("p2", CARETAKER, "Bob").electorate(live(), ANN).may_refuse == ()
    assert GROUP.without() == BOB


def test_a_seat_is_given_to_the_table_or_a_caretaker_once() -> None:
    assert GROUP.gone(live()) is None
    assert GROUP.gone(live((ANN, 77, CY))) == "The seat has a new player, so this proposal is void."
    assert GROUP.gone(live(group=["p2"])) == "The table plays that seat already."
    assert CARED.gone(live(cared=["p2"])) == "A caretaker plays that seat already."
    assert GROUP.gone(live(cared=["p2"])) is None
    assert (
        played_so(live(cared=["p1", "p3"]), "p2", "caretaker")
        == "At least one seat must be played by a person."
    )
    assert played_so(live(cared=["p1", "p3"]), "p2", "group") is None
    assert "by agreement" in GROUP.says()
    assert "the computer" in CARED.says()


def test_absence_is_proposed_by_another_player_about_a_seat_that_nobody_plays() -> None:
    assert propose_absence(live(), ANN, "p2") == GROUP
    assert propose_absence(live(group=["p2"]), ANN, "p2", "caretaker") == CARED
    for table, by, how, why in (
        (live(group=["p2"]), ANN, "group", "plays the seat of Bob already; `/game propose`"),
        (live(cared=["p2"]), ANN, "caretaker", "A caretaker plays that seat already"),
        (live(substitutes={"p2": some()}), ANN, "group", "plays for Bob now"),
        (live(), BOB, "group", "Another player of this game"),
        (live(), MODERATOR, "group", "Another player of this game"),
    ):
        with pytest.raises(Refused, match=why):
            propose_absence(table, by, "p2", how)  # type: ignore[arg-type]


def test_a_move_is_proposed_for_a_seat_that_the_table_plays_the_one_on_turn_first() -> None:
    assert absent_seat(live(group=["p2", "p3"]), ANN) == "p2"
    assert absent_seat(live(group=["p1", "p2"]), CY) == "p1"
    assert absent_seat(live(group=["p1", "p2"]), ANN) == "p2"
    acting = some(actors=lambda: ("p3",))
    assert absent_seat(live(group=["p2", "p3"], game=acting), ANN) == "p3"
    with pytest.raises(NotYours, match="proposed by the other players"):
        absent_seat(live(group=["p2"]), MODERATOR)
    for table, user in ((live(), ANN), (live(group=["p1"]), ANN)):
        with pytest.raises(Refused, match="plays no seat"):
            absent_seat(table, user)


@pytest.mark.parametrize(("actor", "kind"), [("p1", "pass"), ("p2", "end_game")])
def test_for_a_seat_only_its_own_moves_are_proposed_and_never_the_end_of_the_game(
    actor: str, kind: str
) -> None:
    walk = some(offer=some(actor=actor, kind=kind))
    with pytest.raises(Refused, match=r"^That is no move of Bob\.$"):
        propose_move(live(group=["p2"]), "p2", lambda game, player: walk)


MOVE = MoveProposal("p2", BOB, "Bob", 9, "{}", "Bob passes")


def test_a_proposed_move_needs_one_of_the_others_until_the_game_moves_on() -> None:
    table = live(group=["p2"])
    assert MOVE.electorate(table, ANN) == Electorate((), (CY,), 1, by=ANN)
    assert MOVE.electorate(live((ANN, BOB), group=["p2"]), ANN) == Electorate(
        (), (), 0, moderator=True, by=ANN
    )
    assert MOVE.gone(table) is None
    assert MOVE.gone(live()) == "The table does not play the seat of Bob any more."
    assert MOVE.gone(live(group=["p2"], seq=10)) == "The game has moved on since then."
    assert (MOVE.is_overtaken(9), MOVE.is_overtaken(10)) == (False, True)


def hands(warrant: Any = "group", leaving: int = BOB) -> SeatProposal:
    return SeatProposal("p2", leaving, "Bob", 77, "Dee", warrant)


def test_who_agrees_to_a_new_holder_depends_on_whose_word_it_is() -> None:
    assert hands("own").electorate(live(), BOB) == Electorate((77,), (), 0, (BOB,), by=BOB)
    assert hands("moderator").electorate(live(), MODERATOR) == Electorate((77,), (), 0, by=MODERATOR)
    assert hands().electorate(live(), ANN) == Electorate((77,), (ANN, CY), 2, (BOB,), by=ANN)
    alone = hands().electorate(live((ANN, BOB)), ANN)
    assert alone == Electorate((77,), (ANN,), 1, (BOB,), moderator=True, by=ANN)
    free = hands(leaving=CARETAKER).electorate(live((ANN, CARETAKER)), ANN)
    assert free == Electorate((77,), (ANN,), 1, by=ANN)
    assert (hands().without(), hands("own").without()) == (BOB, None)


async def test_where_a_moderator_decides_too_the_player_need_not_be_absent_for_long() -> None:
    tables: Any = some(clock=lambda: NOW)
    pause = some(lasts=lambda now: now == NOW)
    await hands().require(tables, live((ANN, BOB), pause=pause), ANN)
    for warrant in ("own", "moderator"):
        await hands(warrant).require(tables, live(pause=pause), ANN)
    with pytest.raises(Refused, match="nobody is absent meanwhile"):
        await hands().require(tables, live(pause=pause), ANN)


def test_a_seat_goes_to_somebody_who_does_not_play() -> None:
    assert hands().gone(live()) is None
    assert hands().gone(live((ANN, 88, CY))) == "The seat has a new player, so this proposal is void."
    assert hands().gone(live((ANN, BOB, 77))) == "<@77> plays in this game already."
    assert propose_seat(live(), ANN, "p2", (77, "Dee"), "group") == hands()
    assert propose_seat(live(), MODERATOR, "p2", (77, "Dee"), "moderator") == hands("moderator")
    assert propose_seat(live((ANN, BOB)), MODERATOR, "p2", (77, "Dee"), "moderator") == hands("moderator")
    assert propose_seat(live((ANN, CARETAKER)), ANN, "p2", (77, "Dee"), "group") == hands(leaving=CARETAKER)
    for table, by, newcomer, warrant, why in (
        (live(), MODERATOR, 77, "group", "for the player who has a seat"),
        (live((ANN, BOB)), ANN, 77, "group", "cannot give another player's seat away alone"),
        (live(), ANN, CY, "group", f"^<@{CY}> plays in this game already"),
        (live(), ANN, BOB, "group", f"^<@{BOB}> plays in this game already"),
    ):
        with pytest.raises(Refused, match=why):
            propose_seat(table, by, "p2", (newcomer, "x"), warrant)  # type: ignore[arg-type]


async def test_where_a_moderator_must_agree_nobody_has_to_be_absent_for_long() -> None:
    """What is stored of the players is not even read."""
    for subject in (GROUP, CARED, hands(), hands("own"), hands("moderator")):
        await subject.require(some(), live((ANN, BOB)), ANN)


def test_a_seat_is_meant_by_its_player_name_or_mention() -> None:
    assert [seat_meant(live(), typed) for typed in (" P2 ", "bob", f"<@{BOB}>")] == ["p2"] * 3
    with pytest.raises(Refused, match="the players are Ann, Bob, Cy"):
        seat_meant(live(), "Dee")
    assert own_seat(live(), CY) == "p3"
    with pytest.raises(NotYours):
        own_seat(live(), 77)


def test_all_who_are_in_the_game_agree_that_it_ends() -> None:
    assert EndProposal().electorate(live((ANN, CARETAKER, CY)), ANN) == Electorate((ANN, CY), by=ANN)
    assert EndProposal().gone(live()) is None
    over = live(game=some(over=True))
    assert EndProposal().gone(over) == PauseProposal(3).gone(over) == "Game 5 has ended."


def test_more_than_half_of_those_present_decide_about_a_pause() -> None:
    assert PauseProposal(3).electorate(live(group=["p3"]), ANN) == Electorate((), (ANN, BOB), 2, by=ANN)
    assert present_users(live(cared=["p1"], group=["p3"])) == (BOB,)
    assert PauseProposal(3).says() == "the game pauses for 3 days"
    assert PauseProposal(None).says() == "the game pauses until a player resumes it"
    assert PauseProposal(3).gone(live()) is None


def consent(*players: str, by: int = ANN) -> UndoProposal:
    return UndoProposal(9, by, "p1", players, "moves 8 to 9", "**Bob**", 7)


def test_those_whose_moves_they_are_agree_or_the_table_where_they_have_vanished() -> None:
    assert consent("p2", "p3").electorate(live(), ANN) == Electorate((BOB, CY), (), 0, by=ANN)
    group = consent("p2", "p3").electorate(live(group=["p3"]), ANN)
    assert group == Electorate((BOB,), (BOB,), 1, by=ANN)
    both = consent("p2", "p3").electorate(live(group=["p2"], cared=["p3"]), BOB)
    assert both == Electorate((), (ANN,), 1, by=BOB)
    both = consent("p2", "p3").electorate(live((ANN, BOB, CY, DEE), group=["p2"], cared=["p3"]), ANN)
    assert both == Electorate((), (DEE,), 1, by=ANN)
    alone = consent("p2").electorate(live((ANN, BOB), cared=["p2"]), ANN)
    assert alone == Electorate((), (), 0, moderator=True, by=ANN)
    assert consent("p2").gone(live()) is None
    assert consent("p2").gone(live(seq=10)) == "The game has moved on since then."
    assert consent("p2", by=77).gone(live()) == "The player who proposed it has left that seat."
    said = consent("p2", "p3").consent(live(group=["p3"]), some(number=4))
    assert said == "with the consent of **Bob** and the table for **Cy** (proposal 4)"
    assert "after move 7" in consent("p2").says()


# --- undo and redo ---------------------------------------------------------------------------------------------------


def row(seq: int, actor: str = "p1", kind: Any = "action", payload: str = "") -> Row:
    return Row(
        5, seq, kind, payload or '{"kind": "pass", "actor": "p1", "entity": "p1"}', "", actor, 1, "now"
    )


START = row(1, "", "start")


def test_what_is_lost_are_the_moves_after_one_that_counts() -> None:
    table = live(counting=[START, row(2), row(4), row(5)])
    assert [one.seq for one in lost_by(table, 2)] == [4, 5]
    for broken, to, why in (
        (table, 3, "none of those that count"),
        (table, 5, "nothing to undo after it"),
        (live(counting=[START, row(2)], row=some(status="abandoned")), 1, "was abandoned"),
        (live(counting=[START, row(2)], waits="It waits."), 1, "It waits"),
        (live(counting=[START, row(2), row(3, "", "accept"), row(4)]), 2, "accepted with move 3"),
    ):
        with pytest.raises(Refused, match=why):
            lost_by(broken, to)
    assert [one.seq for one in lost_by(live(counting=[START, row(3, "", "accept"), row(4)]), 3)] == [4]


def test_ones_own_last_move_is_undone_with_the_automatic_ones_after_it() -> None:
    assert undoable(live(counting=[START, row(2), row(3, "p2")], automatic={3: None}), "p1").seq == 2
    own = live(counting=[START, row(2), row(3, "p2"), row(4)], automatic={3: 7, 4: 8})
    assert undoable(own, "p1").seq == 2, "what one's own order did after one's own move goes with it"
    ordered = live(counting=[START, row(2, "p2"), row(3), row(4)], automatic={3: 7, 4: None})
    assert undoable(ordered, "p1").seq == 3, "what one's own order did after another's move"
    cared = live(
        counting=[START, row(2, "p2"), row(3)], automatic={3: None},
        seat_history=[some(player_id="p1", since=2, role="caretaker")],
    )  # fmt: skip
    assert undoable(cared, "p1").seq == 3, "what the caretaker has played for them"
    others = live(
        counting=[START, row(2), row(3, "p2")], automatic={3: None},
        seat_history=[some(player_id="p2", since=2, role="caretaker")],
    )  # fmt: skip
    assert undoable(others, "p1").seq == 2, "what another's caretaker has played goes with it"
    for table, why in (
        (live(counting=[START]), "no move to undo"),
        (live(counting=[START, row(2, "", "accept")]), "accepted with move 2"),
        (live(counting=[START, row(2, "p2")]), "number 2, is Bob's.*`/undo to:`"),
        (live(counting=[START, row(2, "p2")], game=some(over=True)), "only a moderator goes back further"),
    ):
        with pytest.raises(Refused, match=why):
            undoable(table, "p1")


def test_a_move_is_decided_unless_it_was_forced_or_time_was_up() -> None:
    table = live(automatic={3: None, 4: orders.TIME_UP, 5: 7})
    assert [undo._is_decided(table, row(seq)) for seq in (2, 3, 4, 5)] == [True, False, False, True]
    assert [undo._is_forced(table, row(seq)) for seq in (2, 3, 4, 5)] == [False, True, False, False]
    history = [some(player_id="p1", since=2, role="caretaker"), some(player_id="p1", since=6, role="holder")]
    cared = live(automatic={3: None, 7: None}, seat_history=history)
    assert [undo._is_caretakers(cared, row(seq)) for seq in (2, 3, 6, 7)] == [False, True, True, False]
    assert [undo._is_forced(cared, row(seq)) for seq in (3, 7)] == [False, True]


def undone(agreed: Sequence[str] = (), by: str = "p1") -> Undone:
    back = row(3, by, "undo", log.undo_payload(1, agreed=list(agreed)))
    return Undone.of([START, row(2), back])


def test_who_took_a_move_back_redoes_it_or_those_who_agreed() -> None:
    taken = redo.redoable(live(undone=undone()))
    assert redo.require_whose(live(), taken, ANN, moderates=False) == "p1"
    with pytest.raises(NotYours, match="Ann took that back"):
        redo.require_whose(live(), taken, BOB, moderates=True)
    agreed = redo.redoable(live(undone=undone(["p2"])))
    assert redo.require_whose(live(), agreed, BOB, moderates=False) == "p2"
    assert redo.require_whose(live(), agreed, MODERATOR, moderates=True) is None
    assert [redo.asks_others(live(), agreed, user) for user in (ANN, BOB, CY)] == [True, True, False]
    assert not redo.asks_others(live(), taken, ANN)
    officers = redo.redoable(live(undone=undone(by="")))
    assert redo.require_whose(live(), officers, MODERATOR, moderates=True) is None
    with pytest.raises(NotYours, match="A moderator took that back"):
        redo.require_whose(live(), officers, ANN, moderates=False)


def test_what_was_undone_stays_so_once_somebody_has_moved() -> None:
    with pytest.raises(Refused, match="Nothing was undone"):
        redo.redoable(live())
    back = row(3, "p1", "undo", log.undo_payload(1))
    other = row(4, "p2", payload='{"kind": "pass", "actor": "p2", "entity": "p2"}')
    with pytest.raises(Refused, match="Bob has made move 4 since"):
        redo.redoable(live(undone=Undone.of([START, row(2), back, other])))
    accepted = Undone.of([START, row(2), back])
    accepted.made(row(5, "", "accept"))
    with pytest.raises(Refused, match="The game continues from move 5 since"):
        redo.redoable(live(undone=accepted))


# --- pauses and clocks -----------------------------------------------------------------------------------------------

NOW = "2026-01-01T00:00:00+00:00"


def test_a_pause_lasts_for_its_days_or_until_it_is_ended() -> None:
    days, open_end = pause_of(ANN, 3, NOW), pause_of(ANN, None, NOW)
    assert pause_text(days) == "until <t:1767484800:f>"
    assert pause_text(open_end) == "until a player resumes it"
    assert pauses_now(None, NOW) == ""
    assert pauses_now(days, NOW) == f"pauses {pause_text(days)}"
    assert pauses_now(days, "2026-01-05T00:00:00+00:00") == ""
    require_unpaused(live(), NOW)
    require_unpaused(live(pause=days), "2026-01-05T00:00:00+00:00")
    for table, why in (
        (live(pause=days), "pauses already"),
        (live(row=some(status="finished")), "has ended"),
    ):
        with pytest.raises(Refused, match=why):
            require_unpaused(table, NOW)


def clocks(
    rest: timedelta = timedelta(hours=5),
    *,
    stands: bool = False,
    stops: Sequence[Any] = (),
    budget: Any = None,
) -> Any:
    """The clocks of a table of Ann and Bob, in which Ann's turn runs."""
    turn = some(player_id="p1", quiet=None, charged=0, ended=None, used=0)
    return some(
        allowed=Allowed(timedelta(days=3), timedelta(hours=12)), turns=[turn], running=[turn], stops=stops,
        now=datetime(2026, 1, 1, tzinfo=UTC), rest=lambda _: rest, stands=lambda _: stands,
        counted=lambda _: timedelta(hours=13), budget_ends=lambda _, until: budget or until,
    )  # fmt: skip


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What is said of these clocks."""

    def set_to(there: Any, players: Sequence[str] = ("p1",)) -> Any:
        async def of_live(*_: object) -> Any:
            return there

        async def acting(*_: object) -> Sequence[str]:
            return players

        monkeypatch.setattr(deadlines, "live_clocks", of_live)
        monkeypatch.setattr(deadlines, "ticking_players", acting)
        return some(db=None, share=None, clock=lambda: NOW)

    return set_to


TWO = (ANN, BOB)


async def test_a_turn_says_the_time_that_is_left_as_it_began(shown: Any) -> None:
    tables = shown(clocks())
    assert await deadlines.turn_time_line(tables, live(TWO)) == (
        "\n-# Time as the turn began: 12 hours, then **Ann**'s bank of 3 days."
    )
    assert await deadlines.turn_time_line(shown(None), live(TWO)) == ""
    assert await deadlines.turn_time_line(shown(clocks(), ()), live(TWO)) == ""
    there = clocks()
    there.turns[0].charged = 3 * 24 * 3600 * 1000
    assert "then nothing: **Ann**'s bank is empty." in await deadlines.turn_time_line(shown(there), live(TWO))


async def test_how_a_game_stands_says_everybodys_time_and_the_deadline(shown: Any) -> None:
    table = live(TWO)
    assert await deadlines.time_left_text(shown(clocks()), table) == (
        "Time banks: **Ann** 2 days 23 hours and **Bob** 3 days.\n**Ann**'s time is up <t:1767243600:R>."
    )
    assert (await deadlines.time_left_text(shown(clocks(timedelta())), table)).endswith(
        "\n**Ann**'s time is up."
    )
    assert (await deadlines.time_left_text(shown(clocks(stands=True)), table)).endswith(
        "\n**Ann**'s clock stands; left of turn and bank: 5 hours."
    )
    assert await deadlines.time_left_text(shown(None), table) == ""
    assert await deadlines.time_left_text(shown(clocks()), live(TWO, game=some(over=True))) == ""
    spent = clocks()
    spent.turns[0].charged = (3 * 24 - 1) * 3600 * 1000  # and an hour of this turn
    assert "**Ann** nothing and" in await deadlines.time_left_text(shown(spent), table)
    spent.turns[0].charged += 24 * 3600 * 1000
    assert "**Ann** nothing and" in await deadlines.time_left_text(shown(spent), table)


async def test_who_is_away_is_said_and_until_when_their_clock_stands(shown: Any) -> None:
    def away(until: str | None, why: str = "away", player: str = "p1") -> Any:
        return some(player_id=player, why=why, until=until)

    later = "2026-01-03T00:00:00+00:00"
    assert (await deadlines.turn_time_line(shown(clocks(stops=[away(later)])), live(TWO))).endswith(
        " **Ann** is away until <t:1767398400:f>."
    )
    budget = datetime(2026, 1, 2, tzinfo=UTC)
    assert (
        await deadlines.turn_time_line(shown(clocks(stops=[away(later)], budget=budget)), live(TWO))
    ).endswith(" Their away budget lasts until <t:1767312000:f>.")
    for stop in (away(NOW), away(None), away(later, "paused"), away(later, player="p2")):
        assert "is away" not in await deadlines.turn_time_line(shown(clocks(stops=[stop])), live(TWO))
