"""Undoing what others have done: those whose moves are lost agree, each of them, or a moderator does it."""

import asyncio

import pytest

from bot.table.errors import Refused
from bot.table.outbox.notices import TURN_KIND, TurnChange
from bot.table.redo import redo
from bot.table.undo import undo_loss_of, undo_loss_text
from bot.table.votes.pauses import begin_pause, end_pause
from bot.table.votes.proposal_kinds import Electorate, ProposalWithVotes
from bot.table.votes.proposals import Proposals
from bot.table.votes.undo_proposals import propose_redo, propose_undo
from storage import SeatEntry, StoredProposal, log, outbox, pings, proposals, seats
from tests.bot.orders.giving import counting, give, up_to
from tests.bot.support.table_service import ANN, BOB, CY, DEE, TableService


async def propose(service: TableService, game: int, by: int, to: int) -> StoredProposal:
    async with service.tables.reading(game) as live:
        subject = await propose_undo(service.tables, live, by, to, live.seq)
    return await Proposals(service.tables).propose(game, by, lambda live: subject)


async def answer(
    service: TableService, game: int, proposal: StoredProposal, who: int, choice: str = "yes"
) -> ProposalWithVotes:
    return await Proposals(service.tables).vote(game, proposal.number, who, choice)


async def electorate(service: TableService, game: int, proposal: StoredProposal) -> Electorate:
    return (await Proposals(service.tables).proposal_with_votes(game, proposal.number)).electorate


async def state(service: TableService, game: int, proposal: StoredProposal) -> str:
    found = await proposals.find_proposal(service.db, game, proposal.number)
    assert found is not None
    return found[0].state


async def undos(service: TableService, game: int) -> int:
    return [row.kind for row in await log.read_rows(service.db, game)].count("undo")


async def last_turn(service: TableService, game: int) -> TurnChange:
    return TurnChange.read((await outbox.notices_of_kind(service.db, game, TURN_KIND, 0))[-1].payload)


async def seat(service: TableService, game: int, player: str, leaving: int) -> None:
    dee = SeatEntry(player, "holder", DEE, "Dee", 4, None, service.tables.clock())
    await seats.replace_holder(service.db, game, dee, leaving_user=leaving, notices=[])
    service.tables.forget(game)


@pytest.fixture
async def played(service: TableService) -> int:
    """Ann has bid, Bob and Cy have passed, and it is Ann's turn."""
    game = await service.game()
    await service.do(game, ANN, "bid", private="C-P", amount=45)
    await service.do(game, BOB, "pass")
    await service.do(game, CY, "pass")
    return game


async def test_all_whose_moves_are_lost_agree(service: TableService, played: int) -> None:
    proposal = await propose(service, played, ANN, 1)
    assert (await electorate(service, played, proposal)).possible_voters == (BOB, CY)
    await answer(service, played, proposal, BOB)
    assert await counting(service, played) == [1, 2, 3, 4]
    await answer(service, played, proposal, CY)
    assert await counting(service, played) == [1]
    said = "`5` **Ann** undoes moves 2 to 4, with the consent of **Bob** and **Cy** (proposal 1)."
    assert (await service.lines(played))[-1] == said
    row = (await log.read_rows(service.db, played))[-1]
    assert (row.kind, row.actor, row.user_id) == ("undo", "p1", ANN)
    async with service.tables.reading(played) as live:
        taken = live.undo_history.next_redo()
        assert taken is not None
        assert taken.players_who_agreed == ("p2", "p3")
    over = await last_turn(service, played)
    assert (over.newly_on_turn, over.mover, over.is_new_turn) == (("p1",), None, False)
    (duty,) = (await pings.notifications_of_game(service.db, played))[0]
    assert (duty.player_id, duty.stage) == ("p1", 0), "Ann, who has waited for that, is to be pinged"


@pytest.mark.parametrize(("to", "voters", "refused"), [(1, (BOB, CY), 0), (3, (CY, CY), 1)])
async def test_votes_at_once_undo_once(
    service: TableService, played: int, to: int, voters: tuple[int, ...], refused: int
) -> None:
    proposal = await propose(service, played, ANN, to)
    votes = (answer(service, played, proposal, who) for who in voters)
    done = await asyncio.gather(*votes, return_exceptions=True)
    assert [type(one) for one in done].count(Refused) == refused
    assert await undos(service, played) == 1
    assert await state(service, played, proposal) == "accepted"


# --- expired ---------------------------------------------------------------------------------------------------------


# --- who is asked ----------------------------------------------------------------------------------------------------


