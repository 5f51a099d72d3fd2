"""The network that a company reaches, and whether a tile it wants to lay is connected (18Chesapeake 11.1, 11.3)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from engine.board.hexes import EDGES, Edge
from engine.board.map import Map, StopId
from engine.board.reach import Explorer, Reached
from engine.board.track import PieceId
from engine.core.ids import CompanyId, Coord, TileId
from engine.core.topology import FIRST_STOP, Piece, Topology, is_edge, new_pieces

_SETS: Final = tuple(frozenset(edge for edge in EDGES if bits >> edge & 1) for bits in range(1 << len(EDGES)))


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """The company's connected track.

    `edges` names for each hex the edges where that track arrives, from the neighbour or from the hex itself;
    in a hex with an own token but no track to its edges yet, every usable one.
    """

    stops: frozenset[StopId]
    edges: Mapping[Coord, frozenset[Edge]]
    pieces: frozenset[PieceId]
    tokens: tuple[StopId, ...]
    coords: frozenset[Coord]
    """Every hex whose change could change this network."""


@dataclass(slots=True)
class _Kept:
    """A network with the version of the map it was last known to hold for, and the explorer that found it."""

    version: int
    explored: int
    """The version of the map that the explorer has seen."""
    network: Network
    explorer: Explorer
    connected: dict[tuple[Coord, TileId, int], bool] = field(default_factory=dict)
    """Lays asked about so far; they stay true as long as the network does."""
    entered: dict[tuple[Coord, int, int], bool] = field(default_factory=dict)
    """Whether a border can be come over with some track left free; by hex, edge, and that track."""
    seen: int = 0
    """The version up to which the two below have followed the map."""
    grown: bool = True
    """True if the changes since it was explored have only added to it."""
    changed: set[Coord] = field(default_factory=set)
    """Its hexes that have changed since."""


def _networks(board: Map) -> dict[CompanyId, _Kept]:
    """The networks of a map are found company by company, whenever one is asked for."""
    del board
    return {}


def share_networks(board: Map, other: Map) -> None:
    """Let another map, on which the same lies, know what is known of the networks of this one."""
    kept = board.worked_out(_networks)
    other.remember(_networks, {company: replace(one) for company, one in kept.items()})


def network_of(board: Map, company: CompanyId) -> Network:
    """The network that the company reaches now; worked out again only when something changed where it reaches."""
    return _kept(board, company).network


def reaches(board: Map, company: CompanyId, coord: Coord, *, known: bool = False) -> bool:
    """True if the company's track arrives in the hex; if only `known` counts, nothing is explored for it."""
    grown = _grown(board, company, coord)
    if grown is not None and coord in grown.network.edges:
        return True
    return not known and coord in network_of(board, company).edges


def reaches_stop(board: Map, company: CompanyId, stop: StopId) -> bool:
    """True if the company reaches the stop."""
    grown = _grown(board, company, stop[0])
    return (grown is not None and stop in grown.network.stops) or stop in network_of(board, company).stops


def known_stops(board: Map, company: CompanyId) -> Iterator[StopId]:
    """Stops that the company is known to reach; nothing is explored for it."""
    grown = _grown(board, company)
    if grown is not None:
        yield from (stop for stop in grown.network.stops if stop[0] not in grown.changed)


def likely_lays(board: Map, company: CompanyId) -> Iterator[Coord]:
    """Hexes where a lay is known to be connected, or is easily: track comes to them, and none lies there."""
    grown = _grown(board, company)
    if grown is not None:
        lays = dict.fromkeys(coord for (coord, _, _), connected in grown.connected.items() if connected)
        yield from (coord for coord in lays if coord not in grown.changed)
        unchanged = (coord for coord in grown.network.edges if coord not in grown.changed)
        yield from (coord for coord in unchanged if not board.topology(coord).edges)


def explorer_of(board: Map, company: CompanyId) -> Explorer:
    """The company's routes on the map as it lies: with what was found out for its network, if that still holds."""
    kept = board.worked_out(_networks).get(company)
    if kept is not None and _holds(board, company, kept):
        return kept.explorer
    return Explorer(board, company)


def _kept(board: Map, company: CompanyId) -> _Kept:
    of_board = board.worked_out(_networks)
    kept = of_board.get(company)
    if kept is None:
        kept = of_board[company] = _explored(board, company)
    elif not _holds(board, company, kept):
        kept = of_board[company] = _extended(board, kept) or _explored(board, company)
    kept.version = board.version
    return kept


