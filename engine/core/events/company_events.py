"""Events of companies: their turns, trains and phases, privates and markers, mergers. Money is in dollars."""

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
    """Privates paid their income: (owner, private, dollars) for each."""

    payments: tuple[tuple[EntityId, PrivateId, int], ...]


class HomePlaced(Event):
    """A company placed its home token."""

    company: CompanyId
    hex: Coord


class TileLaid(Event):
    """A tile was laid. `cost` is the terrain cost; `treasury` is the company's money afterwards."""

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


class StepSkipped(Event):
    """A step of a company's turn was skipped because no action was possible; `reason` is the cause."""

    company: CompanyId
    step: str
    reason: Fact


class TrainsRan(Event):
    """A company ran its trains: for each train its stops and the revenue of each stop."""

    company: CompanyId
    runs: tuple[tuple[TrainName, tuple[Coord, ...], tuple[int, ...]], ...]
    revenue: int


class DestinationReached(Event):
    """A company ran to a destination (18C2C) and placed a token there.

    `destination_company` is the company whose destination it is, which may have merged into this one. If
    `takes_no_space`, the token takes no token space. If `keeps_reserved_token`, the company already had a token there
    and keeps its reserved token for another city.
    """

    company: CompanyId
    destination_company: CompanyId
    hex: Coord
    takes_no_space: bool
    keeps_reserved_token: bool


class CoastToCoastRunProved(Event):
    """A company proved a run from coast to coast (18C2C): both ends of the route, and the old and new share price."""

    company: CompanyId
    train: TrainName
    start: Coord
    end: Coord
    old_price: int
    new_price: int


class DividendDecided(Event):
    """A company paid out or withheld: dollars per share (or 0), dollars withheld, and the old and new share price."""

    company: CompanyId
    revenue: int
    dividend_per_share: int
    dollars_withheld: int
    old_price: int
    new_price: int


class HalfPaid(Event):
    """A company with a single owner paid the owner half of its revenue and kept the other half."""

    company: CompanyId
    revenue: int
    owner: PlayerId
    amount: int


class MarkersGiven(Event):
    """A special event of the title, such as the Civil War in 18TN, gave these companies a marker."""

    marker: str
    companies: tuple[CompanyId, ...]


class RevenueLost(Event):
    """A marker, such as the Civil War's in 18TN, took away a company's revenue for one run; its share price stayed."""

    company: CompanyId
    amount: int
    marker: str


class MarkerReceived(Event):
    """A company received a private's marker. `hex` is the place of the marker; empty if it lies on the charter."""

    company: CompanyId
    marker: str
    hex: Coord


class MarkerBought(Event):
    """A company bought one of a private's markers from the bank or another company."""

    company: CompanyId
    marker: str
    source: str
    price: int


class BullPlaced(Event):
    """A company placed a bull token (18C2C); `lost_token_count` tokens on its charter left the game."""

    company: CompanyId
    hex: Coord
    takes_no_space: bool
    """True if the token lies beside the token spaces of its city and takes none."""
    lost_token_count: int


class CityRelabelled(Event):
    """A company used a private's power to change the label of a city."""

    company: CompanyId
    private: PrivateId
    hex: Coord
    label: str


class PrivateGivenUp(Event):
    """A company closed its private for a benefit.

    The benefit is `dollars` towards this turn's terrain costs. If `dollars` is 0, only this company earns from the
    private's token from now on.
    """

    company: CompanyId
    private: PrivateId
    dollars: int


class MarkerLost(Event):
    """A company's marker left the game."""

    company: CompanyId
    marker: str


class ObjectiveReached(Event):
    """A company placed a token in the city of its historical objective and received the bonus from the bank."""

    company: CompanyId
    hex: Coord
    bonus: int


class BonusReceived(Event):
    """A company reached a place for which the bank pays it a bonus."""

    company: CompanyId
    hex: Coord
    bonus: int


class HelpFeePaid(Event):
    """A president paid the bank a fee for adding personal cash to their company's train purchase."""

    player: PlayerId
    company: CompanyId
    amount: int


class DebtGrew(Event):
    """A player's debt to the bank grew by a loan fee or by interest; `debt` is the new total."""

    player: PlayerId
    amount: int
    debt: int


class PrivateClosed(Event):
    """A private closed."""

    private: PrivateId


class PrivateSold(Event):
    """A company or a player bought a private from another player."""

    buyer: EntityId
    private: PrivateId
    seller: PlayerId
    price: int


class TrainBought(Event):
    """A train was bought.

    `contribution` is the number of dollars that the president paid, `traded_in_train` the train handed in (or empty).
    """

    company: CompanyId
    train: TrainName
    source: str
    price: int
    contribution: int
    traded_in_train: str
    treasury: int


class TrainReceived(Event):
    """A company received the train that comes with a private."""

    company: CompanyId
    train: TrainName
    private: PrivateId


