"""Standing orders in store: private, numbered, changed only together with the moves they belong to."""

import pytest

from storage import Database, direct_messages, games, log, orders, outbox, personal_data
from storage.errors import NoSuchGame, StaleSequence
from storage.orders import Changes, Ended, Order, Stood
from storage.outbox import OutboxMessage
from storage.settings import PEOPLE
from storage.shards import ShardSet
from tests.storage.makers import Act, RunningGame

ANN, BOB = 100, 200
NOW = "2026-01-02T03:04:05Z"


def _order(number: int, user_id: int = ANN) -> Order:
    return Order(number, "p1", user_id, "{}", 0, NOW)


async def test_an_order_is_listed_to_its_owner_and_withdrawn_by_nobody_else(
    db: Database, running_game: RunningGame
) -> None:
    game = await running_game(db)
    assert await orders.next_number(db, game) == 1
    await orders.give(db, game, _order(1))
    await orders.give(db, game, _order(2, BOB))
    assert await orders.given_by(db, game, ANN) == [_order(1)]
    assert not await orders.withdraw(db, game, 1, BOB)
    assert await orders.withdraw(db, game, 1, ANN)
    assert not await orders.withdraw(db, game, 1, ANN)
    assert [one.number for one in await orders.standing(db, game)] == [2]
    assert await orders.next_number(db, game) == 3


async def test_the_number_of_an_order_that_has_acted_is_given_to_no_other_when_its_owner_is_forgotten(
    db: Database, running_game: RunningGame, act: Act
) -> None:
    """The moves that it has made name it."""
    game, gone = await running_game(db), 999
    await orders.give(db, game, _order(1, gone))
    await log.commit_move(db, game, 1, [act()], now=NOW, changes=Changes(automatic=((2, 1),)))
    assert await personal_data.anonymise(db, gone, lambda where, text, who: text) == [game]
    assert await orders.all_orders(db, game) == []
    assert await orders.next_number(db, game) == 2


async def test_what_becomes_of_orders_is_stored_with_the_move_or_not_at_all(
    db: Database, running_game: RunningGame, act: Act
) -> None:
    game = await running_game(db)
    await orders.give(db, game, _order(1))
    changes = Changes(given=(_order(2),), ended=(Ended(1, "The round is over"),), automatic=((2, 1),))
    with pytest.raises(StaleSequence):
        await log.commit_move(db, game, 5, [act()], now=NOW, changes=changes)
    assert [one.number for one in await orders.standing(db, game)] == [1]
    assert await orders.automatic_moves(db, game) == {}
    await log.commit_move(db, game, 1, [act()], now=NOW, changes=changes)
    assert [one.number for one in await orders.standing(db, game)] == [2]
    assert await orders.automatic_moves(db, game) == {2: 1}
    assert (await orders.given_by(db, game, ANN))[0].why == "The round is over"


async def test_an_undo_gives_back_what_has_ended_since_but_not_what_was_withdrawn(
    db: Database, running_game: RunningGame, act: Act
) -> None:
    game = await running_game(db)
    for number in (1, 2, 3):
        await orders.give(db, game, _order(number))
    await log.commit_move(db, game, 1, [act()], now=NOW, changes=Changes(ended=(Ended(1, "before"),)))
    await log.commit_move(db, game, 2, [act()], now=NOW, changes=Changes(ended=(Ended(2, "after"),)))
    await orders.withdraw(db, game, 3, ANN)
    undo = log.Entry("undo", log.undo_payload(2), "d", "p1", ANN)
    await log.commit_move(db, game, 3, [undo], now=NOW, changes=Changes(back_to=2))
    assert [(one.number, one.state) for one in await orders.given_by(db, game, ANN)] == [
        (1, "stopped"),
        (2, "standing"),
        (3, "withdrawn"),
    ]


async def test_how_orders_stood_before_an_undo_is_stored_and_given_back(
    db: Database, running_game: RunningGame, act: Act
) -> None:
    """Unless their owner has withdrawn them since."""
    game = await running_game(db)
    for number in (1, 2, 3):
        await orders.give(db, game, _order(number))
    ended = (Ended(1, "bought"), Ended(3, "sold"))
    await log.commit_move(db, game, 1, [act()], now=NOW, changes=Changes(ended=ended))
    undo = log.Entry("undo", log.undo_payload(1), "d", "p1", ANN)
    back = Changes(ended=(Ended(2, "undone"),), back_to=1)
    await log.commit_move(db, game, 2, [undo], now=NOW, changes=back)
    stood = await orders.before(db, game, 3)
    assert stood == [
        Stood(1, "stopped", "bought", 2),
        Stood(2, "standing", None, None),
        Stood(3, "stopped", "sold", 2),
    ]
    await orders.withdraw(db, game, 3, ANN)
    await log.commit_move(db, game, 3, [act()], now=NOW, changes=Changes(stand=tuple(stood)))
    assert [(one.state, one.why) for one in await orders.all_orders(db, game)] == [
        ("stopped", "bought"),
        ("standing", None),
        ("withdrawn", None),
    ]


