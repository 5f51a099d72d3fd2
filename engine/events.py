"""What happened: facts that `apply` emits, told in words by `engine.narrate`. Money in dollars."""

from dataclasses import dataclass
from typing import TypeAlias

from engine.ids import CompanyId, Coord, EntityId, PhaseName, PlayerId, PrivateId, TileId, TrainName
from engine.trade_events import (
    BidPlaced,
    Floated,
    IncomePaid,
    Parred,
    Passed,
    PresidentChanged,
    PriceMoved,
    PriceReduced,
    PrivateBought,
    PrivateClosed,
    PrivateSold,
    ProposalEnded,
    Proposed,
    ShareBought,
    ShareReceived,
    ShareRemoved,
    SharesSold,
)


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
"""Any fact."""

__all__ = [
    "BidPlaced",
    "Compensated",
    "EndTriggered",
    "EndVoted",
    "Event",
    "Floated",
    "GameOver",
    "HomePlaced",
    "IncomeLost",
    "IncomePaid",
    "MadeObsolete",
    "MarkerLost",
    "MarkerReceived",
    "MarkersGiven",
    "ObjectiveReached",
    "ObsoleteGone",
    "Paid",
    "Parred",
    "Passed",
    "PhaseStarted",
    "PresidentChanged",
    "PriceMoved",
    "PriceReduced",
    "PrivateBought",
    "PrivateClosed",
    "PrivateSold",
    "ProposalEnded",
    "Proposed",
    "Ran",
    "RoundStarted",
    "Rusted",
    "ShareBought",
    "ShareReceived",
    "ShareRemoved",
    "SharesSold",
    "TileLaid",
    "TokenPlaced",
    "TrainBought",
    "TrainDiscarded",
    "TrainExported",
    "WentBankrupt",
]
