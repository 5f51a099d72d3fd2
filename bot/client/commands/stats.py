"""`/stats`: results and thinking times on this server."""

from typing import Final

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction
from bot.client.commands.completion import Verbal, titles
from bot.client.commands.typed import Name
from bot.client.entry.rate_limits import Kind
from bot.client.entry.replies import say, think
from bot.client.entry.requirements import needs
from bot.table.past.statistics import statistics
from bot.table.settings.readings import read_title


@app_commands.command(
    name="stats",
    description="Games, wins and times to decide on this server, for you alone",
    extras=needs("ask", Kind.QUESTION),
)
@app_commands.describe(player="One person; default: everybody", title="Which game; default: all")
@app_commands.autocomplete(title=titles)
@app_commands.guild_only()
async def stats(
    interaction: BotInteraction, player: discord.User | None = None, title: Name | None = None
) -> None:
    """Games, wins and times to decide on this server."""
    await think(interaction)
    wanted = None if title is None else read_title(title).id
    person = None if player is None else player.id
    server = interaction.guild_id or 0
    await say(interaction, await statistics(interaction.client.tables, server, person, wanted))


COMMANDS: Final[tuple[Verbal, ...]] = (stats,)
