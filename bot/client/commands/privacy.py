"""`/privacy`: what is kept of people, and what they can do about it."""

from typing import Final

from discord import app_commands

from bot.client.bot_client import BotInteraction
from bot.client.commands.moves.making import Verbal


@app_commands.command(
    name="privacy", description="What is kept of you, as a file, and how to have it removed"
)
async def privacy(interaction: BotInteraction) -> None:
    """What is kept of you, as a file, and how to have it removed."""
    await interaction.client.privacy.show(interaction)


COMMANDS: Final[tuple[Verbal, ...]] = (privacy,)
