"""Who is asked about a proposal, when their votes are enough, what is said of it, and what it is about no more."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import pytest

from bot.table.errors import NotPermitted, Refused
from bot.table.live import LiveGame
from bot.table.votes.absent_seats import (
    AbsenceProposal,
    MoveProposal,
    propose_absence,
    propose_move,
    seat_to_propose_for,
)
from bot.table.votes.moderation import EndProposal
from bot.table.votes.pauses import PauseProposal
from bot.table.votes.proposal_kinds import (
    Electorate,
    ProposalSubject,
    ProposalWithVotes,
    closed_proposal_text,
    more_than_half,
    open_proposal_text,
    proposal_title,
)
from bot.table.votes.seat_proposals import DecidedBy, SeatProposal, own_seat, seat_named
from bot.table.votes.undo_proposals import UndoProposal
from engine.core.actions import read_action
from engine.core.offers import OfferCursor
from engine.game import Game
from storage import CARETAKER_USER, GameRow, Seat, SeatEntry, StoredProposal
from storage.games import Status
from storage.proposals import ProposalState, Vote
from storage.seats import SeatRole
from tests.bot.support.table_service import ANN, BOB, CY

DEE, EVE, MODERATOR = 14, 77, 99
NAMES = ("Ann", "Bob", "Cy", "Dee")
asks = partial(Electorate, proposer=0)
"""Proposed by somebody whose vote does not count."""


def votes(*yes: int, no: Sequence[int] = ()) -> list[Vote]:
    return [*(Vote(user, agrees=True) for user in yes), *(Vote(user, agrees=False) for user in no)]


def table(
    people: Sequence[int] = (ANN, BOB, CY),
    *,
    group: Iterable[str] = (),
    cared: Iterable[str] = (),
    substitutes: Mapping[str, int] | None = None,
    moves: Sequence[str] = (),
    status: Status = "running",
    seq: int = 9,
) -> LiveGame:
    """A game of p1, p2, ...; after these moves, of which each is named by its player and kind."""
    seats = [
        Seat(5, number, f"p{number}", *who) for number, who in enumerate(zip(people, NAMES, strict=False), 1)
    ]
    game = Game("18chesapeake", [(seat.player_id, seat.display_name) for seat in seats], 0)
    for player, _, kind in (move.partition(" ") for move in moves):
        game.apply(read_action(f'{{"kind": "{kind}", "actor": "{player}", "entity": "{player}"}}'))

    def entry(player: str, role: SeatRole, user: int) -> SeatEntry:
        return SeatEntry(player, role, user, "Somebody", 1, None, "2026-01-01")

    history = [*(entry(p, "group", 0) for p in group), *(entry(p, "caretaker", 0) for p in cared)]
    plays = {player: entry(player, "substitute", user) for player, user in (substitutes or {}).items()}
    row = GameRow(
        5, 1, 2, None, None, None, "18chesapeake", "rulebook", "[]", 0, status, "2026-01-01", "Game"
    )
    return LiveGame(row, tuple(seats), game, seq, seat_history=tuple(history), substitutes=plays)  # fmt: skip


# --- verdicts and texts ----------------------------------------------------------------------------------------------


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
        (asks((), (ANN,), 1, needs_moderator=True), votes(ANN), "open"),
        (asks((), (ANN,), 1, needs_moderator=True), votes(ANN, MODERATOR), "accepted"),
        (asks((), (ANN,), 1, needs_moderator=True), votes(ANN, no=[MODERATOR]), "refused"),
        (Electorate((), (ANN,), 1, needs_moderator=True, proposer=BOB), votes(ANN, BOB), "open"),
        (asks((ANN,), (BOB,), 1), votes(BOB), "open"),
        (asks((ANN,), (BOB,), 1), votes(ANN, BOB), "accepted"),
        (asks(), votes(), "accepted"),
        (asks((ANN,)), votes(ANN, no=[CY]), "accepted"),
    ],
)
def test_verdict_follows_the_votes(asked: Electorate, given: list[Vote], verdict: str) -> None:
    assert asked.verdict(given) == verdict


def test_who_is_asked_answers() -> None:
    asked = Electorate((ANN,), (BOB,), 1, (CY,), needs_moderator=True, proposer=DEE)
    assert all(asked.may_answer(user, is_moderator=False) for user in (ANN, BOB, CY))
    assert asked.may_answer(MODERATOR, is_moderator=True)
    assert not asked.may_answer(MODERATOR, is_moderator=False)
    assert not asked.may_answer(DEE, is_moderator=True), "who proposed it is no second vote"
    assert not asks((ANN,)).may_answer(MODERATOR, is_moderator=True)
    assert asks((ANN, BOB), (BOB, CY), 1, (ANN,)).possible_voters == (ANN, BOB, CY)
    assert [more_than_half(tuple(range(count))) for count in range(5)] == [0, 1, 2, 2, 3]


def stored(state: ProposalState = "open", why: str | None = None) -> StoredProposal:
    return StoredProposal(5, 3, "end", "{}", ANN, "2025-12-25", "2026-01-01T00:00:00+00:00", state, why)


@pytest.mark.parametrize(
    ("asked", "agreed", "lines"),
    [
        (
            asks((), (ANN, BOB, CY), 2, (MODERATOR,), needs_moderator=True), [ANN],
            ["Votes so far: 1 of the 2 needed. <@11>, <@12>, <@13> can vote.", "A moderator must also agree.",
             "<@99> can also refuse it."],
        ),
        (asks((), (BOB,), 1), [], ["Votes so far: 0 of the 1 needed. <@12> can vote."]),
        (asks((ANN, BOB, CY)), [ANN], ["<@11> has agreed.", "<@12>, <@13>, do you agree?"]),
        (asks((ANN, BOB)), [ANN, BOB], ["<@11>, <@12> have agreed."]),
        (asks((ANN,)), [], ["<@11>, do you agree?"]),
    ],
)  # fmt: skip
def test_open_proposal_names_who_is_asked(asked: Electorate, agreed: list[int], lines: list[str]) -> None:
    asking = ProposalWithVotes(stored(), EndProposal(), asked, votes(*agreed))
    first = f"{proposal_title(stored(), EndProposal())}, proposed by <@{ANN}>."
    assert first.startswith("Proposal 3: the game ends here")
    last = "-# It expires <t:1767225600:R>, at <t:1767225600:f>."
    assert open_proposal_text(asking).split("\n") == [first, *lines, last]


@pytest.mark.parametrize(
    ("state", "why", "said"),
    [
        ("expired", None, "It has expired."),
        ("accepted", None, "It was accepted."),
        ("refused", None, "It was refused."),
        ("expired", "is overtaken", "It is overtaken."),
    ],
)
def test_settled_proposal_says_how(state: ProposalState, why: str | None, said: str) -> None:
    proposal = stored(state, why)
    text = closed_proposal_text(proposal, EndProposal())
    assert text == f"{proposal_title(proposal, EndProposal())}, proposed by <@{ANN}>.\n-# {said}"


# --- who decides about what ------------------------------------------------------------------------------------------

GROUP = AbsenceProposal("p2", BOB, "Bob")
CARED = AbsenceProposal("p2", BOB, "Bob", "caretaker")
MOVE = MoveProposal("p2", BOB, "Bob", 9, "{}", "Bob passes")
TWO = (ANN, BOB)
FOUR = (ANN, BOB, CY, DEE)


def hands(warrant: DecidedBy = "group", leaving: int = BOB) -> SeatProposal:
    return SeatProposal("p2", leaving, "Bob", EVE, "Eve", warrant)


def consent(*players: str, by: int = ANN) -> UndoProposal:
    return UndoProposal(9, by, "p1", players, "moves 8 to 9", "**Bob**", 7)


@pytest.mark.parametrize(
    ("subject", "live", "by", "asked"),
    [
        (GROUP, table(), ANN, asks((), (ANN, CY), 2, (BOB,))),
        (GROUP, table(TWO), ANN, asks((), (ANN,), 1, (BOB,), needs_moderator=True)),
        (AbsenceProposal("p2", CARETAKER_USER, "Bob"), table(), ANN, asks((), (ANN, CY), 2)),
        (MOVE, table(group=["p2"]), ANN, asks((), (CY,), 1)),
        (MOVE, table(TWO, group=["p2"]), ANN, asks(needs_moderator=True)),
        (hands("own"), table(), BOB, asks((EVE,), (), 0, (BOB,))),
        (hands("moderator"), table(), MODERATOR, asks((EVE,))),
        (hands(), table(), ANN, asks((EVE,), (ANN, CY), 2, (BOB,))),
        (hands(), table(TWO), ANN, asks((EVE,), (ANN,), 1, (BOB,), needs_moderator=True)),
        (hands(leaving=CARETAKER_USER), table((ANN, CARETAKER_USER)), ANN, asks((EVE,), (ANN,), 1)),
        (EndProposal(), table((ANN, CARETAKER_USER, CY)), ANN, asks((ANN, CY))),
        (PauseProposal(3), table(group=["p3"]), ANN, asks((), TWO, 2)),
        (consent("p2", "p3"), table(), ANN, asks((BOB, CY))),
        (consent("p2", "p3"), table(group=["p3"]), ANN, asks((BOB,), (BOB,), 1)),
        (consent("p2", "p3"), table(group=["p2"], cared=["p3"]), BOB, asks((), (ANN,), 1)),
        (consent("p2", "p3"), table(FOUR, group=["p2"], cared=["p3"]), ANN, asks((), (DEE,), 1)),
        (consent("p2"), table(TWO, cared=["p2"]), ANN, asks(needs_moderator=True)),
    ],
)
def test_those_concerned_are_asked(
    subject: ProposalSubject, live: LiveGame, by: int, asked: Electorate
) -> None:
    expected = Electorate(
        asked.users_who_must_agree,
        asked.voters,
        asked.votes_needed,
        asked.users_who_may_refuse,
        needs_moderator=asked.needs_moderator,
        proposer=by,
    )
    assert subject.electorate(live, by) == expected


NEW_PLAYER = "The seat has a new player, so this proposal is void."
MOVED_ON = "The game has moved on since then."
OVER = ("p1 end_game", "p2 end_game", "p3 end_game")


@pytest.mark.parametrize(
    ("subject", "live", "why"),
    [
        (GROUP, table(), None),
        (GROUP, table(cared=["p2"]), None),
        (GROUP, table((ANN, EVE, CY)), NEW_PLAYER),
        (GROUP, table(group=["p2"]), "The group already plays that seat."),
        (CARED, table(cared=["p2"]), "A caretaker already plays that seat."),
        (MOVE, table(group=["p2"]), None),
        (MOVE, table(), "The group no longer plays the seat of Bob."),
        (MOVE, table(group=["p2"], seq=10), MOVED_ON),
        (hands(), table(), None),
        (hands(), table((ANN, DEE, CY)), NEW_PLAYER),
        (hands(), table((ANN, BOB, EVE)), "<@77> already plays in this game."),
        (EndProposal(), table(), None),
        (EndProposal(), table(moves=OVER), "Game 5 has ended."),
        (PauseProposal(3), table(), None),
        (PauseProposal(3), table(moves=OVER), "Game 5 has ended."),
        (consent("p2"), table(), None),
        (consent("p2"), table(seq=10), MOVED_ON),
        (consent("p2", by=EVE), table(), "The player who proposed this has left the seat."),
    ],
)
def test_proposal_may_be_void(subject: ProposalSubject, live: LiveGame, why: str | None) -> None:
    assert subject.expiry_reason(live) == why


def test_proposals_say_what_they_are_about() -> None:
    assert "by agreement" in GROUP.describe()
    assert "(computer)" in CARED.describe()
    assert PauseProposal(3).describe() == "the game pauses for 3 days"
    assert PauseProposal(None).describe() == "the game pauses until a player resumes it"
    assert "back to move 7" in consent("p2").describe()
    said = consent("p2", "p3").consent_text(table(group=["p3"]), stored())
    assert said == "with the consent of **Bob** and the group for **Cy** (proposal 3)"
    assert [one.absent_user() for one in (GROUP, hands(), hands("own"))] == [BOB, BOB, None]
    assert (MOVE.is_outdated(9), MOVE.is_outdated(10)) == (False, True)


@pytest.mark.parametrize(
    ("live", "by", "how", "why"),
    [
        (table(group=["p2"]), ANN, "group", "already plays the seat of Bob"),
        (table(cared=["p2"]), ANN, "caretaker", "A caretaker already plays that seat"),
        (table(substitutes={"p2": DEE}), ANN, "group", "^<@14> plays for Bob now"),
        (table(), BOB, "group", "another player of this game"),
        (table(), MODERATOR, "group", "another player of this game"),
    ],
)
def test_absence_is_not_proposed(live: LiveGame, by: int, how: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        propose_absence(live, by, "p2", how)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("live", "by", "seat"),
    [
        (table(group=["p2", "p3"]), ANN, "p2"),
        (table(group=["p1", "p2"]), CY, "p1"),
        (table(group=["p1", "p2"]), ANN, "p2"),
        (table(group=["p2", "p3"], moves=["p1 pass", "p2 pass"]), ANN, "p3"),
    ],
)
def test_move_is_proposed_for_the_seat_on_turn(live: LiveGame, by: int, seat: str) -> None:
    assert seat_to_propose_for(live, by) == seat


@pytest.mark.parametrize(("player", "kind"), [("p1", "pass"), ("p2", "end_game")])
def test_only_a_move_of_the_seat_is_proposed(player: str, kind: str) -> None:
    live = table(group=["p2"])
    offer = next(offer for offer in live.game.offers(player) if offer.kind == kind)
    with pytest.raises(Refused, match=r"^This is not a move of Bob\.$"):
        propose_move(live, "p2", lambda *_: OfferCursor(offer))


def test_seat_is_meant_by_name_or_mention() -> None:
    assert [seat_named(table(), typed) for typed in (" P2 ", "bob", f"<@{BOB}>")] == ["p2"] * 3
    with pytest.raises(Refused, match="The players are Ann, Bob, Cy"):
        seat_named(table(), "Dee")
    assert own_seat(table(), CY) == "p3"
    with pytest.raises(NotPermitted):
        own_seat(table(), EVE)
