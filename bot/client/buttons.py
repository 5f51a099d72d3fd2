"""Buttons and menus that survive a restart: the id of each says which game, which position, and what it does."""

from collections.abc import Iterable
from textwrap import shorten
from typing import Any, Final, TypeAlias

import discord

from bot.table.moves.question_place import Capacity

LABEL: Final = 80
"""Discord takes this many characters on a button."""
BUTTONS: Final = 25
"""Discord takes this many on a message."""
TITLE: Final = 45
"""Discord takes this many characters as the title of a form, and as a label in it."""
Button: TypeAlias = discord.ui.Button[Any]
Menu: TypeAlias = discord.ui.Select[Any]

# --- the ids, to be read back when a component is used ---------------------------------------------------------------

NUMBER: Final = r"[0-9]{1,15}"
"""A number that any database takes."""
POSITION: Final = rf"(?P<game>{NUMBER}):(?P<seq>{NUMBER})"
"""A game, and the number of its last move when the component was made."""
KEY: Final = r"(?P<key>[0-9a-f]{8})"
"""What names a move or an offer."""
TRIED_KEY: Final = rf"{KEY}(?P<hand>w?)"
"""What names a move, or a move in a what-if."""
OFFER_KEY: Final = rf"{KEY}(?P<hand>[mtw]?)"
"""What names an offer in menus, and the letter for the capacity in which it is used."""
MADE_KEY: Final = rf"{KEY}(?P<hand>[mt]?)"
"""The same where the move is made; what is only tried is so without another press."""
HANDS: Final = {"": Capacity.OWN, "m": Capacity.MODERATOR, "t": Capacity.TABLE, "w": Capacity.WHAT_IF}
"""The capacity for which each letter behind a key stands."""
MOVE_ID: Final = rf"g:{POSITION}:{TRIED_KEY}"
CONFIRM_ID: Final = rf"y:{POSITION}:{KEY}"
CANCEL_ID: Final = rf"n:(?P<game>{NUMBER})"
UNDO_ID: Final = rf"u:{POSITION}"
REDO_ID: Final = rf"e:{POSITION}"
PROPOSE_ID: Final = rf"b:{POSITION}:(?P<number>{NUMBER})"
MENU_ID: Final = rf"w:{POSITION}:{KEY}"
STEP_ID: Final = rf"p:{POSITION}:{OFFER_KEY}:(?P<page>{NUMBER}):(?P<picked>.*)"
MAKE_ID: Final = rf"c:{POSITION}:{MADE_KEY}:(?P<picked>.*)"
AMOUNT_ID: Final = rf"a:{POSITION}:{OFFER_KEY}:(?P<picked>.*)"
FORM_ID: Final = rf"f:{POSITION}:{OFFER_KEY}:(?P<picked>.*)"
PICK_ID: Final = rf"s:{POSITION}:{OFFER_KEY}:(?P<picked>.*)"
OFFER_ID: Final = rf"o:{POSITION}"
VOTE_ID: Final = rf"t:(?P<game>{NUMBER}):(?P<number>{NUMBER}):(?P<choice>yes|no|withdraw)"
MODERATION_ID: Final = rf"d:{POSITION}:(?P<choice>undo|end|abandon|close|accept):(?P<number>{NUMBER})"
REMATCH_ID: Final = rf"again:(?P<game>{NUMBER})"
MUTE_ID: Final = rf"mute:(?P<game>{NUMBER})"

_VOTES: Final = {
    "yes": discord.ButtonStyle.success,
    "no": discord.ButtonStyle.danger,
    "withdraw": discord.ButtonStyle.secondary,
}


def in_hand(key: str, capacity: Capacity) -> str:
    """The key of an offer as ids carry it: with the letter for the capacity in which it is used."""
    return key + next(letter for letter, meant in HANDS.items() if meant is capacity)


def by_hand(carried: str) -> tuple[str, Capacity]:
    """The key of the offer that the value of a menu names, and the capacity in which it is used."""
    key = carried.rstrip("".join(HANDS))
    return key, HANDS.get(carried.removeprefix(key), Capacity.OWN)


def move_button(
    game: int, seq: int, key: str, label: str, style: discord.ButtonStyle = discord.ButtonStyle.primary
) -> Button:
    """A move of one click."""
    return button(f"g:{game}:{seq}:{key}", label, style)


def confirm_button(game: int, seq: int, key: str, label: str) -> Button:
    """The `yes` to a move that cannot be undone."""
    return button(f"y:{game}:{seq}:{key}", label, discord.ButtonStyle.danger)


def cancel_button(game: int, label: str = "No") -> Button:
    """The `no` to a question."""
    return button(f"n:{game}", label, discord.ButtonStyle.secondary)


def rematch_button(game: int) -> Button:
    """Opens another game like this one, for the same people."""
    return button(f"again:{game}", "Rematch", discord.ButtonStyle.success)


def undo_button(game: int, seq: int, label: str) -> Button:
    """Undoes one's own last move, which the label names."""
    return button(f"u:{game}:{seq}", label, discord.ButtonStyle.secondary)