async def test_newcomer_is_asked(service: TableService, played: int) -> None:
    """In place of the former holder, who had agreed."""
    proposal = await propose(service, played, ANN, 1)
    await answer(service, played, proposal, BOB)
    await seat(service, played, "p2", BOB)
    asking = await answer(service, played, proposal, CY)
    assert (asking.proposal.state, asking.electorate.users_who_must_agree) == ("open", (DEE, CY))
    await answer(service, played, proposal, DEE)
    assert await counting(service, played) == [1]
    assert "with the consent of **Dee** and **Cy**" in (await service.lines(played))[-1]


async def test_another_player_agrees_for_a_table_seat(service: TableService, played: int) -> None:
    group = SeatEntry("p2", "group", BOB, "Bob", 4, None, service.tables.clock())
    await seats.record_seat_change(service.db, played, group, notices=[])
    service.tables.forget(played)
    proposal = await propose(service, played, CY, 2)
    found = await electorate(service, played, proposal)
    assert (found.users_who_must_agree, found.voters, found.votes_needed) == ((), (ANN,), 1)
    await answer(service, played, proposal, ANN)
    assert await counting(service, played) == [1, 2]
    assert "with the consent of the group for **Bob** (proposal 1)" in (await service.lines(played))[-1]


async def test_secrets_are_not_put_to_the_table(service: TableService) -> None:
    """Everybody has learned something of Bob's maximum; only Bob, or a moderator who is warned, goes further."""
    game = await service.game()
    await give(service, game, BOB, up_to("CV", 300))
    await service.do(game, ANN, "pass")
    await service.do(game, CY, "pass")
    revealed = "Move 3 has revealed Bob's sealed bid on CV"
    with pytest.raises(Refused, match=revealed):
        await propose(service, game, CY, 1)
    async with service.tables.reading(game) as live:
        text = await undo_loss_text(service.db, live, await undo_loss_of(service.tables, live, 1))
    assert f"Already seen:** {revealed}" in text
    proposal = await propose(service, game, BOB, 1)
    assert (await electorate(service, game, proposal)).users_who_must_agree == (ANN, CY)


async def test_refused_proposals(service: TableService, played: int) -> None:
    """Of the same, of one's own moves, and after the end."""
    await propose(service, played, ANN, 1)
    with pytest.raises(Refused, match="Proposal 1 already asks for this"):
        await propose(service, played, BOB, 1)
    assert (await propose(service, played, BOB, 2)).number == 2
    with pytest.raises(Refused, match="Nobody else must agree"):
        await propose(service, played, CY, 3)
    for user in (ANN, BOB, CY):
        await service.do(played, user, "end_game")
    with pytest.raises(Refused, match="only a moderator"):
        await propose(service, played, CY, 1)


async def test_pause_stops_the_vote(service: TableService, played: int) -> None:
    """But for a refusal."""
    proposal = await propose(service, played, ANN, 3)
    other = await propose(service, played, BOB, 1)
    await begin_pause(service.tables, played, BOB, None)
    with pytest.raises(Refused, match="is paused"):
        await answer(service, played, proposal, CY)
    assert (await proposals.find_proposal(service.db, played, proposal.number) or ())[1:] == ([],)
    await answer(service, played, other, CY, "no")
    assert await state(service, played, other) == "refused"
    await end_pause(service.tables, played, BOB)
    await answer(service, played, proposal, CY)
    assert await counting(service, played) == [1, 2, 3]


async def test_agreed_undo_is_redone_by_agreement(service: TableService, played: int) -> None:
    before = await service.digest(played)
    proposal = await propose(service, played, ANN, 1)
    for who in (BOB, CY):
        await answer(service, played, proposal, who)
    for who in (ANN, BOB, CY):
        with pytest.raises(Refused, match="they must also agree to redo it"):
            await redo(service.tables, played, who, is_moderator=False)
    again = await Proposals(service.tables).propose_or_vote(
        played, CY, lambda live: propose_redo(service.tables, live, CY)
    )
    assert set(again.electorate.users_who_must_agree) == {ANN, BOB}
    for who in (ANN, BOB):
        await answer(service, played, again.proposal, who)
    assert await service.digest(played) == before
    assert await counting(service, played) == [1, 6, 7, 8]
    *moves, last = (await service.lines(played))[-1].split("\n")
    assert last == (
        "-# **Cy**, with the consent of **Ann** and **Bob** (proposal 2), redoes moves 2 to 4 as 6 to 8."
    )
    assert [line[:3] for line in moves] == ["`6`", "`7`", "`8`"]
    over = await last_turn(service, played)
    assert (over.newly_on_turn, over.mover) == (("p1",), None), (
        "Ann, who has waited for that, is to be pinged"
    )
