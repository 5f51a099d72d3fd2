"""Standing orders, and a log of automatic moves.

A standing order is a move that a user orders in advance, and that only this user sees.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from storage import direct_messages, games, outbox
from storage.contract import Database, ParsedQuery, Transaction, fetch, query
from storage.direct_messages import NOT_NOTIFIED, NOTIFIED, QUEUED_IN_DIRECT_MESSAGE
from storage.outbox import OutboxMessage
from storage.shards import ALL_SHARDS, ShardSet

TIME_UP_ORDER_NUMBER: Final = 0
"""Value stored as the order number of an automatic move that was made because a player's time was up."""
OrderState = Literal["standing", "stopped", "withdrawn"]
"""The state of a standing order: in effect, ended by the game, or withdrawn by its owner."""


@dataclass(frozen=True, slots=True)
class Order:
    """A standing order, such as "pass until somebody bids".

    The bot defines the content of `payload`. `since` is the number of moves made before the order was given. `why` is
    the reason why it ended, in words.
    """

    number: int
    player_id: str
    user_id: int
    payload: str
    since: int
    at: str
    state: OrderState = "standing"
    why: str | None = None


@dataclass(frozen=True, slots=True)
class EndedOrder:
    """A standing order that ends with a move: its number, and the reason in words."""

    number: int
    why: str
    is_owner_notified: bool = False
    """True if the owner already knows that the order ended."""


@dataclass(frozen=True, slots=True)
class EarlierOrderState:
    """A standing order's state before an undo; if it had ended, also the reason and the log row."""

    number: int
    state: OrderState
    why: str | None
    ended_seq: int | None


@dataclass(frozen=True, slots=True)
class OrderChanges:
    """Changes of a game's standing orders, stored in the transaction of the log rows that cause them.

    `replaced_order_numbers`: numbers of orders that new orders replace. `automatic_moves`: automatic moves as (log row,
    order number); the number is None for a forced move, and TIME_UP if the player's time was up. `undo_target_seq`:
    the target row of an undo. Orders that ended after that row are in effect again, and their states before the undo
    are kept for a redo. `earlier_states`: states that a redo restores.
    """

    new_orders: tuple[Order, ...] = ()
    replaced_order_numbers: tuple[int, ...] = ()
    ended_orders: tuple[EndedOrder, ...] = ()
    automatic_moves: tuple[tuple[int, int | None], ...] = ()
    undo_target_seq: int | None = None
    earlier_states: tuple[EarlierOrderState, ...] = ()

    async def write(self, tx: Transaction, game_id: int, seq: int) -> None:
        if self.undo_target_seq is not None:
            await _restore_orders(tx, game_id, seq, self.undo_target_seq)
        await tx.run_many(
            _RESTORE_ORDER_SQL,
            [
                (order.state, order.why, order.ended_seq, game_id, order.number)
                for order in self.earlier_states
            ],
        )
        order_rows = [
            (
                game_id,
                new_order.number,
                new_order.player_id,
                new_order.user_id,
                new_order.payload,
                new_order.since,
                new_order.at,
                new_order.state,
                new_order.why,
            )
            for new_order in self.new_orders
        ]
        await tx.run_many(
            f"INSERT INTO orders (game_id, {_STANDING_ORDER_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            order_rows,
        )
        await tx.run_many(_WITHDRAW_ORDER_SQL, [(game_id, number) for number in self.replaced_order_numbers])
        await tx.run_many(
            _STOP_ORDER_SQL,
            [
                (order.why, seq, NOTIFIED if order.is_owner_notified else NOT_NOTIFIED, game_id, order.number)
                for order in self.ended_orders
            ],
        )
        await tx.run_many(
            "INSERT INTO automatic_moves (game_id, seq, order_number) VALUES (?, ?, ?)",
            [(game_id, move_seq, number) for move_seq, number in self.automatic_moves],
        )


NO_ORDER_CHANGES = OrderChanges()
"""OrderChanges that change nothing."""
_RESTORE_ORDER_SQL = (
    "UPDATE orders SET state = ?, why = ?, ended_seq = ? "
    "WHERE game_id = ? AND number = ? AND state <> 'withdrawn'"
)
_STOP_ORDER_SQL = (
    "UPDATE orders SET state = 'stopped', why = ?, ended_seq = ?, notified = ? "
    "WHERE game_id = ? AND number = ?"
)
_WITHDRAW_ORDER_SQL = (
    "UPDATE orders SET state = 'withdrawn' WHERE game_id = ? AND number = ? AND state = 'standing'"
)
_STANDING_ORDER_COLUMNS = "number, player_id, user_id, payload, since, at, state, why"
_IS_UNNOTIFIED_SQL = f"user_id = ? AND state = 'stopped' AND notified = {NOT_NOTIFIED}"


