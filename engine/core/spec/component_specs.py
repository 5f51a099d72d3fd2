"""The printed components in the box: map, tiles, companies, trains, and the phases that trains start."""

from functools import cached_property
from typing import Final, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from engine.core.ids import Coord, PhaseName, TileId, TrainName
from engine.core.memory import CachesResults
from engine.core.topology import Topology, read_topology


class Spec(BaseModel):
    """Base of a title's data: immutable; an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def __copy__(self) -> Self:
        """The same fields with an empty cache, since a copy may change some of them."""
        copied = super().__copy__()
        for name in copied.__dict__.keys() - type(self).model_fields.keys():
            del copied.__dict__[name]
        return copied


Colour: TypeAlias = Literal["white", "yellow", "green", "brown", "gray", "red", "blue"]
COLOURS: Final[tuple[Colour, ...]] = ("white", "yellow", "green", "brown", "gray")
"""Tile colours in order: each may be upgraded to the next."""

PLAY_LABEL_COLOUR: Final[Colour] = "brown"
"""First colour at which tiles need the label that a hex was given during the game."""

Terrain: TypeAlias = Literal["mountain", "water", "swamp"]


class TileSpec(Spec):
    """A tile: its colour, stops and track at rotation 0, label, and number of copies (None: unlimited)."""

    colour: Colour
    """Colour of the tile."""
    stops: tuple[str, ...] = ()
    """Stops of the tile, named a, b, ... in this order."""
    track: str = ""
    """Pieces of track of the tile."""
    label: str = ""
    """Label: the tile fits only hexes with the same label."""
    count: int | None = 0
    """Number of copies of the tile, from `tile_counts`; None: unlimited."""
    by_power_only: bool = False
    """True if only a private's power may lay the tile, which adds a stop to the hex."""
    permanent: bool = False
    """True if no other tile may replace it."""
    upgrade_cost: int = Field(default=0, ge=0)
    """Dollars that an upgrade of this tile costs."""
    gives_way_to: TileId = ""
    """The tile that must be laid instead wherever it fits, while a copy is left."""

    @cached_property
    def topology(self) -> Topology:
        """Stops and track at rotation 0."""
        return read_topology(self.stops, self.track)


class HexSpec(Spec):
    """A printed hex. White ones take tiles, yellow ones have track that may be upgraded, gray and red never change."""

    colour: Colour = "white"
    """Printed colour of the hex."""
    stops: tuple[str, ...] = ()
    """Printed stops of the hex, named a, b, ... in this order."""
    track: str = ""
    """Printed track of the hex."""
    label: str = ""
    """Label that tiles here must have."""
    label_from: Colour | None = None
    """First colour at which tiles here must have the label; None: all tiles."""
    name: str = ""
    """The name of the place."""
    zone: str = ""
    """The part of the board to which the hex belongs."""
    cost: int = Field(default=0, ge=0)
    """Dollars that the first tile here costs."""
    terrain: tuple[Terrain, ...] = ()
    """Kinds of terrain for which the cost is paid."""
    group: str = ""
    """Name shared by stops that count as one place for a route."""
    joined: tuple[int, ...] = ()
    """Edges without a drawn border, between two hexes of one red area."""
    impassable: tuple[int, ...] = ()
    """Edges that no track may cross."""
    tiles: tuple[TileId, ...] = ()
    """The only tiles that may be laid here, in any order that the colours allow; empty: any tile that fits."""
    icons: tuple[str, ...] = ()
    """Printed icons, such as `coal`."""
    through: bool = False
    """True if trains may run through this red area."""
    uncounted: bool = False
    """True if its stop does not count against a train's limit. A route with it and only one other stop does not oblige
    a company to own a train.
    """
    opens: tuple[PhaseName, ...] = ()
    """For each token space of the stop, the phase that opens it; none given: all are open from the start."""

    @cached_property
    def topology(self) -> Topology:
        """Printed stops and track; a printed white city has a stop without track."""
        return read_topology(self.stops, self.track)


class HexGroup(Spec):
    """Hexes printed alike, without stops."""

    name: str
    """Name of the group; a variant uses it to override the group."""
    hexes: str
    """Coordinates of the hexes, separated by spaces."""
    zone: str = ""
    """The part of the board to which the hexes belong."""
    cost: int = Field(default=0, ge=0)
    """Dollars that the first tile in each hex costs."""
    terrain: tuple[Terrain, ...] = ()
    """Kinds of terrain for which the cost is paid."""

    def printed(self) -> dict[Coord, HexSpec]:
        """Each hex of the group, by coordinate."""
        shared_spec = HexSpec(zone=self.zone, cost=self.cost, terrain=self.terrain)
        return dict.fromkeys(self.hexes.split(), shared_spec)


