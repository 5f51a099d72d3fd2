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
    """Privates paid their income: owner, private and dollars of each."""

    payments: tuple[tuple[EntityId, PrivateId, int], ...]


class HomePlaced(Event):
    """A company placed its home token."""

    company: CompanyId
    hex: Coord


class TileLaid(Event):
    """A tile was laid; `cost` is the terrain cost, `treasury` the company's money after paying it."""

    company: CompanyId
    hex: Coord
    tile: TileId
    rotation: int
    cost: int
    treasury: int
    private: PrivateId | None


class TokenPlaced(Event):
    """A station token was placed; `treasury` is the company's money after paying for it."""

    company: CompanyId
    hex: Coord
    cost: int
    treasury: int


class Skipped(Event):
    """A step of a company's turn was skipped because no action was possible; `reason` says why."""

    company: CompanyId
    step: str
    reason: Fact


class Ran(Event):
    """Trains ran: train, stops, and the revenue of each stop."""

    company: CompanyId
    runs: tuple[tuple[TrainName, tuple[Coord, ...], tuple[int, ...]], ...]
    revenue: int


class DestinationReached(Event):
    """A company ran to a destination and placed its token there. The destination is its own or a merged company's
    (`of`).

    `beside`: the token takes no space. `spared`: the company already has a token there and keeps this one for another
    city.
    """

    company: CompanyId
    of: CompanyId
    hex: Coord
    beside: bool
    spared: bool


class CoastsJoined(Event):
    """A company proved a run from coast to coast: both ends of the route, and the share price before and after."""

    company: CompanyId
    train: TrainName
    start: Coord
    end: Coord
    old: int
    new: int


class Paid(Event):
    """A company paid out or withheld: dollars per share (or 0), dollars kept, share price before and after."""

    company: CompanyId
    revenue: int
    per_share: int
    kept: int
    old: int
    new: int


class HalfPaid(Event):
    """A company with a single owner paid them half its revenue and kept the other half."""

    company: CompanyId
    revenue: int
    owner: PlayerId
    amount: int


class MarkersGiven(Event):
    """An event of the title gave companies a marker."""

    marker: str
    companies: tuple[CompanyId, ...]


class IncomeLost(Event):
    """A marker cost the company the revenue of a run; its share price stays."""

    company: CompanyId
    amount: int
    marker: str


class MarkerReceived(Event):
    """A company received a private's marker; `hex` is the place of its token, empty if the marker is on the charter."""

    company: CompanyId
    name: str
    hex: Coord


class MarkerBought(Event):
    """A company bought one of a private's markers from the bank or another company."""

    company: CompanyId
    name: str
    source: str
    price: int


class BullPlaced(Event):
    """A company placed its bull token; `lost` is the number of tokens on its charter that left the game."""

    company: CompanyId
    hex: Coord
    beside: bool
    """True if the token takes no space there."""
    lost: int


class Relabelled(Event):
    """A company used a private to give a city another label."""

    company: CompanyId
    private: PrivateId
    hex: Coord
    label: str


class GivenUp(Event):
    """A company closed a private: dollars off the terrain of a turn, or, if `dollars` is 0, another token."""

    company: CompanyId
    private: PrivateId
    dollars: int


class MarkerLost(Event):
    """A company's marker left the game."""

    company: CompanyId
    name: str


class ObjectiveReached(Event):
    """A company placed a token in the city of its historical objective and received the bonus from the bank."""

    company: CompanyId
    hex: Coord
    bonus: int


class BonusReceived(Event):
    """A company reached a place that pays a bonus from the bank."""

    company: CompanyId
    hex: Coord
    bonus: int


class HelpFeePaid(Event):
    """A president paid the bank a fee for adding their own money to a company's purchase."""

    player: PlayerId
    company: CompanyId
    amount: int


class DebtGrew(Event):
    """A player's debt to the bank grew by a loan's fee or by interest; `debt` is the whole debt now."""

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
    """A train was bought; `contribution` is the president's money, `traded` the train handed in (or empty)."""

    company: CompanyId
    train: TrainName
    source: str
    price: int
    contribution: int
    traded: str
    treasury: int


class TrainReceived(Event):
    """A company received the train that was set aside for a private."""

    company: CompanyId
    train: TrainName
    private: PrivateId


class TrainDeclined(Event):
    """The train set aside for a private left the game, because it was too late or the company had no room for it."""

    company: CompanyId
    train: TrainName
    private: PrivateId


class TrainAgreed(Event):
    """A company agreed to buy another company's train, but its president must first raise `missing` dollars."""

    company: CompanyId
    train: TrainName
    source: CompanyId
    price: int
    missing: int


class PhaseStarted(Event):
    """A new phase started."""

    phase: PhaseName


class Rusted(Event):
    """All trains of a type left the game: each owner and its number of trains."""

    train: TrainName
    owners: tuple[tuple[CompanyId, int], ...]


class MadeObsolete(Event):
    """Trains of a type became obsolete: companies in `kept` run them once more, those in `lost` lose them now."""

    train: TrainName
    kept: tuple[CompanyId, ...]
    lost: tuple[CompanyId, ...]


class ObsoleteGone(Event):
    """A company's obsolete trains left after their last run."""

    company: CompanyId
    trains: tuple[TrainName, ...]


class Compensated(Event):
    """The bank compensated a company for a lost train."""

    company: CompanyId
    train: TrainName
    amount: int


class TrainDiscarded(Event):
    """A company discarded a train above its limit."""

    company: CompanyId
    train: TrainName
    obsolete: bool = False
    """True if the train was obsolete and left the game; other trains go to the bank pool."""


class TrainAdded(Event):
    """A train was added before the other new trains of the bank."""

    train: TrainName


class TilesTakenBack(Event):
    """Tiles were removed from these hexes and returned to the supply."""

    hexes: tuple[Coord, ...]


class LayRewarded(Event):
    """The bank paid a company, or a private's owner, for a tile that was laid."""

    receiver: EntityId
    hex: Coord
    amount: int
    private: PrivateId | None = None


class TrainExported(Event):
    """The next new train of the bank left the game."""

    train: TrainName


class Formed(Event):
    """Minors formed a major: the dollars that its president paid, and its starting treasury, trains and tokens."""

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
    """A company was merged into another at a new share price.

    `given_back` lists the hexes whose tokens returned to the charter.
    """

    company: CompanyId
    other: CompanyId
    president: PlayerId
    price: int
    treasury: int
    trains: tuple[TrainName, ...]
    given_back: tuple[Coord, ...]


class NationalFormed(Event):
    """A national company formed from `parts`, at its first share price; `percent` is the size of one share."""

    company: CompanyId
    parts: tuple[CompanyId, ...]
    president: PlayerId
    price: int
    percent: int
    treasury: int
    placed: int
    """Number of its tokens on the map; `left` is the number of tokens on its charter."""
    left: int


class NoNational(Event):
    """A national company did not form, because no player would have two of its shares."""

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
    """Shares were exchanged for shares of `company`: player, shares, and dollars for an odd share."""

    company: CompanyId
    players: tuple[tuple[PlayerId, int, int], ...]


class Shuffled(Event):
    """A company distributed its trains between its two charters."""

    company: CompanyId
    shells: Fact


class TokenReturned(Event):
    """A token returned from the map to the charter."""

    company: CompanyId
    hex: Coord
    price: int


class Liquidated(Event):
    """A company without a train left the game; its treasury went to the bank."""

    company: CompanyId
    treasury: int


class Eliminated(Event):
    """A bankrupt player is out of the game; their cash goes to the bank, or to a company."""

    player: PlayerId
    cash: int
    receiver: EntityId = BANK
