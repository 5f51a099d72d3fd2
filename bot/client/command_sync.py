"""Registering the commands with Discord: once per change and in one place, so that none is listed twice."""

import hashlib
import json
import logging
from functools import cached_property
from typing import Any, Final

import discord
from discord import app_commands

from bot.client.requests.permission_problems import is_passing
from storage import Database
from storage.settings import GUILDS

_log = logging.getLogger("stationmaster")

KEY: Final = "commands"
"""Under which a server (0: all of them) has what was registered there last, in short."""
Tree = app_commands.CommandTree[Any]


def _place(guild: discord.Object | None) -> int:
    return guild.id if guild else 0


class Register:
    """What Discord lists of our commands: those of a server (`guild`), or of all of them."""

    def __init__(self, db: Database, tree: Tree, guild: discord.Object | None) -> None:
        self._db = db
        self._tree = tree
        self._guild = guild

    async def changed(self) -> bool:
        """Whether the commands differ from those registered here last."""
        return await GUILDS.get(self._db, _place(self._guild), KEY) != self._digest

    async def bring(self) -> None:
        """Register the commands here, and take away those that were registered elsewhere.

        What Discord refuses for good is logged in a sentence, and tried again at the next start: the bot continues with
        the commands that are there. Raises what passes, such as a lost connection.
        """
        try:
            await self._tree.sync(guild=self._guild)
        except discord.HTTPException as error:
            if is_passing(error):
                raise
            _log.error(
                "Discord refuses the commands (%s). Those registered earlier stay; the next start tries again.",
                error,
            )
            return
        await GUILDS.put(self._db, _place(self._guild), KEY, self._digest)

    async def clear_others(self) -> None:
        """Take the commands away from where an earlier start registered them, once they are registered here."""
        if await self.changed():
            return
        for place in await GUILDS.having(self._db, KEY):
            if place != _place(self._guild):
                await self._clear(place)

    async def _clear(self, place: int) -> None:
        guild = discord.Object(place) if place else None
        try:
            await self._tree.sync(guild=guild)
        except discord.Forbidden:
            _log.info("the commands of server %s went when the bot left it", place)
        await GUILDS.forget(self._db, place, KEY)

    @cached_property
    def _digest(self) -> str:
        """The commands that are to be registered here, in short."""
        commands = [command.to_dict(self._tree) for command in self._tree.get_commands(guild=self._guild)]
        text = json.dumps([self._tree.client.application_id, commands], default=str)
        return hashlib.sha256(text.encode()).hexdigest()
