"""`/board`: links to the board page, one's own and for spectators."""

from typing import Final

from discord import app_commands

from bot.client.bot_client import BotInteraction, game_here
from bot.client.entry.rate_limits import Kind
from bot.client.entry.requirements import needs

board = app_commands.Group(name="board", description="The board page of this game", guild_only=True)


@board.command(
    name="open",
    description="Your own link to the board page, to look and to play there",
    extras=needs("look", Kind.QUESTION),
)
async def open_(interaction: BotInteraction) -> None:
    """Your own link to the board page, to look and to play there."""
    await interaction.client.boards.show(interaction, game_here(interaction))


@board.command(
    name="share",
    description="A link by which anybody looks at this game as a spectator",
    extras=needs("play", Kind.QUESTION),
)
async def share(interaction: BotInteraction) -> None:
    """A link by which anybody looks at this game as a spectator."""
    await interaction.client.boards.share(interaction, game_here(interaction))


COMMANDS: Final[tuple[app_commands.Group, ...]] = (board,)
"""The slash commands about the board page."""
