"""Direct messages in store: queued, sent once, stale once their user has acted, and deleted."""

import pytest

from storage import Database, clocks, direct_messages, games, outbox, pings
from storage.clocks import Pause
from storage.direct_messages import DirectMessage, Posted, WantedPing
from storage.outbox import OutboxMessage
from storage.pings import NotificationChanges, Ping, PingStep
from storage.shards import ShardSet
from tests.storage.makers import RunningGame

NOW, LATER = "2026-01-02T03:04:05.000+00:00", "2026-02-03T04:05:06.000+00:00"
ANN, BOB = 100, 200


async def turn(db: Database, game: int, *players: tuple[str, int]) -> None:
    """These are to act, and to be pinged by direct messages."""
    names = tuple(player for player, _ in players)
    await outbox.put(db, game, 1, [OutboxMessage("turn", "{}", NotificationChanges(names, None, names))], NOW)
    found = {one.player_id: one for one in (await pings.of_game(db, game))[0]}
    for player, user in players:
        step = PingStep(found[player], 1, NOW, LATER, (Ping(player, user, 0, "no", "pending"),))
        assert await db.write(lambda tx, taken=step: pings.step(tx, game, taken))  # type: ignore[misc]


async def queue(db: Database, user: int, *about: tuple[int, str], game: int = 1) -> DirectMessage:
    """A message to a user about these games and players."""
    await db.write(lambda tx: direct_messages.write(tx, user, "Your move", about, game, NOW))
    return (await direct_messages.unsent(db))[-1]


async def sent(db: Database, user: int, *about: tuple[int, str], message_id: int) -> None:
    """A message that a user has."""
    await direct_messages.sent(db, await queue(db, user, *about, game=about[0][0]), NOW, message_id)


async def ways(db: Database, game: int) -> list[tuple[str, str]]:
    """How the users of a game are pinged: in the thread, and by direct messages."""
    return [(one.thread, one.direct) for one in (await pings.of_game(db, game))[1]]


async def test_users_to_be_pinged_are_listed_with_all_that_waits_for_them(
    db: Database, running_game: RunningGame
) -> None:
    first, second = await running_game(db), await running_game(db)
    await turn(db, second, ("p1", ANN), ("p2", BOB))
    await turn(db, first, ("p1", ANN))
    ann, bob = Ping("p1", ANN, 0, "no", "pending"), Ping("p2", BOB, 0, "no", "pending")
    assert await direct_messages.wanted(db) == {
        ANN: [WantedPing(first, ann), WantedPing(second, ann)],
        BOB: [WantedPing(second, bob)],
    }
    assert await direct_messages.wanted(db, ShardSet((1,), 2)) == {}
    await games.finish(db, second)
    assert await direct_messages.wanted(db) == {ANN: [WantedPing(first, ann)]}


async def test_a_message_pings_its_user_and_nobody_else(db: Database, running_game: RunningGame) -> None:
    game = await running_game(db)
    await turn(db, game, ("p1", ANN), ("p2", BOB))
    message = await queue(db, ANN, (game, "p1"))
    assert message == DirectMessage(message.id, game, ANN, "Your move", ((game, "p1"),), NOW)
    assert await ways(db, game) == [("no", "queued"), ("no", "pending")]
    await direct_messages.take_back(db, message)
    assert await ways(db, game) == [("no", "pending"), ("no", "pending")]
    await direct_messages.not_wanted(db, BOB, [(game, "p2")])
    assert await ways(db, game) == [("no", "pending"), ("no", "queued")]


async def test_what_is_queued_is_listed_in_order_until_it_was_sent(
    db: Database, running_game: RunningGame
) -> None:
    game = await running_game(db)
    first, second = await queue(db, ANN, game=game), await queue(db, BOB, game=game)
    assert await direct_messages.unsent(db) == [first, second]
    assert await direct_messages.unsent(db, ShardSet((1,), 2)) == []
    await direct_messages.sent(db, first, NOW, 71)
    assert await direct_messages.unsent(db) == [second]
    assert await direct_messages.posted_to(db, ANN) == [], "it pings nobody"


@pytest.mark.parametrize("thread", ["no", "pinged"])
async def test_who_takes_no_messages_is_pinged_in_the_thread_unless_they_were(
    db: Database, running_game: RunningGame, thread: str
) -> None:
    """Others are pinged as before."""
    game = await running_game(db)
    await turn(db, game, ("p1", ANN), ("p2", BOB))
    await db.write(lambda tx: tx.run("UPDATE pings SET thread = ?", thread))
    message = await queue(db, ANN, (game, "p1"))
    await db.write(lambda tx: direct_messages.closed(tx, message))
    then = "pending" if thread == "no" else "pinged"
    assert [one for one, _ in await ways(db, game)] == [then, thread]


async def test_a_message_is_stale_once_its_user_has_acted_in_all_that_it_is_about(
    db: Database, running_game: RunningGame
) -> None:
    first, second = await running_game(db), await running_game(db)
    for game in (first, second):
        await turn(db, game, ("p1", ANN), ("p2", BOB))
    await sent(db, ANN, (first, "p1"), (second, "p1"), message_id=71)
    await sent(db, BOB, (first, "p2"), message_id=72)
    acted = [OutboxMessage("turn", "{}", NotificationChanges((), "p1", ("p2",)))]
    await outbox.put(db, first, 2, acted, NOW)
    assert await direct_messages.outdated(db) == []
    await outbox.put(db, second, 2, acted, NOW)
    assert [(one.user_id, one.message_id) for one in await direct_messages.outdated(db)] == [(ANN, 71)]


async def test_messages_are_stale_where_a_game_is_over_or_pauses(
    db: Database, running_game: RunningGame
) -> None:
    over, paused, goes_on = [await running_game(db) for _ in range(3)]
    for number, game in enumerate((over, paused, goes_on)):
        await turn(db, game, ("p1", ANN))
        await sent(db, ANN, (game, "p1"), message_id=number)
    await games.finish(db, over)
    await clocks.start_pause(db, paused, Pause(ANN, None, NOW), seq=1, notices=[])
    assert [one.message_id for one in await direct_messages.outdated(db)] == [1, 0]


async def test_a_later_message_about_the_same_replaces_an_earlier_one(
    db: Database, running_game: RunningGame
) -> None:
    game = await running_game(db)
    await turn(db, game, ("p1", ANN))
    for message in (71, 72):
        await sent(db, ANN, (game, "p1"), message_id=message)
    [stale] = await direct_messages.outdated(db)
    assert stale == Posted(stale.dm_id, ANN, 71)
    await direct_messages.gone(db, stale.dm_id)
    assert await direct_messages.outdated(db) == []
    assert [one.message_id for one in await direct_messages.posted_to(db, ANN)] == [72]
    assert await direct_messages.posted_to(db, BOB) == []


async def test_what_a_user_still_has_is_not_forgotten_and_neither_is_what_waits(
    db: Database, running_game: RunningGame
) -> None:
    game = await running_game(db)
    await turn(db, game, ("p1", ANN))
    await sent(db, ANN, (game, "p1"), message_id=71)
    await direct_messages.sent(db, await queue(db, ANN, game=game), LATER, 72)
    await direct_messages.sent(db, await queue(db, ANN, game=game), NOW, 73)
    waits = await queue(db, ANN, game=game)
    assert await direct_messages.forget_sent(db, LATER) == 1
    assert await direct_messages.unsent(db) == [waits]
    assert await db.rows("SELECT message_id, sent_at FROM direct_messages ORDER BY id") == [
        (71, NOW),
        (None, LATER),
        (None, None),
    ]
