"""After a turn: the way to the next of a user's own games that waits for them."""

import discord

from bot.client.components import turn_buttons
from bot.client.components.buttons import link_button
from bot.client.entry.replies import say
from bot.table.pings.digests import turn_link
from bot.table.tables import Tables
from storage.posts import pings

LABEL = "My next game: {}, game {}"
"""What the button says."""


class NextGame:
    """Finds the game that has waited longest for a user whose turn is over, and leads there by a button."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def button(self, user_id: int, game_id: int) -> discord.ui.View | None:
        """A button to the next game; None while the user has to act in this one, or where no other waits."""
        live = self._tables.cached(game_id)
        if live is None or live.player_of(user_id) in live.game.actors():
            return None
        found = await pings.next_for(self._tables.db, user_id, game_id)
        if found is None:
            return None
        return turn_buttons.rows_of([link_button(LABEL.format(found.name, found.id), turn_link(found))])

    async def lead(self, interaction: discord.Interaction, game_id: int) -> None:
        """Show the button privately after a click that needs no other answer; nothing where no game waits."""
        view = await self.button(interaction.user.id, game_id)
        if view is not None:
            await say(interaction, "Your turn here is over.", view=view)
