"""Buttons on the turn message that show something to whoever presses: the map, the market, the whole table."""

from typing import Final

import discord

from bot.client.buttons import NUMBER, Button

LOOKS: Final = {"map": "Map", "market": "Market", "table": "Table"}
"""What can be looked at, and what the button says."""
LOOK_ID: Final = rf"v:(?P<game>{NUMBER}):(?P<what>{'|'.join(LOOKS)})"


def look_buttons(game: int) -> list[Button]:
    """One for each thing to look at."""
    return [
        discord.ui.Button(label=label, style=discord.ButtonStyle.secondary, custom_id=f"v:{game}:{what}")
        for what, label in LOOKS.items()
    ]
