"""`stationmaster invite`: the link by which somebody who manages a server lets the bot in."""

import asyncio
import socket
import threading
from contextlib import suppress
from typing import Final

import discord
import yarl

from bot.client.requests.problems import INVITED
from bot.table.errors import Refused
from bot.tools.environment import Settings, SettingsError
from bot.tools.reaching import log_in, pauses

SCOPES = ("bot", "applications.commands")
"""To be a member, and to have commands."""
PATIENCE: Final = 10.0
"""Seconds in which Discord has to answer."""


async def invitation(settings: Settings, patience: float = PATIENCE) -> str:
    """The link, with the permissions that a table needs.

    Raises SettingsError without a token, or with a wrong one, Refused where Discord does not answer in time.
    """
    if settings.discord_token is None:
        raise SettingsError("DISCORD_TOKEN is not set: the link is for the bot whose token is in .env.")
    try:
        async with asyncio.timeout(patience):
            await _look_up(str(yarl.URL(discord.http.Route.BASE).host))
            async with discord.Client(intents=discord.Intents.none()) as client:
                await log_in(client, settings.discord_token.get_secret_value(), pauses())
                assert client.application_id is not None
                return link(client.application_id)
    except TimeoutError as error:
        raise Refused(
            f"Discord did not answer within {patience:.0f} seconds. Is there a way to the internet?"
        ) from error
    except socket.gaierror as error:
        raise Refused(
            f"Discord cannot be reached: {error.strerror}. Is there a way to the internet?"
        ) from error


def link(application: int) -> str:
    """The link of an application, by its number."""
    permissions = discord.Permissions(**dict.fromkeys(INVITED, True))
    return discord.utils.oauth_url(application, permissions=permissions, scopes=SCOPES)


async def _look_up(host: str) -> None:
    """Find a name, which may take the system half a minute; raises socket.gaierror where it is not found.

    In a thread that nothing waits for, unlike those of the event loop: else giving up would take as long.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[OSError | None] = loop.create_future()

    def look() -> None:
        problem: OSError | None = None
        try:
            socket.getaddrinfo(host, None)
        except OSError as error:
            problem = error
        with suppress(RuntimeError):  # the loop is closed: nobody wants to know any more
            loop.call_soon_threadsafe(_tell, answer, problem)

    threading.Thread(target=look, daemon=True).start()
    if (problem := await answer) is not None:
        raise problem


def _tell(answer: "asyncio.Future[OSError | None]", problem: OSError | None) -> None:
    if not answer.done():
        answer.set_result(problem)
