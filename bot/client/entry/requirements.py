"""What a command requires, stated where it is declared: a right, and a share of what its user may ask for."""

from dataclasses import dataclass
from typing import Any, Final

from discord import app_commands

from bot.table.rate_limits import Kind
from bot.table.rights import Right

_KEY: Final = "requirements"


@dataclass(frozen=True, slots=True)
class Requirements:
    """The right that a command needs, the kind of request it is, and the parameter that names its game, if any."""

    right: Right
    cost: Kind = Kind.MOVE
    game: str | None = None


def needs(right: Right, cost: Kind = Kind.MOVE, game: str | None = None) -> dict[str, Requirements]:
    """The `extras` of a command with these requirements."""
    return {_KEY: Requirements(right, cost, game)}


def requirements(command: app_commands.Command[Any, ..., Any]) -> Requirements:
    """What a command requires; raises KeyError where its declaration states nothing."""
    stated: Requirements = command.extras[_KEY]
    return stated
