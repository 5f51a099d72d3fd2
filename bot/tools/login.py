"""Login and connection to Discord, repeated until they succeed. Also makes the invitation link."""

import asyncio
import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

import aiohttp
import discord
import yarl

from bot.client.requests.permissions_and_invitation import invite_link
from bot.table.errors import Refused
from bot.tools.environment import Environment, SettingsError

_log = logging.getLogger("stationmaster")


class TokenRefused(SettingsError):  # noqa: N818 - named after what is wrong
    """Raised if Discord rejects the bot's token."""

    exit_code = 77
    """EX_NOPERM, the exit code for a rejected token."""


MAX_LOGIN_PAUSE_SECONDS: Final = 10.0
"""Longest pause, in seconds, between attempts to log in."""
TOO_MANY_REQUESTS_STATUS: Final = 429
AUTHENTICATION_FAILED_CODE: Final = 4004
"""Close code by which Discord's gateway rejects a token."""
TOKEN_REFUSED_TEXT: Final = (
    "Discord does not accept DISCORD_TOKEN. Copy it again from the portal (Bot, Reset Token) and start again."
)
ANSWER_SECONDS: Final = 10.0
"""Seconds to wait for Discord's answer before `stationmaster invite` gives up."""


def login_retry_delays(delay: float = 1.0) -> Iterator[float]:
    """Pauses in seconds between attempts to log in. Each is twice as long as the last, to MAX_LOGIN_PAUSE_SECONDS."""
    while True:
        yield delay
        delay = min(2 * delay, MAX_LOGIN_PAUSE_SECONDS)


async def log_in(client: discord.Client, token: str, retry_delays: Iterator[float]) -> None:
    """Log in to Discord. Repeated while Discord cannot be reached; raises TokenRefused if it rejects the token."""
    for delay in retry_delays:
        try:
            await client.login(token)
        except discord.LoginFailure as error:
            raise TokenRefused(TOKEN_REFUSED_TEXT) from error
        except (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError) as error:
            if isinstance(error, discord.HTTPException) and not _is_temporary(error):
                raise TokenRefused(
                    f"Discord refuses the login with the token in DISCORD_TOKEN: {error}."
                ) from error
            _log.warning("cannot reach Discord (%s); next attempt in %.0f s", error, delay)
        else:
            return
        # Each login opens a new session and would leave the sockets of the previous one open.
        await client.http.close()
        client.http.connector = discord.utils.MISSING
        await asyncio.sleep(delay)


async def connect(client: discord.AutoShardedClient, retry_delays: Iterator[float]) -> None:
    """Connect to Discord's gateway until the client is closed. Tries again while Discord does not name a gateway."""
    for delay in retry_delays:
        try:
            await client.connect()
        except (discord.GatewayNotFound, aiohttp.ClientError, OSError) as error:
            if client.shards:
                raise
            _log.warning("Discord does not say where to connect (%r); next attempt in %.0f s", error, delay)
            await asyncio.sleep(delay)
        else:
            return


def _is_temporary(error: discord.HTTPException) -> bool:
    """True for temporary HTTP errors: Discord is down, or limits the rate of requests."""
    return error.status >= 500 or error.status == TOO_MANY_REQUESTS_STATUS


async def wait_until_closed(connection: "asyncio.Future[None]") -> None:
    """Wait until the connection to Discord ends; raises TokenRefused if the token was revoked."""
    try:
        await connection
    except discord.ConnectionClosed as error:
        if error.code != AUTHENTICATION_FAILED_CODE:
            raise
        raise TokenRefused(TOKEN_REFUSED_TEXT) from error


async def invitation_link(settings: Environment, answer_seconds: float = ANSWER_SECONDS) -> str:
    """The link that invites the bot with the permissions it needs.

    Raises SettingsError if the token is missing or rejected, Refused if Discord does not answer in time.
    """
    if settings.discord_token is None:
        raise SettingsError("Set DISCORD_TOKEN first: the link is for the bot with that token.")
    try:
        async with asyncio.timeout(answer_seconds):
            await _resolve_host(str(yarl.URL(discord.http.Route.BASE).host))
            async with discord.Client(intents=discord.Intents.none()) as client:
                await log_in(client, settings.discord_token.get_secret_value(), login_retry_delays())
                assert client.application_id is not None
                return invite_link(client.application_id)
    except TimeoutError as error:
        raise Refused(
            f"Discord did not answer within {answer_seconds:.0f} seconds. Is this machine online?"
        ) from error
    except socket.gaierror as error:
        raise Refused(f"Cannot reach Discord: {error.strerror}. Is this machine online?") from error


async def _resolve_host(host: str) -> None:
    """Look up a host name; raises socket.gaierror if it is unknown.

    This runs in a separate thread, since the lookup cannot be cancelled.
    """
    loop = asyncio.get_running_loop()
    lookup_future: asyncio.Future[OSError | None] = loop.create_future()

    def resolve() -> None:
        lookup_error: OSError | None = None
        try:
            socket.getaddrinfo(host, None)
        except OSError as error:
            lookup_error = error
        with suppress(RuntimeError):  # the loop is closed, so no task waits for the answer
            loop.call_soon_threadsafe(_set_answer, lookup_future, lookup_error)

    threading.Thread(target=resolve, daemon=True).start()
    if (lookup_error := await lookup_future) is not None:
        raise lookup_error


def _set_answer(lookup_future: "asyncio.Future[OSError | None]", lookup_error: OSError | None) -> None:
    if not lookup_future.done():
        lookup_future.set_result(lookup_error)
