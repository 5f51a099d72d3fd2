"""Showing a recorded game at a table of the sandbox, with the people of its guild in the seats."""

from contextlib import suppress

from bot.sandbox.guild.world import World
from bot.sandbox.refusal import SandboxError
from bot.table.games.imported import add_recorded
from bot.table.tables import Tables
from bot.tools.settings import Settings
from bot.tools.showcase import PLACE, Showcase
from engine.record import Record


async def show_recorded(tables: Tables, world: World, recorded: Record, settings: Settings) -> str:
    """Store a recorded game as a running table of the sandbox, and let the page open at it; where it is shown."""
    game_id = await add_recorded(tables, recorded, PLACE)
    # On a slow machine the thread may come later: the page then opens where it was.
    with suppress(SandboxError):
        world.show(await Showcase(tables).thread(game_id))
    return f"Game {game_id} is shown in the sandbox: {settings.sandbox_page}"
