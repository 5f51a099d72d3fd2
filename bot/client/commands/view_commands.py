"""Looking at the whole table, each picture answered privately, and `/board`: links to the board page."""

from typing import Final

from discord import app_commands

from bot.client.bot_client import BotInteraction, game_here
from bot.client.commands.completion import Verbal, listed
from bot.client.commands.typed import Name
from bot.client.entry.rate_limits import Kind
from bot.client.entry.requirements import needs
from bot.table.live import LiveGame
from bot.table.moves.autocomplete import Item


@app_commands.command(
    name="table",
    extras=needs("look", Kind.PICTURE),
)
@app_commands.guild_only()
async def table(interaction: BotInteraction) -> None:
    """Everybody's shares, every company, and the trains to come."""
    await interaction.client.looks.whole(interaction, game_here(interaction))


@app_commands.command(
    name="chart",
    extras=needs("look", Kind.PICTURE),
)
@app_commands.guild_only()
async def chart(interaction: BotInteraction) -> None:
    """Net worth of each player and price of each company by round."""
    await interaction.client.looks.chart(interaction, game_here(interaction))


@app_commands.command(
    name="trains",
    extras=needs("look", Kind.PICTURE),
)
@app_commands.guild_only()
async def trains(interaction: BotInteraction) -> None:
    """Which trains are left, what they cost, and what each phase changes."""
    await interaction.client.looks.trains(interaction, game_here(interaction))


@app_commands.command(name="tiles", extras=needs("look", Kind.PICTURE))
@app_commands.guild_only()
async def tiles(interaction: BotInteraction) -> None:
    """Which tiles are left."""
    await interaction.client.looks.tiles(interaction, game_here(interaction))


def _privates(live: LiveGame) -> list[Item]:
    return [Item(name, f"{name}: {spec.name}") for name, spec in live.game.title.spec.privates.items()]


@app_commands.command(
    name="private",
    extras=needs("look", Kind.PICTURE),
)
@app_commands.describe(private="Which private; default: all")
@app_commands.autocomplete(private=listed(_privates))
@app_commands.guild_only()
async def private(interaction: BotInteraction, private: Name | None = None) -> None:
    """Privates: price, income, what they do, whose they are, who bids what."""
    await interaction.client.looks.privates(interaction, game_here(interaction), private)


board = app_commands.Group(name="board", description="The board page of this game.", guild_only=True)


@board.command(
    name="open",
    extras=needs("look", Kind.QUESTION),
)
async def open_(interaction: BotInteraction) -> None:
    """Your own link to the board page, to look and to play there."""
    await interaction.client.boards.show(interaction, game_here(interaction))


@board.command(
    name="share",
    extras=needs("play", Kind.QUESTION),
)
async def share(interaction: BotInteraction) -> None:
    """A link by which anybody looks at this game as a spectator."""
    await interaction.client.boards.share(interaction, game_here(interaction))


@board.command(
    name="sessions",
    extras=needs("ask", Kind.QUESTION),
)
async def sessions(interaction: BotInteraction) -> None:
    """Your sessions at the board page: in which browsers, and ending them."""
    await interaction.client.boards.sessions(interaction)


COMMANDS: Final[tuple[Verbal | app_commands.Group, ...]] = (table, private, trains, tiles, chart, board)
"""The slash commands that show the table."""
