"""Tiles that can be laid in a hex and their rotations (18Chesapeake 11.3), regardless of connection."""

from collections import Counter
from collections.abc import Collection
from functools import lru_cache
from typing import TypeAlias

from engine.board.hexes import EDGES, FIXED_COLOURS, Edge
from engine.board.map import Map
from engine.core.ids import Coord, TileId
from engine.core.spec import COLOURS, Colour, HexSpec, TileSpec, TitleSpec
from engine.core.topology import Topology, appearance, keeps_stops, keeps_track, stop_partners


def next_colour(board: Map, coord: Coord) -> Colour | None:
    """The colour that a tile laid here must have; None if no more tiles can be laid.

    Rules: R-AL-111, R-AL-11A, R-CH-085, R-TN-112.
    """
    tile = board.tile(coord)
    if board.hexes[coord].colour in FIXED_COLOURS or (tile is not None and board.spec.tiles[tile].permanent):
        return None
    next_index = COLOURS.index(board.colour(coord)) + 1
    return COLOURS[next_index] if next_index < len(COLOURS) else None


def candidates(board: Map, coord: Coord, allowed_colours: Collection[Colour]) -> tuple[TileId, ...]:
    """Tiles of the allowed colours that can be laid in the hex now, without tiles that are used up."""
    colour = next_colour(board, coord)
    if colour is None or colour not in allowed_colours:
        return ()
    upgrades = _upgrades_to(board, coord, colour)
    return tuple([tile for tile in upgrades if board.supply[tile] != 0 and not gives_way(board, coord, tile)])


def gives_way(board: Map, coord: Coord, tile: TileId) -> bool:
    """True if the title requires another tile to be laid instead, and that tile fits the hex and a copy is left."""
    other_tile = board.spec.tiles[tile].gives_way_to
    return bool(other_tile) and board.supply[other_tile] != 0 and bool(rotations(board, coord, other_tile))


def possible_upgrades(board: Map, coord: Coord) -> tuple[TileId, ...]:
    """Tiles that can replace the current tile or printed hex in any phase, even if no copy is left."""
    colour = next_colour(board, coord)
    return () if colour is None else _upgrades_to(board, coord, colour)


_UpgradeKey: TypeAlias = tuple[tuple[TileId, ...], Topology, Colour, str]
"""The conditions of the possible tiles: the hex's own tiles, its topology, and the required colour and
label.
"""


def _known_upgrades(spec: TitleSpec) -> dict[_UpgradeKey, tuple[TileId, ...]]:
    del spec
    return {}


def _upgrades_to(board: Map, coord: Coord, colour: Colour) -> tuple[TileId, ...]:
    known_upgrades = board.spec.cached(_known_upgrades)
    key = (board.hexes[coord].tiles, board.topology(coord), colour, board.label_for(coord, colour))
    upgrades = known_upgrades.get(key)
    if upgrades is None:
        tiles_of_colour = board.spec.cached(_tiles_by_colour).get(colour, ())
        upgrades = known_upgrades[key] = tuple(
            t for t in tiles_of_colour if t in board.supply and follows(board, coord, t)
        )
    return upgrades


def _tiles_by_colour(spec: TitleSpec) -> dict[Colour, list[TileId]]:
    """The tiles of each colour that companies can lay without a private."""
    tiles_by_colour: dict[Colour, list[TileId]] = {}
    for number, tile in spec.tiles.items():
        if not tile.by_power_only:
            tiles_by_colour.setdefault(tile.colour, []).append(number)
    return tiles_by_colour


def follows(board: Map, coord: Coord, tile: TileId) -> bool:
    """True if label, stops and track allow the tile here in some rotation, regardless of its colour and of copies left.

    Rules: R-AL-113, R-AL-114, R-AL-116, R-C2C-110, R-C2C-115, R-CH-092, R-CH-093, R-NE-068, R-NE-071, R-TN-113,
    R-TN-117, D-NE-13.
    """
    hex_, new = board.hexes[coord], board.spec.tiles[tile]
    if not _label_fits(hex_, tile, new, board.label_for(coord, new.colour)):
        return False
    merging, mixing = bool(new.label), bool(hex_.tiles)
    return _can_keep_track(board.topology(coord), new.topology, merging, mixing)


def _label_fits(hex_: HexSpec, tile: TileId, new: TileSpec, label: str) -> bool:
    return tile in hex_.tiles if hex_.tiles else new.label == label


@lru_cache(maxsize=8192)
def _can_keep_track(old: Topology, new: Topology, allow_merging: bool, mixing: bool) -> bool:
    if not keeps_stops(old, new, merging=allow_merging, mixing=mixing):
        return False
    return any(keeps_track(old, new.turned(r), merging=allow_merging, mixing=mixing) for r in EDGES)


def rotations(board: Map, coord: Coord, tile: TileId) -> tuple[int, ...]:
    """Possible rotations of the tile here: all exits are on usable edges, and old track keeps its connections to stops.

    Of rotations that look the same, only the lowest is listed.
    """
    new = board.spec.tiles[tile]
    merging, mixing = bool(new.label), bool(board.hexes[coord].tiles) or new.by_power_only
    old = board.topology(coord)
    fitting_rotations = _fitting_rotations(old, new.topology, board.usable_edges(coord), merging, mixing)
    if new.topology.slots >= old.slots:
        return fitting_rotations
    return tuple(r for r in fitting_rotations if _tokens_fit(board, coord, new.topology.turned(r)))


def _tokens_fit(board: Map, coord: Coord, new: Topology) -> bool:
    """True if the new tile has spaces for all tokens and reserved homes."""
    new_stops = stop_partners(board.topology(coord), new, mixing=bool(board.hexes[coord].tiles))
    assert new_stops is not None
    spaces_kept = (*board.homes.values(), *board.kept.values())
    homes = Counter(new_stops[stop] for hex_, stop in spaces_kept if hex_ == coord)
    tokens = Counter(
        m for i, m in enumerate(new_stops) for owner in board.slots(coord, i) if owner is not None
    )
    return all(homes[i] + tokens[i] <= stop.slots for i, stop in enumerate(new.stops))


@lru_cache(maxsize=16384)
def _fitting_rotations(
    old: Topology, new: Topology, usable: frozenset[Edge], allow_merging: bool, mixing: bool
) -> tuple[int, ...]:
    return tuple(
        r
        for r in _distinct_rotations(new)
        if new.turned(r).edges <= usable
        and keeps_track(old, new.turned(r), merging=allow_merging, mixing=mixing)
    )


def same_rotation(board: Map, tile: TileId, rotation: int) -> int:
    """The listed rotation that looks the same as this one; accepts any whole number."""
    return _first_same_rotation(board.spec.tiles[tile].topology, rotation % len(EDGES))


@lru_cache(maxsize=4096)
def _first_same_rotation(topology: Topology, rotation: int) -> int:
    wanted_look = appearance(topology.turned(rotation))
    return next(r for r in EDGES if appearance(topology.turned(r)) == wanted_look)


@lru_cache(maxsize=1024)
def _distinct_rotations(topology: Topology) -> tuple[int, ...]:
    rotation_by_look: dict[object, int] = {}
    for r in EDGES:
        rotation_by_look.setdefault(appearance(topology.turned(r)), r)
    return tuple(rotation_by_look.values())
