"""The components in the box, as printed: map and tiles, companies, trains, and the phases that trains start."""

from functools import cached_property
from typing import Final, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from engine.core.ids import Coord, PhaseName, TileId, TrainName
from engine.core.memory import CachesResults
from engine.core.topology import Topology, read_topology


class Spec(BaseModel):
    """Base of a title's data: immutable; a misspelt key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def __copy__(self) -> Self:
        """The same fields with an empty cache, since a copy may change some of them."""
        copied = super().__copy__()
        for name in copied.__dict__.keys() - type(self).model_fields.keys():
            del copied.__dict__[name]
        return copied


Colour: TypeAlias = Literal["white", "yellow", "green", "brown", "gray", "red", "blue"]
COLOURS: Final[tuple[Colour, ...]] = ("white", "yellow", "green", "brown", "gray")
"""Each colour of tiles may be followed by the next."""

PLAY_LABEL_COLOUR: Final[Colour] = "brown"
"""The first colour whose tiles bear a label that a hex was given during the game."""

Terrain: TypeAlias = Literal["mountain", "water", "swamp"]


class TileSpec(Spec):
    """A tile: its colour, stops and track at rotation 0, label, and how many there are (None: unlimited)."""

    colour: Colour
    """Colour of the tile."""
    stops: tuple[str, ...] = ()
    """Stops of the tile, named a, b, ... in this order."""
    track: str = ""
    """Pieces of track of the tile."""
    label: str = ""
    """A hex with this label takes the tile, and no other hex does."""
    count: int | None = 0
    """Number of tiles with this number, given in `tile_counts`."""
    by_power_only: bool = False
    """True if only a private's power lays the tile, which adds a stop to the hex."""
    permanent: bool = False
    """True if no other tile may ever replace it."""
    upgrade_cost: int = Field(default=0, ge=0)
    """Dollars that the next tile here costs."""
    gives_way_to: TileId = ""
    """A tile that is laid instead wherever it fits, as long as one is left."""

    @cached_property
    def topology(self) -> Topology:
        """Stops and track at rotation 0."""
        return read_topology(self.stops, self.track)


class HexSpec(Spec):
    """A printed hex. White may be built on, yellow is printed track that may be upgraded, gray and red never change."""

    colour: Colour = "white"
    """Printed colour of the hex."""
    stops: tuple[str, ...] = ()
    """Printed stops of the hex, named a, b, ... in this order."""
    track: str = ""
    """Printed track of the hex."""
    label: str = ""
    """Tiles here must bear the same label."""
    label_from: Colour | None = None
    """The first colour whose tiles here must bear the label; None: all tiles."""
    name: str = ""
    """The name of the place."""
    zone: str = ""
    """The part of the board that the hex belongs to."""
    cost: int = Field(default=0, ge=0)
    """Dollars that the first tile costs."""
    terrain: tuple[Terrain, ...] = ()
    """Kinds of terrain that the cost is for."""
    group: str = ""
    """Stops with the same group name are one place for a route."""
    joined: tuple[int, ...] = ()
    """Edges where no border is drawn, between two hexes of one red area."""
    impassable: tuple[int, ...] = ()
    """Edges that no track crosses."""
    tiles: tuple[TileId, ...] = ()
    """When given, the only tiles that may ever lie here, in any order that the colours allow."""
    icons: tuple[str, ...] = ()
    """Printed icons, such as `coal`."""
    through: bool = False
    """True if trains may run through a red area."""
    uncounted: bool = False
    """True if its stop uses up none of a train's stops; a run between it and one more stop obliges no company to own a
    train.
    """
    opens: tuple[PhaseName, ...] = ()
    """For each token space of the stop, the phase that opens it; none given: all are open from the start."""

    @cached_property
    def topology(self) -> Topology:
        """Printed stops and track; a white city has a stop and no track."""
        return read_topology(self.stops, self.track)


class HexGroup(Spec):
    """Hexes that are printed alike, without stops: their coordinates with spaces between them."""

    name: str
    """A name for the group; a variant overrides the group by it."""
    hexes: str
    """Coordinates of the hexes."""
    zone: str = ""
    """The part of the board that the hexes belong to."""
    cost: int = Field(default=0, ge=0)
    """Dollars that the first tile costs."""
    terrain: tuple[Terrain, ...] = ()
    """Terrain that the cost is for."""

    def printed(self) -> dict[Coord, HexSpec]:
        """Every hex of the group."""
        shared_spec = HexSpec(zone=self.zone, cost=self.cost, terrain=self.terrain)
        return dict.fromkeys(self.hexes.split(), shared_spec)


