"""Giving and withdrawing standing orders: each is between its owner and the bot."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from bot.table.errors import Refused
from bot.table.games.storing import certainly, finished
from bot.table.live import LiveGame, OfBidding, Uneventful
from bot.table.orders import known, sealed
from bot.table.orders.automatic import AutomaticMoves, Followed
from bot.table.outbox import notices
from bot.table.style import plain
from bot.table.tables import Outcome, Tables
from engine.core.errors import Unreadable
from engine.core.ids import PlayerId
from engine.game import Game
from engine.orders import Order as Wanted
from engine.orders import read_order, same_subject, write_order
from engine.orders.kinds import Seal, description, ends_when
from engine.orders.new_orders import require_lasting
from storage import orders
from storage.orders import Order
from storage.outbox import OutboxMessage

Make: TypeAlias = Callable[[Game, PlayerId], Wanted]
"""The order that a person means, in the position of the moment; raises IllegalAction or Refused."""
SEE_ORDERS: Final = "`/orders list` shows it."


class _Given(NamedTuple):
    """An order that is being given, those it takes the place of, and whether its maxima are sealed."""

    order: Order
    replaced: tuple[int, ...]
    seals: bool


async def give(tables: Tables, game_id: int, user_id: int, make: Make) -> Outcome:
    """Let an order stand for the person's seat; what it does at once is done with it. Raises Refused.

    It takes the place of an earlier one about the same matter.
    """
    async with tables.writing(game_id) as live:
        tables.require_playable(live)
        player = tables.seat_of(live, user_id)
        wanted = make(live.game, player)
        if isinstance(wanted, Seal):
            await sealed.require_sealing(tables.db, live)
        require_lasting(live.game, player, wanted)
        kept = await known.standing(tables.db, live)
        number, now = await orders.next_number(tables.db, game_id), tables.clock()
        order = Order(number, player, user_id, write_order(wanted), live.game.seq, now)
        await _require_new(live, kept, order)
        given = _Given(order, _replaced(kept, order, wanted), isinstance(wanted, Seal))
        lines = await _begin(tables, live, [one for one in kept if one.number not in given.replaced], given)
        text = f"Order {number}: {says(live, wanted)}"
    tables.on_notice(game_id)
    instead = "".join(f" It takes the place of order {old}." for old in given.replaced)
    return Outcome(live.seq, (text + instead, *lines))


async def withdraw(tables: Tables, game_id: int, user_id: int, number: int) -> str:
    """Withdraw an order of the user; raises Refused. The number of seals is posted, where it was a seal."""
    async with tables.reading(game_id) as live:
        kept = await known.standing(tables.db, live)
        others = [one for one in kept if one.number != number]
        was_seal = any(one.number == number and isinstance(read(one), Seal) for one in kept)
        tells = was_seal and live.row.status == "running"
        posts = await sealed.counted(tables.db, live, others) if tells else []
        now = tables.clock()
        if not await orders.withdraw(
            tables.db, game_id, number, user_id, seq=live.seq, notices=posts, now=now
        ):
            raise Refused(
                f"You have no order {number} in game {game_id}; `/orders list` has those that stand."
            )
    tables.on_notice(game_id)
    return f"Order {number} is withdrawn."


def does(live: LiveGame, wanted: Wanted) -> str:
    """What an order does."""
    return plain(live.game).say(description(wanted))


def says(live: LiveGame, wanted: Wanted) -> str:
    """What an order does, and when it stops itself."""
    return f"{does(live, wanted)}; {plain(live.game).say(ends_when(wanted))}."


async def _require_new(live: LiveGame, kept: Sequence[Order], order: Order) -> None:
    """Raise Refused where the very same order of the user stands, unless it waits: given again, it resumes.

    So it does since an undo, or where it was given between an undo and a redo that has led to its owner's turn.
    """
    same = next((one for one in _own(kept, order) if one.payload == order.payload), None)
    if same is None or live.taken_back:
        return
    if await AutomaticMoves(live, kept).own(live.game, order.player_id) is None:
        raise Refused(f"That is your order {same.number} already: it stands.")


def _replaced(kept: Sequence[Order], order: Order, wanted: Wanted) -> tuple[int, ...]:
    """The person's orders about the same matter."""
    own = [(one.number, read(one)) for one in _own(kept, order)]
    return tuple(number for number, old in own if old is not None and same_subject(old, wanted))


def _own(kept: Sequence[Order], order: Order) -> list[Order]:
    return [one for one in kept if (one.player_id, one.user_id) == (order.player_id, order.user_id)]


def read(order: Order) -> Wanted | None:
    """A stored order; None where another version has stored it, which cannot be read."""
    try:
        return read_order(order.payload)
    except Unreadable:
        return None


async def _begin(tables: Tables, live: LiveGame, kept: Sequence[Order], given: _Given) -> tuple[str, ...]:
    """Store an order with what it does now; its public lines."""
    before, order = notices.Before.of(live.game), given.order
    mover: PlayerId | None = order.player_id
    if mover not in before.actors:
        # Given out of turn: the player on turn has waited for it, or does not expect it.
        before, mover = before._replace(actors=()), None
    following = AutomaticMoves(live, [*kept, order], order.user_id)
    sells = given.seals and following.all_sealed()
    then = await following.begun(order)
    if then.entries:
        lines = _of_sale(then) if sells else then.lines
        ended = {one.number for one in then.ended}
        left = [one for one in (*kept, order) if one.number not in ended]
        announced = sealed.all_have(live) if sells else await _counted(tables, live, left, given)
        pending = notices.of_move(live, mover, then.events, lines, before)
        return await _make(tables, live, given, then, [*announced, *pending])
    why = next((one.why for one in then.ended if one.number == order.number), None)
    if why is not None:
        raise Refused(why)
    posts = await _counted(tables, live, [*kept, order], given)
    write = orders.give(tables.db, live.id, order, given.replaced, seq=live.seq, notices=posts)
    await certainly(finished(write), lambda: _stored(tables, live.id, order), SEE_ORDERS)
    return ()


async def _counted(
    tables: Tables, live: LiveGame, kept: Sequence[Order], given: _Given
) -> list[OutboxMessage]:
    """How many have sealed, where this is a new seal; with a changed one the number stays."""
    new = given.seals and not given.replaced
    return await sealed.counted(tables.db, live, kept) if new else []


def _of_sale(then: Followed) -> list[tuple[str, ...]]:
    """The lines of a sealed sale: of bids and passes only what came of them."""
    return [
        tuple(Uneventful(line) if isinstance(line, OfBidding) else line for line in lines)
        for lines in then.lines
    ]


async def _make(
    tables: Tables, live: LiveGame, given: _Given, then: Followed, pending: list[OutboxMessage]
) -> tuple[str, ...]:
    changes = then.changes(live.seq + 1, (given.order,), given.replaced)
    await tables.commit(live, then.entries, pending, live.counting, changes=changes)
    return tuple(line for lines in then.lines for line in lines)


async def _stored(tables: Tables, game_id: int, order: Order) -> bool | None:
    return order in await orders.standing(tables.db, game_id) or None


async def sealed_by(tables: Tables, live: LiveGame, player: PlayerId) -> dict[str, int]:
    """The maximums that a player has sealed; nothing, if they have not."""
    kept = await known.standing(tables.db, live)
    mine = (read(one) for one in kept if (one.player_id, one.user_id) == (player, live.user_of(player)))
    return next((dict(one.maxima) for one in mine if isinstance(one, Seal)), {})
