"""Giving, listing and withdrawing standing orders: each is between its owner and the bot."""

from collections.abc import Callable
from typing import Final, TypeAlias

from bot.table import notices
from bot.table.automatic import Following
from bot.table.errors import Refused
from bot.table.live import Live
from bot.table.service import Outcome, Tables
from bot.table.storing import certainly
from bot.table.style import plain, strong
from engine.core.errors import Unreadable
from engine.core.ids import PlayerId
from engine.game import Game
from engine.orders import Order as Wanted
from engine.orders import read_order, write_order
from engine.orders.giving import require_lasting
from engine.orders.saying import called, ends
from storage import orders
from storage.orders import Order

Make: TypeAlias = Callable[[Game, PlayerId], Wanted]
"""The order that a person means, in the position of the moment; raises IllegalAction."""
LISTED: Final = 5
"""How many orders that have ended are listed, the latest."""
SEE_ORDERS: Final = "`/orders list` shows it."


async def give(tables: Tables, game_id: int, user_id: int, make: Make) -> Outcome:
    """Let an order stand for the person's seat; what it does at once is done with it. Raises Refused."""
    async with tables.writing(game_id) as live:
        tables.require_going_on(live)
        player = tables.seat_of(live, user_id)
        wanted = make(live.game, player)
        require_lasting(live.game, player, wanted)
        number = await orders.next_number(tables.db, game_id)
        now = tables.clock()
        order = Order(number, player, user_id, write_order(wanted), live.game.seq, now)
        lines = await _begin(tables, live, order)
        text = f"Order {number}: {_says(live, wanted)}"
    tables.on_notice(game_id)
    return Outcome(live.seq, (text, *lines))


async def withdraw(tables: Tables, game_id: int, user_id: int, number: int) -> str:
    """Take back an order of the person; raises Refused."""
    async with tables.lock(game_id):
        if not await orders.withdraw(tables.db, game_id, number, user_id):
            raise Refused(
                f"You have no order {number} in game {game_id}; `/orders list` has those that stand."
            )
    return f"Order {number} is withdrawn."


async def listed(tables: Tables, game_id: int, user_id: int) -> str:
    """The person's orders in a game: those that stand, and why the last of the others have ended."""
    async with tables.reading(game_id) as live:
        found = await orders.given_by(tables.db, game_id, user_id)
        standing = [_line(live, order) for order in found if order.state == "standing"]
        ended = [_ended(live, order) for order in found if order.state == "stopped"][-LISTED:]
    if not standing and not ended:
        return f"You have given no orders in game {game_id}."
    parts = [strong("Standing"), *(standing or ["none"])]
    return "\n".join([*parts, strong("Ended"), *ended] if ended else parts)


async def _begin(tables: Tables, live: Live, order: Order) -> tuple[str, ...]:
    """Store an order with what it does now; its public lines."""
    before = notices.Before.of(live.game)
    following = Following(live, [*await orders.standing(tables.db, live.id), order], order.user_id)
    then = await following.after(())
    if not then.entries:
        why = next((one.why for one in then.ended if one.number == order.number), None)
        if why is not None:
            raise Refused(why)
        await certainly(_store(tables, live.id, order), lambda: _stored(tables, live.id, order), SEE_ORDERS)
        return ()
    pending = notices.of_move(live, then.entries[0].actor, then.events, then.lines, before)
    await tables.commit(
        live, then.entries, pending, live.counting, changes=then.changes(live.seq + 1, (order,))
    )
    return tuple(line for lines in then.lines for line in lines)


async def _store(tables: Tables, game_id: int, order: Order) -> bool:
    await orders.give(tables.db, game_id, order)
    return True


async def _stored(tables: Tables, game_id: int, order: Order) -> bool | None:
    return order in await orders.standing(tables.db, game_id) or None


def _says(live: Live, wanted: Wanted) -> str:
    words = plain(live.game)
    return f"{words.say(called(wanted))}; {words.say(ends(wanted))}."


def _line(live: Live, order: Order) -> str:
    return f"`{order.number}` {_meant(live, order)}"


def _ended(live: Live, order: Order) -> str:
    return f"`{order.number}` {_meant(live, order)} Ended: {order.why}"


def _meant(live: Live, order: Order) -> str:
    try:
        return _says(live, read_order(order.payload))
    except Unreadable as error:
        return f"{plain(live.game).refusal(error)}"
