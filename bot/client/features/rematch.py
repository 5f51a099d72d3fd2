"""*Rematch*: a new lobby for the same table, or a seat in the one that is open already."""

import discord

from bot.client.bot_client import BotInteraction
from bot.client.buttons import REMATCH_ID
from bot.client.component import Component
from bot.client.entry.replies import after, say
from bot.client.features.lobby import open_lobby, ping_host, show_lobby
from bot.client.places.game_channels import for_another, require_place
from bot.table.seats.rematch import Opener
from storage.games import Game


class RematchButton(Component):
    """Another game like one that has ended."""

    template = REMATCH_ID
    # Those who played may play again, and ask the others.
    right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Open it, or take a seat in the one that somebody has opened; one at a time for each game. Raises Refused."""
        rematches = interaction.client.rematches
        async with rematches.locks.of(self.game):
            old = await rematches.ended(self.game)
            found = await rematches.found(self.game)
            if found is None:
                await _open(interaction, old)
            elif found.status == "lobby":
                await _join(interaction, found)
            else:
                await say(interaction, f"Game {found.id} plays this one again: <#{found.thread_id}>.")


async def _open(interaction: BotInteraction, old: Game) -> None:
    bot, user = interaction.client, interaction.user
    venue = await for_another(interaction, bot.tables.db, old)
    require_place(interaction, venue, "The game was not opened.")
    if isinstance(venue, discord.ForumChannel):
        await bot.forums.ready(venue, old.name)
    lobby = await bot.rematches.open(old, Opener(user.id, user.display_name, venue.id))
    await open_lobby(interaction, lobby)


async def _join(interaction: BotInteraction, open_: Game) -> None:
    bot, user = interaction.client, interaction.user
    lobby = await bot.lobbies.read(open_.id)
    # In a forum the lobby is a post.
    place = open_.channel_id if bot.forums.of(open_) is None else open_.thread_id
    if any(seat.user_id == user.id for seat in lobby.seats):
        await say(interaction, f"Game {open_.id} is open for you all, in <#{place}>.")
        return
    lobby = await bot.lobbies.join(open_.id, user.id, user.display_name)
    done = f"You have a seat in game {open_.id}, in <#{place}>."
    await show_lobby(interaction, open_.id, done)
    await ping_host(interaction, lobby)
    with after(done):
        await say(interaction, done)
