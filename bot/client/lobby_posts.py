"""The messages of lobbies: posted when a game is opened, edited when something changes, closed when it starts."""

from typing import Any

import discord

from bot.client import panel, texts
from bot.client.holding import edit_pressed
from bot.client.old_edits import OldEdits
from bot.table.errors import Refused
from bot.table.lobby import Lobbies, Lobby
from bot.table.service import Tables
from bot.table.shelf import Locks
from bot.table.style import sentence_list
from storage.games import Game


class LobbyPosts:
    """One message for each lobby, changed by one at a time; raises what Discord refuses."""

    def __init__(self, client: discord.Client, tables: Tables) -> None:
        self._client = client
        self._tables = tables
        self._lobbies = Lobbies(tables)
        self._locks = Locks()
        self._old = OldEdits()

    async def post(self, lobby: Lobby) -> None:
        """Post the message of a lobby; where it cannot be noted which that is, it is deleted again."""
        channel = self._client.get_partial_messageable(lobby.row.channel_id, guild_id=lobby.row.guild_id)
        message = await channel.send(texts.lobby_text(lobby), view=panel.lobby_panel(lobby))
        try:
            # A thread bears the number of the message it starts from: this is where the game will be.
            await self._tables.show_in(lobby.row.id, message.id)
        except BaseException:
            await message.delete()
            raise

    async def show(self, game_id: int, asked: discord.Interaction | None = None) -> None:
        """Bring the message up to date, in the answer to a press on it; one that is gone is posted anew."""
        async with self._locks.of(game_id):
            try:
                lobby = await self._lobbies.read(game_id)
            except Refused:
                return  # it has started or was closed meanwhile, which its message says
            try:
                await self._edit(
                    lobby.row, asked, content=texts.lobby_text(lobby), view=panel.lobby_panel(lobby)
                )
            except discord.NotFound:
                await self.post(lobby)

    async def close(
        self, row: Game, people: list[str], fate: str, asked: discord.Interaction | None = None
    ) -> None:
        """Take the buttons away and say what became of the lobby."""
        text = f"{texts.game_title(row)} {fate}. {sentence_list(people)}"
        async with self._locks.of(row.id):
            try:
                await self._edit(row, asked, content=text[: texts.LONGEST_MESSAGE], view=None)
            except discord.NotFound:
                return  # somebody deleted the lobby message; the game does not need it

    async def _edit(self, row: Game, asked: discord.Interaction | None, **parts: Any) -> None:
        if asked is not None and asked.message is not None and asked.message.id == row.thread_id:
            try:
                await edit_pressed(asked, **parts)
                return
            except discord.NotFound:
                pass  # Discord may have waited for the answer no longer, or the message is gone
        await self._old.wait(row.channel_id, row.thread_id or 0)
        await self._message(row).edit(**parts)

    def _message(self, row: Game) -> discord.PartialMessage:
        channel = self._client.get_partial_messageable(row.channel_id, guild_id=row.guild_id)
        return channel.get_partial_message(row.thread_id or 0)
