"""Components of the board page: the way to one's own board, and the confirmation of a browser."""

from typing import Final

from bot.client.bot_client import BotInteraction
from bot.client.callbacks.component import Component
from bot.client.components.board_buttons import BOARD_ID, CONFIRM_BOARD_ID
from bot.client.entry.rate_limits import Kind


class BoardButton(Component):
    """The button below the turn message, and in direct messages."""

    template = BOARD_ID
    # In a direct message there is no server; the answer looks for a seat then.
    right = "ask"
    cost = Kind.QUESTION

    async def act(self, interaction: BotInteraction) -> None:
        """Answer with a link of one's own."""
        await interaction.client.boards.show(interaction, self.game)


class ConfirmBoardButton(Component):
    """The `yes` to a browser that shows a code."""

    template = CONFIRM_BOARD_ID
    # Nobody confirms the browser of another user.
    right = "ask"
    cost = Kind.QUESTION

    async def act(self, interaction: BotInteraction) -> None:
        """Let that browser in."""
        await interaction.client.boards.confirm(interaction, self.game, f"{self.number:04}")


BOARD_COMPONENTS: Final[tuple[type[Component], ...]] = (BoardButton, ConfirmBoardButton)
"""Components of the board page."""
