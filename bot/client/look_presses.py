"""What a press on Map, Market or Table leads to."""

from typing import Any

from bot.client.buttons import Button
from bot.client.desk import Asked
from bot.client.look_buttons import LOOK_ID
from bot.client.presses import Press


class LookPress(Press[Button], template=LOOK_ID):
    """Shows a picture of the position of the moment, privately."""

    async def act(self, interaction: Asked) -> None:
        """Show it."""
        desk = interaction.client
        shows: dict[str, Any] = {
            "map": lambda: desk.inquiries.map(interaction, self.game, None),
            "market": lambda: desk.inquiries.market(interaction, self.game),
            "table": lambda: desk.looks.whole(interaction, self.game),
        }
        await shows[self.what]()
