"""Components that only show something: Map, Market, Table, earlier positions, what-ifs, and the board page."""

from typing import Any, Final

from bot.client.bot_client import BotInteraction
from bot.client.callbacks.component import Component
from bot.client.components.view_buttons import (
    BOARD_ID,
    CONFIRM_BOARD_ID,
    END_BOARD_ID,
    END_BOARDS_ID,
    PAST_ID,
    PAST_MENU_ID,
    VIEW_ID,
    WHAT_IF_ID,
)
from bot.table.rate_limits import Kind


class ViewButton(Component):
    """Shows a picture of the position of the moment, privately."""

    template = VIEW_ID
    right = "look"
    cost = Kind.PICTURE

    async def act(self, interaction: BotInteraction) -> None:
        """Show it."""
        desk = interaction.client
        shows: dict[str, Any] = {
            "map": lambda: desk.inquiries.map(interaction, self.game, None),
            "market": lambda: desk.inquiries.market(interaction, self.game),
            "table": lambda: desk.looks.whole(interaction, self.game),
        }
        await shows[self.what]()


class PastViewButton(Component):
    """Goes from one earlier position to another."""

    template = PAST_ID
    right = "look"
    cost = Kind.PICTURE

    async def act(self, interaction: BotInteraction) -> None:
        """Show it in the same message."""
        await interaction.client.pasts.turn(interaction, self.game, self.seq, self.what)


class PastSelect(Component):
    """The choice of a move in the log."""

    template = PAST_MENU_ID
    right = "look"
    cost = Kind.PICTURE

    async def act(self, interaction: BotInteraction) -> None:
        """Show the position after it."""
        await interaction.client.pasts.open(interaction, self.game, int(self.values[0]))


class WhatIfButton(Component):
    """Undoes what-if moves, tries them anew, or shows the what-if."""

    template = WHAT_IF_ID
    right = "look"
    cost = Kind.QUESTION

    async def act(self, interaction: BotInteraction) -> None:
        """Do it in the same message."""
        await interaction.client.what_if.choice(interaction, self.game, self.seq, self.choice)


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


class EndBoardSelect(Component):
    """The choice of a session at the board page that ends."""

    template = END_BOARD_ID
    right = "ask"
    cost = Kind.QUESTION

    async def act(self, interaction: BotInteraction) -> None:
        """End it, if it is the user's own."""
        await interaction.client.boards.end_one(interaction, self.values[0])


class EndBoardsButton(Component):
    """Ends every session of its user at the board page."""

    template = END_BOARDS_ID
    right = "ask"
    cost = Kind.QUESTION

    async def act(self, interaction: BotInteraction) -> None:
        """End them."""
        await interaction.client.boards.end_all(interaction)


VIEW_COMPONENTS: Final[tuple[type[Component], ...]] = (
    ViewButton,
    PastViewButton,
    PastSelect,
    WhatIfButton,
    BoardButton,
    ConfirmBoardButton,
    EndBoardSelect,
    EndBoardsButton,
)
"""Components that only show something."""
