"""Games: title, name, thread, status and options."""

from dataclasses import dataclass
from typing import Literal

from storage.contract import Database, ParsedQuery, QuerySource, RowValues, Transaction, fetch, query
from storage.errors import NoSuchGame, WrongStatus
from storage.shards import ALL_SHARDS, ShardSet

Status = Literal["lobby", "running", "finished", "abandoned"]


@dataclass(frozen=True, slots=True)
class GameRow:
    """A row of the table of games; `options` is JSON text, `created_at` is ISO 8601 in UTC.

    The two message ids identify the game's current board post and turn post in its thread.
    """

    id: int
    guild_id: int
    channel_id: int
    thread_id: int | None
    board_message_id: int | None
    turn_message_id: int | None
    title: str
    profile: str
    options: str
    seed: int
    status: Status
    created_at: str
    name: str
    may_have_unsent_messages: bool = False
    """True if some of the game's messages may not have been sent."""


_GAME_COLUMNS = (
    "games.id, guild_id, channel_id, thread_id, "
    "(SELECT MAX(message_id) FROM messages WHERE game_id = games.id AND role = 'board'), "
    "(SELECT MAX(message_id) FROM messages WHERE game_id = games.id AND role = 'turn'), "
    "title, profile, options, seed, status, created_at, name, "
    "EXISTS (SELECT 1 FROM messages WHERE game_id = games.id AND message_id IS NULL)"
)


async def create_game(
    db: Database,
    *,
    guild_id: int,
    channel_id: int,
    title: str,
    profile: str,
    options: str,
    seed: int,
    name: str,
    now: str,
) -> GameRow:
    """Add a game in the lobby and return it; `seed` must fit in 63 bits."""

    return await db.write(
        lambda tx: insert_game(
            tx,
            guild_id=guild_id,
            channel_id=channel_id,
            title=title,
            profile=profile,
            options=options,
            seed=seed,
            name=name,
            now=now,
        )
    )


async def insert_game(
    tx: Transaction,
    *,
    guild_id: int,
    channel_id: int,
    title: str,
    profile: str,
    options: str,
    seed: int,
    name: str,
    now: str,
) -> GameRow:
    """Add a game in the lobby, within a transaction, and return it."""
    inserted_row = await tx.row(
        "INSERT INTO games "
        "(guild_id, channel_id, title, profile, options, seed, status, created_at, name) "
        f"VALUES (?, ?, ?, ?, ?, ?, 'lobby', ?, ?) RETURNING {_GAME_COLUMNS}",
        *(guild_id, channel_id, title, profile, options, seed, now, name),
    )
    assert inserted_row is not None
    return GameRow(*inserted_row)


async def get_game(source: QuerySource, game_id: int) -> GameRow:
    """Return the game with this id; raises NoSuchGame."""
    return await fetch(source, game_query(game_id))


def game_query(game_id: int) -> ParsedQuery[GameRow]:
    """Return the query for a game; run it with `fetch`, which raises NoSuchGame."""

    def read(rows: list[RowValues]) -> GameRow:
        if not rows:
            raise NoSuchGame(game_id)
        return GameRow(*rows[0])

    return ParsedQuery(query(f"SELECT {_GAME_COLUMNS} FROM games WHERE games.id = ?", game_id), read)


async def list_games(db: Database, guild_id: int, status: Status | None = None) -> list[GameRow]:
    """Return a server's games, all or those with one status, oldest first."""
    clause = "WHERE guild_id = ? AND status = COALESCE(?, status) ORDER BY games.id"
    return await select_games(db, clause, guild_id, status)


async def newest_games(db: Database, guild_id: int, status: Status, limit: int) -> list[GameRow]:
    """Return a server's newest games with one status, newest first, at most `limit`."""
    clause = "WHERE guild_id = ? AND status = ? ORDER BY games.id DESC LIMIT ?"
    return await select_games(db, clause, guild_id, status, limit)


async def count_games(db: Database, guild_id: int) -> list[tuple[str, Status, int]]:
    """Return the number of a server's games for each title and status.

    They are in the order of the oldest game that each number includes. Games that were abandoned in the lobby do not
    count.
    """
    return [
        (title, status, count)
        for title, status, count in await db.rows(
            "SELECT title, status, COUNT(*) FROM games WHERE guild_id = ? AND (status <> 'abandoned' "
            "OR EXISTS (SELECT 1 FROM log WHERE log.game_id = games.id)) GROUP BY title, status ORDER BY MIN(id)",
            guild_id,
        )
    ]


async def games_with_status(db: Database, status: Status, shards: ShardSet = ALL_SHARDS) -> list[GameRow]:
    """Return the games of these shards with this status, oldest first."""
    clause = f"WHERE status = ? AND {shards.sql_condition()} ORDER BY games.id"
    return await select_games(db, clause, status)