class MapSpec(Spec, CachesResults):
    """The map: orientation, coordinate axes, and every hex by its printed coordinate."""

    layout: Literal["flat", "pointy"]
    """Orientation: hexes have a flat side or a point at the top."""
    letters: Literal["columns", "rows"]
    """Axis that the letter of a coordinate counts; the number counts the other axis."""
    part_of_new_track: bool = False
    """True if a lay counts as connected at any point of its new track; else a whole new piece must be connected."""
    one_stop_a_hex: bool = False
    """True if the stops of one hex count as one place for a route, unless track inside the hex joins them."""
    one_stop_a_hex_binds: Literal["routes", "runs"] = "routes"
    """Routes to which `one_stop_a_hex` applies: all, also for laying track and placing tokens, or only train runs."""
    permissive_track: bool = False
    """True if an upgrade is connected at any of its track; its new track need not be on a route."""
    home_track_first: bool = True
    """True if a company must have track in its home hex before it lays a tile elsewhere."""
    river: tuple[str, ...] = ()
    """Borders along the river, such as `B47-B45`; track across them crosses the river."""
    border_costs: dict[int, tuple[str, ...]] = Field(default_factory=dict)
    """Borders, such as `B4-C3`, by the dollars that the first tile to join track across them costs."""
    plain: tuple[Coord, ...] = ()
    """White hexes without anything printed."""
    groups: tuple[HexGroup, ...] = ()
    """Groups of hexes that are printed alike."""
    hexes: dict[Coord, HexSpec]
    """All other hexes, by coordinate."""

    def with_hexes(self, hexes: dict[Coord, HexSpec]) -> "MapSpec":
        """A copy of the map with these hexes in place of `hexes`, and an empty cache."""
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return MapSpec.model_construct(**{**fields, "hexes": hexes})

    @cached_property
    def all_hexes(self) -> dict[Coord, HexSpec]:
        """Every hex, by coordinate: plain, in groups, and the others."""
        plain_hexes = dict.fromkeys(self.plain, HexSpec())
        group_hexes = {coord: hex_ for group in self.groups for coord, hex_ in group.printed().items()}
        return {**plain_hexes, **group_hexes, **self.hexes}


Capital: TypeAlias = Literal["float", "sales", "treasury"]
"""A company gets the par price of all its shares when it floats, or of each share sold from the IPO at once; or its
shares lie in its own treasury, and it gets what is paid for them.
"""


class HomeSpec(Spec):
    """The place of a company's home token."""

    hex: Coord
    """The hex of the city."""
    stop: int = 0
    """Index of the city among the stops of the hex, from 0."""
    chosen: bool = False
    """True if the city is chosen from the cities of the hex, at the start of the company's first turn. If the hex has
    no track then, the company that lays the first tile there chooses.
    """
    keeps: Literal["city", "hex"] = "city"
    """Spaces kept free until the company's token lies there: one space in its city, or the whole hex."""
    from_start: bool = False
    """True if the token is on the map, and blocks, from the start of the game."""


class ObjectiveSpec(Spec):
    """A city that pays the company a bonus from the bank, once, when it places a token there."""

    hex: Coord
    """Hex of the city."""
    bonus: int
    """Dollars from the bank."""


class ReservedSpec(Spec):
    """A city where a space is kept for one of a company's tokens, with prices of its own."""

    hex: Coord
    """Hex of the city."""
    connected: int
    """Dollars for the token if the company reaches the city."""
    anywhere: int | None = None
    """Dollars for the token if it does not; None: it must reach the city."""
    until: PhaseName
    """Phase whose start opens the space to all."""


class CompanySpec(Spec):
    """A public company: token prices in dollars (home first), certificates in percent.

    The president's certificate comes first. The other certificates are of equal size: one share each.
    """

    name: str
    """Full name; the table is keyed by abbreviation."""
    colour: str
    """Colour of its tokens, as `#rrggbb`."""
    kind: str = "public"
    """The kind of company in the title's words; rules may differ by kind."""
    home: HomeSpec | None = None
    """Home of the company; None: it starts in a city where it takes over a token."""
    more_homes: tuple[HomeSpec, ...] = ()
    """Homes of further tokens, placed together with the home token; their spaces are reserved."""
    tokens: tuple[int, ...]
    """Price in dollars of each token; the first is the home token."""
    tokens_block: bool = True
    """False if its tokens are neutral: they do not block, and other companies place them."""
    neutral_tokens: int = 0
    """Number of neutral tokens that it may place."""
    certificates: tuple[int, ...] = (20, 10, 10, 10, 10, 10, 10, 10, 10)
    """Percent of each certificate, the president's first."""
    shares: int = 1
    """Number of shares that a certificate of 100 % counts as."""
    float_percent: int = 60
    """Percent that must be sold from the IPO before it floats."""
    capital: Capital = "float"
    """When the company gets money for its shares."""
    reserved: ReservedSpec | None = None
    """A city where a space is kept for the company; None: there is none."""
    objective: ObjectiveSpec | None = None
    """Historical objective of the company; None: it has none."""
    base: str = ""
    """Zone of the board where the company is based."""
    destination: tuple[Coord, ...] = ()
    """Hexes of the company's destination."""

    @model_validator(mode="after")
    def _check_certificates(self) -> Self:
        president, *others = self.certificates
        if president + sum(others) != 100 or len(set(others)) > 1 or president % (others or [president])[0]:
            raise ValueError(
                f"{self.name}: the certificates must add up to 100 %; all but the "
                "president's must be equal, and the president's a multiple of them"
            )
        return self


