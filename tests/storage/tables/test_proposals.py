"""Proposals of a table: voted on by each person once, closed once, accepted with their effect."""

from typing import Any

import pytest

from storage import Database, clocks, games, log, proposals, seats
from storage.clocks import Pause
from storage.errors import NoSuchGame, WrongStatus
from storage.proposals import StoredProposal, Vote
from storage.seats import SeatEntry
from tests.storage.makers import ANN, LAST, LATER, NOW, SECOND, act, line, move, running_game
from tests.support.unsent import unsent


async def propose(db: Database, game: int, **more: Any) -> StoredProposal:
    asked = {"by_user": 1, "now": NOW, "until": LATER, "seq": 1, **more}
    return await proposals.propose(db, game, "replace", "{}", **asked)


async def found(db: Database, game: int, number: int = 1) -> tuple[StoredProposal, list[Vote]]:
    one = await proposals.find_proposal(db, game, number)
    assert one is not None
    return one


async def test_votes_are_in_order(db: Database, game_id: int) -> None:
    """By user where that was at once; a user has one, and may change it."""
    proposal = await propose(db, game_id)
    for user, at, agrees in (
        (3, NOW, True),
        (2, LATER, True),
        (1, LATER, False),
        (5, NOW, True),
        (5, LAST, False),
    ):
        await proposals.cast_vote(db, proposal, Vote(user, agrees), at)
    votes = [Vote(3, True), Vote(1, False), Vote(2, True), Vote(5, False)]
    assert await found(db, game_id) == (proposal, votes)
    second, settled = await propose(db, game_id), await propose(db, game_id)
    await proposals.cast_vote(db, settled, Vote(1, True), NOW)
    await proposals.close_proposal(db, settled, "accepted", seq=1, now=NOW)
    assert await proposals.open_proposals_with_votes(db, game_id, NOW) == [(proposal, votes), (second, [])]
    assert await proposals.open_proposals_with_votes(db, game_id, LATER) == []


async def test_proposal_is_closed_once(db: Database, game_id: int) -> None:
    proposal = await propose(db, game_id)
    for state, closed in (("accepted", True), ("refused", False)):
        done = await proposals.close_proposal(db, proposal, state, seq=1, notices=[line(state)], now=NOW)  # type: ignore[arg-type]
        assert done == closed
    assert [row.payload for row in await unsent(db)] == ["accepted"]
    assert (await found(db, game_id))[0].state == "accepted"
    with pytest.raises(NoSuchGame):
        await proposals.close_proposal(
            db, StoredProposal(99, 1, "", "", 1, NOW, NOW, "open"), "refused", seq=1, now=NOW
        )


async def test_proposal_stands_until_it_expires(db: Database, game_id: int) -> None:
    proposal = await propose(db, game_id)
    for now, kind, standing in (
        (NOW, "replace", True),
        (NOW, "pause", False),
        (NOW, None, True),
        (LATER, None, False),
    ):
        assert await proposals.open_proposals(db, game_id, now, kind) == [proposal] * standing


async def test_proposal_runs_out(db: Database, game_id: int) -> None:
    """With its time or its game."""
    proposal, second, other = await propose(db, game_id), await propose(db, game_id), await running_game(db)
    early = await propose(db, other, until="2026-01-03")
    assert await proposals.expired_proposals(db, NOW) == []
    assert await proposals.expired_proposals(db, LATER) == [early, proposal, second]
    assert await proposals.expired_proposals(db, LATER, SECOND) == []
    await games.finish_game(db, game_id)
    assert await proposals.expired_proposals(db, NOW) == [proposal, second]
    await proposals.close_proposal(db, proposal, "expired", seq=1, now=NOW)
    assert await proposals.expired_proposals(db, LATER) == [early, second]
    with pytest.raises(WrongStatus):
        await propose(db, game_id)


async def test_open_proposal_comes_with_the_last_row(db: Database, game_id: int) -> None:
    """Neither what was closed, nor what has run out, nor in a game that has ended."""
    await move(db, game_id, 1, act(), act())
    proposal, closed = await propose(db, game_id), await propose(db, game_id)
    await proposals.close_proposal(db, closed, "refused", seq=3, now=NOW)
    ended, other = await running_game(db), await running_game(db)
    await propose(db, ended)
    await games.finish_game(db, ended)
    there = await propose(db, other)
    assert await proposals.open_proposals_with_last_seq(db, NOW) == [(proposal, 3), (there, 1)]
    assert await proposals.open_proposals_with_last_seq(db, NOW, game_id=game_id) == [(proposal, 3)]
    assert await proposals.open_proposals_with_last_seq(db, NOW, SECOND) == []
    assert await proposals.open_proposals_with_last_seq(db, LATER) == []


@pytest.mark.parametrize("how", ["pause", "replace", "absence"])
async def test_proposal_is_accepted_with_its_effect(db: Database, how: str) -> None:
    game = await running_game(db)
    await db.write(lambda tx: tx.run("INSERT INTO seats VALUES (?, 1, 'p1', ?, 'Ann')", game, ANN))
    proposal, seat = await propose(db, game), SeatEntry("p1", "holder", 300, "Cy", 1, None, LATER)
    if how == "pause":
        await clocks.start_pause(db, game, Pause(1, None, NOW), seq=1, notices=[], proposal=proposal)
    elif how == "replace":
        await seats.replace_holder(db, game, seat, leaving_user=ANN, proposal=proposal, notices=[])
    else:
        await seats.record_seat_change(db, game, seat, proposal=proposal, notices=[])
    assert (await found(db, game))[0].state == "accepted"


async def test_game_is_abandoned_with_its_notice(db: Database, game_id: int) -> None:
    await log.commit_abandon(db, game_id, seq=1, notices=[line("abandoned")], now=NOW)
    assert (await games.get_game(db, game_id)).status == "abandoned"
    with pytest.raises(WrongStatus):
        await log.commit_abandon(db, game_id, seq=1, notices=[line("abandoned")], now=NOW)
    assert len(await unsent(db)) == 1
