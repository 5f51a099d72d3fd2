"""Orders as tests give them, and what stands of them."""

from typing import Literal

from bot.table.orders import player_orders
from bot.table.orders.player_orders import OrderBuilder
from engine.orders import new_orders
from storage import log, orders
from tests.bot.support.table_service import TableService

MODERATOR = 99
AT = "2026-01-01"


def up_to(private: str, most: int, then: Literal["pass", "ask"] = "pass") -> OrderBuilder:
    """A maximum for one private."""
    return lambda game, _: new_orders.bid_up_to_order(game, private, most, then)


def sealing(**maxima: int) -> OrderBuilder:
    """Maxima for all privates; the others are not wanted."""
    return lambda game, _: new_orders.seal_bids_order(game, maxima)


def passing(until: Literal["concerned", "over"] = "concerned") -> OrderBuilder:
    return lambda game, _: new_orders.pass_stock_order(game, until)


async def give(service: TableService, game: int, user: int, make: OrderBuilder) -> tuple[str, ...]:
    """Give an order; what its owner reads."""
    return (await player_orders.give_order(service.tables, game, user, make)).lines


async def give_unreadable(service: TableService, game: int, number: int, user: int, player: str) -> None:
    """An order that another version has stored."""
    order = orders.Order(number, player, user, '{"kind": "nothing"}', 0, AT)
    await orders.store_order(service.db, game, order)


async def withdraw(service: TableService, game: int, user: int, number: int) -> str:
    return await player_orders.withdraw_order(service.tables, game, user, number)


async def standing(service: TableService, game: int) -> list[int]:
    return [one.number for one in await orders.standing_orders(service.db, game)]


async def ended(service: TableService, game: int) -> list[tuple[int, str | None]]:
    """The orders that have ended, and why."""
    return [(one.number, one.why) for one in await orders.all_orders(service.db, game) if one.why]


async def counting(service: TableService, game: int) -> list[int]:
    """The rows of the log that count."""
    return [row.seq for row in log.effective_rows(await log.read_rows(service.db, game))]


async def moves(service: TableService, game: int) -> list[tuple[str, bool]]:
    made = await orders.automatic_moves(service.db, game)
    return [
        (row.actor, row.seq in made) for row in log.effective_rows(await log.read_rows(service.db, game))[1:]
    ]


async def owners(service: TableService, game: int) -> dict[str, str]:
    async with service.tables.reading(game) as live:
        privates = live.game.table.state.privates.values()
        return {private.id: private.owner for private in privates if private.owner is not None}
