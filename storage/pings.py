"""Pending notifications: which players must act in running games, since when, and how they were pinged."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Literal, TypeAlias

from storage.contract import Database, ParsedQuery, RowValues, Transaction, fetch, later_timestamp, query
from storage.settings import LEFT_SERVER_KEY
from storage.shards import ALL_SHARDS, ShardSet

FIRST_REMINDER_AFTER_MOVE = timedelta(hours=12)
"""Time until the first reminder to a player who has just moved and must act again; no ping precedes it."""
ThreadPing = Literal["no", "pending", "pinged"]
"""State of a user's ping in the thread: no ping, pending until the next turn message, or posted."""
DirectPing = Literal["no", "pending", "queued"]
"""State of a user's ping by direct message: no ping, not queued yet, or queued."""


@dataclass(frozen=True, slots=True)
class Notification:
    """A pending notification: a player must act since the time `since`, when log row `seq` was stored.

    `stage` is 0 before the first ping, and rises by 1 with each ping or reminder. `at` is the time of the latest ping
    or reminder, `due_at` the time of the next one (None: never). `pinged_at` is the time of the first ping (None: not
    pinged yet); since then, the bot was down for `downtime_ms` milliseconds. `has_departed`: the player has left the
    server. Times are ISO 8601 in UTC.
    """

    player_id: str
    seq: int
    since: str
    stage: int
    at: str
    due_at: str | None
    pinged_at: str | None = None
    downtime_ms: int = 0
    has_departed: bool = False


@dataclass(frozen=True, slots=True)
class Ping:
    """A ping of one user for a pending notification, in the thread or by direct message.

    `stage` is the notification's stage at the time of the ping. If `is_muted`, no more pings follow until the user
    acts.
    """

    player_id: str
    user_id: int
    stage: int
    thread: ThreadPing
    direct: DirectPing
    is_muted: bool = False


@dataclass(frozen=True, slots=True)
class PingStep:
    """The next step of a pending notification: users to ping, the new stage, and when the following step is due."""

    old_notification: Notification
    stage: int
    at: str
    due_at: str | None
    pings: tuple[Ping, ...] = ()


@dataclass(frozen=True, slots=True)
class NotificationChanges:
    """Changes of pending notifications after a move.

    `mover` made the move. `new_players` are the players whose turn begins now; they are pinged. `players_on_turn` are
    all players who must act now: the notifications of all others end. Those who must act again after their own move are
    only reminded later. If `players_on_turn` is None, only the notifications of `new_players` change.
    """

    new_players: tuple[str, ...]
    mover: str | None = None
    players_on_turn: tuple[str, ...] | None = None

    async def write(self, tx: Transaction, game_id: int, seq: int, now: str) -> None:
        if self.players_on_turn is None:
            for player in self.new_players:
                await _end_notifications(tx, game_id, ["player_id = ?"], player)
        else:
            # A player who stays on turn without having moved keeps their notification.
            notified_players = [
                player for player in self.players_on_turn if player not in (*self.new_players, self.mover)
            ]
            await _end_notifications(
                tx, game_id, ["player_id <> ?"] * len(notified_players), *notified_players
            )
        for player in self.new_players:
            await _insert_notification(tx, game_id, Notification(player, seq, now, 0, now, now))
        for player in self.players_on_turn or ():
            if player not in self.new_players:
                notification = Notification(
                    player, seq, now, 1, now, later_timestamp(now, FIRST_REMINDER_AFTER_MOVE), now
                )
                await _insert_notification(tx, game_id, notification)


MAY_PING_USERS_SQL: Final = (
    "games.status = 'running' AND NOT EXISTS (SELECT 1 FROM pauses WHERE pauses.game_id = games.id) "
    "AND NOT EXISTS (SELECT 1 FROM guild_settings WHERE guild_settings.guild_id = games.guild_id "
    f"AND guild_settings.key = '{LEFT_SERVER_KEY}')"
)
"""SQL condition on `games`: the game is running and not paused, and the bot is still on the server."""
USER_OF_SEAT_SQL = (
    "(SELECT user_id FROM seat_history WHERE seat_history.game_id = notifications.game_id "
    "AND seat_history.player_id = notifications.player_id ORDER BY seat_history.id DESC LIMIT 1)"
)
"""SQL: the user who now plays the seat to which a notification belongs."""
_NOTIFICATION_COLUMNS = "player_id, seq, since, stage, at, due_at, pinged_at, down, departed"
_PING_COLUMNS = "player_id, user_id, stage, thread, direct, muted"


