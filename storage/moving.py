"""Moving all games of a server (guild) from one database to another."""

import hashlib
from dataclasses import dataclass

from storage.contract import Database, RowValues, Transaction
from storage.errors import StorageError, TargetHasGames

_ROWS_OF_GAMES_SQL = "WHERE game_id IN (SELECT id FROM games WHERE guild_id = ?)"
_ROWS_OF_EVENTS_SQL = "WHERE event_id IN (SELECT id FROM events WHERE guild_id = ?)"
_SENT_MESSAGES_SQL = f"{_ROWS_OF_GAMES_SQL} AND message_id IS NOT NULL"
_HAS_OUTBOX_KEY_SQL = "role IN ('ping', 'line', 'round', 'turn')"
"""SQL condition: records of messages whose key is a list of outbox row ids."""


@dataclass(frozen=True, slots=True)
class MovedTable:
    """A table to copy: its columns, row order, and the SQL condition that selects one server's rows."""

    name: str
    columns: str
    order: str
    condition: str = _ROWS_OF_GAMES_SQL


MOVED_TABLES = (
    MovedTable(
        "games",
        "id, guild_id, channel_id, thread_id, title, profile, options, seed, status, created_at, name",
        "id",
        "WHERE guild_id = ?",
    ),
    MovedTable("seats", "game_id, seat, player_id, user_id, display_name", "game_id, seat"),
    MovedTable("memberships", "game_id, seat, user_id, display_name, event, at", "id"),
    MovedTable("log", "game_id, seq, kind, payload, digest, actor, user_id, created_at", "game_id, seq"),
    MovedTable("states", "game_id, seq, digest, state", "game_id"),
    MovedTable("positions", "game_id, seq, digest, state", "game_id, seq"),
    MovedTable(
        "outbox",
        "game_id, seq, kind, payload, created_at, sent_at, attempts, last_error, message_id",
        "id",
    ),
    MovedTable(
        "messages",
        "game_id, role, key, message_id, shows, files, at",
        "id",
        f"{_SENT_MESSAGES_SQL} AND NOT {_HAS_OUTBOX_KEY_SQL}",
    ),
    # Copied without keys, since outbox rows get new ids at the target.
    MovedTable(
        "messages",
        "game_id, role, message_id, shows, files, at",
        "id",
        f"{_SENT_MESSAGES_SQL} AND {_HAS_OUTBOX_KEY_SQL}",
    ),
    MovedTable("seat_history", "game_id, player_id, role, user_id, display_name, since, until, at", "id"),
    MovedTable(
        "proposals", "game_id, number, kind, payload, by_user, at, until, state, why", "game_id, number"
    ),
    MovedTable("votes", "game_id, number, user_id, agrees, at", "game_id, number, user_id"),
    MovedTable("proposal_pings", "game_id, user_id, at", "game_id, user_id"),
    MovedTable("pauses", "game_id, by_user, until, at, alone", "game_id"),
    MovedTable("past_pauses", "game_id, by_user, at, ended", "game_id, at"),
    MovedTable(
        "orders",
        "game_id, number, player_id, user_id, payload, since, at, state, why, ended_seq, notified",
        "game_id, number",
    ),
    MovedTable("orders_before", "game_id, seq, number, state, why, ended_seq", "game_id, seq, number"),
    MovedTable("automatic_moves", "game_id, seq, order_number", "game_id, seq"),
    MovedTable("results", "game_id, player_id, place, total, won", "game_id, player_id"),
    MovedTable("ratings", "game_id, user_id, mu, sigma, at", "game_id, user_id"),
    MovedTable(
        "notifications",
        "game_id, player_id, seq, since, stage, at, due_at, pinged_at, down, departed",
        "game_id, player_id",
    ),
    MovedTable(
        "pings",
        "game_id, player_id, user_id, stage, thread, direct, muted",
        "game_id, player_id, user_id",
    ),
    MovedTable(
        "direct_messages", "game_id, user_id, text, notifications, created_at, sent_at, message_id", "id"
    ),
    MovedTable("game_settings", "game_id, key, value", "game_id, key"),
    MovedTable(
        "turns",
        "game_id, player_id, seq, ended, since, used, charged, quiet, zero",
        "game_id, seq, player_id",
    ),
    MovedTable("clock_stops", "game_id, player_id, why, since, until", "game_id, since, why, player_id"),
    MovedTable(
        "events",
        "id, guild_id, channel_id, name, status, stage, settings, seed, opened_by, created_at, closes_at, deadline, "
        "previous_id",
        "id",
        "WHERE guild_id = ?",
    ),
    MovedTable("event_posts", "event_id, role, message_id, shows", "event_id, role", _ROWS_OF_EVENTS_SQL),
    MovedTable(
        "entrants",
        "event_id, number, user_id, display_name, status, division, told, joined_at",
        "event_id, number",
        _ROWS_OF_EVENTS_SQL,
    ),
    MovedTable(
        "event_tables",
        "event_id, stage, number, division, title, game_id",
        "event_id, stage, number",
        _ROWS_OF_EVENTS_SQL,
    ),
    MovedTable(
        "event_seats",
        "event_id, stage, number, seat, entrant",
        "event_id, stage, number, seat",
        _ROWS_OF_EVENTS_SQL,
    ),
    MovedTable("guild_settings", "guild_id, key, value", "key", "WHERE guild_id = ?"),
)
"""The tables to copy; each comes after the tables to which its rows refer."""


