"""Looking at the whole table, each picture answered privately."""

from typing import Final

from discord import app_commands

from bot.client.commands.making import Verbal
from bot.client.desk import Asked, game_here


@app_commands.command(name="table", description="Everybody's shares, every company, and the trains to come")
@app_commands.guild_only()
async def table(interaction: Asked) -> None:
    """Everybody's shares, every company, and the trains to come."""
    await interaction.client.looks.whole(interaction, game_here(interaction))


@app_commands.command(
    name="chart", description="Net worth of each player and price of each company over the rounds"
)
@app_commands.guild_only()
async def chart(interaction: Asked) -> None:
    """Net worth of each player and price of each company over the rounds."""
    await interaction.client.looks.chart(interaction, game_here(interaction))


@app_commands.command(
    name="trains", description="Which trains are left, what they cost, and what each phase changes"
)
@app_commands.guild_only()
async def trains(interaction: Asked) -> None:
    """Which trains are left, what they cost, and what each phase changes."""
    await interaction.client.looks.trains(interaction, game_here(interaction))


@app_commands.command(name="tiles", description="Which tiles are left")
@app_commands.guild_only()
async def tiles(interaction: Asked) -> None:
    """Which tiles are left."""
    await interaction.client.looks.tiles(interaction, game_here(interaction))


COMMANDS: Final[tuple[Verbal, ...]] = (table, trains, tiles, chart)
"""The slash commands that show the whole table."""
