"""Events of companies: their turns, trains and phases, privates and markers, mergers. Money in dollars."""

from engine.core.events.table_events import Event
from engine.core.facts import Fact
from engine.core.ids import (
    BANK,
    CompanyId,
    Coord,
    EntityId,
    PhaseName,
    PlayerId,
    PrivateId,
    TileId,
    TrainName,
)


class IncomePaid(Event):
    """Incomes of privates: owner, private, dollars."""

    payments: tuple[tuple[EntityId, PrivateId, int], ...]


class HomePlaced(Event):
    """A company placed its home token."""

    company: CompanyId
    hex: Coord


class TileLaid(Event):
    """A tile was laid; `cost` is the terrain paid, `treasury` what is left after it."""

    company: CompanyId
    hex: Coord
    tile: TileId
    rotation: int
    cost: int
    treasury: int
    private: PrivateId | None


class TokenPlaced(Event):
    """A station was placed."""

    company: CompanyId
    hex: Coord
    cost: int
    treasury: int


class Skipped(Event):
    """A step of a company's turn was skipped because nothing was possible, with the reason."""

    company: CompanyId
    step: str
    reason: Fact


class Ran(Event):
    """Trains ran: (train, stops, values) of each."""

    company: CompanyId
    runs: tuple[tuple[TrainName, tuple[Coord, ...], tuple[int, ...]], ...]
    revenue: int


class DestinationReached(Event):
    """A company ran to a destination, its own or that of a company merged into it (`of`), and placed its token there.

    `beside`: the token takes no space; `spared`: it is kept for another place, since one lies there already.
    """

    company: CompanyId
    of: CompanyId
    hex: Coord
    beside: bool
    spared: bool


class CoastsJoined(Event):
    """A company proved a run from coast to coast: its two ends, old and new share price in dollars."""

    company: CompanyId
    train: TrainName
    start: Coord
    end: Coord
    old: int
    new: int


class Paid(Event):
    """A dividend decision: dollars per share (0: withheld), what the treasury kept, old and new price."""

    company: CompanyId
    revenue: int
    per_share: int
    kept: int
    old: int
    new: int


class HalfPaid(Event):
    """A company with a single owner paid them half its revenue, in dollars, and kept the rest."""

    company: CompanyId
    revenue: int
    owner: PlayerId
    amount: int


class MarkersGiven(Event):
    """An event of the title marks companies."""

    marker: str
    companies: tuple[CompanyId, ...]


class IncomeLost(Event):
    """A marker cost the company the income of a run; its share price stays."""

    company: CompanyId
    amount: int
    marker: str


class MarkerReceived(Event):
    """A company received a private's marker; `hex` is where its token lies, empty on the charter."""

    company: CompanyId
    name: str
    hex: Coord


class MarkerBought(Event):
    """A company bought one of a private's markers from the bank or a company, for `price` dollars."""

    company: CompanyId
    name: str
    source: str
    price: int


class BullPlaced(Event):
    """A company placed its bull token; `lost` tokens still on its charter left the game."""

    company: CompanyId
    hex: Coord
    beside: bool
    """True if the token takes no space there."""
    lost: int


class Relabelled(Event):
    """A company's private gave a city another label."""

    company: CompanyId
    private: PrivateId
    hex: Coord
    label: str


class GivenUp(Event):
    """A company closed a private for its benefit: dollars for the terrain of a turn, or (0) another token."""

    company: CompanyId
    private: PrivateId
    dollars: int


class MarkerLost(Event):
    """A company's marker left the game."""

    company: CompanyId
    name: str


class ObjectiveReached(Event):
    """A token in the company's historical objective earned it dollars from the bank."""

    company: CompanyId
    hex: Coord
    bonus: int


class BonusReceived(Event):
    """A place that the company has reached earned it dollars from the bank."""

    company: CompanyId
    hex: Coord
    bonus: int


class HelpFeePaid(Event):
    """A president pays the bank a fee for the money added to a company's purchase."""

    player: PlayerId
    company: CompanyId
    amount: int


class DebtGrew(Event):
    """A player owes the bank more dollars, as the fee of a loan or as interest; `debt` is the whole debt now."""

    player: PlayerId
    amount: int
    debt: int


class PrivateClosed(Event):
    """A private closed."""

    private: PrivateId


class PrivateSold(Event):
    """A company or a player bought a private from a player."""

    buyer: EntityId
    private: PrivateId
    seller: PlayerId
    price: int


class TrainBought(Event):
    """A train was bought; `contribution` is the president's money, `traded` the train handed in or empty."""

    company: CompanyId
    train: TrainName
    source: str
    price: int
    contribution: int
    traded: str
    treasury: int


