"""What the verbs share: making a move from typed slots, and completing each slot from the offers."""

import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import discord
from discord import app_commands

from bot.client.replies import asked, game_here
from bot.table.complete import entity_choices, slot_choices
from bot.table.live import Live
from bot.table.moves import NOTHING, SLOTS, Typed
from engine.ids import PlayerId
from engine.offers import Choice

_log = logging.getLogger("stationmaster.commands")

Talk: TypeAlias = discord.Interaction[Any]
"""The interaction of a slash command."""
Completed: TypeAlias = list[app_commands.Choice[Any]]
Complete: TypeAlias = Callable[[Talk, str], Coroutine[Any, Any, Completed]]

Verbal: TypeAlias = app_commands.Command[Any, ..., None]
"""A slash command."""

FOR: Final = "private"
"""The parameter that says by which private (instead of the company itself) something is done."""


@dataclass(frozen=True, slots=True)
class Verb:
    """Which kind of action a command makes, and the slots it fills by itself."""

    kind: str
    fixed: dict[str, str] = field(default_factory=dict)


VERBS: Final = {
    "bid": Verb("bid"),
    "pass": Verb("pass"),
    "par": Verb("par"),
    "buy": Verb("buy_share"),
    "sell": Verb("sell_shares"),
    "lay": Verb("lay_tile"),
    "token": Verb("place_token"),
    "run": Verb("run_routes"),
    "pay": Verb("dividend", {"option": "pay"}),
    "withhold": Verb("dividend", {"option": "withhold"}),
    "buy-train": Verb("buy_train"),
    "discard": Verb("discard_train"),
    "buy-private": Verb("buy_private"),
    "sell-private": Verb("sell_private"),
    "marker": Verb("place_marker"),
    "agree": Verb("answer", {"reply": "agree"}),
    "refuse": Verb("answer", {"reply": "refuse"}),
    "withdraw": Verb("answer", {"reply": "withdraw"}),
    "bankrupt": Verb("declare_bankruptcy"),
}
"""Every verb by its name; `/game abandon` makes `end_game`."""


async def make(interaction: Talk, name: str, entity: str | None = None, **slots: str | int | None) -> None:
    """Make the move that a verb and its slots describe, in the game of this thread."""
    verb = VERBS[name]
    here = asked(interaction)
    move = Typed(verb.kind, {**verb.fixed, **slots}, entity)
    await here.client.flows.typed(here, game_here(here), move)


def slot(verb: str, name: str) -> Complete:
    """Completes a slot of a verb: its legal values, given the slots typed already."""
    kind = VERBS[verb].kind

    def find(live: Live, player: PlayerId, typed: str, given: dict[str, Any]) -> list[Choice]:
        entity = None if FOR in SLOTS[kind] else given.get(FOR)
        return slot_choices(live.game, player, kind, name, given, typed, entity)

    return _completing(find)


def entity(verb: str) -> Complete:
    """Completes for whom a verb is done."""
    kind = VERBS[verb].kind
    return _completing(lambda live, player, typed, _: entity_choices(live.game, player, kind, typed))


def listed(find: Callable[[Live], list[Choice]]) -> Complete:
    """Completes from a list that depends on the game alone."""

    def fitting(live: Live, player: PlayerId, typed: str, given: dict[str, Any]) -> list[Choice]:
        del player, given
        wanted = typed.casefold()
        return [choice for choice in find(live) if wanted in choice.label.casefold()][:25]

    return _completing(fitting, onlookers=True)


def _completing(
    find: Callable[[Live, PlayerId, str, dict[str, Any]], list[Choice]], *, onlookers: bool = False
) -> Complete:
    async def complete(interaction: Talk, typed: str) -> Completed:
        here = asked(interaction)
        game_id = None if here.channel_id is None else here.client.tables.game_in(here.channel_id)
        live = None if game_id is None else await here.client.live_soon(game_id)
        if live is None:
            return []
        player = live.player_of(here.user.id)
        if player is None and not onlookers:
            return []
        given = {name: value for name, value in here.namespace if value not in (None, "")}
        try:
            found = find(live, player or "", str(typed), given)
        except Exception:  # noqa: BLE001 - discord.py would show an empty list and log nothing by default
            _log.exception("completing failed")
            return []
        return [
            app_commands.Choice(name=choice.label or NOTHING, value=_sendable(choice)) for choice in found
        ]

    return complete


def _sendable(choice: Choice) -> str | int:
    return NOTHING if choice.value == "" else choice.value
