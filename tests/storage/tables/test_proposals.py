"""Proposals and pauses of a table: numbered within their game, said to by each person once, closed once."""

import pytest

from storage import Database, NoSuchGame, StaleSequence, WrongStatus, clocks, games, log, proposals
from storage.clocks import Pause
from storage.outbox import OutboxMessage
from storage.proposals import StoredProposal, Vote
from storage.shards import NOWHERE, ShardSet
from tests.storage.makers import Act, RunningGame
from tests.support.unsent import unsent

NOW, LATER = "2026-01-02T03:04:05+00:00", "2026-02-03T04:05:06+00:00"


async def propose(db: Database, game_id: int) -> StoredProposal:
    return await proposals.propose(db, game_id, "replace", "{}", by_user=1, now=NOW, until=LATER, seq=1)


async def test_proposals_are_numbered_within_their_game(
    db: Database, game_id: int, running_game: RunningGame
) -> None:
    other = await running_game(db)
    made = [await propose(db, number) for number in (game_id, game_id, other)]
    assert [proposal.number for proposal in made] == [1, 2, 1]
    assert await proposals.find(db, game_id, 2) == (made[1], [])
    assert await proposals.find(db, game_id, 3) is None


async def test_everybody_has_one_vote_and_may_change_it(db: Database, game_id: int) -> None:
    proposal = await propose(db, game_id)
    for vote in (Vote(1, True), Vote(2, True), Vote(2, False)):
        await proposals.cast_vote(db, proposal, vote, NOW)
    assert await proposals.find(db, game_id, 1) == (proposal, [Vote(1, True), Vote(2, False)])


async def test_a_proposal_is_closed_once_and_posted_once(db: Database, game_id: int) -> None:
    proposal = await propose(db, game_id)
    messages = [OutboxMessage("line", "agreed")]
    assert await proposals.close(db, proposal, "accepted", seq=1, notices=messages, now=NOW)
    assert [row.payload for row in await unsent(db)][-1:] == [messages[-1].payload]
    assert not await proposals.close(db, proposal, "refused", seq=1, notices=messages, now=NOW)
    assert len(await unsent(db)) == 1
    found = await proposals.find(db, game_id, 1)
    assert found is not None
    assert found[0].state == "accepted"


async def test_a_proposal_stands_until_it_expires(db: Database, game_id: int) -> None:
    proposal = await propose(db, game_id)
    assert await proposals.standing(db, game_id, NOW, "replace") == [proposal]
    assert await proposals.standing(db, game_id, NOW, "pause") == []
    assert await proposals.standing(db, game_id, NOW) == [proposal]
    assert await proposals.standing(db, game_id, LATER, "replace") == []


async def test_proposals_that_stand_are_found_each_with_its_votes(db: Database, game_id: int) -> None:
    first, second, settled = [await propose(db, game_id) for _ in range(3)]
    for proposal, vote in ((first, Vote(2, False)), (second, Vote(1, True)), (settled, Vote(1, True))):
        await proposals.cast_vote(db, proposal, vote, NOW)
    await proposals.close(db, settled, "accepted", seq=1, now=NOW)
    assert await proposals.standing_votes(db, game_id, NOW) == [
        (first, [Vote(2, False)]),
        (second, [Vote(1, True)]),
    ]
    assert await proposals.standing_votes(db, game_id, LATER) == []


async def test_a_proposal_runs_out_with_its_time_or_its_game(
    db: Database, game_id: int, running_game: RunningGame
) -> None:
    proposal, other = await propose(db, game_id), await propose(db, await running_game(db))
    assert await proposals.run_out(db, NOW) == []
    await games.finish(db, game_id)
    assert await proposals.run_out(db, NOW) == [proposal]
    assert await proposals.run_out(db, LATER) == [proposal, other]
    assert await proposals.run_out(db, LATER, ShardSet((1,), 2)) == []
    await proposals.close(db, proposal, "expired", seq=1, now=NOW)
    assert await proposals.run_out(db, LATER) == [other]


async def test_a_proposal_is_accepted_with_the_rows_it_leads_to(db: Database, game_id: int, act: Act) -> None:
    proposal = await propose(db, game_id)
    with pytest.raises(StaleSequence):
        await log.commit_move(db, game_id, 5, [act()], now=NOW, proposal=proposal)
    assert await proposals.find(db, game_id, 1) == (proposal, [])
    await log.commit_move(db, game_id, 1, [act()], now=NOW, proposal=proposal)
    found = await proposals.find(db, game_id, 1)
    assert found is not None
    assert found[0].state == "accepted"