async def games_with_due_pings(
    db: Database, now: str, pinged_before: str, shards: ShardSet = ALL_SHARDS
) -> list[int]:
    """Return the running games of these shards with a ping or reminder due at `now`.

    A first ping is due only if the turn began at or before `pinged_before`.
    """
    return await db.numbers(
        "SELECT DISTINCT game_id FROM notifications JOIN games ON games.id = game_id WHERE due_at <= ? "
        f"AND (stage > 0 OR since <= ?) AND {MAY_PING_USERS_SQL} AND {shards.sql_condition()} ORDER BY game_id",
        *(now, pinged_before),
    )


NotificationsAndPings: TypeAlias = tuple[list[Notification], list[Ping]]
"""The pending notifications of a game, and the pings sent for them."""


async def notifications_of_game(db: Database, game_id: int) -> NotificationsAndPings:
    """Return the notifications of a game's players who must act, and the pings already sent for each."""
    return await fetch(db, notifications_query(game_id), pings_query(game_id))


async def store_ping_step(tx: Transaction, game_id: int, step: PingStep) -> bool:
    """Store a step of a notification within a transaction; return False if the notification has changed meanwhile."""
    old_notification = step.old_notification
    changed_count = await tx.run(
        "UPDATE notifications SET stage = ?, at = ?, due_at = ?, pinged_at = COALESCE(pinged_at, ?) "
        "WHERE game_id = ? AND player_id = ? AND seq = ? AND stage = ? AND due_at = ?",
        *(step.stage, step.at, step.due_at, step.at if step.stage > 0 else None),
        *(
            game_id,
            old_notification.player_id,
            old_notification.seq,
            old_notification.stage,
            old_notification.due_at,
        ),
    )
    if changed_count:
        for ping in step.pings:
            await _store_ping(tx, game_id, ping)
    return changed_count > 0


async def make_due_for_user(tx: Transaction, user_id: int, now: str) -> None:
    """Make the pending notifications in all games of a user due now, within a transaction.

    Used when the user's ping settings or absence have changed.
    """
    await tx.put(
        "UPDATE notifications SET due_at = ? WHERE due_at > ? "
        "AND game_id IN (SELECT game_id FROM seat_history WHERE user_id = ?)",
        *(now, now, user_id),
    )


async def make_due_for_guild(tx: Transaction, guild_id: int, now: str) -> None:
    """Make the pending notifications in a server's games due now, within a transaction.

    Used when the server's quiet hours have changed.
    """
    await tx.put(
        "UPDATE notifications SET due_at = ? WHERE due_at > ? "
        "AND game_id IN (SELECT id FROM games WHERE guild_id = ?)",
        *(now, now, guild_id),
    )


async def make_due_for_game(tx: Transaction, game_id: int, now: str) -> None:
    """Make a game's reminders due now, within a transaction; used when the game's reminder settings have changed."""
    await tx.put("UPDATE notifications SET due_at = ? WHERE game_id = ? AND stage > 0", now, game_id)


async def postpone_ping(db: Database, game_id: int, ping: Ping, due_at: str) -> None:
    """Postpone a user's ping in the thread until `due_at`."""

    async def in_transaction(tx: Transaction) -> None:
        game_and_player = (game_id, ping.player_id)
        await tx.put(
            "DELETE FROM pings WHERE game_id = ? AND player_id = ? AND user_id = ?",
            *game_and_player,
            ping.user_id,
        )
        await tx.put(
            "UPDATE notifications SET stage = ?, at = since, due_at = ?, "
            "pinged_at = CASE WHEN ? > 0 THEN pinged_at ELSE NULL END WHERE game_id = ? AND player_id = ?",
            *(ping.stage, due_at, ping.stage, *game_and_player),
        )

    await db.write(in_transaction)


