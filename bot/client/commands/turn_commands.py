"""The turn: any move by menus, undo, redo, the log, why something is not possible, and what-if."""

from typing import Final

from discord import app_commands

from bot.client.bot_client import BotInteraction, game_here
from bot.client.commands.completion import Verbal, listed, stays
from bot.client.commands.typed import Details, Number
from bot.client.entry.rate_limits import Kind
from bot.client.entry.requirements import needs
from bot.table.moves.autocomplete import Item
from bot.table.moves.verbs import verbs_of


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


@app_commands.command(name="log", extras=needs("look", Kind.QUESTION))
@app_commands.describe(since="From this move number on; default: the last 20")
@app_commands.guild_only()
async def log(interaction: BotInteraction, since: Number | None = None) -> None:
    """What happened, newest last."""
    await interaction.client.pasts.log(interaction, game_here(interaction), since)


_verbs = listed(
    lambda live: [Item(name, f"{name}: {verb.says}") for name, verb in verbs_of(live.game).items()]
)
"""Completes a command by which moves are made in this title."""


@app_commands.command(
    name="why",
    extras=needs("look", Kind.QUESTION),
)
@app_commands.describe(move="Which command", details="Its values in order, such as: D2 57 3")
@app_commands.autocomplete(move=_verbs)
@app_commands.guild_only()
async def why(interaction: BotInteraction, move: str, details: Details = "") -> None:
    """Whether a move is possible now, or on your next turn, and why not."""
    await interaction.client.inquiries.why(interaction, game_here(interaction), move, details)


@app_commands.command(
    name="what-if",
    extras=needs("look", Kind.QUESTION),
)
@app_commands.describe(move="Moves to begin with, such as: lay G5 57 2 then token G5; default: by buttons")
@app_commands.autocomplete(move=_verbs)
@app_commands.guild_only()
async def what_if(interaction: BotInteraction, move: Details = "") -> None:
    """Try moves on a copy of the game; nothing is stored, only you see it."""
    await interaction.client.what_if.begin(interaction, game_here(interaction), move)


COMMANDS: Final[tuple[Verbal, ...]] = (move, undo, redo, log, why, what_if)