class PrivateTrainForfeited(Event):
    """The train that comes with a private left the game: the company got it too late or had no room for it."""

    company: CompanyId
    train: TrainName
    private: PrivateId


class TrainPurchaseAgreed(Event):
    """A company agreed to buy another company's train. The buyer's president must first raise `missing_dollars`."""

    company: CompanyId
    train: TrainName
    source: CompanyId
    price: int
    missing_dollars: int


class PhaseStarted(Event):
    """A new phase started."""

    phase: PhaseName


class TrainsRusted(Event):
    """All trains of a type rusted: each owner and the number of trains lost."""

    train: TrainName
    owners: tuple[tuple[CompanyId, int], ...]


class TrainsMadeObsolete(Event):
    """Trains of a type became obsolete: those in `kept_by` run them once more, those in `lost_by` lose them now."""

    train: TrainName
    kept_by: tuple[CompanyId, ...]
    lost_by: tuple[CompanyId, ...]


class ObsoleteTrainsRemoved(Event):
    """A company's obsolete trains left the game after their last run."""

    company: CompanyId
    trains: tuple[TrainName, ...]


class CompensationPaid(Event):
    """The bank compensated a company for a lost train."""

    company: CompanyId
    train: TrainName
    amount: int


class TrainDiscarded(Event):
    """A company discarded a train above its limit."""

    company: CompanyId
    train: TrainName
    is_obsolete: bool = False
    """True if the train was obsolete and left the game; other trains go to the bank pool."""


class TrainAdded(Event):
    """The bank got one more train of the cheapest new type (1882)."""

    train: TrainName


class TilesTakenBack(Event):
    """Tiles were removed from these hexes and returned to the supply."""

    hexes: tuple[Coord, ...]


class LayRewarded(Event):
    """The bank paid a company, or the owner of a private, for laying a tile."""

    receiver: EntityId
    hex: Coord
    amount: int
    private: PrivateId | None = None


class TrainExported(Event):
    """The bank's next new train was exported: it left the game."""

    train: TrainName


class MajorFormed(Event):
    """Minors merged into a major: its president's payment in dollars, and its starting treasury, trains and tokens."""

    player: PlayerId
    company: CompanyId
    minors: tuple[CompanyId, ...]
    par: int
    percent: int
    dollars_paid: int
    treasury: int
    trains: tuple[TrainName, ...]
    tokens: tuple[Coord, ...]


class CompaniesUnited(Event):
    """A company absorbed another one in a merger (18C2C), at a new share price.

    `returned_token_hexes` lists the hexes whose tokens returned to the charter.
    """

    company: CompanyId
    absorbed_company: CompanyId
    president: PlayerId
    price: int
    treasury: int
    trains: tuple[TrainName, ...]
    returned_token_hexes: tuple[Coord, ...]


class NationalFormed(Event):
    """A national company formed from the companies in `merging_companies`; `percent` is the size of one share."""

    company: CompanyId
    merging_companies: tuple[CompanyId, ...]
    president: PlayerId
    price: int
    percent: int
    treasury: int
    placed_token_count: int
    """Number of the national's tokens placed on the map; `unplaced_token_count` is the number left on its charter."""
    unplaced_token_count: int


class NationalNotFormed(Event):
    """A national company did not form, because no player would hold two of its shares."""

    company: CompanyId
    merging_companies: tuple[CompanyId, ...]


class TookOver(Event):
    """A company took over an independent (1846) with its cash and trains.

    `treasury` is the company's money afterwards.
    """

    company: CompanyId
    independent: CompanyId
    cash: int
    trains: tuple[TrainName, ...]
    treasury: int


class SubsidyPaid(Event):
    """The bank paid a company a subsidy when it started."""

    company: CompanyId
    amount: int


class WentIntoReceivership(Event):
    """A company went into receivership: the market holds its president's certificate."""

    company: CompanyId


class LeftReceivership(Event):
    """A player became president of a company in receivership."""

    company: CompanyId
    player: PlayerId


class SharesSurrendered(Event):
    """A bankrupt player's shares that could not be sold went to the market. The share price did not change."""

    player: PlayerId
    company: CompanyId
    shares: int
    price_per_share: int


class SharesExchanged(Event):
    """Shares were exchanged for shares of `company`: (player, shares, dollars paid for an odd share) for each."""

    company: CompanyId
    players: tuple[tuple[PlayerId, int, int], ...]


class TrainsShuffled(Event):
    """A merged company (18C2C) divided its trains between its two charters."""

    company: CompanyId
    charter_trains: Fact


class TokenReturned(Event):
    """A station token returned from the map to its company's charter."""

    company: CompanyId
    hex: Coord
    price: int


class Liquidated(Event):
    """A company without a train was liquidated: it left the game, and its treasury went to the bank."""

    company: CompanyId
    treasury: int


class PlayerEliminated(Event):
    """A bankrupt player left the game; their cash went to the bank or to a company."""

    player: PlayerId
    cash: int
    receiver: EntityId = BANK
