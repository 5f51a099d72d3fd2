"""The slash commands: a fixed set of thin verbs."""

from typing import Any, Final

from discord import app_commands

from bot.client.commands import (
    move_commands,
    turn_commands,
)

COMMANDS: Final[tuple[app_commands.Command[Any, ..., None] | app_commands.Group, ...]] = (
    *move_commands.COMMANDS,
    *turn_commands.COMMANDS,
)
"""Every command, in the order in which they are registered."""
