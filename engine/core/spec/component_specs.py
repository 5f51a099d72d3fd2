"""Data models of the components in the box: map, tiles, companies, trains and phases."""

from functools import cached_property
from typing import Final, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from engine.core.ids import Coord, PhaseName, TileId, TrainName
from engine.core.memory import CachesResults
from engine.core.topology import Topology, read_topology


class Spec(BaseModel):
    """Base class of a title's data models: immutable; an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def __copy__(self) -> Self:
        """A copy with the same fields and an empty cache, because a copy may change fields."""
        copied = super().__copy__()
        for name in copied.__dict__.keys() - type(self).model_fields.keys():
            del copied.__dict__[name]
        return copied


Colour: TypeAlias = Literal["white", "yellow", "green", "brown", "gray", "red", "blue"]
COLOURS: Final[tuple[Colour, ...]] = ("white", "yellow", "green", "brown", "gray")
"""Tile colours in order; a tile is upgraded to the next colour."""

PLAY_LABEL_COLOUR: Final[Colour] = "brown"
"""First tile colour that must show a label that a hex got during the game."""

Terrain: TypeAlias = Literal["mountain", "water", "swamp"]


class TileSpec(Spec):
    """A tile: its colour, stops and track at rotation 0, label, and number of copies (None: unlimited)."""

    colour: Colour
    """Colour of the tile."""
    stops: tuple[str, ...] = ()
    """Stops of the tile, such as `city 40 x2`; they are named a, b, ... in this order."""
    track: str = ""
    """Pieces of track of the tile, such as `0-a`."""
    label: str = ""
    """Label of the tile, such as `B`; the tile fits only hexes with the same label."""
    count: int | None = 0
    """Number of copies of the tile, taken from the title's `tile_counts`; None: unlimited."""
    by_power_only: bool = False
    """True if only a private's power can lay this tile, which adds a stop to the hex."""
    permanent: bool = False
    """True if the tile is permanent: no other tile may replace it."""
    upgrade_cost: int = Field(default=0, ge=0)
    """Dollars that it costs to upgrade this tile."""
    gives_way_to: TileId = ""
    """The tile to which this one gives way; it must be laid instead wherever it fits and a copy is left."""

    @cached_property
    def topology(self) -> Topology:
        """Stops and track of the tile at rotation 0."""
        return read_topology(self.stops, self.track)


class HexSpec(Spec):
    """A printed hex of the map.

    White hexes take tiles, yellow hexes have track that can be upgraded, gray and red hexes never change.
    """

    colour: Colour = "white"
    """Printed colour of the hex."""
    stops: tuple[str, ...] = ()
    """Printed stops of the hex, such as `city 40 x2`; they are named a, b, ... in this order."""
    track: str = ""
    """Printed track of the hex, such as `0-a`."""
    label: str = ""
    """Label that tiles in this hex must have, such as `B`."""
    label_from: Colour | None = None
    """Tile colour from which on tiles in the hex must show its label; None: all colours must."""
    name: str = ""
    """The printed name of the place in the hex, such as a city."""
    zone: str = ""
    """The zone (part of the board) to which the hex belongs."""
    cost: int = Field(default=0, ge=0)
    """Terrain cost in dollars of the first tile in the hex."""
    terrain: tuple[Terrain, ...] = ()
    """Kinds of terrain that cause the cost, such as `mountain`."""
    stop_group: str = ""
    """Group name: stops with the same group count as one place on a route."""
    borderless_edges: tuple[int, ...] = ()
    """Edges (0-5) at which the hex is joined to its neighbour without a drawn border, in one red area."""
    impassable: tuple[int, ...] = ()
    """Impassable edges (0-5) of the hex: no track may cross them."""
    allowed_tiles: tuple[TileId, ...] = ()
    """The only tiles that may be laid in this hex, in any order that the colours allow; empty: any tile that fits."""
    icons: tuple[str, ...] = ()
    """Icons printed in the hex, such as `coal`."""
    may_run_through: bool = False
    """True if trains may run through this hex, although it is a red area."""
    has_uncounted_stop: bool = False
    """True if the hex's stop does not count against a train's limit.

    A route with only this stop and one other does not oblige a company to own a train.
    """
    opens: tuple[PhaseName, ...] = ()
    """For each token space of the hex's stop, the phase that opens it; empty: all are open from the start."""

    @cached_property
    def topology(self) -> Topology:
        """Printed stops and track of the hex; a printed white city is a stop without track."""
        return read_topology(self.stops, self.track)


