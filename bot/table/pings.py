"""Pings: when a player's turn begins, the player is pinged once, and later reminded.

A pending notification is a database row for a player who must act. Its stages are the ping and each reminder. Each
stage is stored in one transaction with the notices that post it.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple, TypeAlias

from bot.table.live import LiveGame, chosen_settings
from bot.table.markdown import discord_time, strong
from bot.table.orders.sealed_auction import players_who_must_act
from bot.table.outbox.notices import ThreadPing, TurnChange
from bot.table.settings.person_settings import (
    PersonSettings,
    end_of_waking_time,
    is_moderator_stage,
    person_settings,
    reminder_gap,
)
from bot.table.settings.server_settings import moderator_role
from bot.table.settings.table_settings import REMINDERS
from bot.table.tables import Tables
from storage import (
    GUILD_SETTINGS,
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

PING_DELAY: Final = timedelta(seconds=30)
"""Time from the start of a turn to the ping."""
RETRY_DELAY: Final = timedelta(hours=1)
"""Time until the next attempt if pinging failed, or if no move is possible now, as in a pause."""
UNSHOWN_GAME_RETRY_DELAY: Final = timedelta(minutes=1)
"""Time until the next attempt if the game's thread cannot show moves."""

CanShowMove: TypeAlias = Callable[[GameRow], Awaitable[bool]]
"""A function that returns True if the game's thread can show moves. If it cannot, moves are refused."""

SettingsByUser: TypeAlias = dict[int, PersonSettings]
"""Personal settings of the users to ping, by user id."""


async def _can_always_show(_: GameRow) -> bool:
    return True


class TurnPings(NamedTuple):
    """The pings of a turn message: those that it shows (`shown_pings`), and those among them to send now (`now`)."""

    shown_pings: tuple[Ping, ...] = ()
    now: tuple[Ping, ...] = ()


async def send_due_pings(
    tables: Tables, thread_delay: timedelta = PING_DELAY, can_show_moves: CanShowMove = _can_always_show
) -> None:
    """Send all pings and reminders that are due in games of this process's shards."""
    now = _current_time(tables)
    for game_id in await pings.games_with_due_pings(
        tables.db, format_timestamp(now), format_timestamp(now - thread_delay), tables.shards
    ):
        try:
            await _send_pings_of_game(tables, game_id, thread_delay, can_show_moves)
        except StorageError as error:
            _log.warning("game %s: ping postponed: %s", game_id, error)
        except Exception as error:  # noqa: BLE001 - a failure in one game must not stop the others
            _log.warning("game %s: ping failed", game_id, exc_info=error)
            await _postpone_pings(tables.db, game_id, now + RETRY_DELAY)


async def pings_of_turn(
    tables: Tables,
    live: LiveGame,
    notifications_and_pings: pings.NotificationsAndPings,
    thread_delay: timedelta = PING_DELAY,
) -> TurnPings:
    """The pings for the turn message that is about to be posted. Pings that are due are stored first.

    `notifications_and_pings` are the notifications and pings of the game as stored. Raises StorageError.
    """
    if live.move_obstacle(tables.clock()) is not None:
        return TurnPings()
    notifications, current_pings = await _corrected_notifications(tables, live, notifications_and_pings)
    if due_notifications := _due_notifications(notifications, _current_time(tables), thread_delay):
        if await _send_next_pings(tables, live, due_notifications, current_pings, turn_notices=()):
            tables.on_notice(live.id)
        _, current_pings = await pings.notifications_of_game(tables.db, live.id)
    turn_pings = [
        current_ping
        for current_ping in current_pings
        if current_ping.thread != "no" and current_ping.user_id in live.users_to_ping(current_ping.player_id)
    ]
    unposted_pings = [ping for ping in turn_pings if ping.thread == "pending"]
    postponed_pings = [ping for ping in unposted_pings if not await _may_be_pinged(tables, live, ping)]
    shown_pings = tuple(ping for ping in turn_pings if ping not in postponed_pings)
    return TurnPings(shown_pings, tuple(ping for ping in shown_pings if ping.thread == "pending"))


async def _may_be_pinged(tables: Tables, live: LiveGame, ping: Ping) -> bool:
    """True if this user may be pinged now. If not, the ping is postponed."""
    now, person = _current_time(tables), await person_settings(tables.db, ping.user_id, live.row.guild_id)
    next_ping_at = person.next_ping_time(now)
    if next_ping_at > now:
        await pings.postpone_ping(tables.db, live.id, ping, format_timestamp(next_ping_at))
    return next_ping_at <= now