async def _restore_orders(tx: Transaction, game_id: int, undo_seq: int, target_seq: int) -> None:
    """Put orders that ended after log row `target_seq` in effect again; keep their states for a redo."""
    await tx.put(
        "INSERT INTO orders_before (game_id, seq, number, state, why, ended_seq) "
        "SELECT game_id, ?, number, state, why, ended_seq FROM orders "
        "WHERE game_id = ? AND (state = 'standing' OR state = 'stopped' AND ended_seq > ?)",
        *(undo_seq, game_id, target_seq),
    )
    await tx.put(
        f"UPDATE orders SET state = 'standing', why = NULL, ended_seq = NULL, notified = {NOT_NOTIFIED} "
        "WHERE game_id = ? AND state = 'stopped' AND ended_seq > ?",
        *(game_id, target_seq),
    )


async def standing_orders(db: Database, game_id: int) -> list[Order]:
    """Return a game's standing orders in effect, oldest first."""
    return await fetch(db, standing_orders_query(game_id))


def standing_orders_query(game_id: int) -> ParsedQuery[list[Order]]:
    """Return the query for a game's standing orders in effect, oldest first; run it with `fetch`."""
    return _orders_query("state = 'standing'", game_id)


def _orders_query(condition: str, game_id: int, *values: object) -> ParsedQuery[list[Order]]:
    select_sql = (
        f"SELECT {_STANDING_ORDER_COLUMNS} FROM orders WHERE game_id = ? AND {condition} ORDER BY number"
    )
    return ParsedQuery(query(select_sql, game_id, *values), lambda rows: [Order(*row) for row in rows])


async def orders_standing_after(db: Database, game_id: int, seq: int | None) -> list[Order]:
    """Return a game's orders in effect, plus those that an undo to log row `seq` would restore, oldest first."""
    return await fetch(
        db, _orders_query("(state = 'standing' OR state = 'stopped' AND ended_seq > ?)", game_id, seq)
    )


async def states_before_undo(db: Database, game_id: int, undo_seq: int) -> list[EarlierOrderState]:
    """Return the states that orders had before the undo in log row `undo_seq`, oldest order first."""
    sql = "SELECT number, state, why, ended_seq FROM orders_before WHERE game_id = ? AND seq = ? ORDER BY number"
    return [EarlierOrderState(*row) for row in await db.rows(sql, game_id, undo_seq)]


async def orders_of_user(db: Database, game_id: int, user_id: int) -> list[Order]:
    """Return all standing orders of a user in a game, ended or not, oldest first."""
    return await fetch(db, _orders_query("user_id = ?", game_id, user_id))


async def all_orders(db: Database, game_id: int) -> list[Order]:
    """Return all standing orders of a game, ended or not, oldest first."""
    return await fetch(db, _orders_query("1 = 1", game_id))


async def next_order_number(db: Database, game_id: int) -> int:
    """Return the number for a game's next standing order."""
    sql = (
        "SELECT 1 + COALESCE(MAX(number), 0) FROM (SELECT number FROM orders WHERE game_id = ? "
        "UNION ALL SELECT order_number FROM automatic_moves WHERE game_id = ?) AS known"
    )
    row = await db.row(sql, game_id, game_id)
    assert row is not None
    return int(row[0])


async def store_order(
    db: Database,
    game_id: int,
    order: Order,
    replaced_numbers: Sequence[int] = (),
    *,
    seq: int = 0,
    notices: Sequence[OutboxMessage] = (),
) -> None:
    """Store a new standing order, withdraw the orders that it replaces, and queue notices."""

    async def in_transaction(tx: Transaction) -> None:
        games.require_status(await games.lock_and_read(tx, game_id), ("running",))
        await OrderChanges(new_orders=(order,), replaced_order_numbers=tuple(replaced_numbers)).write(
            tx, game_id, seq
        )
        await outbox.add_notices(tx, game_id, seq, notices, order.at)

    await db.write(in_transaction)


async def withdraw_order(
    db: Database,
    game_id: int,
    number: int,
    user_id: int,
    *,
    seq: int = 0,
    notices: Sequence[OutboxMessage] = (),
    now: str = "",
) -> bool:
    """Withdraw a user's standing order; return False if no order of the user with this number is in effect."""

    async def in_transaction(tx: Transaction) -> bool:
        await games.lock_and_read(tx, game_id)
        was_withdrawn = await tx.run(f"{_WITHDRAW_ORDER_SQL} AND user_id = ?", game_id, number, user_id) > 0
        if was_withdrawn:
            await outbox.add_notices(tx, game_id, seq, notices, now)
        return was_withdrawn

    return await db.write(in_transaction)


