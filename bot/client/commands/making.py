"""What the verbs share: making a move from typed slots, and completing each slot from the offers."""

import logging
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

from discord import app_commands

from bot.client.desk import Asked, game_here
from bot.table.complete import Item, entity_items, first_fitting, slot_items
from bot.table.live import Live
from bot.table.moves import Typed
from bot.table.verbs import FOR, SLOTS, VERBS
from bot.table.walk import NOTHING
from engine.core.ids import PlayerId

_log = logging.getLogger("stationmaster.commands")

Completed: TypeAlias = list[app_commands.Choice[Any]]
Complete: TypeAlias = Callable[[Asked, str], Coroutine[Any, Any, Completed]]

Verbal: TypeAlias = app_commands.Command[Any, ..., None]
"""A slash command."""


async def make(interaction: Asked, name: str, entity: str | None = None, **slots: str | int | None) -> None:
    """Make the move that a verb and its slots describe, in the game of this thread."""
    verb = VERBS[name]
    move = Typed(verb.kind, {**verb.fixed, **slots}, entity)
    await interaction.client.flows.typed(interaction, game_here(interaction), move)


def slot(verb: str, name: str) -> Complete:
    """Completes a slot of a verb: its legal values, given the slots typed already."""
    kind = VERBS[verb].kind

    def find(live: Live, player: PlayerId, typed: str, given: dict[str, Any]) -> list[Item]:
        entity = None if FOR in SLOTS[kind] else given.get(FOR)
        return slot_items(live.game, player, kind, name, given, typed, entity)

    return _completing(find)


def entity(verb: str) -> Complete:
    """Completes for whom a verb is done."""
    kind = VERBS[verb].kind
    return _completing(lambda live, player, typed, _: entity_items(live.game, player, kind, typed))


def listed(find: Callable[[Live], list[Item]]) -> Complete:
    """Completes from a list that depends on the game alone."""

    def fitting(live: Live, player: PlayerId, typed: str, given: dict[str, Any]) -> list[Item]:
        del player, given
        return first_fitting(find(live), typed)

    return _completing(fitting, onlookers=True)


def _completing(
    find: Callable[[Live, PlayerId, str, dict[str, Any]], list[Item]], *, onlookers: bool = False
) -> Complete:
    async def complete(interaction: Asked, typed: str) -> Completed:
        game_id = (
            None
            if interaction.channel_id is None
            else interaction.client.tables.game_in(interaction.channel_id)
        )
        live = None if game_id is None else await interaction.client.live_soon(game_id)
        if live is None:
            return []
        player = live.player_of(interaction.user.id)
        if player is None and not onlookers:
            return []
        given = {name: value for name, value in interaction.namespace if value not in (None, "")}
        try:
            found = find(live, player or "", str(typed), given)
        except Exception:  # noqa: BLE001 - discord.py would show an empty list and log nothing by default
            _log.exception("completing failed")
            return []
        return [
            app_commands.Choice(name=label or NOTHING, value=NOTHING if value == "" else value)
            for value, label in found
        ]

    return complete