class MapSpec(Spec, CachesResults):
    """The map: orientation, the axis of letters, and every hex by its printed coordinate."""

    layout: Literal["flat", "pointy"]
    """Orientation: hexes have a flat side or a point at the top."""
    letters: Literal["columns", "rows"]
    """The axis that the letter of a coordinate counts; the number counts the other."""
    part_of_new_track: bool = False
    """True if a lay is connected where any point of its new track is; else by the whole of a new piece."""
    one_stop_a_hex: bool = False
    """True if stops of one hex are one place for a route, unless track inside the hex joins them."""
    one_stop_a_hex_binds: Literal["routes", "runs"] = "routes"
    """Routes that `one_stop_a_hex` applies to: all, including those for track and tokens, or only runs of trains."""
    permissive_track: bool = False
    """True if a tile is connected where any of its track is: an upgrade needs no new track on a route."""
    home_track_first: bool = True
    """True if a company lays no tile elsewhere before there is track in its home hex."""
    river: tuple[str, ...] = ()
    """Borders along the river, as `B47-B45`: track over them crosses it."""
    border_costs: dict[int, tuple[str, ...]] = Field(default_factory=dict)
    """Borders, as `B4-C3`, by the dollars that the tile costs which first joins track across them."""
    plain: tuple[Coord, ...] = ()
    """White hexes without anything printed."""
    groups: tuple[HexGroup, ...] = ()
    """Hexes that are printed alike."""
    hexes: dict[Coord, HexSpec]
    """All other hexes, by coordinate."""

    def with_hexes(self, hexes: dict[Coord, HexSpec]) -> "MapSpec":
        """A copy of the map with these printed hexes instead of `hexes`, and an empty cache."""
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return MapSpec.model_construct(**{**fields, "hexes": hexes})

    @cached_property
    def all_hexes(self) -> dict[Coord, HexSpec]:
        """Every hex, the plain white ones and those of groups included."""
        plain_hexes = dict.fromkeys(self.plain, HexSpec())
        group_hexes = {coord: hex_ for group in self.groups for coord, hex_ in group.printed().items()}
        return {**plain_hexes, **group_hexes, **self.hexes}


Capital: TypeAlias = Literal["float", "sales", "treasury"]
"""A company gets the par price of all its shares when it floats, or of each share sold from the IPO at once; or its
shares lie in its own treasury, and it gets what is paid for them.
"""


class HomeSpec(Spec):
    """The place of a company's first token: hex, and index of the stop in that hex."""

    hex: Coord
    """The hex of the city."""
    stop: int = 0
    """The stop of the hex, from 0."""
    chosen: bool = False
    """True if the city is chosen among those of the hex: at the start of the company's first turn, or, if there is no
    track then, when a tile is laid there, by the company that lays it.
    """
    keeps: Literal["city", "hex"] = "city"
    """Space that nobody else's token may take until the company's lies there: one in its city, or the whole hex."""
    from_start: bool = False
    """True if the token lies there, and blocks, from the start of the game."""


class ObjectiveSpec(Spec):
    """A city that brings the company dollars from the bank, once, when it places a token there."""

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

    The president's certificate comes first; the others are of one size, and that is one share.
    """

    name: str
    """Full name; the key of the table is its abbreviation."""
    colour: str
    """Colour of its tokens, as `#rrggbb`."""
    kind: str = "public"
    """The kind of company, as the title names it; rules may differ by kind."""
    home: HomeSpec | None = None
    """Home of the company; None: it starts where it takes over a token."""
    more_homes: tuple[HomeSpec, ...] = ()
    """Places of further tokens that come with the home token, and that are kept for them."""
    tokens: tuple[int, ...]
    """Price in dollars of each token; the first is the home token."""
    tokens_block: bool = True
    """False if its tokens are neutral: a city where one lies blocks no company, and other companies place them."""
    neutral_tokens: int = 0
    """Number of neutral tokens that it may place for the company whose tokens do not block."""
    certificates: tuple[int, ...] = (20, 10, 10, 10, 10, 10, 10, 10, 10)
    """Percent of each certificate, the president's first."""
    shares: int = 1
    """Number of shares that a certificate of 100 % counts for."""
    float_percent: int = 60
    """Percent that must be sold from the IPO before it floats."""
    capital: Capital = "float"
    """When the company gets money for its shares."""
    reserved: ReservedSpec | None = None
    """A city where a space is kept for the company; None: there is none."""
    objective: ObjectiveSpec | None = None
    """Historical objective of the company; None: it has none."""
    base: str = ""
    """The zone of the board that the company is based in."""
    destination: tuple[Coord, ...] = ()
    """Hexes of the destination that the company runs to."""

    @model_validator(mode="after")
    def _check_certificates(self) -> Self:
        president, *others = self.certificates
        if president + sum(others) != 100 or len(set(others)) > 1 or president % (others or [president])[0]:
            raise ValueError(f"{self.name}: certificates are 100 %, the president's some of the equal others")
        return self


