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

from bot.table.games.game_log import RowDamaged, checked_rows
from bot.table.games.loading import load, replayed_game
from bot.table.imports import read_recorded_game
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


def back_up_database(settings: Environment, target: Path) -> str:
    """Back up the database to a file, even while the bot runs; returns a sentence about it. Raises StorageError."""
    backups.copy_database(_database_file(settings), target)
    return f"{target} now holds a copy of every game in {settings.database}."


def restore(settings: Environment, source: Path) -> str:
    """Restore a backup; returns a sentence about it. Raises StorageError."""
    old_database_file = backups.restore_database(source, _database_file(settings), utc_now())
    old_file_text = f" The old database is kept as {old_database_file}." if old_database_file else ""
    return f"{settings.database} is now a copy of {source}; check its games with `stationmaster check`.{old_file_text}"


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
                f"{verdict.row_count} rows, no damage found" if verdict.problem is None else verdict.problem
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


async def migrate(source: str | Path, target: str | Path, server_id: int | None) -> str:
    """Copy all games, or those of one `server_id`, to another database; returns a sentence. Raises StorageError."""
    if not _database_exists(source):
        raise StorageError(f"There is no database {source}: the file is missing.")
    async with await open_database(source) as source_db:
        if await source_db.is_owned():
            raise DatabaseInUse(f"Bot processes are running on {source_db.name}. Stop them first.")
        server_ids = [
            guild_id for guild_id in await moving.guilds_with_data(source_db) if server_id in (None, guild_id)
        ]
        if not server_ids:
            raise StorageError(
                f"{source_db.name} has no games{'' if server_id is None else f' of server {server_id}'}."
            )
        async with await open_database(target) as target_db:
            totals = await moving.move_guilds(source_db, target_db, server_ids)
            return (
                f"Games: {totals.game_count}, with {totals.log_row_count} rows in their logs. All are now in "
                f"{target_db.name} (digest {totals.digest[:16]}). {source_db.name} still has them: do not run a "
                "bot there."
            )


def _database_exists(location: str | Path) -> bool:
    return is_server_url(location) or Path(location).is_file()


GAME_STATUSES: tuple[games.Status, ...] = ("lobby", "running", "finished", "abandoned")


@dataclass(frozen=True, slots=True)
class GameVerdict:
    """The result of checking a stored game: number of log rows, and the problem (None if there is none)."""

    game: GameRow
    row_count: int
    problem: str | None


async def verdicts(db: Database) -> AsyncIterator[GameVerdict]:
    """Check every game of a database: replay its log, and compare digests of log rows and the stored state."""
    for status in GAME_STATUSES:
        for game in await games.games_with_status(db, status):
            row_count, problem = await _check_game(db, game.id)
            yield GameVerdict(game, row_count, problem)


async def _check_game(db: Database, game_id: int) -> tuple[int, str | None]:
    log_rows: list[log.LogRow] = []
    try:
        log_rows = await log.read_rows(db, game_id)
        if log_rows:
            await log.stored_state(db, game_id)
            await asyncio.to_thread(lambda: replayed_game(checked_rows(log_rows)))
    except EngineError as error:
        return len(log_rows), describe_error(error)
    except (StorageError, RowDamaged) as error:
        return len(log_rows), str(error)
    except Exception:  # noqa: BLE001 - damage of any kind must not stop the check of other games
        _log.exception("cannot check game %s", game_id)
        return len(log_rows), "its stored data is not valid"
    return len(log_rows), None


WRITER_BY_EXPORT_FORMAT: Final[Mapping[str, Callable[[Record], str]]] = {
    "own": write_record,
    "18xx.games": log_text,
    "ledger": ledger_text,
}
"""By export format: the function that converts a game's record to text."""


async def export(location: str | Path, id_or_file: str, target: Path, export_format: str) -> str:
    """Write a game to a file in one of the formats; returns a sentence about it.

    `id_or_file` is the id of a stored game, or a log file. Raises StorageError, Refused, or EngineError if the format
    cannot hold the game.
    """
    name, record = await _name_and_record(location, id_or_file)
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


async def _name_and_record(location: str | Path, id_or_file: str) -> tuple[str, Record]:
    """Name and record of a game: from the database if `id_or_file` is an id, else from the file named `id_or_file`."""
    if not id_or_file.isdecimal():
        return id_or_file, read_recorded_game(Path(id_or_file), None)
    async with open_database_or_copy(location) as db:
        live = await load(db, int(id_or_file), Workers())
    return f"game {id_or_file} up to move {live.seq}", record_of(live)
