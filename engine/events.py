"""What happened: facts that `apply` emits, told in words by `engine.narrate`. Money in dollars."""

from dataclasses import dataclass
from typing import TypeAlias

from engine.ids import CompanyId, Coord, EntityId, HolderId, PhaseName, PlayerId, PrivateId, TileId, TrainName


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
class RoundStarted:
    """A round begins: `SR 2`, `OR 2.1`."""

    name: str
    first: EntityId


@dataclass(frozen=True, slots=True)
class HomePlaced:
    """A company placed its home token."""

    company: CompanyId
    hex: Coord


@dataclass(frozen=True, slots=True)
class TileLaid:
    """A tile was laid; `cost` is the terrain paid, `treasury` what is left after it."""

    company: CompanyId
    hex: Coord
    tile: TileId
    rotation: int
    cost: int
    treasury: int
    private: PrivateId | None


@dataclass(frozen=True, slots=True)
class TokenPlaced:
    """A station was placed."""

    company: CompanyId
    hex: Coord
    cost: int
    treasury: int


@dataclass(frozen=True, slots=True)
class Ran:
    """Trains ran: (train, stops, values) of each."""

    company: CompanyId
    runs: tuple[tuple[TrainName, tuple[Coord, ...], tuple[int, ...]], ...]
    revenue: int


@dataclass(frozen=True, slots=True)
class Paid:
    """A dividend decision: dollars per share (0: withheld), what the treasury kept, old and new price."""

    company: CompanyId
    revenue: int
    per_share: int
    kept: int
    old: int
    new: int


@dataclass(frozen=True, slots=True)
class TrainBought:
    """A train was bought; `contribution` is the president's money, `traded` the train handed in or empty."""

    company: CompanyId
    train: TrainName
    source: str
    price: int
    contribution: int
    traded: str
    treasury: int


@dataclass(frozen=True, slots=True)
class PhaseStarted:
    """A new phase is in force."""

    phase: PhaseName


@dataclass(frozen=True, slots=True)
class Rusted:
    """All trains of a type left the game: owners and how many each."""

    train: TrainName
    owners: tuple[tuple[CompanyId, int], ...]


@dataclass(frozen=True, slots=True)
class MadeObsolete:
    """Trains of a type run once more for `kept`; those of `lost` are gone at once."""

    train: TrainName
    kept: tuple[CompanyId, ...]
    lost: tuple[CompanyId, ...]


@dataclass(frozen=True, slots=True)
class ObsoleteGone:
    """A company's obsolete trains have run for the last time."""

    company: CompanyId
    trains: tuple[TrainName, ...]


@dataclass(frozen=True, slots=True)
class MarkersGiven:
    """An event of the title marks companies."""

    marker: str
    companies: tuple[CompanyId, ...]


@dataclass(frozen=True, slots=True)
class IncomeLost:
    """A marker takes the income of a run; the price stays."""

    company: CompanyId
    amount: int
    marker: str


@dataclass(frozen=True, slots=True)
class Compensated:
    """The bank pays a company for trains it lost."""

    company: CompanyId
    train: TrainName
    amount: int


@dataclass(frozen=True, slots=True)
class TrainDiscarded:
    """A company gave up a train above its limit."""

    company: CompanyId
    train: TrainName


@dataclass(frozen=True, slots=True)
class TrainExported:
    """The next new train left the game."""

    train: TrainName


@dataclass(frozen=True, slots=True)
class PrivateClosed:
    """A private closed."""

    private: PrivateId


@dataclass(frozen=True, slots=True)
class MarkerReceived:
    """A company has a private's named marker; `hex` is where its token lies, empty on the charter."""

    company: CompanyId
    name: str
    hex: Coord


@dataclass(frozen=True, slots=True)
class MarkerLost:
    """A company's marker left the game."""

    company: CompanyId
    name: str


@dataclass(frozen=True, slots=True)
class ObjectiveReached:
    """A token in the company's historical objective brought it dollars from the bank."""

    company: CompanyId
    hex: Coord
    bonus: int


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


@dataclass(frozen=True, slots=True)
class WentBankrupt:
    """A president could not pay for a train."""

    player: PlayerId
    company: CompanyId


@dataclass(frozen=True, slots=True)
class EndTriggered:
    """The end is near: why, and what is still to be played."""

    reason: str
    remaining: str


@dataclass(frozen=True, slots=True)
class EndVoted:
    """A player agreed to end the game here."""

    player: PlayerId
    agreed: int
    needed: int


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game has ended."""

    reason: str
    scores: tuple[tuple[PlayerId, int], ...]


Event: TypeAlias = (
    BidPlaced
    | Passed
    | PrivateBought
    | PriceReduced
    | IncomePaid
    | ShareReceived
    | Parred
    | ShareBought
    | ShareRemoved
    | SharesSold
    | PresidentChanged
    | Floated
    | PriceMoved
    | RoundStarted
    | HomePlaced
    | TileLaid
    | TokenPlaced
    | Ran
    | Paid
    | TrainBought
    | PhaseStarted
    | Rusted
    | MadeObsolete
    | ObsoleteGone
    | MarkersGiven
    | IncomeLost
    | Compensated
    | TrainDiscarded
    | TrainExported
    | PrivateClosed
    | MarkerReceived
    | MarkerLost
    | ObjectiveReached
    | PrivateSold
    | Proposed
    | ProposalEnded
    | WentBankrupt
    | EndTriggered
    | EndVoted
    | GameOver
)
