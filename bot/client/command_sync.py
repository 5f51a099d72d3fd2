"""Registers the commands on Discord, but only if they have changed."""

import hashlib
import json
import logging
from typing import Any, Final

import discord
from discord import app_commands

from bot.client.requests.permission_problems import is_temporary
from storage import GUILD_SETTINGS, Database

_log = logging.getLogger("stationmaster")

COMMANDS_DIGEST_KEY: Final = "commands"
"""Key of the server setting that holds a digest of the commands last registered on the server."""
GLOBAL_SCOPE_ID: Final = 0
"""Used in place of a server id when the commands are registered globally."""
Tree = app_commands.CommandTree[Any]


async def register(
    db: Database, tree: Tree, guild: discord.Object | None, *, is_forced: bool = False
) -> None:
    """Register the commands on one server (or globally if `guild` is None) if they changed or `is_forced` is set.

    Commands that an earlier start registered for another server, or globally, are then removed.
    """
    server_id, digest = guild.id if guild else GLOBAL_SCOPE_ID, _commands_digest(tree, guild)
    if is_forced or await GUILD_SETTINGS.get(db, server_id, COMMANDS_DIGEST_KEY) != digest:
        if not await _try_to_register_commands(tree, guild):
            return
        await GUILD_SETTINGS.put(db, server_id, COMMANDS_DIGEST_KEY, digest)
    for other_server in await GUILD_SETTINGS.owners_with_setting(db, COMMANDS_DIGEST_KEY):
        if other_server != server_id:
            await _clear_commands(db, tree, other_server)


async def _try_to_register_commands(tree: Tree, guild: discord.Object | None) -> bool:
    """Register the commands; True if Discord accepts them. Raises temporary errors, such as a lost connection."""
    try:
        await tree.sync(guild=guild)
    except discord.HTTPException as error:
        if is_temporary(error):
            raise
        _log.error(
            "Discord refuses the slash commands (%s). The old ones stay; the bot tries again at its next start.",
            error,
        )
        return False
    return True


async def _clear_commands(db: Database, tree: Tree, server_id: int) -> None:
    try:
        await tree.sync(guild=discord.Object(server_id) if server_id else None)
    except discord.Forbidden:
        _log.info("server %s: its commands are gone already, because the bot left it", server_id)
    await GUILD_SETTINGS.forget(db, server_id, COMMANDS_DIGEST_KEY)


def _commands_digest(tree: Tree, guild: discord.Object | None) -> str:
    commands = [command.to_dict(tree) for command in tree.get_commands(guild=guild)]
    commands_json = json.dumps([tree.client.application_id, commands], default=str)
    return hashlib.sha256(commands_json.encode()).hexdigest()