async def may_have_unnotified_owners(db: Database, game_id: int) -> bool:
    """Return True if the owner of an ended order may not have been notified.

    This includes owners to whom a direct message is queued, because it may not be sent.
    """
    sql = f"SELECT 1 FROM orders WHERE game_id = ? AND state = 'stopped' AND notified <> {NOTIFIED} LIMIT 1"
    return await db.row(sql, game_id) is not None


async def unnotified_orders(db: Database, game_id: int, user_id: int) -> list[Order]:
    """Return a user's ended orders about which the user was not notified yet, oldest first."""
    return await fetch(db, _orders_query(_IS_UNNOTIFIED_SQL, game_id, user_id))


async def take_unnotified_orders(db: Database, game_id: int, user_id: int) -> list[Order]:
    """Return a user's ended orders about which the user was not notified yet, oldest first; mark them as notified."""

    async def in_transaction(tx: Transaction) -> list[Order]:
        await games.lock_and_read(tx, game_id)
        orders = await fetch(tx, _orders_query(_IS_UNNOTIFIED_SQL, game_id, user_id))
        await tx.put(
            f"UPDATE orders SET notified = {NOTIFIED} WHERE game_id = ? AND {_IS_UNNOTIFIED_SQL}",
            game_id,
            user_id,
        )
        return orders

    return await db.write(in_transaction)


async def users_to_notify(db: Database, shards: ShardSet = ALL_SHARDS) -> list[tuple[int, int]]:
    """Return the users to notify of ended orders by direct message, as (game id, user id)."""
    sql = (
        "SELECT DISTINCT game_id, orders.user_id FROM orders JOIN games ON games.id = game_id "
        "JOIN person_settings ON person_settings.user_id = orders.user_id "
        f"WHERE orders.state = 'stopped' AND notified = {NOT_NOTIFIED} AND key = 'how' AND value IN ('direct', 'both') "
        f"AND games.status = 'running' AND {shards.sql_condition()} ORDER BY game_id, orders.user_id"
    )
    return [(game, user) for game, user in await db.rows(sql)]


async def queue_message(
    db: Database, game_id: int, user_id: int, numbers: Sequence[int], text: str, now: str
) -> None:
    """Queue a direct message about a user's ended orders, unless the user was notified of one of them meanwhile."""

    async def in_transaction(tx: Transaction) -> None:
        await games.lock_and_read(tx, game_id)
        stopped_orders = await fetch(tx, _orders_query(_IS_UNNOTIFIED_SQL, game_id, user_id))
        if set(numbers) <= {order.number for order in stopped_orders}:
            statement = (
                f"UPDATE orders SET notified = {QUEUED_IN_DIRECT_MESSAGE} WHERE game_id = ? AND number = ?"
            )
            await tx.run_many(statement, [(game_id, number) for number in numbers])
            await direct_messages.queue_message(tx, user_id, text, (), game_id, now)

    await db.write(in_transaction)


async def mark_notified(db: Database, game_id: int, numbers: Sequence[int]) -> None:
    """Record that a reply notified the owner that these orders ended; skips orders with a queued direct message."""
    statement = (
        f"UPDATE orders SET notified = {NOTIFIED} "
        f"WHERE game_id = ? AND number = ? AND state = 'stopped' AND notified = {NOT_NOTIFIED}"
    )
    await db.write(lambda tx: tx.run_many(statement, [(game_id, number) for number in numbers]))


async def mark_not_notified(db: Database, game_id: int, numbers: Sequence[int]) -> None:
    """Record that the owner was not notified that these orders ended, because a reply failed."""
    statement = f"UPDATE orders SET notified = {NOT_NOTIFIED} WHERE game_id = ? AND number = ?"
    await db.write(lambda tx: tx.run_many(statement, [(game_id, number) for number in numbers]))


async def automatic_moves(db: Database, game_id: int) -> dict[int, int | None]:
    """Return the number of the standing order that made each automatic move, by log row (see OrderChanges)."""
    return await fetch(db, automatic_moves_query(game_id))


def automatic_moves_query(game_id: int) -> ParsedQuery[dict[int, int | None]]:
    """Return the query for the results of `automatic_moves`; run it with `fetch`."""
    select_sql = "SELECT seq, order_number FROM automatic_moves WHERE game_id = ?"
    return ParsedQuery(query(select_sql, game_id), lambda rows: {int(seq): number for seq, number in rows})
