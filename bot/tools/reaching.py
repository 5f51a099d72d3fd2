"""Reaching Discord at the start: what does not answer is tried again, for as long as it takes."""

import asyncio
import logging
from collections.abc import Iterator
from typing import Final

import aiohttp
import discord

from bot.tools.environment import TokenRefused

_log = logging.getLogger("stationmaster")

LONGEST_PAUSE: Final = 10.0
"""Seconds between two attempts, at most: one request each, and everybody waits for the end of the outage."""
TOO_MANY_REQUESTS: Final = 429
AUTHENTICATION_FAILED: Final = 4004
"""How Discord closes the event socket of a token that it does not, or no longer, accept."""
TOKEN_REFUSED: Final = (
    "Discord does not accept DISCORD_TOKEN. Copy it again from the portal (Bot, Reset Token) and start again."
)


def pauses(first: float = 1.0) -> Iterator[float]:
    """Seconds to wait after each attempt, growing."""
    while True:
        yield first
        first = min(2 * first, LONGEST_PAUSE)


async def log_in(client: discord.Client, token: str, waits: Iterator[float]) -> None:
    """Log in, however long Discord cannot be reached; raises TokenRefused at once if it does not let the bot in."""
    for pause in waits:
        try:
            await client.login(token)
        except discord.LoginFailure as error:
            raise TokenRefused(TOKEN_REFUSED) from error
        except (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError) as error:
            if isinstance(error, discord.HTTPException) and not _passes(error):
                raise TokenRefused(f"Discord does not let the bot of DISCORD_TOKEN in: {error}.") from error
            _log.warning("Discord cannot be reached (%s); the next attempt is in %.0f s", error, pause)
        else:
            return
        # Each login opens a session with sockets of its own, and leaves that of the one before behind.
        await client.http.close()
        client.http.connector = discord.utils.MISSING
        await asyncio.sleep(pause)


async def connect(client: discord.AutoShardedClient, waits: Iterator[float]) -> None:
    """Be connected until the client is closed; where Discord does not say how, it is asked again."""
    for pause in waits:
        try:
            await client.connect()
        except (discord.GatewayNotFound, aiohttp.ClientError, OSError) as error:
            if client.shards:
                raise
            _log.warning(
                "Discord does not say where to connect (%r); the next attempt is in %.0f s", error, pause
            )
            await asyncio.sleep(pause)
        else:
            return


def _passes(error: discord.HTTPException) -> bool:
    """Whether waiting helps: Discord is in trouble itself, or we asked too often."""
    return error.status >= 500 or error.status == TOO_MANY_REQUESTS


async def until_closed(connected: "asyncio.Future[None]") -> None:
    """Wait for the end of a connection; raises TokenRefused where Discord has ended it over the token."""
    try:
        await connected
    except discord.ConnectionClosed as error:
        if error.code != AUTHENTICATION_FAILED:
            raise
        raise TokenRefused(TOKEN_REFUSED) from error
