"""`/game replace`, `substitute`, `back`, `pause` and `resume`: what players do when somebody is away."""

from typing import Final

import discord
from discord import app_commands

from bot.client.commands.lobby import game
from bot.client.desk import Asked, game_here
from bot.client.replies import after, say, think
from bot.table.errors import Refused
from bot.table.seating import Warrant


@game.command(name="replace", description="Propose that somebody else takes over a seat of this game")
@app_commands.describe(
    newcomer="Who takes the seat over; asked before anything changes",
    player="Whose seat it is; default: yours",
)
async def replace(interaction: Asked, newcomer: discord.User, player: discord.User | None = None) -> None:
    """Propose that somebody else takes over a seat of this game."""
    await think(interaction)
    game_id = game_here(interaction)
    if newcomer.bot:
        raise Refused("A bot plays no seat.")
    leaving = interaction.user if player is None else player
    warrant: Warrant = "own" if leaving.id == interaction.user.id else "table"
    await interaction.client.motions.propose(interaction, game_id, leaving.id, newcomer, warrant)


@game.command(name="pause", description="Let this game pause: no move is taken")
@app_commands.describe(days="For how many days; default: until it is resumed")
async def pause(interaction: Asked, days: app_commands.Range[int, 1, 365] | None = None) -> None:
    """Let this game pause."""
    await think(interaction)
    done = await interaction.client.pausing.begin(game_here(interaction), interaction.user.id, days)
    with after(done):
        await say(interaction, done)


@game.command(name="resume", description="Let this game go on after a pause")
async def resume(interaction: Asked) -> None:
    """Let this game go on after a pause."""
    await think(interaction)
    done = await interaction.client.pausing.end(game_here(interaction), interaction.user.id)
    with after(done):
        await say(interaction, done)


@game.command(name="substitute", description="Let somebody play for you for a time; the seat stays yours")
@app_commands.describe(who="Who plays for you", days="For how many days; default: until you are back")
async def substitute(
    interaction: Asked, who: discord.User, days: app_commands.Range[int, 1, 365] | None = None
) -> None:
    """Let somebody play for you for a time."""
    await think(interaction)
    if who.bot:
        raise Refused("A bot plays no seat.")
    begin, number = interaction.client.standing_in.begin, game_here(interaction)
    done = await begin(number, interaction.user.id, (who.id, who.display_name), days)
    with after(done):
        await say(interaction, done)


@game.command(name="back", description="Play your seat yourself again")
async def back(interaction: Asked) -> None:
    """Play your seat yourself again."""
    await think(interaction)
    done = await interaction.client.standing_in.end(game_here(interaction), interaction.user.id)
    with after(done):
        await say(interaction, done)


COMMANDS: Final = (game,)
"""`/game`, with what stands here."""
