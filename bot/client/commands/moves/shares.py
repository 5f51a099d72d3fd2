"""Auction and stock: bid, pass, par, buy, sell; and trades of privates."""

from typing import Final

from discord import app_commands

from bot.client.bot_client import BotInteraction
from bot.client.commands.moves.making import Verbal, make, slot
from bot.client.commands.typed import Name, Number


@app_commands.command(name="bid", description="Bid on a private, or buy the cheapest one")
@app_commands.describe(private="Which private", amount="Dollars")
@app_commands.autocomplete(private=slot("bid", "private"), amount=slot("bid", "amount"))
@app_commands.guild_only()
async def bid(interaction: BotInteraction, private: Name, amount: Number) -> None:
    """Bid on a private, or buy the cheapest one."""
    await make(interaction, "bid", private=private, amount=amount)


@app_commands.command(name="pass", description="Do nothing, or nothing more, in this step")
@app_commands.guild_only()
async def pass_(interaction: BotInteraction) -> None:
    """Do nothing, or nothing more, in this step."""
    await make(interaction, "pass")


@app_commands.command(name="par", description="Start a company at a par price")
@app_commands.describe(company="Which company", price="Par price in dollars")
@app_commands.autocomplete(company=slot("par", "company"), price=slot("par", "price"))
@app_commands.guild_only()
async def par(interaction: BotInteraction, company: Name, price: Number) -> None:
    """Start a company at a par price."""
    await make(interaction, "par", company=company, price=price)


@app_commands.command(name="buy", description="Buy a share")
@app_commands.describe(company="Which company", source="From the IPO or the market")
@app_commands.autocomplete(company=slot("buy", "company"), source=slot("buy", "source"))
@app_commands.guild_only()
async def buy(interaction: BotInteraction, company: Name, source: Name | None = None) -> None:
    """Buy a share."""
    await make(interaction, "buy", company=company, source=source)


@app_commands.command(name="sell", description="Sell shares to the market")
@app_commands.describe(company="Which company", shares="How many shares")
@app_commands.autocomplete(company=slot("sell", "company"), shares=slot("sell", "shares"))
@app_commands.guild_only()
async def sell(interaction: BotInteraction, company: Name, shares: Number) -> None:
    """Sell shares to the market."""
    await make(interaction, "sell", company=company, shares=shares)


@app_commands.command(
    name="buy-private", description="Buy a private from a player, for your company or yourself"
)
@app_commands.describe(private="Which private", price="Dollars")
@app_commands.autocomplete(private=slot("buy-private", "private"), price=slot("buy-private", "price"))
@app_commands.guild_only()
async def buy_private(interaction: BotInteraction, private: Name, price: Number) -> None:
    """Buy a private from a player, for your company or yourself."""
    await make(interaction, "buy-private", private=private, price=price)


@app_commands.command(name="sell-private", description="Sell a private to another player")
@app_commands.describe(private="Which private", buyer="To whom", price="Dollars")
@app_commands.autocomplete(
    private=slot("sell-private", "private"),
    buyer=slot("sell-private", "buyer"),
    price=slot("sell-private", "price"),
)
@app_commands.guild_only()
async def sell_private(interaction: BotInteraction, private: Name, buyer: Name, price: Number) -> None:
    """Sell a private to another player."""
    await make(interaction, "sell-private", private=private, buyer=buyer, price=price)


@app_commands.command(name="redeem", description="Your company buys its shares in the market back")
@app_commands.describe(shares="How many shares")
@app_commands.autocomplete(shares=slot("redeem", "shares"))
@app_commands.guild_only()
async def redeem(interaction: BotInteraction, shares: int) -> None:
    """Your company buys its shares in the market back."""
    await make(interaction, "redeem", shares=shares)


@app_commands.command(name="issue", description="Your company sells shares of its own to the market")
@app_commands.describe(offering="How many from the IPO, at par", treasury="How many that it has redeemed")
@app_commands.autocomplete(offering=slot("issue", "offering"), treasury=slot("issue", "treasury"))
@app_commands.guild_only()
async def issue(interaction: BotInteraction, offering: int, treasury: int | None = None) -> None:
    """Your company sells shares of its own to the market."""
    await make(interaction, "issue", offering=offering, treasury=treasury)


@app_commands.command(name="agree", description="Agree to what another president proposed")
@app_commands.guild_only()
async def agree(interaction: BotInteraction) -> None:
    """Agree to what another president proposed."""
    await make(interaction, "agree")


@app_commands.command(name="refuse", description="Refuse what another president proposed")
@app_commands.guild_only()
async def refuse(interaction: BotInteraction) -> None:
    """Refuse what another president proposed."""
    await make(interaction, "refuse")


@app_commands.command(name="withdraw", description="Withdraw what you proposed")
@app_commands.guild_only()
async def withdraw(interaction: BotInteraction) -> None:
    """Withdraw what you proposed."""
    await make(interaction, "withdraw")


COMMANDS: Final[tuple[Verbal, ...]] = (
    bid,
    pass_,
    par,
    buy,
    sell,
    buy_private,
    sell_private,
    redeem,
    issue,
    agree,
    refuse,
    withdraw,
)
