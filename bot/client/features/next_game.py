"""*My next game*: a button, shown after a move, that links to the game that has waited longest for the user."""

from typing import Final

import discord

from bot.client.bot_client import BotInteraction
from bot.client.buttons import link_button, view_with_items
from bot.client.entry.replies import reply
from bot.table.digests import turn_link
from bot.table.tables import Tables
from storage import overviews

NEXT_GAME_LABEL: Final = "My next game: {}, game {}"
"""Label of the *My next game* button; the placeholders are the game's name and number."""


async def next_game_view(tables: Tables, user_id: int, game_id: int) -> discord.ui.View | None:
    """A link to the game that has waited longest for the user.

    None if no other game waits, or if it is still the user's turn in game `game_id`.
    """
    live = tables.find_cached(game_id)
    if live is None or live.player_of(user_id) in live.game.actors():
        return None
    game = await overviews.next_game(tables.db, user_id, game_id)
    if game is None:
        return None
    return view_with_items([link_button(NEXT_GAME_LABEL.format(game.name, game.id), turn_link(game))])


async def offer_next_game(interaction: BotInteraction, game_id: int) -> None:
    """Send the *My next game* button as a private reply, after a click that gets no other reply."""
    view = await next_game_view(interaction.client.tables, interaction.user.id, game_id)
    if view is not None:
        await reply(interaction, "Your turn here is over.", view=view)
