"""Registration of the commands at Discord, once per change and in one place."""

import hashlib
import json
import logging
from typing import Any, Final

import discord
from discord import app_commands

from bot.client.requests.permission_problems import is_temporary
from storage import GUILDS, Database

_log = logging.getLogger("stationmaster")

KEY: Final = "commands"
"""Under which a server has what was registered there last, in short."""
EVERYWHERE: Final = 0
"""Stands for all servers."""
Tree = app_commands.CommandTree[Any]


async def register(db: Database, tree: Tree, guild: discord.Object | None, *, always: bool = False) -> None:
    """Register the commands of a server, or (None) global ones, if changed or `always`.

    Those that an earlier start registered elsewhere are taken away, once they are registered here.
    """
    place, digest = guild.id if guild else EVERYWHERE, _digest(tree, guild)
    if always or await GUILDS.get(db, place, KEY) != digest:
        if not await _is_taken(tree, guild):
            return
        await GUILDS.put(db, place, KEY, digest)
    for other in await GUILDS.having(db, KEY):
        if other != place:
            await _clear(db, tree, other)


async def _is_taken(tree: Tree, guild: discord.Object | None) -> bool:
    """True if Discord accepts the commands; raises temporary errors, such as a lost connection.

    What it refuses for good is logged in a sentence, and tried again at the next start: the bot continues
    with the commands that are there.
    """
    try:
        await tree.sync(guild=guild)
    except discord.HTTPException as error:
        if is_temporary(error):
            raise
        _log.error(
            "Discord refuses the commands (%s). The earlier ones stay; the next start tries again.",
            error,
        )
        return False
    return True


async def _clear(db: Database, tree: Tree, place: int) -> None:
    try:
        await tree.sync(guild=discord.Object(place) if place else None)
    except discord.Forbidden:
        _log.info("server %s dropped its commands when the bot left it", place)
    await GUILDS.forget(db, place, KEY)


def _digest(tree: Tree, guild: discord.Object | None) -> str:
    """A digest of the commands to be registered."""
    commands = [command.to_dict(tree) for command in tree.get_commands(guild=guild)]
    text = json.dumps([tree.client.application_id, commands], default=str)
    return hashlib.sha256(text.encode()).hexdigest()
