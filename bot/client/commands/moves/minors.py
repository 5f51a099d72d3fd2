"""Minor companies: reserving and starting them, and what becomes of them."""

from typing import Final

from discord import app_commands

from bot.client.bot_client import BotInteraction
from bot.client.commands.moves.making import Verbal, make, slot


@app_commands.command(name="reserve", description="Reserve a minor in the draft")
@app_commands.describe(company="Which minor")
@app_commands.autocomplete(company=slot("reserve", "company"))
@app_commands.guild_only()
async def reserve(interaction: BotInteraction, company: str) -> None:
    """Reserve a minor in the draft."""
    await make(interaction, "reserve", company=company)


@app_commands.command(name="start-minor", description="Start a minor on a space of the market")
@app_commands.describe(
    company="Which minor", value="Its value in dollars; it costs twice as much", space="Upper or lower"
)
@app_commands.autocomplete(
    company=slot("start-minor", "company"),
    value=slot("start-minor", "value"),
    space=slot("start-minor", "space"),
)
@app_commands.guild_only()
async def start_minor(
    interaction: BotInteraction, company: str, value: int, space: str | None = None
) -> None:
    """Start a minor on a space of the market."""
    await make(interaction, "start-minor", company=company, value=value, space=space)


@app_commands.command(name="merge", description="Merge two of your minors into a major")
@app_commands.describe(partner="With which minor of yours", major="The major that they become")
@app_commands.autocomplete(partner=slot("merge", "partner"), major=slot("merge", "major"))
@app_commands.guild_only()
async def merge(interaction: BotInteraction, partner: str, major: str) -> None:
    """Merge two of your minors into a major."""
    await make(interaction, "merge", partner=partner, major=major)


@app_commands.command(name="convert", description="Convert your minor into a major")
@app_commands.describe(major="The major that it becomes")
@app_commands.autocomplete(major=slot("convert", "major"))
@app_commands.guild_only()
async def convert(interaction: BotInteraction, major: str) -> None:
    """Convert your minor into a major."""
    await make(interaction, "convert", major=major)


@app_commands.command(name="return-token", description="Take one of two tokens in a hex back after a merger")
@app_commands.describe(hex="Where", city="From which city")
@app_commands.autocomplete(hex=slot("return-token", "hex"), city=slot("return-token", "city"))
@app_commands.guild_only()
async def return_token(interaction: BotInteraction, hex: str, city: int) -> None:
    """Take one of two tokens in a hex back after a merger."""
    await make(interaction, "return-token", hex=hex, city=city)


@app_commands.command(name="liquidate", description="Let a minor without a train leave the game")
@app_commands.guild_only()
async def liquidate(interaction: BotInteraction) -> None:
    """Let a minor without a train leave the game."""
    await make(interaction, "liquidate")


COMMANDS: Final[tuple[Verbal, ...]] = (reserve, start_minor, merge, convert, return_token, liquidate)
