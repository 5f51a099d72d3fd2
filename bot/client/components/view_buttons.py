"""Buttons of views that stand in posts: map, market and table of the moment, what-ifs, and the board page."""

from typing import Final

import discord

from bot.client.components.buttons import NUMBER, Button, shortened

LOOKS: Final = {"map": "Map", "market": "Market", "table": "Table"}
"""What can be looked at, and what the button says."""
VIEW_ID: Final = rf"v:(?P<game>{NUMBER}):(?P<what>{'|'.join(LOOKS)})"
WHAT_IF_ID: Final = rf"x:(?P<game>{NUMBER}):(?P<seq>{NUMBER}):(?P<choice>back|over|again|make|show)"
MAKE_TRIED_ID: Final = rf"xm:(?P<game>{NUMBER}):(?P<seq>{NUMBER})"


def view_buttons(game: int) -> list[Button]:
    """One for each thing to look at."""
    return [
        discord.ui.Button(label=label, style=discord.ButtonStyle.secondary, custom_id=f"v:{game}:{what}")
        for what, label in LOOKS.items()
    ]


def what_if_button(game: int, token: int, choice: str, label: str) -> Button:
    """Undoes the last move (`back`) or all (`over`), tries them anew (`again`), asks to `make` them, or shows it."""
    custom_id = f"x:{game}:{token}:{choice}"
    return discord.ui.Button(label=label, style=discord.ButtonStyle.secondary, custom_id=custom_id)


def make_tried_button(game: int, token: int, label: str) -> Button:
    """Makes the moves of a what-if in the game."""
    return discord.ui.Button(label=label, style=discord.ButtonStyle.success, custom_id=f"xm:{game}:{token}")


BOARD_ID: Final = rf"board:(?P<game>{NUMBER})"
LABEL: Final = "Board"


def board_button(game: int, label: str = LABEL) -> Button:
    """Gives each user who presses it a link of their own."""
    return discord.ui.Button(label=label, style=discord.ButtonStyle.secondary, custom_id=f"board:{game}")


def board_link(url: str, label: str = LABEL) -> Button:
    """Leads to the board page."""
    return discord.ui.Button(label=shortened(label), style=discord.ButtonStyle.link, url=url)