async def _send_pings_of_game(
    tables: Tables, game_id: int, thread_delay: timedelta, can_show_moves: CanShowMove
) -> None:
    if not await can_show_moves(await games.get_game(tables.db, game_id)):
        await _postpone_pings(tables.db, game_id, _current_time(tables) + UNSHOWN_GAME_RETRY_DELAY)
        return
    async with tables.reading(game_id) as live:
        if live.move_obstacle(tables.clock()) is not None:
            # When the game resumes, the player on turn is pinged again.
            await _postpone_pings(tables.db, game_id, _current_time(tables) + RETRY_DELAY)
            return
        pending = await pings.notifications_of_game(tables.db, live.id)
        notifications, current_pings = await _corrected_notifications(tables, live, pending)
        due_notifications = _due_notifications(notifications, _current_time(tables), thread_delay)
        # A new turn message pings all users who are due.
        turn_notice = [TurnChange((), None).notice()]
        has_posts = bool(due_notifications) and await _send_next_pings(
            tables, live, due_notifications, current_pings, turn_notice
        )
    if has_posts:
        tables.on_notice(game_id)


async def _corrected_notifications(
    tables: Tables, live: LiveGame, notifications_and_pings: pings.NotificationsAndPings
) -> pings.NotificationsAndPings:
    """The pending notifications and pings of a game, updated to the players who must act now."""
    players = await players_who_must_act(tables.db, live)
    if {notification.player_id for notification in notifications_and_pings[0]} == set(players):
        return notifications_and_pings
    changes, now = pings.NotificationChanges((), None, players), tables.clock()
    await tables.db.write(lambda tx: changes.write(tx, live.id, live.seq, now))
    return await pings.notifications_of_game(tables.db, live.id)


async def _send_next_pings(
    tables: Tables,
    live: LiveGame,
    due_notifications: Sequence[Notification],
    current_pings: Sequence[Ping],
    turn_notices: Sequence[OutboxMessage],
) -> bool:
    reminders, now = (await chosen_settings(tables.db, live))[REMINDERS.name], _current_time(tables)
    steps = []
    for notification in due_notifications:
        pings_of_player = [ping for ping in current_pings if ping.player_id == notification.player_id]
        settings_of_all_users = {
            user: await person_settings(tables.db, user, live.row.guild_id)
            for user in live.users_to_ping(notification.player_id)
        }
        # If several users play a seat, the reminder does not wait for users who are away.
        settings_by_user = {
            user: settings for user, settings in settings_of_all_users.items() if not settings.is_away(now)
        } or settings_of_all_users
        steps.append(next_step(notification, pings_of_player, settings_by_user, reminders, now))
    has_pings_in_thread = any(ping.thread == "pending" for step in steps for ping in step.pings)
    moderator_warnings = [
        await _moderator_warning(tables.db, live, step)
        for step in steps
        if _warns_moderators(step, reminders)
    ]
    return await _store_steps(
        tables, live, steps, [*moderator_warnings, *(turn_notices if has_pings_in_thread else ())]
    )


async def _store_steps(
    tables: Tables, live: LiveGame, steps: Sequence[pings.PingStep], notices: Sequence[OutboxMessage]
) -> bool:
    async def write_steps(tx: Transaction) -> bool:
        await games.lock_and_read(tx, live.id)
        if await log.newest_seq(tx, live.id) != live.seq:
            return False  # another process has added a row
        stored_flags = [await pings.store_ping_step(tx, live.id, step) for step in steps]
        stored_notices = notices if any(stored_flags) else ()
        await outbox.add_notices(tx, live.id, live.seq, stored_notices, tables.clock())
        return bool(stored_notices)

    return await tables.db.write(write_steps)


async def _moderator_warning(db: Database, live: LiveGame, step: pings.PingStep) -> OutboxMessage:
    moderators_role = await moderator_role(db, live.row.guild_id)
    since = discord_time(parse_timestamp(step.old_notification.since))
    text = (
        f"This game has waited for {strong(live.name_of(step.old_notification.player_id))} since {since}. "
        "Moderators: `/mod act` makes the move, `/mod replace` gives the seat to another member or the computer. "
        "Players: `/game agreement` and `/game replace` propose the same."
    )
    return ThreadPing((), text, moderators_role).notice()


async def _postpone_pings(db: Database, game_id: int, ping_time: datetime) -> None:
    notifications, _ = await pings.notifications_of_game(db, game_id)

    async def write_steps(tx: Transaction) -> None:
        for notification in notifications:
            await pings.store_ping_step(
                tx, game_id, _step_in_same_stage(notification, format_timestamp(ping_time))
            )

    await db.write(write_steps)


