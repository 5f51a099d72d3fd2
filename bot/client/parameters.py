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
from bot.table.moves.completions import MOST, MenuItem, entity_items, ranked, slot_items
from bot.table.moves.verbs import FOR, LARGEST_NUMBER, LONGEST_DETAILS, LONGEST_NAME, SLOTS, VERBS, verbs_of
from bot.table.undo import first_lines
from engine import TITLES, PlayerId

_log = logging.getLogger("stationmaster.commands")

Name: TypeAlias = app_commands.Range[str, 1, LONGEST_NAME]
"""A hex, tile, company, train, private, title, profile or topic, or a player's name."""
Listed: TypeAlias = app_commands.Range[str, 1, 300]
"""Several names."""
Details: TypeAlias = app_commands.Range[str, 1, LONGEST_DETAILS]
"""The values of a move in order, with routes perhaps."""
Number: TypeAlias = app_commands.Range[int, 0, LARGEST_NUMBER]
"""Dollars, shares, steps or a move."""
GameNumber: TypeAlias = app_commands.Range[int, 1, 1_000_000_000]
"""The number of a game."""

Completed: TypeAlias = list[app_commands.Choice[Any]]
Complete: TypeAlias = Callable[[BotInteraction, str], Coroutine[Any, Any, Completed]]
Find: TypeAlias = Callable[[LiveGame, BotInteraction, str], list[MenuItem]]
"""Finds what fits in a game, for a user and the text typed so far."""

Verbal: TypeAlias = app_commands.Command[Any, ..., None]
"""A slash command."""


def complete_slot(verb: str, name: str) -> Complete:
    """Autocomplete for a verb's slot: its legal values, given earlier slots."""
    kind = VERBS[verb].kind

    def find(
        live: LiveGame, player: PlayerId, interaction: BotInteraction, typed_text: str
    ) -> list[MenuItem]:
        given = {name: value for name, value in interaction.namespace if value not in (None, "")}
        entity = None if FOR in SLOTS[kind] else given.get(FOR)
        return slot_items(live.game, player, kind, name, given, typed_text, entity)

    return _completing(_for_seated(find))


def complete_entity(verb: str) -> Complete:
    """Autocomplete for the entity for which a verb acts."""
    kind = VERBS[verb].kind
    return _completing(
        _for_seated(lambda live, player, _, typed: entity_items(live.game, player, kind, typed))
    )


def complete_from(find: Callable[[LiveGame], list[MenuItem]]) -> Complete:
    """Autocomplete from a list by game."""
    return _completing(lambda live, _, typed: ranked(find(live), typed))


def _companies(live: LiveGame) -> list[MenuItem]:
    spec = live.game.title.spec
    return [MenuItem(company, f"{company}: {facts.name}") for company, facts in spec.companies.items()]


def _seats(live: LiveGame) -> list[MenuItem]:
    return [MenuItem(seat.display_name, seat.display_name) for seat in live.seats]


def person(user: discord.User) -> tuple[int, str]:
    """Id and name of a user who may have a seat; raises Refused for a bot."""
    if user.bot:
        raise Refused("A bot cannot take a seat.")
    return user.id, user.display_name


async def titles(interaction: BotInteraction, typed_text: str) -> Completed:
    """Autocomplete for titles."""
    del interaction
    return matches_of(known_titles(), typed_text)


def known_titles() -> list[MenuItem]:
    """All titles by name."""
    return [MenuItem(title.id, title.name) for title in TITLES.values()]


def matches_of(items: Iterable[MenuItem], typed_text: str) -> Completed:
    """Items that match the typed text, best first."""
    return as_choices(ranked(items, typed_text))


def as_choices(items: Iterable[MenuItem]) -> Completed:
    """Items as Discord's choices."""
    return [app_commands.Choice(name=label, value=value) for value, label in items]


def _for_seated(find: Callable[[LiveGame, PlayerId, BotInteraction, str], list[MenuItem]]) -> Find:
    """Finds nothing for an onlooker."""

    def found(live: LiveGame, interaction: BotInteraction, typed_text: str) -> list[MenuItem]:
        player = live.player_of(interaction.user.id)
        if player is None:
            return []
        return find(live, player, interaction, typed_text)

    return found


def _completing(find: Find) -> Complete:
    async def complete(interaction: BotInteraction, typed_text: str) -> Completed:
        live = await _live_here(interaction)
        if live is None:
            return []
        try:
            return as_choices(find(live, interaction, str(typed_text)))
        except Exception:  # noqa: BLE001 - discord.py would show an empty list and log nothing by default
            _log.exception("autocomplete failed")
            return []

    return complete


async def _live_here(interaction: BotInteraction) -> LiveGame | None:
    """The game of this thread, if it can be loaded quickly."""
    game_id = interaction.client.tables.game_in(interaction.channel_id)
    return None if game_id is None else await interaction.client.live_soon(game_id)


seated = complete_from(_seats)
"""Completes a player of this game, by name; who has left the server can be meant, too."""


companies = complete_from(_companies)
"""Completes a company of this game."""


verbs = complete_from(
    lambda live: [MenuItem(name, f"{name}: {verb.description}") for name, verb in verbs_of(live.game).items()]
)
"""Completes a command by which moves are made in this title."""


async def complete_last_move(interaction: BotInteraction, typed_text: str) -> Completed:
    """Autocomplete for the last move that stays in an undo, newest first."""
    live = await _live_here(interaction)
    if live is None:
        return []
    rows = live.counting[:-1][-MOST:]
    lines = await first_lines(interaction.client.tables.db, live, rows)
    said = [
        MenuItem(row.seq, f"{unmarked(line)} (cannot be undone)")
        for row, line in zip(rows, lines, strict=True)
    ]
    return matches_of(reversed(said), str(typed_text))
