"""A company's turn: track, tokens, runs and dividends."""

from typing import Final

from discord import app_commands

from bot.client.bot_client import BotInteraction, game_here
from bot.client.commands.moves.making import Verbal, entity, make, slot
from bot.client.commands.typed import Name, Number, RoutesText


@app_commands.command(name="lay", description="Lay or upgrade a tile")
@app_commands.describe(
    hex="Where",
    tile="Which tile",
    rotation="Steps of 60 degrees clockwise",
    private="Use the power of a private of the company",
)
@app_commands.autocomplete(
    hex=slot("lay", "hex"),
    tile=slot("lay", "tile"),
    rotation=slot("lay", "rotation"),
    private=entity("lay"),
)
@app_commands.guild_only()
async def lay(
    interaction: BotInteraction, hex: Name, tile: Name, rotation: Number, private: Name | None = None
) -> None:
    """Lay or upgrade a tile."""
    await make(interaction, "lay", entity=private, hex=hex, tile=tile, rotation=rotation)


@app_commands.command(name="token", description="Place a station")
@app_commands.describe(hex="Where", city="Which city, where the hex has several")
@app_commands.autocomplete(hex=slot("token", "hex"), city=slot("token", "city"))
@app_commands.guild_only()
async def token(interaction: BotInteraction, hex: Name, city: Number | None = None) -> None:
    """Place a station."""
    await make(interaction, "token", hex=hex, city=city)


@app_commands.command(name="marker", description="Place the bonus token of a private of your company")
@app_commands.describe(hex="Where", private="By which private")
@app_commands.autocomplete(hex=slot("marker", "hex"), private=entity("marker"))
@app_commands.guild_only()
async def marker(interaction: BotInteraction, hex: Name, private: Name | None = None) -> None:
    """Place the bonus token of a private of your company."""
    await make(interaction, "marker", entity=private, hex=hex)


@app_commands.command(name="bull-token", description="Place the bull token, in a full city, too")
@app_commands.describe(hex="Where", city="Which city, where the hex has several")
@app_commands.autocomplete(hex=slot("bull-token", "hex"), city=slot("bull-token", "city"))
@app_commands.guild_only()
async def bull_token(interaction: BotInteraction, hex: Name, city: Number | None = None) -> None:
    """Place the bull token, in a full city, too."""
    await make(interaction, "bull-token", hex=hex, city=city)


@app_commands.command(
    name="close-private", description="Close a private of your company for what that brings"
)
@app_commands.describe(private="Which private")
@app_commands.autocomplete(private=entity("close-private"))
@app_commands.guild_only()
async def close_private(interaction: BotInteraction, private: Name | None = None) -> None:
    """Close a private of your company for what that brings."""
    await make(interaction, "close-private", entity=private)


@app_commands.command(name="buy-marker", description="Buy a marker of a private for your company")
@app_commands.describe(private="The private that is used", source="From the bank or which company")
@app_commands.autocomplete(private=slot("buy-marker", "private"), source=slot("buy-marker", "source"))
@app_commands.guild_only()
async def buy_marker(
    interaction: BotInteraction, private: Name | None = None, source: Name | None = None
) -> None:
    """Buy a marker of a private for your company."""
    await make(interaction, "buy-marker", private=private, source=source)


@app_commands.command(name="run", description="Run trains: shows the best routes, or runs those you type")
@app_commands.describe(
    routes="Stops of each train, such as H4-G5-F6; `none` for no run; leave empty for the best routes"
)
@app_commands.guild_only()
async def run(interaction: BotInteraction, routes: RoutesText | None = None) -> None:
    """Run trains: shows the best routes, or runs those you type."""
    if routes is None:
        await interaction.client.inquiries.best_run(interaction, game_here(interaction))
    else:
        await make(interaction, "run", routes=routes)


@app_commands.command(name="prove", description="Prove that a train could run from coast to coast")
@app_commands.guild_only()
async def prove(interaction: BotInteraction) -> None:
    """Prove that a train could run from coast to coast."""
    await make(interaction, "prove")


@app_commands.command(name="pay", description="Pay the revenue out as a dividend")
@app_commands.guild_only()
async def pay(interaction: BotInteraction) -> None:
    """Pay the revenue out as a dividend."""
    await make(interaction, "pay")


@app_commands.command(name="withhold", description="Keep the revenue in the treasury")
@app_commands.guild_only()
async def withhold(interaction: BotInteraction) -> None:
    """Keep the revenue in the treasury."""
    await make(interaction, "withhold")


@app_commands.command(name="pay-half", description="Pay half of the revenue out, keep the rest")
@app_commands.guild_only()
async def pay_half(interaction: BotInteraction) -> None:
    """Pay half of the revenue out, keep the rest."""
    await make(interaction, "pay-half")


COMMANDS: Final[tuple[Verbal, ...]] = (
    lay,
    token,
    marker,
    bull_token,
    close_private,
    buy_marker,
    run,
    prove,
    pay,
    pay_half,
    withhold,
)
