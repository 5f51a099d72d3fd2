"""Buttons and menus of views: the current map, market and table, earlier positions, and the board page."""

from typing import Final

import discord

from bot.client.components.buttons import NUMBER, Button, Menu, shortened

LOOKS: Final = {"map": "Map", "market": "Market", "table": "Table"}
"""What can be looked at, and what the button says."""
VIEW_ID: Final = rf"v:(?P<game>{NUMBER}):(?P<what>{'|'.join(LOOKS)})"
PAST_ID: Final = rf"h:(?P<game>{NUMBER}):(?P<seq>{NUMBER}):(?P<what>map|market)"
PAST_MENU_ID: Final = rf"h:(?P<game>{NUMBER})"
WHAT_IF_ID: Final = rf"x:(?P<game>{NUMBER}):(?P<seq>{NUMBER}):(?P<choice>back|over|again|make|show)"
MAKE_TRIED_ID: Final = rf"xm:(?P<game>{NUMBER}):(?P<seq>{NUMBER})"


def view_buttons(game: int) -> list[Button]:
    """One for each thing to look at."""
    return [
        discord.ui.Button(label=label, style=discord.ButtonStyle.secondary, custom_id=f"v:{game}:{what}")
        for what, label in LOOKS.items()
    ]


def past_button(game: int, seq: int, what: str, label: str) -> Button:
    """Leads to the map or the market after a move."""
    custom_id = f"h:{game}:{seq}:{what}"
    return discord.ui.Button(label=label, style=discord.ButtonStyle.secondary, custom_id=custom_id)


def past_menu(game: int, options: list[discord.SelectOption]) -> Menu:
    """Leads to the position after one of these moves."""
    prompt = "Look at the table after a move"
    return discord.ui.Select(custom_id=f"h:{game}", placeholder=prompt, options=options)


def what_if_button(game: int, token: int, choice: str, label: str) -> Button:
    """Undoes the last move (`back`) or all (`over`), tries them anew (`again`), asks to `make` them, or shows it."""
    custom_id = f"x:{game}:{token}:{choice}"
    return discord.ui.Button(label=label, style=discord.ButtonStyle.secondary, custom_id=custom_id)


def make_tried_button(game: int, token: int, label: str) -> Button:
    """Makes the moves of a what-if in the game."""
    return discord.ui.Button(label=label, style=discord.ButtonStyle.success, custom_id=f"xm:{game}:{token}")


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


END_BOARD_ID: Final = "boardend"
END_BOARDS_ID: Final = "boardend:all"


def end_board_menu(options: list[discord.SelectOption]) -> Menu:
    """Ends one of the user's sessions at the board page."""
    return discord.ui.Select(custom_id=END_BOARD_ID, placeholder="End a session", options=options)


def end_boards_button() -> Button:
    """Ends all of the user's sessions at the board page."""
    return discord.ui.Button(
        label="End all sessions", style=discord.ButtonStyle.danger, custom_id=END_BOARDS_ID
    )
