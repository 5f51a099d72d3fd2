"""Parameters of commands: length limits and autocomplete."""

import logging
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction
from bot.table.errors import Refused
from bot.table.live import LiveGame
from bot.table.markdown import unmarked
from bot.table.moves.completions import MAX_ITEMS, MenuItem, entity_items, ranked_items, slot_items
from bot.table.moves.slot_values import GivenValues
from bot.table.moves.verbs import (
    MAX_DETAILS_LENGTH,
    MAX_NAME_LENGTH,
    MAX_NUMBER,
    MOVE_COMMANDS,
    POWER_PARAMETER,
    SLOTS,
    move_commands_of,
)
from bot.table.undo import move_first_lines
from engine import TITLES, Game, PlayerId

_log = logging.getLogger("stationmaster.commands")

Name: TypeAlias = app_commands.Range[str, 1, MAX_NAME_LENGTH]
"""A parameter for a name or id: of a hex, tile, company, train, private, title, profile, topic or player."""
NameList: TypeAlias = app_commands.Range[str, 1, 300]
"""A parameter for several names, separated by commas."""
Details: TypeAlias = app_commands.Range[str, 1, MAX_DETAILS_LENGTH]
"""A parameter for the values of a move in order, which may include routes."""
Number: TypeAlias = app_commands.Range[int, 0, MAX_NUMBER]
"""A parameter for a number: of dollars, shares, steps, or a move."""
GameNumber: TypeAlias = app_commands.Range[int, 1, 1_000_000_000]
"""A parameter for the number of a game."""

Completions: TypeAlias = list[app_commands.Choice[Any]]
CompleteFunction: TypeAlias = Callable[[BotInteraction, str], Coroutine[Any, Any, Completions]]
FindItems: TypeAlias = Callable[[LiveGame, BotInteraction, str], list[MenuItem]]
"""A function that returns the items to suggest in a game, for a user and the text typed so far."""

SlashCommand: TypeAlias = app_commands.Command[Any, ..., None]
"""A slash command."""


def complete_slot(verb: str, name: str) -> CompleteFunction:
    """Autocomplete for a slot of a verb: its legal values after the slots typed before."""
    kind = MOVE_COMMANDS[verb].kind

    def find_items(
        live: LiveGame, player: PlayerId, interaction: BotInteraction, typed_text: str
    ) -> list[MenuItem]:
        given_values = {name: value for name, value in interaction.namespace if value not in (None, "")}
        return _parameter_items(live.game, player, kind, name, given_values, typed_text)

    return _autocomplete_from(_for_players(find_items))


def _parameter_items(
    game: Game, player: PlayerId, kind: str, name: str, given_values: GivenValues, typed_text: str
) -> list[MenuItem]:
    """The legal values of a parameter that match the typed text."""
    if name == POWER_PARAMETER and POWER_PARAMETER not in SLOTS[kind]:
        return entity_items(game, player, kind, typed_text)
    private = None if POWER_PARAMETER in SLOTS[kind] else given_values.get(POWER_PARAMETER)
    entity = None if private is None else str(private)
    return slot_items(game, player, kind, name, given_values, typed_text, entity)


def complete_entity(verb: str) -> CompleteFunction:
    """Autocomplete for the company or player for whom a verb acts."""
    kind = MOVE_COMMANDS[verb].kind
    return _autocomplete_from(
        _for_players(lambda live, player, _, typed: entity_items(live.game, player, kind, typed))
    )


def _detail_items(
    live: LiveGame, player: PlayerId, interaction: BotInteraction, typed_text: str
) -> list[MenuItem]:
    """The typed values of a move, continued by the legal values of the next parameter."""
    verb = move_commands_of(live.game).get(interaction.namespace.move or "")
    before, _, last = typed_text.lstrip().rpartition(" ")
    given_values = {} if verb is None else {**verb.fixed, **verb.parameter_values(before)}
    if verb is None or len(before.split()) >= len(verb.parameters):
        return []
    name = verb.parameters[len(before.split())].name
    items = _parameter_items(live.game, player, verb.kind, name, given_values, last)
    return [MenuItem(f"{before} {value}".lstrip(), f"{before} {label}".lstrip()) for value, label in items]


