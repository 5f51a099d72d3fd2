"""Undoing what others have done: those whose moves are lost agree, each of them, or a moderator does it."""

import asyncio

import pytest

from bot.table.errors import NotYours, Refused
from bot.table.orders import player_orders
from bot.table.outbox.notices import LINE, TURN, Line, TurnChange
from bot.table.undo import loss_of, loss_text
from bot.table.votes.pauses import begin_pause, end_pause
from bot.table.votes.proposal_kinds import Asking, settled_text
from bot.table.votes.proposals import OPEN_FOR, Proposals
from bot.table.votes.undo_proposals import UndoProposal, propose_redo, propose_undo
from engine.orders import new_orders
from storage import SeatEntry, StoredProposal, log, orders, outbox, pings, proposals, seats
from tests.bot.support.table_service import ANN, BOB, CY, TableService

DEE = 14


async def counting(service: TableService, game: int) -> list[int]:
    return [row.seq for row in log.fold(await log.read(service.db, game))]


async def propose(service: TableService, game: int, by: int, to: int) -> StoredProposal:
    """Somebody proposes to go back to a move."""
    async with service.tables.reading(game) as live:
        subject = await propose_undo(service.tables, live, by, to, live.seq)
    return await Proposals(service.tables).put(game, by, lambda live: subject)


async def answer(
    service: TableService, game: int, proposal: StoredProposal, who: int, choice: str = "yes"
) -> Asking:
    return await Proposals(service.tables).answer(game, proposal.number, who, choice)


async def state(service: TableService, game: int, proposal: StoredProposal) -> str:
    found = await proposals.find(service.db, game, proposal.number)
    assert found is not None
    return found[0].state


async def lines(service: TableService, game: int) -> list[str]:
    return [Line.read(one.payload).text for one in await outbox.of_kind(service.db, game, LINE, 0)]


@pytest.fixture
async def played(service: TableService) -> int:
    """Ann has bid, Bob and Cy have passed, and it is Ann's turn."""
    game = await service.game()
    await service.do(game, ANN, "bid", private="C-P", amount=45)
    await service.do(game, BOB, "pass")
    await service.do(game, CY, "pass")
    return game


async def test_what_would_be_lost_is_said_before(service: TableService, played: int) -> None:
    async with service.tables.reading(played) as live:
        found = await loss_of(service.tables, live, 1, "p1")
        text = await loss_text(service.db, live, found)
    assert (found.others, found.own) == (("p2", "p3"), False)
    assert [line[:5] for line in text.split("\n")] == ["> `2`", "> `3`", "> `4`"]
    assert "**Bob** passes" in text


async def test_everybody_whose_move_is_lost_agrees_and_nobody_else_is_asked(
    service: TableService, played: int
) -> None:
    proposal = await propose(service, played, ANN, 2)
    assert (await Proposals(service.tables).asking(played, proposal.number)).electorate.asked == (BOB, CY)
    proposal = await propose(service, played, ANN, 3)
    with pytest.raises(NotYours):
        await answer(service, played, proposal, BOB)
    before = await service.digest(played)
    await answer(service, played, proposal, CY)
    assert await service.digest(played) != before
    assert await counting(service, played) == [1, 2, 3]


async def test_the_log_and_the_thread_say_who_agreed_and_what_is_gone(
    service: TableService, played: int
) -> None:
    proposal = await propose(service, played, ANN, 1)
    await answer(service, played, proposal, BOB)
    assert await counting(service, played) == [1, 2, 3, 4]
    await answer(service, played, proposal, CY)
    assert await counting(service, played) == [1]
    last = (await lines(service, played))[-1]
    assert last == "`5` **Ann** undoes moves 2 to 4, with the consent of **Bob** and **Cy** (proposal 1)."
    row = (await log.read(service.db, played))[-1]
    assert (row.kind, row.actor, row.user_id) == ("undo", "p1", ANN)
    async with service.tables.reading(played) as live:
        taken = live.undone.last()
        assert taken is not None
        assert taken.agreed == ("p2", "p3")
    over = [TurnChange.read(one.payload) for one in await outbox.of_kind(service.db, played, TURN, 0)]
    assert (over[-1].fresh, over[-1].mover, over[-1].passes) == (("p1",), None, False)
    (duty,) = (await pings.of_game(service.db, played))[0]
    assert (duty.player_id, duty.stage) == ("p1", 0), "Ann, who has waited for that, is to be pinged"


