"""The buttons of the turn message: moves, menus, quick standing orders, views, *Undo* and *Redo*."""

from collections.abc import Sequence
from typing import Any, Final

import discord

from bot.client.buttons import (
    GAME_AND_SEQ_PATTERN,
    ID_NUMBER_PATTERN,
    MOVE_KEY_PATTERN,
    Button,
    board_button,
    button,
    view_buttons,
    view_with_items,
)
from bot.client.offer_menus_and_forms import amount_button
from bot.table.games.game_log import moves_text
from bot.table.live import LiveGame
from bot.table.moves.turn_buttons import MAX_BUTTONS, PASS_KIND, TurnButton, button_rank, lowest_ranked_items
from bot.table.orders.player_orders import SEAL_CHOICE, QuickOrder
from storage import LogRow

MOVE_BUTTON_PATTERN: Final = rf"g:{GAME_AND_SEQ_PATTERN}:{MOVE_KEY_PATTERN}"
MENU_BUTTON_ID: Final = rf"w:{GAME_AND_SEQ_PATTERN}:{MOVE_KEY_PATTERN}"
UNDO_BUTTON_ID: Final = rf"u:{GAME_AND_SEQ_PATTERN}"
REDO_BUTTON_ID: Final = rf"e:{GAME_AND_SEQ_PATTERN}"
ORDER_BUTTON_PATTERN: Final = (
    rf"z:(?P<game>{ID_NUMBER_PATTERN}):(?P<choice>pass|over|buy|run|max|seal|withdraw):(?P<subject>.*)"
)
"""Regex for the ids of buttons that give a standing order, open a form for one (`max`, `seal`), or withdraw one."""
NO_ORDER_NUMBER: Final = 0
"""Used in button ids in place of a standing order's number if there is no order."""
OFFER_ANSWER_STYLES: Final = {"agree": discord.ButtonStyle.success, "refuse": discord.ButtonStyle.danger}
"""Button styles for the answers to another player's offer, such as *Agree* and *Refuse*."""


def turn_panel(
    live: LiveGame,
    turn_buttons: Sequence[TurnButton],
    orders: Sequence[QuickOrder] = (),
    *,
    has_board_page: bool = False,
) -> discord.ui.View:
    """The buttons of a turn message: moves, as many standing orders as fit, views, *Undo* and *Redo*."""
    view_items = [*([board_button(live.id)] if has_board_page else []), *view_buttons(live.id)]
    # During sealed bidding this button is the only way to bid, so its place is reserved.
    items: list[discord.ui.Item[Any]] = [
        order_button(live.id, *order) for order in orders if order.choice == SEAL_CHOICE
    ]
    free_button_count = MAX_BUTTONS - len(view_items) - len(items)
    items.extend(
        _turn_button(live, entry)
        for entry in lowest_ranked_items(turn_buttons, free_button_count, button_rank)
    )
    orders_without_seal = [order for order in orders if order.choice != SEAL_CHOICE]
    items.extend(
        order_button(live.id, *order)
        for order in orders_without_seal[: MAX_BUTTONS - len(view_items) - len(items)]
    )
    items.extend(view_items)
    # Forced moves are undone together with the move before them.
    last_undoable_row = next(
        row
        for row in reversed(live.effective_rows)
        if live.automatic_rows.get(row.seq, NO_ORDER_NUMBER) is not None
    )
    # A player takes back an offer to another player by withdrawing it, not by an undo.
    if last_undoable_row.kind == "action" and live.game.proposal is None:
        items.append(undo_button(live.id, live.seq, _undo_label(live, last_undoable_row)))
    moves_to_redo = live.undo_history.next_redo()
    if moves_to_redo is not None and len(items) <= MAX_BUTTONS:
        items.append(redo_button(live.id, live.seq, f"Redo {moves_text(moves_to_redo.rows)}"))
    return view_with_items(items)


def _undo_label(live: LiveGame, last_undoable_row: LogRow) -> str:
    """The label of *Undo*: the player and move that it undoes, or two of them if that depends on who clicks."""
    last_row_by_hand = next(
        row for row in reversed(live.effective_rows) if row.seq not in live.automatic_rows
    )
    # An ordered move of the same player is undone with their move by hand. The start of a game cannot be undone.
    row_by_player = {row.actor: row for row in (last_undoable_row, last_row_by_hand) if row.kind == "action"}
    move_texts = (f"{live.name_of(row.actor)}'s move {row.seq}" for row in reversed(row_by_player.values()))
    return f"Undo {' or '.join(move_texts)}"


def _turn_button(live: LiveGame, entry: TurnButton) -> discord.ui.Item[Any]:
    if entry.picked_private:
        key = entry.key.partition(".")[0]
        return amount_button(live.id, live.seq, key, entry.picked_private, entry.label)
    if entry.opens_menu:
        return menu_button(live.id, live.seq, entry.key, entry.label)
    return move_button(live.id, live.seq, entry.key, entry.label, move_style(entry))


def move_style(entry: TurnButton) -> discord.ButtonStyle:
    """The colour of a move's button: red if it needs a confirmation, gray for passing."""
    if entry.offer_reply:
        return OFFER_ANSWER_STYLES.get(entry.offer_reply, discord.ButtonStyle.secondary)
    if entry.move is not None and entry.move.needs_confirmation:
        return discord.ButtonStyle.danger
    return discord.ButtonStyle.secondary if entry.kind == PASS_KIND else discord.ButtonStyle.primary


def order_button(game: int, choice: str, subject: str, label: str) -> Button:
    """A button that gives a standing order, opens the form for one, or withdraws one."""
    style = discord.ButtonStyle.primary if choice == SEAL_CHOICE else discord.ButtonStyle.secondary
    return button(f"z:{game}:{choice}:{subject}", label, style)


def move_button(
    game: int, seq: int, key: str, label: str, style: discord.ButtonStyle = discord.ButtonStyle.primary
) -> Button:
    """A button that makes a move with one click."""
    return button(f"g:{game}:{seq}:{key}", label, style)


def menu_button(game: int, seq: int, key: str, label: str) -> Button:
    """A button that opens the menus of a possible kind of move."""
    return button(f"w:{game}:{seq}:{key}", label)


def undo_button(game: int, seq: int, label: str) -> Button:
    """The *Undo* button; its label names the player and move."""
    return button(f"u:{game}:{seq}", label)


def redo_button(game: int, seq: int, label: str) -> Button:
    """The *Redo* button; its label names the undone moves."""
    return button(f"e:{game}:{seq}", label)
