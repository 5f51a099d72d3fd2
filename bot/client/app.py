"""The client: starts up, registers the commands when they changed, and keeps the outbox moving."""

import asyncio
import hashlib
import json
import logging
from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import discord
from discord import app_commands

from bot.client.announce import Poster
from bot.client.buttons import COMPONENTS
from bot.client.commands import COMMANDS
from bot.client.flows import Flows
from bot.client.inquiries import Views
from bot.client.pictures import Pictures
from bot.client.replies import say
from bot.client.wizard import Wizard
from bot.table.errors import told
from bot.table.live import Live
from bot.table.lobby import Lobbies
from bot.table.notices import lane
from bot.table.sender import Sender
from bot.table.service import Tables
from storage import guilds, outbox
from storage.db import Database

_log = logging.getLogger("stationmaster")

READING_SECONDS: Final = 2.0
"""How long autocomplete waits for a game to be read; Discord waits three seconds for the choices."""
KEPT: Final = timedelta(days=30)
"""How long a row of the outbox is kept after it was posted."""


class Tree(app_commands.CommandTree["Stationmaster"]):
    """The command tree; an error in a command becomes a private sentence."""

    async def on_error(
        self, interaction: discord.Interaction["Stationmaster"], error: app_commands.AppCommandError, /
    ) -> None:
        """Tell the person what is wrong."""
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        if isinstance(cause, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
            await say(interaction, "This command has changed. Wait a moment, and type it again.")
            return
        await say(interaction, told(cause))


class Stationmaster(discord.Client):
    """The bot: one database, many tables."""

    def __init__(
        self,
        db: Database,
        *,
        theme: str = "ours",
        guild: int | None = None,
        sync_always: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            **options,
        )
        self.db = db
        self.tables = Tables(db)
        self.lobbies = Lobbies(self.tables)
        pictures = Pictures(theme)
        self.flows = Flows(self, self.tables, self.lobbies)
        self.wizard = Wizard(self.tables)
        self.views = Views(self.tables, pictures)
        self.tree = Tree(self)
        self.sender = Sender(db, Poster(self, self.tables, pictures).deliver, self.tables.clock, lane)
        self.tables.on_notice = self.sender.wake
        self._guild = None if guild is None else discord.Object(guild)
        self._sync_always = sync_always
        self._jobs: set[asyncio.Task[None]] = set()

    async def setup_hook(self) -> None:
        """Before the connection: tables, components, commands, and the sender."""
        await self.tables.open()
        await outbox.forget_sent(self.db, (datetime.now(UTC) - KEPT).isoformat())
        self.add_dynamic_items(*COMPONENTS)
        for command in COMMANDS:
            self.tree.add_command(command, guild=self._guild)
        await self._sync()
        self._run(self._send())

    async def close(self) -> None:
        """Stop sending, finish what is being stored, and disconnect."""
        for job in list(self._jobs):
            job.cancel()
        await asyncio.gather(*self._jobs, return_exceptions=True)
        await self.tables.drain()
        await super().close()

    async def live_soon(self, game_id: int) -> Live | None:
        """The live game, read into memory if that is quick enough for autocomplete; else None, and it goes on."""
        if self.tables.cached(game_id) is None:
            await asyncio.wait({self._run(self._read(game_id))}, timeout=READING_SECONDS)
        return self.tables.cached(game_id)

    async def on_ready(self) -> None:
        """Say so in the log; may happen several times."""
        _log.info("connected as %s", self.user)

    async def _read(self, game_id: int) -> None:
        try:
            async with self.tables.reading(game_id):
                return
        except Exception as error:  # noqa: BLE001 - nobody asked for this; the next request meets the same problem
            _log.warning("game %s is not in memory: %s", game_id, error)

    async def _send(self) -> None:
        # Threads are made from channels of a guild, which are known only once the gateway has told of them.
        await self.wait_until_ready()
        await self.sender.run()

    async def _sync(self) -> None:
        """Register the commands with Discord if they differ from those registered last."""
        commands = [command.to_dict(self.tree) for command in self.tree.get_commands(guild=self._guild)]
        text = json.dumps([self.application_id, commands], sort_keys=True, default=str)
        wanted = hashlib.sha256(text.encode()).hexdigest()
        place = self._guild.id if self._guild else 0
        if not self._sync_always and await guilds.get(self.db, place, "commands") == wanted:
            return
        await self.tree.sync(guild=self._guild)
        await guilds.put(self.db, place, "commands", wanted)

    def _run(self, job: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.create_task(job)
        self._jobs.add(task)
        task.add_done_callback(self._jobs.discard)
        return task
