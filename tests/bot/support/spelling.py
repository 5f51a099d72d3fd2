"""A move as somebody types it: one walk from an action to its command."""

from typing import Any

from bot.table.moves.slot_values import NOTHING
from bot.table.moves.verbs import FOR, VERBS
from engine.core.actions import Action
from engine.game import Game


def typed(game: Game, action: Action) -> tuple[str, dict[str, Any]]:
    """The verb whose fixed slots fit, and every other slot spelt out, in a game that takes the action next."""
    chosen = action.chosen()
    name, verb = next(
        (name, verb)
        for name, verb in VERBS.items()
        if verb.kind == action.kind and verb.fixed.items() <= chosen.items()
    )
    values: dict[str, Any] = {slot: value for slot, value in chosen.items() if slot not in verb.fixed}
    values = {slot: NOTHING if value == "" else value for slot, value in values.items()}
    if "routes" in values:
        values["routes"] = ";".join(chosen["routes"]) or NOTHING
    if action.entity in game.table.state.privates and FOR not in values:
        values[FOR] = action.entity
    return name, values


def to_confirm(game: Game, action: Action) -> bool:
    """Whether players are asked to confirm the action, in a game that takes it next."""
    return any(offer.confirm for offer in game.offers(action.actor, action.kind))