async def test_one_who_refuses_keeps_the_moves(service: TableService, played: int) -> None:
    proposal = await propose(service, played, ANN, 1)
    await answer(service, played, proposal, BOB)
    await answer(service, played, proposal, CY, "no")
    assert await counting(service, played) == [1, 2, 3, 4]
    assert "is refused by" in (await lines(service, played))[-1]


async def test_two_people_accepting_at_once_take_it_back_once(service: TableService, played: int) -> None:
    proposal = await propose(service, played, ANN, 1)
    await asyncio.gather(*(answer(service, played, proposal, who) for who in (BOB, CY)))
    assert [row.kind for row in await log.read(service.db, played)].count("undo") == 1
    assert await state(service, played, proposal) == "accepted"


async def test_two_presses_of_the_last_one_asked_take_it_back_once(
    service: TableService, played: int
) -> None:
    proposal = await propose(service, played, ANN, 3)
    done = await asyncio.gather(
        *(answer(service, played, proposal, CY) for _ in range(2)), return_exceptions=True
    )
    assert [type(one) for one in done].count(Refused) == 1
    assert [row.kind for row in await log.read(service.db, played)].count("undo") == 1


async def test_it_expires_when_the_game_moves_on_and_says_so(service: TableService, played: int) -> None:
    proposal = await propose(service, played, CY, 2)
    assert await Proposals(service.tables).overtaken() == []
    await service.do(played, ANN, "pass")
    (over,) = await Proposals(service.tables).overtaken()
    await Proposals(service.tables).expire(over)
    assert await state(service, played, proposal) == "expired"
    over, subject = await Proposals(service.tables).settled(played, 1)
    assert settled_text(over, subject).endswith("It has expired: the game has moved on.")
    assert await Proposals(service.tables).overtaken() == []


async def test_after_a_move_only_games_with_open_proposals_about_their_position_are_looked_at(
    service: TableService, played: int
) -> None:
    asked, known = Proposals(service.tables), list[bool]()
    async with service.tables.reading(played) as live:
        subject = await propose_undo(service.tables, live, ANN, 1, live.seq)
    proposal = await asked.put(played, ANN, lambda live: subject)
    known.append(asked.may_be_overtaken(played))
    for game in (None, played, played + 1):
        await asked.overtaken(game)
        known.append(asked.may_be_overtaken(played))
    await asked.answer(played, proposal.number, BOB, "no")
    await asked.overtaken()
    assert (known, asked.may_be_overtaken(played)) == ([True] * 4, False)


async def test_an_answer_after_the_game_has_moved_on_is_refused_with_the_reason(
    service: TableService, played: int
) -> None:
    proposal = await propose(service, played, CY, 2)
    await service.do(played, ANN, "pass")
    with pytest.raises(Refused, match="moved on"):
        await answer(service, played, proposal, BOB)
    assert await state(service, played, proposal) == "expired"


async def test_it_expires_when_not_everybody_agrees_in_time(service: TableService, played: int) -> None:
    proposal = await propose(service, played, ANN, 1)
    assert OPEN_FOR.days == 7
    service.tables.clock = lambda: proposal.until
    (over,) = await proposals.run_out(service.db, proposal.until)
    woken = service.woken()
    await Proposals(service.tables).expire(over)
    assert "not everybody who was asked agreed in time" in (await lines(service, played))[-1]
    assert woken == [played]


