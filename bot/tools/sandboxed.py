"""The bot against a loopback server of its own, in the same process."""

import asyncio
import sys
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from pathlib import Path

from bot.client.app import Stationmaster
from bot.sandbox.guild.world import COMING, World
from bot.sandbox.redirect import point_discord_at
from bot.sandbox.refusal import SandboxError
from bot.sandbox.server import LoopbackServer
from bot.table.games.imported import add_recorded, read_recorded
from bot.table.tables import Tables
from bot.tools.environment import Settings
from bot.tools.handover import listening
from bot.tools.preflight import require_folder, taking_port
from bot.tools.serving import serve
from bot.tools.showcase import PLACE, Showcase
from engine.record import Record
from storage import open_database

BANNER = """
======================================================================
  No DISCORD_TOKEN is set: this is the SANDBOX.
  Nothing goes to Discord. Open  {url}  in a browser
  and play every seat yourself. Ctrl-C stops it.
======================================================================
"""


async def sandbox(settings: Settings, recorded: Record | None = None) -> None:
    """Run the bot against a loopback server of its own, whose page opens at this game, if there is one."""
    settings = settings.of_sandbox()
    async with await open_database(settings.games) as db, AsyncExitStack() as stack:
        # Not before: who has the database has the folder, too.
        require_folder(settings.sandbox_state, "STATIONMASTER_SANDBOX_STATE")
        world = World(settings.sandbox_state / "world.jsonl")
        with taking_port(settings.sandbox_port, "STATIONMASTER_SANDBOX_PORT"):
            server = await stack.enter_async_context(LoopbackServer(port=settings.sandbox_port, world=world))
        point_discord_at(server.url)
        sys.stderr.write(BANNER.format(url=server.url))

        async def opened(client: Stationmaster) -> None:
            world.offer(Showcase(client.tables))
            if recorded is not None:
                sys.stderr.write(f"{await show_recorded(client.tables, world, recorded, settings)}\n")

        world.shown = None if recorded is None else COMING
        await serve(db, settings, server.token, opened, lambda client: _requests(client, world, settings))


def _requests(client: Stationmaster, world: World, settings: Settings) -> AbstractAsyncContextManager[None]:
    async def show(log: Path, until: int | None) -> str:
        recorded = await asyncio.to_thread(read_recorded, log, until)
        await client.wait_until_ready()
        return await show_recorded(client.tables, world, recorded, settings)

    return listening(settings.sandbox_door, show)


async def show_recorded(tables: Tables, world: World, recorded: Record, settings: Settings) -> str:
    """Store a recorded game as a running table of the sandbox, and let the page open at it; where it is shown."""
    game_id = await add_recorded(tables, recorded, PLACE)
    # On a slow machine the thread may come later: the page then opens where it was.
    with suppress(SandboxError):
        world.show(await Showcase(tables).thread(game_id))
    return f"Game {game_id} is shown in the sandbox: {settings.sandbox_page}"