def complete_from(find: Callable[[LiveGame], list[MenuItem]]) -> CompleteFunction:
    """Autocomplete from the items that `find` returns for the game of this thread."""
    return _autocomplete_from(lambda live, _, typed: ranked_items(find(live), typed))


def _company_items(live: LiveGame) -> list[MenuItem]:
    spec = live.game.title.spec
    return [MenuItem(company, f"{company}: {facts.name}") for company, facts in spec.companies.items()]


def _seat_items(live: LiveGame) -> list[MenuItem]:
    return [MenuItem(seat.display_name, seat.display_name) for seat in live.seats]


def id_and_name(user: discord.User) -> tuple[int, str]:
    """The id and name of a user who can have a seat; raises Refused for a bot."""
    if user.bot:
        raise Refused("A bot cannot take a seat.")
    return user.id, user.display_name


async def complete_title(interaction: BotInteraction, typed_text: str) -> Completions:
    """Autocomplete for titles."""
    del interaction
    return matches_of(known_titles(), typed_text)


def known_titles() -> list[MenuItem]:
    """All titles, in order of their names."""
    return [MenuItem(title.id, title.name) for title in TITLES.values()]


def matches_of(items: Iterable[MenuItem], typed_text: str) -> Completions:
    """The items that match the typed text, best first."""
    return as_choices(ranked_items(items, typed_text))


def as_choices(items: Iterable[MenuItem]) -> Completions:
    """Items as Discord's choices."""
    return [app_commands.Choice(name=label, value=value) for value, label in items]


def _for_players(find: Callable[[LiveGame, PlayerId, BotInteraction, str], list[MenuItem]]) -> FindItems:
    """The same items for users with a seat in the game, and none for others."""

    def find_for_player(live: LiveGame, interaction: BotInteraction, typed_text: str) -> list[MenuItem]:
        player = live.player_of(interaction.user.id)
        if player is None:
            return []
        return find(live, player, interaction, typed_text)

    return find_for_player


def _autocomplete_from(find: FindItems) -> CompleteFunction:
    async def complete(interaction: BotInteraction, typed_text: str) -> Completions:
        live = await _live_game_here(interaction)
        if live is None:
            return []
        try:
            return as_choices(find(live, interaction, str(typed_text)))
        except Exception:  # noqa: BLE001 - discord.py would show an empty list and log nothing
            _log.exception("autocomplete failed")
            return []

    return complete


async def _live_game_here(interaction: BotInteraction) -> LiveGame | None:
    """The live game of this thread; None if it cannot be loaded quickly."""
    game_id = interaction.client.tables.game_in(interaction.channel_id)
    return None if game_id is None else await interaction.client.load_quickly(game_id)


complete_player = complete_from(_seat_items)
"""Autocomplete for a player of this game by name, even if they left the server."""


complete_company = complete_from(_company_items)
"""Autocomplete for a company of this game."""


complete_verb = complete_from(
    lambda live: [
        MenuItem(name, f"{name}: {verb.description}") for name, verb in move_commands_of(live.game).items()
    ]
)
"""Autocomplete for commands that make moves in this title."""
complete_details = _autocomplete_from(_for_players(_detail_items))
"""Autocomplete for the values of the move chosen in `move`, one after the other."""


async def complete_last_move(interaction: BotInteraction, typed_text: str) -> Completions:
    """Autocomplete for the target move of an undo, newest first."""
    live = await _live_game_here(interaction)
    if live is None:
        return []
    rows = live.effective_rows[:-1][-MAX_ITEMS:]
    lines = await move_first_lines(interaction.client.tables.db, live, rows)
    items = [MenuItem(row.seq, f"{unmarked(line)} (stays)") for row, line in zip(rows, lines, strict=True)]
    return matches_of(reversed(items), str(typed_text))
