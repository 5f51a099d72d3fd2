"""Standing orders at the table: they act together with the move that leads to them, and for their owners only."""

import pytest

from bot.table.errors import FailedBeforeStoring, Refused
from bot.table.move_lines import MIN_JOINED_BIDS
from bot.table.orders import automatic
from bot.table.orders.caretakers import play_caretakers, resume_caretakers
from bot.table.orders.player_orders import list_orders
from bot.table.votes.absent_seats import let_caretaker_play
from bot.table.votes.moderation import moderator_undo
from engine.core.actions import Action
from engine.orders import forced_move, new_orders
from engine.orders.new_orders import presided_companies
from engine.record import load_record, read_record
from storage import SeatEntry, log, orders, seats
from tests.bot.orders.giving import (
    MODERATOR,
    ended,
    give,
    give_unreadable,
    moves,
    owners,
    standing,
    up_to,
)
from tests.bot.support.lost_connections import breaks
from tests.bot.support.positions import BANKRUPTCY, played_to, recorded
from tests.bot.support.table_service import ANN, BOB, CY, DEE, TableService
from tests.support.unsent import unsent


async def test_maximum_stays_secret(service: TableService) -> None:
    game = await service.game()
    await give(service, game, BOB, up_to("CV", 317))
    await service.do(game, ANN, "bid", private="D&R", amount=20)
    rows = [row.payload for row in await log.read_rows(service.db, game)]
    posted = [row.payload for row in await unsent(service.db)]
    assert "317" not in repr([*rows[1:], *posted])
    assert "317" in (await list_orders(service.tables, game, BOB)).text
    assert "317" not in (await list_orders(service.tables, game, ANN)).text


async def test_bids_among_people_keep_their_lines(service: TableService) -> None:
    game = await service.game()
    before = len(await service.lines(game))
    for user in (BOB, CY, ANN):
        await give(service, game, user, up_to("CV", 225))
    lines = (await service.lines(game))[before:]
    assert len(lines) > MIN_JOINED_BIDS
    assert [line.split(" ")[0] for line in lines] == [f"`{number}`" for number in range(2, 2 + len(lines))]


async def test_pointless_order_is_refused(service: TableService) -> None:
    game = await service.game()
    await service.do(game, ANN, "bid", private="D&R", amount=20)
    with pytest.raises(Refused, match="has been sold to Ann"):
        await give(service, game, BOB, up_to("D&R", 30))
    assert await orders.orders_of_user(service.db, game, BOB) == []


