"""The message of a lobby: its words, its buttons, and the menus of the rules."""

from typing import Any, Final

import discord

from bot.client.buttons import NUMBER, Button, Menu, button, rows_of
from bot.client.game_texts import game_title
from bot.table.lobby import Lobby
from bot.table.moves.autocomplete import LONGEST
from bot.table.seats.lobby_limits import expires
from bot.table.settings.readings import PROFILES, chosen_rules, differences_command, title_of
from bot.table.style import sentence_list

LOBBY_ID: Final = (
    rf"l:(?P<game>{NUMBER}):(?P<choice>join|leave|start|add|apprentice|conductor|superintendent|remove)"
)
RULES_ID: Final = rf"r:(?P<game>{NUMBER}):(?P<what>profile|options)"
CHOICES: Final = {
    "join": "Join",
    "leave": "Leave",
    "start": "Start",
    "apprentice": "Computer: Apprentice",
    "conductor": "Computer: Conductor",
    "superintendent": "Computer: Superintendent",
    "remove": "One computer less",
}
"""What can be chosen on a lobby message, and what the button says; `add` is what lobbies posted earlier say."""


def lobby_text(lobby: Lobby) -> str:
    """What the lobby message says."""
    counts = lobby.counts
    order = "in this order" if lobby.fixed else "seats are drawn at the start"
    settings = (
        "deadlines, reminders and a sealed sale of the privates"
        if lobby.may_seal
        else "deadlines and reminders"
    )
    change = (
        "Players with a seat may change the rules below, or with `/game options`; "
        f"{settings} with `/game settings`."
    )
    agreed = "".join(f"\n{line}" for line in lobby.agreed)
    seats = "\n".join(f"{seat.seat}. {seat.display_name}" for seat in lobby.seats) or "nobody yet"
    again = sentence_list(f"<@{user}>" for user in lobby.asked)
    seats += f"\nOnce more, {again}?" if again else ""
    return (
        f"{game_title(lobby.row)} for {min(counts)} to {max(counts)} players"
        f"\n{chosen_rules(lobby.row)}{differences_command(lobby.row)}{agreed}\n{seats}"
        f"\n-# {len(lobby.seats)} joined, {order}."
        f" Join below, or with `/game join`. {change} {_expires(lobby)}"
    )


def _expires(lobby: Lobby) -> str:
    return f"It is closed, unless it starts, <t:{int(expires(lobby.row.created_at).timestamp())}:R>."


def lobby_panel(lobby: Lobby) -> discord.ui.View:
    """Join, leave, start, seats for computer players; menus for the profile and, if the title has any, the options."""
    game_id, title = lobby.row.id, title_of(lobby.row)
    computers = ["apprentice", "conductor", "superintendent"]
    if len(lobby.people) < len(lobby.seats):
        computers.append("remove")
    items: list[discord.ui.Item[Any]] = []
    for row, choices in enumerate((["join", "leave", "start"], computers)):
        for choice in choices:
            items.append(lobby_button(game_id, choice))
            items[-1].row = row
    profiles = [_rule(name, name, PROFILES[name], name == lobby.row.profile) for name in title.spec.profiles]
    items.append(profile_menu(game_id, profiles))
    options = [
        _rule(code, option.name, option.says, code in lobby.options)
        for code, option in title.rules.OPTIONS.items()
    ]
    if options:
        items.append(options_menu(game_id, options))
    return rows_of(items)


def _rule(value: str, name: str, sentence: str, chosen: bool) -> discord.SelectOption:
    return discord.SelectOption(label=name, value=value, description=sentence[:LONGEST], default=chosen)


def lobby_button(game: int, choice: str) -> Button:
    """Something to choose on a lobby message."""
    style = discord.ButtonStyle.success if choice == "start" else discord.ButtonStyle.secondary
    return button(f"l:{game}:{choice}", CHOICES[choice], style)


def profile_menu(game: int, profiles: list[discord.SelectOption]) -> Menu:
    """The profile, on a lobby message: one of these."""
    return discord.ui.Select(custom_id=f"r:{game}:profile", placeholder="Rules", options=profiles)


def options_menu(game: int, options: list[discord.SelectOption]) -> Menu:
    """The optional rules, on a lobby message: any number of these."""
    return discord.ui.Select(
        custom_id=f"r:{game}:options",
        placeholder="Options: none",
        min_values=0,
        max_values=len(options),
        options=options,
    )
