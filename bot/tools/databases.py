"""Commands for whole databases: backup, restore, check, migration to another database, and export."""

import asyncio
import logging
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bot.table.games.game_log import DamagedRow, checked_rows
from bot.table.games.loading import load, replayed_game
from bot.table.imports import read_recorded
from bot.table.past.game_record import ledger_text, log_text, log_warnings, record_of
from bot.tools.environment import Environment
from bot.workers.workers import Workers
from engine import EngineError, Record, describe_error, write_record
from storage import (
    Database,
    DatabaseInUse,
    GameRow,
    StorageError,
    backups,
    games,
    is_server_url,
    log,
    moving,
    open_database,
)

_log = logging.getLogger("stationmaster.backup")


def backup(settings: Environment, target: Path) -> str:
    """Back up the database to a file, even while the bot runs; returns a sentence about it. Raises StorageError."""
    backups.copy_database(_database_file(settings), target)
    return f"{target} now holds a copy of every game in {settings.database}."


def restore(settings: Environment, source: Path) -> str:
    """Restore a backup; returns a sentence about it. Raises StorageError."""
    kept_database_file = backups.restore_database(source, _database_file(settings), utc_now())
    kept_text = f" The old database is kept as {kept_database_file}." if kept_database_file else ""
    return f"{settings.database} is now a copy of {source}; check its games with `stationmaster check`.{kept_text}"


async def check(location: str | Path) -> AsyncIterator[tuple[bool, str]]:
    """Check a database and replay all its games.

    Yields a pair for the database and one for each game: True if no problem was found, and the line to print.
    """
    if isinstance(location, Path):
        file_verdict = await asyncio.to_thread(backups.integrity_check_result, location)
        yield (
            file_verdict == "ok",
            f"{location}: {'no damage found' if file_verdict == 'ok' else file_verdict}",
        )
    async with open_database_or_copy(location) as db:
        async for verdict in verdicts(db):
            verdict_text = (
                f"{verdict.rows} rows, no damage found" if verdict.problem is None else verdict.problem
            )
            yield (
                verdict.problem is None,
                f"game {verdict.game.id} ({verdict.game.title}, {verdict.game.status}): {verdict_text}",
            )


def _database_file(settings: Environment) -> Path:
    if settings.database_url is not None:
        raise StorageError(
            "The games are on a PostgreSQL server: copy them with its pg_dump (docs/backup.md). "
            "Unset DATABASE_URL to use the file."
        )
    return settings.database


def utc_now() -> datetime:
    return datetime.now(UTC)


@asynccontextmanager
async def open_database_or_copy(location: str | Path) -> AsyncIterator[Database]:
    """Context manager: a database on a server, or a temporary copy of a database file.

    With a copy, the bot can keep running.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy_or_url: str | Path = location
        if isinstance(location, Path):
            copy_or_url = Path(folder) / "copy.db"
            backups.copy_database(location, copy_or_url)
        async with await open_database(copy_or_url) as db:
            yield db


async def migrate(source: str | Path, target: str | Path, server: int | None) -> str:
    """Copy all games, or those of one `server`, to another database; returns a sentence. Raises StorageError."""
    if not _exists(source):
        raise StorageError(f"There is no database {source}: the file is missing.")
    async with await open_database(source) as source_db:
        if await source_db.is_owned():
            raise DatabaseInUse(f"Bot processes are running on {source_db.name}. Stop them first.")
        servers = [guild for guild in await moving.guilds_with_data(source_db) if server in (None, guild)]
        if not servers:
            raise StorageError(
                f"{source_db.name} has no games{'' if server is None else f' of server {server}'}."
            )
        async with await open_database(target) as target_db:
            totals = await moving.move_guilds(source_db, target_db, servers)
            return (
                f"Games: {totals.games}, with {totals.log_row_count} rows in their logs. All are now in "
                f"{target_db.name} (digest {totals.digest[:16]}). {source_db.name} still has them: do not run a "
                "bot there."
            )


def _exists(location: str | Path) -> bool:
    return is_server_url(location) or Path(location).is_file()


GAME_STATUSES: tuple[games.Status, ...] = ("lobby", "running", "finished", "abandoned")


@dataclass(frozen=True, slots=True)
class GameVerdict:
    """The result of checking a stored game: number of log rows, and the problem (None if there is none)."""

    game: GameRow
    rows: int
    problem: str | None


async def verdicts(db: Database) -> AsyncIterator[GameVerdict]:
    """Check every game of a database: replay its log, and compare digests of log rows and the stored state."""
    for status in GAME_STATUSES:
        for game in await games.games_with_status(db, status):
            rows, problem = await _check_game(db, game.id)
            yield GameVerdict(game, rows, problem)


async def _check_game(db: Database, game_id: int) -> tuple[int, str | None]:
    rows: list[log.Row] = []
    try:
        rows = await log.read_rows(db, game_id)
        if rows:
            await log.stored_state(db, game_id)
            await asyncio.to_thread(lambda: replayed_game(checked_rows(rows)))
    except EngineError as error:
        return len(rows), describe_error(error)
    except (StorageError, DamagedRow) as error:
        return len(rows), str(error)
    except Exception:  # noqa: BLE001 - damage of any kind must not stop the check of other games
        _log.exception("cannot check game %s", game_id)
        return len(rows), "its stored data is not valid"
    return len(rows), None


WRITER_BY_EXPORT_FORMAT: Final[Mapping[str, Callable[[Record], str]]] = {
    "own": write_record,
    "18xx.games": log_text,
    "ledger": ledger_text,
}
"""By export format: the function that converts a game's record to text."""


async def export(location: str | Path, game: str, target: Path, export_format: str) -> str:
    """Write a game to a file in one of the formats; returns a sentence about it.

    `game` is the id of a stored game, or a log file. Raises StorageError, Refused, or EngineError if the format cannot
    hold the game.
    """
    name, record = await _name_and_record(location, game)
    text = WRITER_BY_EXPORT_FORMAT[export_format](record)
    _write_new_file(target, text)
    warnings = log_warnings(text) if export_format == "18xx.games" else []
    return "\n".join([f"{target} holds {name}.", *warnings])


def _write_new_file(target: Path, text: str) -> None:
    """Write a new file, completely or not at all. An existing file is not overwritten."""
    if not target.parent.is_dir():
        raise StorageError(f"Cannot write {target}: there is no folder {target.parent}.")
    file = target.open("x", encoding="utf-8")
    try:
        with file:
            file.write(text)
    except OSError as error:
        target.unlink(missing_ok=True)
        raise StorageError(f"Cannot write {target}: {error.strerror}.") from error


async def _name_and_record(location: str | Path, game: str) -> tuple[str, Record]:
    """Name and record of a game: from the database if `game` is an id, else from the file named `game`."""
    if not game.isdecimal():
        return game, read_recorded(Path(game), None)
    async with open_database_or_copy(location) as db:
        live = await load(db, int(game), Workers())
    return f"game {game} up to move {live.seq}", record_of(live)