class HexGroup(Spec):
    """A group of hexes that are printed alike and have no stops."""

    name: str
    """Name of the group of hexes; a variant of the title uses it to override the group."""
    hexes: str
    """Coordinates of the hexes in the group, separated by spaces."""
    zone: str = ""
    """The zone (part of the board) to which the hexes of the group belong."""
    cost: int = Field(default=0, ge=0)
    """Terrain cost in dollars of the first tile in each hex of the group."""
    terrain: tuple[Terrain, ...] = ()
    """Kinds of terrain that cause the cost, such as `mountain`."""

    def spec_by_hex(self) -> dict[Coord, HexSpec]:
        """The data of each hex in the group, by coordinate."""
        shared_spec = HexSpec(zone=self.zone, cost=self.cost, terrain=self.terrain)
        return dict.fromkeys(self.hexes.split(), shared_spec)


class MapSpec(Spec, CachesResults):
    """The map: orientation, coordinate axes, and every hex by its printed coordinate."""

    layout: Literal["flat", "pointy"]
    """Layout of the hexes: with a flat side or a point at the top."""
    letters: Literal["columns", "rows"]
    """Meaning of the letters in hex coordinates: columns or rows. The numbers stand for the other."""
    any_new_track_may_connect: bool = False
    """True if a lay is legal when any part of its new track is connected; else a whole new piece must be connected."""
    one_stop_a_hex: bool = False
    """True if all stops in a hex count as one place on a route, unless track inside the hex joins them."""
    one_stop_a_hex_binds: Literal["routes", "runs"] = "routes"
    """Routes that `one_stop_a_hex` binds: all, including those for track and tokens, or only train runs."""
    permissive_track: bool = False
    """True if track is permissive: an upgrade may be on a route with any of its track, not only its new track."""
    home_track_first: bool = True
    """True if a company must first have track in its home hex, before it lays a tile elsewhere."""
    river: tuple[str, ...] = ()
    """Hex borders along the river, such as `B47-B45`. Track across one of them crosses the river."""
    border_costs: dict[int, tuple[str, ...]] = Field(default_factory=dict)
    """Hex borders, such as `B4-C3`, by the dollars that the first tile to join track across the border costs."""
    plain_hexes: tuple[Coord, ...] = ()
    """Plain white hexes, in which nothing is printed."""
    groups: tuple[HexGroup, ...] = ()
    """Groups of hexes that are printed alike."""
    hexes: dict[Coord, HexSpec]
    """All hexes outside `plain_hexes` and `groups`, by coordinate."""

    def with_hexes(self, hexes: dict[Coord, HexSpec]) -> "MapSpec":
        """A copy of the map with a new `hexes` table and an empty cache."""
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return MapSpec.model_construct(**{**fields, "hexes": hexes})

    @cached_property
    def all_hexes(self) -> dict[Coord, HexSpec]:
        """Every hex on the map, by coordinate."""
        plain_hexes = dict.fromkeys(self.plain_hexes, HexSpec())
        group_hexes = {coord: hex_ for group in self.groups for coord, hex_ in group.spec_by_hex().items()}
        return {**plain_hexes, **group_hexes, **self.hexes}


CapitalTiming: TypeAlias = Literal["float", "sales", "treasury"]
"""When a company gets its capital (the money for its shares).

`float`: the par price of all shares when it floats. `sales`: the par price of each share when the share is sold from
the IPO. `treasury`: all its shares start in its treasury, and it gets their sale price.
"""


