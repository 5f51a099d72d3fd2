"""Reaching Discord at the start: what does not answer is tried again, for as long as it takes."""

import asyncio
import logging
from collections.abc import Iterator
from typing import Final

import aiohttp
import discord

from bot.tools.settings import SettingsError

_log = logging.getLogger("stationmaster")

LONGEST_PAUSE: Final = 60.0
"""Seconds between two attempts, at most."""
TOO_MANY_REQUESTS: Final = 429


def pauses(first: float = 1.0) -> Iterator[float]:
    """Seconds to wait after each attempt, growing."""
    while True:
        yield first
        first = min(2 * first, LONGEST_PAUSE)


async def log_in(client: discord.Client, token: str, waits: Iterator[float]) -> None:
    """Log in, however long Discord cannot be reached; raises SettingsError at once if it refuses the token."""
    for pause in waits:
        try:
            await client.login(token)
        except discord.LoginFailure as error:
            raise SettingsError(
                "Discord does not accept DISCORD_TOKEN. Copy it again from the portal."
            ) from error
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            if not _passes(error):
                raise
            _log.warning("Discord cannot be reached (%s); the next attempt is in %.0f s", error, pause)
        else:
            return
        # Each login opens a session with sockets of its own, and leaves that of the one before behind.
        await client.http.close()
        client.http.connector = discord.utils.MISSING
        await asyncio.sleep(pause)


def _passes(error: Exception) -> bool:
    """Whether waiting helps: there is no way to Discord, or it is in trouble itself, or we asked too often."""
    if isinstance(error, discord.HTTPException):
        return error.status >= 500 or error.status == TOO_MANY_REQUESTS
    return True
