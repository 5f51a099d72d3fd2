"""Moving the games of a server (guild) from one database to another: their rows, and nothing but their rows."""

import hashlib
from dataclasses import dataclass

from storage.contract import Cells, Database, Transaction
from storage.errors import AlreadyThere, StorageError

_OF_THE_GAMES = "WHERE game_id IN (SELECT id FROM games WHERE guild_id = ?)"


@dataclass(frozen=True, slots=True)
class Table:
    """A table, what is moved of it, and in which order."""

    name: str
    columns: str
    rows: str
    order: str


TABLES = (
    Table(
        "games",
        "id, guild_id, channel_id, thread_id, board_message_id, turn_message_id, "
        "title, profile, options, seed, status, created_at, name",
        "WHERE guild_id = ?",
        "id",
    ),
    Table("seats", "game_id, seat, player_id, user_id, display_name", _OF_THE_GAMES, "game_id, seat"),
    Table("memberships", "game_id, seat, user_id, display_name, event, at", _OF_THE_GAMES, "id"),
    Table(
        "log",
        "game_id, seq, kind, payload, digest, actor, user_id, created_at",
        _OF_THE_GAMES,
        "game_id, seq",
    ),
    Table("states", "game_id, seq, digest, state", _OF_THE_GAMES, "game_id"),
    Table(
        "outbox",
        "game_id, seq, kind, payload, created_at, sent_at, attempts, last_error, set_aside_at, message_id",
        _OF_THE_GAMES,
        "id",
    ),
    Table(
        "sittings",
        "game_id, player_id, role, user_id, display_name, since, until, at",
        _OF_THE_GAMES,
        "id",
    ),
    Table(
        "motions",
        "game_id, number, kind, payload, by_user, at, until, state",
        _OF_THE_GAMES,
        "game_id, number",
    ),
    Table("voices", "game_id, number, user_id, agrees, at", _OF_THE_GAMES, "game_id, number, user_id"),
    Table("pauses", "game_id, by_user, until, at", _OF_THE_GAMES, "game_id"),
    Table(
        "orders",
        "game_id, number, player_id, user_id, payload, since, at, state, why, ended_seq, told",
        _OF_THE_GAMES,
        "game_id, number",
    ),
    Table(
        "orders_before",
        "game_id, seq, number, state, why, ended_seq",
        _OF_THE_GAMES,
        "game_id, seq, number",
    ),
    Table("automatic", "game_id, seq, number", _OF_THE_GAMES, "game_id, seq"),
    Table("results", "game_id, player_id, place, total, won", _OF_THE_GAMES, "game_id, player_id"),
    Table("calls", "game_id, player_id, seq, since, stage, at, due_at", _OF_THE_GAMES, "game_id, player_id"),
    Table(
        "called",
        "game_id, player_id, user_id, stage, thread, direct, muted",
        _OF_THE_GAMES,
        "game_id, player_id, user_id",
    ),
    Table("letters", "game_id, user_id, text, duties, created_at, sent_at", _OF_THE_GAMES, "id"),
    Table("game_settings", "game_id, key, value", _OF_THE_GAMES, "game_id, key"),
    Table(
        "turns",
        "game_id, player_id, seq, ended, since, used, charged, quiet, zero",
        _OF_THE_GAMES,
        "game_id, seq, player_id",
    ),
    Table(
        "stops",
        "game_id, player_id, why, since, until",
        _OF_THE_GAMES,
        "game_id, since, why, player_id",
    ),
    Table("guild_settings", "guild_id, key, value", "WHERE guild_id = ?", "key"),
)
"""All that is moved, in an order in which each row finds those that it refers to."""
_PEOPLE = Table(
    "person_settings",
    "user_id, key, value",
    "WHERE user_id IN (SELECT user_id FROM (SELECT game_id, user_id FROM seats "
    f"UNION SELECT game_id, user_id FROM sittings) AS playing {_OF_THE_GAMES})",
    "user_id, key",
)
"""How the people of a server, substitutes too, want to be called."""
_BEATS = Table("heartbeats", "shard, shard_count, at", "", "shard_count, shard")
"""When the bot was at work last where the games come from: clocks stop until it is here."""


