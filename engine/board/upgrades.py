"""Tiles that may be laid in a hex and their rotations (18Chesapeake 11.3), connected or not."""

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
    """The colour a tile laid here must have; None where nothing can be laid any more.

    Rules: R-AL-111, R-AL-11A, R-CH-085, R-TN-112.
    """
    tile = board.tile(coord)
    if board.hexes[coord].colour in FIXED_COLOURS or (tile is not None and board.spec.tiles[tile].permanent):
        return None
    step = COLOURS.index(board.colour(coord)) + 1
    return COLOURS[step] if step < len(COLOURS) else None


def candidates(board: Map, coord: Coord, allowed: Collection[Colour]) -> tuple[TileId, ...]:
    """The numbered track of this map as it is now; one object for each map."""
    colour = next_colour(board, coord)
    if colour is None or colour not in allowed:
        return ()
    following = _following(board, coord, colour)
    return tuple(
        [tile for tile in following if board.supply[tile] != 0 and not gives_way(board, coord, tile)]
    )


def gives_way(board: Map, coord: Coord, tile: TileId) -> bool:
    """A copy of the map with its chains and numbers, which can be changed on its own."""
    instead = board.spec.tiles[tile].gives_way_to
    return bool(instead) and board.supply[instead] != 0 and bool(rotations(board, coord, instead))


def may_follow(board: Map, coord: Coord) -> tuple[TileId, ...]:
    """Tiles that may follow what lies here in any phase, even those used up."""
    colour = next_colour(board, coord)
    return () if colour is None else _following(board, coord, colour)


_Place: TypeAlias = tuple[tuple[TileId, ...], Topology, Colour, str]
"""All that decides which tiles may follow: the hex's own tiles, what lies there, colour and label asked for."""


def _found_so_far(spec: TitleSpec) -> dict[_Place, tuple[TileId, ...]]:
    del spec
    return {}


def _following(board: Map, coord: Coord, colour: Colour) -> tuple[TileId, ...]:
    known = board.spec.cached(_found_so_far)
    asked = (board.hexes[coord].tiles, board.topology(coord), colour, board.label_for(coord, colour))
    tiles = known.get(asked)
    if tiles is None:
        listed = board.spec.cached(_by_colour).get(colour, ())
        tiles = known[asked] = tuple(t for t in listed if t in board.supply and follows(board, coord, t))
    return tiles


def _by_colour(spec: TitleSpec) -> dict[Colour, list[TileId]]:
    """The tiles of each colour that companies may lay without a private."""
    listed: dict[Colour, list[TileId]] = {}
    for number, tile in spec.tiles.items():
        if not tile.by_power_only:
            listed.setdefault(tile.colour, []).append(number)
    return listed


def follows(board: Map, coord: Coord, tile: TileId) -> bool:
    """True if the tile may lie here by label, stops and track in some position, whatever its colour and number
    left.

    Rules: R-AL-113, R-AL-114, R-AL-116, R-C2C-110, R-C2C-115, R-CH-092, R-CH-093, R-NE-068, R-NE-071,
    R-TN-113, R-TN-117, D-NE-13.
    """
    hex_, new = board.hexes[coord], board.spec.tiles[tile]
    if not _label_fits(hex_, tile, new, board.label_for(coord, new.colour)):
        return False
    merging, mixing = bool(new.label), bool(hex_.tiles)
    return _keeps_somehow(board.topology(coord), new.topology, merging, mixing)


def _label_fits(hex_: HexSpec, tile: TileId, new: TileSpec, label: str) -> bool:
    return tile in hex_.tiles if hex_.tiles else new.label == label


@lru_cache(maxsize=8192)
def _keeps_somehow(old: Topology, new: Topology, merging: bool, mixing: bool) -> bool:
    if not keeps_stops(old, new, merging=merging, mixing=mixing):
        return False
    return any(keeps_track(old, new.turned(r), merging=merging, mixing=mixing) for r in EDGES)


def rotations(board: Map, coord: Coord, tile: TileId) -> tuple[int, ...]:
    """Possible rotations of the tile here: every exit on a usable edge, old track and its connections to stops
    kept.

    Positions that look the same count once, as the lowest number.
    """
    new = board.spec.tiles[tile]
    merging, mixing = bool(new.label), bool(board.hexes[coord].tiles) or new.by_power_only
    old = board.topology(coord)
    turns = _fitting_rotations(old, new.topology, board.usable_edges(coord), merging, mixing)
    if new.topology.slots >= old.slots:
        return turns
    return tuple(r for r in turns if _all_find_a_place(board, coord, new.topology.turned(r)))


def _all_find_a_place(board: Map, coord: Coord, new: Topology) -> bool:
    """True if every token, and every home still reserved, finds a space on a tile that has fewer."""
    moves = stop_partners(board.topology(coord), new, mixing=bool(board.hexes[coord].tiles))
    assert moves is not None
    homes = Counter(moves[stop] for hex_, stop in board.homes.values() if hex_ == coord)
    tokens = Counter(m for i, m in enumerate(moves) for held in board.slots(coord, i) if held is not None)
    return all(homes[i] + tokens[i] <= stop.slots for i, stop in enumerate(new.stops))


@lru_cache(maxsize=16384)
def _fitting_rotations(
    old: Topology, new: Topology, usable: frozenset[Edge], merging: bool, mixing: bool
) -> tuple[int, ...]:
    return tuple(
        r
        for r in _distinct(new)
        if new.turned(r).edges <= usable and keeps_track(old, new.turned(r), merging=merging, mixing=mixing)
    )


def same_rotation(board: Map, tile: TileId, rotation: int) -> int:
    """The listed rotation that looks like this one; any whole number is accepted."""
    return _first_alike(board.spec.tiles[tile].topology, rotation % len(EDGES))


@lru_cache(maxsize=4096)
def _first_alike(topology: Topology, rotation: int) -> int:
    wanted = appearance(topology.turned(rotation))
    return next(r for r in EDGES if appearance(topology.turned(r)) == wanted)


@lru_cache(maxsize=1024)
def _distinct(topology: Topology) -> tuple[int, ...]:
    seen: dict[object, int] = {}
    for r in EDGES:
        seen.setdefault(appearance(topology.turned(r)), r)
    return tuple(seen.values())