class TradeIn(Spec):
    """A reduced train price in dollars for trading in a train."""

    accepts: tuple[TrainName, ...]
    """Trains that can be traded in."""
    price: int
    """Reduced price in dollars."""


class TrainSpec(Spec):
    """A train type: number of trains (None: unlimited), price, and number of stops (None: any)."""

    name: TrainName
    """Name of the train type."""
    price: int
    """Price in dollars."""
    count: int | None = None
    """Number of trains of the type; `unlimited` in the data is read as None."""
    stops: int | None = None
    """Stops that the train may count; none: any number."""
    visits: int | None = None
    """Stops that the train may visit, of which it counts those that earn most; none: it counts all."""
    towns: Literal["counted", "free", "optional"] = "counted"
    """Rule for towns: they count as stops, pay without counting as stops, or may be skipped."""
    factor: int = 1
    """Multiplier for the revenue of counted stops."""
    token_factor: int = 1
    """Additional multiplier for stops with a token of the company."""
    unfolds: int | None = None
    """Number of stops when run unfolded, that is, without doubling; None: it cannot be unfolded."""
    revenue_step: int | None = None
    """Its own column of `revenue_steps`, from 0; None: the column of the phase."""
    joins: bool = False
    """True if a company's trains of this type run together as one train, as long as the shortest, that earns its
    revenue once for each train.
    """
    rusts_on: PhaseName | None = None
    """Phase whose start rusts the trains."""
    obsolete_on: PhaseName | None = None
    """Phase whose start makes the trains obsolete: they run once more."""
    leaves_after: int | None = None
    """Number of the set of operating rounds after which the trains leave the game; None: they stay."""
    salvage: int = 0
    """Dollars that the bank pays a company for each of these trains that rusts or leaves."""
    available_from: PhaseName | None = None
    """Phase from which the train is for sale although cheaper trains are left."""
    face_of: TrainName | None = None
    """Train on the other side of the card: the buyer chooses a side, and the bank has one card less."""
    trade_in: TradeIn | None = None
    """Reduced price for a trade-in; None: no train can be traded in."""

    @field_validator("count", mode="before")
    @classmethod
    def _read_unlimited(cls, count: object) -> object:
        return None if count == "unlimited" else count


class PhaseSpec(Spec):
    """A phase. It starts when the `nth` new `train` leaves the bank; `operating_rounds` applies from the next set."""

    name: PhaseName
    """The phase, named after the train that starts it."""
    tiles: tuple[Colour, ...]
    """Colours of tiles that may be laid."""
    train_limit: int
    """Train limit of a company."""
    train_limits: dict[str, int] = Field(default_factory=dict)
    """Train limits of other kinds of companies, by kind."""
    operating_rounds: int
    """Number of operating rounds in a set."""
    revenue_step: int
    """Column of `revenue_steps` in this phase, from 0."""
    train: TrainName | None = None
    """The train whose purchase starts the phase; None: the game begins in it."""
    nth: int = 1
    """Number, from 1, of the new train of this type that starts the phase."""
    starts_in: tuple[int, int] | None = None
    """Set and number, both from 1, of the operating round that starts the phase instead of a train."""
    bank_trains: int | None = None
    """Number of trains that a company may buy from bank and pool together in one turn; None: any."""
    buy_privates: tuple[int, int] | None = None
    """Lowest and highest price in percent of face value at which companies may buy privates; None: they may not."""
    closes_privates: bool = False
    """True if the privates close at the start of the phase."""
    note: str = ""
    """Other changes at the start of the phase, in a few words."""
    points: tuple[int, int] | None = None
    """Tile points of a turn: the general number, and the number if all tiles of the turn lie in the favoured zones."""
    privatize: int | None = None
    """Percent of the market price at which a president may take a share from another player."""

    @cached_property
    def least_train_limit(self) -> int:
        """The lowest train limit of any kind of company."""
        return min((self.train_limit, *self.train_limits.values()))
