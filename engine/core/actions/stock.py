"""What players choose in auctions and stock rounds."""

from typing import Literal

from engine.core.actions.base import Choices
from engine.core.ids import CompanyId, PlayerId, PrivateId


class Bid(Choices):
    """Bid on a private, or buy the cheapest one at its price (dollars)."""

    kind: Literal["bid"] = "bid"
    private: PrivateId
    amount: int


class RemovePrivate(Choices):
    """Take a private out of the game before the first bid."""

    kind: Literal["remove_private"] = "remove_private"
    private: PrivateId


class Par(Choices):
    """Start a company at a par price in dollars (or only set the price of one that was received)."""

    kind: Literal["par"] = "par"
    company: CompanyId
    price: int


class Reserve(Choices):
    """Reserve a company, to start it later in the round."""

    kind: Literal["reserve"] = "reserve"
    company: CompanyId


class StartMinor(Choices):
    """Start a minor company on a space of the market: its value in dollars, and which of the two spaces."""

    kind: Literal["start_minor"] = "start_minor"
    company: CompanyId
    value: int
    space: Literal["top", "bottom"]


class BuyShare(Choices):
    """Buy one certificate from `offering`, `market`, or the treasury of the company."""

    kind: Literal["buy_share"] = "buy_share"
    company: CompanyId
    source: str


class SellShares(Choices):
    """Sell a block of `shares` shares to the market."""

    kind: Literal["sell_shares"] = "sell_shares"
    company: CompanyId
    shares: int


class Redeem(Choices):
    """A company buys N of its own shares from the market."""

    kind: Literal["redeem"] = "redeem"
    shares: int


class RedeemShare(Choices):
    """A company buys one of its own shares from `market`, or from a player."""

    kind: Literal["redeem_share"] = "redeem_share"
    company: CompanyId
    source: str


class Reissue(Choices):
    """A company puts all the shares that it has redeemed up for sale again."""

    kind: Literal["reissue"] = "reissue"
    company: CompanyId


class Privatize(Choices):
    """A president takes a share of their company from another player, without consent."""

    kind: Literal["privatize"] = "privatize"
    company: CompanyId
    seller: PlayerId


class ExchangePrivate(Choices):
    """Give a private up for a share of its company, from `offering` or `market`."""

    kind: Literal["exchange_private"] = "exchange_private"
    source: str


class BuyTokens(Choices):
    """A company that floats buys tokens at these prices, as `40+60`, or `none`."""

    kind: Literal["buy_tokens"] = "buy_tokens"
    tokens: str


class Issue(Choices):
    """A company puts N shares of its offering, and of its treasury, into the market."""

    kind: Literal["issue"] = "issue"
    offering: int
    treasury: int
