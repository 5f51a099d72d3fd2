"""`/health`: how the bot is, for whoever owns it."""

from typing import Final

import discord
from discord import app_commands

from bot.client.commands.making import Verbal
from bot.client.desk import Asked
from bot.client.replies import say, think
from bot.table.errors import NotYours


@app_commands.command(name="health", description="How this bot is; for its owner")
@app_commands.guild_only()
@app_commands.default_permissions(administrator=True)
async def health(interaction: Asked) -> None:
    """How this bot is; for its owner."""
    await think(interaction)
    if interaction.user.id not in _owners(interaction.client.application):
        raise NotYours("Only the owner of this bot may look at that.")
    await say(interaction, (await interaction.client.health.state()).text())


def _owners(application: discord.AppInfo | None) -> set[int]:
    """Whose application this is: a person, or the members of a team."""
    if application is None:
        return set()
    team = application.team
    return {application.owner.id} if team is None else {member.id for member in team.members}


COMMANDS: Final[tuple[Verbal, ...]] = (health,)
