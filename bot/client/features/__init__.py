"""A feature is a module: its commands, its components, what they do, and its texts. Imports every other room."""

from collections.abc import Iterator
from types import ModuleType
from typing import Any, Final, TypeAlias

from discord import app_commands

from bot.client import commands
from bot.client.bot_client import Loop
from bot.client.callbacks.component import Component
from bot.client.callbacks.move_components import MOVE_COMPONENTS
from bot.client.features import (
    absence_and_pauses,
    board_link,
    deleted_threads,
    game_lists,
    health,
    help,
    history,
    import_export,
    lobby,
    lobby_messages,
    moderation,
    pings,
    privacy,
    proposals,
    repair,
    settings,
    setup,
    views,
)

Declared: TypeAlias = app_commands.Command[Any, ..., None] | app_commands.Group

FEATURES: Final[tuple[ModuleType, ...]] = (
    absence_and_pauses,
    board_link,
    deleted_threads,
    game_lists,
    health,
    help,
    history,
    import_export,
    lobby,
    lobby_messages,
    moderation,
    pings,
    privacy,
    proposals,
    repair,
    settings,
    setup,
    views,
)
"""Every feature; its commands, components and loops are found in it."""


def _commands(feature: ModuleType) -> Iterator[Declared]:
    """The commands and groups of a feature that stand in no other group."""
    for name in vars(feature).values():
        if isinstance(name, app_commands.Command | app_commands.Group) and name.parent is None:
            yield name


def _components(feature: ModuleType) -> Iterator[type[Component]]:
    for name in vars(feature).values():
        if isinstance(name, type) and issubclass(name, Component) and name.__module__ == feature.__name__:
            yield name


# A group in which several features have commands is found in each of them.
COMMANDS: Final[tuple[Declared, ...]] = tuple(
    dict.fromkeys((*commands.COMMANDS, *(one for feature in FEATURES for one in _commands(feature))))
)
"""Every command, in the order in which they are registered."""

COMPONENTS: Final[tuple[type[Component], ...]] = (
    *MOVE_COMPONENTS,
    *(kind for feature in FEATURES for kind in _components(feature)),
)
"""Every class of components."""

LOOPS: Final[tuple[Loop, ...]] = tuple(
    one for feature in FEATURES for one in vars(feature).values() if isinstance(one, Loop)
)
"""What the features look for again and again."""
