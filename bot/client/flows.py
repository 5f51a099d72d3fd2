"""What a press or a command leads to: the move is made, and the person who asked is answered privately."""

import asyncio
from collections.abc import Sequence

import discord

from bot.client import panel, texts
from bot.client.replies import ask_first, say, think
from bot.table.errors import NotYours, Refused
from bot.table.live import Live
from bot.table.lobby import Lobbies, Lobby
from bot.table.moves import IRREVOCABLE, Quick, Typed, quick_moves
from bot.table.service import Tables
from bot.table.style import plain, sentence_list
from engine.core.ids import PlayerId


class Flows:
    """Moves, undo and lobby presses, from interaction to answer."""

    def __init__(self, client: discord.Client, tables: Tables, lobbies: Lobbies) -> None:
        self._client = client
        self._tables = tables
        self._lobbies = lobbies

    async def typed(self, interaction: discord.Interaction, game_id: int, move: Typed) -> None:
        """A slash command: make the move, or ask first; the answer repeats what it did."""
        await think(interaction)
        if move.kind in IRREVOCABLE:
            async with self._tables.reading(game_id) as live:
                player = self._tables.seat_of(live, interaction.user.id)
                quick, seq = Quick.of(plain(live.game), move(live.game, player)), live.seq
            await ask_first(interaction, game_id, seq, quick)
            return
        outcome = await self._tables.submit(game_id, interaction.user.id, move)
        await say(interaction, texts.done(outcome))

    async def press(self, interaction: discord.Interaction, game_id: int, seq: int, key: str) -> None:
        """A button on a turn message."""
        await think(interaction)
        quick = await self._find(interaction, game_id, seq, key)
        if quick.confirm:
            await ask_first(interaction, game_id, seq, quick)
            return
        await self._tables.submit(game_id, interaction.user.id, quick, seq)

    async def confirm(self, interaction: discord.Interaction, game_id: int, seq: int, key: str) -> None:
        """The `yes` to a question."""
        await think(interaction)
        quick = await self._find(interaction, game_id, seq, key)
        outcome = await self._tables.submit(game_id, interaction.user.id, quick, seq)
        await interaction.edit_original_response(content=texts.done(outcome), view=None)

    async def undo(self, interaction: discord.Interaction, game_id: int, seq: int | None = None) -> None:
        """Take back the person's own last move."""
        await think(interaction)
        outcome = await self._tables.undo(game_id, interaction.user.id, seq)
        if interaction.type is discord.InteractionType.application_command:
            await say(interaction, texts.done(outcome))

    async def lobby_press(self, interaction: discord.Interaction, game_id: int, wish: str) -> None:
        """Join, leave or start: the lobby message shows it."""
        await think(interaction)
        lobby = await self.lobby_wish(interaction, game_id, wish)
        if lobby is not None:
            await self.show_lobby(lobby)

    async def lobby_rules(
        self, interaction: discord.Interaction, game_id: int, what: str, values: Sequence[str]
    ) -> None:
        """Profile or options picked on the lobby message."""
        await think(interaction)
        profile, options = (values[0], None) if what == "profile" else (None, values)
        await self.show_lobby(await self._lobbies.choose(game_id, interaction.user.id, profile, options))

    async def lobby_wish(self, interaction: discord.Interaction, game_id: int, wish: str) -> Lobby | None:
        """Join, leave or start; returns the lobby while it is one."""
        user = interaction.user
        if wish == "join":
            return await self._lobbies.join(game_id, user.id, user.display_name)
        if wish == "leave":
            return await self._lobbies.leave(game_id, user.id)
        lobby = await self._lobbies.read(game_id)
        await self._lobbies.start(game_id, user.id)
        await self._close_lobby(lobby, "has started")
        return None

    async def post_lobby(self, lobby: Lobby) -> None:
        """Post the message of a new lobby."""
        channel = self._client.get_partial_messageable(lobby.row.channel_id, guild_id=lobby.row.guild_id)
        message = await channel.send(texts.lobby_text(lobby), view=panel.lobby_panel(lobby))
        # A thread bears the number of the message it starts from: this is where the game will be.
        await self._tables.show_in(lobby.row.id, message.id)

    async def show_lobby(self, lobby: Lobby) -> None:
        """Bring the lobby message up to date; one that is gone is posted anew."""
        try:
            await self._lobby_message(lobby).edit(
                content=texts.lobby_text(lobby), view=panel.lobby_panel(lobby)
            )
        except discord.NotFound:
            await self.post_lobby(lobby)

    async def give_up_lobby(self, interaction: discord.Interaction, lobby: Lobby) -> None:
        """Close a lobby for good."""
        await self._lobbies.give_up(lobby.row.id, interaction.user.id)
        await self._close_lobby(lobby, "was given up")

    async def _close_lobby(self, lobby: Lobby, fate: str) -> None:
        names = sentence_list(seat.display_name for seat in lobby.seats)
        text = f"{texts.game_title(lobby.row)} {fate}. {names}"
        try:
            await self._lobby_message(lobby).edit(content=text, view=None)
        except discord.NotFound:
            return  # somebody deleted the lobby message; the game does not need it

    def _lobby_message(self, lobby: Lobby) -> discord.PartialMessage:
        channel = self._client.get_partial_messageable(lobby.row.channel_id, guild_id=lobby.row.guild_id)
        return channel.get_partial_message(lobby.row.thread_id or 0)

    async def _find(self, interaction: discord.Interaction, game_id: int, seq: int, key: str) -> Quick:
        async with self._tables.reading(game_id) as live:
            player = self._tables.seat_of(live, interaction.user.id)
            self._tables.require_seq(live, seq)
            return await asyncio.to_thread(_found, live, player, key)


def _found(live: Live, player: PlayerId, key: str) -> Quick:
    """The move a button names; one that is somebody else's is refused with their name."""
    quick = next((quick for quick in quick_moves(live.game, player) if quick.key == key), None)
    if quick is not None:
        return quick
    others = [live.name_of(other) for other in live.game.actors() if other != player]
    if others:
        raise NotYours(f"It is {sentence_list(others)}'s turn.")
    raise Refused("That move is not possible any more.")
