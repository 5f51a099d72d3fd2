"""Rows of buttons and menus: what stands on the turn message, on lobby messages and in private menus."""

from collections.abc import Iterable, Sequence
from typing import Any

import discord

from bot.buttons import LobbyButton, MenuButton, MoveButton, UndoButton
from bot.live import Live
from bot.offered import Entry


def turn_panel(live: Live, entries: Sequence[Entry]) -> discord.ui.View:
    """The buttons of the moment, and taking back."""
    items: list[discord.ui.Item[Any]] = [_button(live, entry) for entry in entries]
    if len(live.counting) > 1:
        items.append(UndoButton(live.id, live.seq))
    return rows_of(items)


def lobby_panel(game_id: int) -> discord.ui.View:
    """Join, leave and start."""
    return rows_of([LobbyButton(game_id, wish) for wish in ("join", "leave", "start")])


def rows_of(items: Iterable[discord.ui.Item[Any]]) -> discord.ui.View:
    """A view of these items that is not kept in memory: presses are routed by what each button carries."""
    view = discord.ui.View(timeout=None)
    for item in items:
        view.add_item(item)
    view.stop()
    return view


def _button(live: Live, entry: Entry) -> discord.ui.Item[Any]:
    if entry.menu:
        return MenuButton(live.id, live.seq, entry.key, entry.label)
    return MoveButton(live.id, live.seq, entry.key, entry.label, _style(entry.kind))


def _style(kind: str) -> discord.ButtonStyle:
    if kind == "declare_bankruptcy":
        return discord.ButtonStyle.danger
    return discord.ButtonStyle.secondary if kind == "pass" else discord.ButtonStyle.primary
