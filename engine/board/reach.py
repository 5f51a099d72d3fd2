"""Routes from a company's tokens: an exact search, since a route uses no stop, border or inner piece twice.

A route for laying track and placing tokens is connected track with a token of the company on it. It reaches full cities
and red areas but does not pass them, and may have any length (18Chesapeake 11.1). Everything on such a route is also on
one that starts at the token, so all searches start at tokens.

Both sides of each border are numbered (`Rails`). A route then alternates between pieces of track and crossings from one
side of a border to the other, and uses no crossing twice. That is an alternating path of matching theory. One search
finds all numbers that such paths reach; it folds odd circles (Edmonds 1965; Gabow 1976): a circle that begins and ends
at one place can be travelled in both directions. A route can leave a stop over any of its pieces, so a stop is folded
into the number from which the search reached it. No route needs to return to its start, because the rest of the route
could have begun there.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from copy import copy
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Final, Self

from engine.board.hexes import Edge
from engine.board.map import Map, StopId
from engine.board.track import Crossing, Number, NumbersAhead, PieceId, rails_of
from engine.core.ids import CompanyId, Coord

_ROOT: Final = -2
"""Predecessor of all stops where routes start."""


class RouteTree:
    """A search tree of routes; its nodes are the numbers of stops and of sides of borders (see `Rails`).

    It grows when starts or track are added. The number nearest to the root represents all numbers on a folded circle.
    """

    def __init__(self, starts: Iterable[Number], barred_bits: int) -> None:
        """Start a tree whose routes avoid the barred borders and stops; `follow` extends it beyond its starts."""
        self.used: dict[Number, int] = {}
        """The numbers from which routes continue, each with the borders and stops such a route uses, one bit each."""
        self._predecessors: dict[Number, Number] = {}
        self._to_follow: list[Number] = []
        self._ranks: dict[Number, int] = {_ROOT: 0}
        self._bases: dict[Number, Number] = {}
        for start in starts:
            if not 1 << (start >> 1) & barred_bits:
                self.add_start(start)

    def copy(self) -> Self:
        """An independent copy of the tree."""
        copied = copy(self)
        copied.used, copied._predecessors = dict(self.used), dict(self._predecessors)
        copied._ranks, copied._bases = dict(self._ranks), dict(self._bases)
        return copied

    def add_start(self, start: Number) -> None:
        """Let routes also start at this number."""
        if start in self.used:  # as if a piece of track led here from the root
            self._fold_circle(_ROOT, start)
        else:
            self._bases[start], self.used[start] = _ROOT, 1 << (start >> 1)
            self._to_follow.append(start)

    def follow(
        self,
        numbers_ahead: Callable[[Number], NumbersAhead],
        barred_bits: int,
        known_numbers: Iterable[Number] = (),
    ) -> list[Number]:
        """Follow all routes to their ends, including those that continue from `known_numbers`.

        Returns all numbers looked at. `numbers_ahead` gives the numbers to which pieces of track lead from a number.
        """
        self._to_follow = [*self._to_follow, *known_numbers]
        used_bits, predecessors, ranks, bases, numbers_to_follow = (
            self.used,
            self._predecessors,
            self._ranks,
            self._bases,
            self._to_follow,
        )
        # This loop takes most of the time, so steps that open a number are written out instead of called.
        for number in numbers_to_follow:
            borders, stops = numbers_ahead(number)
            for to in borders:
                if to in used_bits:
                    self._fold_circle(number, to)
                elif to not in predecessors:  # cross a border for the first time
                    bit = 1 << (to >> 1)
                    if not bit & barred_bits:
                        other_side = to ^ 1
                        predecessors[to], ranks[other_side], used_bits[other_side] = (
                            number,
                            len(ranks),
                            used_bits[number] | bit,
                        )
                        numbers_to_follow.append(other_side)
            for to in stops:
                if to in used_bits:
                    self._fold_circle(number, to)
                else:  # reach a stop for the first time
                    bit = 1 << (to >> 1)
                    if not bit & barred_bits:
                        bases[to], used_bits[to] = number, used_bits[number] | bit
                        numbers_to_follow.append(to)
        self._to_follow = []
        return numbers_to_follow

    def _fold_circle(self, first_number: Number, second_number: Number) -> None:
        """Fold the circle that a piece of track closes between two numbers, so that routes can run both ways."""
        first_base, second_base = self._base_number(first_number), self._base_number(second_number)
        while first_base != second_base:
            if self._ranks[first_base] > self._ranks[second_base]:
                first_base = self._walk_way_back(first_base, first_number, second_number)
            else:
                second_base = self._walk_way_back(second_base, second_number, first_number)

    def _walk_way_back(self, base: Number, here_number: Number, there_number: Number) -> Number:
        """Reverse the part of a folded circle that leads to `base`; returns the base of the number before it."""
        reversed_number = base ^ 1
        predecessor = self._predecessors[reversed_number]
        self.used[reversed_number] = (
            self.used.get(there_number, 0) | self.used[here_number] & ~self.used[predecessor]
        )
        self._to_follow.append(reversed_number)
        self._bases[base] = self._bases[reversed_number] = predecessor
        return self._base_number(predecessor)

    def _base_number(self, number: Number) -> Number:
        bases = self._bases
        base = number
        while base in bases:
            base = bases[base]
        while number != base:
            bases[number], number = base, bases[number]
        return base


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """The stops, edges and track on routes of a company.

    `edges` has for each hex the edges where such track arrives, from the neighbour or from within the hex; in a hex
    with a token of the company but no track to its edges yet, all usable edges.
    """

    stops: frozenset[StopId]
    edges: Mapping[Coord, frozenset[Edge]]
    pieces: frozenset[PieceId]

    @property
    def coords(self) -> frozenset[Coord]:
        """All hexes that the network reaches."""
        return frozenset([*self.edges, *[coord for coord, _ in self.stops]])


class Explorer:
    """The routes of one company on the map as of the last update.

    Sets of borders and stops that a route uses are integers with one bit for each pair of numbers of `Rails`.

    Rules: R-AL-119, R-CH-089, R-NE-085a.
    """

    def __init__(self, board: Map, company: CompanyId) -> None:
        self._board = board
        self.company = company
        self._version = board.version
        self._rails = rails_of(board)
        self.tokens = board.tokens_of(company)
        self._starts = [self._rails.stop(token) for token in self.tokens]
        self._barred = self._rails.impassable(company) & ~_bits_of(self._starts)
        self._areas: dict[object, int] = {}
        """For each area, the stops in it at which routes begin or which they pass, one bit each."""
        self._tree = self._grow_tree(0)
        self._note_reached(self._tree.used)

    def _note_reached(self, new_numbers: Iterable[Number]) -> None:
        stops = self._rails.stops
        for number in [number for number in new_numbers if number in stops]:
            area = self._board.place_for_building(stops[number])
            self._areas[area] = self._areas.get(area, 0) | _bit_of(number)
        self._shared = [area for area in self._areas.values() if area & (area - 1)]
        """Areas with several such stops."""
        self._edges: dict[Coord, frozenset[Edge]] = {}
        self._detours: dict[tuple[Number, int], bool] = {}
        """Cached answers by number and barred bits: True if a route continues there without the barred bits."""
        self._network: Network | None = None

    def copy(self, board: Map) -> Self:
        """The same routes for a copy of the map."""
        copied = copy(self)
        copied._board, copied._rails = board, rails_of(board)
        copied._edges, copied._detours = dict(self._edges), dict(self._detours)
        copied._areas, copied._tree = dict(self._areas), self._tree.copy()
        return copied

    def update(self) -> bool:
        """Update the routes to the current map. Returns False if a route may be lost or blocked."""
        board, old_version = self._board, self._version
        if old_version == board.version:
            return True
        rails, used_numbers, tokens = self._rails.refresh(), self._tree.used, board.tokens_of(self.company)
        hexes = {
            coord: [number for number in rails.numbers_in(coord) if number in used_numbers]
            for coord in board.changes[old_version:]
        }
        reached_numbers = [number for numbers in hexes.values() for number in numbers]
        if reached_numbers or tokens != self.tokens:
            track_was_lost = any(
                numbers and board.remade.get(coord, 0) > old_version for coord, numbers in hexes.items()
            )
            if track_was_lost or not self._extend_routes(tokens, reached_numbers):
                return False
        self._version = board.version
        return True

    def _extend_routes(self, tokens: list[StopId], reached_numbers: list[Number]) -> bool:
        rails, used_numbers = self._rails, self._tree.used
        starts = [rails.stop(token) for token in tokens]
        barred_bits = rails.impassable(self.company) & ~_bits_of(starts)
        newly_barred = barred_bits & ~self._barred
        if not {*self._starts} <= {*starts} or (
            newly_barred and newly_barred & _bits_of(s for s in rails.stops if s in used_numbers)
        ):
            return False
        for start in starts:
            if start not in self._starts:
                self._tree.add_start(start)
        self.tokens, self._starts, self._barred = tokens, starts, barred_bits
        self._note_reached(self._tree.follow(rails.numbers_ahead, barred_bits, reached_numbers))
        return True

    def crossing_bit(self, crossing: Crossing) -> int:
        """The bit of this border in a set of borders and stops."""
        return _bit_of(self._rails.border(crossing))

    def enters_over(self, crossing: Crossing, barred_bits: int = 0) -> bool:
        """True if a route enters the hex across this border without using the barred borders and stops."""
        return self._can_continue_from(self._rails.border(crossing), barred_bits)

    def comes_to_stop(self, stop: StopId, barred_bits: int = 0) -> bool:
        """True if a route reaches this stop without using the barred borders and stops."""
        number = self._rails.stop(stop)
        if not self._barred & _bit_of(number):
            return self._can_continue_from(number, barred_bits)
        all_barred = barred_bits | self._areas.get(self._board.place_for_building(stop), 0)
        borders, stops = self._rails.numbers_ahead(number)
        return any(self._can_continue_from(to, all_barred) for to in (*borders, *stops))

    def has_token_in(self, coord: Coord) -> bool:
        """True if the company has a token in the hex."""
        return any(coord == place for place, _ in self.tokens)

    def runs_in(self, coord: Coord) -> bool:
        """True if track in the hex is on a route."""
        rails = self._rails
        return any(
            self._can_continue_from(number)
            for number in rails.numbers_in(coord)
            if any(rails.numbers_ahead(number))
        )

    def edges(self, coord: Coord) -> frozenset[Edge]:
        """The edges of the hex where track on routes arrives; see `Network`."""
        reached_edges = self._edges.get(coord)
        if reached_edges is None:
            sides = self._rails.sides(coord)
            reached_edges = frozenset(
                [edge for edge, n in sides if self._can_continue_from(n) or self._can_continue_from(n ^ 1)]
            )
            if not self._board.topology(coord).edges and self.has_token_in(coord):
                reached_edges |= self._board.usable_edges(coord)
            self._edges[coord] = reached_edges
        return reached_edges

    def hexes(self) -> Iterator[Coord]:
        """The hexes that routes reach: first those without track, some of them twice."""
        hexes_with_track: dict[Coord, None] = {}
        for number in reversed(self._tree.used):
            coord = self._rails.hex_of(number)
            if coord is not None and self._board.topology(coord).edges:
                hexes_with_track[coord] = None
            elif coord is not None and self.edges(coord):
                yield coord
        yield from filter(self.edges, hexes_with_track)

    def stops(self) -> Iterator[StopId]:
        """The stops that routes reach, the company's tokens last."""
        known_numbers, stop_by_number = set(self._starts), self._rails.stops
        for number in self._tree.used:
            for stop in self._rails.numbers_ahead(number)[1]:
                if stop not in known_numbers:
                    known_numbers.add(stop)
                    if self.comes_to_stop(stop_by_number[stop]):
                        yield stop_by_number[stop]
        yield from self.tokens

    def reaches_other_stop(self, left_out: Set[Coord] = frozenset()) -> bool:
        """True if routes reach a stop without a token of the company, outside the hexes `left_out`."""
        stops = self.stops()
        counted_stops = (stop for stop in stops if stop[0] not in left_out) if left_out else stops
        return next(counted_stops, None) not in {None, *self.tokens}

    def network(self) -> Network:
        """All stops, edges and track on routes of the company; the same object until its network changes."""
        if self._network is None:
            edges = {coord: self.edges(coord) for coord in sorted({*self.hexes()})}
            self._network = Network(frozenset(self.stops()), edges, frozenset(self._pieces()))
        return self._network

    def _pieces(self) -> set[PieceId]:
        """The pieces of track on routes: a route continues over the piece without having used it before."""
        pieces: set[PieceId] = set()
        doubtful_pieces: list[tuple[PieceId, Number, int]] = []
        for number, used_bits in self._continuing_routes():
            borders, stops = self._rails.numbers_ahead(number)
            pieces.update([self._rails.piece(number, to) for to in stops])
            for to in borders:
                piece, bit = self._rails.piece(number, to), _bit_of(to)
                if used_bits & bit:
                    doubtful_pieces.append((piece, number, bit))
                else:
                    pieces.add(piece)
        doubtful_pieces = [doubtful for doubtful in doubtful_pieces if doubtful[0] not in pieces]
        pieces.update(
            [piece for piece, number, bit in doubtful_pieces if self._can_continue_from(number, bit)]
        )
        return pieces

    def _continuing_routes(self) -> Iterator[tuple[Number, int]]:
        """The numbers from which routes continue, each with the bits that one such route uses."""
        for number, used_bits in self._tree.used.items():
            route_bits = self._continuing_route(number, 0) if self._shared else used_bits
            if route_bits is not None:
                yield number, route_bits

    def _can_continue_from(self, number: Number, barred_bits: int = 0) -> bool:
        used_bits = self._tree.used.get(number)
        if used_bits is None:
            return False
        if not used_bits & barred_bits and not (self._shared and self._clashing_stops(used_bits)):
            return True
        question = number, barred_bits
        if question not in self._detours:
            self._detours[question] = self._continuing_route(number, barred_bits) is not None
        return self._detours[question]

    def _continuing_route(self, number: Number, barred_bits: int) -> int | None:
        """The bits of a route that continues from this number and avoids the barred bits; None if there is none.

        The search ignores areas. If the route found visits two stops of one area, the search is repeated without the
        first stop, then without the second.
        """
        bits_by_number = self._grow_tree(barred_bits).used if barred_bits else self._tree.used
        used_bits = bits_by_number.get(number)
        clashing_stops = 0 if used_bits is None else self._clashing_stops(used_bits)
        if not clashing_stops:
            return used_bits
        first_stop = clashing_stops & -clashing_stops
        other_route_bits = self._continuing_route(number, barred_bits | first_stop)
        return (
            self._continuing_route(number, barred_bits | clashing_stops ^ first_stop)
            if other_route_bits is None
            else other_route_bits
        )

    def _clashing_stops(self, used_bits: int) -> int:
        """Two used stops of one area, as bits; 0 if no area is visited twice."""
        for area in self._shared:
            first_stop = used_bits & area & -(used_bits & area)
            other_stops = used_bits & area ^ first_stop
            if other_stops:
                return first_stop | other_stops & -other_stops
        return 0

    def _grow_tree(self, barred_bits: int) -> RouteTree:
        tree = RouteTree(self._starts, self._barred | barred_bits)
        tree.follow(self._rails.numbers_ahead, self._barred | barred_bits)
        return tree


def _bit_of(number: Number) -> int:
    return 1 << (number >> 1)


def _bits_of(numbers: Iterable[Number]) -> int:
    return reduce(or_, map(_bit_of, numbers), 0)
