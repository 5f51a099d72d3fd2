"""Commands of stock rounds other than trading: removing privates, tokens of a new company, its own shares."""

from typing import Final

from discord import app_commands

from bot.client.bot_client import BotInteraction
from bot.client.commands.moves.making import Verbal, entity, make, slot
from bot.client.commands.typed import Name


@app_commands.command(
    name="remove-private", description="Take a private out of the game before the first bid"
)
@app_commands.describe(private="Which private")
@app_commands.autocomplete(private=slot("remove-private", "private"))
@app_commands.guild_only()
async def remove_private(interaction: BotInteraction, private: Name) -> None:
    """Take a private out of the game before the first bid."""
    await make(interaction, "remove-private", private=private)


@app_commands.command(name="buy-tokens", description="Buy the tokens of your company that has just floated")
@app_commands.describe(tokens="Their prices, as 40+60, or none")
@app_commands.autocomplete(tokens=slot("buy-tokens", "tokens"))
@app_commands.guild_only()
async def buy_tokens(interaction: BotInteraction, tokens: Name) -> None:
    """Buy the tokens of your company that has just floated."""
    await make(interaction, "buy-tokens", tokens=tokens)


@app_commands.command(name="redeem-share", description="Your company buys one of its shares back")
@app_commands.describe(company="Which company", source="From the market, or from whom")
@app_commands.autocomplete(company=slot("redeem-share", "company"), source=slot("redeem-share", "source"))
@app_commands.guild_only()
async def redeem_share(interaction: BotInteraction, company: Name, source: Name | None = None) -> None:
    """Your company buys one of its shares back."""
    await make(interaction, "redeem-share", company=company, source=source)


@app_commands.command(
    name="reissue", description="Your company puts the shares it has redeemed on sale again"
)
@app_commands.describe(company="Which company")
@app_commands.autocomplete(company=slot("reissue", "company"))
@app_commands.guild_only()
async def reissue(interaction: BotInteraction, company: Name) -> None:
    """Your company puts the shares it has redeemed on sale again."""
    await make(interaction, "reissue", company=company)


@app_commands.command(name="privatize", description="Take a share of your company from another player")
@app_commands.describe(company="Which company", seller="From whom")
@app_commands.autocomplete(company=slot("privatize", "company"), seller=slot("privatize", "seller"))
@app_commands.guild_only()
async def privatize(interaction: BotInteraction, company: Name, seller: Name | None = None) -> None:
    """Take a share of your company from another player."""
    await make(interaction, "privatize", company=company, seller=seller)


@app_commands.command(name="exchange", description="Give a private up for a share of its company")
@app_commands.describe(private="Which private", source="From the IPO or the market")
@app_commands.autocomplete(private=entity("exchange"), source=slot("exchange", "source"))
@app_commands.guild_only()
async def exchange(
    interaction: BotInteraction, private: Name | None = None, source: Name | None = None
) -> None:
    """Give a private up for a share of its company."""
    await make(interaction, "exchange", private, source=source)


COMMANDS: Final[tuple[Verbal, ...]] = (remove_private, buy_tokens, redeem_share, reissue, privatize, exchange)
