"""Starting: against Discord with a token, else against our own loopback server in the same process."""

import asyncio
import gc
import logging
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeAlias

import discord

from bot.client.app import Stationmaster
from bot.sandbox import seed
from bot.sandbox.point import point_discord_at
from bot.sandbox.server import LoopbackServer
from bot.sandbox.world import World
from bot.table.recorded import Place, add_recorded, read_recorded
from bot.tools.handover import hand_over, listening
from bot.tools.settings import Settings, SettingsError
from storage.db import Database

_log = logging.getLogger("stationmaster")

Started: TypeAlias = Callable[[Stationmaster], Awaitable[None]]
"""Called once the client is connected."""

BANNER = """
======================================================================
  No DISCORD_TOKEN is set: this is the SANDBOX.
  Nothing goes to Discord. Open  {url}  in a browser
  and play every seat yourself. Ctrl-C stops it.
======================================================================
"""


def run(settings: Settings) -> None:
    """Run the bot until it is told to stop; raises SettingsError, StorageError."""
    _start_logging(settings)
    if settings.discord_token is not None:
        asyncio.run(_serve(settings, settings.discord_token.get_secret_value()))
    elif settings.discord_url is not None:
        point_discord_at(settings.discord_url)
        asyncio.run(_serve(settings, seed.DUMMY_TOKEN))
    else:
        asyncio.run(_sandbox(settings, None))


def play(log: Path, until: int | None, settings: Settings) -> None:
    """Show a recorded game in the sandbox, which is started if it does not run.

    Raises Refused for a log that cannot be used, SettingsError with a token or a redirect.
    """
    if settings.discord_token is not None or settings.discord_url is not None:
        raise SettingsError("`play` is for the sandbox: unset DISCORD_TOKEN and STATIONMASTER_DISCORD_URL.")
    _start_logging(settings)
    recorded = read_recorded(log, until)
    said = asyncio.run(hand_over(_socket(settings), log.resolve(), until))
    if said is not None:
        sys.stderr.write(f"{said}\n")
        return

    async def show(client: Stationmaster) -> None:
        game_id = await add_recorded(client.tables, recorded, _place())
        sys.stderr.write(f"{_shown(game_id, settings)}\n")

    asyncio.run(_sandbox(settings, show))


async def _sandbox(settings: Settings, started: Started | None) -> None:
    world = World(settings.sandbox_state / "world.jsonl")
    async with LoopbackServer(port=settings.sandbox_port, world=world) as server:
        point_discord_at(server.url)
        sys.stderr.write(BANNER.format(url=server.url))
        await _serve(settings, server.token, started, sandboxed=True)


async def _serve(
    settings: Settings, token: str, started: Started | None = None, *, sandboxed: bool = False
) -> None:
    # The libraries stay; left among the rest, looking through them for garbage would stop the event loop for 60 ms.
    gc.collect()
    gc.freeze()
    async with (
        await Database.open(settings.database) as db,
        Stationmaster(db, theme=settings.theme, guild=settings.discord_guild, **_quick(settings)) as client,
    ):
        stop = _stop_signal()
        connected = asyncio.create_task(client.start(token))
        try:
            async with _requests(client, settings) if sandboxed else _nothing():
                if started is not None and await _ready(client, connected):
                    await started(client)
                await asyncio.wait({connected, stop}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await client.close()
            await asyncio.wait({connected})
        await _finished(connected)


def _quick(settings: Settings) -> dict[str, Any]:
    """Of a sandbox the guild is known at once, and its folder may be newer than the database."""
    real = settings.discord_token is not None
    return {} if real else {"guild_ready_timeout": 0.1, "sync_always": True}


async def _ready(client: Stationmaster, connected: "asyncio.Task[None]") -> bool:
    """Wait until the client is connected; False if it gave up."""
    ready = asyncio.create_task(client.wait_until_ready())
    await asyncio.wait({ready, connected}, return_when=asyncio.FIRST_COMPLETED)
    ready.cancel()
    return not connected.done()


async def _finished(connected: "asyncio.Task[None]") -> None:
    try:
        await connected
    except discord.LoginFailure as error:
        raise SettingsError(
            "Discord does not accept DISCORD_TOKEN. Copy it again from the portal."
        ) from error


@asynccontextmanager
async def _requests(client: Stationmaster, settings: Settings) -> AsyncIterator[None]:
    async def show(log: Path, until: int | None) -> str:
        recorded = await asyncio.to_thread(read_recorded, log, until)
        await client.wait_until_ready()
        return _shown(await add_recorded(client.tables, recorded, _place()), settings)

    async with listening(_socket(settings), show):
        yield


@asynccontextmanager
async def _nothing() -> AsyncIterator[None]:
    yield


def _stop_signal() -> "asyncio.Future[None]":
    """Done when the process is told to stop (SIGTERM, SIGINT)."""
    loop = asyncio.get_running_loop()
    stop: asyncio.Future[None] = loop.create_future()

    def told_to_stop() -> None:
        if not stop.done():
            stop.set_result(None)

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, told_to_stop)
    return stop


def _socket(settings: Settings) -> Path:
    return settings.sandbox_state / "requests.sock"


def _place() -> Place:
    people = tuple((seed.OWNER_ID + number, name) for number, name in enumerate(seed.PEOPLE_NAMES))
    return Place(seed.GUILD_ID, seed.TABLE_ID, people)


def _shown(game_id: int, settings: Settings) -> str:
    return f"Game {game_id} is shown in the sandbox: http://127.0.0.1:{settings.sandbox_port}"


def _start_logging(settings: Settings) -> None:
    # We speak in writing only; without this, every start would warn that libraries for voice are missing.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    logging.basicConfig(
        level=settings.log_level, format="%(asctime)s %(levelname)s %(name)s: %(message)s", force=True
    )
