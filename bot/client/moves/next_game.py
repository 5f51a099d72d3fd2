"""After a turn: the way to the next of a user's own games that waits for them."""

import discord

from bot.client.buttons import link_button, rows_of
from bot.client.entry.replies import say
from bot.table.pings.digests import turn_link
from bot.table.tables import Tables
from storage.posts import pings

LABEL = "My next game: {}, game {}"
"""What the button says."""


async def next_game_button(tables: Tables, user_id: int, game_id: int) -> discord.ui.View | None:
    """A button to the game that has waited longest for a user; None while they have to act here, or no other waits."""
    live = tables.cached(game_id)
    if live is None or live.player_of(user_id) in live.game.actors():
        return None
    found = await pings.next_for(tables.db, user_id, game_id)
    if found is None:
        return None
    return rows_of([link_button(LABEL.format(found.name, found.id), turn_link(found))])


async def lead_on(tables: Tables, interaction: discord.Interaction, game_id: int) -> None:
    """Show the button privately after a click that needs no other answer; nothing where no game waits."""
    view = await next_game_button(tables, interaction.user.id, game_id)
    if view is not None:
        await say(interaction, "Your turn here is over.", view=view)
