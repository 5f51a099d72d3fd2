"""Tiles that fit in a hex, and their rotations (18Chesapeake 11.3), connected to a company's track or not."""

from collections import Counter
from collections.abc import Collection
from functools import lru_cache
from typing import TypeAlias

from engine.board.hexes import EDGES, FIXED_COLOURS, Edge
from engine.board.map import Map
from engine.core.ids import Coord, TileId
from engine.core.spec import COLOURS, Colour, HexSpec, TileSpec, TitleSpec
from engine.core.topology import Topology, appearance, keeps_stop_counts, keeps_track, matching_stop_indexes


def next_colour(board: Map, coord: Coord) -> Colour | None:
    """The colour of the next tile in this hex; None if no more tiles can be laid in it.

    Rules: R-AL-111, R-AL-11A, R-CH-085, R-TN-112.
    """
    tile = board.tile(coord)
    if board.hexes[coord].colour in FIXED_COLOURS or (tile is not None and board.spec.tiles[tile].permanent):
        return None
    next_index = COLOURS.index(board.colour(coord)) + 1
    return COLOURS[next_index] if next_index < len(COLOURS) else None


def upgrade_candidates(board: Map, coord: Coord, allowed_colours: Collection[Colour]) -> tuple[TileId, ...]:
    """Tiles of the allowed colours that can be laid in the hex now and of which a copy is left."""
    colour = next_colour(board, coord)
    if colour is None or colour not in allowed_colours:
        return ()
    upgrades = _upgrades_of_colour(board, coord, colour)
    return tuple(
        [
            tile
            for tile in upgrades
            if board.supply[tile] != 0 and not must_give_way_to_other_tile(board, coord, tile)
        ]
    )


def must_give_way_to_other_tile(board: Map, coord: Coord, tile: TileId) -> bool:
    """True if the title requires another tile in place of this one, and that tile fits the hex and has a copy left."""
    other_tile = board.spec.tiles[tile].gives_way_to
    return bool(other_tile) and board.supply[other_tile] != 0 and bool(rotations(board, coord, other_tile))


def possible_upgrades(board: Map, coord: Coord) -> tuple[TileId, ...]:
    """Tiles that can replace the current tile or printed hex in any phase, even if no copy is left."""
    colour = next_colour(board, coord)
    return () if colour is None else _upgrades_of_colour(board, coord, colour)


_UpgradeKey: TypeAlias = tuple[tuple[TileId, ...], Topology, Colour, str]


def _new_upgrade_cache(spec: TitleSpec) -> dict[_UpgradeKey, tuple[TileId, ...]]:
    del spec
    return {}


def _upgrades_of_colour(board: Map, coord: Coord, colour: Colour) -> tuple[TileId, ...]:
    upgrades_by_key = board.spec.cached(_new_upgrade_cache)
    upgrade_key = (
        board.hexes[coord].allowed_tiles,
        board.topology(coord),
        colour,
        board.label_for(coord, colour),
    )
    upgrades = upgrades_by_key.get(upgrade_key)
    if upgrades is None:
        tiles_of_colour = board.spec.cached(_tiles_by_colour).get(colour, ())
        upgrades = upgrades_by_key[upgrade_key] = tuple(
            t for t in tiles_of_colour if t in board.supply and is_legal_upgrade(board, coord, t)
        )
    return upgrades


def _tiles_by_colour(spec: TitleSpec) -> dict[Colour, list[TileId]]:
    """The tiles of each colour that companies can lay without a private's power."""
    tiles_by_colour: dict[Colour, list[TileId]] = {}
    for number, tile in spec.tiles.items():
        if not tile.by_power_only:
            tiles_by_colour.setdefault(tile.colour, []).append(number)
    return tiles_by_colour


def is_legal_upgrade(board: Map, coord: Coord, tile: TileId) -> bool:
    """True if label, stops and track allow the tile in this hex in some rotation.

    Its colour and the copies left are not checked.

    Rules: R-AL-113, R-AL-114, R-AL-116, R-C2C-110, R-C2C-115, R-CH-092, R-CH-093, R-NE-068, R-NE-071, R-TN-113,
    R-TN-117, D-NE-13.
    """
    hex_, new_tile = board.hexes[coord], board.spec.tiles[tile]
    if not _label_fits(hex_, tile, new_tile, board.label_for(coord, new_tile.colour)):
        return False
    may_merge_cities, may_change_stops = bool(new_tile.label), bool(hex_.allowed_tiles)
    return _can_keep_track(board.topology(coord), new_tile.topology, may_merge_cities, may_change_stops)


