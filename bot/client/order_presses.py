"""What a press on a button of standing orders leads to, and a form that asks for maxima."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from bot.client.buttons import Button
from bot.client.desk import Asked
from bot.client.holding import hold, release
from bot.client.order_buttons import ORDER_FORM_ID, ORDER_ID
from bot.client.press import Press
from bot.client.replies import tell, think
from bot.client.rights import needed, require


class OrderPress(Press[Button], template=ORDER_ID):
    """An order of one tap, the form for one, or the end of one."""

    async def act(self, interaction: Asked) -> None:
        """Do it, for the seat of whoever presses."""
        await interaction.client.orders.press(interaction, self.game, self.wish, self.what)


ORDER_PRESSES: Final = (OrderPress,)
"""Presses about orders."""


async def order_submitted(interaction: Asked) -> None:
    """A form with maxima was sent; tell the person of any problem, privately. Other forms are left alone."""
    data: Mapping[str, Any] = interaction.data or {}
    found = re.fullmatch(ORDER_FORM_ID, data.get("custom_id", ""))
    if found is None:
        return
    hold(interaction)
    try:
        if await interaction.client.gate.admits(interaction):
            game_id = int(found["game"])
            await require(interaction, needed(OrderPress.__name__), game_id)
            interaction.client.acts(game_id, interaction.user.id)
            await think(interaction)
            await interaction.client.orders.submitted(
                interaction, game_id, found["wish"], dict(_fields(data))
            )
            await interaction.client.orders.tell_ended(interaction, game_id)
    except Exception as error:  # noqa: BLE001 - discord.py would swallow it, and the person would hear nothing
        await tell(interaction, error)
    finally:
        await release(interaction)


def _fields(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What was typed or picked in each field, by the name of the field."""
    for part in data["components"]:
        field = part.get("component")
        if field is not None:
            yield field["custom_id"], str(field["value"]) if "value" in field else "".join(field["values"])