def redo_button(game: int, seq: int, label: str) -> Button:
    """Redoes the last undo, which the label names."""
    return button(f"e:{game}:{seq}", label, discord.ButtonStyle.secondary)


def propose_button(game: int, seq: int, to: int, label: str) -> Button:
    """Proposes to go back to where a game stood after a move."""
    return button(f"b:{game}:{seq}:{to}", label, discord.ButtonStyle.primary)


def menu_button(game: int, seq: int, key: str, label: str) -> Button:
    """Opens the menus of an offer."""
    return button(f"w:{game}:{seq}:{key}", label, discord.ButtonStyle.secondary)


def step_button(game: int, seq: int, key: str, picked: str, label: str, page: int = 0) -> Button:
    """Goes to what comes after these picks; where that is a long menu, to a page of it."""
    return button(f"p:{game}:{seq}:{key}:{page}:{picked}", label, discord.ButtonStyle.secondary)


def amount_button(game: int, seq: int, key: str, picked: str, label: str) -> Button:
    """Opens the form in which the next amount is typed."""
    return button(f"a:{game}:{seq}:{key}:{picked}", label, discord.ButtonStyle.secondary)


def make_button(game: int, seq: int, key: str, picked: str, label: str) -> Button:
    """Makes the move to which the picks lead; its label says all of it."""
    return button(f"c:{game}:{seq}:{key}:{picked}", label, discord.ButtonStyle.success)


def form_id(game: int, seq: int, key: str, picked: str) -> str:
    """What a form for the amount after these picks is known by."""
    return f"f:{game}:{seq}:{key}:{picked}"


def pick_menu(
    game: int, seq: int, key: str, picked: str, options: list[discord.SelectOption], prompt: str
) -> Menu:
    """One question of an offer: picking a value leads to the next question, or to the button that makes the move."""
    return discord.ui.Select(custom_id=f"s:{game}:{seq}:{key}:{picked}", placeholder=prompt, options=options)


def offer_menu(game: int, seq: int, options: list[discord.SelectOption]) -> Menu:
    """The first question of `/move`: which of the offers."""
    prompt = "What do you want to do?"
    return discord.ui.Select(custom_id=f"o:{game}:{seq}", placeholder=prompt, options=options)


def mute_button(game: int, label: str) -> Button:
    """Mutes a game for the user who clicks it, until they have acted."""
    return button(f"mute:{game}", label, discord.ButtonStyle.secondary)


def vote_button(game: int, number: int, choice: str, label: str) -> Button:
    """The vote (`yes` or `no`) on a proposal, or its proposer's `withdraw`."""
    return button(f"t:{game}:{number}:{choice}", label, _VOTES[choice])


def moderation_button(game: int, seq: int, choice: str, number: int, label: str) -> Button:
    """The `yes` to what a moderator is about to do; `number` is the last move that stays, where some go."""
    return button(f"d:{game}:{seq}:{choice}:{number}", label, discord.ButtonStyle.danger)


def link_button(label: str, url: str) -> Button:
    """Leads to a place on Discord."""
    return discord.ui.Button(label=shortened(label), style=discord.ButtonStyle.link, url=url)


def button(custom_id: str, label: str, style: discord.ButtonStyle) -> Button:
    """A button with a label that is cut where Discord takes no more of it."""
    return discord.ui.Button(label=shortened(label), style=style, custom_id=custom_id)


def shortened(label: str, longest: int = LABEL) -> str:
    """A label that is too long, cut between two words."""
    return shorten(label, longest, placeholder=" ...")


def rows_of(items: Iterable[discord.ui.Item[Any]]) -> discord.ui.View:
    """A view of these items that is not kept in memory: clicks are routed by what each button carries."""
    view = discord.ui.View(timeout=None)
    for item in items:
        view.add_item(item)
    view.stop()
    return view


# --- views, and the board page ----------------------------------------------------------------------------------------

LOOKS: Final = {"map": "Map", "market": "Market", "table": "Table"}
"""What can be looked at, and what the button says."""
VIEW_ID: Final = rf"v:(?P<game>{NUMBER}):(?P<what>{'|'.join(LOOKS)})"


def view_buttons(game: int) -> list[Button]:
    """One for each thing to look at."""
    return [
        discord.ui.Button(label=label, style=discord.ButtonStyle.secondary, custom_id=f"v:{game}:{what}")
        for what, label in LOOKS.items()
    ]


BOARD_ID: Final = rf"board:(?P<game>{NUMBER})"
BOARD: Final = "Board"


def board_button(game: int, label: str = BOARD) -> Button:
    """Gives each user who presses it a link of their own."""
    return discord.ui.Button(label=label, style=discord.ButtonStyle.secondary, custom_id=f"board:{game}")


def board_link(url: str, label: str = BOARD) -> Button:
    """Leads to the board page."""
    return discord.ui.Button(label=shortened(label), style=discord.ButtonStyle.link, url=url)