async def add_downtime(tx: Transaction, shards: ShardSet, milliseconds: int) -> None:
    """Add a time in which the bot was down to the notifications of these shards, within a transaction.

    Only notifications for which a ping was sent count this time.
    """
    await tx.put(
        "UPDATE notifications SET down = down + ? WHERE pinged_at IS NOT NULL "
        f"AND game_id IN (SELECT id FROM games WHERE {shards.sql_condition()})",
        milliseconds,
    )


async def mark_departed(db: Database, game_id: int, player_id: str, *, has_departed: bool = True) -> None:
    """Record that a player who must act has left the server, or has returned."""
    statement = "UPDATE notifications SET departed = ? WHERE game_id = ? AND player_id = ?"
    await db.write(lambda tx: tx.put(statement, int(has_departed), game_id, player_id))


async def mark_pinged(db: Database, game_id: int, current_pings: Sequence[Ping]) -> None:
    """Record that a turn message in the thread has pinged these users."""
    if not current_pings:
        return
    await db.write(
        lambda tx: tx.run_many(
            "UPDATE pings SET thread = 'pinged' WHERE game_id = ? AND player_id = ? AND user_id = ? "
            "AND stage = ? AND thread = 'pending'",
            [(game_id, ping.player_id, ping.user_id, ping.stage) for ping in current_pings],
        )
    )


async def mute_game(db: Database, game_id: int, user_id: int) -> bool:
    """Stop pinging a user about a game until they act; return False if they have no ping in this game."""
    statement = (
        "UPDATE pings SET muted = 1, direct = 'queued', "
        "thread = CASE thread WHEN 'pending' THEN 'pinged' ELSE thread END WHERE game_id = ? AND user_id = ?"
    )
    return await db.write(lambda tx: tx.run(statement, game_id, user_id)) > 0


async def _insert_notification(tx: Transaction, game_id: int, notification: Notification) -> None:
    await tx.put(
        f"INSERT INTO notifications (game_id, {_NOTIFICATION_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (game_id, player_id) DO NOTHING",
        *(
            game_id,
            notification.player_id,
            notification.seq,
            notification.since,
            notification.stage,
            notification.at,
            notification.due_at,
            notification.pinged_at,
        ),
        *(notification.downtime_ms, int(notification.has_departed)),
    )


async def _end_notifications(tx: Transaction, game_id: int, conditions: Sequence[str], *players: str) -> None:
    condition = " AND ".join(["game_id = ?", *conditions])
    for table in ("pings", "notifications"):
        await tx.put(f"DELETE FROM {table} WHERE {condition}", game_id, *players)


async def _store_ping(tx: Transaction, game_id: int, ping: Ping) -> None:
    await tx.put(
        f"INSERT INTO pings (game_id, {_PING_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (game_id, player_id, user_id) DO UPDATE SET stage = excluded.stage, "
        "thread = excluded.thread, direct = excluded.direct",
        *(game_id, ping.player_id, ping.user_id, ping.stage, ping.thread, ping.direct, int(ping.is_muted)),
    )


def notifications_query(game_id: int) -> ParsedQuery[list[Notification]]:
    """Return the query for a game's pending notifications; run it with `fetch`."""
    select_sql = f"SELECT {_NOTIFICATION_COLUMNS} FROM notifications WHERE game_id = ? ORDER BY player_id"
    return ParsedQuery(query(select_sql, game_id), lambda rows: [_read_notification(row) for row in rows])


def _read_notification(row: RowValues) -> Notification:
    return Notification(*row[:8], has_departed=bool(row[8]))  # type: ignore[misc]


def pings_query(game_id: int) -> ParsedQuery[list[Ping]]:
    """Return the query for the pings sent for a game's pending notifications; run it with `fetch`."""
    select_sql = f"SELECT {_PING_COLUMNS} FROM pings WHERE game_id = ? ORDER BY player_id, user_id"
    return ParsedQuery(query(select_sql, game_id), _read_pings)


def _read_pings(rows: list[RowValues]) -> list[Ping]:
    return [Ping(row[0], row[1], row[2], row[3], row[4], bool(row[5])) for row in rows]
