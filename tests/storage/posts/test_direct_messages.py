"""Direct messages: queued, sent once, stale once their user has acted, and deleted."""

import pytest

from storage import Database, clocks, direct_messages, games, pings
from storage.clocks import Pause
from storage.direct_messages import DirectMessage, WantedPing
from storage.pings import Ping
from storage.shards import ShardSet
from tests.storage.makers import ANN, BOB, LATER, SECOND, running_game
from tests.storage.posts.pinging import NOW, ping, put, queue, send, turn, ways


async def pinging(db: Database, *, guild_id: int = 10) -> int:
    """A game in which Ann and Bob must act, and are to be pinged by direct messages."""
    game = await running_game(db, guild_id=guild_id)
    await put(db, game, turn("12", None, "12"))
    for number, user in enumerate((ANN, BOB)):
        await ping(db, game, user, number, thread="no", direct="pending")
    return game


@pytest.fixture
async def game(db: Database) -> int:
    return await pinging(db)


async def test_users_to_ping_are_listed(db: Database, game: int) -> None:
    other = await pinging(db)
    await pings.mute_game(db, other, BOB)
    ann, bob = Ping("p1", ANN, 0, "no", "pending"), Ping("p2", BOB, 0, "no", "pending")
    assert await direct_messages.wanted_pings(db) == {
        ANN: [WantedPing(game, ann), WantedPing(other, ann)],
        BOB: [WantedPing(game, bob)],
    }
    assert await direct_messages.wanted_pings(db, SECOND) == {}
    await games.finish_game(db, game)
    assert await direct_messages.wanted_pings(db) == {ANN: [WantedPing(other, ann)]}


async def test_message_pings_its_user_alone(db: Database, game: int) -> None:
    """No other message does so for the same, unless it is dropped."""
    message = await queue(db, ANN, (game, "p1"))
    assert message == DirectMessage(message.id, game, ANN, "Your move", ((game, "p1"),), NOW)
    assert await ways(db, game) == [("no", "queued"), ("no", "pending")]
    assert list(await direct_messages.wanted_pings(db)) == [BOB]
    await direct_messages.withdraw_message(db, message)
    assert await ways(db, game) == [("no", "pending"), ("no", "pending")]
    assert await direct_messages.unsent_messages(db) == []
    await direct_messages.mark_message_not_needed(db, BOB, [(game, "p2")])
    assert await ways(db, game) == [("no", "pending"), ("no", "queued")]


async def test_messages_wait_in_order(db: Database, game: int) -> None:
    first, second = await queue(db, ANN), await queue(db, BOB)
    assert await direct_messages.unsent_messages(db) == [first, second]
    assert await direct_messages.unsent_messages(db, SECOND) == []
    await direct_messages.mark_sent(db, first, NOW, 71)
    assert await direct_messages.unsent_messages(db) == [second]
    assert await direct_messages.messages_of_user(db, ANN) == [], "it pings nobody"


async def test_muted_user_is_pinged_nowhere(db: Database, game: int) -> None:
    """Not even where a message was queued before, and cannot be sent or is not accepted."""
    await pings.mute_game(db, game, ANN)
    message = await queue(db, ANN, (game, "p1"))
    await direct_messages.withdraw_message(db, message)
    assert list(await direct_messages.wanted_pings(db)) == [BOB]
    await db.write(lambda tx: direct_messages.mark_direct_messages_closed(tx, message))
    assert await ways(db, game) == [("no", "queued"), ("no", "pending")]


async def outdated(db: Database, *share: ShardSet) -> list[int]:
    return [one.message_id for one in await direct_messages.stale_messages(db, *share)]


async def test_message_is_stale_once_all_is_done(db: Database, game: int) -> None:
    """Or where nobody has to act any more."""
    other, over, paused, goes_on = [await pinging(db) for _ in range(4)]
    await send(db, ANN, (game, "p1"), (other, "p1"), message_id=71)
    await send(db, BOB, (game, "p2"), message_id=72)
    await put(db, game, turn("", "1", "2"))
    assert await outdated(db) == []
    await put(db, other, turn("", "1", "2"))
    assert await outdated(db) == [71]
    for number, without in enumerate((over, paused, goes_on)):
        await send(db, ANN, (without, "p1"), message_id=number)
    await games.finish_game(db, over)
    await clocks.start_pause(db, paused, Pause(ANN, None, NOW), seq=1, notices=[])
    assert sorted(await outdated(db)) == [0, 1, 71]


async def test_message_goes_with_its_first_game(db: Database) -> None:
    """Two processes have divided the servers; the later message is about a server of the second."""
    first, second = [await pinging(db, guild_id=shard << 22) for shard in (0, 1)]
    await send(db, ANN, (first, "p1"), (second, "p1"), message_id=71)
    await put(db, first, turn("", "1", "1"))
    assert await outdated(db) == []
    await send(db, ANN, (second, "p1"), message_id=72)
    assert (await outdated(db, SECOND), await outdated(db, ShardSet((0,), 2))) == ([], [71])
    assert [one.message_id for one in await direct_messages.messages_of_user(db, ANN, 1 << 22)] == [72]
    assert len(await direct_messages.messages_of_user(db, ANN)) == 2


async def test_sent_messages_are_forgotten(db: Database, game: int) -> None:
    """But for those that a user still has."""
    await send(db, ANN, (game, "p1"), message_id=71)
    for at in (LATER, NOW):
        await direct_messages.mark_sent(db, await queue(db, ANN), at, 72)
    waits = await queue(db, ANN)
    assert await direct_messages.delete_sent_before(db, LATER) == 1
    assert await direct_messages.unsent_messages(db) == [waits]
    left = [(71, NOW), (None, LATER), (None, None)]
    assert await db.rows("SELECT message_id, sent_at FROM direct_messages ORDER BY id") == left
