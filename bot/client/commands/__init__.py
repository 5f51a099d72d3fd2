"""The slash commands: a fixed set of thin verbs."""

from typing import Any, Final

from discord import app_commands

from bot.client.commands import (
    asking,
    board,
    looking,
    moderating,
    moves,
    orders,
    people,
    personal,
    setup,
    theme,
    turn,
)

COMMANDS: Final[tuple[app_commands.Command[Any, ..., None] | app_commands.Group, ...]] = (
    *people.COMMANDS,
    *moderating.COMMANDS,
    *moves.COMMANDS,
    *turn.COMMANDS,
    *orders.COMMANDS,
    *personal.COMMANDS,
    *asking.COMMANDS,
    *looking.COMMANDS,
    *board.COMMANDS,
    *setup.COMMANDS,
    *theme.COMMANDS,
)
"""Every command, in the order in which they are registered."""
