"""Buttons of the board page: links to it, the public button that gives each user their own, and the confirmation."""

from typing import Final

import discord

from bot.client.components.buttons import NUMBER, Button, shortened

BOARD_ID: Final = rf"board:(?P<game>{NUMBER})"
CONFIRM_BOARD_ID: Final = rf"boardok:(?P<game>{NUMBER}):(?P<number>[0-9]{{4}})"
LABEL: Final = "Board"


def board_button(game: int, label: str = LABEL) -> Button:
    """Gives each user who presses it a link of their own."""
    return discord.ui.Button(label=label, style=discord.ButtonStyle.secondary, custom_id=f"board:{game}")


def board_link(url: str, label: str = LABEL) -> Button:
    """Leads to the board page."""
    return discord.ui.Button(label=shortened(label), style=discord.ButtonStyle.link, url=url)


def confirm_board_button(game: int, code: str) -> Button:
    """Says that the browser which shows this code is one's own."""
    label = f"Yes, {code} is my browser"
    return discord.ui.Button(
        label=label, style=discord.ButtonStyle.primary, custom_id=f"boardok:{game}:{code}"
    )
