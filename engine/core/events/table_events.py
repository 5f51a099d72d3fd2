"""Events of the table: auctions, shares and prices, rounds, proposals, the end. Money in dollars."""

from dataclasses import dataclass
from typing import Literal, dataclass_transform

from engine.core.actions import Action
from engine.core.facts import Fact
from engine.core.ids import (
    MARKET,
    CompanyId,
    EndReason,
    EntityId,
    HolderId,
    PhaseName,
    PlayerId,
    PrivateId,
    TrainName,
)


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a game: each kind is a frozen dataclass."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)


class Passed(Event):
    """A player or company passed; `declined` is what was declined (None: nothing in particular)."""

    entity: EntityId
    declined: Fact | None = None


class RoundStarted(Event):
    """A round begins; `number` counts the operating rounds of the set, `first` acts first."""

    kind: Literal["stock", "operating", "merger"]
    set: int
    number: int = 1
    first: PlayerId | None = None


class Proposed(Event):
    """A purchase waits for another president's or owner's consent."""

    proposer: EntityId
    asked: PlayerId
    action: Action


class ProposalEnded(Event):
    """A proposal was refused or withdrawn."""

    by: PlayerId
    action: Action
    withdrawn: bool


class WentBankrupt(Event):
    """A president could not pay for a train."""

    player: PlayerId
    company: CompanyId


class EndTriggered(Event):
    """The end of the game was triggered: the reason, the current round, and what is still played.

    `more` counts operating rounds after the present one; from a stock round `after` says what follows it.
    """

    reason: EndReason
    during: Literal["stock", "operating", "merger"]
    after: Literal["nothing", "round", "set"]
    more: int = 0


class EndVoted(Event):
    """A player agreed to end the game here."""

    player: PlayerId
    agreed: int
    needed: int


class GameOver(Event):
    """The game has ended."""

    reason: EndReason
    scores: tuple[tuple[PlayerId, int], ...]


class LeftOut(Event):
    """Companies and privates that chance took out of the game at the start."""

    companies: tuple[CompanyId, ...]
    privates: tuple[PrivateId, ...]


class CardTaken(Event):
    """A player took a card of the draft, which stays secret until the end."""

    player: PlayerId


class CompaniesDrawn(Event):
    """The companies that chance kept back at the start; `phase` brings them."""

    companies: tuple[CompanyId, ...]
    phase: PhaseName


class Reserved(Event):
    """A player reserved a company, to start it later."""

    player: PlayerId
    company: CompanyId


class Relinquished(Event):
    """A player gave back what they had reserved, and acts no more in this round."""

    player: PlayerId
    companies: tuple[CompanyId, ...]


class MinorStarted(Event):
    """A player put a minor on a space of the market and paid its treasury."""

    player: PlayerId
    company: CompanyId
    value: int
    space: Literal["top", "bottom"]
    paid: int


class CompaniesAvailable(Event):
    """Companies that chance had kept back became available."""

    companies: tuple[CompanyId, ...]


class Drawn(Event):
    """The certificate that a private brings is of this company, which was drawn at the start."""

    private: PrivateId
    company: CompanyId
    president: bool


class EventTrainDrawn(Event):
    """The type that was drawn at the start: its first new train brings an event of the title, in a few words."""

    train: TrainName
    event: str


class CompanyClosed(Event):
    """A company left the game, and what it had with it."""

    company: CompanyId


class BidPlaced(Event):
    """A bid stands."""

    player: PlayerId
    private: PrivateId
    amount: int


class BidUnpaid(Event):
    """The last remaining bid is void: its bidder does not have the money, apart from other high bids."""

    player: PlayerId
    private: PrivateId
    amount: int
    free: int


class PrivateBought(Event):
    """A player got a private in the auction."""

    player: PlayerId
    private: PrivateId
    price: int


class PrivateRemoved(Event):
    """A player took a private out of the game."""

    player: PlayerId
    private: PrivateId


class PriceReduced(Event):
    """The cheapest private has a new price, since nobody wanted it."""

    private: PrivateId
    price: int


class ShareReceived(Event):
    """A private brought a certificate."""

    player: PlayerId
    company: CompanyId
    percent: int
    president: bool


class Parred(Event):
    """A company was started; `paid` is 0 when the certificate came with a private."""

    player: PlayerId
    company: CompanyId
    price: int
    percent: int
    paid: int


class ShareBought(Event):
    """A certificate was bought; `income` is what its company gets for it, in dollars."""

    player: PlayerId
    company: CompanyId
    percent: int
    price: int
    source: HolderId
    income: int = 0


class ShareRemoved(Event):
    """A market share left the game (two players)."""

    company: CompanyId


class Redeemed(Event):
    """A company bought own shares from the market, or a player, for `amount` dollars; `treasury` is what is left."""

    company: CompanyId
    shares: int
    amount: int
    treasury: int
    source: HolderId = MARKET


class Reissued(Event):
    """A company put redeemed shares up for sale again, at `price` dollars each."""

    company: CompanyId
    shares: int
    price: int


class Privatized(Event):
    """A president took a share of their company from another player, for `price` dollars."""

    player: PlayerId
    company: CompanyId
    seller: PlayerId
    percent: int
    price: int


class TokensBought(Event):
    """A company that floated bought tokens for `cost` dollars in all, which brought it bull tokens, too."""

    company: CompanyId
    prices: tuple[int, ...]
    cost: int
    bulls: int
    treasury: int


class TokensReceived(Event):
    """A private brought a company free tokens of these prices, `reserved` of them for its destination."""

    company: CompanyId
    prices: tuple[int, ...]
    private: PrivateId
    reserved: int


class Issued(Event):
    """A company put shares of its offering, and redeemed ones, into the market for `amount` dollars in all."""

    company: CompanyId
    offering: int
    redeemed: int
    amount: int
    treasury: int


class PriceFell(Event):
    """A price moved because the company issued shares."""

    company: CompanyId
    old: int
    new: int


class SharesSold(Event):
    """A block was sold; `each` is the price per share, old and new price of the company."""

    player: PlayerId
    company: CompanyId
    shares: int
    each: int
    old: int
    new: int


class PresidentChanged(Event):
    """The president's certificate changed hands."""

    company: CompanyId
    old: PlayerId
    new: PlayerId


class Floated(Event):
    """A company got its capital; `to_market` percent moved from the offering to the market (two players)."""

    company: CompanyId
    capital: int
    to_market: int


class PriceMoved(Event):
    """A company's share price rose as a stock round ended, since it was sold out; or fell, since it was not."""

    company: CompanyId
    old: int
    new: int
