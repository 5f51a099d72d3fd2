"""The daily backup: schedule, and time of the last one."""

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

A_DAY: Final = timedelta(days=1)
"""The age at which the newest copy is followed by another."""
LOOK: Final = 600.0
"""Seconds between looks at how old it is."""


def last_copy(settings: Environment) -> Callable[[], Awaitable[datetime | None]] | None:
    """A function that returns the time of the last backup; None without backups."""
    folder = settings.backup_folder
    if folder is None:
        return None

    async def look() -> datetime | None:
        return await asyncio.to_thread(backups.last_copy, folder, settings.database)

    return look


async def back_up_daily(
    settings: Environment, clock: Callable[[], datetime] = utc_now, look: float = LOOK
) -> None:
    """Back up whenever the newest backup is a day old, until cancelled; failures are logged and retried."""
    folder = settings.backup_folder
    while folder is not None:
        now = clock()
        try:
            newest = await asyncio.to_thread(backups.last_copy, folder, settings.database)
            if newest is None or now - newest >= A_DAY:
                made = await asyncio.to_thread(backups.copy_for, folder, settings.database, now)
                _log.info("copied the database to %s", made)
        except (StorageError, OSError) as error:
            _log.error("cannot make the daily copy: %s", error)
        except Exception:  # noqa: BLE001 - whatever it is, the next copy is tried
            _log.exception("cannot make the daily copy")
        await asyncio.sleep(look)