@dataclass(frozen=True, slots=True)
class MovedCounts:
    """The number of copied games, the number of copied log rows, and a digest of all copied rows."""

    game_count: int
    log_row_count: int
    digest: str


async def guilds_with_data(db: Database) -> list[int]:
    """Return the ids of the servers (guilds) that have games or server settings."""
    return await db.numbers(
        "SELECT guild_id FROM games UNION SELECT guild_id FROM events "
        "UNION SELECT guild_id FROM guild_settings ORDER BY guild_id"
    )


async def move_guilds(source: Database, target: Database, guild_ids: list[int]) -> MovedCounts:
    """Copy all data of these servers to the database `target` in one transaction; games keep their numbers.

    `source` is not changed. The copied rows are read back and compared before the commit. Raises StorageError, and
    TargetHasGames if `target` already has one of these servers, games or events.
    """
    source_contents = await source.read(lambda tx: _guild_contents(tx, guild_ids))
    person_settings = await source.read(lambda tx: _person_settings(tx, guild_ids))
    last_runs = await source.read(lambda tx: tx.rows("SELECT shard, shard_count, at FROM last_runs"))

    async def in_transaction(tx: Transaction) -> None:
        for guild_id in guild_ids:
            games, events = (_rows_of_table(source_contents[guild_id], name) for name in ("games", "events"))
            await _require_guild_absent(tx, guild_id, games, events)
            for table, rows in zip(MOVED_TABLES, source_contents[guild_id], strict=True):
                await _insert_rows(tx, table, rows)
        await _copy_person_settings(tx, person_settings)
        await _copy_last_runs(tx, last_runs)
        if await _guild_contents(tx, guild_ids) != source_contents:
            raise StorageError(f"{target.name} has received other data than was sent. Nothing was changed.")

    await target.write(in_transaction)
    contents = source_contents.values()
    digest = hashlib.sha256(repr(sorted(source_contents.items())).encode()).hexdigest()
    return MovedCounts(sum(len(rows[0]) for rows in contents), sum(len(rows[3]) for rows in contents), digest)


async def _guild_contents(tx: Transaction, guild_ids: list[int]) -> dict[int, list[list[RowValues]]]:
    return {
        guild_id: [await _select_rows(tx, table, guild_id) for table in MOVED_TABLES]
        for guild_id in guild_ids
    }


def _rows_of_table(contents: list[list[RowValues]], name: str) -> list[RowValues]:
    return next(rows for table, rows in zip(MOVED_TABLES, contents, strict=True) if table.name == name)


async def _select_rows(tx: Transaction, table: MovedTable, guild_id: int) -> list[RowValues]:
    return await tx.rows(
        f"SELECT {table.columns} FROM {table.name} {table.condition} ORDER BY {table.order}", guild_id
    )


async def _insert_rows(tx: Transaction, table: MovedTable, rows: list[RowValues]) -> None:
    placeholders = ", ".join("?" * len(table.columns.split(",")))
    await tx.run_many(f"INSERT INTO {table.name} ({table.columns}) VALUES ({placeholders})", rows)


async def _person_settings(tx: Transaction, guild_ids: list[int]) -> list[RowValues]:
    """The settings of all users who have, or once had, a seat in games of these servers."""
    players_sql = (
        f"SELECT user_id FROM seats {_ROWS_OF_GAMES_SQL} "
        f"UNION SELECT user_id FROM seat_history {_ROWS_OF_GAMES_SQL}"
    )
    settings_by_guild = [
        await tx.rows(
            f"SELECT user_id, key, value FROM person_settings WHERE user_id IN ({players_sql})",
            *(guild_id, guild_id),
        )
        for guild_id in guild_ids
    ]
    return [row for rows in settings_by_guild for row in rows]


async def _copy_person_settings(tx: Transaction, rows: list[RowValues]) -> None:
    """Copy users' settings, except those that the target already has."""
    await tx.run_many(
        "INSERT INTO person_settings (user_id, key, value) VALUES (?, ?, ?) ON CONFLICT (user_id, key) DO NOTHING",
        rows,
    )


async def _copy_last_runs(tx: Transaction, rows: list[RowValues]) -> None:
    """Copy the times when the bot last ran, except those that the target already has.

    The time that moving the server takes then counts as an outage, in which clocks stop.
    """
    await tx.run_many(
        "INSERT INTO last_runs (shard, shard_count, at) VALUES (?, ?, ?) ON CONFLICT (shard, shard_count) DO NOTHING",
        rows,
    )


async def _require_guild_absent(
    tx: Transaction, guild_id: int, games: list[RowValues], events: list[RowValues]
) -> None:
    existing_row = await tx.row(
        "SELECT guild_id FROM games WHERE guild_id = ? UNION SELECT guild_id FROM guild_settings WHERE guild_id = ?",
        *(guild_id, guild_id),
    )
    if existing_row is not None:
        raise TargetHasGames(f"The target already has server {guild_id}; nothing was changed.")
    for kind, table, rows in (("a game", "games", games), ("an event", "events", events)):
        for number, *_ in rows:
            if await tx.row(f"SELECT 1 FROM {table} WHERE id = ?", number):
                raise TargetHasGames(
                    f"The target already has {kind} number {number}, and {kind} cannot change its number, "
                    f"since buttons on its messages contain it. Nothing was changed."
                )
