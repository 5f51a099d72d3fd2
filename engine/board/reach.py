"""Routes followed from a company's tokens: exact, because no stop, border or inner piece is ever used twice.

A route for building and tokens is connected track with an own token on it; it reaches full cities and red areas but
does not pass them, and may have any length (18Chesapeake 11.1). What lies on such a route also lies on one that starts
at the token, so all searches start there.

With both sides of every border numbered (`Rails`), a route takes turns: a piece, a crossing from one side to the
other, a piece, and so on, and uses no crossing twice. That is an alternating path of matching theory, and all numbers
such paths lead to are found by one search that folds odd circles away (Edmonds 1965; Gabow 1976): on a circle that
begins and ends at one place, everything can be travelled in both directions. A stop is left over any of its pieces, so
it is one with the place it was come to from. Where a route begins it need never come to: what it would do from there
it could have begun with.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Final, Self

from engine.board.hexes import Edge
from engine.board.map import Map, StopId
from engine.board.track import Ahead, Crossing, Number, PieceId, rails_of
from engine.core.ids import CompanyId, Coord

_ROOT: Final = -2
"""Predecessor of all first stops."""


class Journeys:
    """A tree of routes, grown from their starts over sides of borders and stops.

    More track and more starts let it grow.

    Numbers on a folded circle are represented by the one nearest to the root.
    """

    def __init__(self, starts: Iterable[Number], barred_bits: int) -> None:
        """Start a tree whose routes avoid the barred pairs; it has only its starts until `follow`."""
        self.used: dict[Number, int] = {}
        """The numbers that routes continue from, each with the pairs that one uses, one bit each."""
        self._came: dict[Number, Number] = {}
        self._ahead: list[Number] = []
        self._rank: dict[Number, int] = {_ROOT: 0}
        self._folded: dict[Number, Number] = {}
        for start in starts:
            if not 1 << (start >> 1) & barred_bits:
                self.add_start(start)

    def copy(self) -> Self:
        """A copy of the tree that grows on its own."""
        other = copy(self)
        other.used, other._came = dict(self.used), dict(self._came)
        other._rank, other._folded = dict(self._rank), dict(self._folded)
        return other

    def add_start(self, start: Number) -> None:
        """Add a start."""
        if start in self.used:  # as if a piece led here from the root
            self._fold(_ROOT, start)
        else:
            self._folded[start], self.used[start] = _ROOT, 1 << (start >> 1)
            self._ahead.append(start)

    def follow(
        self, ahead: Callable[[Number], Ahead], barred_bits: int, again: Iterable[Number] = ()
    ) -> list[Number]:
        """Follow all routes to their ends, also those that continue `again` from known numbers.

        Returns all numbers looked at.

        `ahead` gives the numbers to which pieces lead.
        """
        self._ahead = [*self._ahead, *again]
        used, came, rank, folded, opened = self.used, self._came, self._rank, self._folded, self._ahead
        # Most of the time goes by here: what opens a number is written out, not called.
        for number in opened:
            borders, stops = ahead(number)
            for to in borders:
                if to in used:
                    self._fold(number, to)
                elif to not in came:  # on over a border that was not met yet
                    bit = 1 << (to >> 1)
                    if not bit & barred_bits:
                        beyond = to ^ 1
                        came[to], rank[beyond], used[beyond] = number, len(rank), used[number] | bit
                        opened.append(beyond)
            for to in stops:
                if to in used:
                    self._fold(number, to)
                else:  # to a stop for the first time
                    bit = 1 << (to >> 1)
                    if not bit & barred_bits:
                        folded[to], used[to] = number, used[number] | bit
                        opened.append(to)
        self._ahead = []
        return opened

    def _fold(self, one: Number, other: Number) -> None:
        """Fold the circle that a piece closes between two numbers: it can then be travelled both ways."""
        a, b = self._base(one), self._base(other)
        while a != b:
            if self._rank[a] > self._rank[b]:
                a = self._turn_back(a, one, other)
            else:
                b = self._turn_back(b, other, one)

    def _turn_back(self, base: Number, here: Number, there: Number) -> Number:
        """Continue a route from `there` over `here`, back along the way to it, up to before `base`."""
        back = base ^ 1
        before = self._came[back]
        self.used[back] = self.used.get(there, 0) | self.used[here] & ~self.used[before]
        self._ahead.append(back)
        self._folded[base] = self._folded[back] = before
        return self._base(before)

    def _base(self, number: Number) -> Number:
        folded = self._folded
        top = number
        while top in folded:
            top = folded[top]
        while number != top:
            folded[number], number = top, folded[number]
        return top


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """The stops, edges and track on routes of a company.

    `edges` names for each hex the edges where that track arrives, from the neighbour or from the hex
    itself; in a hex with an own token but no track to its edges yet, every usable one.
    """

    stops: frozenset[StopId]
    edges: Mapping[Coord, frozenset[Edge]]
    pieces: frozenset[PieceId]

    @property
    def coords(self) -> frozenset[Coord]:
        """Every hex that the network reaches."""
        return frozenset([*self.edges, *[coord for coord, _ in self.stops]])


class Explorer:
    """Routes of one company on the map as it was when this was made or last updated.

    The borders and stops that a route uses are pairs of numbers of `rails`, one bit each.

    Rules: R-AL-119, R-CH-089, R-NE-085a.
    """

    def __init__(self, board: Map, company: CompanyId) -> None:
        self._board = board
        self.company = company
        self._version = board.version
        self._rails = rails_of(board)
        self.tokens = board.tokens_of(company)
        self._starts = [self._rails.stop(token) for token in self.tokens]
        self._barred = self._rails.impassable(company) & ~_bits(self._starts)
        self._areas: dict[object, int] = {}
        """The stops that routes begin at or pass, one bit each, by area."""
        self._tree = self._journeys(0)
        self._look_at(self._tree.used)

    def _look_at(self, numbers: Iterable[Number]) -> None:
        stops = self._rails.stops
        for number in [number for number in numbers if number in stops]:
            area = self._board.built_place(stops[number])
            self._areas[area] = self._areas.get(area, 0) | _bit(number)
        self._shared = [area for area in self._areas.values() if area & (area - 1)]
        """Areas with several stops."""
        self._edges: dict[Coord, frozenset[Edge]] = {}
        self._detours: dict[tuple[Number, int], bool] = {}
        """Answers whether routes continue from a number with pairs barred, as far as that had to be searched for."""
        self._network: Network | None = None

    def copy(self, board: Map) -> Self:
        """The same routes for a copy of the map."""
        other = copy(self)
        other._board, other._rails = board, rails_of(board)
        other._edges, other._detours = dict(self._edges), dict(self._detours)
        other._areas, other._tree = dict(self._areas), self._tree.copy()
        return other

    def update(self) -> bool:
        """Take in what has changed on the map.

        False where a route may be lost: a way is blocked, or track or a token is gone.
        """
        board, since = self._board, self._version
        if since == board.version:
            return True
        rails, free, tokens = self._rails.refresh(), self._tree.used, board.tokens_of(self.company)
        hexes = {
            coord: [number for number in rails.numbers_in(coord) if number in free]
            for coord in board.changes[since:]
        }
        again = [number for reached in hexes.values() for number in reached]
        if again or tokens != self.tokens:
            remade = any(reached and board.remade.get(coord, 0) > since for coord, reached in hexes.items())
            if remade or not self._grow(tokens, again):
                return False
        self._version = board.version
        return True

    def _grow(self, tokens: list[StopId], again: list[Number]) -> bool:
        rails, free = self._rails, self._tree.used
        starts = [rails.stop(token) for token in tokens]
        barred = rails.impassable(self.company) & ~_bits(starts)
        shut = barred & ~self._barred
        if not {*self._starts} <= {*starts} or (shut and shut & _bits(s for s in rails.stops if s in free)):
            return False
        for start in starts:
            if start not in self._starts:
                self._tree.add_start(start)
        self.tokens, self._starts, self._barred = tokens, starts, barred
        self._look_at(self._tree.follow(rails.numbers_ahead, barred, again))
        return True

    def crossing_bit(self, crossing: Crossing) -> int:
        """The bit of this border."""
        return _bit(self._rails.border(crossing))

    def enters(self, crossing: Crossing, barred_bits: int = 0) -> bool:
        """True if a route comes into the hex over this border from outside, with the barred places left free."""
        return self._continues(self._rails.border(crossing), barred_bits)

    def comes_to(self, stop: StopId, barred_bits: int = 0) -> bool:
        """True if a route comes to this stop, with the barred places left free."""
        number = self._rails.stop(stop)
        if not self._barred & _bit(number):
            return self._continues(number, barred_bits)
        beside = barred_bits | self._areas.get(self._board.built_place(stop), 0)
        borders, stops = self._rails.numbers_ahead(number)
        return any(self._continues(to, beside) for to in (*borders, *stops))

    def has_token_in(self, coord: Coord) -> bool:
        """True if a token of the company lies in the hex."""
        return any(coord == place for place, _ in self.tokens)

    def runs_in(self, coord: Coord) -> bool:
        """True if some track of the hex lies on routes."""
        rails = self._rails
        return any(
            self._continues(number) for number in rails.numbers_in(coord) if any(rails.numbers_ahead(number))
        )

    def edges(self, coord: Coord) -> frozenset[Edge]:
        """The edges of the hex where track on routes arrives; see `Network`."""
        reached = self._edges.get(coord)
        if reached is None:
            sides = self._rails.sides(coord)
            reached = frozenset([edge for edge, n in sides if self._continues(n) or self._continues(n ^ 1)])
            if self.has_token_in(coord) and not self._board.topology(coord).edges:
                reached |= self._board.usable_edges(coord)
            self._edges[coord] = reached
        return reached

    def hexes(self) -> Iterator[Coord]:
        """The hexes with such edges: those without track come first, some of them again."""
        built: dict[Coord, None] = {}
        for number in reversed(self._tree.used):
            coord = self._rails.hex_of(number)
            if coord is not None and self._board.topology(coord).edges:
                built[coord] = None
            elif coord is not None and self.edges(coord):
                yield coord
        yield from filter(self.edges, built)

    def stops(self) -> Iterator[StopId]:
        """The stops that routes come to, own tokens last."""
        known, names = set(self._starts), self._rails.stops
        for number in self._tree.used:
            for stop in self._rails.numbers_ahead(number)[1]:
                if stop not in known:
                    known.add(stop)
                    if self.comes_to(names[stop]):
                        yield names[stop]
        yield from self.tokens

    def leads_on(self) -> bool:
        """True if routes come to a stop without an own token."""
        return next(self.stops(), None) not in {None, *self.tokens}

    def network(self) -> Network:
        """Everything on routes of the company; the same object as long as nothing changes there."""
        if self._network is None:
            edges = {coord: self.edges(coord) for coord in sorted({*self.hexes()})}
            self._network = Network(frozenset(self.stops()), edges, frozenset(self._pieces()))
        return self._network

    def _pieces(self) -> set[PieceId]:
        """Track on routes: a route continues over it, or leads to its far border and leaves it free."""
        pieces: set[PieceId] = set()
        doubtful: list[tuple[PieceId, Number, int]] = []
        for number, way in self._continuing_routes():
            borders, stops = self._rails.numbers_ahead(number)
            pieces.update([self._rails.piece(number, to) for to in stops])
            for to in borders:
                piece, bit = self._rails.piece(number, to), _bit(to)
                if way & bit:
                    doubtful.append((piece, number, bit))
                else:
                    pieces.add(piece)
        doubtful = [found for found in doubtful if found[0] not in pieces]
        pieces.update([piece for piece, number, bit in doubtful if self._continues(number, bit)])
        return pieces

    def _continuing_routes(self) -> Iterator[tuple[Number, int]]:
        """The numbers that routes continue from, each with the pairs that one such route uses."""
        for number, used in self._tree.used.items():
            way = self._continuing_route(number, 0) if self._shared else used
            if way is not None:
                yield number, way

    def _continues(self, number: Number, barred_bits: int = 0) -> bool:
        used = self._tree.used.get(number)
        if used is None:
            return False
        if not used & barred_bits and not (self._shared and self._clash(used)):
            return True
        asked = number, barred_bits
        if asked not in self._detours:
            self._detours[asked] = self._continuing_route(number, barred_bits) is not None
        return self._detours[asked]

    def _continuing_route(self, number: Number, barred_bits: int) -> int | None:
        """The pairs used by a route that continues from here and avoids the barred places; None without such a route.

        Routes are searched as if areas did not matter. Of two stops of one area on the way found, every
        other route leaves out the one or the other.
        """
        found = self._journeys(barred_bits).used if barred_bits else self._tree.used
        used = found.get(number)
        clash = 0 if used is None else self._clash(used)
        if not clash:
            return used
        first = clash & -clash
        way = self._continuing_route(number, barred_bits | first)
        return self._continuing_route(number, barred_bits | clash ^ first) if way is None else way

    def _clash(self, used: int) -> int:
        """Two stops of one area that are both used; empty if no area is visited twice."""
        for area in self._shared:
            first = used & area & -(used & area)
            rest = used & area ^ first
            if rest:
                return first | rest & -rest
        return 0

    def _journeys(self, barred_bits: int) -> Journeys:
        journeys = Journeys(self._starts, self._barred | barred_bits)
        journeys.follow(self._rails.numbers_ahead, self._barred | barred_bits)
        return journeys


def _bit(number: Number) -> int:
    return 1 << (number >> 1)


def _bits(numbers: Iterable[Number]) -> int:
    return reduce(or_, map(_bit, numbers), 0)
