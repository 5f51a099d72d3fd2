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
    """Base of all events; every subclass becomes a frozen dataclass."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)


class Passed(Event):
    """A player or company passed; `declined` is the action they declined, None if nothing in particular."""

    entity: EntityId
    declined: Fact | None = None


class RoundStarted(Event):
    """A round began; `number` counts the operating rounds of the set, `first` is the player who acts first."""

    kind: Literal["stock", "operating", "merger"]
    set: int
    number: int = 1
    first: PlayerId | None = None


class Proposed(Event):
    """A purchase was proposed and waits for the consent of another president or owner."""

    proposer: EntityId
    asked: PlayerId
    action: Action


class ProposalEnded(Event):
    """A proposal was refused or withdrawn."""

    by: PlayerId
    action: Action
    withdrawn: bool


class WentBankrupt(Event):
    """A president went bankrupt over a forced train purchase."""

    player: PlayerId
    company: CompanyId


class EndTriggered(Event):
    """The end of the game was triggered: the reason, the current round, and the rounds still to play.

    `more` counts operating rounds after the current one; `after` says what follows the current stock round.
    """

    reason: EndReason
    during: Literal["stock", "operating", "merger"]
    after: Literal["nothing", "round", "set"]
    more: int = 0


class EndVoted(Event):
    """A player agreed to end the game here; `agreed` of `needed` players have agreed."""

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


class DraftRoundEnded(Event):
    """Each player has had a turn in this round of the draft."""

    number: int


class CompaniesDrawn(Event):
    """Companies drawn by chance to be kept back at the start; `phase` makes them available."""

    companies: tuple[CompanyId, ...]
    phase: PhaseName


class Reserved(Event):
    """A player reserved a company in order to start it later."""

    player: PlayerId
    company: CompanyId


class Relinquished(Event):
    """A player gave back their reserved companies and cannot act again in this round."""

    player: PlayerId
    companies: tuple[CompanyId, ...]


class MinorStarted(Event):
    """A player started a minor on a space of the market and paid its treasury."""

    player: PlayerId
    company: CompanyId
    value: int
    space: Literal["top", "bottom"]
    paid: int


class CompaniesAvailable(Event):
    """Companies that were kept back at the start became available."""

    companies: tuple[CompanyId, ...]


class Drawn(Event):
    """The company of a private's certificate was drawn at the start."""

    private: PrivateId
    company: CompanyId
    president: bool


class EventTrainDrawn(Event):
    """A train type was drawn at the start; its first new train triggers the title's event, described in a few words."""

    train: TrainName
    event: str


class CompanyClosed(Event):
    """A company left the game with everything it owned."""

    company: CompanyId


class BidPlaced(Event):
    """A player placed a bid."""

    player: PlayerId
    private: PrivateId
    amount: int


class BidUnpaid(Event):
    """The last remaining bid is void, because its bidder has only `free` dollars apart from their other high bids."""

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
    """The cheapest private got a lower price, because nobody bought it."""

    private: PrivateId
    price: int


class ShareReceived(Event):
    """A private brought its owner a certificate."""

    player: PlayerId
    company: CompanyId
    percent: int
    president: bool


class Parred(Event):
    """A company was started; `paid` is 0 if the certificate came with a private."""

    player: PlayerId
    company: CompanyId
    price: int
    percent: int
    paid: int


class ShareBought(Event):
    """A certificate was bought; `income` is the dollars that its company receives for it."""

    player: PlayerId
    company: CompanyId
    percent: int
    price: int
    source: HolderId
    income: int = 0


class ShareRemoved(Event):
    """A share in the market left the game (two-player rule)."""

    company: CompanyId


class Redeemed(Event):
    """A company bought its own shares from the market or a player; `treasury` is its money afterwards."""

    company: CompanyId
    shares: int
    amount: int
    treasury: int
    source: HolderId = MARKET


class Reissued(Event):
    """A company put its redeemed shares on sale again, at `price` dollars each."""

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
    """A floating company bought tokens with these prices for `cost` dollars in total, and got `bulls` bull tokens."""

    company: CompanyId
    prices: tuple[int, ...]
    cost: int
    bulls: int
    treasury: int


class TokensReceived(Event):
    """A private brought a company free tokens with these prices; `reserved` is the number kept for its destination."""

    company: CompanyId
    prices: tuple[int, ...]
    private: PrivateId
    reserved: int


class Issued(Event):
    """A company put shares from its offering, and redeemed ones, into the market for `amount` dollars in total."""

    company: CompanyId
    offering: int
    redeemed: int
    amount: int
    treasury: int


class PriceFell(Event):
    """A share price fell because the company issued shares."""

    company: CompanyId
    old: int
    new: int


class SharesSold(Event):
    """A player sold a block of shares; `each` is the price per share, `old` and `new` the share prices."""

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
    """A company floated and got its capital; `to_market` percent moved from offering to market (two players)."""

    company: CompanyId
    capital: int
    to_market: int


class PriceMoved(Event):
    """A company's share price rose as a stock round ended, since it was sold out; or fell, since it was not."""

    company: CompanyId
    old: int
    new: int
