"""`/game export` and `/game import`: games as files."""

from typing import Final

from discord import app_commands

from bot.client.commands.lobby import game
from bot.client.commands.typed import GameNumber
from bot.client.commands.which_game import running_choices
from bot.client.desk import Asked, game_here


@game.command(name="export", description="This game as files: ours, a log of 18xx.games, ledger, score sheet")
@app_commands.describe(number="The game's number; default: the game of this thread")
@app_commands.autocomplete(number=running_choices)
async def export(interaction: Asked, number: GameNumber | None = None) -> None:
    """This game as files, for whoever asks."""
    await interaction.client.exports.export(interaction, game_here(interaction) if number is None else number)


COMMANDS: Final = ()
