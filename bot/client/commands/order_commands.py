"""`/orders`: what the bot does for a player until it stops; only that player sees it."""

from typing import Final, Literal

from discord import app_commands

from bot.client.bot_client import BotInteraction, game_here
from bot.client.commands.completion import companies, entity, slot
from bot.client.commands.typed import Name, Number
from bot.client.entry.replies import say, think
from bot.client.entry.rights import needs
from bot.table.moves.walk import as_written
from bot.table.orders import ordering
from bot.table.rate_limits import Kind
from engine.orders import giving
from engine.orders.kinds import Skipped

orders = app_commands.Group(
    name="orders", description="What is done in your name until it stops.", guild_only=True
)


@orders.command(name="list", extras=needs("play", Kind.QUESTION))
async def list_(interaction: BotInteraction) -> None:
    """Your orders in this game, and when each stops."""
    await think(interaction)
    await interaction.client.orders.show(interaction, game_here(interaction))


@orders.command(name="withdraw", extras=needs("play"))
@app_commands.describe(number="Its number, as listed")
async def withdraw(interaction: BotInteraction, number: Number) -> None:
    """Withdraw an order."""
    await think(interaction)
    tables, game = interaction.client.tables, game_here(interaction)
    await say(interaction, await ordering.withdraw(tables, game, interaction.user.id, number))


@orders.command(name="pass", extras=needs("play"))
@app_commands.describe(until="Until something concerns you, or the round is over whatever happens")
async def pass_(interaction: BotInteraction, until: Literal["concerned", "over"] = "concerned") -> None:
    """Pass in this stock round, or the next."""
    await _give(interaction, lambda game, _: giving.pass_stock(game, until))


@orders.command(name="buy", extras=needs("play"))
@app_commands.describe(
    company="The company",
    source="From where; default: the IPO",
    shares="Until you hold this many; default: until the company floats",
)
@app_commands.autocomplete(company=slot("buy", "company"), source=slot("buy", "source"))
async def buy(
    interaction: BotInteraction,
    company: Name,
    source: Name = "offering",
    shares: app_commands.Range[int, 1, 20] | None = None,
) -> None:
    """Buy a share of a company in each turn of this stock round, and pass."""
    await _give(
        interaction, lambda game, _: giving.buy_shares(game, as_written(game, company), source, shares)
    )


@orders.command(name="bid", extras=needs("play"))
@app_commands.describe(
    private="Which private",
    maximum="The most it may cost",
    then="What is done when that is not enough; default: pass",
)
@app_commands.autocomplete(private=slot("bid", "private"))
async def bid(
    interaction: BotInteraction, private: Name, maximum: Number, then: Literal["pass", "ask"] = "pass"
) -> None:
    """Bid on a private up to a maximum that only you see."""
    await _give(interaction, lambda game, _: giving.bid_up_to(game, as_written(game, private), maximum, then))


@orders.command(name="run", extras=needs("play"))
@app_commands.describe(company="Which company", dividend="What is done with what they earn; default: pay")
@app_commands.autocomplete(company=entity("run"))
async def run(
    interaction: BotInteraction, company: Name, dividend: Literal["pay", "withhold", "half"] = "pay"
) -> None:
    """Run the best routes of a company, and pay or keep what they earn."""
    await _give(interaction, lambda game, _: giving.run_best(game, as_written(game, company), dividend))


@orders.command(name="skip", extras=needs("play"))
@app_commands.describe(
    step="What is skipped",
    company="Which company",
    until="Until you withdraw it, or until the phase in force is over; default: until withdrawn",
)
@app_commands.autocomplete(company=companies)
async def skip(
    interaction: BotInteraction,
    step: Literal["track", "tokens"],
    company: Name,
    until: Literal["withdrawn", "phase"] = "withdrawn",
) -> None:
    """Skip the track or the tokens of a company in each of its turns."""
    skipped: Skipped = "track" if step == "track" else "token"
    await _give(
        interaction, lambda game, _: giving.skip_step(game, as_written(game, company), skipped, until)
    )


@orders.command(name="merger", extras=needs("play"))
async def merger(interaction: BotInteraction) -> None:
    """Pass in the merger round, this one or the next."""
    await _give(interaction, lambda game, _: giving.pass_merger(game))


@orders.command(name="done", extras=needs("play"))
async def done(interaction: BotInteraction) -> None:
    """Be done with this step after your next move in it."""
    await _give(interaction, giving.done_after)


async def _give(interaction: BotInteraction, make: ordering.Make) -> None:
    await think(interaction)
    await interaction.client.orders.give(interaction, game_here(interaction), make)


COMMANDS: Final = (orders,)
"""The commands of standing orders."""
