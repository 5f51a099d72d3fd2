"""Buttons that still work after a restart, since each button's id contains the game, position and action.

This module has the patterns for these ids, and the buttons that several features use.
"""

from collections.abc import Iterable
from textwrap import shorten
from typing import Any, Final, TypeAlias

import discord

MAX_LABEL_LENGTH: Final = 80
"""Discord's limit for the characters of a button's label."""
MAX_BUTTONS: Final = 25
"""Discord's limit for the buttons of one message."""
MAX_FORM_TITLE_LENGTH: Final = 45
"""Discord's limit for the characters of a form's title and labels."""
Button: TypeAlias = discord.ui.Button[Any]
Menu: TypeAlias = discord.ui.Select[Any]

# --- patterns for parts of ids ---------------------------------------------------------------------------------------

ID_NUMBER_PATTERN: Final = r"[0-9]{1,15}"
"""Regex for a number in a component's id: up to 15 digits, which every database can store."""
GAME_AND_SEQ_PATTERN: Final = rf"(?P<game>{ID_NUMBER_PATTERN}):(?P<seq>{ID_NUMBER_PATTERN})"
"""Regex for two parts of a component's id: the game id, and the game's newest log row when it was made."""
MOVE_KEY_PATTERN: Final = r"(?P<key>[0-9a-f]{8})"
"""Regex for the key of a move or of an offer (a possible kind of move): 8 hex digits."""

# --- making buttons --------------------------------------------------------------------------------------------------

PLAIN_STYLE: Final = discord.ButtonStyle.secondary


def button(custom_id: str, label: str, style: discord.ButtonStyle = PLAIN_STYLE) -> Button:
    """A button with a label cut to MAX_LABEL_LENGTH."""
    return discord.ui.Button(label=shortened_label(label), style=style, custom_id=custom_id)


def link_button(label: str, url: str) -> Button:
    """A button that opens a URL."""
    return discord.ui.Button(label=shortened_label(label), style=discord.ButtonStyle.link, url=url)


def shortened_label(label: str, max_length: int = MAX_LABEL_LENGTH) -> str:
    """A label, cut between words if it is too long."""
    label_on_one_line = " ".join(label.split())
    return (
        label_on_one_line
        if len(label_on_one_line) <= max_length
        else shorten(label_on_one_line, max_length, placeholder=" ...")
    )


def view_with_items(items: Iterable[discord.ui.Item[Any]]) -> discord.ui.View:
    """A discord.py view with these items. It need not be kept, since the bot dispatches clicks by custom id."""
    view = discord.ui.View(timeout=None)
    for item in items:
        view.add_item(item)
    view.stop()
    return view


# --- buttons that several features use -------------------------------------------------------------------------------

CANCEL_BUTTON_PATTERN: Final = rf"n:(?P<game>{ID_NUMBER_PATTERN})"
MODERATION_BUTTON_PATTERN: Final = (
    rf"d:{GAME_AND_SEQ_PATTERN}:(?P<choice>undo|end|abandon|close|accept):(?P<number>{ID_NUMBER_PATTERN})"
)
REMATCH_BUTTON_PATTERN: Final = rf"again:(?P<game>{ID_NUMBER_PATTERN})"
MUTE_BUTTON_PATTERN: Final = rf"mute:(?P<game>{ID_NUMBER_PATTERN})"
VOTE_BUTTON_PATTERN: Final = (
    rf"t:(?P<game>{ID_NUMBER_PATTERN}):(?P<number>{ID_NUMBER_PATTERN}):(?P<choice>yes|no|withdraw)"
)
VIEW_LABELS: Final = {"map": "Map", "market": "Market", "table": "Table"}
"""Labels of the buttons that show the map, the market and the table."""
VIEW_BUTTON_PATTERN: Final = rf"v:(?P<game>{ID_NUMBER_PATTERN}):(?P<subject>{'|'.join(VIEW_LABELS)})"
BOARD_BUTTON_PATTERN: Final = rf"board:(?P<game>{ID_NUMBER_PATTERN})"
BOARD_LABEL: Final = "Board"
_VOTE_STYLES: Final = {"yes": discord.ButtonStyle.success, "no": discord.ButtonStyle.danger}


def cancel_button(game: int, label: str = "No") -> Button:
    """A *No* button, which dismisses a confirmation question."""
    return button(f"n:{game}", label)


def confirm_moderation_button(game: int, seq: int, choice: str, number: int, label: str) -> Button:
    """The *Yes* button that confirms a moderator's action; to confirm an undo, `number` is the log row to return to."""
    return button(f"d:{game}:{seq}:{choice}:{number}", label, discord.ButtonStyle.danger)


def rematch_button(game: int) -> Button:
    """The *Rematch* button, which opens a new lobby with the settings of this game."""
    return button(f"again:{game}", "Rematch", discord.ButtonStyle.success)


def mute_button(game: int, label: str) -> Button:
    """A button that mutes a game's pings for a user until they act in it."""
    return button(f"mute:{game}", label)


def vote_button(game: int, number: int, choice: str, label: str) -> Button:
    """A button that votes on a proposal (`yes` or `no`) or withdraws it (`withdraw`)."""
    return button(f"t:{game}:{number}:{choice}", label, _VOTE_STYLES.get(choice, PLAIN_STYLE))


def view_buttons(game: int) -> list[Button]:
    """Buttons that show the game's map, market and table."""
    return [button(f"v:{game}:{view_name}", label) for view_name, label in VIEW_LABELS.items()]


def board_button(game: int, label: str = BOARD_LABEL) -> Button:
    """A button that replies with the user's personal link to the board page in a browser."""
    return button(f"board:{game}", label)