async def test_order_is_stored_although_nobody_knows(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await service.game()
    with monkeypatch.context() as patch:
        breaks(patch, orders, "store_order", done=True)
        (text,) = await give(service, game, BOB, up_to("CV", 300))
    assert text.startswith("Order 1: Bid on CV up to $300")
    with monkeypatch.context() as patch:
        breaks(patch, orders, "store_order", done=False)
        with pytest.raises(FailedBeforeStoring):
            await give(service, game, CY, up_to("CV", 250))
    assert await standing(service, game) == [1]


async def test_asking_comes_before_passing(service: TableService) -> None:
    game = await service.game()
    await give(service, game, BOB, up_to("CV", 100))
    await give(service, game, BOB, up_to("B&OR", 100, "ask"))
    await service.do(game, ANN, "pass")
    await give(service, game, CY, up_to("CV", 300))
    assert await moves(service, game) == [("p1", False)]
    assert await standing(service, game) == [1, 3]


# --- ends ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("caretaker", [False, True])
async def test_order_ends_with_its_seat(service: TableService, *, caretaker: bool) -> None:
    game = await service.game()
    await give(service, game, BOB, up_to("CV", 300))
    if caretaker:
        await let_caretaker_play(service.tables, game, MODERATOR, "p2")
    else:
        dee = SeatEntry("p2", "holder", DEE, "Dee", 1, None, service.tables.clock())
        await seats.replace_holder(service.db, game, dee, leaving_user=BOB, notices=[])
        service.tables.forget(game)
    await service.do(game, ANN, "pass")
    assert (await moves(service, game))[1:] == ([("p2", True)] if caretaker else [])
    assert await standing(service, game) == []
    assert await ended(service, game) == [(1, automatic.SEAT_CHANGED_HANDS_REASON)]


async def test_unreadable_order_ends(service: TableService) -> None:
    game = await service.game()
    await give_unreadable(service, game, 1, BOB, "p2")
    await service.do(game, ANN, "pass")
    assert await ended(service, game) == [(1, automatic.ORDER_UNREADABLE_REASON)]
    assert [one.number for one in await orders.unnotified_orders(service.db, game, BOB)] == [1]


async def test_done_after_a_sale(service: TableService) -> None:
    game = await service.at(played_to("sell_shares"))
    await give(service, game, CY, new_orders.done_after_order)
    lines = (await service.do(game, CY, "sell_shares", company="PRR", shares=1)).lines
    assert lines[-1] == "**Cy** is done. *(automatic)*"


async def test_done_waits_for_a_move_in_the_step(service: TableService) -> None:
    game = await service.game()
    await give(service, game, ANN, new_orders.done_after_order)
    await service.do(game, BOB, "end_game")
    await service.do(game, ANN, "end_game")
    assert await moves(service, game) == [("p2", False), ("p1", False)]
    assert await standing(service, game) == [1]


# --- undo ------------------------------------------------------------------------------------------------------------


async def test_order_waits_after_an_undo(service: TableService) -> None:
    """For a move or its owner's word, not for an order of somebody else."""
    game = await service.game()
    await give(service, game, BOB, up_to("D&R", 30))
    await service.do(game, ANN, "pass")
    await moderator_undo(service.tables, game, MODERATOR, 2, 3)
    assert not await play_caretakers(service.tables, game)
    assert not await resume_caretakers(service.tables, game), "nobody here is a caretaker"
    await give(service, game, CY, up_to("CV", 300))
    assert await owners(service, game) == {}
    await give(service, game, BOB, up_to("D&R", 25))
    assert await owners(service, game) == {"D&R": "p2"}


async def test_undo_gives_no_outdated_order_back(service: TableService) -> None:
    game = await service.game()
    await give(service, game, BOB, up_to("CV", 210, "ask"))
    await service.do(game, ANN, "bid", private="CV", amount=215)
    await give(service, game, BOB, up_to("CV", 300))
    assert await standing(service, game) == [2]
    await moderator_undo(service.tables, game, MODERATOR, 1, 3)
    assert await standing(service, game) == [2]
    assert await orders.unnotified_orders(service.db, game, BOB) == []
    assert automatic.ORDER_REPLACED_REASON in (await list_orders(service.tables, game, BOB)).text


# --- what needs no order, and what needs a search --------------------------------------------------------------------


async def _before_a_forced_move(service: TableService) -> tuple[int, Action, Action]:
    """A table one move before nothing is left to choose: the move that leads there, and the one that is forced."""
    text = BANKRUPTCY.read_text("utf-8")
    written = read_record(text)
    game = load_record(text, 0).play()
    for number, action in enumerate(written.actions):
        if forced_move(game) is not None and written.actions[number - 1].actor != action.actor:
            table = await service.at(load_record(text, number - 1))
            return table, written.actions[number - 1], action
        game.apply(action)
    raise AssertionError("no move is forced")


async def test_forced_move_is_made_automatically(service: TableService) -> None:
    game, leads, forced = await _before_a_forced_move(service)
    async with service.tables.reading(game) as live:
        before, user = live.game.digest(), live.user_of(leads.actor)
    outcome = await service.do(game, user, leads.kind, **leads.chosen())
    marked = [line.endswith(automatic.AUTOMATIC_MARK) for line in outcome.lines]
    assert (marked[0], marked.count(True)) == (False, 1)
    async with service.tables.reading(game) as live:
        last = live.effective_rows[-1]
        assert (last.payload, last.user_id) == (forced.model_dump_json(), None)
        assert live.automatic_rows == {last.seq: None}
    await service.undo(game, user)
    assert await service.digest(game) == before


async def test_best_runs_are_offered_until_ordered(service: TableService) -> None:
    game = await service.at(recorded("18chesapeake-bank-4p", 100))
    async with service.tables.reading(game) as live:
        owned = {
            user: presided_companies(live.game, f"p{seat}")
            for seat, user in enumerate((ANN, BOB, CY, DEE), 1)
        }
    user, own = next((user, own) for user, own in owned.items() if own)
    assert (await list_orders(service.tables, game, user)).companies_to_run == own
    await give(service, game, user, lambda now, _: new_orders.run_best_order(now, own[0], "pay"))
    assert (await list_orders(service.tables, game, user)).companies_to_run == own[1:]
