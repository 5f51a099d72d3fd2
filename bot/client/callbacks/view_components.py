"""What a press on Map, Market or Table leads to, and on what shows an earlier position."""

from typing import Any, Final

from bot.client.bot_client import BotInteraction
from bot.client.callbacks.component import Press
from bot.client.components.view_buttons import LOOK_ID, PAST_ID, PASTS_ID, TRIAL_ID


class LookPress(Press, template=LOOK_ID):
    """Shows a picture of the position of the moment, privately."""

    async def act(self, interaction: BotInteraction) -> None:
        """Show it."""
        desk = interaction.client
        shows: dict[str, Any] = {
            "map": lambda: desk.inquiries.map(interaction, self.game, None),
            "market": lambda: desk.inquiries.market(interaction, self.game),
            "table": lambda: desk.looks.whole(interaction, self.game),
        }
        await shows[self.what]()


class PastPress(Press, template=PAST_ID):
    """Goes from one earlier position to another."""

    async def act(self, interaction: BotInteraction) -> None:
        """Show it in the same message."""
        await interaction.client.pasts.turn(interaction, self.game, self.seq, self.what)


class PastPick(Press, template=PASTS_ID):
    """The choice of a move in the log."""

    async def act(self, interaction: BotInteraction) -> None:
        """Show the position after it."""
        await interaction.client.pasts.open(interaction, self.game, int(self.values[0]))


class TrialPress(Press, template=TRIAL_ID):
    """Undoes what-if moves, tries them anew, or shows the what-if."""

    async def act(self, interaction: BotInteraction) -> None:
        """Do it in the same message."""
        await interaction.client.what_if.wish(interaction, self.game, self.seq, self.wish)


LOOK_PRESSES: Final = (LookPress, PastPress, PastPick, TrialPress)
"""Presses that only show something."""
