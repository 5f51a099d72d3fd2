"""The map's track in two forms: chains of track from stop to stop, and a graph of numbered ends joined by pieces.

A chain leads from a stop along pieces and across borders to the next stop, or to the end of the track. Everything that
a route can use only once has a bit in the chain's mask: each border crossed by track (so the common stem of a switch
counts once) and each piece that connects two stops inside a hex.

The search for the track that a company reaches (`reach`) uses numbers. The two sides of a border have the numbers 2k
and 2k + 1: a route that comes to one side from inside its hex continues from the other. A stop has an even number 2k,
and 2k + 1 stays unused. Each border and each stop thus has its own k, and a route uses each k at most once.
"""

from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field
from typing import NamedTuple, Self, TypeAlias

from engine.board.hexes import Edge, opposite_edge
from engine.board.map import Map, StopId
from engine.core.ids import CompanyId, Coord
from engine.core.topology import FIRST_STOP, End, is_edge

PieceId: TypeAlias = tuple[Coord, End, End]
"""A piece of track on the map: its hex and two ends.

The ends are in travelling order, or sorted if the direction does not matter.
"""
Crossing: TypeAlias = tuple[Coord, Edge]
"""A hex border as (hex, edge), seen from the hex that a route enters across it."""


def undirected_piece(piece: PieceId) -> PieceId:
    """The piece of track with its ends sorted, so that it is equal for both directions of travel."""
    coord, first_end, second_end = piece
    return piece if first_end <= second_end else (coord, second_end, first_end)


