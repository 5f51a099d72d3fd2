"""Types of command parameters, with length limits, and their autocomplete."""

import logging
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction
from bot.table.errors import Refused
from bot.table.live import LiveGame
from bot.table.markdown import without_markdown
from bot.table.moves.completions import MAX_ITEMS, MenuItem, acting_entity_items, ranked_items, slot_items
from bot.table.moves.slot_values import GivenValues
from bot.table.moves.verbs import (
    MAX_DETAILS_LENGTH,
    MAX_NAME_LENGTH,
    MAX_NUMBER,
    MOVE_COMMANDS,
    POWER_PARAMETER,
    SLOTS_BY_ACTION_KIND,
    move_commands_of,
)
from bot.table.undo import first_lines_of_moves
from engine import TITLES, Game, PlayerId

_log = logging.getLogger("stationmaster.commands")

Name: TypeAlias = app_commands.Range[str, 1, MAX_NAME_LENGTH]
"""Type of a parameter for one name or id, such as of a hex, tile, company, train or player."""
NameList: TypeAlias = app_commands.Range[str, 1, 300]
"""Type of a parameter for several names, separated by commas."""
Details: TypeAlias = app_commands.Range[str, 1, MAX_DETAILS_LENGTH]
"""Type of a parameter for all values of a move in order; for a run of trains it also contains the routes."""
Number: TypeAlias = app_commands.Range[int, 0, MAX_NUMBER]
"""Type of a parameter for a whole number, such as dollars, shares, or the number of a move."""
GameNumber: TypeAlias = app_commands.Range[int, 1, 1_000_000_000]
"""Type of a parameter for a game's number."""

Completions: TypeAlias = list[app_commands.Choice[Any]]
CompleteFunction: TypeAlias = Callable[[BotInteraction, str], Coroutine[Any, Any, Completions]]
FindItems: TypeAlias = Callable[[LiveGame, BotInteraction, str], list[MenuItem]]
"""A function that returns autocomplete suggestions for a game, a user and the typed text."""

SlashCommand: TypeAlias = app_commands.Command[Any, ..., None]
"""A slash command, as discord.py represents it."""


def complete_move_parameter(verb: str, name: str) -> CompleteFunction:
    """Autocomplete for parameter `name` of a move's command: the values that are legal after the other values."""
    kind = MOVE_COMMANDS[verb].kind

    def find_items(
        live: LiveGame, player: PlayerId, interaction: BotInteraction, typed_text: str
    ) -> list[MenuItem]:
        given_values = {name: value for name, value in interaction.namespace if value not in (None, "")}
        return _parameter_items(live.game, player, kind, name, given_values, typed_text)

    return _autocomplete_from(_only_for_seated_players(find_items))


def _parameter_items(
    game: Game, player: PlayerId, kind: str, name: str, given_values: GivenValues, typed_text: str
) -> list[MenuItem]:
    if name == POWER_PARAMETER and POWER_PARAMETER not in SLOTS_BY_ACTION_KIND[kind]:
        return acting_entity_items(game, player, kind, typed_text)
    private_value = (
        None if POWER_PARAMETER in SLOTS_BY_ACTION_KIND[kind] else given_values.get(POWER_PARAMETER)
    )
    private_id = None if private_value is None else str(private_value)
    return slot_items(game, player, kind, name, given_values, typed_text, private_id)


def complete_actor(verb: str) -> CompleteFunction:
    """Autocomplete: companies or players for which the user can now make the move `verb`."""
    kind = MOVE_COMMANDS[verb].kind
    return _autocomplete_from(
        _only_for_seated_players(
            lambda live, player, _, typed_text: acting_entity_items(live.game, player, kind, typed_text)
        )
    )


def _move_detail_items(
    live: LiveGame, player: PlayerId, interaction: BotInteraction, typed_text: str
) -> list[MenuItem]:
    """Suggestions for `/move details:`: the values typed so far, continued by a legal next value."""
    verb = move_commands_of(live.game).get(interaction.namespace.move or "")
    earlier_values, _, last_value = typed_text.lstrip().rpartition(" ")
    given_values = {} if verb is None else {**verb.fixed_values, **verb.parameter_values(earlier_values)}
    if verb is None or len(earlier_values.split()) >= len(verb.parameters):
        return []
    name = verb.parameters[len(earlier_values.split())].name
    items = _parameter_items(live.game, player, verb.kind, name, given_values, last_value)
    return [
        MenuItem(f"{earlier_values} {value}".lstrip(), f"{earlier_values} {label}".lstrip())
        for value, label in items
    ]


