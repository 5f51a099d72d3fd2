"""Daily database backups, and the time of the last one."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Final

from bot.tools.databases import utc_now
from bot.tools.environment import Environment
from storage import (
    StorageError,
    backups,
)

_log = logging.getLogger("stationmaster.backup")

BACKUP_INTERVAL: Final = timedelta(days=1)
"""Age of the newest backup at which the next one is made."""
SECONDS_BETWEEN_CHECKS: Final = 600.0
"""Seconds between checks of the newest backup's age."""


def last_backup_reader(settings: Environment) -> Callable[[], Awaitable[datetime | None]] | None:
    """A function that returns the time of the last backup; None if no backups are made."""
    folder = settings.backup_folder
    if folder is None:
        return None

    async def read_time() -> datetime | None:
        return await asyncio.to_thread(backups.newest_backup_time, folder, settings.database)

    return read_time


async def back_up_daily(
    settings: Environment,
    clock: Callable[[], datetime] = utc_now,
    seconds_between_checks: float = SECONDS_BETWEEN_CHECKS,
) -> None:
    """Back up the database whenever the newest backup is a day old, until cancelled. A failed backup is tried again."""
    folder = settings.backup_folder
    while folder is not None:
        now = clock()
        try:
            last_backup_at = await asyncio.to_thread(backups.newest_backup_time, folder, settings.database)
            if last_backup_at is None or now - last_backup_at >= BACKUP_INTERVAL:
                backup_file = await asyncio.to_thread(backups.back_up, folder, settings.database, now)
                _log.info("copied the database to %s", backup_file)
        except (StorageError, OSError) as error:
            _log.error("cannot make the daily copy: %s", error)
        except Exception:  # noqa: BLE001 - the next backup is tried later
            _log.exception("cannot make the daily copy")
        await asyncio.sleep(seconds_between_checks)
