"""Work on whole databases: backups, checks, moving games, and export."""

import asyncio
import logging
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bot.table.games.game_log import DamagedRow, effective_sound_rows
from bot.table.games.loading import load, replayed
from bot.table.imports import read_recorded
from bot.table.past.game_record import as_ledger, as_log, log_warnings, record_of
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
    log,
    moving,
    on_a_server,
    open_database,
)

_log = logging.getLogger("stationmaster.backup")


def backup(settings: Environment, target: Path) -> str:
    """Back up the database to a file, even while the bot runs; returns a sentence. Raises StorageError."""
    backups.copy(_file(settings), target)
    return f"{target} has every game of {settings.database} as of now."


def restore(settings: Environment, source: Path) -> str:
    """Restore a backup; returns a sentence. Raises StorageError."""
    aside = backups.restore(source, _file(settings), utc_now())
    kept = f" The old database is kept as {aside}." if aside else ""
    return f"{settings.database} is now a copy of {source}; check its games with `stationmaster check`.{kept}"


async def check(location: str | Path) -> AsyncIterator[tuple[bool, str]]:
    """Check a database and all its games; for each, True if sound, and a line."""
    if isinstance(location, Path):
        found = await asyncio.to_thread(backups.verdict, location)
        yield found == "ok", f"{location}: {'sound' if found == 'ok' else found}"
    async with opened_database(location) as db:
        async for verdict in verdicts(db):
            said = f"{verdict.rows} rows, sound" if verdict.problem is None else verdict.problem
            yield (
                verdict.problem is None,
                f"game {verdict.game.id} ({verdict.game.title}, {verdict.game.status}): {said}",
            )


def _file(settings: Environment) -> Path:
    if settings.database_url is not None:
        raise StorageError(
            "The games are on a PostgreSQL server: copy them with its pg_dump (docs/backup.md). "
            "Unset DATABASE_URL to use the file."
        )
    return settings.database


def utc_now() -> datetime:
    return datetime.now(UTC)


@asynccontextmanager
async def opened_database(location: str | Path) -> AsyncIterator[Database]:
    """The database, or a copy of its file, so that the bot may continue."""
    with tempfile.TemporaryDirectory() as folder:
        place: str | Path = location
        if isinstance(location, Path):
            place = Path(folder) / "copy.db"
            backups.copy(location, place)
        async with await open_database(place) as db:
            yield db


async def migrate(source: str | Path, target: str | Path, server: int | None) -> str:
    """Move all games, or one server's, to another database; returns a sentence. Raises StorageError."""
    if not _is_there(source):
        raise StorageError(f"There is no database {source}: the file is missing.")
    async with await open_database(source) as old:
        if await old.is_owned():
            raise DatabaseInUse(f"Processes are running on {old.name}; stop them first.")
        servers = [guild for guild in await moving.guilds(old) if server in (None, guild)]
        if not servers:
            raise StorageError(f"{old.name} has no games{'' if server is None else f' of server {server}'}.")
        async with await open_database(target) as new:
            moved = await moving.move(old, new, servers)
            return (
                f"Games: {moved.games}, with {moved.moves} rows in their logs. All are now in "
                f"{new.name} (digest {moved.digest[:16]}). {old.name} still has them: do not run a "
                "bot there."
            )


def _is_there(location: str | Path) -> bool:
    return on_a_server(location) or Path(location).is_file()


STATUSES: tuple[games.Status, ...] = ("lobby", "running", "finished", "abandoned")


@dataclass(frozen=True, slots=True)
class GameVerdict:
    """A game's check: number of rows, and the problem (None: none)."""

    game: GameRow
    rows: int
    problem: str | None


async def verdicts(db: Database) -> AsyncIterator[GameVerdict]:
    """Check every game: each row's digest by replay, and the stored state."""
    for status in STATUSES:
        for game in await games.games_in(db, status):
            rows, problem = await _looked_over(db, game.id)
            yield GameVerdict(game, rows, problem)


async def _looked_over(db: Database, game_id: int) -> tuple[int, str | None]:
    rows: list[log.Row] = []
    try:
        rows = await log.read_rows(db, game_id)
        if rows:
            await log.stored_state(db, game_id)
            await asyncio.to_thread(lambda: replayed(effective_sound_rows(rows)))
    except EngineError as error:
        return len(rows), describe_error(error)
    except (StorageError, DamagedRow) as error:
        return len(rows), str(error)
    except Exception:  # noqa: BLE001 - whatever stands there, the other games are looked over
        _log.exception("cannot check game %s", game_id)
        return len(rows), "its stored data makes no sense"
    return len(rows), None


WRITERS: Final[Mapping[str, Callable[[Record], str]]] = {
    "own": write_record,
    "18xx.games": as_log,
    "ledger": as_ledger,
}
"""Writers of a game, by form."""


async def export(location: str | Path, game: str, target: Path, form: str) -> str:
    """Write a stored game, or a log, to a file in one of the formats; returns a sentence.

    Raises StorageError, Refused, or EngineError where the game cannot be written so.
    """
    what, record = await _name_and_record(location, game)
    written = WRITERS[form](record)
    _write(target, written)
    noted = log_warnings(written) if form == "18xx.games" else []
    return "\n".join([f"{target} holds {what}.", *noted])


def _write(target: Path, text: str) -> None:
    """Write a new file, completely or not at all."""
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
    """A game's name and record: by id from the database, or from a file."""
    if not game.isdecimal():
        return game, read_recorded(Path(game), None)
    async with opened_database(location) as db:
        live = await load(db, int(game), Workers())
    return f"game {game} up to move {live.seq}", record_of(live)