@dataclass(frozen=True, slots=True)
class Moved:
    """What was moved: how many games, how many rows of their logs, and a digest of all rows of all tables."""

    games: int
    moves: int
    digest: str


async def guilds(db: Database) -> list[int]:
    """Return the servers that have games or settings."""
    found = await db.read(
        lambda tx: tx.rows(
            "SELECT guild_id FROM games UNION SELECT guild_id FROM guild_settings ORDER BY guild_id"
        )
    )
    return [guild_id for (guild_id,) in found]


async def move(source: Database, target: Database, guild_ids: list[int]) -> Moved:
    """Bring all that servers have over to `target`, in one transaction; the numbers of the games stay.

    `source` stays as it is. What arrived is read back and compared before it is committed. Raises AlreadyThere if
    `target` has games of these servers, or other games under their numbers, and StorageError.
    """
    wanted = await source.read(lambda tx: _contents(tx, guild_ids))
    beside = await source.read(lambda tx: _beside(tx, guild_ids))

    async def change(tx: Transaction) -> None:
        for guild_id in guild_ids:
            await _check_room(tx, guild_id, wanted[guild_id][0])
            for table, rows in zip(TABLES, wanted[guild_id], strict=True):
                await _insert(tx, table, rows)
        for table, rows in beside:
            await _insert_missing(tx, table, rows)
        if await _contents(tx, guild_ids) != wanted:
            raise StorageError(f"What arrived at {target.name} is not what was sent; nothing was changed.")

    await target.write(change)
    contents = wanted.values()
    digest = hashlib.sha256(repr(sorted(wanted.items())).encode()).hexdigest()
    return Moved(sum(len(rows[0]) for rows in contents), sum(len(rows[3]) for rows in contents), digest)


async def _contents(tx: Transaction, guild_ids: list[int]) -> dict[int, list[list[Cells]]]:
    return {guild_id: [await _rows(tx, table, guild_id) for table in TABLES] for guild_id in guild_ids}


async def _beside(tx: Transaction, guild_ids: list[int]) -> list[tuple[Table, list[Cells]]]:
    """What belongs to no server and comes along; what is there already, such as a word of a person's, stays."""
    people = [(_PEOPLE, await _rows(tx, _PEOPLE, guild_id)) for guild_id in guild_ids]
    return [*people, (_BEATS, await _rows(tx, _BEATS))]


async def _rows(tx: Transaction, table: Table, *guild: int) -> list[Cells]:
    return await tx.rows(
        f"SELECT {table.columns} FROM {table.name} {table.rows} ORDER BY {table.order}", *guild
    )


async def _insert(tx: Transaction, table: Table, rows: list[Cells]) -> None:
    await tx.run_many(_inserting(table), rows)


async def _insert_missing(tx: Transaction, table: Table, rows: list[Cells]) -> None:
    await tx.run_many(f"{_inserting(table)} ON CONFLICT DO NOTHING", rows)


def _inserting(table: Table) -> str:
    places = ", ".join("?" * len(table.columns.split(",")))
    return f"INSERT INTO {table.name} ({table.columns}) VALUES ({places})"


async def _check_room(tx: Transaction, guild_id: int, games: list[Cells]) -> None:
    there = await tx.row(
        "SELECT guild_id FROM games WHERE guild_id = ? UNION SELECT guild_id FROM guild_settings WHERE guild_id = ?",
        *(guild_id, guild_id),
    )
    if there is not None:
        raise AlreadyThere(f"Server {guild_id} is there already; nothing was changed.")
    for game in games:
        if await tx.row("SELECT 1 FROM games WHERE id = ?", game[0]):
            raise AlreadyThere(
                f"There is another game number {game[0]} already, and a game cannot change its number: "
                f"buttons on its messages carry it. Nothing was changed."
            )