def complete_from(find_suggestions: Callable[[LiveGame], list[MenuItem]]) -> CompleteFunction:
    """Autocomplete with the suggestions that `find_suggestions` returns for this thread's game."""
    return _autocomplete_from(lambda live, _, typed_text: ranked_items(find_suggestions(live), typed_text))


def _company_items(live: LiveGame) -> list[MenuItem]:
    spec = live.game.title.spec
    return [
        MenuItem(company, f"{company}: {company_spec.name}")
        for company, company_spec in spec.companies.items()
    ]


def _seated_player_items(live: LiveGame) -> list[MenuItem]:
    return [MenuItem(seat.display_name, seat.display_name) for seat in live.seats]


def id_and_name(user: discord.User) -> tuple[int, str]:
    """Id and display name of a user who may take a seat; raises Refused for a bot account."""
    if user.bot:
        raise Refused("A bot cannot take a seat.")
    return user.id, user.display_name


async def complete_title(interaction: BotInteraction, typed_text: str) -> Completions:
    """Autocomplete: all 18xx titles that the bot knows."""
    del interaction
    return matching_choices(known_titles(), typed_text)


def known_titles() -> list[MenuItem]:
    """All 18xx titles that the bot knows, as menu items, sorted by name."""
    return [MenuItem(title.id, title.name) for title in TITLES.values()]


def matching_choices(items: Iterable[MenuItem], typed_text: str) -> Completions:
    """Items that match the typed text, as Discord's autocomplete choices, best first."""
    return autocomplete_choices(ranked_items(items, typed_text))


def autocomplete_choices(items: Iterable[MenuItem]) -> Completions:
    """Menu items as Discord's autocomplete choices."""
    return [app_commands.Choice(name=label, value=value) for value, label in items]


def _only_for_seated_players(
    find_suggestions: Callable[[LiveGame, PlayerId, BotInteraction, str], list[MenuItem]],
) -> FindItems:
    """Wraps a function that finds suggestions. Users without a seat in the game get none."""

    def find_for_player(live: LiveGame, interaction: BotInteraction, typed_text: str) -> list[MenuItem]:
        player = live.player_of(interaction.user.id)
        if player is None:
            return []
        return find_suggestions(live, player, interaction, typed_text)

    return find_for_player


def _autocomplete_from(find_suggestions: FindItems) -> CompleteFunction:
    async def complete(interaction: BotInteraction, typed_text: str) -> Completions:
        live = await _live_game_here(interaction)
        if live is None:
            return []
        try:
            return autocomplete_choices(find_suggestions(live, interaction, str(typed_text)))
        except Exception:  # noqa: BLE001 - discord.py would show an empty list and log nothing
            _log.exception("autocomplete failed")
            return []

    return complete


async def _live_game_here(interaction: BotInteraction) -> LiveGame | None:
    """The loaded game of this thread; None if loading takes too long for autocomplete."""
    game_id = interaction.client.tables.game_shown_in(interaction.channel_id)
    return None if game_id is None else await interaction.client.load_for_autocomplete(game_id)


complete_player = complete_from(_seated_player_items)
"""Autocomplete: players of this thread's game, even if they have left the server."""


complete_company = complete_from(_company_items)
"""Autocomplete: companies of this thread's game."""


complete_verb = complete_from(
    lambda live: [
        MenuItem(name, f"{name}: {verb.description}") for name, verb in move_commands_of(live.game).items()
    ]
)
"""Autocomplete: names of the moves that exist in the title of this thread's game."""
complete_details = _autocomplete_from(_only_for_seated_players(_move_detail_items))
"""Autocomplete for the parameter `details` of `/move`: the values of the chosen move, one after another."""


async def complete_last_move(interaction: BotInteraction, typed_text: str) -> Completions:
    """Autocomplete for an undo: moves to which the game can return, newest first. The chosen move is kept."""
    live = await _live_game_here(interaction)
    if live is None:
        return []
    rows = live.effective_rows[:-1][-MAX_ITEMS:]
    lines = await first_lines_of_moves(interaction.client.tables.db, live, rows)
    items = [
        MenuItem(row.seq, f"{without_markdown(line)} (stays)") for row, line in zip(rows, lines, strict=True)
    ]
    return matching_choices(reversed(items), str(typed_text))
