"""Players who must act, and what their users were pinged by."""

from storage import Database, direct_messages, outbox, pings
from storage.direct_messages import DirectMessage
from storage.outbox import OutboxMessage
from storage.pings import Notification, NotificationChanges, Ping, PingStep
from tests.storage.makers import ANN

EARLY, NOW, LATE = (f"2026-01-02T{hour:02}:00:00.000+00:00" for hour in (3, 5, 23))


def turn(fresh: str, mover: str | None = None, acting: str | None = None) -> NotificationChanges:
    named = tuple(f"p{number}" for number in fresh)
    left = None if acting is None else tuple(f"p{number}" for number in acting)
    return NotificationChanges(named, f"p{mover}" if mover else None, left)


async def put(db: Database, game: int, *changes: NotificationChanges, now: str = NOW) -> None:
    """They change, one after the other."""
    for number, notifications in enumerate(changes):
        await outbox.queue_notices(db, game, number, [OutboxMessage("turn", "{}", notifications)], now)


async def notifications(db: Database, game: int) -> list[Notification]:
    return (await pings.notifications_of_game(db, game))[0]


async def ways(db: Database, game: int) -> list[tuple[str, str]]:
    return [(one.thread, one.direct) for one in (await pings.notifications_of_game(db, game))[1]]


async def ping(db: Database, game: int, user: int = ANN, number: int = 0, **by: object) -> Ping:
    """The user is pinged for this notification of the game: in the thread, if nothing else is said."""
    before = (await notifications(db, game))[number]
    one = Ping(before.player_id, user, before.stage, **{"thread": "pending", "direct": "no", **by})  # type: ignore[arg-type]
    step = PingStep(before, before.stage + 1, NOW, LATE, (one,))
    assert await db.write(lambda tx: pings.store_ping_step(tx, game, step))
    return one


async def queue(db: Database, user: int, *about: tuple[int, str], game: int = 1) -> DirectMessage:
    """A direct message to a user about these games and players."""
    await db.write(lambda tx: direct_messages.queue_message(tx, user, "Your move", about, game, NOW))
    return (await direct_messages.unsent_messages(db))[-1]


async def send(db: Database, user: int, *about: tuple[int, str], message_id: int) -> None:
    """A direct message that the user has."""
    message = await queue(db, user, *about, game=about[0][0])
    await direct_messages.mark_sent(db, message, NOW, message_id)
