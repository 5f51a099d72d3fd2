"""What is declared: every command by its full name, and every class of components by its name."""

from collections.abc import Iterator
from typing import Any, Final

from discord import app_commands

from bot.client.app import component_for_click
from bot.client.component import Component
from bot.client.entry.rights import Requirements, requirements
from bot.client.features import COMMANDS, COMPONENTS


def every_command() -> Iterator[app_commands.Command[Any, ..., Any]]:
    """Every command, with those of groups."""
    for declared in COMMANDS:
        inside = declared.walk_commands() if isinstance(declared, app_commands.Group) else (declared,)
        yield from (command for command in inside if isinstance(command, app_commands.Command))


REQUIRED: Final[dict[str, Requirements]] = {
    command.qualified_name: requirements(command) for command in every_command()
}
COMPONENT_NAMES: Final = {kind.__name__: kind for kind in COMPONENTS}


def used(custom_id: str, **data: Any) -> Component:
    """The component with this id, as it is used."""
    found = component_for_click({"custom_id": custom_id, **data})
    assert found is not None, custom_id
    return found