async def test_a_game_is_abandoned_and_its_notice_stored_together(db: Database, game_id: int) -> None:
    messages = [OutboxMessage("line", "abandoned")]
    await log.commit_abandon(db, game_id, seq=1, notices=messages, now=NOW)
    assert (await games.get_game(db, game_id)).status == "abandoned"
    with pytest.raises(WrongStatus):
        await log.commit_abandon(db, game_id, seq=1, notices=messages, now=NOW)
    assert len(await unsent(db)) == 1


async def test_a_pause_runs_out(db: Database, game_id: int) -> None:
    await clocks.start_pause(db, game_id, Pause(1, LATER, NOW), seq=1, notices=[])
    assert await clocks.overdue_pauses(db, NOW) == []
    assert await clocks.overdue_pauses(db, LATER) == [game_id]
    assert await clocks.overdue_pauses(db, LATER, ShardSet((1,), 2)) == []
    assert await clocks.overdue_pauses(db, LATER, NOWHERE) == []
    await clocks.start_pause(db, game_id, Pause(1, None, NOW), seq=1, notices=[])
    assert await clocks.overdue_pauses(db, LATER) == []


async def test_nothing_is_proposed_to_a_game_that_has_ended(db: Database, game_id: int) -> None:
    await games.finish(db, game_id)
    with pytest.raises(WrongStatus):
        await propose(db, game_id)


async def test_a_pause_is_there_until_it_is_ended(db: Database, game_id: int) -> None:
    assert await clocks.find_pause(db, game_id) is None
    first, second = Pause(1, None, NOW), Pause(2, LATER, NOW)
    for pause in (first, second):
        await clocks.start_pause(db, game_id, pause, seq=1, notices=[OutboxMessage("line", "paused")])
        assert await clocks.find_pause(db, game_id) == pause
    assert await clocks.end_pause(db, game_id, seq=1, notices=[OutboxMessage("line", "on")], now=NOW)
    assert [row.payload for row in await unsent(db)] == ["paused", "paused", "on"]
    assert not await clocks.end_pause(db, game_id, seq=1, notices=[OutboxMessage("line", "on")], now=NOW)
    assert await clocks.find_pause(db, game_id) is None
    assert [row.payload for row in await unsent(db)] == ["paused", "paused", "on"]


async def test_a_game_that_has_ended_does_not_pause(db: Database, game_id: int) -> None:
    await games.finish(db, game_id)
    with pytest.raises(WrongStatus):
        await clocks.start_pause(db, game_id, Pause(1, None, NOW), seq=1, notices=[])
    assert await clocks.find_pause(db, game_id) is None


async def test_a_game_that_is_not_there_neither_pauses_nor_agrees(db: Database) -> None:
    proposal = StoredProposal(99, 1, "replace", "{}", 1, NOW, LATER, "open")
    for attempt in (
        clocks.start_pause(db, 99, Pause(1, None, NOW), seq=1, notices=[]),
        clocks.end_pause(db, 99, seq=1, notices=[], now=NOW),
        proposals.close(db, proposal, "refused", seq=1, now=NOW),
    ):
        with pytest.raises(NoSuchGame):
            await attempt


async def test_what_can_still_be_accepted_comes_with_the_last_row_of_its_game(
    db: Database, game_id: int, running_game: RunningGame, act: Act
) -> None:
    """Neither what was closed, nor what has run out, nor in a game that has ended."""
    await log.commit_move(db, game_id, 1, [act(), act()], now=NOW)
    proposal, closed = await propose(db, game_id), await propose(db, game_id)
    await proposals.close(db, closed, "refused", seq=3, now=NOW)
    ended = await running_game(db)
    await propose(db, ended)
    await games.finish(db, ended)
    assert await proposals.open_with_last_row(db, NOW) == [(proposal, 3)]
    assert await proposals.open_with_last_row(db, NOW, ShardSet((1,), 2)) == []
    assert await proposals.open_with_last_row(db, LATER) == []


async def test_a_proposal_replaces_others_which_say_by_which(db: Database, game_id: int) -> None:
    old, other = await propose(db, game_id), await propose(db, game_id)
    new = await proposals.propose(
        db, game_id, "replace", "{}", by_user=1, now=NOW, until=LATER, seq=1, replaces=[old.number]
    )
    assert await proposals.standing(db, game_id, NOW) == [other, new]
    [replaced] = await proposals.replaced_by(db, game_id, new.number)
    assert (replaced.number, replaced.state, replaced.why) == (1, "expired", "was replaced by proposal 3")
    assert await proposals.replaced_by(db, game_id, other.number) == []


