"""The turn: any move by menus, undo, redo, and what-if."""

from typing import Final

from discord import app_commands

from bot.client.bot_client import BotInteraction, game_here
from bot.client.commands.completion import Verbal, stays, verbs
from bot.client.commands.typed import Details, Number
from bot.client.entry.rights import needs
from bot.table.rate_limits import Kind


@app_commands.command(name="move", extras=needs("play"))
@app_commands.guild_only()
async def move(interaction: BotInteraction) -> None:
    """Make any move, by menus."""
    await interaction.client.wizard.begin(interaction, game_here(interaction))


@app_commands.command(name="undo", extras=needs("play"))
@app_commands.describe(to="The last move that stays; default: undo your own last move")
@app_commands.autocomplete(to=stays)
@app_commands.guild_only()
async def undo(interaction: BotInteraction, to: Number | None = None) -> None:
    """Undo your last move, or more if the others agree."""
    if to is None:
        await interaction.client.flows.undo(interaction, game_here(interaction))
    else:
        await interaction.client.taking_back.undo_to(interaction, game_here(interaction), to)


@app_commands.command(name="redo", extras=needs("look"))
@app_commands.guild_only()
async def redo(interaction: BotInteraction) -> None:
    """Redo what was undone, until the next move."""
    await interaction.client.taking_back.redo(interaction, game_here(interaction))


@app_commands.command(name="what-if", extras=needs("look", Kind.QUESTION))
@app_commands.describe(move="Moves to begin with, such as: lay G5 57 2 then token G5; default: by buttons")
@app_commands.autocomplete(move=verbs)
@app_commands.guild_only()
async def what_if(interaction: BotInteraction, move: Details = "") -> None:
    """Try moves on a copy of the game; nothing is stored, only you see it."""
    await interaction.client.what_if.begin(interaction, game_here(interaction), move)


COMMANDS: Final[tuple[Verbal, ...]] = (move, undo, redo, what_if)
