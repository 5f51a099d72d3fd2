"""The slash commands: a fixed set of thin verbs."""

from typing import Any, Final

from discord import app_commands

from bot.client.commands import (
    asking,
    away,
    exchange,
    health,
    looking,
    moderating,
    moves,
    orders,
    people,
    pings,
    privacy,
    setup,
    stats,
    theme,
    turn,
)

COMMANDS: Final[tuple[app_commands.Command[Any, ..., None] | app_commands.Group, ...]] = (
    *people.COMMANDS,
    *exchange.COMMANDS,
    *moderating.COMMANDS,
    *moves.COMMANDS,
    *turn.COMMANDS,
    *orders.COMMANDS,
    *pings.COMMANDS,
    *asking.COMMANDS,
    *looking.COMMANDS,
    *setup.COMMANDS,
    *away.COMMANDS,
    *theme.COMMANDS,
    *privacy.COMMANDS,
    *stats.COMMANDS,
    *health.COMMANDS,
)
"""Every command, in the order in which they are registered."""
