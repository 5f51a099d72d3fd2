"""Pings: each player is pinged once and reminded later; steps are stored in one transaction."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple, TypeAlias

from bot.table.live import LiveGame, chosen_settings, pending_notifications
from bot.table.markdown import discord_time, strong
from bot.table.orders.sealed_auction import waited_for
from bot.table.outbox.notices import ThreadPing, TurnChange
from bot.table.settings.person_settings import (
    PersonSettings,
    end_of_waking_time,
    for_moderators,
    person_settings,
    reminder_gap,
)
from bot.table.settings.server_settings import moderator_role
from bot.table.settings.table_settings import REMINDERS
from bot.table.tables import Tables
from storage import (
    GUILDS,
    Database,
    GameRow,
    Notification,
    OutboxMessage,
    Ping,
    StorageError,
    Transaction,
    format_timestamp,
    games,
    log,
    outbox,
    parse_timestamp,
    pings,
)

_log = logging.getLogger("stationmaster.pings")

PING_AFTER: Final = timedelta(seconds=30)
"""Time before a player on turn is pinged."""
WAITING: Final = timedelta(hours=1)
"""When a game is looked at again that could not be read, or in which no move is taken."""
UNSEEN: Final = timedelta(minutes=1)
"""When a game is looked at again whose thread could not show a move."""

Shows: TypeAlias = Callable[[GameRow], Awaitable[bool]]
"""Returns whether the thread of a game could show a move; where it could not, moves are refused."""

People: TypeAlias = dict[int, PersonSettings]
"""The users who are asked for a seat, by their numbers."""


async def _always(_: GameRow) -> bool:
    return True


class Pings(NamedTuple):
    """The users named in a turn message, and those notified now."""

    named: tuple[Ping, ...] = ()
    now: tuple[Ping, ...] = ()


async def take_due_steps(tables: Tables, after: timedelta = PING_AFTER, shows: Shows = _always) -> None:
    """Take every due step of these shards."""
    now = _now(tables)
    for game_id in await pings.games_with_due_pings(
        tables.db, format_timestamp(now), format_timestamp(now - after), tables.share
    ):
        try:
            await _look_at(tables, game_id, after, shows)
        except StorageError as error:
            _log.warning("game %s: ping postponed: %s", game_id, error)
        except Exception as error:  # noqa: BLE001 - whatever is wrong there keeps no other table waiting
            _log.warning("game %s: ping failed", game_id, exc_info=error)
            await _later(tables.db, game_id, now + WAITING)


async def pings_of_turn(tables: Tables, live: LiveGame, after: timedelta = PING_AFTER) -> Pings:
    """The pings of the turn message to be posted; raises StorageError."""
    if live.move_obstacle(tables.clock()) is not None:
        return Pings()
    notifications, found = await _notifications(tables, live)
    if due := _due(notifications, _now(tables), after):
        if await _take_step(tables, live, due, found, announced=()):
            tables.on_notice(live.id)
        _, found = await pings.notifications_of_game(tables.db, live.id)
    mine = [one for one in found if one.thread != "no" and one.user_id in live.people_of(one.player_id)]
    unposted = [notification for notification in mine if notification.thread == "pending"]
    put_off = [posting for posting in unposted if not await _may_be_pinged(tables, live, posting)]
    named = tuple(notification for notification in mine if notification not in put_off)
    return Pings(named, tuple(posting for posting in named if posting.thread == "pending"))


async def _may_be_pinged(tables: Tables, live: LiveGame, ping: Ping) -> bool:
    """True if a user may still be pinged now; in quiet hours the ping is postponed."""
    now, person = _now(tables), await person_settings(tables.db, ping.user_id)
    free = person.free(now)
    if free > now:
        await pings.postpone(tables.db, live.id, ping, format_timestamp(free))
    return free <= now


async def _look_at(tables: Tables, game_id: int, after: timedelta, shows: Shows) -> None:
    if not await shows(await games.get_game(tables.db, game_id)):
        await _later(tables.db, game_id, _now(tables) + UNSEEN)
        return
    async with tables.reading(game_id) as live:
        if live.move_obstacle(tables.clock()) is not None:
            # The player on turn is pinged anew when the game resumes.
            await _later(tables.db, game_id, _now(tables) + WAITING)
            return
        notifications, pinged = await _notifications(tables, live)
        due = _due(notifications, _now(tables), after)
        # Posted anew, the turn message pings everybody who is due.
        announced = [TurnChange((), None).notice()]
        changed = bool(due) and await _take_step(tables, live, due, pinged, announced)
    if changed:
        tables.on_notice(game_id)


async def _notifications(tables: Tables, live: LiveGame) -> tuple[list[Notification], list[Ping]]:
    """The valid pending notifications with pings; others are corrected."""
    notifications, pinged = await pending_notifications(tables.db, live)
    acting = await waited_for(tables.db, live)
    if {notification.player_id for notification in notifications} == set(acting):
        return notifications, pinged
    fitting, now = pings.NotificationChanges((), None, acting), tables.clock()
    await tables.db.write(lambda tx: fitting.write(tx, live.id, live.seq, now))
    live.cached_rows = None
    return await pings.notifications_of_game(tables.db, live.id)


async def _take_step(
    tables: Tables,
    live: LiveGame,
    due: Sequence[Notification],
    current_pings: Sequence[Ping],
    announced: Sequence[OutboxMessage],
) -> bool:
    """Take the next step of each due notification; True if it posts anything."""
    pace, now = (await chosen_settings(tables.db, live))[REMINDERS.name], _now(tables)
    taken = []
    for notification in due:
        done = [player for player in current_pings if player.player_id == notification.player_id]
        asked = {
            user: await person_settings(tables.db, user) for user in live.people_of(notification.player_id)
        }
        # Of several, those who are present do not wait for the absent.
        people = {user: one for user, one in asked.items() if not one.is_away(now)} or asked
        taken.append(next_step(notification, done, people, pace, now))
    pings_thread = any(one.thread == "pending" for step in taken for one in step.pinged)
    warnings = [await _warning(tables.db, live, step) for step in taken if _warns(step, pace)]
    return await _store(tables, live, taken, [*warnings, *(announced if pings_thread else ())])


async def _store(
    tables: Tables, live: LiveGame, taken: Sequence[pings.PingStep], announced: Sequence[OutboxMessage]
) -> bool:
    async def change(tx: Transaction) -> bool:
        await games.lock_and_read(tx, live.id)
        if await log.newest_seq(tx, live.id) != live.seq:
            return False  # another process has moved it on
        stepped = [await pings.store_step(tx, live.id, ping) for ping in taken]
        posts = announced if any(stepped) else ()
        await outbox.add_notices(tx, live.id, live.seq, posts, tables.clock())
        return bool(posts)

    live.cached_rows = None
    return await tables.db.write(change)


async def _warning(db: Database, live: LiveGame, step: pings.PingStep) -> OutboxMessage:
    role = await moderator_role(db, live.row.guild_id)
    since = discord_time(parse_timestamp(step.before.since))
    text = (
        f"This game has waited for {strong(live.name_of(step.before.player_id))} since {since}. "
        "Moderators: `/mod act` makes the move, `/mod replace` gives the seat to another member or the computer. "
        "Players: `/game agreement` and `/game replace` propose the same."
    )
    return ThreadPing((), text, role).notice()


async def _later(db: Database, game_id: int, at: datetime) -> None:
    notifications, _ = await pings.notifications_of_game(db, game_id)

    async def change(tx: Transaction) -> None:
        for one in notifications:
            await pings.store_step(tx, game_id, _unchanged(one, format_timestamp(at)))

    await db.write(change)


def _now(tables: Tables) -> datetime:
    return parse_timestamp(tables.clock())


# --- one step --------------------------------------------------------------------------------------------------------


def is_due(notification: Notification, now: datetime, after: timedelta = PING_AFTER) -> bool:
    """True if a notification's next step is due; the first is due `after` its start."""
    pinged = notification.stage > 0 or notification.since <= format_timestamp(now - after)
    return notification.due_at is not None and notification.due_at <= format_timestamp(now) and pinged