class HomeSpec(Spec):
    """The location of a company's home token."""

    hex: Coord
    """The hex of the company's home city."""
    stop: int = 0
    """Index of the home city among the stops of its hex, from 0."""
    chooses_city: bool = False
    """True if the company chooses the city of its hex at the start of its first turn.

    If the hex has no track at that time, the company that lays the first tile there chooses.
    """
    reserves: Literal["city", "hex"] = "city"
    """Reservation until the home token is placed: one space in its city, or spaces in the whole hex."""
    from_start: bool = False
    """True if the home token is on the map, and blocks routes, from the start of the game."""


class ObjectiveSpec(Spec):
    """A company's historical objective: a city that pays a bonus once, when the company places a token there."""

    hex: Coord
    """Hex of the city where a token earns the company its bonus."""
    bonus: int
    """Bonus in dollars, which the bank pays when the company places a token in its objective city."""


class ReservedSpec(Spec):
    """A city in which one token space is reserved for a company, with special token prices."""

    hex: Coord
    """Hex of the city with the reserved token space."""
    connected_price: int
    """Token price in dollars if the company's track is connected to the city."""
    unconnected_price: int | None = None
    """Token price in dollars if the city may be anywhere, unconnected; None: it must be connected."""
    until_phase: PhaseName
    """The token space is reserved until this phase starts."""


class CompanySpec(Spec):
    """A public company, with token prices in dollars and certificates in percent.

    The president's certificate comes first. The other certificates are of equal size: one share each.
    """

    name: str
    """Full name of the company; the title's table of companies is keyed by abbreviation."""
    colour: str
    """Colour of the company's tokens, as `#rrggbb`."""
    kind: str = "public"
    """The kind of company, as named by the title, such as `minor`; rules may differ by kind."""
    home: HomeSpec | None = None
    """Home of the company; None if it has none, because it takes over a token already on the map."""
    more_homes: tuple[HomeSpec, ...] = ()
    """Locations of more home tokens, placed together with the first one; their spaces are reserved."""
    token_prices: tuple[int, ...]
    """Price in dollars of each of the company's tokens; the first is the home token."""
    tokens_block: bool = True
    """False if the company's tokens are neutral: they do not block routes, and other companies place them."""
    neutral_tokens: int = 0
    """Number of neutral tokens that the company may place."""
    certificates: tuple[int, ...] = (20, 10, 10, 10, 10, 10, 10, 10, 10)
    """Percent of each of the company's certificates; the president's comes first."""
    certificate_shares: int = 1
    """Number of shares that a single 100% certificate counts as."""
    float_percent: int = 60
    """Percent of the company that must be sold from the IPO before it floats."""
    capital: CapitalTiming = "float"
    """When the company gets its capital (the money for its shares)."""
    reserved_space: ReservedSpec | None = None
    """The city in which a token space is reserved for the company, with special prices; None if there is none."""
    objective: ObjectiveSpec | None = None
    """The city of the company's historical objective, which pays a bonus; None if it has none."""
    base_zone: str = ""
    """Zone of the board in which the company is based."""
    destination: tuple[Coord, ...] = ()
    """Hexes that count as the company's destination (18C2C)."""

    @model_validator(mode="after")
    def _check_certificates(self) -> Self:
        president, *other_certificates = self.certificates
        if (
            president + sum(other_certificates) != 100
            or len(set(other_certificates)) > 1
            or president % (other_certificates or [president])[0]
        ):
            raise ValueError(
                f"{self.name}: the certificates must add up to 100 %; all but the "
                "president's must be equal, and the president's a multiple of them"
            )
        return self


class TradeInSpec(Spec):
    """A train's reduced price in dollars for a buyer who trades in an older train."""

    accepts: tuple[TrainName, ...]
    """Older train types that can be traded in for this train."""
    price: int
    """Reduced price in dollars if an older train is traded in."""


