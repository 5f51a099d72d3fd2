"""Buttons that survive a restart: their ids name game, position and action.

Shared parts, and buttons that appear in posts or belong to several features.
"""

from collections.abc import Iterable
from textwrap import shorten
from typing import Any, Final, TypeAlias

import discord

MAX_LABEL_LENGTH: Final = 80
"""Discord's limit for a button's label, in characters."""
MAX_BUTTONS: Final = 25
"""Discord's limit for the buttons of one message."""
MAX_FORM_TITLE_LENGTH: Final = 45
"""Discord's limit for a form's title and labels, in characters."""
Button: TypeAlias = discord.ui.Button[Any]
Menu: TypeAlias = discord.ui.Select[Any]

# --- parts of ids, to be read back when a component is used ----------------------------------------------------------

NUMBER_PATTERN: Final = r"[0-9]{1,15}"
"""A number small enough for every database."""
POSITION_PATTERN: Final = rf"(?P<game>{NUMBER_PATTERN}):(?P<seq>{NUMBER_PATTERN})"
"""A game, and the number of its last move when the component was made."""
KEY_PATTERN: Final = r"(?P<key>[0-9a-f]{8})"
"""Key of a move or an offer."""

# --- making buttons --------------------------------------------------------------------------------------------------

PLAIN_STYLE: Final = discord.ButtonStyle.secondary


def button(custom_id: str, label: str, style: discord.ButtonStyle = PLAIN_STYLE) -> Button:
    """A button whose label is cut to Discord's limit."""
    return discord.ui.Button(label=shortened(label), style=style, custom_id=custom_id)


def link_button(label: str, url: str) -> Button:
    """A button that opens a page, or a place on Discord."""
    return discord.ui.Button(label=shortened(label), style=discord.ButtonStyle.link, url=url)


def shortened(label: str, max_length: int = MAX_LABEL_LENGTH) -> str:
    """A label cut between words if too long."""
    one_line = " ".join(label.split())
    return one_line if len(one_line) <= max_length else shorten(one_line, max_length, placeholder=" ...")


def view_of(items: Iterable[discord.ui.Item[Any]]) -> discord.ui.View:
    """A view of these items that is not kept in memory: clicks are routed by their ids."""
    view = discord.ui.View(timeout=None)
    for item in items:
        view.add_item(item)
    view.stop()
    return view


# --- buttons of posts, and of several features -----------------------------------------------------------------------

CANCEL_ID: Final = rf"n:(?P<game>{NUMBER_PATTERN})"
MODERATION_ID: Final = (
    rf"d:{POSITION_PATTERN}:(?P<choice>undo|end|abandon|close|accept):(?P<number>{NUMBER_PATTERN})"
)
REMATCH_ID: Final = rf"again:(?P<game>{NUMBER_PATTERN})"
MUTE_ID: Final = rf"mute:(?P<game>{NUMBER_PATTERN})"
VOTE_ID: Final = rf"t:(?P<game>{NUMBER_PATTERN}):(?P<number>{NUMBER_PATTERN}):(?P<choice>yes|no|withdraw)"
VIEW_LABELS: Final = {"map": "Map", "market": "Market", "table": "Table"}
"""Views that can be opened, with the labels of their buttons."""
VIEW_ID: Final = rf"v:(?P<game>{NUMBER_PATTERN}):(?P<subject>{'|'.join(VIEW_LABELS)})"
BOARD_ID: Final = rf"board:(?P<game>{NUMBER_PATTERN})"
BOARD_LABEL: Final = "Board"
_VOTE_STYLES: Final = {"yes": discord.ButtonStyle.success, "no": discord.ButtonStyle.danger}


def cancel_button(game: int, label: str = "No") -> Button:
    """The *No* button of a question."""
    return button(f"n:{game}", label)


def moderation_button(game: int, seq: int, choice: str, number: int, label: str) -> Button:
    """The *Yes* button of a moderator's action; `number` is the last move that stays, in an undo."""
    return button(f"d:{game}:{seq}:{choice}:{number}", label, discord.ButtonStyle.danger)


def rematch_button(game: int) -> Button:
    """The *Rematch* button, which opens another game like this one for the same players."""
    return button(f"again:{game}", "Rematch", discord.ButtonStyle.success)


def mute_button(game: int, label: str) -> Button:
    """The button that mutes a game for the user until they act."""
    return button(f"mute:{game}", label)


def vote_button(game: int, number: int, choice: str, label: str) -> Button:
    """The button for a vote (`yes` or `no`) on a proposal, or for its withdrawal."""
    return button(f"t:{game}:{number}:{choice}", label, _VOTE_STYLES.get(choice, PLAIN_STYLE))


def view_buttons(game: int) -> list[Button]:
    """Buttons for each view of the game."""
    return [button(f"v:{game}:{view_name}", label) for view_name, label in VIEW_LABELS.items()]


def board_button(game: int, label: str = BOARD_LABEL) -> Button:
    """The button that gives each user a personal link to the board page."""
    return button(f"board:{game}", label)
