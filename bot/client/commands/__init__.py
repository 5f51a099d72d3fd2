"""The slash commands: a fixed set of thin verbs."""

from typing import Any, Final

from discord import app_commands

from bot.client.commands import (
    asking,
    calls,
    exchange,
    health,
    looking,
    mergers,
    minors,
    moderating,
    orders,
    own_shares,
    people,
    privacy,
    setup,
    shares,
    theme,
    track,
    trains,
    turn,
)

COMMANDS: Final[tuple[app_commands.Command[Any, ..., None] | app_commands.Group, ...]] = (
    *people.COMMANDS,
    *exchange.COMMANDS,
    *moderating.COMMANDS,
    *shares.COMMANDS,
    *own_shares.COMMANDS,
    *minors.COMMANDS,
    *mergers.COMMANDS,
    *track.COMMANDS,
    *trains.COMMANDS,
    *turn.COMMANDS,
    *orders.COMMANDS,
    *calls.COMMANDS,
    *asking.COMMANDS,
    *looking.COMMANDS,
    *setup.COMMANDS,
    *theme.COMMANDS,
    *privacy.COMMANDS,
    *health.COMMANDS,
)
"""Every command, in the order in which they are registered."""
