"""The turn: any move by menus, taking back, what happened, and why something is not possible."""

from typing import Final

from discord import app_commands

from bot.client.commands.making import VERBS, Talk, Verbal
from bot.client.replies import asked, game_here


@app_commands.command(name="move", description="Make any move, by menus")
@app_commands.guild_only()
async def move(interaction: Talk) -> None:
    """Make any move, by menus."""
    here = asked(interaction)
    await here.client.wizard.begin(here, game_here(here))


@app_commands.command(name="undo", description="Take back your last move while nobody else has acted")
@app_commands.guild_only()
async def undo(interaction: Talk) -> None:
    """Take back your last move while nobody else has acted."""
    here = asked(interaction)
    await here.client.flows.undo(here, game_here(here))


@app_commands.command(name="log", description="What happened, newest last")
@app_commands.describe(since="From this move number on; default: the last 20")
@app_commands.guild_only()
async def log(interaction: Talk, since: app_commands.Range[int, 1] | None = None) -> None:
    """What happened, newest last."""
    here = asked(interaction)
    await here.client.views.log(here, game_here(here), since)


@app_commands.command(name="why", description="Why a move is not possible")
@app_commands.describe(move="Which verb", details="Its values in order, such as: D2 57 3")
@app_commands.choices(move=[app_commands.Choice(name=name, value=name) for name in VERBS])
@app_commands.guild_only()
async def why(interaction: Talk, move: str, details: str = "") -> None:
    """Why a move is not possible."""
    here = asked(interaction)
    await here.client.views.why(here, game_here(here), move, details)


COMMANDS: Final[tuple[Verbal, ...]] = (move, undo, log, why)
