"""`/health`: the bot's state, for its owner."""

from typing import Final

from discord import app_commands

from bot.client.bot_client import BotInteraction
from bot.client.commands.completion import Verbal
from bot.client.entry.rate_limits import Kind
from bot.client.entry.replies import say, think
from bot.client.entry.requirements import needs


@app_commands.command(
    name="health", description="How this bot is; for its owner", extras=needs("own", Kind.QUESTION)
)
@app_commands.guild_only()
@app_commands.default_permissions(administrator=True)
async def health(interaction: BotInteraction) -> None:
    """How this bot is; for its owner."""
    await think(interaction)
    await say(interaction, (await interaction.client.health.state()).text())


COMMANDS: Final[tuple[Verbal, ...]] = (health,)
