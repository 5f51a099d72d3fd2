"""Corporations that merge, and their train shells."""

from typing import Final

from discord import app_commands

from bot.client.bot_client import BotInteraction
from bot.client.commands.moves.making import Verbal, make, slot


@app_commands.command(name="propose-merger", description="Propose that two corporations become one")
@app_commands.describe(company="Your corporation", partner="The other one")
@app_commands.autocomplete(
    company=slot("propose-merger", "company"), partner=slot("propose-merger", "partner")
)
@app_commands.guild_only()
async def propose_merger(interaction: BotInteraction, company: str, partner: str) -> None:
    """Propose that two corporations become one."""
    await make(interaction, "propose-merger", company=company, partner=partner)


@app_commands.command(name="shuffle", description="Share out the trains of a merged corporation")
@app_commands.describe(first="The trains on the first shell, with spaces between them")
@app_commands.autocomplete(first=slot("shuffle", "first"))
@app_commands.guild_only()
async def shuffle(interaction: BotInteraction, first: str) -> None:
    """Share out the trains of a merged corporation."""
    await make(interaction, "shuffle", first=first)


COMMANDS: Final[tuple[Verbal, ...]] = (propose_merger, shuffle)