async def test_open_proposals_are_asked_for_in_one_game_or_all(
    db: Database, game_id: int, running_game: RunningGame
) -> None:
    mine, other = await propose(db, game_id), await propose(db, await running_game(db))
    assert await proposals.open_with_last_row(db, NOW) == [(mine, 1), (other, 1)]
    assert await proposals.open_with_last_row(db, NOW, game_id=game_id) == [(mine, 1)]


async def test_who_was_pinged_for_a_proposal_is_known_for_each_game(
    db: Database, game_id: int, running_game: RunningGame
) -> None:
    other = await running_game(db)
    await proposals.mark_pinged(db, game_id, [1, 2], NOW)
    await proposals.mark_pinged(db, game_id, [2], LATER)
    assert await proposals.pinged_since(db, game_id, "2026-01-01") == {1, 2}
    assert await proposals.pinged_since(db, game_id, NOW) == {2}
    assert await proposals.pinged_since(db, other, "2026-01-01") == frozenset()


async def test_of_pauses_that_a_player_has_begun_alone_it_is_known_when_the_last_one_ended(
    db: Database, game_id: int
) -> None:
    for pause, ended in (
        (Pause(1, None, "2026-01-01", True), "2026-01-02"),
        (Pause(1, None, "2026-01-03"), "2026-01-04"),
    ):
        assert await clocks.last_pause_ended(db, game_id, 2) is None
        await clocks.start_pause(db, game_id, pause, seq=1, notices=[])
        assert await clocks.find_pause(db, game_id) == pause
        await clocks.end_pause(db, game_id, seq=1, notices=[], now=ended)
    assert await clocks.last_pause_ended(db, game_id, 1) == "2026-01-02"


async def test_a_pause_that_the_table_has_agreed_on_accepts_its_proposal(db: Database, game_id: int) -> None:
    proposal = await propose(db, game_id)
    await clocks.start_pause(db, game_id, Pause(1, None, NOW), seq=1, notices=[], proposal=proposal)
    found = await proposals.find(db, game_id, 1)
    assert found is not None
    assert found[0].state == "accepted"


async def test_a_proposal_comes_with_the_notice_that_asks_by_its_number(db: Database, game_id: int) -> None:
    """What was closed before is not replaced."""
    closed = await propose(db, game_id)
    await proposals.close(db, closed, "refused", seq=1, now=NOW, why="no")
    await proposals.propose(
        *(db, game_id, "replace", "{}"),
        by_user=1,
        now=NOW,
        until=LATER,
        seq=1,
        notice=lambda number: OutboxMessage("ask", f"number {number}"),
        replaces=[1],
    )
    assert [(row.seq, row.payload) for row in await unsent(db)] == [(1, "number 2")]
    found = await proposals.find(db, game_id, 1)
    assert found is not None
    assert (found[0].state, found[0].why) == ("refused", "no")


async def test_votes_are_in_the_order_in_which_they_were_given(db: Database, game_id: int) -> None:
    """By user where that was at once; a changed one counts anew."""
    proposal = await propose(db, game_id)
    for user, at in ((3, NOW), (2, LATER), (1, LATER), (5, NOW), (5, "2026-03-01")):
        await proposals.cast_vote(db, proposal, Vote(user, True), at)
    found = await proposals.find(db, game_id, 1)
    assert found is not None
    assert [vote.user_id for vote in found[1]] == [3, 1, 2, 5]


async def test_proposals_that_run_out_are_listed_by_their_time(
    db: Database, game_id: int, running_game: RunningGame
) -> None:
    first, second = await propose(db, game_id), await propose(db, game_id)
    other = await proposals.propose(
        *(db, await running_game(db), "pause", "{}"), by_user=1, now=NOW, until="2026-01-03", seq=1
    )
    assert await proposals.run_out(db, LATER) == [other, first, second]
    assert await proposals.standing(db, game_id, NOW) == [first, second]


async def test_a_pause_that_runs_out_is_one_of_a_running_game(
    db: Database, game_id: int, running_game: RunningGame
) -> None:
    other = await running_game(db)
    for game in (other, game_id):
        await clocks.start_pause(db, game, Pause(1, LATER, NOW), seq=1, notices=[])
    assert await clocks.overdue_pauses(db, LATER) == [game_id, other]
    await games.finish(db, other)
    assert await clocks.overdue_pauses(db, LATER) == [game_id]