class TrainSpec(Spec):
    """A train type: number of trains (None: unlimited), price in dollars, and number of stops (None: any)."""

    name: TrainName
    """Name of the train type."""
    price: int
    """Price of the train in dollars."""
    count: int | None = None
    """Number of trains of the type; None: unlimited (`unlimited` in the data)."""
    max_stops: int | None = None
    """Maximum number of stops that the train counts; None: any number."""
    max_visits: int | None = None
    """Maximum number of stops that the train visits; it counts the best of them. None: it counts all."""
    towns: Literal["counted", "free", "optional"] = "counted"
    """Effect of a town on the train's run.

    `counted`: it is one of the train's stops. `free`: it pays but is not counted as a stop. `optional`: it is a stop,
    or the train skips it without pay.
    """
    revenue_factor: int = 1
    """Factor that multiplies the revenue of the stops that the train counts."""
    token_factor: int = 1
    """Additional factor that multiplies the revenue of stops with a token of the company."""
    unfolded_stops: int | None = None
    """Number of stops if the train runs without doubling revenue (unfolded, 18C2C); None: it cannot."""
    revenue_step: int | None = None
    """Index from 0 of the title's `revenue_steps` that this train uses; None: the index that its phase gives."""
    run_as_one_train: bool = False
    """True if a company's trains of this type run as one train (18NewEngland 11.5).

    The joined train runs as far as the shortest of them, and its revenue is multiplied by their number.
    """
    rusts_on: PhaseName | None = None
    """Phase whose start rusts the trains of this type."""
    obsolete_on: PhaseName | None = None
    """Phase whose start makes the trains of this type obsolete: they run once more."""
    leaves_after_set: int | None = None
    """Number of the set of operating rounds after which these trains leave the game; None: they stay."""
    salvage: int = 0
    """Salvage in dollars, which the bank pays a company for each of these trains that rusts or leaves."""
    available_from: PhaseName | None = None
    """Phase from which the train is available for sale, even while cheaper trains are left."""
    face_of: TrainName | None = None
    """The train on the other face of the same card. The buyer chooses a face, and the bank has one card less."""
    trade_in: TradeInSpec | None = None
    """Reduced price for trading in an older train; None: no trade-in is possible."""

    @field_validator("count", mode="before")
    @classmethod
    def _read_train_count(cls, count: object) -> object:
        return None if count == "unlimited" else count


class PhaseSpec(Spec):
    """A phase of the game.

    It starts when the new `train` with this `train_number` leaves the bank; `operating_rounds` applies from the next
    set on.
    """

    name: PhaseName
    """The phase, named after the train that starts it."""
    tile_colours: tuple[Colour, ...]
    """Tile colours that may be laid in this phase."""
    train_limit: int
    """Train limit in this phase: the maximum number of trains that a company may own."""
    train_limits: dict[str, int] = Field(default_factory=dict)
    """Train limit in this phase by kind of company, for kinds that differ from `train_limit`."""
    operating_rounds: int
    """Number of operating rounds in each set in this phase."""
    revenue_step: int
    """Index from 0 of the title's `revenue_steps` in this phase."""
    train: TrainName | None = None
    """The train whose purchase starts the phase; None for the first phase."""
    train_number: int = 1
    """Number of the new train, among those of its type, that starts the phase; counted from 1."""
    starting_round: tuple[int, int] | None = None
    """The operating round that starts the phase, as set and number from 1; None: a train starts the phase."""
    max_bank_trains: int | None = None
    """Maximum number of trains that a company may buy from bank and pool in one turn; None: any number."""
    private_price_percents: tuple[int, int] | None = None
    """Lowest and highest price at which companies may buy privates, in percent of face value; None: they may not."""
    closes_privates: bool = False
    """True if the privates close at the start of the phase."""
    note: str = ""
    """Note on other changes at the start of the phase, as a short text."""
    tile_points: tuple[int, int] | None = None
    """Tile points per turn: the usual number, and the number if all tiles of the turn lie in the title's open zones."""
    privatize_price_percent: int | None = None
    """Percent of the market price at which a president may privatize: buy a player's share without consent."""

    @cached_property
    def lowest_train_limit(self) -> int:
        """The lowest train limit in this phase of any kind of company."""
        return min((self.train_limit, *self.train_limits.values()))
