"""Components of standing orders; each means the seat of its user."""

from typing import Final

from bot.client.bot_client import BotInteraction
from bot.client.callbacks.component import Component
from bot.client.components.order_buttons import ORDER_FORM_ID, ORDER_ID


class OrderButton(Component):
    """A quick order, the modal for an order, or the withdrawal of one."""

    template = ORDER_ID
    right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Do it, for the user's own seat."""
        await interaction.client.orders.click(interaction, self.game, self.wish, self.what)


class OrderModal(Component):
    """The modal in which an order was typed."""

    template = ORDER_FORM_ID
    right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Give the order."""
        await interaction.client.orders.submitted(interaction, self.game, self.wish, self.fields)


ORDER_COMPONENTS: Final[tuple[type[Component], ...]] = (OrderButton, OrderModal)
"""Components of standing orders."""