class TrainReceived(Event):
    """A company received the train that was put aside for a private."""

    company: CompanyId
    train: TrainName
    private: PrivateId


class TrainDeclined(Event):
    """The train that was put aside for a private left the game: too late, or no room for it."""

    company: CompanyId
    train: TrainName
    private: PrivateId


class TrainAgreed(Event):
    """A company agreed to buy another company's train; its president must sell shares for the missing dollars."""

    company: CompanyId
    train: TrainName
    source: CompanyId
    price: int
    missing: int


class PhaseStarted(Event):
    """A new phase is in force."""

    phase: PhaseName


class Rusted(Event):
    """All trains of a type left the game: owners and how many each."""

    train: TrainName
    owners: tuple[tuple[CompanyId, int], ...]


class MadeObsolete(Event):
    """Trains of a type became obsolete: those of `kept` run once more, those of `lost` are gone."""

    train: TrainName
    kept: tuple[CompanyId, ...]
    lost: tuple[CompanyId, ...]


class ObsoleteGone(Event):
    """A company's obsolete trains left after their last run."""

    company: CompanyId
    trains: tuple[TrainName, ...]


class Compensated(Event):
    """The bank pays a company for trains it lost."""

    company: CompanyId
    train: TrainName
    amount: int


class TrainDiscarded(Event):
    """A company gave up a train above its limit."""

    company: CompanyId
    train: TrainName
    obsolete: bool = False
    """True if it leaves the game; any other goes to the bank pool."""


class TrainAdded(Event):
    """A train was added in front of the new trains of the bank."""

    train: TrainName


class TilesTakenBack(Event):
    """Tiles were taken off these hexes, back to the supply."""

    hexes: tuple[Coord, ...]


class LayRewarded(Event):
    """A tile earned its company, or the owner of a private, dollars from the bank."""

    receiver: EntityId
    hex: Coord
    amount: int
    private: PrivateId | None = None


class TrainExported(Event):
    """The next new train left the game."""

    train: TrainName


class Formed(Event):
    """Minors became a major: what its president paid, and what it starts with."""

    player: PlayerId
    company: CompanyId
    minors: tuple[CompanyId, ...]
    par: int
    percent: int
    paid: int
    treasury: int
    trains: tuple[TrainName, ...]
    tokens: tuple[Coord, ...]


class United(Event):
    """A company was merged into another at a new price in dollars.

    `given_back`: hexes whose tokens returned to the charter.
    """

    company: CompanyId
    other: CompanyId
    president: PlayerId
    price: int
    treasury: int
    trains: tuple[TrainName, ...]
    given_back: tuple[Coord, ...]


class NationalFormed(Event):
    """A national company formed from `parts`, at its first price in dollars; `percent` is that of a share."""

    company: CompanyId
    parts: tuple[CompanyId, ...]
    president: PlayerId
    price: int
    percent: int
    treasury: int
    placed: int
    """Number of its tokens on the map; `left` is the number on its charter."""
    left: int


class NoNational(Event):
    """A national company did not form, since no player would have two shares of it."""

    company: CompanyId
    parts: tuple[CompanyId, ...]


class TookOver(Event):
    """A company took over an independent: its money in dollars and its trains; `treasury` is what it has now."""

    company: CompanyId
    other: CompanyId
    cash: int
    trains: tuple[TrainName, ...]
    treasury: int


class SubsidyPaid(Event):
    """The bank gave a company dollars as it started."""

    company: CompanyId
    amount: int


class WentIntoReceivership(Event):
    """A company has no president any more: the market holds its president's certificate."""

    company: CompanyId


class LeftReceivership(Event):
    """A player became president of a company in receivership."""

    company: CompanyId
    player: PlayerId


class SharesSurrendered(Event):
    """A bankrupt player's shares that could not be sold went to the market at the present price, which stays."""

    player: PlayerId
    company: CompanyId
    shares: int
    each: int


class SharesExchanged(Event):
    """Shares of companies became those of another one: player, shares, dollars for an odd one."""

    company: CompanyId
    players: tuple[tuple[PlayerId, int, int], ...]


class Shuffled(Event):
    """A company distributed its trains between its two charters."""

    company: CompanyId
    shells: Fact


class TokenReturned(Event):
    """A token went back to the charter."""

    company: CompanyId
    hex: Coord
    price: int


class Liquidated(Event):
    """A company without a train leaves the game; its treasury goes to the bank."""

    company: CompanyId
    treasury: int


class Eliminated(Event):
    """A bankrupt player is out of the game; their cash goes to the bank, or to a company."""

    player: PlayerId
    cash: int
    receiver: EntityId = BANK
