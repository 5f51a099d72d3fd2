"""`/mod`: what moderators of games do."""

from typing import Final

import discord
from discord import app_commands

from bot.client.desk import Asked, game_here
from bot.client.replies import after, say, think
from bot.table.errors import Refused
from bot.table.server_settings import choose_moderator_role

mod = app_commands.Group(name="mod", description="For moderators of games", guild_only=True)


@mod.command(name="replace", description="Ask somebody to take over a seat of this game")
@app_commands.describe(newcomer="Who takes the seat over, and is asked", player="Whose seat it is")
async def replace(interaction: Asked, newcomer: discord.User, player: discord.User) -> None:
    """Ask somebody to take over a seat of this game."""
    await think(interaction)
    if newcomer.bot:
        raise Refused("A bot plays no seat.")
    number = game_here(interaction)
    await interaction.client.motions.propose(interaction, number, player.id, newcomer, "moderator")


@mod.command(name="pause", description="Let this game pause")
@app_commands.describe(days="For how many days; default: until it is resumed")
async def pause(interaction: Asked, days: app_commands.Range[int, 1, 365] | None = None) -> None:
    """Let this game pause."""
    await think(interaction)
    done = await interaction.client.pausing.begin(game_here(interaction), interaction.user.id, days)
    with after(done):
        await say(interaction, done)


@mod.command(name="resume", description="Let this game go on after a pause")
async def resume(interaction: Asked) -> None:
    """Let this game go on after a pause."""
    await think(interaction)
    done = await interaction.client.pausing.end(game_here(interaction), interaction.user.id)
    with after(done):
        await say(interaction, done)


@mod.command(
    name="role", description="Choose the role whose holders moderate games; for who manages the server"
)
@app_commands.describe(role="The role; default: none, and whoever may manage threads moderates")
async def role_(interaction: Asked, role: discord.Role | None = None) -> None:
    """Choose the role whose holders moderate games."""
    await think(interaction)
    number = None if role is None else role.id
    await choose_moderator_role(interaction.client.tables.db, interaction.guild_id or 0, number)
    whoever = "Whoever may manage threads" if role is None else f"Whoever has {role.mention}"
    with after("The role is chosen."):
        await say(interaction, f"{whoever} moderates games here from now on.")


COMMANDS: Final = (mod,)
"""The commands of moderators."""
