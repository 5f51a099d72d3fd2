"""The seating order of a game that has not started: `/game seats` and `/mod seats`, one and the same."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction
from bot.client.commands.typed import GameNumber
from bot.client.commands.which_game import lobby_choices, open_game
from bot.client.entry.replies import think
from bot.client.entry.requirements import needs
from bot.client.entry.rights import Right

Arrange: TypeAlias = Callable[[BotInteraction, int, tuple[int, ...]], Awaitable[None]]
"""Puts these people into the seats of a game, in this order, and answers."""
PLACES: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
"""The seats of the largest table."""


def add_to(group: app_commands.Group, arrange: Arrange, right: Right) -> None:
    """Add the command to a group, for users with this right; it has a place for everybody at the largest table."""

    @group.command(
        name="seats",
        description="Fix the seating order instead of drawing it",
        extras=needs(right, game="number"),
    )
    @app_commands.describe(
        number="The game's number; default: the newest in this channel",
        **{place: f"{place.capitalize()} seat" for place in PLACES},
    )
    @app_commands.autocomplete(number=lobby_choices)
    async def seats(
        interaction: BotInteraction,
        first: discord.User,
        second: discord.User,
        third: discord.User | None = None,
        fourth: discord.User | None = None,
        fifth: discord.User | None = None,
        sixth: discord.User | None = None,
        seventh: discord.User | None = None,
        eighth: discord.User | None = None,
        number: GameNumber | None = None,
    ) -> None:
        """Fix the seating order instead of drawing it."""
        await think(interaction)
        named = (first, second, third, fourth, fifth, sixth, seventh, eighth)
        order = tuple(user.id for user in named if user is not None)
        await arrange(interaction, await open_game(interaction, number), order)