def _due(notifications: Sequence[Notification], now: datetime, after: timedelta) -> list[Notification]:
    return [notification for notification in notifications if is_due(notification, now, after)]


def next_step(
    notification: Notification, current_pings: Sequence[Ping], people: People, pace: str, now: datetime
) -> pings.PingStep:
    """The next step of a notification: pings as soon as allowed, then reminders."""
    if notification.stage > 0:
        return _remind(notification, current_pings, people, pace, now)
    done = {player.user_id for player in current_pings}
    free = {user: person.free(now) for user, person in people.items() if user not in done}
    new = tuple(_pinged(notification, user, people[user]) for user, at in free.items() if at <= now)
    later = [at for at in free.values() if at > now]
    if later:
        return _unchanged(notification, format_timestamp(min(later)), new)
    return pings.PingStep(notification, 1, format_timestamp(now), _next_due_time(now, people, pace, 1), new)


def _remind(
    notification: Notification, current_pings: Sequence[Ping], people: People, pace: str, now: datetime
) -> pings.PingStep:
    """The reminders of users who want them, if it is time."""
    ready = _next_due_time(parse_timestamp(notification.at), people, pace, notification.stage)
    if ready is None or ready > format_timestamp(now):
        return _unchanged(notification, ready)
    muted = {player.user_id for player in current_pings if player.muted}
    wanting = [user for user, person in people.items() if user not in muted and person.reminders]
    wants = [] if for_moderators(pace, notification.stage) else wanting
    free = {user: people[user].free(now) for user in wants}
    new = tuple(_pinged(notification, user, people[user]) for user, at in free.items() if at <= now)
    if free and not new:
        return _unchanged(notification, format_timestamp(min(free.values())))
    stage = notification.stage + 1
    return pings.PingStep(
        notification, stage, format_timestamp(now), _next_due_time(now, people, pace, stage), new
    )


def _unchanged(notification: Notification, due_at: str | None, new: tuple[Ping, ...] = ()) -> pings.PingStep:
    """The same stage with another due time."""
    return pings.PingStep(notification, notification.stage, notification.at, due_at, new)


def _pinged(notification: Notification, user: int, person: PersonSettings) -> Ping:
    thread: pings.Thread = "no" if person.how == "direct" else "pending"
    direct: pings.Direct = "no" if person.how == "thread" else "pending"
    return Ping(notification.player_id, user, notification.stage, thread, direct)


def _next_due_time(since: datetime, people: People, pace: str, stage: int) -> str | None:
    span = reminder_gap(pace, stage)
    if span is None or not people:
        return None
    return format_timestamp(min(end_of_waking_time(since, span, person) for person in people.values()))


def _warns(step: pings.PingStep, pace: str) -> bool:
    return step.stage > step.before.stage and for_moderators(pace, step.before.stage)


async def pings_quietly(db: Database, guild_id: int) -> bool:
    """True if the next player is pinged silently."""
    return await GUILDS.get(db, guild_id, "pings") == "quiet"
