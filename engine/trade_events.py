"""What happened to privates, shares and prices: facts as in `engine.events`. Money in dollars."""

from dataclasses import dataclass

from engine.ids import CompanyId, EntityId, HolderId, PlayerId, PrivateId


@dataclass(frozen=True, slots=True)
class BidPlaced:
    """A bid stands."""

    player: PlayerId
    private: PrivateId
    amount: int


@dataclass(frozen=True, slots=True)
class Passed:
    """Somebody passed; `what` is what was declined."""

    entity: EntityId
    what: str


@dataclass(frozen=True, slots=True)
class PrivateBought:
    """A player got a private in the auction."""

    player: PlayerId
    private: PrivateId
    price: int


@dataclass(frozen=True, slots=True)
class PriceReduced:
    """Nobody wanted the cheapest private: its new price."""

    private: PrivateId
    price: int


@dataclass(frozen=True, slots=True)
class IncomePaid:
    """Incomes of privates: owner, private, dollars."""

    payments: tuple[tuple[EntityId, PrivateId, int], ...]


@dataclass(frozen=True, slots=True)
class ShareReceived:
    """A private brought a certificate."""

    player: PlayerId
    company: CompanyId
    percent: int
    president: bool


@dataclass(frozen=True, slots=True)
class Parred:
    """A company was started; `paid` is 0 when the certificate came with a private."""

    player: PlayerId
    company: CompanyId
    price: int
    percent: int
    paid: int


@dataclass(frozen=True, slots=True)
class ShareBought:
    """A certificate was bought."""

    player: PlayerId
    company: CompanyId
    percent: int
    price: int
    source: HolderId


@dataclass(frozen=True, slots=True)
class ShareRemoved:
    """A market share left the game (two players)."""

    company: CompanyId


@dataclass(frozen=True, slots=True)
class SharesSold:
    """A block was sold; `each` is the price per share, old and new price of the company."""

    player: PlayerId
    company: CompanyId
    shares: int
    each: int
    old: int
    new: int


@dataclass(frozen=True, slots=True)
class PresidentChanged:
    """The president's certificate changed hands."""

    company: CompanyId
    old: PlayerId
    new: PlayerId


@dataclass(frozen=True, slots=True)
class Floated:
    """A company got its capital; `to_market` percent moved from the offering to the market (two players)."""

    company: CompanyId
    capital: int
    to_market: int


@dataclass(frozen=True, slots=True)
class PriceMoved:
    """A sold-out company rose."""

    company: CompanyId
    old: int
    new: int


@dataclass(frozen=True, slots=True)
class PrivateClosed:
    """A private closed."""

    private: PrivateId


@dataclass(frozen=True, slots=True)
class PrivateSold:
    """A company or a player bought a private from a player."""

    buyer: EntityId
    private: PrivateId
    seller: PlayerId
    price: int


@dataclass(frozen=True, slots=True)
class Proposed:
    """A purchase waits for another president's or owner's consent."""

    proposer: EntityId
    asked: PlayerId
    what: str


@dataclass(frozen=True, slots=True)
class ProposalEnded:
    """A proposal was refused or withdrawn."""

    by: PlayerId
    what: str
    withdrawn: bool
