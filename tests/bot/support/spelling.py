"""A move as somebody types it: one walk from an action to its command."""

from collections.abc import Collection
from typing import Any

from bot.table.moves.slot_values import EMPTY_VALUE_WORD
from bot.table.moves.verbs import MOVE_COMMANDS, POWER_PARAMETER, VERBS_WITH_OWN_COMMAND, MoveCommand
from engine.core.actions import Action
from engine.game import Game


def typed(game: Game, action: Action) -> tuple[str, dict[str, Any]]:
    """The command of an action, and its values, in a game that takes the action next."""
    return spelt(action, game.table.state.privates)


def commands(action: Action) -> list[tuple[str, MoveCommand]]:
    """The verbs whose fixed slots fit, by name; none for what all players agree on, such as the end of a game."""
    chosen = action.chosen()
    return [
        (name, verb)
        for name, verb in MOVE_COMMANDS.items()
        if verb.kind == action.kind and verb.fixed_values.items() <= chosen.items()
    ]


def spelt(action: Action, privates: Collection[str]) -> tuple[str, dict[str, Any]]:
    """The command that fits first, and every other slot spelt out, in a game with these private companies."""
    chosen = action.chosen()
    name, verb = commands(action)[0]
    values: dict[str, Any] = {slot: value for slot, value in chosen.items() if slot not in verb.fixed_values}
    values = {slot: EMPTY_VALUE_WORD if value == "" else value for slot, value in values.items()}
    if "routes" in values:
        values["routes"] = ";".join(chosen["routes"]) or EMPTY_VALUE_WORD
    if action.entity in privates and POWER_PARAMETER not in values:
        values[POWER_PARAMETER] = action.entity
    if name in VERBS_WITH_OWN_COMMAND:
        return name, values
    details = " ".join(str(values[one.name]) for one in verb.parameters if one.name in values)
    return "move", {"move": name, **({"details": details} if details else {})}


def to_confirm(game: Game, action: Action) -> bool:
    return any(offer.confirm for offer in game.offers(action.actor, action.kind))