async def test_the_end_of_an_order_is_shown_once_to_its_owner_alone(
    db: Database, running_game: RunningGame, act: Act
) -> None:
    """Pending notifications stay pending; an order that needs none never has one."""
    game = await running_game(db)
    for number in (1, 2, 3):
        await orders.give(db, game, _order(number, BOB if number == 3 else ANN))
    ends = (Ended(1, "over"), Ended(2, "done", notified=True), Ended(3, "gone"))
    await log.commit_move(db, game, 1, [act()], now=NOW, changes=Changes(ended=ends))
    assert [one.number for one in await orders.to_notify(db, game, ANN)] == [1]
    assert [one.why for one in await orders.notify(db, game, ANN)] == ["over"]
    assert await orders.notify(db, game, ANN) == []
    await orders.mark_not_notified(db, game, [1])
    assert [one.number for one in await orders.to_notify(db, game, ANN)] == [1]
    assert [one.number for one in await orders.to_notify(db, game, BOB)] == [3]


async def test_an_order_that_takes_the_place_of_another_is_stored_with_it(
    db: Database, running_game: RunningGame
) -> None:
    game = await running_game(db)
    await orders.give(db, game, _order(1))
    await orders.give(db, game, _order(2), (1,), seq=1, notices=[OutboxMessage("line", "1 of 3")])
    assert [(one.number, one.state) for one in await orders.all_orders(db, game)] == [
        (1, "withdrawn"),
        (2, "standing"),
    ]
    assert await outbox.waiting(db) == [game]


async def test_a_withdrawal_posts_nothing_unless_it_is_done(db: Database, running_game: RunningGame) -> None:
    game = await running_game(db)
    await orders.give(db, game, _order(1))
    assert not await orders.withdraw(
        db, game, 1, BOB, seq=1, notices=[OutboxMessage("line", "none")], now=NOW
    )
    assert await outbox.waiting(db) == []
    assert await orders.withdraw(db, game, 1, ANN, seq=1, notices=[OutboxMessage("line", "0 of 3")], now=NOW)
    assert await outbox.waiting(db) == [game]


async def test_the_direct_message_about_an_end_is_written_with_the_note_that_it_is(
    db: Database, running_game: RunningGame, act: Act
) -> None:
    """Only for users who want direct messages; sent, they know it; where none can be sent it stays pending."""
    game = await running_game(db)
    await orders.give(db, game, _order(1))
    await orders.give(db, game, _order(2, BOB))
    await log.commit_move(
        db, game, 1, [act()], now=NOW, changes=Changes(ended=(Ended(1, "a"), Ended(2, "b")))
    )
    assert await orders.owed(db) == []
    await PEOPLE.put(db, ANN, "how", "both")
    assert await orders.owed(db) == [(game, ANN)]
    await orders.write(db, game, ANN, [1], "It has ended.", NOW)
    await orders.write(db, game, ANN, [1], "It has ended.", NOW)
    stored = "SELECT number, notified FROM orders ORDER BY number"
    assert await db.rows(stored) == [(1, 2), (2, 0)], "as earlier releases have stored it"
    assert await orders.owed(db) == []
    (letter,) = await direct_messages.unsent(db)
    await db.write(lambda tx: direct_messages.closed(tx, letter))
    assert [one.number for one in await orders.to_notify(db, game, ANN)] == [1]
    await orders.write(db, game, ANN, [1], "It has ended.", NOW)
    (letter,) = await direct_messages.unsent(db)
    await direct_messages.sent(db, letter, NOW, 1)
    assert await orders.to_notify(db, game, ANN) == []
    assert [one.number for one in await orders.to_notify(db, game, BOB)] == [2]


async def test_an_end_that_one_message_has_is_not_sent_again_where_the_next_is_not_accepted(
    db: Database, running_game: RunningGame, act: Act
) -> None:
    game = await running_game(db)
    for number in (1, 2):
        await orders.give(db, game, _order(number))
        ended = Changes(ended=(Ended(number, "over"),))
        await log.commit_move(db, game, number, [act()], now=NOW, changes=ended)
        await orders.write(db, game, ANN, [number], "It has ended.", NOW)
        (letter,) = await direct_messages.unsent(db)
        if number == 1:
            await direct_messages.sent(db, letter, NOW, 1)
    await db.write(lambda tx: direct_messages.closed(tx, letter))
    assert [one.number for one in await orders.to_notify(db, game, ANN)] == [2]


