"""`/privacy`: the data stored about users, and what they can do about it."""

from typing import Final

from discord import app_commands

from bot.client.bot_client import BotInteraction
from bot.client.commands.completion import Verbal
from bot.client.entry.rate_limits import Kind
from bot.client.entry.requirements import needs


@app_commands.command(
    name="privacy",
    description="The data stored about you, as a file, and how to remove it",
    extras=needs("ask", Kind.QUESTION),
)
async def privacy(interaction: BotInteraction) -> None:
    """The data stored about you, as a file, and how to remove it."""
    await interaction.client.privacy.show(interaction)


COMMANDS: Final[tuple[Verbal, ...]] = (privacy,)
