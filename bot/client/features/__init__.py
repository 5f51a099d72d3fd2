"""Features: modules with commands, components, periodic checks and texts. They may import any other package."""

from collections.abc import Iterator
from importlib import import_module
from inspect import isabstract
from pkgutil import walk_packages
from types import ModuleType
from typing import Any, Final, TypeAlias

from discord import app_commands

from bot.client.bot_client import PeriodicCheck
from bot.client.component import Component

DeclaredCommand: TypeAlias = app_commands.Command[Any, ..., None] | app_commands.Group

FEATURES: Final[tuple[ModuleType, ...]] = tuple(
    import_module(name) for name in sorted(module.name for module in walk_packages(__path__, f"{__name__}."))
)
"""All feature modules. They are inspected to find their commands, components and periodic checks."""


def _commands_of_feature(feature: ModuleType) -> Iterator[DeclaredCommand]:
    """The top-level commands and groups of a feature, without the commands inside its groups."""
    for value in vars(feature).values():
        for command in value if isinstance(value, tuple) else (value,):
            if isinstance(command, app_commands.Command | app_commands.Group) and command.parent is None:
                yield command


def _components_of_feature(feature: ModuleType) -> Iterator[type[Component]]:
    for value in vars(feature).values():
        is_declared_here = isinstance(value, type) and value.__module__ == feature.__name__
        if is_declared_here and issubclass(value, Component) and not isabstract(value):
            yield value


# A group with commands of several features is found in each of them.
COMMANDS: Final[tuple[DeclaredCommand, ...]] = tuple(
    dict.fromkeys(command for feature in FEATURES for command in _commands_of_feature(feature))
)
"""All slash commands and command groups, in order of registration."""

COMPONENTS: Final[tuple[type[Component], ...]] = tuple(
    component_class for feature in FEATURES for component_class in _components_of_feature(feature)
)
"""All component classes of the features; a click is dispatched to the first whose id pattern matches."""

PERIODIC_CHECKS: Final[tuple[PeriodicCheck, ...]] = tuple(
    periodic_check
    for feature in FEATURES
    for periodic_check in vars(feature).values()
    if isinstance(periodic_check, PeriodicCheck)
)
"""All periodic checks of the features."""