def _holds(board: Map, company: CompanyId, kept: _Kept) -> bool:
    if kept.version == board.version:
        return True
    if tuple(board.tokens_of(company)) != kept.network.tokens:
        return False
    return kept.network.coords.isdisjoint(board.changes[kept.version :])


def _grown(board: Map, company: CompanyId, coord: Coord | None = None) -> _Kept | None:
    """The network last found, if changes since then, none of them in this hex, have only added to it.

    What it reached it still reaches.
    """
    kept = board.worked_out(_networks).get(company)
    if kept is None:
        return None
    if kept.seen != board.version:
        changed = kept.network.coords.intersection(board.changes[kept.seen :])
        kept.seen = board.version
        kept.changed = kept.changed | changed
        if changed and kept.grown:
            added = all(_only_added(board, company, kept, coord) for coord in changed)
            kept.grown = added and set(kept.network.tokens) <= set(board.tokens_of(company))
    return kept if kept.grown and coord not in kept.changed else None


def _only_added(board: Map, company: CompanyId, kept: _Kept, coord: Coord) -> bool:
    if board.remade.get(coord, 0) > kept.explored:
        return False
    stops = [(coord, index) for index in range(len(board.topology(coord).stops))]
    return not any(board.blocks(*stop, company) and not kept.explorer.ended_at(stop) for stop in stops)


def _explored(board: Map, company: CompanyId) -> _Kept:
    explorer = Explorer(board, company)
    return _found(board, explorer, explorer.reached())


def _extended(board: Map, kept: _Kept) -> _Kept | None:
    """The network after changes that only added to it; None where something may have gone."""
    changed = set(board.changes[kept.explored :])
    gone = any(board.remade.get(coord, 0) > kept.explored for coord in changed)
    reached = None if gone else kept.explorer.extended(changed)
    if reached is None:
        return None
    found = _found(board, kept.explorer, reached)
    found.connected = {lay: True for lay, yes in kept.connected.items() if yes and lay[0] not in changed}
    return found


def _found(board: Map, explorer: Explorer, reached: Reached) -> _Kept:
    edges = _edges(board, explorer, reached)
    network = Network(
        stops=reached.stops,
        edges=edges,
        pieces=reached.pieces,
        tokens=tuple(explorer.tokens),
        coords=frozenset([*edges, *[coord for coord, _ in reached.stops]]),
    )
    return _Kept(board.version, board.version, network, explorer, seen=board.version)


def _edges(board: Map, explorer: Explorer, reached: Reached) -> dict[Coord, frozenset[Edge]]:
    edges = dict(reached.edges)
    for coord, _ in explorer.tokens:
        if not board.topology(coord).edges:
            usable = sum(1 << edge for edge in EDGES if board.usable(coord, edge))
            edges[coord] = edges.get(coord, 0) | usable
    return {coord: _SETS[edges[coord]] for coord in sorted(edges)}


def has_route(board: Map, company: CompanyId) -> bool:
    """Whether the company has a route of at least two places (18Chesapeake 11.7).

    Stops of one group are one place (18Chesapeake 11.1).
    """
    grown = _grown(board, company)
    if grown is not None and _leads_elsewhere(board, grown.network):
        return True
    explorer = explorer_of(board, company)
    return any(
        chain.end is not None and board.place(chain.end) != board.place(token)
        for token in explorer.tokens
        for chain in explorer.chains(token)
    )


def _leads_elsewhere(board: Map, network: Network) -> bool:
    """Whether a stop was reached, apart from those with tokens, which are always reached.

    Where the places of a run are others than those of track, only its chains can tell.
    """
    return board.spec.map.one_stop_a_hex_binds != "runs" and not network.stops <= set(network.tokens)


def lay_is_connected(board: Map, company: CompanyId, coord: Coord, tile: TileId, *rotations: int) -> bool:
    """True if laying this tile in one of these ways is connected enough (18Chesapeake 11.3, "semi-restrictive").

    A first tile needs an exit where the company's track arrives, or an own token in the hex. An upgrade
    needs new track on a route of the company; where the value of a city changes, any track of the new tile
    will do.

    Rules: R-AL-119, R-C2C-111, R-CH-087, R-CH-088, R-NE-067, R-TN-115.
    """
    if known_to_be_connected(board, company, coord, tile, *rotations):
        return True
    kept = _kept(board, company)
    if coord not in kept.network.edges:
        return False
    for asked in [(coord, tile, rotation) for rotation in rotations]:
        if asked not in kept.connected:
            kept.connected[asked] = _is_connected(board, kept, *asked)
        if kept.connected[asked]:
            return True
    return False


