"""Trains: buy, discard; and what is left when one cannot be paid."""

from typing import Final

from discord import app_commands

from bot.client.bot_client import BotInteraction
from bot.client.commands.moves.making import Verbal, entity, make, slot
from bot.client.commands.typed import Name, Number


@app_commands.command(name="buy-train", description="Buy a train")
@app_commands.describe(
    train="Which type",
    source="From the bank, the pool or a company",
    price="Dollars, where it is not fixed",
    trade_in="A train to trade in",
    private="Use the power of a private of the company",
)
@app_commands.autocomplete(
    train=slot("buy-train", "train"),
    source=slot("buy-train", "source"),
    price=slot("buy-train", "price"),
    trade_in=slot("buy-train", "trade_in"),
    private=entity("buy-train"),
)
@app_commands.guild_only()
async def buy_train(
    interaction: BotInteraction,
    train: Name,
    source: Name | None = None,
    price: Number | None = None,
    trade_in: Name | None = None,
    private: Name | None = None,
) -> None:
    """Buy a train."""
    await make(
        interaction, "buy-train", entity=private, train=train, source=source, price=price, trade_in=trade_in
    )


@app_commands.command(name="discard", description="Give up a train above the limit")
@app_commands.describe(train="Which type")
@app_commands.autocomplete(train=slot("discard", "train"))
@app_commands.guild_only()
async def discard(interaction: BotInteraction, train: Name) -> None:
    """Give up a train above the limit."""
    await make(interaction, "discard", train=train)


@app_commands.command(name="bankrupt", description="Give up a forced train purchase that cannot be paid")
@app_commands.guild_only()
async def bankrupt(interaction: BotInteraction) -> None:
    """Give up a forced train purchase that cannot be paid."""
    await make(interaction, "bankrupt")


COMMANDS: Final[tuple[Verbal, ...]] = (buy_train, discard, bankrupt)
