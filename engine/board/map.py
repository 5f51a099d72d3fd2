"""The current map: printed hexes, laid tiles, tokens, reserved homes, and the supply of tiles."""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import Self, TypeAlias

from engine.board.hexes import Edge, hexes_opened_by_phase, neighbours, usable_edges
from engine.board.token_spaces import TokenSpaces
from engine.core.ids import CompanyId, Coord, EntityId, PhaseName, TileId
from engine.core.memory import CachesResults
from engine.core.spec import COLOURS, PLAY_LABEL_COLOUR, Colour, HexSpec, MapSpec, TitleSpec
from engine.core.topology import Topology, matching_stop_indexes, only_adds_track


@dataclass(frozen=True, slots=True)
class MapChanges:
    """All differences from the printed map, such as tiles and tokens, as plain values for storage."""

    tiles: dict[Coord, tuple[TileId, int]]
    """The tile laid in each hex, with its rotation in steps of 60 degrees."""
    tokens: list[tuple[Coord, int, list[CompanyId | None]]]
    """Token spaces of each stop with a token: hex, index of the stop, and the company in each space (None: empty)."""
    homes: dict[CompanyId, tuple[Coord, int]]
    """Home token spaces that are still reserved, by company: hex and index of the stop."""
    supply: dict[TileId, int]
    """Number of copies left in the supply, for each tile that was laid during the game."""
    labels: dict[Coord, str] = field(default_factory=dict)
    """Labels given to hexes during the game."""
    opened: list[PhaseName] = field(default_factory=list)
    """Phases that have opened token spaces in red areas."""
    beside: list[tuple[Coord, int, list[CompanyId]]] = field(default_factory=list)
    """Tokens that lie beside the token spaces and take none: hex, index of the stop, and the companies."""
    kept: dict[EntityId, tuple[Coord, int]] = field(default_factory=dict)
    """Token spaces kept free for a company's further token or for a private: owner, hex, index of the stop."""


StopId: TypeAlias = tuple[Coord, int]
"""A stop on the map: its hex and its index in the hex."""


