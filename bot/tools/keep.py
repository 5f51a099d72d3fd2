"""Keeping what is stored: copies of the database, looking it over, and putting a copy back."""

import asyncio
import logging
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from bot.table.games.checking import verdicts
from bot.tools.settings import Settings
from storage.contract import Database
from storage.errors import StorageError
from storage.open_database import open_database
from storage.sqlite import copies
from storage.sqlite.files import require

_log = logging.getLogger("stationmaster.backup")

A_DAY: Final = timedelta(days=1)
"""How old the newest copy may become."""
LOOK: Final = 600.0
"""Seconds between looks at how old it is."""


def backup(settings: Settings, target: Path) -> str:
    """Copy the database to a file, also while the bot runs; a sentence about it. Raises StorageError."""
    copies.copy(_file(settings), target)
    return f"{target} holds every game of {settings.database} as it stood just now."


def restore(settings: Settings, source: Path) -> str:
    """Put a copy in place of the database; a sentence about it. Raises StorageError."""
    aside = copies.restore(source, _file(settings), utc_now())
    kept = f" What was there before is kept as {aside}." if aside else ""
    return f"{settings.database} is now as {source} has it.{kept}"


def last_copy(settings: Settings) -> Callable[[], Awaitable[datetime | None]] | None:
    """Who says when the last daily copy was made; None where none are wanted."""
    folder = settings.backups
    if folder is None:
        return None

    async def look() -> datetime | None:
        return await asyncio.to_thread(copies.last_copy, folder, settings.database)

    return look


async def check(where: str | Path) -> AsyncIterator[tuple[bool, str]]:
    """Look over a database and all its games: for each whether it is sound, and a line about it."""
    if isinstance(where, Path):
        require(where)
        found = await asyncio.to_thread(copies.verdict, where)
        yield found == "ok", f"{where}: {'sound' if found == 'ok' else found}"
    async with opened(where) as db:
        async for verdict in verdicts(db):
            said = f"{verdict.rows} rows, sound" if verdict.problem is None else verdict.problem
            yield (
                verdict.problem is None,
                f"game {verdict.game.id} ({verdict.game.title}, {verdict.game.status}): {said}",
            )


async def daily(settings: Settings, clock: Callable[[], datetime] | None = None, look: float = LOOK) -> None:
    """Make a copy whenever the newest is a day old, until cancelled; a failure is logged and tried again."""
    folder = settings.backups
    while folder is not None:
        now = (clock or utc_now)()
        try:
            newest = await asyncio.to_thread(copies.last_copy, folder, settings.database)
            if newest is None or now - newest >= A_DAY:
                made = await asyncio.to_thread(copies.copy_for, folder, settings.database, now)
                _log.info("the database was copied to %s", made)
        except (StorageError, OSError) as error:
            _log.error("the daily copy was not made: %s", error)
        except Exception:  # noqa: BLE001 - whatever it is, the next copy is tried
            _log.exception("the daily copy was not made")
        await asyncio.sleep(look)


def _file(settings: Settings) -> Path:
    if settings.database_url is not None:
        raise StorageError(
            "The games are on a PostgreSQL server, whose own pg_dump copies them (docs/backup.md). "
            "Unset DATABASE_URL to mean the file."
        )
    return settings.database


def utc_now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


@asynccontextmanager
async def opened(where: str | Path) -> AsyncIterator[Database]:
    """The database, or a copy of the file, so that its bot may continue."""
    with _copied(where) as place:
        async with await open_database(place) as db:
            yield db


@contextmanager
def _copied(where: str | Path) -> Iterator[str | Path]:
    if isinstance(where, str):
        yield where
        return
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "copy.db"
        copies.copy(where, place)
        yield place