def _label_fits(hex_: HexSpec, tile: TileId, new_tile: TileSpec, label: str) -> bool:
    return tile in hex_.allowed_tiles if hex_.allowed_tiles else new_tile.label == label


@lru_cache(maxsize=8192)
def _can_keep_track(
    old_topology: Topology, new_topology: Topology, may_merge_cities: bool, may_change_stops: bool
) -> bool:
    if not keeps_stop_counts(
        old_topology, new_topology, may_merge_cities=may_merge_cities, may_change_stops=may_change_stops
    ):
        return False
    return any(
        keeps_track(
            old_topology,
            new_topology.turned(r),
            may_merge_cities=may_merge_cities,
            may_change_stops=may_change_stops,
        )
        for r in EDGES
    )


def rotations(board: Map, coord: Coord, tile: TileId) -> tuple[int, ...]:
    """Legal rotations of the tile in this hex: exits are on usable edges, and old track keeps its connections to stops.

    Of rotations that look the same, only the lowest is listed.
    """
    new_tile = board.spec.tiles[tile]
    may_merge_cities, may_change_stops = (
        bool(new_tile.label),
        bool(board.hexes[coord].allowed_tiles) or new_tile.by_power_only,
    )
    old_topology = board.topology(coord)
    fitting_rotations = _fitting_rotations(
        old_topology, new_tile.topology, board.usable_edges(coord), may_merge_cities, may_change_stops
    )
    if new_tile.topology.slots >= old_topology.slots:
        return fitting_rotations
    return tuple(
        r for r in fitting_rotations if _tokens_fit_new_stops(board, coord, new_tile.topology.turned(r))
    )


def _tokens_fit_new_stops(board: Map, coord: Coord, new_topology: Topology) -> bool:
    new_stops = matching_stop_indexes(
        board.topology(coord), new_topology, may_change_stops=bool(board.hexes[coord].allowed_tiles)
    )
    assert new_stops is not None
    kept_stops = (*board.homes.values(), *board.kept.values())
    kept_space_counts = Counter(new_stops[stop] for kept_coord, stop in kept_stops if kept_coord == coord)
    token_counts = Counter(
        new_stop
        for i, new_stop in enumerate(new_stops)
        for owner in board.slots(coord, i)
        if owner is not None
    )
    return all(
        kept_space_counts[i] + token_counts[i] <= stop.slots for i, stop in enumerate(new_topology.stops)
    )


@lru_cache(maxsize=16384)
def _fitting_rotations(
    old_topology: Topology,
    new_topology: Topology,
    usable_edges: frozenset[Edge],
    may_merge_cities: bool,
    may_change_stops: bool,
) -> tuple[int, ...]:
    return tuple(
        r
        for r in _distinct_rotations(new_topology)
        if new_topology.turned(r).edges <= usable_edges
        and keeps_track(
            old_topology,
            new_topology.turned(r),
            may_merge_cities=may_merge_cities,
            may_change_stops=may_change_stops,
        )
    )


def equivalent_rotation(board: Map, tile: TileId, rotation: int) -> int:
    """The rotation in the list of `rotations` that looks the same as this one; `rotation` may be any whole number."""
    return _first_equivalent_rotation(board.spec.tiles[tile].topology, rotation % len(EDGES))


@lru_cache(maxsize=4096)
def _first_equivalent_rotation(topology: Topology, rotation: int) -> int:
    wanted_appearance = appearance(topology.turned(rotation))
    return next(r for r in EDGES if appearance(topology.turned(r)) == wanted_appearance)


@lru_cache(maxsize=1024)
def _distinct_rotations(topology: Topology) -> tuple[int, ...]:
    rotation_by_appearance: dict[object, int] = {}
    for r in EDGES:
        rotation_by_appearance.setdefault(appearance(topology.turned(r)), r)
    return tuple(rotation_by_appearance.values())
