"""The map and the tiles, as printed."""

from functools import cached_property
from typing import Final, Literal, TypeAlias

from pydantic import Field

from engine.core.ids import Coord, PhaseName, TileId
from engine.core.memory import Remembering
from engine.core.spec.base import Spec
from engine.core.topology import Topology, read_topology

Colour: TypeAlias = Literal["white", "yellow", "green", "brown", "gray", "red", "blue"]
COLOURS: Final[tuple[Colour, ...]] = ("white", "yellow", "green", "brown", "gray")
"""Each colour of tiles may be followed by the next."""

LATE: Final[Colour] = "brown"
"""The first colour whose tiles bear a label that a hex was given in play."""

Terrain: TypeAlias = Literal["mountain", "water", "swamp"]


class TileSpec(Spec):
    """A tile: its colour, stops and track at rotation 0, label, and how many there are (None: unlimited)."""

    colour: Colour
    """Its colour."""
    stops: tuple[str, ...] = ()
    """Its stops, named a, b, ... in this order."""
    track: str = ""
    """Its pieces of track."""
    label: str = ""
    """A hex with this label takes the tile, and no other hex does."""
    count: int | None = 0
    """How many there are, given in `tile_counts`."""
    by_power_only: bool = False
    """Whether only a private's power lays it: it brings its stop along."""
    permanent: bool = False
    """Whether no other tile may ever replace it."""
    gives_way_to: TileId = ""
    """A tile that is laid instead wherever it fits, as long as one is left."""

    @cached_property
    def topology(self) -> Topology:
        """Stops and track at rotation 0."""
        return read_topology(self.stops, self.track)


class HexSpec(Spec):
    """A printed hex. White may be built on, yellow is printed track that may be upgraded, gray and red never change."""

    colour: Colour = "white"
    """Its colour."""
    stops: tuple[str, ...] = ()
    """Its stops, named a, b, ... in this order."""
    track: str = ""
    """Its printed track."""
    label: str = ""
    """Tiles here must bear the same label."""
    label_from: Colour | None = None
    """The first colour whose tiles here must bear the label; None: all tiles."""
    name: str = ""
    """The name of the place."""
    zone: str = ""
    """Its part of the board."""
    cost: int = Field(default=0, ge=0)
    """Dollars that the first tile costs."""
    terrain: tuple[Terrain, ...] = ()
    """What the cost is for."""
    group: str = ""
    """Stops with the same group name are one place for a route."""
    joined: tuple[int, ...] = ()
    """Edges where the border is not drawn: two hexes of one red area."""
    impassable: tuple[int, ...] = ()
    """Edges that no track crosses."""
    tiles: tuple[TileId, ...] = ()
    """When given, the only tiles that may ever lie here, in any order that the colours allow."""
    icons: tuple[str, ...] = ()
    """Printed marks: `coal`."""
    through: bool = False
    """Whether trains may run through a red area."""
    opens: tuple[PhaseName, ...] = ()
    """The phase that opens each token space of the stop; none given: all are open."""

    @cached_property
    def topology(self) -> Topology:
        """Printed stops and track; a white city has a stop and no track."""
        return read_topology(self.stops, self.track)


class HexGroup(Spec):
    """Hexes that are printed alike, without stops: their coordinates with spaces between them."""

    name: str
    """A name for the group; a variant overrides the group by it."""
    hexes: str
    """Their coordinates."""
    zone: str = ""
    """Their part of the board."""
    cost: int = Field(default=0, ge=0)
    """Dollars that the first tile costs."""
    terrain: tuple[Terrain, ...] = ()
    """What the cost is for."""

    def printed(self) -> dict[Coord, HexSpec]:
        """Every hex of the group."""
        alike = HexSpec(zone=self.zone, cost=self.cost, terrain=self.terrain)
        return dict.fromkeys(self.hexes.split(), alike)


class MapSpec(Spec, Remembering):
    """The map: orientation, the axis of letters, and every hex by its printed coordinate."""

    layout: Literal["flat", "pointy"]
    """Whether hexes have a flat side or a point at the top."""
    letters: Literal["columns", "rows"]
    """The axis that the letter of a coordinate counts; the number counts the other."""
    part_of_new_track: bool = False
    """Whether a lay is connected where any point of its new track is; else by the whole of a new piece."""
    one_stop_a_hex: bool = False
    """Whether stops of one hex are one place for a route, unless track inside the hex joins them."""
    one_stop_a_hex_binds: Literal["routes", "runs"] = "routes"
    """Whether that holds for all routes, track and token reach included, or for trains alone."""
    home_track_first: bool = True
    """Whether a company lays no tile elsewhere before there is track in its home hex."""
    river: tuple[str, ...] = ()
    """Borders along the river, as `B47-B45`: track over them crosses it."""
    plain: tuple[Coord, ...] = ()
    """White hexes without anything printed."""
    groups: tuple[HexGroup, ...] = ()
    """Hexes that are printed alike."""
    hexes: dict[Coord, HexSpec]
    """Every other hex."""

    def with_hexes(self, hexes: dict[Coord, HexSpec]) -> "MapSpec":
        """The same map with these hexes printed; cached results about this one are dropped."""
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return MapSpec.model_construct(**{**fields, "hexes": hexes})

    @cached_property
    def all_hexes(self) -> dict[Coord, HexSpec]:
        """Every hex, the plain white ones and those of groups included."""
        plain = dict.fromkeys(self.plain, HexSpec())
        alike = {coord: hex_ for group in self.groups for coord, hex_ in group.printed().items()}
        return {**plain, **alike, **self.hexes}