class TradeIn(Spec):
    """Price in dollars if one of these trains is traded in."""

    accepts: tuple[TrainName, ...]
    """Trains that may be traded in."""
    price: int
    """Reduced price in dollars."""


class TrainSpec(Spec):
    """A train type: how many (None: unlimited), price, stops it may count (None: any number)."""

    name: TrainName
    """Name of the train type."""
    price: int
    """Price in dollars."""
    count: int | None = None
    """Number of trains of the type; `unlimited`: any number."""
    stops: int | None = None
    """Stops that the train may count; none: any number."""
    visits: int | None = None
    """Stops that the train may visit, of which it counts those that earn most; none: it counts all."""
    towns: Literal["counted", "free", "optional"] = "counted"
    """Rule for towns: they use up stops, pay without using one up, or may be skipped."""
    factor: int = 1
    """Multiplier for the stops that count."""
    token_factor: int = 1
    """Additional multiplier for stops with a token of the company."""
    unfolds: int | None = None
    """Stops it counts unfolded, without doubling anything, where that is allowed."""
    revenue_step: int | None = None
    """Its own column of `revenue_steps`, from 0; None: that of the phase."""
    joins: bool = False
    """True if all such trains of a company run as one, the shortest, which earns that many times as much."""
    rusts_on: PhaseName | None = None
    """Phase whose start rusts the trains."""
    obsolete_on: PhaseName | None = None
    """Phase whose start makes the trains obsolete: they run once more."""
    available_from: PhaseName | None = None
    """Phase from which on the train is for sale even while cheaper trains are left."""
    face_of: TrainName | None = None
    """The train on the other face of the card: the buyer of either picks the face, and the bank has one card less."""
    trade_in: TradeIn | None = None
    """Reduced price for a trade-in; None: no trains can be traded in."""

    @field_validator("count", mode="before")
    @classmethod
    def _read_unlimited(cls, count: object) -> object:
        return None if count == "unlimited" else count


class PhaseSpec(Spec):
    """A phase: starts when the `nth` new `train` leaves the bank; `operating_rounds` count from the next set on."""

    name: PhaseName
    """The phase, named after the train that starts it."""
    tiles: tuple[Colour, ...]
    """Colours of tiles that may be laid."""
    train_limit: int
    """Trains a company may have."""
    train_limits: dict[str, int] = Field(default_factory=dict)
    """Limits of other kinds of companies, by kind."""
    operating_rounds: int
    """Operating rounds of a set."""
    revenue_step: int
    """Current column of `revenue_steps`, from 0."""
    train: TrainName | None = None
    """The train whose purchase starts the phase; none: the game begins with it."""
    nth: int = 1
    """Number, from 1, of the new train of that type that starts the phase."""
    starts_in: tuple[int, int] | None = None
    """Set and number, from 1, of the operating round that starts the phase, instead of a train."""
    bank_trains: int | None = None
    """Trains of bank and pool together that a company may buy in one turn; None: any number."""
    buy_privates: tuple[int, int] | None = None
    """Percent of face value, from and to, at which companies may buy privates; None: not at all."""
    closes_privates: bool = False
    """True if the start of the phase closes the privates."""
    note: str = ""
    """Other changes at the start of the phase, in a few words."""
    points: tuple[int, int] | None = None
    """Tile points of a turn: anywhere, and where all its tiles lie in the zones that have more."""
    privatize: int | None = None
    """Percent of the market price for which a president may take a share from another player."""

    @cached_property
    def least_train_limit(self) -> int:
        """The lowest train limit of any kind of company."""
        return min((self.train_limit, *self.train_limits.values()))