async def test_an_end_that_an_answer_shows_is_that_of_one_game_alone(
    db: Database, running_game: RunningGame, act: Act
) -> None:
    """Each game numbers its orders from 1."""
    both = [await running_game(db) for _ in range(2)]
    for game in both:
        for number in (1, 2):
            await orders.give(db, game, _order(number))
        ended = Changes(ended=(Ended(1, "over"), Ended(2, "over")))
        await log.commit_move(db, game, 1, [act()], now=NOW, changes=ended)
    await orders.mark_notified(db, both[0], [1])
    left = [[one.number for one in await orders.to_notify(db, game, ANN)] for game in both]
    assert left == [[2], [1, 2]]


async def test_orders_of_a_game_that_is_not_there_are_refused(db: Database) -> None:
    for attempt in (
        orders.give(db, 99, _order(1)),
        orders.withdraw(db, 99, 1, ANN),
        orders.notify(db, 99, ANN),
        orders.write(db, 99, ANN, [], "It has ended.", NOW),
    ):
        with pytest.raises(NoSuchGame):
            await attempt


async def test_orders_that_would_stand_are_those_that_ended_after_a_row(
    db: Database, running_game: RunningGame, act: Act
) -> None:
    """With those that stand; what was withdrawn stays so."""
    game = await running_game(db)
    for number in (1, 2, 3, 4):
        await orders.give(db, game, _order(number))
    for number, seq in ((1, 1), (2, 2)):
        ended = Changes(ended=(Ended(number, "over"),))
        await log.commit_move(db, game, seq, [act()], now=NOW, changes=ended)
    await orders.withdraw(db, game, 4, ANN)
    found = {seq: [one.number for one in await orders.standing_after(db, game, seq)] for seq in (1, 2, 3)}
    assert found == {1: [1, 2, 3], 2: [2, 3], 3: [3]}


async def test_an_undo_leaves_the_ends_of_earlier_rows_alone(
    db: Database, running_game: RunningGame, act: Act
) -> None:
    """What became of an order with the row that the game goes back to stays; its owner hears anew of the others."""
    game = await running_game(db)
    for number in (1, 2):
        await orders.give(db, game, _order(number))
        ended = Changes(ended=(Ended(number, "over", notified=True),))
        await log.commit_move(db, game, number, [act()], now=NOW, changes=ended)
    undo = log.Entry("undo", log.undo_payload(2), "d", "p1", ANN)
    await log.commit_move(db, game, 3, [undo], now=NOW, changes=Changes(back_to=2))
    assert await orders.before(db, game, 4) == [Stood(2, "stopped", "over", 3)]
    assert [(one.state, one.why) for one in await orders.all_orders(db, game)] == [
        ("stopped", "over"),
        ("standing", None),
    ]
    await log.commit_move(db, game, 4, [act()], now=NOW, changes=Changes(ended=(Ended(2, "again"),)))
    assert [(one.number, one.why) for one in await orders.to_notify(db, game, ANN)] == [(2, "again")]


async def test_only_users_who_want_direct_messages_are_owed_one(
    db: Database, running_game: RunningGame, act: Act
) -> None:
    """About games that run, in the shards asked about."""
    game = await running_game(db)
    await orders.give(db, game, _order(1))
    await log.commit_move(db, game, 1, [act()], now=NOW, changes=Changes(ended=(Ended(1, "over"),)))
    await PEOPLE.put(db, ANN, "language", "direct")
    for how, owed in (("thread", []), ("direct", [(game, ANN)]), ("both", [(game, ANN)])):
        await PEOPLE.put(db, ANN, "how", how)
        assert await orders.owed(db) == owed
    assert await orders.owed(db, ShardSet((1,), 2)) == []
    await games.finish(db, game)
    assert await orders.owed(db) == []


async def test_a_direct_message_names_all_ends_or_is_not_written(
    db: Database, running_game: RunningGame, act: Act
) -> None:
    game = await running_game(db)
    for number in (1, 2):
        await orders.give(db, game, _order(number))
    await log.commit_move(db, game, 1, [act()], now=NOW, changes=Changes(ended=(Ended(1, "over"),)))
    await orders.write(db, game, ANN, [1, 2], "Both have ended.", NOW)
    assert await direct_messages.unsent(db) == []
    await orders.write(db, game, ANN, [1], "One has ended.", NOW)
    assert [one.text for one in await direct_messages.unsent(db)] == ["One has ended."]
    await orders.mark_notified(db, game, [1])
    assert await orders.notify(db, game, ANN) == []
    (letter,) = await direct_messages.unsent(db)
    await db.write(lambda tx: direct_messages.closed(tx, letter))
    assert [one.number for one in await orders.notify(db, game, ANN)] == [1]
