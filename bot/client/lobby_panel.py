"""A lobby message's content: its text, buttons and menus."""

from typing import Any, Final

import discord

from bot.client.buttons import Button, Menu, button, view_with_items
from bot.client.game_texts import game_title
from bot.table.lobby import Lobby, lobby_expiry
from bot.table.markdown import sentence_list
from bot.table.moves.completions import MAX_ITEM_LABEL_LENGTH
from bot.table.settings.game_rules import PROFILE_MEANINGS, chosen_rules, differences_hint, title_of
from bot.table.settings.table_settings import START, START_BY_HAND, START_WHEN_FULL, start_time

LOBBY_BUTTON_LABELS: Final = {
    "join": "Join",
    "leave": "Leave",
    "start": "Start",
    "apprentice": "Computer: Apprentice",
    "conductor": "Computer: Conductor",
    "superintendent": "Computer: Superintendent",
    "remove": "Remove a computer",
}
"""Labels of the buttons on a lobby message, by action."""


def lobby_text(lobby: Lobby) -> str:
    """The text of a lobby message: title, rules, players, settings, and closing date."""
    player_counts = lobby.player_counts
    seating_text = "seated in this order" if lobby.has_fixed_order else "the seating is drawn at the start"
    settings_text = (
        "deadlines, reminders and a sealed auction of the privates"
        if lobby.can_seal_bids
        else "deadlines and reminders"
    )
    change_hint = (
        f"Joined players can change the rules below or with `/game options`, and {settings_text} with "
        "`/game settings`."
    )
    setting_lines = "".join(f"\n{line}" for line in (*lobby.settings_lines, *_start_lines(lobby)))
    seat_lines = "\n".join(f"{seat.seat}. {seat.display_name}" for seat in lobby.seats) or "nobody yet"
    rematch_users = sentence_list(f"<@{user}>" for user in lobby.users_not_rejoined)
    seat_lines += f"\nPlay again, {rematch_users}?" if rematch_users else ""
    return (
        f"{game_title(lobby.row)} for {min(player_counts)} to {max(player_counts)} players"
        f"\n{chosen_rules(lobby.row)}{differences_hint(lobby.row)}{setting_lines}\n{seat_lines}"
        f"\n-# {len(lobby.seats)} joined, {seating_text}."
        f" Join below, or with `/game join`. {change_hint} {_expiry_text(lobby)}"
    )


def _start_lines(lobby: Lobby) -> list[str]:
    """A line that says when the game starts, or why a planned start failed; nothing if a player starts it."""
    if lobby.missed_start is not None:
        return [lobby.missed_start]
    return [] if lobby.start == START_BY_HAND else [f"Start: {START.meaning_of(lobby.start)}."]


def _expiry_text(lobby: Lobby) -> str:
    return f"If it does not start, it closes <t:{int(lobby_expiry(lobby.row.created_at).timestamp())}:R>."


def lobby_panel(lobby: Lobby) -> discord.ui.View:
    """The buttons of a lobby message, and its menus for rules profile, options and start."""
    game_id, title = lobby.row.id, title_of(lobby.row)
    computer_choices = ["apprentice", "conductor", "superintendent"]
    if len(lobby.people) < len(lobby.seats):
        computer_choices.append("remove")
    items: list[discord.ui.Item[Any]] = []
    for row, choices in enumerate((["join", "leave", "start"], computer_choices)):
        for choice in choices:
            items.append(lobby_button(game_id, choice))
            items[-1].row = row
    profile_options = [
        _rule_option(name, name, PROFILE_MEANINGS[name], name == lobby.row.profile)
        for name in title.spec.profiles
    ]
    items.append(
        discord.ui.Select(custom_id=f"r:{game_id}:profile", placeholder="Rules", options=profile_options)
    )
    options = [
        _rule_option(code, option.name, option.explanation, code in lobby.options)
        for code, option in title.rules.OPTIONS.items()
    ]
    if options:
        items.append(options_menu(game_id, options))
    items.append(start_menu(game_id, lobby.start))
    return view_with_items(items)


def _rule_option(value: str, name: str, description: str, is_chosen: bool) -> discord.SelectOption:
    return discord.SelectOption(
        label=name, value=value, description=description[:MAX_ITEM_LABEL_LENGTH], default=is_chosen
    )


def lobby_button(game: int, choice: str) -> Button:
    """A button on a lobby message; `choice` is its action, a key of LOBBY_BUTTON_LABELS."""
    style = discord.ButtonStyle.success if choice == "start" else discord.ButtonStyle.secondary
    return button(f"l:{game}:{choice}", LOBBY_BUTTON_LABELS[choice], style)


def options_menu(game: int, options: list[discord.SelectOption]) -> Menu:
    """A lobby's menu of optional rules; players can choose any number of them."""
    return discord.ui.Select(
        custom_id=f"r:{game}:options",
        placeholder="Options: none",
        min_values=0,
        max_values=len(options),
        options=options,
    )


START_AT_A_DATE: Final = "date"
"""Value of the start menu's option that opens the form for a date."""


def start_menu(game: int, current_start: str) -> Menu:
    """A lobby's menu for the start of the game: by hand, when full, or at a date."""
    start_at = start_time(current_start)
    label_by_value = {START_BY_HAND: "Start: by hand", START_WHEN_FULL: "Start: when full"}
    if start_at is not None:
        label_by_value[current_start] = f"Start: {start_at:%Y-%m-%d %H:%M} UTC"
    start_descriptions = {
        START_BY_HAND: "a player presses Start",
        START_WHEN_FULL: "as soon as all seats are taken",
        START_AT_A_DATE: "if enough players have joined then",
    }
    options = [
        discord.SelectOption(
            label=label,
            value=value,
            description=start_descriptions.get(value),
            default=value == current_start,
        )
        for value, label in {
            **label_by_value,
            START_AT_A_DATE: "Start: at another date …" if start_at else "Start: at a date …",
        }.items()
    ]
    return discord.ui.Select(custom_id=f"ls:{game}", placeholder="Start", options=options)