class ChainPiece(NamedTuple):
    """One piece in a chain of track.

    `piece` has its ends in travelling order, `sorted_piece` has them sorted. `used_bits_so_far` has the bits of the
    chain up to and including the piece. `crossing` is the border that follows the piece.
    """

    piece: PieceId
    sorted_piece: PieceId
    used_bits_so_far: int
    crossing: Crossing | None


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """Track that leads from a stop to the next stop, or to the end of the track.

    `end` is None if the track ends or would cross a border twice; `pieces` are in travelling order.
    """

    start: StopId
    end: StopId | None
    chain_pieces: tuple[ChainPiece, ...]
    mask: int
    pieces: tuple[PieceId, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pieces", tuple([step.piece for step in self.chain_pieces]))


class Track:
    """The chains of track between the stops of a map; each is cached until one of its hexes changes."""

    def __init__(self, board: Map) -> None:
        self._board = board
        self._seen_change_count = len(board.hexes_with_new_tiles)
        self._bit_index_by_key: dict[object, int] = {}
        self._bit_and_far_side_by_crossing: dict[Crossing, tuple[int, Crossing | None]] = {}
        self._chains_by_stop: dict[StopId, tuple[Chain, ...]] = {}
        self._touched_hexes_by_stop: dict[StopId, set[Coord]] = {}

    def copy(self, board: Map) -> Self:
        """A copy with the same cached chains, for a copy of the map."""
        copy_with_caches = type(self)(board)
        copy_with_caches._seen_change_count, copy_with_caches._bit_index_by_key = (
            self._seen_change_count,
            dict(self._bit_index_by_key),
        )
        copy_with_caches._bit_and_far_side_by_crossing = dict(self._bit_and_far_side_by_crossing)
        copy_with_caches._chains_by_stop, copy_with_caches._touched_hexes_by_stop = (
            dict(self._chains_by_stop),
            dict(self._touched_hexes_by_stop),
        )
        return copy_with_caches

    def chains(self, stop: StopId) -> tuple[Chain, ...]:
        """All chains of track that start at this stop, in a fixed order."""
        self._drop_changed_chains()
        chains = self._chains_by_stop.get(stop)
        if chains is None:
            chains, touched_hexes = self._find_chains(stop)
            self._chains_by_stop[stop] = chains
            self._touched_hexes_by_stop[stop] = touched_hexes
        return chains

    def crossing(self, coord: Coord, edge: Edge) -> tuple[int, Crossing | None]:
        """The hex border at this edge: its bit in masks of used track, and the border seen from the neighbour.

        The second value is None if the hex has no neighbour there.
        """
        bit_and_far_side = self._bit_and_far_side_by_crossing.get((coord, edge))
        if bit_and_far_side is None:
            other_hex = self._board.neighbour(coord, edge)
            far_side = None if other_hex is None else (other_hex, opposite_edge(edge))
            key = (coord, edge) if far_side is None else min((coord, edge), far_side)
            bit_and_far_side = self._bit_and_far_side_by_crossing[coord, edge] = (
                self._bit_of_track(key),
                far_side,
            )
        return bit_and_far_side

    def bit_of_inner_track(self, coord: Coord, first_end: End, second_end: End) -> int:
        """The bit, in masks of used track, of a piece of track that connects two stops inside a hex."""
        return self._bit_of_track((coord, min(first_end, second_end), max(first_end, second_end)))

    def bits(self, piece: PieceId) -> int:
        """A mask of the borders, and of the pieces between stops, that a train uses by running over this piece."""
        coord, first_end, second_end = piece
        edges = [end for end in (first_end, second_end) if is_edge(end)]
        if not edges:
            return self.bit_of_inner_track(coord, first_end, second_end)
        used_bits = 0
        for edge in edges:
            used_bits |= self.crossing(coord, edge)[0]
        return used_bits

    def _bit_of_track(self, key: object) -> int:
        return 1 << self._bit_index_by_key.setdefault(key, len(self._bit_index_by_key))

    def _drop_changed_chains(self) -> None:
        if self._seen_change_count == len(self._board.hexes_with_new_tiles):
            return
        changed_hexes = set(self._board.hexes_with_new_tiles[self._seen_change_count :])
        self._seen_change_count = len(self._board.hexes_with_new_tiles)
        for stop, touched_hexes in list(self._touched_hexes_by_stop.items()):
            if touched_hexes & changed_hexes:
                del self._chains_by_stop[stop], self._touched_hexes_by_stop[stop]

    def _find_chains(self, stop: StopId) -> tuple[tuple[Chain, ...], set[Coord]]:
        coord, index = stop
        chains: list[Chain] = []
        touched_hexes = {coord}
        for far_end in self._board.topology(coord).ends_beyond(FIRST_STOP + index):
            self._follow_piece(stop, (), (coord, FIRST_STOP + index, far_end), chains, touched_hexes)
        return tuple(chains), touched_hexes

    def _follow_piece(
        self,
        start: StopId,
        chain_pieces: tuple[ChainPiece, ...],
        piece: PieceId,
        chains: list[Chain],
        touched_hexes: set[Coord],
    ) -> bool:
        coord, near_end, far_end = piece
        used_bits = chain_pieces[-1].used_bits_so_far if chain_pieces else 0
        if far_end >= FIRST_STOP:
            bits = 0 if near_end < FIRST_STOP else self.bit_of_inner_track(coord, near_end, far_end)
            all_pieces = (*chain_pieces, ChainPiece(piece, undirected_piece(piece), used_bits | bits, None))
            chains.append(Chain(start, (coord, far_end - FIRST_STOP), all_pieces, used_bits | bits))
            return True
        bit, crossing = self.crossing(coord, far_end)
        if used_bits & bit:
            return False
        chain_pieces = (*chain_pieces, ChainPiece(piece, undirected_piece(piece), used_bits | bit, crossing))
        has_continued = False
        if crossing is not None:
            touched_hexes.add(crossing[0])
            for next_end in self._board.topology(crossing[0]).ends_beyond(crossing[1]):
                has_continued |= self._follow_piece(
                    start, chain_pieces, (*crossing, next_end), chains, touched_hexes
                )
        if not has_continued:
            chains.append(Chain(start, None, chain_pieces, used_bits | bit))
        return True


def track_of(board: Map) -> Track:
    """The chains of track of this map; always the same object, so that its cache is shared."""
    return board.cached(Track)


NodeNumber: TypeAlias = int
"""The number of a node: a stop or one side of a hex border, in the search for reached track."""
NodesAhead: TypeAlias = tuple[tuple[NodeNumber, ...], tuple[NodeNumber, ...]]
"""The nodes ahead of a node, to which pieces of track lead: sides of borders, then stops."""


class TrackNodes:
    """Numbers for the stops and the sides of the borders of a map, and the pieces of track between them.

    The pieces of a hex are cached until its tile changes.
    """

    def __init__(self, board: Map) -> None:
        self._board = board
        self._seen_change_count = len(board.hexes_with_new_tiles)
        self._nodes_by_hex: dict[Coord, dict[End, NodeNumber]] = {coord: {} for coord in board.coords}
        self._places_by_node: list[tuple[Coord, End] | None] = []
        self.stop_by_node: dict[NodeNumber, StopId] = {}
        """The stop that each node number stands for, except numbers for sides of borders."""
        self._nodes_ahead_by_node: dict[NodeNumber, NodesAhead] = {}
        self._dead_end_bits = self._bits_of_stops(_dead_end_stops(board))

    def copy(self, board: Map) -> Self:
        """A copy with the same numbers, for a copy of the map."""
        copy_with_caches = copy(self)
        copy_with_caches._board = board
        copy_with_caches._nodes_by_hex = {coord: dict(nodes) for coord, nodes in self._nodes_by_hex.items()}
        (
            copy_with_caches._places_by_node,
            copy_with_caches.stop_by_node,
            copy_with_caches._nodes_ahead_by_node,
        ) = (
            list(self._places_by_node),
            dict(self.stop_by_node),
            dict(self._nodes_ahead_by_node),
        )
        return copy_with_caches

    def border_node(self, crossing: Crossing) -> NodeNumber:
        """The node number of this side of a hex border."""
        coord, edge = crossing
        node = self._nodes_by_hex[coord].get(edge)
        if node is None:
            other_hex = self._board.neighbour(coord, edge)
            node = self._add_node_pair(
                crossing, None if other_hex is None else (other_hex, opposite_edge(edge))
            )
        return node

    def stop_node(self, stop: StopId) -> NodeNumber:
        """The node number of this stop."""
        coord, index = stop
        node = self._nodes_by_hex[coord].get(FIRST_STOP + index)
        if node is None:
            node = self._add_node_pair((coord, FIRST_STOP + index), None)
            self.stop_by_node[node] = stop
        return node

    def nodes_in(self, coord: Coord) -> list[NodeNumber]:
        """The node numbers of this hex: one for each stop, and one for its side of each border."""
        end_limit = FIRST_STOP + len(self._board.topology(coord).stops)
        return [node for end, node in self._nodes_by_hex[coord].items() if end < end_limit]

    def edges_with_nodes(self, coord: Coord) -> list[tuple[Edge, NodeNumber]]:
        """The edges of the hex that have a node number, each with this number."""
        return [(end, node) for end, node in self._nodes_by_hex[coord].items() if is_edge(end)]

    def hex_of_node(self, node: NodeNumber) -> Coord | None:
        """The hex to which a node number belongs; None beyond the border of the map."""
        place = self._places_by_node[node]
        return None if place is None else place[0]

    def piece(self, node: NodeNumber, next_node: NodeNumber) -> PieceId:
        """The piece of track between two nodes of the same hex, with its ends sorted."""
        near_place, far_place = self._places_by_node[node], self._places_by_node[next_node]
        assert near_place is not None
        assert far_place is not None
        return undirected_piece((*near_place, far_place[1]))

    def nodes_ahead(self, node: NodeNumber) -> NodesAhead:
        """The nodes to which pieces of track in the hex lead from this node."""
        reachable_nodes = self._nodes_ahead_by_node.get(node)
        if reachable_nodes is None:
            reachable_nodes = self._nodes_ahead_by_node[node] = self._find_nodes_ahead(node)
        return reachable_nodes

    def impassable_bits(self, company: CompanyId) -> int:
        """The stops where the company's routes end, as a bit mask."""
        return self._dead_end_bits | self._bits_of_stops(self._board.blocking_stops(company))

    def refresh(self) -> Self:
        """Drop cached track of hexes whose tiles have changed; returns this object."""
        changed_hexes = set(self._board.hexes_with_new_tiles[self._seen_change_count :])
        if changed_hexes:
            self._seen_change_count = len(self._board.hexes_with_new_tiles)
            for node in [node for coord in changed_hexes for node in self._nodes_by_hex[coord].values()]:
                self._nodes_ahead_by_node.pop(node, None)
        return self

    def _find_nodes_ahead(self, node: NodeNumber) -> NodesAhead:
        place = self._places_by_node[node]
        if place is None:
            return (), ()
        coord, near_end = place
        ends = self._board.topology(coord).ends_beyond(near_end)
        borders = tuple([self.border_node((coord, end)) for end in ends if is_edge(end)])
        return borders, tuple([self.stop_node((coord, end - FIRST_STOP)) for end in ends if not is_edge(end)])

    def _add_node_pair(
        self, first_place: tuple[Coord, End], second_place: tuple[Coord, End] | None
    ) -> NodeNumber:
        node = len(self._places_by_node)
        self._places_by_node += [first_place, second_place]
        for node_of_place, place in enumerate((first_place, second_place), node):
            if place is not None:
                self._nodes_by_hex[place[0]][place[1]] = node_of_place
        return node

    def _bits_of_stops(self, stops: Iterable[StopId]) -> int:
        bits = 0
        for stop in stops:
            bits |= 1 << (self.stop_node(stop) >> 1)
        return bits


def _dead_end_stops(board: Map) -> Iterator[StopId]:
    for coord in board.coords:
        if board.is_terminal(coord):
            yield from ((coord, stop_index) for stop_index in range(len(board.topology(coord).stops)))


def track_nodes_of(board: Map) -> TrackNodes:
    """The numbered track of this map, up to date; always the same object."""
    return board.cached(TrackNodes).refresh()


def board_copy(board: Map) -> Map:
    """An independent copy of the map, including the cached chains and node numbers of its track."""
    copy_with_caches = board.copy()
    copy_with_caches.store_result(Track, track_of(board).copy(copy_with_caches))
    copy_with_caches.store_result(TrackNodes, track_nodes_of(board).copy(copy_with_caches))
    return copy_with_caches
