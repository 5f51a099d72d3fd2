"""A company's turn: track, tokens, runs, dividends, and the privates and markers it has. Money in dollars."""

from dataclasses import dataclass

from engine.core.facts import Fact
from engine.core.ids import CompanyId, Coord, EntityId, PlayerId, PrivateId, TileId, TrainName


@dataclass(frozen=True, slots=True)
class IncomePaid:
    """Incomes of privates: owner, private, dollars."""

    payments: tuple[tuple[EntityId, PrivateId, int], ...]


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
class Skipped:
    """A step of a company's turn was passed over, since nothing was possible: why."""

    company: CompanyId
    step: str
    reason: Fact


@dataclass(frozen=True, slots=True)
class Ran:
    """Trains ran: (train, stops, values) of each."""

    company: CompanyId
    runs: tuple[tuple[TrainName, tuple[Coord, ...], tuple[int, ...]], ...]
    revenue: int


@dataclass(frozen=True, slots=True)
class DestinationReached:
    """A company runs to a destination, its own or that of a company it was made of, and its token is placed there.

    It may lie beside the spaces, or be spared for another place, because one lies there.
    """

    company: CompanyId
    of: CompanyId
    hex: Coord
    beside: bool
    spared: bool


@dataclass(frozen=True, slots=True)
class CoastsJoined:
    """A company proved a run from coast to coast: where it begins and ends, old and new price in dollars."""

    company: CompanyId
    train: TrainName
    start: Coord
    end: Coord
    old: int
    new: int


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
class HalfPaid:
    """A company with a single owner shared its revenue with them: their dollars; it kept the rest."""

    company: CompanyId
    revenue: int
    owner: PlayerId
    amount: int


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
class MarkerReceived:
    """A company has a private's named marker; `hex` is where its token lies, empty on the charter."""

    company: CompanyId
    name: str
    hex: Coord


@dataclass(frozen=True, slots=True)
class MarkerBought:
    """A company bought one of a private's markers from the bank or a company, for `price` dollars."""

    company: CompanyId
    name: str
    source: str
    price: int


@dataclass(frozen=True, slots=True)
class BullPlaced:
    """A company placed its bull token; `lost` tokens that were on its charter left the game."""

    company: CompanyId
    hex: Coord
    beside: bool
    """Whether it takes no space there."""
    lost: int


@dataclass(frozen=True, slots=True)
class Relabelled:
    """A company's private gave a city another label."""

    company: CompanyId
    private: PrivateId
    hex: Coord
    label: str


@dataclass(frozen=True, slots=True)
class GivenUp:
    """A company closed a private for what that brings: dollars for the terrain of a turn, or (0) another token."""

    company: CompanyId
    private: PrivateId
    dollars: int


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
