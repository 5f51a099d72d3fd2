"""The buttons below the turn message: moves, menus, quick orders, views, *Undo* and *Redo*."""

from collections.abc import Sequence
from typing import Any, Final

import discord

from bot.client.buttons import KEY, NUMBER, POSITION, Button, board_button, button, view_buttons, view_of
from bot.client.offer_menus_and_forms import amount_button
from bot.table.games.game_log import moves_text
from bot.table.live import LiveGame
from bot.table.moves.turn_buttons import MOST, PASS, TurnButton, entry_rank, fitting
from bot.table.orders.player_orders import SEAL, QuickOrder
from storage import Row

MOVE_ID: Final = rf"g:{POSITION}:{KEY}"
MENU_ID: Final = rf"w:{POSITION}:{KEY}"
UNDO_ID: Final = rf"u:{POSITION}"
REDO_ID: Final = rf"e:{POSITION}"
ORDER_ID: Final = rf"z:(?P<game>{NUMBER}):(?P<choice>pass|over|buy|run|max|seal|withdraw):(?P<what>.*)"
"""Quick orders, those with a form (`max`, `seal`), and withdrawing an order."""
BY_HAND: Final = 0
"""The number of no order."""
REPLIES: Final = {"agree": discord.ButtonStyle.success, "refuse": discord.ButtonStyle.danger}
"""Answers to an offer that have a colour of their own."""


def turn_panel(
    live: LiveGame, entries: Sequence[TurnButton], taps: Sequence[QuickOrder] = (), *, board: bool = False
) -> discord.ui.View:
    """The position's buttons, quick orders if there is room, views (with the board page), *Undo*."""
    looks = [*([board_button(live.id)] if board else []), *view_buttons(live.id)]
    # A table that seals is asked by this button alone: there is room for it, whatever else there is.
    items: list[discord.ui.Item[Any]] = [order_button(live.id, *tap) for tap in taps if tap.choice == SEAL]
    room = MOST - len(looks) - len(items)
    items.extend(_button(live, entry) for entry in fitting(entries, room, entry_rank))
    others = [tap for tap in taps if tap.choice != SEAL]
    items.extend(order_button(live.id, *tap) for tap in others[: MOST - len(looks) - len(items)])
    items.extend(looks)
    # Automatic moves without an order are undone with the move before them.
    last = next(row for row in reversed(live.counting) if live.automatic.get(row.seq, BY_HAND) is not None)
    # A player who made an offer to another undoes it by withdrawing it.
    if last.kind == "action" and live.game.proposal is None:
        items.append(undo_button(live.id, live.seq, _undoes(live, last)))
    taken = live.undo_history.redoable()
    if taken is not None and len(items) <= MOST:
        items.append(redo_button(live.id, live.seq, f"Redo {moves_text(taken.rows)}"))
    return view_of(items)


def _undoes(live: LiveGame, last: Row) -> str:
    """The player whose move *Undo* takes back; with two users each undoes their own."""
    by_hand = next(row for row in reversed(live.counting) if row.seq not in live.automatic)
    # An order that moved after its owner is undone with the move by hand; nobody undoes that a game has begun.
    theirs = {row.actor: row for row in (last, by_hand) if row.kind == "action"}
    moves = (f"{live.name_of(row.actor)}'s move {row.seq}" for row in reversed(theirs.values()))
    return f"Undo {' or '.join(moves)}"


def _button(live: LiveGame, entry: TurnButton) -> discord.ui.Item[Any]:
    if entry.form:
        key = entry.key.partition(".")[0]
        return amount_button(live.id, live.seq, key, entry.form, entry.label)
    if entry.menu:
        return menu_button(live.id, live.seq, entry.key, entry.label)
    return move_button(live.id, live.seq, entry.key, entry.label, move_style(entry))


def move_style(entry: TurnButton) -> discord.ButtonStyle:
    """The colour of a button that makes a move."""
    if entry.reply:
        return REPLIES.get(entry.reply, discord.ButtonStyle.secondary)
    if entry.quick is not None and entry.quick.confirm:
        return discord.ButtonStyle.danger
    return discord.ButtonStyle.secondary if entry.kind == PASS else discord.ButtonStyle.primary


def order_button(game: int, choice: str, what: str, label: str) -> Button:
    """The button that gives an order, opens its form, or withdraws it."""
    style = discord.ButtonStyle.primary if choice == SEAL else discord.ButtonStyle.secondary
    return button(f"z:{game}:{choice}:{what}", label, style)


def move_button(
    game: int, seq: int, key: str, label: str, style: discord.ButtonStyle = discord.ButtonStyle.primary
) -> Button:
    """The button of a one-click move."""
    return button(f"g:{game}:{seq}:{key}", label, style)


def menu_button(game: int, seq: int, key: str, label: str) -> Button:
    """The button that opens an offer's menus."""
    return button(f"w:{game}:{seq}:{key}", label)


def undo_button(game: int, seq: int, label: str) -> Button:
    """The *Undo* button, named after the user's last move."""
    return button(f"u:{game}:{seq}", label)


def redo_button(game: int, seq: int, label: str) -> Button:
    """The *Redo* button, named after the last undo."""
    return button(f"e:{game}:{seq}", label)
