"""Buttons that survive a restart: their ids name game, position and action.

Shared parts, and buttons that appear in posts or belong to several features.
"""

from collections.abc import Iterable
from textwrap import shorten
from typing import Any, Final, TypeAlias

import discord

LABEL: Final = 80
"""Discord takes this many characters on a button."""
BUTTONS: Final = 25
"""Discord takes this many on a message."""
TITLE: Final = 45
"""Discord takes this many characters as the title of a form, and as a label in it."""
Button: TypeAlias = discord.ui.Button[Any]
Menu: TypeAlias = discord.ui.Select[Any]

# --- parts of ids, to be read back when a component is used ----------------------------------------------------------

NUMBER: Final = r"[0-9]{1,15}"
"""A number that any database takes."""
POSITION: Final = rf"(?P<game>{NUMBER}):(?P<seq>{NUMBER})"
"""A game, and the number of its last move when the component was made."""
KEY: Final = r"(?P<key>[0-9a-f]{8})"
"""Key of a move or an offer."""

# --- making buttons --------------------------------------------------------------------------------------------------

PLAIN: Final = discord.ButtonStyle.secondary


def button(custom_id: str, label: str, style: discord.ButtonStyle = PLAIN) -> Button:
    """A button whose label is cut to Discord's limit."""
    return discord.ui.Button(label=shortened(label), style=style, custom_id=custom_id)


def link_button(label: str, url: str) -> Button:
    """A button that opens a page, or a place on Discord."""
    return discord.ui.Button(label=shortened(label), style=discord.ButtonStyle.link, url=url)


def shortened(label: str, longest: int = LABEL) -> str:
    """A label cut between words if too long."""
    whole = " ".join(label.split())
    return whole if len(whole) <= longest else shorten(whole, longest, placeholder=" ...")


def view_of(items: Iterable[discord.ui.Item[Any]]) -> discord.ui.View:
    """A view of these items that is not kept in memory: clicks are routed by their ids."""
    view = discord.ui.View(timeout=None)
    for item in items:
        view.add_item(item)
    view.stop()
    return view


# --- buttons of posts, and of several features -----------------------------------------------------------------------

CANCEL_ID: Final = rf"n:(?P<game>{NUMBER})"
MODERATION_ID: Final = rf"d:{POSITION}:(?P<choice>undo|end|abandon|close|accept):(?P<number>{NUMBER})"
REMATCH_ID: Final = rf"again:(?P<game>{NUMBER})"
MUTE_ID: Final = rf"mute:(?P<game>{NUMBER})"
VOTE_ID: Final = rf"t:(?P<game>{NUMBER}):(?P<number>{NUMBER}):(?P<choice>yes|no|withdraw)"
LOOKS: Final = {"map": "Map", "market": "Market", "table": "Table"}
"""Views that can be opened, with the labels of their buttons."""
VIEW_ID: Final = rf"v:(?P<game>{NUMBER}):(?P<what>{'|'.join(LOOKS)})"
BOARD_ID: Final = rf"board:(?P<game>{NUMBER})"
BOARD: Final = "Board"
_VOTES: Final = {"yes": discord.ButtonStyle.success, "no": discord.ButtonStyle.danger}


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
    """The button that mutes a game for its user until they act."""
    return button(f"mute:{game}", label)


def vote_button(game: int, number: int, choice: str, label: str) -> Button:
    """The button for a vote (`yes` or `no`) on a proposal, or for its withdrawal."""
    return button(f"t:{game}:{number}:{choice}", label, _VOTES.get(choice, PLAIN))


def view_buttons(game: int) -> list[Button]:
    """Buttons for each view of the game."""
    return [button(f"v:{game}:{what}", label) for what, label in LOOKS.items()]


def board_button(game: int, label: str = BOARD) -> Button:
    """The button that gives each user a personal link to the board page."""
    return button(f"board:{game}", label)
