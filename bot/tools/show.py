"""Showing a recorded game at a table of the sandbox, with the people of its guild in the seats."""

from typing import Final

from bot.sandbox.guild import seed
from bot.table.games.imported import Place, add_recorded
from bot.table.tables import Tables
from bot.tools.settings import Settings
from engine.record import Record

PLACE: Final = Place(
    seed.GUILD_ID,
    seed.TABLE_ID,
    tuple((seed.OWNER_ID + number, name) for number, name in enumerate(seed.PEOPLE_NAMES)),
)
"""The channel of the sandbox for playing, and its people."""


async def show_recorded(tables: Tables, recorded: Record, settings: Settings) -> str:
    """Store a recorded game as a running table of the sandbox; the sentence that says where it is shown."""
    game_id = await add_recorded(tables, recorded, PLACE)
    return f"Game {game_id} is shown in the sandbox: {settings.sandbox_page}"
