"""The messages of lobbies: posted when a game is opened, edited when something changes, closed when it starts."""

import discord

from bot.client import panel, texts
from bot.table.lobby import Lobby
from bot.table.service import Tables
from bot.table.style import sentence_list
from storage.games import Game


class LobbyPosts:
    """One message for each lobby; raises what Discord refuses."""

    def __init__(self, client: discord.Client, tables: Tables) -> None:
        self._client = client
        self._tables = tables

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

    async def show(self, lobby: Lobby) -> None:
        """Bring the message up to date; one that is gone is posted anew."""
        try:
            await self._message(lobby.row).edit(
                content=texts.lobby_text(lobby), view=panel.lobby_panel(lobby)
            )
        except discord.NotFound:
            await self.post(lobby)

    async def close(self, row: Game, people: list[str], fate: str) -> None:
        """Take the buttons away and say what became of the lobby."""
        text = f"{texts.game_title(row)} {fate}. {sentence_list(people)}"
        try:
            await self._message(row).edit(content=text[: texts.LONGEST_MESSAGE], view=None)
        except discord.NotFound:
            return  # somebody deleted the lobby message; the game does not need it

    async def tell(self, row: Game, text: str) -> None:
        """Say something about a lobby in its channel, to nobody in particular."""
        channel = self._client.get_partial_messageable(row.channel_id, guild_id=row.guild_id)
        await channel.send(f"{texts.game_title(row)}: {text}", silent=True)

    def _message(self, row: Game) -> discord.PartialMessage:
        channel = self._client.get_partial_messageable(row.channel_id, guild_id=row.guild_id)
        return channel.get_partial_message(row.thread_id or 0)
