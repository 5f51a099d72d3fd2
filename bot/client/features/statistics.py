"""`/stats`: games, wins and times to decide on a server."""

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction
from bot.client.entry.replies import say, think
from bot.client.entry.requirements import needs
from bot.client.entry.rights import server_here
from bot.client.parameters import Name, titles
from bot.table.past.statistics import head_to_head, statistics
from bot.table.rate_limits import Kind
from bot.table.settings.readings import read_title


@app_commands.command(name="stats", extras=needs("ask", Kind.QUESTION))
@app_commands.describe(
    player="One person; default: everybody",
    title="Which game; default: all",
    against="Their games against this person; without a player: yours",
)
@app_commands.autocomplete(title=titles)
@app_commands.guild_only()
async def stats(
    interaction: BotInteraction,
    player: discord.User | None = None,
    title: Name | None = None,
    against: discord.User | None = None,
) -> None:
    """Games, wins and times to decide on this server, for you alone."""
    await think(interaction)
    wanted = None if title is None else read_title(title).id
    person = None if player is None else player.id
    server = server_here(interaction)
    if against is not None:
        one = interaction.user.id if person is None else person
        text = await head_to_head(interaction.client.tables, server, (one, against.id), wanted)
    else:
        text = await statistics(interaction.client.tables, server, person, wanted)
    await say(interaction, text)
