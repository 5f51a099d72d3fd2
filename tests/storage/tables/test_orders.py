"""Standing orders: private, numbered, changed only together with the moves they belong to."""

import pytest

from storage import Database, direct_messages, games, orders, outbox, personal_data
from storage.direct_messages import DirectMessage
from storage.errors import NoSuchGame, WrongStatus
from storage.orders import EarlierOrderState, EndedOrder, Order, OrderChanges
from storage.settings import PERSON_SETTINGS
from tests.storage.makers import ANN, BOB, NOW, SECOND, line, move, undo


def order(number: int, user_id: int = ANN) -> Order:
    return Order(number, "p1", user_id, "{}", 0, NOW)


async def give(db: Database, game: int, *numbers: int, user_id: int = ANN) -> None:
    for number in numbers:
        await orders.store_order(db, game, order(number, user_id))


async def end(db: Database, game: int, seq: int, *ended: EndedOrder) -> None:
    """A move with which orders end."""
    await move(db, game, seq, changes=OrderChanges(ended=ended))


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


async def test_order_is_withdrawn_by_its_owner(db: Database, game_id: int) -> None:
    """With what is posted, and by nobody else."""
    assert await orders.next_number(db, game_id) == 1
    await give(db, game_id, 1)
    await give(db, game_id, 2, user_id=BOB)
    assert await orders.orders_of_user(db, game_id, ANN) == [order(1)]

    async def withdraw(user: int) -> bool:
        return await orders.withdraw_order(db, game_id, 1, user, seq=1, notices=[line("0 of 3")], now=NOW)

    assert [await withdraw(BOB), await outbox.games_with_postings(db)] == [False, []]
    assert [await withdraw(ANN), await withdraw(ANN)] == [True, False]
    assert [(row.seq, row.payload) for row in await outbox.postings_of_game(db, game_id)] == [(1, "0 of 3")]
    assert [one.number for one in await orders.standing_orders(db, game_id)] == [2]
    assert await orders.next_number(db, game_id) == 3


async def test_order_replaces_another(db: Database, game_id: int) -> None:
    await give(db, game_id, 1)
    await orders.store_order(db, game_id, order(2), (1,), seq=1, notices=[line("1 of 3")])
    assert await states(db, game_id) == [("withdrawn", None), ("standing", None)]
    assert await outbox.games_with_postings(db) == [game_id]
    await games.finish_game(db, game_id)
    with pytest.raises(WrongStatus):
        await give(db, game_id, 3)


async def test_number_of_an_order_is_given_once(db: Database, game_id: int) -> None:
    """The moves that it has made name it, also when its owner was anonymised."""
    gone = 999
    await give(db, game_id, 1, user_id=gone)
    await move(db, game_id, 1, changes=OrderChanges(automatic=((2, 1),)))
    assert await personal_data.anonymise(db, gone, lambda where, text, who: text) == [game_id]
    assert await orders.all_orders(db, game_id) == []
    assert await orders.next_number(db, game_id) == 2


async def test_undo_gives_back_ended_orders(db: Database, game_id: int) -> None:
    """Those that have ended since; how they stood is kept, and given back with a redo."""
    await give(db, game_id, 1, 2, 3, 4)
    await end(db, game_id, 1, EndedOrder(1, "before", notified=True))
    await end(db, game_id, 2, EndedOrder(2, "after", notified=True), EndedOrder(4, "sold"))
    await orders.withdraw_order(db, game_id, 3, ANN)
    standing = {
        seq: [one.number for one in await orders.orders_standing_after(db, game_id, seq)] for seq in (1, 2, 3)
    }
    assert standing == {1: [1, 2, 4], 2: [2, 4], 3: []}
    await move(db, game_id, 3, undo(2), changes=OrderChanges(ended=(EndedOrder(4, "undone"),), back_to=2))
    stood = [EarlierOrderState(2, "stopped", "after", 3), EarlierOrderState(4, "stopped", "sold", 3)]
    assert await orders.states_before_undo(db, game_id, 4) == stood
    now = [("stopped", "before"), ("standing", None), ("withdrawn", None), ("stopped", "undone")]
    assert await states(db, game_id) == now
    await orders.withdraw_order(db, game_id, 2, ANN)
    await move(db, game_id, 4, changes=OrderChanges(earlier_states=tuple(stood)))
    now = [("stopped", "before"), ("withdrawn", None), ("withdrawn", None), ("stopped", "sold")]
    assert await states(db, game_id) == now