async def test_the_same_is_proposed_once(service: TableService, played: int) -> None:
    await propose(service, played, ANN, 1)
    with pytest.raises(Refused, match="Proposal 1 asks for that already"):
        await propose(service, played, BOB, 1)
    assert (await propose(service, played, BOB, 2)).number == 2


async def test_a_restart_in_the_middle_of_a_proposal_changes_nothing(
    service: TableService, played: int
) -> None:
    proposal = await propose(service, played, ANN, 1)
    await answer(service, played, proposal, BOB)
    again = TableService.on(service.db)
    await answer(again, played, proposal, CY)
    assert await counting(again, played) == [1]
    assert await again.digest(played) == await TableService.on(service.db).digest(played)


async def test_a_player_who_is_replaced_between_is_asked_no_more_but_the_newcomer_is(
    service: TableService, played: int
) -> None:
    proposal = await propose(service, played, ANN, 1)
    await answer(service, played, proposal, BOB)
    now = service.tables.clock()
    seat = SeatEntry("p2", "holder", DEE, "Dee", 4, None, now)
    await seats.replace_holder(service.db, played, seat, leaving=BOB, notices=[])
    service.tables.forget(played)
    asking = await answer(service, played, proposal, CY)
    assert (asking.proposal.state, asking.electorate.must) == ("open", (DEE, CY))
    await answer(service, played, proposal, DEE)
    assert await counting(service, played) == [1]
    assert "with the consent of **Dee** and **Cy**" in (await lines(service, played))[-1]


async def test_it_is_about_nothing_any_more_once_whoever_proposed_it_has_left(
    service: TableService, played: int
) -> None:
    proposal = await propose(service, played, ANN, 3)
    now = service.tables.clock()
    seat = SeatEntry("p1", "holder", DEE, "Dee", 4, None, now)
    await seats.replace_holder(service.db, played, seat, leaving=ANN, notices=[])
    service.tables.forget(played)
    with pytest.raises(Refused, match="has left that seat"):
        await answer(service, played, proposal, CY)
    assert await state(service, played, proposal) == "expired"


async def test_for_a_seat_that_the_table_plays_another_of_it_agrees(
    service: TableService, played: int
) -> None:
    now = service.tables.clock()
    await seats.assign(service.db, played, SeatEntry("p2", "group", BOB, "Bob", 4, None, now), notices=[])
    service.tables.forget(played)
    proposal = await propose(service, played, CY, 2)
    electorate = (await Proposals(service.tables).asking(played, proposal.number)).electorate
    assert (electorate.must, electorate.voters, electorate.needed) == ((), (ANN,), 1)
    await answer(service, played, proposal, ANN)
    assert await counting(service, played) == [1, 2]
    assert "with the consent of the table for **Bob** (proposal 1)" in (await lines(service, played))[-1]


async def test_whose_order_moved_is_asked_and_whose_move_was_forced_or_made_when_time_was_up_is_not(
    service: TableService,
) -> None:
    game = await service.game()
    await service.do(game, ANN, "pass")
    await service.do(game, BOB, "pass")
    async with service.tables.reading(game) as live:
        for nobody in (None, orders.TIME_UP):
            live.automatic[2] = nobody
            assert (await loss_of(service.tables, live, 1, "p3")).others == ("p2",)
        live.automatic[2] = 1
        assert (await loss_of(service.tables, live, 1, "p3")).others == ("p1", "p2")
        bobs = await loss_of(service.tables, live, 1, "p2")
        assert (bobs.others, bobs.own) == (("p1",), False)


