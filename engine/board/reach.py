"""Routes from a company's tokens for laying track and placing tokens: an exact search without repeated track.

A route for laying track and placing tokens is connected track with a token of the company on it. It reaches full cities
and red areas but does not pass them, and may have any length (18Chesapeake 11.1). It uses no stop, border or piece of
track inside a hex twice. Every route can be cut short so that it starts at a token, so all searches start at tokens.

Both sides of each border are numbered (`TrackNodes`). A route alternates between pieces of track and crossings from one
side of a border to the other, and uses no crossing twice. Matching theory calls this an alternating path, and one
search finds all numbers that such paths reach (Edmonds 1965; Gabow 1976). The search folds odd circles: a circle that
begins and ends at one place can be travelled in both directions. A route can leave a stop over any of its pieces, so
the search folds a stop into the number from which it was reached. No route needs to return to its start, because the
rest of the route could have begun there.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from copy import copy
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Final, Self

from engine.board.hexes import Edge
from engine.board.map import Map, StopId
from engine.board.track import Crossing, NodeNumber, NodesAhead, PieceId, track_nodes_of
from engine.core.ids import CompanyId, Coord

_ROOT_NODE: Final = -2


class RouteTree:
    """A search tree of routes. Its nodes are numbers for stops and for sides of borders (see `TrackNodes`).

    The tree grows when starts or track are added. The nodes of a folded circle count as one: the node nearest to the
    root.
    """

    def __init__(self, starts: Iterable[NodeNumber], barred_bits: int) -> None:
        """Create a tree with only the starts; `extend_routes` extends it.

        `barred_bits` are the borders and stops that its routes must avoid.
        """
        self.used_bits_by_node: dict[NodeNumber, int] = {}
        """Each node from which a route continues, with the borders and stops that this route uses, as bits."""
        self._predecessors: dict[NodeNumber, NodeNumber] = {}
        self._nodes_to_follow: list[NodeNumber] = []
        self._rank_by_node: dict[NodeNumber, int] = {_ROOT_NODE: 0}
        self._base_by_node: dict[NodeNumber, NodeNumber] = {}
        for start in starts:
            if not 1 << (start >> 1) & barred_bits:
                self.add_start(start)

    def copy(self) -> Self:
        """An independent copy of the search tree."""
        copied = copy(self)
        copied.used_bits_by_node, copied._predecessors = (
            dict(self.used_bits_by_node),
            dict(self._predecessors),
        )
        copied._rank_by_node, copied._base_by_node = dict(self._rank_by_node), dict(self._base_by_node)
        return copied

    def add_start(self, start: NodeNumber) -> None:
        """Let routes also start at this node (a stop's number)."""
        if start in self.used_bits_by_node:  # as if a piece of track led here from the root
            self._fold_circle(_ROOT_NODE, start)
        else:
            self._base_by_node[start], self.used_bits_by_node[start] = _ROOT_NODE, 1 << (start >> 1)
            self._nodes_to_follow.append(start)

    def extend_routes(
        self,
        nodes_ahead: Callable[[NodeNumber], NodesAhead],
        barred_bits: int,
        known_nodes: Iterable[NodeNumber] = (),
    ) -> list[NodeNumber]:
        """Extend all routes to their ends, including those that continue from `known_nodes`.

        `nodes_ahead` gives the nodes to which pieces of track lead from a node. Returns all nodes that the search
        visited.
        """
        self._nodes_to_follow = [*self._nodes_to_follow, *known_nodes]
        used_bits_by_node, predecessors, rank_by_node, base_by_node, nodes_to_follow = (
            self.used_bits_by_node,
            self._predecessors,
            self._rank_by_node,
            self._base_by_node,
            self._nodes_to_follow,
        )
        # This loop takes most of the time, so steps that open a number are written out instead of called.
        for node in nodes_to_follow:
            borders, stops = nodes_ahead(node)
            for next_node in borders:
                if next_node in used_bits_by_node:
                    self._fold_circle(node, next_node)
                elif next_node not in predecessors:  # cross a border for the first time
                    bit = 1 << (next_node >> 1)
                    if not bit & barred_bits:
                        other_side = next_node ^ 1
                        predecessors[next_node], rank_by_node[other_side], used_bits_by_node[other_side] = (
                            node,
                            len(rank_by_node),
                            used_bits_by_node[node] | bit,
                        )
                        nodes_to_follow.append(other_side)
            for next_node in stops:
                if next_node in used_bits_by_node:
                    self._fold_circle(node, next_node)
                else:  # reach a stop for the first time
                    bit = 1 << (next_node >> 1)
                    if not bit & barred_bits:
                        base_by_node[next_node], used_bits_by_node[next_node] = (
                            node,
                            used_bits_by_node[node] | bit,
                        )
                        nodes_to_follow.append(next_node)
        self._nodes_to_follow = []
        return nodes_to_follow

    def _fold_circle(self, first_node: NodeNumber, second_node: NodeNumber) -> None:
        """Fold the circle that a piece of track closes between two nodes, so that routes can run round it both ways."""
        first_base, second_base = self._base_node(first_node), self._base_node(second_node)
        while first_base != second_base:
            if self._rank_by_node[first_base] > self._rank_by_node[second_base]:
                first_base = self._reverse_part_of_circle(first_base, first_node, second_node)
            else:
                second_base = self._reverse_part_of_circle(second_base, second_node, first_node)

    def _reverse_part_of_circle(
        self, base_node: NodeNumber, near_node: NodeNumber, far_node: NodeNumber
    ) -> NodeNumber:
        reversed_node = base_node ^ 1
        predecessor = self._predecessors[reversed_node]
        self.used_bits_by_node[reversed_node] = (
            self.used_bits_by_node.get(far_node, 0)
            | self.used_bits_by_node[near_node] & ~self.used_bits_by_node[predecessor]
        )
        self._nodes_to_follow.append(reversed_node)
        self._base_by_node[base_node] = self._base_by_node[reversed_node] = predecessor
        return self._base_node(predecessor)

    def _base_node(self, node: NodeNumber) -> NodeNumber:
        base_by_node = self._base_by_node
        base_node = node
        while base_node in base_by_node:
            base_node = base_by_node[base_node]
        while node != base_node:
            base_by_node[node], node = base_node, base_by_node[node]
        return base_node


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """The stops, edges and track on routes of one company.

    `edges` has, for each hex, the edges where such track arrives from the neighbour or from inside the hex. If the hex
    has a token of the company but no track to its edges yet, `edges` has all its usable edges.
    """

    stops: frozenset[StopId]
    edges: Mapping[Coord, frozenset[Edge]]
    pieces: frozenset[PieceId]

    @property
    def coords(self) -> frozenset[Coord]:
        """All hexes that the network reaches."""
        return frozenset([*self.edges, *[coord for coord, _ in self.stops]])


class RouteExplorer:
    """Finds the routes of one company, for laying track and placing tokens, on the map as of its last update.

    The borders and stops that a route uses are stored as one integer, with a bit for each border and stop.

    Rules: R-AL-119, R-CH-089, R-NE-085a.
    """

    def __init__(self, board: Map, company: CompanyId) -> None:
        self._board = board
        self.company = company
        self._version = board.version
        self._track_nodes = track_nodes_of(board)
        self.token_stops = board.token_stops_of(company)
        self._starts = [self._track_nodes.stop_node(token) for token in self.token_stops]
        self._barred_bits = self._track_nodes.impassable_bits(company) & ~_node_bits(self._starts)
        self._bit_by_area: dict[object, int] = {}
        self._tree = self._build_route_tree(0)
        self._record_reached_nodes(self._tree.used_bits_by_node)

    def _record_reached_nodes(self, new_nodes: Iterable[NodeNumber]) -> None:
        stops = self._track_nodes.stop_by_node
        for node in [node for node in new_nodes if node in stops]:
            area = self._board.visited_place_in_network(stops[node])
            self._bit_by_area[area] = self._bit_by_area.get(area, 0) | _node_bit(node)
        self._bits_of_shared_areas = [area for area in self._bit_by_area.values() if area & (area - 1)]
        self._edges_by_hex: dict[Coord, frozenset[Edge]] = {}
        self._has_detour_by_key: dict[tuple[NodeNumber, int], bool] = {}
        self._network: Network | None = None

    def copy(self, board: Map) -> Self:
        """A copy with the same routes, for a copy of the map."""
        copied = copy(self)
        copied._board, copied._track_nodes = board, track_nodes_of(board)
        copied._edges_by_hex, copied._has_detour_by_key = (
            dict(self._edges_by_hex),
            dict(self._has_detour_by_key),
        )
        copied._bit_by_area, copied._tree = dict(self._bit_by_area), self._tree.copy()
        return copied

    def update(self) -> bool:
        """Update the routes to the current map. Returns False if a route may have been lost or blocked."""
        board, old_version = self._board, self._version
        if old_version == board.version:
            return True
        track_nodes, used_nodes, token_stops = (
            self._track_nodes.refresh(),
            self._tree.used_bits_by_node,
            board.token_stops_of(self.company),
        )
        nodes_by_hex = {
            coord: [node for node in track_nodes.nodes_in(coord) if node in used_nodes]
            for coord in board.changed_hexes[old_version:]
        }
        reached_nodes = [node for nodes in nodes_by_hex.values() for node in nodes]
        if reached_nodes or token_stops != self.token_stops:
            has_lost_track = any(
                nodes and board.version_by_hex_with_lost_track.get(coord, 0) > old_version
                for coord, nodes in nodes_by_hex.items()
            )
            if has_lost_track or not self._extend_routes(token_stops, reached_nodes):
                return False
        self._version = board.version
        return True

    def _extend_routes(self, token_stops: list[StopId], reached_nodes: list[NodeNumber]) -> bool:
        track_nodes, used_nodes = self._track_nodes, self._tree.used_bits_by_node
        starts = [track_nodes.stop_node(token) for token in token_stops]
        barred_bits = track_nodes.impassable_bits(self.company) & ~_node_bits(starts)
        newly_barred_bits = barred_bits & ~self._barred_bits
        if not {*self._starts} <= {*starts} or (
            newly_barred_bits
            and newly_barred_bits & _node_bits(s for s in track_nodes.stop_by_node if s in used_nodes)
        ):
            return False
        for start in starts:
            if start not in self._starts:
                self._tree.add_start(start)
        self.token_stops, self._starts, self._barred_bits = token_stops, starts, barred_bits
        self._record_reached_nodes(
            self._tree.extend_routes(track_nodes.nodes_ahead, barred_bits, reached_nodes)
        )
        return True

    def crossing_bit(self, crossing: Crossing) -> int:
        """The bit of this hex border in the integers that store used borders and stops."""
        return _node_bit(self._track_nodes.border_node(crossing))

    def route_enters_across(self, crossing: Crossing, barred_bits: int = 0) -> bool:
        """True if a route enters the hex across this border and avoids the barred borders and stops."""
        return self._can_continue_from(self._track_nodes.border_node(crossing), barred_bits)

    def route_reaches_stop(self, stop: StopId, barred_bits: int = 0) -> bool:
        """True if a route reaches this stop and avoids the barred borders and stops."""
        node = self._track_nodes.stop_node(stop)
        if not self._barred_bits & _node_bit(node):
            return self._can_continue_from(node, barred_bits)
        all_barred_bits = barred_bits | self._bit_by_area.get(self._board.visited_place_in_network(stop), 0)
        borders, stops = self._track_nodes.nodes_ahead(node)
        return any(self._can_continue_from(next_node, all_barred_bits) for next_node in (*borders, *stops))

    def has_token_in_hex(self, coord: Coord) -> bool:
        """True if the company has a token in the hex."""
        return any(coord == token_coord for token_coord, _ in self.token_stops)

    def has_route_in_hex(self, coord: Coord) -> bool:
        """True if some track in the hex is on a route of the company."""
        track_nodes = self._track_nodes
        return any(
            self._can_continue_from(node)
            for node in track_nodes.nodes_in(coord)
            if any(track_nodes.nodes_ahead(node))
        )

    def edges(self, coord: Coord) -> frozenset[Edge]:
        """The edges of the hex where track on the company's routes arrives.

        In a hex with a token of the company but no track to its edges yet, all usable edges.
        """
        reached_edges = self._edges_by_hex.get(coord)
        if reached_edges is None:
            edges_with_nodes = self._track_nodes.edges_with_nodes(coord)
            reached_edges = frozenset(
                [
                    edge
                    for edge, n in edges_with_nodes
                    if self._can_continue_from(n) or self._can_continue_from(n ^ 1)
                ]
            )
            if not self._board.topology(coord).edges and self.has_token_in_hex(coord):
                reached_edges |= self._board.usable_edges(coord)
            self._edges_by_hex[coord] = reached_edges
        return reached_edges

    def hexes(self) -> Iterator[Coord]:
        """The hexes that the company's routes reach, hexes without track first. A hex can come up twice."""
        hexes_with_track: dict[Coord, None] = {}
        for node in reversed(self._tree.used_bits_by_node):
            coord = self._track_nodes.hex_of_node(node)
            if coord is not None and self._board.topology(coord).edges:
                hexes_with_track[coord] = None
            elif coord is not None and self.edges(coord):
                yield coord
        yield from filter(self.edges, hexes_with_track)

    def stops(self) -> Iterator[StopId]:
        """The stops that the company's routes reach; stops with a token of the company come last."""
        known_nodes, stop_by_node = set(self._starts), self._track_nodes.stop_by_node
        for node in self._tree.used_bits_by_node:
            for stop_node in self._track_nodes.nodes_ahead(node)[1]:
                if stop_node not in known_nodes:
                    known_nodes.add(stop_node)
                    if self.route_reaches_stop(stop_by_node[stop_node]):
                        yield stop_by_node[stop_node]
        yield from self.token_stops

    def reaches_other_stop(self, ignored_hexes: Set[Coord] = frozenset()) -> bool:
        """True if routes reach a stop without a token of the company, outside the hexes in `ignored_hexes`."""
        stops = self.stops()
        counted_stops = (stop for stop in stops if stop[0] not in ignored_hexes) if ignored_hexes else stops
        return next(counted_stops, None) not in {None, *self.token_stops}

    def network(self) -> Network:
        """All stops, edges and track on the company's routes; the same object until the network changes."""
        if self._network is None:
            edges = {coord: self.edges(coord) for coord in sorted({*self.hexes()})}
            self._network = Network(frozenset(self.stops()), edges, frozenset(self._pieces()))
        return self._network

    def _pieces(self) -> set[PieceId]:
        pieces: set[PieceId] = set()
        doubtful_pieces: list[tuple[PieceId, NodeNumber, int]] = []
        for node, used_bits in self._continuing_routes():
            borders, stops = self._track_nodes.nodes_ahead(node)
            pieces.update([self._track_nodes.piece(node, next_node) for next_node in stops])
            for next_node in borders:
                piece, bit = self._track_nodes.piece(node, next_node), _node_bit(next_node)
                if used_bits & bit:
                    doubtful_pieces.append((piece, node, bit))
                else:
                    pieces.add(piece)
        doubtful_pieces = [
            doubtful_piece for doubtful_piece in doubtful_pieces if doubtful_piece[0] not in pieces
        ]
        pieces.update([piece for piece, node, bit in doubtful_pieces if self._can_continue_from(node, bit)])
        return pieces

    def _continuing_routes(self) -> Iterator[tuple[NodeNumber, int]]:
        for node, used_bits in self._tree.used_bits_by_node.items():
            route_bits = self._continuing_route(node, 0) if self._bits_of_shared_areas else used_bits
            if route_bits is not None:
                yield node, route_bits

    def _can_continue_from(self, node: NodeNumber, barred_bits: int = 0) -> bool:
        used_bits = self._tree.used_bits_by_node.get(node)
        if used_bits is None:
            return False
        if not used_bits & barred_bits and not (
            self._bits_of_shared_areas and self._bits_of_clashing_stops(used_bits)
        ):
            return True
        detour_key = node, barred_bits
        if detour_key not in self._has_detour_by_key:
            self._has_detour_by_key[detour_key] = self._continuing_route(node, barred_bits) is not None
        return self._has_detour_by_key[detour_key]

    def _continuing_route(self, node: NodeNumber, barred_bits: int) -> int | None:
        """A route that continues from this node and avoids the barred borders and stops, as the bits that it uses.

        None if there is no such route. The search first ignores areas. If the route found visits two stops of one area,
        the search is repeated without the first of them, then without the second.
        """
        bits_by_node = (
            self._build_route_tree(barred_bits).used_bits_by_node
            if barred_bits
            else self._tree.used_bits_by_node
        )
        used_bits = bits_by_node.get(node)
        clashing_stop_bits = 0 if used_bits is None else self._bits_of_clashing_stops(used_bits)
        if not clashing_stop_bits:
            return used_bits
        first_stop_bit = clashing_stop_bits & -clashing_stop_bits
        other_route_bits = self._continuing_route(node, barred_bits | first_stop_bit)
        return (
            self._continuing_route(node, barred_bits | clashing_stop_bits ^ first_stop_bit)
            if other_route_bits is None
            else other_route_bits
        )

    def _bits_of_clashing_stops(self, used_bits: int) -> int:
        """The bits of two stops in one area that the route visits; 0 if it visits no area twice."""
        for area_bits in self._bits_of_shared_areas:
            first_stop_bit = used_bits & area_bits & -(used_bits & area_bits)
            other_stop_bits = used_bits & area_bits ^ first_stop_bit
            if other_stop_bits:
                return first_stop_bit | other_stop_bits & -other_stop_bits
        return 0

    def _build_route_tree(self, barred_bits: int) -> RouteTree:
        tree = RouteTree(self._starts, self._barred_bits | barred_bits)
        tree.extend_routes(self._track_nodes.nodes_ahead, self._barred_bits | barred_bits)
        return tree


def _node_bit(node: NodeNumber) -> int:
    return 1 << (node >> 1)


def _node_bits(nodes: Iterable[NodeNumber]) -> int:
    return reduce(or_, map(_node_bit, nodes), 0)
