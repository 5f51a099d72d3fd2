"""What a press on a button of standing orders leads to, and a form that asks for maxima."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from bot.client.bot_client import BotInteraction
from bot.client.callbacks.component import Press, answered, enter
from bot.client.components.order_buttons import ORDER_FORM_ID, ORDER_ID
from bot.client.entry.replies import think
from bot.client.entry.rights import needed


class OrderPress(Press, template=ORDER_ID):
    """A quick order, the form for one, or the end of one."""

    async def act(self, interaction: BotInteraction) -> None:
        """Do it, for the user's own seat."""
        await interaction.client.orders.press(interaction, self.game, self.wish, self.what)


ORDER_PRESSES: Final = (OrderPress,)
"""Presses about orders."""


async def order_submitted(interaction: BotInteraction) -> None:
    """A form with maxima was sent. Other forms are left alone."""
    data: Mapping[str, Any] = interaction.data or {}
    found = re.fullmatch(ORDER_FORM_ID, data.get("custom_id", ""))
    if found is not None:
        await answered(interaction, lambda: _give(interaction, found, data))


async def _give(interaction: BotInteraction, form: re.Match[str], data: Mapping[str, Any]) -> None:
    """Give the order that was typed."""
    game_id, orders = int(form["game"]), interaction.client.orders
    await enter(interaction, needed(OrderPress.__name__), game_id)
    await think(interaction)
    await orders.submitted(interaction, game_id, form["wish"], dict(_fields(data)))
    await orders.tell_ended(interaction, game_id)


def _fields(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What was typed or picked in each field, by the name of the field."""
    for part in data["components"]:
        field = part.get("component")
        if field is not None:
            yield field["custom_id"], str(field["value"]) if "value" in field else "".join(field["values"])
