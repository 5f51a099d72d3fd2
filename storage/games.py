"""Games: their names, titles, threads, and progress."""

from dataclasses import dataclass
from typing import Literal

from storage.contract import Cells, Database, QuerySource, Question, Transaction, ask, query
from storage.errors import NoSuchGame, WrongStatus
from storage.shards import ALL_SHARDS, ShardSet

Status = Literal["lobby", "running", "finished", "abandoned"]


@dataclass(frozen=True, slots=True)
class GameRow:
    """One row of the games table; `options` is JSON text, `created_at` ISO 8601 in UTC.

    The message ids are those of the game's current board post and turn post.
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
    in_doubt: bool = False
    """True if some messages of the game may or may not have been sent."""


_COLUMNS = (
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
        f"VALUES (?, ?, ?, ?, ?, ?, 'lobby', ?, ?) RETURNING {_COLUMNS}",
        *(guild_id, channel_id, title, profile, options, seed, now, name),
    )
    assert inserted_row is not None
    return GameRow(*inserted_row)


async def get_game(source: QuerySource, game_id: int) -> GameRow:
    """Return a game; raises NoSuchGame."""
    return await ask(source, question(game_id))


def question(game_id: int) -> Question[GameRow]:
    """Return a Question for a game; the answer raises NoSuchGame."""

    def read(rows: list[Cells]) -> GameRow:
        if not rows:
            raise NoSuchGame(game_id)
        return GameRow(*rows[0])

    return Question(query(f"SELECT {_COLUMNS} FROM games WHERE games.id = ?", game_id), read)


async def list_games(db: Database, guild_id: int, status: Status | None = None) -> list[GameRow]:
    """Return the games of a guild, all or those in one status, oldest first."""
    clause = "WHERE guild_id = ? AND status = COALESCE(?, status) ORDER BY games.id"
    return await select_games(db, clause, guild_id, status)


async def newest_games(db: Database, guild_id: int, status: Status, limit: int) -> list[GameRow]:
    """Return the newest games of a guild in one status, the newest first."""
    clause = "WHERE guild_id = ? AND status = ? ORDER BY games.id DESC LIMIT ?"
    return await select_games(db, clause, guild_id, status, limit)


async def count_games(db: Database, guild_id: int) -> list[tuple[str, Status, int]]:
    """Return the number of games of a guild by title and status, oldest first.

    Games abandoned in the lobby do not count.
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
    """Return the games of these shards that have this status and this setting, oldest first."""
    clause = (
        f"WHERE status = ? AND {shards.sql_condition()} AND games.id IN "
        "(SELECT game_id FROM game_settings WHERE key = ?) ORDER BY games.id"
    )
    return await select_games(db, clause, status, key)


async def games_of_user(db: Database, user_id: int) -> list[GameRow]:
    """Return the games in which a user has a seat, with any status, oldest first."""
    clause = "WHERE games.id IN (SELECT game_id FROM seats WHERE user_id = ?) ORDER BY games.id"
    return await select_games(db, clause, user_id)


async def finish_game(db: Database, game_id: int) -> None:
    """Mark a running game as finished; raises NoSuchGame, WrongStatus."""
    await db.write(lambda tx: move_status(tx, game_id, ("running",), "finished"))


async def abandon_game(db: Database, game_id: int) -> None:
    """Mark a game as abandoned; raises NoSuchGame, and WrongStatus if it has ended."""
    await db.write(lambda tx: move_status(tx, game_id, ("lobby", "running"), "abandoned"))


async def set_thread(db: Database, game_id: int, thread_id: int) -> None:
    """Record a game's thread; raises NoSuchGame, and ConstraintBroken if another open game is in this thread."""

    async def change(tx: Transaction) -> None:
        if not await tx.run("UPDATE games SET thread_id = ? WHERE id = ?", thread_id, game_id):
            raise NoSuchGame(game_id)

    await db.write(change)


async def set_rules(db: Database, game_id: int, profile: str, options: str) -> None:
    """Change profile and options of a game in the lobby; raises NoSuchGame, WrongStatus."""

    async def change(tx: Transaction) -> None:
        require_status(await lock_and_read(tx, game_id), ("lobby",))
        await tx.put("UPDATE games SET profile = ?, options = ? WHERE id = ?", profile, options, game_id)

    await db.write(change)


async def lock_and_read(tx: Transaction, game_id: int) -> GameRow:
    """Lock a game until the end of this transaction and return it; raises NoSuchGame."""
    await lock_game(tx, game_id)
    return await get_game(tx, game_id)


async def lock_game(tx: Transaction, game_id: int) -> None:
    """Lock a game until the end of this transaction."""
    await tx.put(f"SELECT id FROM games WHERE id = ?{tx.for_update}", game_id)


async def start_game(tx: Transaction, game_id: int, thread_id: int | None = None) -> None:
    """Start a game of the lobby, within a transaction, with its thread if known.

    Raises NoSuchGame, WrongStatus, and ConstraintBroken if another open game is in this thread.
    """
    await move_status(tx, game_id, ("lobby",), "running")
    await tx.put("UPDATE games SET thread_id = COALESCE(?, thread_id) WHERE id = ?", thread_id, game_id)


async def move_status(
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
    """Set the status of a locked game; raises WrongStatus unless the old one is in `allowed_statuses`."""
    require_status(game, allowed_statuses)
    if game.status != status:
        await tx.put("UPDATE games SET status = ? WHERE id = ?", status, game.id)


def require_status(game: GameRow, allowed_statuses: tuple[Status, ...]) -> None:
    """Raise WrongStatus unless the game's status is in `allowed_statuses`."""
    if game.status not in allowed_statuses:
        wanted_words = " or ".join(
            "in the lobby" if status == "lobby" else status for status in allowed_statuses
        )
        raise WrongStatus(game.id, game.status, wanted_words)


async def select_games(source: QuerySource, clause: str, *values: object) -> list[GameRow]:
    """Return the games that match an SQL clause."""
    return await ask(source, select_question(clause, *values))


def select_question(clause: str, *values: object) -> Question[list[GameRow]]:
    """Return a Question for the games that match an SQL clause."""
    columns = f"SELECT {_COLUMNS} FROM games {clause}"
    return Question(query(columns, *values), lambda rows: [GameRow(*row) for row in rows])
