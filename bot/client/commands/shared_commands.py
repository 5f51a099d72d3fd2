"""Commands that are in `/game` and in `/mod`, one and the same: `pause` and `resume`, `seats`, `settings`."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction, game_here
from bot.client.commands.completion import Completed, completed
from bot.client.commands.typed import GameNumber, Name
from bot.client.commands.which_game import game_meant, lobby_choices, open_game
from bot.client.entry.replies import after, say, think
from bot.client.entry.requirements import needs
from bot.client.entry.rights import Right
from bot.table.moves.autocomplete import Item
from bot.table.seats import changing_settings
from bot.table.settings import table_settings
from bot.table.settings.table_settings import SETTINGS
from bot.table.votes.pause_proposals import PauseProposal


def add_pauses(group: app_commands.Group, right: Right) -> None:
    """Add the two commands to a group, for users with this right."""

    @group.command(name="pause", extras=needs(right))
    @app_commands.describe(days="For how many days; default: until it is resumed")
    async def pause(interaction: BotInteraction, days: app_commands.Range[int, 1, 365] | None = None) -> None:
        """Let this game pause: no move is taken."""
        await think(interaction)
        bot, game_id, by = interaction.client, game_here(interaction), interaction.user.id
        alone = right != "moderate"
        why = await bot.pausing.why_not_alone(game_id, by, days) if alone else None
        if why is not None:
            await bot.proposal_posts.propose(interaction, game_id, lambda _: PauseProposal(days), why)
            return
        done = await bot.pausing.begin(game_id, by, days, alone=alone)
        with after(done):
            await say(interaction, done)

    @group.command(
        name="resume",
        extras=needs(right),
    )
    async def resume(interaction: BotInteraction) -> None:
        """Resume this game after a pause, or its caretaker after an undo."""
        await think(interaction)
        done = await interaction.client.pausing.end(game_here(interaction), interaction.user.id)
        with after(done):
            await say(interaction, done)


Arrange: TypeAlias = Callable[[BotInteraction, int, tuple[int, ...]], Awaitable[None]]
"""Puts these people into the seats of a game, in this order, and answers."""
PLACES: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
"""The seats of the largest table."""


def add_seats(group: app_commands.Group, arrange: Arrange, right: Right) -> None:
    """Add the command to a group, for users with this right; it has a place for everybody at the largest table."""

    @group.command(
        name="seats",
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


HOW: Final = f"-# `setting:` {', '.join(SETTINGS)}; with `value:` it is changed."


async def _settings(interaction: BotInteraction, typed: str) -> Completed:
    return completed((Item(name, f"{name}: {setting.about}") for name, setting in SETTINGS.items()), typed)


async def _values(interaction: BotInteraction, typed: str) -> Completed:
    setting = SETTINGS.get(str(interaction.namespace.setting))
    if setting is None:
        return []
    return completed((Item(value, f"{value}: {says}") for value, says in setting.values.items()), typed)


def add_settings(group: app_commands.Group, right: Right) -> None:
    """Add the command to a group, for users with this right; moderators change a game that has started, too."""

    @group.command(
        name="settings",
        extras=needs(right, game="number"),
    )
    @app_commands.describe(
        setting="What to change; default: show all",
        value="To what",
        number="The game's number; default: the game of this thread, or the newest in this channel",
    )
    @app_commands.autocomplete(setting=_settings, value=_values, number=lobby_choices)
    async def settings(
        interaction: BotInteraction,
        setting: Name | None = None,
        value: Name | None = None,
        number: GameNumber | None = None,
    ) -> None:
        """Reminders, time banks, absence and sealed auctions of this game."""
        await think(interaction)
        bot, by = interaction.client, interaction.user.id
        game = await game_meant(interaction, number)
        if setting is None or value is None:
            await say(interaction, "\n".join([*await table_settings.summary(bot.tables.db, game), HOW]))
            return
        done = await changing_settings.choose(
            bot.tables, bot.lobbies, game, by, setting, value, moderator=right == "moderate"
        )
        await bot.flows.show_agreed(game, done)
        with after(done):
            await say(interaction, done)