async def test_end_is_shown_once_to_its_owner(db: Database, game_id: int) -> None:
    """An order that needs no notification never has one."""
    await give(db, game_id, 1, 2)
    await give(db, game_id, 3, user_id=BOB)
    await end(
        db, game_id, 1, EndedOrder(1, "over"), EndedOrder(2, "done", notified=True), EndedOrder(3, "gone")
    )
    assert await owed(db, game_id) == [1]
    assert [one.why for one in await orders.take_unnotified_orders(db, game_id, ANN)] == ["over"]
    assert await orders.take_unnotified_orders(db, game_id, ANN) == []
    await orders.mark_not_notified(db, game_id, [1])
    assert [await owed(db, game_id), await owed(db, game_id, BOB)] == [[1], [3]]
    await orders.mark_notified(db, game_id, [1])
    assert [await owed(db, game_id), await owed(db, game_id, BOB)] == [[], [3]]
    # after an undo it may end again
    await move(db, game_id, 2, undo(1), changes=OrderChanges(back_to=1))
    await end(db, game_id, 3, EndedOrder(1, "again"))
    assert [(one.number, one.why) for one in await orders.unnotified_orders(db, game_id, ANN)] == [
        (1, "again")
    ]


async def test_direct_message_about_an_end(db: Database, game_id: int) -> None:
    """It is written once; sent, its user knows; where none can be sent it stays pending."""
    await give(db, game_id, 1)
    await give(db, game_id, 2, user_id=BOB)
    await end(db, game_id, 1, EndedOrder(1, "a"), EndedOrder(2, "b"))
    for _ in range(2):
        await orders.queue_message(db, game_id, ANN, [1], "It has ended.", NOW)
    stored = "SELECT number, notified FROM orders ORDER BY number"
    assert await db.rows(stored) == [(1, 2), (2, 0)], "as earlier releases have stored it"
    await orders.mark_notified(db, game_id, [1])
    assert await orders.take_unnotified_orders(db, game_id, ANN) == []
    await refused(db)
    assert await owed(db, game_id) == [1]
    await orders.queue_message(db, game_id, ANN, [1], "It has ended.", NOW)
    await direct_messages.mark_sent(db, await message(db), NOW, 1)
    assert [await owed(db, game_id), await owed(db, game_id, BOB)] == [[], [2]]


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


async def test_users_who_want_messages_are_owed_them(db: Database, game_id: int) -> None:
    """About games that run, in the shards asked about."""
    await give(db, game_id, 1)
    await end(db, game_id, 1, EndedOrder(1, "over"))
    await PERSON_SETTINGS.put(db, ANN, "language", "direct")
    assert await orders.users_to_notify(db) == []
    for how, wanted in (("thread", []), ("direct", [(game_id, ANN)]), ("both", [(game_id, ANN)])):
        await PERSON_SETTINGS.put(db, ANN, "how", how)
        assert await orders.users_to_notify(db) == wanted
    assert await orders.users_to_notify(db, SECOND) == []
    await orders.queue_message(db, game_id, ANN, [1], "It has ended.", NOW)
    assert await orders.users_to_notify(db) == []
    await refused(db)
    assert await orders.users_to_notify(db) == [(game_id, ANN)]
    await games.finish_game(db, game_id)
    assert await orders.users_to_notify(db) == []


async def test_orders_of_a_missing_game_are_refused(db: Database) -> None:
    for attempt in (
        give(db, 99, 1),
        orders.withdraw_order(db, 99, 1, ANN),
        orders.take_unnotified_orders(db, 99, ANN),
        orders.queue_message(db, 99, ANN, [], "It has ended.", NOW),
    ):
        with pytest.raises(NoSuchGame):
            await attempt
