"""Where the tile powers of privates lay, and which tiles (18Chesapeake 7.1), no matter who owns the private."""

from collections.abc import Sequence

from engine.board import upgrades
from engine.core.ids import Coord, PrivateId, TileId
from engine.core.spec import TileLayPower
from engine.play.table import Table
from engine.play.track.lays import next_lay
from engine.play.track.terrain import cost


def tile_power(t: Table, private: PrivateId) -> TileLayPower | None:
    """The tile power of a private, if it has one."""
    powers = t.spec.privates[private].powers
    return next((power for power in powers if isinstance(power, TileLayPower)), None)


def has_room(t: Table, power: TileLayPower) -> bool:
    """Whether the turn has room for its tile: on top of the company's own lays, or while one of them is left.

    Rules: R-CH-102, R-CH-103, R-TN-111.
    """
    return power.extra or next_lay(t) is not None


def places(t: Table, power: TileLayPower, money: int, first: Coord | None = None) -> list[Coord]:
    """Hexes where the power lays a tile now, terrain within so much money; `first` has the first tile of a pair.

    Rules: R-AL-171, R-CH-100, R-CH-101, R-TN-111.
    """
    return [
        coord
        for coord in _payable(t, power, _empty(t, power, first), money)
        if any(turns(t, power, coord, tile, first) for tile in power.tiles)
    ]


def _empty(t: Table, power: TileLayPower, first: Coord | None) -> list[Coord]:
    """Its hexes without a tile; tiles that belong together need all of them (18Chesapeake 7.1)."""
    empty = [coord for coord in power.hexes if coord != first and t.map.tile(coord) is None]
    together = power.lays == len(power.hexes)
    missing = len(power.hexes) - len(empty) - (first is not None)
    return [] if together and missing else empty


def _payable(t: Table, power: TileLayPower, hexes: Sequence[Coord], money: int) -> list[Coord]:
    if power.lays > 1 and not power.free and sum(cost(t, coord) for coord in hexes) > money:
        return []
    return [coord for coord in hexes if power.free or cost(t, coord) <= money]


def turns(t: Table, power: TileLayPower, coord: Coord, tile: TileId, first: Coord | None) -> list[int]:
    """Rotations that a power allows: no connection is needed, but two tiles meet at their common edge
    (18Chesapeake 7.1).

    Rules: R-AL-171, R-CH-100, R-CH-101, R-TN-111.
    """
    if not _at_hand(t, tile):
        return []
    found = list(upgrades.rotations(t.map, coord, tile))
    if power.lays == 1:
        return found
    other = next(hex_ for hex_ in power.hexes if hex_ != coord)
    meeting = [rotation for rotation in found if _meets(t, coord, tile, rotation, other)]
    return meeting if first is not None or _second_fits(t, power, tile, other, coord) else []


def _second_fits(t: Table, power: TileLayPower, laid: TileId, coord: Coord, first: Coord) -> bool:
    """Whether the other hex could take its tile after this one is laid."""
    return any(
        _meets(t, coord, tile, rotation, first)
        for tile in power.tiles
        if _at_hand(t, tile, taken=int(tile == laid))
        for rotation in upgrades.rotations(t.map, coord, tile)
    )


def _at_hand(t: Table, tile: TileId, taken: int = 0) -> bool:
    left = t.map.supply[tile]
    return (left is None or left > taken) and t.spec.tiles[tile].colour in t.phase.tiles


def _meets(t: Table, coord: Coord, tile: TileId, rotation: int, other: Coord) -> bool:
    edges = t.spec.tiles[tile].topology.turned(rotation).edges
    return any(t.map.neighbour(coord, edge) == other for edge in edges)
