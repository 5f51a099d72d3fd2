"""Looking again and again for what its time has brought, whatever goes wrong in between."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from bot.table.errors import Refused
from storage.errors import StorageError

_log = logging.getLogger("stationmaster.watching")

MINUTE: Final = 60.0
"""Seconds between two looks."""
HOUR: Final = 60 * MINUTE
"""The same, where nobody waits."""
Sleep: TypeAlias = Callable[[float], Awaitable[None]]
"""Waits for N seconds."""


async def keep_looking(
    what: str, look: Callable[[], Awaitable[None]], seconds: float, sleep: Sleep = asyncio.sleep
) -> None:
    """Look at once and every N seconds, until cancelled; a failed look is in the log, by its purpose."""
    while True:
        try:
            await look()
        except (Refused, StorageError) as error:
            _log.warning("%s: %s", what, error)
        except Exception:  # noqa: BLE001 - were this to end, nobody would look any more until the next start
            _log.exception("%s", what)
        await sleep(seconds)
