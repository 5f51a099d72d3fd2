"""Events outside company turns: auctions, shares and prices, rounds, proposals, the end. Money is in dollars."""

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
    """Base class of all events; every subclass becomes a frozen dataclass."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)


class Passed(Event):
    """A player or company passed. `declined` names the action they declined; None if none in particular."""

    entity: EntityId
    declined: Fact | None = None


class RoundStarted(Event):
    """A round began. `round_number` is the operating round's number within its set; `first_player` acts first."""

    kind: Literal["stock", "operating", "merger"]
    set_number: int
    round_number: int = 1
    first_player: PlayerId | None = None


class Proposed(Event):
    """A player proposed an action that needs another player's consent, such as a purchase between two presidents."""

    proposer: EntityId
    asked_player: PlayerId
    action: Action


class ProposalEnded(Event):
    """A proposal was refused or withdrawn."""

    player: PlayerId
    action: Action
    is_withdrawn: bool


class WentBankrupt(Event):
    """A president went bankrupt because of a train that their company had to buy."""

    player: PlayerId
    company: CompanyId


class EndTriggered(Event):
    """The end of the game was triggered: the reason, the current round, and the rounds still to play.

    `further_round_count` counts the operating rounds after the current one. `what_follows` is what follows the
    current stock round: `nothing`, one operating `round`, or a `set` of them.
    """

    reason: EndReason
    current_round: Literal["stock", "operating", "merger"]
    what_follows: Literal["nothing", "round", "set"]
    further_round_count: int = 0


class EndVoted(Event):
    """A player voted to end the game now. So far, `vote_count` of the `votes_needed` players have voted for it."""

    player: PlayerId
    vote_count: int
    votes_needed: int


class GameOver(Event):
    """The game has ended."""

    reason: EndReason
    scores: tuple[tuple[PlayerId, int], ...]


class RandomlyRemoved(Event):
    """Companies and privates that were randomly removed from the game during set-up."""

    companies: tuple[CompanyId, ...]
    privates: tuple[PrivateId, ...]


class CardDrafted(Event):
    """A player drafted a card, which stays secret until the end of the draft."""

    player: PlayerId


class DraftRoundEnded(Event):
    """A round of the draft ended: each player has had one turn."""

    number: int


class CompaniesDrawn(Event):
    """Companies that a random draw during set-up keeps out of play until `phase`."""

    companies: tuple[CompanyId, ...]
    phase: PhaseName


class CompanyReserved(Event):
    """A player reserved a company, to start it later."""

    player: PlayerId
    company: CompanyId


class ReservationsReturned(Event):
    """A player gave back their reserved companies and cannot act again in this round."""

    player: PlayerId
    companies: tuple[CompanyId, ...]


class MinorStarted(Event):
    """A player started a minor on a market space and paid its starting treasury."""

    player: PlayerId
    company: CompanyId
    value: int
    space: Literal["top", "bottom"]
    dollars_paid: int


class CompaniesAvailable(Event):
    """Companies that were kept out of play since set-up became available."""

    companies: tuple[CompanyId, ...]


class CertificateDrawn(Event):
    """A random draw during set-up chose the company whose certificate comes with a private."""

    private: PrivateId
    company: CompanyId
    is_president_certificate: bool


class EventTrainDrawn(Event):
    """A random draw during set-up chose a train type; its first new train triggers the event of `event_note`."""

    train: TrainName
    event_note: str


class CompanyClosed(Event):
    """A company left the game with everything it owned."""

    company: CompanyId


class BidPlaced(Event):
    """A player placed a bid."""

    player: PlayerId
    private: PrivateId
    amount: int


class BidUnpaid(Event):
    """A private's last bid is void: the bidder's high bids on other privates leave them only `free_dollars`."""

    player: PlayerId
    private: PrivateId
    amount: int
    free_dollars: int


class PrivateBought(Event):
    """A player got a private in the auction."""

    player: PlayerId
    private: PrivateId
    price: int


class PrivateRemoved(Event):
    """A player removed a private from the game before the first bid."""

    player: PlayerId
    private: PrivateId


class PriceReduced(Event):
    """The price of the cheapest private fell, because nobody bought it."""

    private: PrivateId
    price: int


class ShareReceived(Event):
    """A player received a certificate that came with a private."""

    player: PlayerId
    company: CompanyId
    percent: int
    is_president_certificate: bool


class Parred(Event):
    """A company was started at a par price. `dollars_paid` is 0 if the president's certificate came with a private."""

    player: PlayerId
    company: CompanyId
    price: int
    percent: int
    dollars_paid: int


class ShareBought(Event):
    """A certificate was bought. `income` is the number of dollars that its company received for it."""

    player: PlayerId
    company: CompanyId
    percent: int
    price: int
    source: HolderId
    income: int = 0


class ShareRemoved(Event):
    """A share in the market left the game (two-player rule)."""

    company: CompanyId


class SharesRedeemed(Event):
    """A company bought its own shares from the market or a player; `treasury` is its money afterwards."""

    company: CompanyId
    shares: int
    amount: int
    treasury: int
    source: HolderId = MARKET


class SharesReissued(Event):
    """A company put its redeemed shares back on sale at `price` dollars each."""

    company: CompanyId
    shares: int
    price: int


class Privatized(Event):
    """A president bought a share of their company for `price` dollars from another player, who could not refuse."""

    player: PlayerId
    company: CompanyId
    seller: PlayerId
    percent: int
    price: int


class TokensBought(Event):
    """A newly floated company bought tokens with these prices for `cost` dollars in total.

    `bull_count` is the number of bull tokens (18C2C) that came with them.
    """

    company: CompanyId
    prices: tuple[int, ...]
    cost: int
    bull_count: int
    treasury: int


class TokensReceived(Event):
    """A private brought a company free tokens with these prices (18C2C).

    `reserved_count` is the number of tokens kept for the company's destination.
    """

    company: CompanyId
    prices: tuple[int, ...]
    private: PrivateId
    reserved_count: int


class SharesIssued(Event):
    """A company sold shares from its offering, and redeemed shares, to the market for `amount` dollars in total."""

    company: CompanyId
    offering_shares: int
    redeemed_shares: int
    amount: int
    treasury: int


class PriceFell(Event):
    """A share price fell because the company issued shares."""

    company: CompanyId
    old_price: int
    new_price: int


class SharesSold(Event):
    """A player sold a block of shares for `price_per_share` dollars each.

    `old_price` and `new_price` are the share price before and after the sale.
    """

    player: PlayerId
    company: CompanyId
    shares: int
    price_per_share: int
    old_price: int
    new_price: int


class PresidentChanged(Event):
    """The president's certificate changed hands."""

    company: CompanyId
    old_president: PlayerId
    new_president: PlayerId


class Floated(Event):
    """A company floated and received its capital.

    `percent_to_market` is the part moved from the IPO to the market (two players).
    """

    company: CompanyId
    capital: int
    percent_to_market: int


class PriceMoved(Event):
    """A company's share price moved at the end of a stock round: up if it was sold out, down if the title says so."""

    company: CompanyId
    old_price: int
    new_price: int
