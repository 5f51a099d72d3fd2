"""`/game replace`: a seat of a running game goes to somebody else."""

from typing import Final

import discord
from discord import app_commands

from bot.client.commands.lobby import game
from bot.client.desk import Asked, game_here
from bot.client.replies import think
from bot.table.errors import Refused
from bot.table.seating import Warrant


@game.command(name="replace", description="Propose that somebody else takes over a seat of this game")
@app_commands.describe(
    newcomer="Who takes the seat over; asked before anything changes",
    player="Whose seat it is; default: yours",
)
async def replace(interaction: Asked, newcomer: discord.User, player: discord.User | None = None) -> None:
    """Propose that somebody else takes over a seat of this game."""
    await think(interaction)
    game_id = game_here(interaction)
    if newcomer.bot:
        raise Refused("A bot plays no seat.")
    leaving = interaction.user if player is None else player
    warrant: Warrant = "own" if leaving.id == interaction.user.id else "table"
    await interaction.client.motions.propose(interaction, game_id, leaving.id, newcomer, warrant)


COMMANDS: Final = (game,)
"""`/game`, with what stands here."""
