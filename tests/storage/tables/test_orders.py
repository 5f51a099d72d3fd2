"""Standing orders: private, numbered, changed only together with the moves they belong to."""

import pytest

from storage import Database, direct_messages, games, orders, outbox, personal_data
from storage.direct_messages import DirectMessage
from storage.errors import NoSuchGame, WrongStatus
from storage.orders import EarlierOrderState, EndedOrder, Order, OrderChanges
from tests.storage.makers import ANN, NOW, line, move, undo


def order(number: int, user_id: int = ANN) -> Order:
    return Order(number, "p1", user_id, "{}", 0, NOW)


async def give(db: Database, game: int, *numbers: int, user_id: int = ANN) -> None:
    for number in numbers:
        await orders.store_order(db, game, order(number, user_id))


async def end(db: Database, game: int, seq: int, *ended: EndedOrder) -> None:
    """A move with which orders end."""
    await move(db, game, seq, changes=OrderChanges(ended_orders=ended))


async def owed(db: Database, game: int, user: int = ANN) -> list[int]:
    """The numbers of ended orders that their owner does not know of."""
    return [one.number for one in await orders.unnotified_orders(db, game, user)]


async def states(db: Database, game: int) -> list[tuple[str, str | None]]:
    return [(one.state, one.why) for one in await orders.all_orders(db, game)]


async def message(db: Database) -> DirectMessage:
    """The only one that waits."""
    (found,) = await direct_messages.unsent_messages(db)
    return found


async def refused(db: Database) -> None:
    """The user accepts no direct messages."""
    dm = await message(db)
    await db.write(lambda tx: direct_messages.mark_direct_messages_closed(tx, dm))


async def test_order_replaces_another(db: Database, game_id: int) -> None:
    await give(db, game_id, 1)
    await orders.store_order(db, game_id, order(2), (1,), seq=1, notices=[line("1 of 3")])
    assert await states(db, game_id) == [("withdrawn", None), ("standing", None)]
    assert await outbox.games_with_unposted_notices(db) == [game_id]
    await games.finish_game(db, game_id)
    with pytest.raises(WrongStatus):
        await give(db, game_id, 3)


async def test_number_of_an_order_is_given_once(db: Database, game_id: int) -> None:
    """The moves that it has made name it, also when its owner was anonymised."""
    gone = 999
    await give(db, game_id, 1, user_id=gone)
    await move(db, game_id, 1, changes=OrderChanges(automatic_moves=((2, 1),)))
    assert await personal_data.anonymise(db, gone, lambda where, text, who: text) == [game_id]
    assert await orders.all_orders(db, game_id) == []
    assert await orders.next_order_number(db, game_id) == 2


async def test_undo_gives_back_ended_orders(db: Database, game_id: int) -> None:
    """Those that have ended since; how they stood is kept, and given back with a redo."""
    await give(db, game_id, 1, 2, 3, 4)
    await end(db, game_id, 1, EndedOrder(1, "before", is_owner_notified=True))
    await end(db, game_id, 2, EndedOrder(2, "after", is_owner_notified=True), EndedOrder(4, "sold"))
    await orders.withdraw_order(db, game_id, 3, ANN)
    standing = {
        seq: [one.number for one in await orders.orders_standing_after(db, game_id, seq)] for seq in (1, 2, 3)
    }
    assert standing == {1: [1, 2, 4], 2: [2, 4], 3: []}
    await move(
        db,
        game_id,
        3,
        undo(2),
        changes=OrderChanges(ended_orders=(EndedOrder(4, "undone"),), undo_target_seq=2),
    )
    stood = [EarlierOrderState(2, "stopped", "after", 3), EarlierOrderState(4, "stopped", "sold", 3)]
    assert await orders.states_before_undo(db, game_id, 4) == stood
    now = [("stopped", "before"), ("standing", None), ("withdrawn", None), ("stopped", "undone")]
    assert await states(db, game_id) == now
    await orders.withdraw_order(db, game_id, 2, ANN)
    await move(db, game_id, 4, changes=OrderChanges(earlier_states=tuple(stood)))
    now = [("stopped", "before"), ("withdrawn", None), ("withdrawn", None), ("stopped", "sold")]
    assert await states(db, game_id) == now


async def test_message_names_all_ends_or_none(db: Database, game_id: int) -> None:
    """What was sent is not sent again, though the next message is not accepted."""
    await give(db, game_id, 1, 2)
    await end(db, game_id, 1, EndedOrder(1, "over"))
    await orders.queue_message(db, game_id, ANN, [1, 2], "Both have ended.", NOW)
    assert await direct_messages.unsent_messages(db) == []
    await orders.queue_message(db, game_id, ANN, [1], "One has ended.", NOW)
    assert (await message(db)).text == "One has ended."
    await direct_messages.mark_sent(db, await message(db), NOW, 1)
    await end(db, game_id, 2, EndedOrder(2, "over"))
    await orders.queue_message(db, game_id, ANN, [2], "It has ended.", NOW)
    await refused(db)
    assert await owed(db, game_id) == [2]


async def test_orders_of_a_missing_game_are_refused(db: Database) -> None:
    for attempt in (
        give(db, 99, 1),
        orders.withdraw_order(db, 99, 1, ANN),
        orders.take_unnotified_orders(db, 99, ANN),
        orders.queue_message(db, 99, ANN, [], "It has ended.", NOW),
    ):
        with pytest.raises(NoSuchGame):
            await attempt
