"""A title as a whole: money, limits, market, lays of a turn, what ends the game, and all the rest by its parts."""

from typing import Literal, TypeAlias

from pydantic import Field

from engine.core.errors import TitleError
from engine.core.ids import CompanyId, PhaseName, PrivateId, TileId, TrainName
from engine.core.spec.base import Spec
from engine.core.spec.companies import CompanySpec
from engine.core.spec.map import MapSpec, TileSpec
from engine.core.spec.privates import AuctionSpec, PrivateSpec
from engine.core.spec.trains import PhaseSpec, TrainSpec

DividendKind: TypeAlias = Literal["pay", "half", "withhold"]
"""What becomes of a company's revenue: to the shares, half of it (the rest to the treasury), to the treasury."""

ForcedSales: TypeAlias = Literal["last_share", "smallest_share"]
Bankruptcy: TypeAlias = Literal["ends", "eliminates"]

SaleMoves: TypeAlias = Literal["down", "presidents_left"]
"""A share sold moves the price a row down; or, where the president sells it, a cell to the left."""

MustOwn: TypeAlias = Literal["with_route", "always", "or_liquidated"]
"""When a company must own a train: where it has a route; in any case; or else it leaves the game."""


class PlayerCount(Spec):
    """Cash in dollars each player starts with and the certificate limit, for one number of players."""

    cash: int
    certificates: int


class ZoneSpec(Spec):
    """What the coloured cells of the stock market mean; `letter` marks them in the grid."""

    letter: str
    name: str
    legend: str
    counts_for_limit: bool = True
    over_holding_limit: bool = False
    several_purchases: bool = False
    ends_game: bool = False
    """Whether a price that gets here brings the end of the game."""
    from_phase: PhaseName | None = None
    """Phase from which a company may be started here."""


class MarketSpec(Spec):
    """The stock market, top row first; a cell is `95P` (par), `55y` (zone letter y) or `80`, a gap is `.`."""

    rows: tuple[str, ...]
    spaces: int = 0
    """How many rows from the top are spaces: a marker there never moves, and no two share one."""
    zones: tuple[ZoneSpec, ...] = ()


class LaySpec(Spec):
    """One of the tile lays of a company's turn: whether it may be an upgrade, and whether it may follow one."""

    upgrade: bool = True
    after_upgrade: bool = True


EndsAfter: TypeAlias = Literal["round", "set"]
"""The game ends after the operating round going on (from a stock round: the first one after it), or after the set."""


class EndSpec(Spec):
    """What is still played once the bank is broken, or a price has reached the end of the market."""

    bank: EndsAfter = "set"
    price: EndsAfter = "round"
    price_in_stock_round: bool = False
    """Whether a stock round in which a price gets there is the last round, without an operating round after it."""


class DrawSpec(Spec):
    """Of the companies of one kind chance draws so many for the start; a phase brings the others."""

    kind: str
    count: int
    until: PhaseName


class TitleSpec(Spec):
    """Everything a title's table says (see the module's docstring)."""

    id: str
    name: str
    note: str = ""
    """A word of warning for whoever chooses the title."""
    special: tuple[str, ...] = ()
    """Rules of its own that people should know, a line each with its section."""
    designer: str
    publisher: str
    bank: int
    players: dict[int, PlayerCount]
    revenue_steps: tuple[str, ...]
    """Name of each revenue column, in order: the colour whose tiles have appeared."""
    pool_limit: int
    """Percent of a company the market may hold."""
    holding_limit: int
    """Percent of a company a player may hold."""
    sale_moves: SaleMoves = "down"
    offering_price: Literal["par", "present"] = "par"
    """What a share of the offering costs, whatever it brings the company."""
    treasury_sells: bool = False
    """Whether players may buy shares that a company has itself, at the present price, which it gets."""
    must_own: dict[str, MustOwn] = Field(default_factory=dict)
    """When companies of a kind must own a train; the others must where they have a route."""
    auction: AuctionSpec = AuctionSpec()
    draw: DrawSpec | None = None
    """Companies that chance keeps back; None: all are there from the start."""
    forced_private_sales: bool = False
    """Whether a president may also sell privates to other players to pay for a train."""
    forced_sales: ForcedSales = "last_share"
    """What a president must not oversell by: the last share of a block, or the smallest amount any share brought."""
    president_pays_companies: bool = True
    """Whether in a forced purchase the president's money may buy another company's train."""
    bankruptcy: Bankruptcy = "ends"
    """What the bankruptcy of a president does: it ends the game, or puts him out of it."""
    exported: tuple[TrainName, ...] = ()
    """Kinds of new trains of which one leaves the game after each set of operating rounds."""
    dividends: tuple[DividendKind, ...] = ("pay", "withhold")
    """What a company may do with its revenue."""
    lays: tuple[LaySpec, ...] = (LaySpec(),)
    """Tile lays of a company's turn, in order, those of privates apart."""
    ends: EndSpec = EndSpec()
    buy_then_sell: bool = False
    """Whether the purchase of a stock turn may also come before all its sales."""
    sell_buy_sell: bool = False
    """Whether a stock turn may have sales both before and after its purchase."""
    private_trades: bool = False
    """Whether players may sell each other privates in stock rounds, at any price they agree on."""
    tiles: dict[TileId, TileSpec]
    map: MapSpec
    companies: dict[CompanyId, CompanySpec]
    privates: dict[PrivateId, PrivateSpec] = Field(default_factory=dict)
    trains: tuple[TrainSpec, ...]
    phases: tuple[PhaseSpec, ...]
    market: MarketSpec
    sections: dict[str, str] = Field(default_factory=dict)
    """Where this rulebook has a rule, by the topic of the fact that tells it, or by the whole name of the fact."""
    profiles: dict[str, tuple[str, ...]]
    """Flags that are switched on in each profile."""

    def train(self, name: TrainName) -> TrainSpec:
        """The train type of this name; raises TitleError."""
        for train in self.trains:
            if train.name == name:
                return train
        raise TitleError(f"{self.name} has no {name}-train")

    def phase(self, name: PhaseName) -> PhaseSpec:
        """The phase of this name; raises TitleError."""
        for phase in self.phases:
            if phase.name == name:
                return phase
        raise TitleError(f"{self.name} has no phase {name}")