class Map(CachesResults):
    """The board with its tiles and tokens.

    Methods that change the map expect legal changes; for an illegal one, they may raise ValueError.
    """

    def __init__(self, spec: TitleSpec) -> None:
        self.spec = spec
        self.hexes: Mapping[Coord, HexSpec] = spec.map.all_hexes
        self.coords: tuple[Coord, ...] = tuple(self.hexes)
        """Every hex of the map."""
        self.supply: dict[TileId, int | None] = {number: tile.count for number, tile in spec.tiles.items()}
        self.neutral_owners = spec.cached(_neutral_owners)
        """Companies whose neutral tokens block no company's routes."""
        self.homes: dict[CompanyId, StopId] = {
            company: (c.home.hex, c.home.stop) for company, c in spec.companies.items() if c.home
        }
        self.kept: dict[EntityId, StopId] = {}
        """Token spaces kept for a company's further token or for a private, until released."""
        self._reserved_stops: dict[StopId, CompanyId] = {
            (home.hex, home.stop): company for company, c in spec.companies.items() for home in c.more_homes
        }
        self.changed_hexes: list[Coord] = []
        """Hexes in which tiles or tokens changed, oldest first.

        Cached results for other hexes stay valid.
        """
        self.hexes_with_new_tiles: list[Coord] = []
        """Hexes in which tiles changed, oldest first."""
        self.version_by_hex_with_lost_track: dict[Coord, int] = {}
        """Hexes where a new tile removed some track, each with the map version after its latest such change."""
        self._laid_tile_by_hex: dict[Coord, tuple[TileId, int]] = {}
        self._label_by_hex: dict[Coord, str] = {}
        self._opened_phases: list[PhaseName] = []
        self._token_spaces = TokenSpaces()
        self._topology_by_hex: dict[Coord, Topology] = dict(spec.map.cached(_printed_topologies))
        self._neighbours = spec.map.cached(neighbours)
        self._usable_edges_by_hex = spec.map.cached(usable_edges)
        for stop, count in spec.cached(_printed_spaces).items():
            self._token_spaces.add_spaces(stop, count)

    @classmethod
    def restore(cls, spec: TitleSpec, changes_in_play: MapChanges) -> Self:
        """A map of this title with these stored changes.

        Raises KeyError or IndexError if the title lacks a hex, stop or tile.
        """
        board = cls(spec)
        for coord, (tile, rotation) in changes_in_play.tiles.items():
            old_topology = board.topology(coord)
            board._set_tile(coord, tile, rotation)
            new_topology = board.topology(coord)
            if old_topology.stops or new_topology.stops:
                slot_counts = _slot_counts(spec, coord, new_topology)
                board._token_spaces.move_to_new_stops(coord, (0,) * len(old_topology.stops), slot_counts)
        for phase in changes_in_play.opened:
            board.open_spaces_of_phase(phase)
        for coord, label in changes_in_play.labels.items():
            board.relabel(coord, label)
        for coord, stop, slots in changes_in_play.tokens:
            board._token_spaces.set_tokens((coord, stop), slots)
        for coord, stop, companies in changes_in_play.beside:
            for company in companies:
                board._token_spaces.put_token_without_space((coord, stop), company)
        board.homes, board.kept = dict(changes_in_play.homes), dict(changes_in_play.kept)
        board.supply.update(changes_in_play.supply)
        return board

    def copy(self) -> Self:
        """An independent copy of the map."""
        copied = copy(self)
        copied.supply, copied.homes, copied.kept = dict(self.supply), dict(self.homes), dict(self.kept)
        copied.changed_hexes, copied.hexes_with_new_tiles, copied.version_by_hex_with_lost_track = (
            list(self.changed_hexes),
            list(self.hexes_with_new_tiles),
            dict(self.version_by_hex_with_lost_track),
        )
        copied._laid_tile_by_hex, copied._label_by_hex, copied._opened_phases = (
            dict(self._laid_tile_by_hex),
            dict(self._label_by_hex),
            list(self._opened_phases),
        )
        copied._token_spaces, copied._topology_by_hex = self._token_spaces.copy(), dict(self._topology_by_hex)
        return copied

    @property
    def version(self) -> int:
        """Version number of the map; it grows with each change of tiles or tokens."""
        return len(self.changed_hexes)

    def neighbour(self, coord: Coord, edge: Edge) -> Coord | None:
        """The hex across this edge; None at the border of the map."""
        return self._neighbours[coord].get(edge)

    def may_track_cross(self, coord: Coord, edge: Edge) -> bool:
        """True if track may cross this edge (18Chesapeake 11.3).

        It may not at the border of the map, nor at a blank side of a printed hex.
        """
        return edge in self._usable_edges_by_hex[coord]

    def usable_edges(self, coord: Coord) -> frozenset[Edge]:
        """All edges (0-5) of the hex that track may cross (18Chesapeake 11.3)."""
        return self._usable_edges_by_hex[coord]

    def topology(self, coord: Coord) -> Topology:
        """The current stops and track of the hex, with the tile's rotation."""
        return self._topology_by_hex[coord]

    def tile(self, coord: Coord) -> TileId | None:
        """The tile in this hex; None if no tile has been laid."""
        laid_tile = self._laid_tile_by_hex.get(coord)
        return laid_tile[0] if laid_tile else None

    def rotation(self, coord: Coord) -> int:
        """Rotation of the tile in steps of 60 degrees clockwise; 0 for printed hexes."""
        laid_tile = self._laid_tile_by_hex.get(coord)
        return laid_tile[1] if laid_tile else 0

    def colour(self, coord: Coord) -> Colour:
        """Colour of the tile, or of the printed hex."""
        tile = self.tile(coord)
        return self.spec.tiles[tile].colour if tile else self.hexes[coord].colour

    def label(self, coord: Coord) -> str:
        """Label of the tile, or of the hex if the tile has none; empty if there is none."""
        tile = self.tile(coord)
        return (
            (self.spec.tiles[tile].label if tile else "")
            or self._label_by_hex.get(coord)
            or self.hexes[coord].label
        )

    def label_for(self, coord: Coord, colour: Colour) -> str:
        """Label that a tile of this colour must have to fit the hex; empty if it needs none."""
        first_colour = PLAY_LABEL_COLOUR if coord in self._label_by_hex else self.hexes[coord].label_from
        is_before_label = first_colour is not None and COLOURS.index(colour) < COLOURS.index(first_colour)
        return "" if is_before_label else self.label(coord)

    def relabel(self, coord: Coord, label: str) -> None:
        """Change the label of the hex; brown and gray tiles in it must then have the new label."""
        self._label_by_hex[coord] = label
        self.changed_hexes.append(coord)

    def cost(self, coord: Coord) -> int:
        """Dollars that the next tile in the hex costs.

        For the first tile this is the terrain cost (18Chesapeake 11.3), for later tiles the cost of an upgrade.

        Rules: R-AL-115, R-CH-094, R-TN-118.
        """
        laid_tile = self._laid_tile_by_hex.get(coord)
        return self.hexes[coord].cost if laid_tile is None else self.spec.tiles[laid_tile[0]].upgrade_cost

    def is_terminal(self, coord: Coord) -> bool:
        """True if routes end in this hex: a red or blue area that trains cannot run through (18Chesapeake 11.1).

        Rules: R-AL-146, R-C2C-171, R-CH-123, R-TN-140.
        """
        return self.hexes[coord].colour in ("red", "blue") and not self.hexes[coord].may_run_through

    def visited_place(self, stop: StopId) -> object:
        """A key for the place that a stop belongs to; a route visits each place at most once.

        The place is the stop itself or its area (18Chesapeake 11.1), or its hex (18NewEngland 11.1).

        Rules: R-AL-145, R-CH-121, R-CH-124, R-NE-086.
        """
        coord = stop[0]
        if self.hexes[coord].stop_group:
            return self.hexes[coord].stop_group
        if self.spec.map.one_stop_a_hex and not any(
            piece.joins_stops for piece in self.topology(coord).pieces
        ):
            return coord
        return stop

    def visited_place_in_network(self, stop: StopId) -> object:
        """As `visited_place`, but for the routes along which companies lay track and place tokens.

        The two differ only if the title counts the stops of a hex as one place for train runs alone.
        """
        if self.spec.map.one_stop_a_hex_binds == "runs":
            return self.hexes[stop[0]].stop_group or stop
        return self.visited_place(stop)

    def slots(self, coord: Coord, stop: int) -> tuple[CompanyId | None, ...]:
        """The token spaces of a stop (None: empty); no spaces for towns and off-board areas."""
        return tuple(self._token_spaces.token_spaces_at((coord, stop)))

    def tokens_without_space(self, coord: Coord, stop: int) -> tuple[CompanyId, ...]:
        """Companies that have a token at this stop that takes no token space."""
        return tuple(self._token_spaces.tokens_without_space_at((coord, stop)))

    def has_token(self, company: CompanyId, stop: StopId) -> bool:
        """True if this company has a token at the stop, in a token space or without one.

        Rules: R-C2C-074.
        """
        return self._token_spaces.has_token(company, stop)

    def token_stops_of(self, company: CompanyId) -> list[StopId]:
        """The stops with this company's tokens, in order of their coordinates."""
        return self._token_spaces.stops_with_token_of(company)

    def has_space_for(self, coord: Coord, stop: int, company: CompanyId) -> bool:
        """True if this company could place a token at the stop.

        One space must be free that no other company needs for its reserved home (18Chesapeake 11.4).

        Rules: R-AL-132, R-C2C-062, R-CH-113, R-NE-076, R-TN-130.
        """
        if self._reserved_stops.get((coord, stop), company) != company:
            return False
        kept_space_count = sum(
            kept_stop == (coord, stop) for owner, kept_stop in self.kept.items() if owner != company
        )
        vacant_count = self._token_spaces.token_spaces_at((coord, stop)).count(None) - kept_space_count
        reserving_companies = [
            owner for owner, home in self.homes.items() if home == (coord, stop) and owner != company
        ]
        companies_choosing_home = self.spec.cached(_companies_choosing_home)
        if not companies_choosing_home or all(
            self.homes[owner][0] != coord for owner in companies_choosing_home & self.homes.keys()
        ):
            return vacant_count > len(reserving_companies)
        companies_with_fixed_home = [
            owner for owner in reserving_companies if owner not in companies_choosing_home
        ]
        return vacant_count > len(companies_with_fixed_home) and self._leaves_spaces_for_homes(coord, company)

    def _leaves_spaces_for_homes(self, coord: Coord, company: CompanyId) -> bool:
        other_companies = [
            owner for owner, home in self.homes.items() if home[0] == coord and owner != company
        ]
        homes = (self.spec.companies[owner].home for owner in other_companies)
        if any(home is not None and home.reserves == "hex" for home in homes):
            return False
        stops = range(len(self.topology(coord).stops))
        return sum(self._token_spaces.token_spaces_at((coord, stop)).count(None) for stop in stops) > len(
            other_companies
        )

    def blocks_routes_of(self, coord: Coord, stop: int, company: CompanyId) -> bool:
        """True if this company's routes end at the stop: a city full of other companies' tokens (18Chesapeake 11.1).

        Rules: R-AL-143, R-C2C-170, R-CH-123, R-NE-085, R-TN-140.
        """
        slots = self._token_spaces.token_spaces_at((coord, stop))
        return (
            bool(slots)
            and None not in slots
            and not self.has_token(company, (coord, stop))
            and not any(self.has_token(neutral_owner, (coord, stop)) for neutral_owner in self.neutral_owners)
        )

    def is_passable(self, stop: StopId, company: CompanyId) -> bool:
        """True if a route of this company can continue beyond the stop."""
        return not self.is_terminal(stop[0]) and not self.blocks_routes_of(*stop, company)

    def blocking_stops(self, company: CompanyId) -> list[StopId]:
        """All stops that this company's routes cannot pass."""
        return self._token_spaces.full_stops_without_token_of(company, *self.neutral_owners)

    def place_token(self, coord: Coord, stop: int, company: CompanyId) -> None:
        """Place a token in the first free space of the stop.

        A token in the company's home hex ends the reservation of its home.
        """
        self._token_spaces.put_token((coord, stop), company)
        if company in self.homes and self.homes[company][0] == coord:
            del self.homes[company]
        if company in self.kept and self.kept[company][0] == coord:
            del self.kept[company]
        self.changed_hexes.append(coord)

    def keep_space(self, owner: EntityId, coord: Coord, stop: int = 0) -> None:
        """Keep a token space of a stop free for a company's further token or a private."""
        self.kept[owner] = (coord, stop)
        self.changed_hexes.append(coord)

    def release_spaces(self, *owners: EntityId) -> None:
        """Release the token spaces kept for the given companies or privates."""
        for owner in [owner for owner in owners if owner in self.kept]:
            self.changed_hexes.append(self.kept.pop(owner)[0])

    def place_token_without_space(self, coord: Coord, stop: int, company: CompanyId) -> None:
        """Place a token that takes no token space."""
        self._token_spaces.put_token_without_space((coord, stop), company)
        self.changed_hexes.append(coord)

    def remove_token(self, coord: Coord, stop: int, company: CompanyId) -> None:
        """Remove one token of this company from a stop, preferably one outside the token spaces."""
        self._token_spaces.take_token((coord, stop), company)
        self.changed_hexes.append(coord)

    def replace_token(self, coord: Coord, stop: int, old_company: CompanyId, new_company: CompanyId) -> None:
        """Replace a company's token at a stop with another company's, in the same place."""
        self._token_spaces.replace_token((coord, stop), old_company, new_company)
        self.changed_hexes.append(coord)

    def remove_company(self, company: CompanyId) -> None:
        """Remove all of this company's tokens and reservations from the map."""
        self.release_spaces(company)
        for coord, stop in self.token_stops_of(company):
            self.remove_token(coord, stop, company)
        if company in self.homes:
            self.changed_hexes.append(self.homes.pop(company)[0])

    def lay(self, coord: Coord, tile: TileId, rotation: int) -> None:
        """Lay a tile. The old tile returns to the supply; tokens and reservations move with their city.

        Rules: R-AL-112, R-C2C-114, R-CH-011, R-NE-009.
        """
        old_topology, new_topology = (
            self._topology_by_hex[coord],
            self.spec.tiles[tile].topology.turned(rotation),
        )
        new_stops = matching_stop_indexes(
            old_topology, new_topology, may_change_stops=bool(self.hexes[coord].allowed_tiles)
        )
        if new_stops is None:
            raise ValueError(f"tile {tile} turned by {rotation} does not keep the stops of {coord}")
        self._take_from_supply(tile)
        if coord in self._laid_tile_by_hex:
            self._return_to_supply(self._laid_tile_by_hex[coord][0])
        self._set_tile(coord, tile, rotation % 6)
        self._token_spaces.move_to_new_stops(coord, new_stops, _slot_counts(self.spec, coord, new_topology))
        for company, (stop_coord, stop) in self.homes.items():
            if stop_coord == coord:
                self.homes[company] = (coord, new_stops[stop])
        for owner, (stop_coord, stop) in self.kept.items():
            if stop_coord == coord:
                self.kept[owner] = (coord, new_stops[stop])
        self.hexes_with_new_tiles.append(coord)
        self.changed_hexes.append(coord)
        if not only_adds_track(old_topology, new_topology):
            self.version_by_hex_with_lost_track[coord] = self.version

    def remove_tile(self, coord: Coord) -> None:
        """Return the tile of a hex to the supply. The printed stops and track apply again; tokens stay in place."""
        old_topology, new_topology = (
            self._topology_by_hex[coord],
            self.spec.map.cached(_printed_topologies)[coord],
        )
        tile, _ = self._laid_tile_by_hex.pop(coord)
        self._return_to_supply(tile)
        self._topology_by_hex[coord] = new_topology
        stops = range(len(old_topology.stops))
        self._token_spaces.move_to_new_stops(
            coord, tuple(stops), _slot_counts(self.spec, coord, new_topology)
        )
        self.hexes_with_new_tiles.append(coord)
        self.changed_hexes.append(coord)
        self.version_by_hex_with_lost_track[coord] = self.version

    def changes_in_play(self) -> MapChanges:
        """All differences from the printed map, such as tiles and tokens."""
        tokens, spaceless_tokens = (
            self._token_spaces.occupied_stops(),
            self._token_spaces.tokens_without_space(),
        )
        tile_counts = {number: tile.count for number, tile in self.spec.tiles.items()}
        supply = {
            n: tiles_left
            for n, tiles_left in self.supply.items()
            if tiles_left is not None and tiles_left != tile_counts[n]
        }
        other_changes = (
            dict(self._label_by_hex),
            list(self._opened_phases),
            spaceless_tokens,
            dict(self.kept),
        )
        return MapChanges(dict(self._laid_tile_by_hex), tokens, dict(self.homes), supply, *other_changes)

    def open_spaces_of_phase(self, phase: PhaseName) -> None:
        """Open the token spaces in red areas that become available in this phase."""
        if phase in (*self._opened_phases, self.spec.phases[0].name):
            return
        opened_hexes = self.spec.map.cached(hexes_opened_by_phase).get(phase, ())
        if opened_hexes:
            self._opened_phases.append(phase)
        for coord in opened_hexes:
            self._token_spaces.add_spaces((coord, 0), self.hexes[coord].opens.count(phase))
            self.changed_hexes.append(coord)

    def _set_tile(self, coord: Coord, tile: TileId, rotation: int) -> None:
        self._laid_tile_by_hex[coord] = (tile, rotation)
        self._topology_by_hex[coord] = self.spec.tiles[tile].topology.turned(rotation)

    def _take_from_supply(self, tile: TileId) -> None:
        tiles_left = self.supply[tile]
        if tiles_left == 0:
            raise ValueError(f"no tile {tile} left")
        if tiles_left is not None:
            self.supply[tile] = tiles_left - 1

    def _return_to_supply(self, tile: TileId) -> None:
        tiles_left = self.supply[tile]
        if tiles_left is not None:
            self.supply[tile] = tiles_left + 1


def _slot_counts(spec: TitleSpec, coord: Coord, topology: Topology) -> list[int]:
    opening_phases = spec.map.all_hexes[coord].opens
    initial_slots = opening_phases.count(spec.phases[0].name)
    return [initial_slots if opening_phases else stop.slots for stop in topology.stops]


def _neutral_owners(spec: TitleSpec) -> tuple[CompanyId, ...]:
    return tuple(name for name, company in spec.companies.items() if not company.tokens_block)


def _companies_choosing_home(spec: TitleSpec) -> frozenset[CompanyId]:
    return frozenset(
        name for name, company in spec.companies.items() if company.home and company.home.chooses_city
    )


def _printed_topologies(map_spec: MapSpec) -> dict[Coord, Topology]:
    return {coord: hex_.topology for coord, hex_ in map_spec.all_hexes.items()}


def _printed_spaces(spec: TitleSpec) -> dict[StopId, int]:
    topologies = spec.map.cached(_printed_topologies).items()
    return {
        (coord, index): count
        for coord, topology in topologies
        for index, count in enumerate(_slot_counts(spec, coord, topology))
    }