async def test_undo_past_a_sealed_bid_is_not_put_to_the_table_either(service: TableService) -> None:
    """Everybody has learned something of Bob's maximum; only a moderator goes further, who is warned."""
    game = await service.game()
    await player_orders.give_order(
        service.tables, game, BOB, lambda now, _: new_orders.bid_up_to(now, "CV", 300, "pass")
    )
    await service.do(game, ANN, "pass")
    await service.do(game, CY, "pass")
    with pytest.raises(Refused, match="Bob's sealed maximum on CV was revealed by move 3"):
        await propose(service, game, CY, 1)
    async with service.tables.reading(game) as live:
        text = await loss_text(service.db, live, await loss_of(service.tables, live, 1))
    assert "Known since:** Bob's sealed maximum on CV was revealed by move 3" in text
    proposal = await propose(service, game, BOB, 1)
    assert (await Proposals(service.tables).asking(game, proposal.number)).electorate.must == (ANN, CY)


async def test_in_a_game_that_has_ended_nothing_is_put_to_the_table(service: TableService) -> None:
    game = await service.game()
    for user in (ANN, BOB, CY):
        await service.do(game, user, "end_game")
    with pytest.raises(Refused, match="only a moderator"):
        await propose(service, game, CY, 1)


async def test_what_was_undone_by_agreement_comes_back_by_agreement(
    service: TableService, played: int
) -> None:
    before = await service.digest(played)
    proposal = await propose(service, played, ANN, 1)
    for who in (BOB, CY):
        await answer(service, played, proposal, who)
    again = await Proposals(service.tables).put_or_join(
        played, CY, lambda live: propose_redo(service.tables, live, CY)
    )
    assert set(again.electorate.must) == {ANN, BOB}
    for who in (ANN, BOB):
        await answer(service, played, again.proposal, who)
    assert await service.digest(played) == before
    assert await counting(service, played) == [1, 6, 7, 8]
    last = (await lines(service, played))[-1].split("\n")
    who_agreed = "**Cy**, with the consent of **Ann** and **Bob** (proposal 2),"
    assert last[-1] == f"-# {who_agreed} redoes moves 2 to 4 as 6 to 8."
    assert [line[:3] for line in last[:-1]] == ["`6`", "`7`", "`8`"]
    over = [TurnChange.read(one.payload) for one in await outbox.of_kind(service.db, played, TURN, 0)][-1]
    assert (over.fresh, over.mover) == (("p1",), None), "Ann, who has waited for that, is to be pinged"


async def test_a_game_that_pauses_is_undone_when_it_continues(service: TableService, played: int) -> None:
    proposal = await propose(service, played, ANN, 3)
    await begin_pause(service.tables, played, BOB, None)
    with pytest.raises(Refused, match="pauses"):
        await answer(service, played, proposal, CY)
    assert (await proposals.find(service.db, played, proposal.number) or ())[1:] == ([],)
    await end_pause(service.tables, played, BOB)
    await answer(service, played, proposal, CY)
    assert await counting(service, played) == [1, 2, 3]


def test_what_a_proposal_says_can_be_read_again() -> None:
    subject = UndoProposal(12, ANN, "p1", ("p2",), "moves 8 to 12", "**Bob**", 7)
    assert UndoProposal.read(subject.payload()).says() == subject.says()
    assert subject.says() == (
        "the game goes back to where it stood after move 7, without **moves 8 to 12** (of **Bob**)"
    )


async def test_for_ones_own_moves_nobody_is_asked(service: TableService, played: int) -> None:
    with pytest.raises(Refused, match="No one else must agree"):
        await propose(service, played, CY, 3)


async def test_in_a_pause_a_proposal_is_refused_and_not_agreed_to(service: TableService) -> None:
    game = await service.game()
    await service.do(game, ANN, "pass")
    await service.do(game, BOB, "pass")
    proposal = await propose(service, game, ANN, 1)
    await begin_pause(service.tables, game, BOB, None)
    with pytest.raises(Refused, match="paus"):
        await answer(service, game, proposal, BOB)
    assert await state(service, game, proposal) == "open"
    await answer(service, game, proposal, BOB, "no")
    assert await state(service, game, proposal) == "refused"