def _current_time(tables: Tables) -> datetime:
    return parse_timestamp(tables.clock())


# --- one step --------------------------------------------------------------------------------------------------------


def is_due(notification: Notification, now: datetime, thread_delay: timedelta = PING_DELAY) -> bool:
    """True if a notification's ping or next reminder is due.

    The ping is due `thread_delay` after the start of the turn.
    """
    is_past_delay = notification.stage > 0 or notification.since <= format_timestamp(now - thread_delay)
    return notification.due_at is not None and notification.due_at <= format_timestamp(now) and is_past_delay


def _due_notifications(
    notifications: Sequence[Notification], now: datetime, thread_delay: timedelta
) -> list[Notification]:
    return [notification for notification in notifications if is_due(notification, now, thread_delay)]


def next_step(
    notification: Notification,
    current_pings: Sequence[Ping],
    settings_by_user: SettingsByUser,
    reminders: str,
    now: datetime,
) -> pings.PingStep:
    """The next step of a pending notification: the ping, as soon as the user may be pinged, and later a reminder."""
    if notification.stage > 0:
        return _next_reminder(notification, current_pings, settings_by_user, reminders, now)
    pinged_users = {ping.user_id for ping in current_pings}
    next_ping_time_by_user = {
        user: person.next_ping_time(now)
        for user, person in settings_by_user.items()
        if user not in pinged_users
    }
    new_pings = tuple(
        _new_ping(notification, user, settings_by_user[user])
        for user, ping_time in next_ping_time_by_user.items()
        if ping_time <= now
    )
    later_times = [ping_time for ping_time in next_ping_time_by_user.values() if ping_time > now]
    if later_times:
        return _step_in_same_stage(notification, format_timestamp(min(later_times)), new_pings)
    return pings.PingStep(
        notification, 1, format_timestamp(now), _next_due_time(now, settings_by_user, reminders, 1), new_pings
    )


def _next_reminder(
    notification: Notification,
    current_pings: Sequence[Ping],
    settings_by_user: SettingsByUser,
    reminders: str,
    now: datetime,
) -> pings.PingStep:
    reminder_at = _next_due_time(
        parse_timestamp(notification.at), settings_by_user, reminders, notification.stage
    )
    if reminder_at is None or reminder_at > format_timestamp(now):
        return _step_in_same_stage(notification, reminder_at)
    muted_users = {ping.user_id for ping in current_pings if ping.is_muted}
    users_to_remind = [
        user
        for user, person in settings_by_user.items()
        if user not in muted_users and person.wants_reminders
    ]
    users_to_ping = [] if is_moderator_stage(reminders, notification.stage) else users_to_remind
    next_ping_time_by_user = {user: settings_by_user[user].next_ping_time(now) for user in users_to_ping}
    new_pings = tuple(
        _new_ping(notification, user, settings_by_user[user])
        for user, ping_time in next_ping_time_by_user.items()
        if ping_time <= now
    )
    if next_ping_time_by_user and not new_pings:
        return _step_in_same_stage(notification, format_timestamp(min(next_ping_time_by_user.values())))
    stage = notification.stage + 1
    return pings.PingStep(
        notification,
        stage,
        format_timestamp(now),
        _next_due_time(now, settings_by_user, reminders, stage),
        new_pings,
    )


def _step_in_same_stage(
    notification: Notification, due_at: str | None, new_pings: tuple[Ping, ...] = ()
) -> pings.PingStep:
    return pings.PingStep(notification, notification.stage, notification.at, due_at, new_pings)


def _new_ping(notification: Notification, user: int, person: PersonSettings) -> Ping:
    thread: pings.ThreadPing = "no" if person.ping_place == "direct" else "pending"
    direct: pings.DirectPing = "no" if person.ping_place == "thread" else "pending"
    return Ping(notification.player_id, user, notification.stage, thread, direct)


def _next_due_time(
    since: datetime, settings_by_user: SettingsByUser, reminders: str, stage: int
) -> str | None:
    gap_in_waking_hours = reminder_gap(reminders, stage)
    if gap_in_waking_hours is None or not settings_by_user:
        return None
    return format_timestamp(
        min(end_of_waking_time(since, gap_in_waking_hours, person) for person in settings_by_user.values())
    )


def _warns_moderators(step: pings.PingStep, reminders: str) -> bool:
    return step.stage > step.old_notification.stage and is_moderator_stage(
        reminders, step.old_notification.stage
    )


async def has_silent_pings(db: Database, guild_id: int) -> bool:
    """True if the server has chosen silent pings, which do not notify the user's devices."""
    return await GUILD_SETTINGS.get(db, guild_id, "pings") == "quiet"