def known_to_be_connected(
    board: Map, company: CompanyId, coord: Coord, tile: TileId, *rotations: int
) -> bool:
    """True if one of these lays is connected by what is known already; nothing is explored for it."""
    grown = _grown(board, company, coord)
    return grown is not None and any(
        grown.connected.get((coord, tile, rotation)) or _connects_at_once(board, grown, coord, tile, rotation)
        for rotation in rotations
    )


def _is_connected(board: Map, kept: _Kept, coord: Coord, tile: TileId, rotation: int) -> bool:
    at_once = _connects_at_once(board, kept, coord, tile, rotation)
    if at_once is not None:
        return at_once
    old, new = board.topology(coord), board.spec.tiles[tile].topology.turned(rotation)
    return any(_new_track_reached(board, kept, coord, new, piece) for piece in new_pieces(old, new))


def _connects_at_once(board: Map, kept: _Kept, coord: Coord, tile: TileId, rotation: int) -> bool | None:
    """True if the lay is connected by the borders of the hex that track comes to; None where only routes can tell."""
    network = kept.network
    if coord not in network.edges:
        return False
    old, new = board.topology(coord), board.spec.tiles[tile].topology.turned(rotation)
    token_here = any(hex_ == coord for hex_, _ in network.tokens)
    if not old.edges:
        return token_here or not network.edges[coord].isdisjoint(new.edges)
    if _city_values(old) != _city_values(new):
        return token_here or _touches(network, coord, new)
    return None


def _city_values(topology: Topology) -> list[tuple[int, ...]]:
    return [stop.revenue for stop in topology.stops if stop.kind == "city"]


def _touches(network: Network, coord: Coord, new: Topology) -> bool:
    """Old track stays in an upgrade, so track reached before in the hex is reached after, too."""
    inside = any(hex_ == coord for hex_, _, _ in network.pieces)
    return inside or not network.edges[coord].isdisjoint(new.edges)


def _new_track_reached(board: Map, kept: _Kept, coord: Coord, new: Topology, piece: Piece) -> bool:
    """Whether a route over the track as it was comes to one end of the new piece.

    Its other end must still be free, unless the title traces the way from any point of the new track (18AL 4.2.1(j)):
    then it may begin in the middle of the piece. A route that comes there over another new piece already shows that
    piece, so looking at the old track is enough.
    """
    ways = ((piece.a, piece.b), (piece.b, piece.a))
    return any(_comes_to(board, kept, coord, new, near, far) for near, far in ways)


def _comes_to(board: Map, kept: _Kept, coord: Coord, new: Topology, near: int, far: int) -> bool:
    whole = not board.spec.map.part_of_new_track
    barred = kept.explorer.bar((coord, far)) if whole and is_edge(far) else 0
    if not is_edge(near):
        return _comes_to_stop(board, kept.explorer, coord, new, near, barred)
    asked = (coord, near, barred)
    if asked not in kept.entered:
        kept.entered[asked] = kept.explorer.enters((coord, near), barred)
    return kept.entered[asked]


def _comes_to_stop(
    board: Map, explorer: Explorer, coord: Coord, new: Topology, near: int, barred: int
) -> bool:
    slots = new.stops[near - FIRST_STOP].slots
    stops = [(coord, i) for i in range(len(board.topology(coord).stops))]
    merged = [stop for stop in stops if _becomes(board, stop, coord, new, near)]
    if any(stop in explorer.tokens for stop in merged):
        return True
    free = any(explorer.passable(stop) or slots > len(board.slots(*stop)) for stop in merged)
    return free and any(explorer.comes_to(stop, barred) for stop in merged)


def _becomes(board: Map, stop: StopId, coord: Coord, new: Topology, near: int) -> bool:
    """Whether this stop of the hex is the one at end `near` of the new tile: they share edges."""
    if stop[0] != coord:
        return False
    mine = board.topology(coord).edges_of(stop[1])
    return mine <= new.edges_of(near - FIRST_STOP)
