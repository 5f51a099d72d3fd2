"""What a title's table says: the printed facts of a game, checked on loading, without any rule code."""

from functools import cached_property
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, model_validator

from engine.core.errors import TitleError
from engine.core.ids import CompanyId, Coord, PhaseName, PrivateId, TileId, TrainName
from engine.core.topology import Topology, read_topology

Colour: TypeAlias = Literal["white", "yellow", "green", "brown", "gray", "red", "blue"]
DividendKind: TypeAlias = Literal["pay", "half", "withhold"]
"""What becomes of a company's revenue: to the shares, half of it (the rest to the treasury), to the treasury."""
ForcedSales: TypeAlias = Literal["last_share", "smallest_share"]


class _Spec(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PlayerCount(_Spec):
    """Cash in dollars each player starts with and the certificate limit, for one number of players."""

    cash: int
    certificates: int


class TileSpec(_Spec):
    """A tile: its colour, stops and track at rotation 0, label, and how many there are (None: unlimited)."""

    colour: Colour
    stops: tuple[str, ...] = ()
    track: str = ""
    label: str = ""
    count: int | None = 0
    by_power_only: bool = False
    """Whether only a private's power lays it: it brings its stop along."""
    permanent: bool = False
    """Whether no other tile may ever replace it."""

    @cached_property
    def topology(self) -> Topology:
        """Stops and track at rotation 0."""
        return read_topology(self.stops, self.track)


class HexSpec(_Spec):
    """A printed hex. White may be built on, yellow is printed track that may be upgraded, gray and red never change."""

    colour: Colour = "white"
    stops: tuple[str, ...] = ()
    track: str = ""
    label: str = ""
    name: str = ""
    cost: int = 0
    terrain: tuple[Literal["mountain", "water", "swamp"], ...] = ()
    group: str = ""
    """Stops with the same group name are one place for a route."""
    joined: tuple[int, ...] = ()
    """Edges where the border is not drawn: two hexes of one red area."""
    impassable: tuple[int, ...] = ()
    tiles: tuple[TileId, ...] = ()
    """When given, the only tiles that may ever lie here, in whatever order the colours allow."""
    icons: tuple[str, ...] = ()
    """Printed marks: `coal`."""

    @cached_property
    def topology(self) -> Topology:
        """Printed stops and track; a white city has a stop and no track."""
        return read_topology(self.stops, self.track)


class MapSpec(_Spec):
    """The map: orientation, which axis the letter names, and every hex by its printed coordinate."""

    layout: Literal["flat", "pointy"]
    letters: Literal["columns", "rows"]
    part_of_new_track: bool = False
    """Whether a lay is connected where any point of its new track is; else by the whole of a new piece."""
    one_stop_a_hex: bool = False
    """Whether stops of one hex are one place for a route, unless track inside the hex joins them."""
    plain: tuple[Coord, ...] = ()
    hexes: dict[Coord, HexSpec]

    @cached_property
    def all_hexes(self) -> dict[Coord, HexSpec]:
        """Every hex, the plain white ones included."""
        return {**{coord: HexSpec() for coord in self.plain}, **self.hexes}


Capital: TypeAlias = Literal["float", "sales"]
"""A company gets the par price of all its shares when it floats, or of each one sold from the offering at once."""


class HomeSpec(_Spec):
    """Where a company's first token goes: hex and index of the stop in that hex."""

    hex: Coord
    stop: int = 0


class ObjectiveSpec(_Spec):
    """A city that brings the company dollars from the bank, once, when it places a token there."""

    hex: Coord
    bonus: int


class CompanySpec(_Spec):
    """A public company: token prices in dollars (home first), certificates in percent.

    The president's certificate comes first; the others are of one size, and that is one share.
    """

    name: str
    colour: str
    home: HomeSpec
    tokens: tuple[int, ...]
    certificates: tuple[int, ...] = (20, 10, 10, 10, 10, 10, 10, 10, 10)
    float_percent: int = 60
    capital: Capital = "float"
    objective: ObjectiveSpec | None = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        president, *others = self.certificates
        if president + sum(others) != 100 or len(set(others)) > 1 or president % (others or [president])[0]:
            raise ValueError(f"{self.name}: certificates are 100 %, the president's some of the equal others")
        return self


class TileLayPower(_Spec):
    """The owning company may lay these tiles in these hexes, in its track step."""

    kind: Literal["tile_lay"]
    hexes: tuple[Coord, ...]
    tiles: tuple[TileId, ...]
    lays: int = 1
    """How many tiles belong together: all of them or none, joined by track over the common edge."""
    free: bool = False
    """Whether terrain costs nothing."""
    extra: bool = True
    """Whether it comes on top of the company's normal lay (else it replaces it)."""
    token: bool = False
    """Whether the company may at once place its next token there, free, as its token of the turn."""


class SharePower(_Spec):
    """Whoever buys this private gets a certificate at once (president: and sets the par price)."""

    kind: Literal["share"]
    company: CompanyId | Literal["random"]
    president: bool = False
    closes: bool = False
    """Whether the private is gone as soon as it has brought the certificate."""


class ClosesOnTrainPower(_Spec):
    """The private closes when the company whose share it brought buys its first train."""

    kind: Literal["closes_on_train"]


class CityBonusPower(_Spec):
    """The owning company may put a named token in one of these hexes: its trains earn `bonus` dollars more there."""

    kind: Literal["city_bonus"]
    name: str
    hexes: tuple[Coord, ...]
    bonus: int
    until: PhaseName
    """Phase whose start removes the token."""


class RouteBonusPower(_Spec):
    """A company that buys the private gets a named marker.

    One train a turn earns `bonus` dollars if its route visits all the hexes.
    """

    kind: Literal["route_bonus"]
    name: str
    hexes: tuple[Coord, ...]
    bonus: int


class TrainDiscountPower(_Spec):
    """The owning company may buy one of these new trains for `percent` of its price, which closes the private."""

    kind: Literal["train_discount"]
    trains: tuple[TrainName, ...]
    percent: int


Power: TypeAlias = Annotated[
    TileLayPower | SharePower | ClosesOnTrainPower | CityBonusPower | RouteBonusPower | TrainDiscountPower,
    Field(discriminator="kind"),
]


class PrivateSpec(_Spec):
    """A private company: face value and income in dollars, hexes it blocks while a player owns it."""

    name: str
    number: str
    value: int
    income: int
    blocks: tuple[Coord, ...] = ()
    powers: tuple[Power, ...] = ()
    sold_to_companies: bool = True


class TradeIn(_Spec):
    """Price in dollars when one of these trains is handed in."""

    accepts: tuple[TrainName, ...]
    price: int


class TrainSpec(_Spec):
    """A train type: how many (None: unlimited), price, stops it may count (None: any number)."""

    name: TrainName
    price: int
    count: int | None = None
    stops: int | None = None
    towns: Literal["counted", "free", "optional"] = "counted"
    """Whether towns use up stops, are visited freely and paid, or may be passed by for nothing."""
    factor: int = 1
    """What the value of the stops that count is multiplied by."""
    token_factor: int = 1
    """What the value of the stops that count is multiplied by, too, where an own token lies."""
    joins: bool = False
    """Whether all such trains of a company run as one, the shortest, which earns that many times as much."""
    rusts_on: PhaseName | None = None
    """Phase whose start removes all of them."""
    obsolete_on: PhaseName | None = None
    """Phase whose start lets them run once more before they leave."""
    available_from: PhaseName | None = None
    """Phase from which it is for sale beside the cheaper trains still left."""
    trade_in: TradeIn | None = None


class PhaseSpec(_Spec):
    """A phase: starts when the `nth` new `train` leaves the bank; `operating_rounds` count from the next set on."""

    name: PhaseName
    tiles: tuple[Colour, ...]
    train_limit: int
    operating_rounds: int
    revenue_step: int
    train: TrainName | None = None
    nth: int = 1
    bank_trains: int | None = None
    """Trains of bank and pool together that a company may buy in one turn; None: any number."""
    buy_privates: tuple[int, int] | None = None
    """Percent of face value, from and to, at which companies may buy privates; None: not at all."""
    closes_privates: bool = False


class ZoneSpec(_Spec):
    """What the coloured cells of the stock market mean; `letter` marks them in the grid."""

    letter: str
    name: str
    legend: str
    counts_for_limit: bool = True
    over_holding_limit: bool = False
    several_purchases: bool = False
    ends_game: bool = False
    """Whether a price that gets here brings the end of the game."""


class AuctionSpec(_Spec):
    """How the privates are sold at the start."""

    in_stock_rounds: bool = False
    """Whether privates are sold in the stock rounds, before any shares, instead of in a round of their own."""
    contest: Literal["lowest_bidder", "clockwise"] = "lowest_bidder"
    """Among several bidders the lowest acts and a pass is final, or they go round until all others pass in a row."""
    multiple: int = 5
    """Bids are multiples of so many dollars above the least one."""
    all_bids_bind: bool = False
    """Whether money of outbid bids stays set aside, too, until the private is sold."""


class MarketSpec(_Spec):
    """The stock market, top row first; a cell is `95P` (par), `55y` (zone letter y) or `80`."""

    rows: tuple[str, ...]
    zones: tuple[ZoneSpec, ...] = ()


class LaySpec(_Spec):
    """One of the tile lays of a company's turn: whether it may be an upgrade, and whether it may follow one."""

    upgrade: bool = True
    after_upgrade: bool = True


EndsAfter: TypeAlias = Literal["round", "set"]
"""The game ends after the operating round going on (from a stock round: the first one after it), or after the set."""


class EndSpec(_Spec):
    """What is still played once the bank is broken, or a price has reached the end of the market."""

    bank: EndsAfter = "set"
    price: EndsAfter = "round"
    price_in_stock_round: bool = False
    """Whether a stock round in which a price gets there is the last round, without an operating round after it."""


class TitleSpec(_Spec):
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
    auction: AuctionSpec = AuctionSpec()
    forced_private_sales: bool = False
    """Whether a president may also sell privates to other players to pay for a train."""
    forced_sales: ForcedSales = "last_share"
    """What a president must not oversell by: the last share of a block, or the smallest amount any share brought."""
    president_pays_companies: bool = True
    """Whether in a forced purchase the president's money may buy another company's train."""
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
    privates: dict[PrivateId, PrivateSpec]
    trains: tuple[TrainSpec, ...]
    phases: tuple[PhaseSpec, ...]
    market: MarketSpec
    sections: dict[str, str] = {}
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