async def games_with_setting(
    db: Database, status: Status, key: str, shards: ShardSet = ALL_SHARDS
) -> list[GameRow]:
    """Return the games of these shards that have this status and a value of setting `key`, oldest first."""
    clause = (
        f"WHERE status = ? AND {shards.sql_condition()} AND games.id IN "
        "(SELECT game_id FROM game_settings WHERE key = ?) ORDER BY games.id"
    )
    return await select_games(db, clause, status, key)


async def games_of_user(db: Database, user_id: int) -> list[GameRow]:
    """Return all games in which a user has a seat, oldest first."""
    clause = "WHERE games.id IN (SELECT game_id FROM seats WHERE user_id = ?) ORDER BY games.id"
    return await select_games(db, clause, user_id)


async def finish_game(db: Database, game_id: int) -> None:
    """Mark a running game as finished; raises NoSuchGame, WrongStatus."""
    await db.write(lambda tx: change_status(tx, game_id, ("running",), "finished"))


async def abandon_game(db: Database, game_id: int) -> None:
    """Mark a game as abandoned; raises NoSuchGame, and WrongStatus if it has ended."""
    await db.write(lambda tx: change_status(tx, game_id, ("lobby", "running"), "abandoned"))


async def set_thread(db: Database, game_id: int, thread_id: int) -> None:
    """Store the Discord thread of a game.

    Raises NoSuchGame, and ConstraintBroken if another unfinished game uses this thread.
    """

    async def in_transaction(tx: Transaction) -> None:
        if not await tx.run("UPDATE games SET thread_id = ? WHERE id = ?", thread_id, game_id):
            raise NoSuchGame(game_id)

    await db.write(in_transaction)


async def set_rules(db: Database, game_id: int, profile: str, options: str) -> None:
    """Change the rules profile and options of a game in the lobby; raises NoSuchGame, WrongStatus."""

    async def in_transaction(tx: Transaction) -> None:
        require_status(await lock_and_read(tx, game_id), ("lobby",))
        await tx.put("UPDATE games SET profile = ?, options = ? WHERE id = ?", profile, options, game_id)

    await db.write(in_transaction)


async def lock_and_read(tx: Transaction, game_id: int) -> GameRow:
    """Lock a game until the end of this transaction and return it; raises NoSuchGame."""
    await lock_game(tx, game_id)
    return await get_game(tx, game_id)


async def lock_game(tx: Transaction, game_id: int) -> None:
    """Lock a game until the end of this transaction."""
    await tx.put(f"SELECT id FROM games WHERE id = ?{tx.for_update}", game_id)


async def start_game(tx: Transaction, game_id: int, thread_id: int | None = None) -> None:
    """Start a game that is in the lobby, within a transaction, in `thread_id` if given.

    Raises NoSuchGame, WrongStatus, and ConstraintBroken if another unfinished game uses this thread.
    """
    await change_status(tx, game_id, ("lobby",), "running")
    await tx.put("UPDATE games SET thread_id = COALESCE(?, thread_id) WHERE id = ?", thread_id, game_id)


async def change_status(
    tx: Transaction, game_id: int, allowed_statuses: tuple[Status, ...], status: Status
) -> Status:
    """Set a game's status, within a transaction, and return the old status.

    Raises NoSuchGame, and WrongStatus unless the old status is one of `allowed_statuses`.
    """
    game = await lock_and_read(tx, game_id)
    await set_status(tx, game, allowed_statuses, status)
    return game.status


async def set_status(
    tx: Transaction, game: GameRow, allowed_statuses: tuple[Status, ...], status: Status
) -> None:
    """Set the status of a locked game; raises WrongStatus unless its old status is in `allowed_statuses`."""
    require_status(game, allowed_statuses)
    if game.status != status:
        await tx.put("UPDATE games SET status = ? WHERE id = ?", status, game.id)


def require_status(game: GameRow, allowed_statuses: tuple[Status, ...]) -> None:
    """Raise WrongStatus unless the game's status is in `allowed_statuses`."""
    if game.status not in allowed_statuses:
        allowed_words = " or ".join(
            "in the lobby" if status == "lobby" else status for status in allowed_statuses
        )
        raise WrongStatus(game.id, game.status, allowed_words)


async def select_games(source: QuerySource, clause: str, *values: object) -> list[GameRow]:
    """Return the games that match an SQL clause."""
    return await fetch(source, games_query(clause, *values))


def games_query(clause: str, *values: object) -> ParsedQuery[list[GameRow]]:
    """Return the query for the games that match an SQL clause; run it with `fetch`."""
    select_sql = f"SELECT {_GAME_COLUMNS} FROM games {clause}"
    return ParsedQuery(query(select_sql, *values), lambda rows: [GameRow(*row) for row in rows])
