"""The press on *Rematch*: a new lobby for the same table, or a seat in the one that is open already."""

from typing import Any

import discord

from bot.client.entry.replies import after, say
from bot.client.moves.move_handlers import MoveHandlers
from bot.client.places.forums import Forums
from bot.client.places.game_channels import for_another, require_place
from bot.table.lobby import Lobbies
from bot.table.seats.rematch import Opener, Rematches
from bot.table.tables import Tables
from storage.games import Game


class RematchRequests:
    """From the click to the answer; one at a time for each game that has ended."""

    def __init__(self, tables: Tables, lobbies: Lobbies, flows: MoveHandlers, forums: Forums) -> None:
        self._db = tables.db
        self._lobbies = lobbies
        self._flows = flows
        self._forums = forums
        self._rematches = Rematches(tables, lobbies)

    async def click(self, interaction: discord.Interaction[Any], game_id: int) -> None:
        """Open another game like this one, or join it; raises Refused."""
        async with self._rematches.locks.of(game_id):
            old = await self._rematches.ended(game_id)
            found = await self._rematches.found(game_id)
            if found is None:
                await self._open(interaction, old)
            elif found.status == "lobby":
                await self._join(interaction, found)
            else:
                await say(interaction, f"Game {found.id} plays this one again: <#{found.thread_id}>.")

    async def _open(self, interaction: discord.Interaction[Any], old: Game) -> None:
        venue = await for_another(interaction, self._db, old)
        require_place(interaction, venue, "The game was not opened.")
        if isinstance(venue, discord.ForumChannel):
            await self._forums.ready(venue, old.name)
        user = interaction.user
        lobby = await self._rematches.open(old, Opener(user.id, user.display_name, venue.id))
        await self._flows.open_lobby(interaction, lobby)

    async def _join(self, interaction: discord.Interaction[Any], open_: Game) -> None:
        lobby, user = await self._lobbies.read(open_.id), interaction.user
        # In a forum the lobby is a post.
        place = open_.channel_id if self._forums.of(open_) is None else open_.thread_id
        if any(seat.user_id == user.id for seat in lobby.seats):
            await say(interaction, f"Game {open_.id} is open for you all, in <#{place}>.")
            return
        lobby = await self._lobbies.join(open_.id, user.id, user.display_name)
        done = f"You have a seat in game {open_.id}, in <#{place}>."
        await self._flows.show_lobby(lobby, done)
        await self._flows.ping_host(lobby, user)
        with after(done):
            await say(interaction, done)
