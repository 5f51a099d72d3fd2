"""."""

from typing import Final

import discord

from bot.client.buttons import NUMBER, Button

WHAT_IF_ID: Final = rf"x:(?P<game>{NUMBER}):(?P<seq>{NUMBER}):(?P<choice>back|over|again|make|show)"
MAKE_TRIED_ID: Final = rf"xm:(?P<game>{NUMBER}):(?P<seq>{NUMBER})"


def what_if_button(game: int, token: int, choice: str, label: str) -> Button:
    """Undoes the last move (`back`) or all (`over`), tries them anew (`again`), asks to `make` them, or shows it."""
    custom_id = f"x:{game}:{token}:{choice}"
    return discord.ui.Button(label=label, style=discord.ButtonStyle.secondary, custom_id=custom_id)


def make_tried_button(game: int, token: int, label: str) -> Button:
    """Makes the moves of a what-if in the game."""
    return discord.ui.Button(label=label, style=discord.ButtonStyle.success, custom_id=f"xm:{game}:{token}")
