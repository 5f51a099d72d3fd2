"""`/game export` and `/game import`: games as files."""

from typing import Final

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction, game_here
from bot.client.commands.lobby import game
from bot.client.commands.typed import GameNumber
from bot.client.commands.which_game import running_choices
from bot.client.entry.rate_limits import Kind
from bot.client.entry.requirements import needs


@game.command(
    name="export",
    description="This game as files: ours, a log of 18xx.games, ledger, score sheet",
    extras=needs("look", Kind.PICTURE, game="number"),
)
@app_commands.describe(number="The game's number; default: the game of this thread")
@app_commands.autocomplete(number=running_choices)
async def export(interaction: BotInteraction, number: GameNumber | None = None) -> None:
    """This game as files."""
    await interaction.client.exports.export(interaction, game_here(interaction) if number is None else number)


@game.command(
    name="import",
    description="Continue a game from a file: a log of 18xx.games, or ours",
    extras=needs("ask", Kind.PICTURE),
)
@app_commands.describe(file="What 18xx.games or /game export wrote; finished or not")
async def import_(interaction: BotInteraction, file: discord.Attachment) -> None:
    """A game from a file: everybody claims a seat, then it continues."""
    await interaction.client.imports.offer(interaction, file)


COMMANDS: Final = ()
"""They stand under `/game`."""
