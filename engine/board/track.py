"""Track as it can be followed: as chains from stop to stop, and as numbered ends joined by pieces.

A chain leads from a stop along pieces and over borders to the next stop, or to where track ends. What a route may use
only once has a bit in its mask: every border between two hexes that track crosses (so the common stem of a switch
counts once) and every piece that joins two stops inside a hex.

For the search of what a company reaches, the two sides of a border that track crosses are a pair of numbers, 2k and
2k + 1: a route that comes to one side from within its hex continues from the other. A stop is an even number without a
partner, so that all a route uses once only has a k of its own.
"""

from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field
from typing import NamedTuple, Self, TypeAlias

from engine.board.hexes import Edge, opposite
from engine.board.map import Map, StopId
from engine.core.ids import CompanyId, Coord
from engine.core.topology import FIRST_STOP, End, is_edge

PieceId: TypeAlias = tuple[Coord, End, End]
"""A piece of track on the map; the ends are in travelling order, or sorted where direction means nothing."""
Crossing: TypeAlias = tuple[Coord, Edge]
"""A border, as seen from the hex that is entered over it."""


def undirected(piece: PieceId) -> PieceId:
    """The same piece whichever way it is travelled."""
    coord, a, b = piece
    return piece if a <= b else (coord, b, a)


class ChainPiece(NamedTuple):
    """One piece of a chain: as it lies and as it is travelled, the bits of the chain up to it, and the border
    behind it.
    """

    piece: PieceId
    laid: PieceId
    mask_so_far: int
    crossing: Crossing | None


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """Track from one stop without any stop on the way.

    `end` is None where track ends or would use itself again; `pieces` are in travelling order.
    """

    start: StopId
    end: StopId | None
    steps: tuple[ChainPiece, ...]
    mask: int
    pieces: tuple[PieceId, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pieces", tuple([step.piece for step in self.steps]))


class Track:
    """The chains of a map, cached until one of their hexes changes."""

    def __init__(self, board: Map) -> None:
        self._board = board
        self._seen = len(board.relaid)
        self._bits: dict[object, int] = {}
        self._crossings: dict[Crossing, tuple[int, Crossing | None]] = {}
        self._chains: dict[StopId, tuple[Chain, ...]] = {}
        self._touches: dict[StopId, set[Coord]] = {}

    def copy(self, board: Map) -> Self:
        """The same chains for a copy of the map."""
        other = type(self)(board)
        other._seen, other._bits = self._seen, dict(self._bits)
        other._crossings = dict(self._crossings)
        other._chains, other._touches = dict(self._chains), dict(self._touches)
        return other

    def chains(self, stop: StopId) -> tuple[Chain, ...]:
        """All chains that start at this stop, in a fixed order."""
        self._forget_changed()
        chains = self._chains.get(stop)
        if chains is None:
            chains, touched = self._walk(stop)
            self._chains[stop] = chains
            self._touches[stop] = touched
        return chains

    def crossing(self, coord: Coord, edge: Edge) -> tuple[int, Crossing | None]:
        """The bit of the border at this edge, and the same border as seen from the other hex, if there is one."""
        crossing = self._crossings.get((coord, edge))
        if crossing is None:
            other = self._board.neighbour(coord, edge)
            into = None if other is None else (other, opposite(edge))
            key = (coord, edge) if into is None else min((coord, edge), into)
            crossing = self._crossings[coord, edge] = self._bit(key), into
        return crossing

    def inner_bit(self, coord: Coord, a: End, b: End) -> int:
        """The bit of a piece that joins two stops inside a hex."""
        return self._bit((coord, min(a, b), max(a, b)))

    def bits(self, piece: PieceId) -> int:
        """The bits of everything that a train uses up on this piece."""
        coord, a, b = piece
        edges = [end for end in (a, b) if is_edge(end)]
        if not edges:
            return self.inner_bit(coord, a, b)
        used = 0
        for edge in edges:
            used |= self.crossing(coord, edge)[0]
        return used

    def _bit(self, key: object) -> int:
        return 1 << self._bits.setdefault(key, len(self._bits))

    def _forget_changed(self) -> None:
        if self._seen == len(self._board.relaid):
            return
        changed = set(self._board.relaid[self._seen :])
        self._seen = len(self._board.relaid)
        for stop, touched in list(self._touches.items()):
            if touched & changed:
                del self._chains[stop], self._touches[stop]

    def _walk(self, stop: StopId) -> tuple[tuple[Chain, ...], set[Coord]]:
        coord, index = stop
        chains: list[Chain] = []
        touched = {coord}
        for far in self._board.topology(coord).beyond(FIRST_STOP + index):
            self._follow(stop, (), (coord, FIRST_STOP + index, far), chains, touched)
        return tuple(chains), touched

    def _follow(
        self,
        start: StopId,
        steps: tuple[ChainPiece, ...],
        piece: PieceId,
        found: list[Chain],
        touched: set[Coord],
    ) -> bool:
        """Add all chains that continue over this piece; False when one would use a border a second time."""
        coord, near, far = piece
        before = steps[-1].mask_so_far if steps else 0
        if not is_edge(far):
            bits = 0 if is_edge(near) else self.inner_bit(coord, near, far)
            whole = (*steps, ChainPiece(piece, undirected(piece), before | bits, None))
            found.append(Chain(start, (coord, far - FIRST_STOP), whole, before | bits))
            return True
        bit, into = self.crossing(coord, far)
        if before & bit:
            return False
        steps = (*steps, ChainPiece(piece, undirected(piece), before | bit, into))
        continues = False
        if into is not None:
            touched.add(into[0])
            for beyond in self._board.topology(into[0]).beyond(into[1]):
                continues |= self._follow(start, steps, (*into, beyond), found, touched)
        if not continues:
            found.append(Chain(start, None, steps, before | bit))
        return True


def track_of(board: Map) -> Track:
    """The chains of this map; one object for each map, so that its cache is shared."""
    return board.cached(Track)


Number: TypeAlias = int
"""One side of a border, or a stop."""
Ahead: TypeAlias = tuple[tuple[Number, ...], tuple[Number, ...]]
"""Where pieces lead: to these sides of borders, and to these stops."""


class Rails:
    """Numbers for the borders and stops of a map, and the pieces between them.

    Cached for each hex until its tile changes.
    """

    def __init__(self, board: Map) -> None:
        self._board = board
        self._seen = len(board.relaid)
        self._numbers: dict[Coord, dict[End, Number]] = {coord: {} for coord in board.coords}
        self._places: list[tuple[Coord, End] | None] = []
        self.stops: dict[Number, StopId] = {}
        """The stops that have numbers."""
        self._ahead: dict[Number, Ahead] = {}
        self._ends = self._bits(_dead_end_stops(board))

    def copy(self, board: Map) -> Self:
        """The same numbers for a copy of the map."""
        other = copy(self)
        other._board = board
        other._numbers = {coord: dict(numbers) for coord, numbers in self._numbers.items()}
        other._places, other.stops, other._ahead = list(self._places), dict(self.stops), dict(self._ahead)
        return other

    def border(self, crossing: Crossing) -> Number:
        """The number of this border on this side of it."""
        coord, edge = crossing
        number = self._numbers[coord].get(edge)
        if number is None:
            other = self._board.neighbour(coord, edge)
            number = self._new_pair(crossing, None if other is None else (other, opposite(edge)))
        return number

    def stop(self, stop: StopId) -> Number:
        """The number of this stop."""
        coord, index = stop
        number = self._numbers[coord].get(FIRST_STOP + index)
        if number is None:
            number = self._new_pair((coord, FIRST_STOP + index), None)
            self.stops[number] = stop
        return number

    def numbers_in(self, coord: Coord) -> list[Number]:
        """The numbers in this hex: sides of its borders, and its stops."""
        ends = FIRST_STOP + len(self._board.topology(coord).stops)
        return [number for end, number in self._numbers[coord].items() if end < ends]

    def sides(self, coord: Coord) -> list[tuple[Edge, Number]]:
        """The edges of the hex that have a number."""
        return [(end, number) for end, number in self._numbers[coord].items() if is_edge(end)]

    def hex_of(self, number: Number) -> Coord | None:
        """The hex of a number; None off the map."""
        place = self._places[number]
        return None if place is None else place[0]

    def piece(self, number: Number, to: Number) -> PieceId:
        """The piece that leads from one number to another of the same hex, as it lies."""
        near, far = self._places[number], self._places[to]
        assert near is not None
        assert far is not None
        return undirected((*near, far[1]))

    def numbers_ahead(self, number: Number) -> Ahead:
        """The numbers to which pieces of the hex lead from here."""
        reached = self._ahead.get(number)
        if reached is None:
            reached = self._ahead[number] = self._compute_ahead(number)
        return reached

    def impassable(self, company: CompanyId) -> int:
        """The stops where the company's routes end, one bit each."""
        return self._ends | self._bits(self._board.blocking(company))

    def refresh(self) -> Self:
        """Take in the tiles laid since."""
        changed = set(self._board.relaid[self._seen :])
        if changed:
            self._seen = len(self._board.relaid)
            for number in [number for coord in changed for number in self._numbers[coord].values()]:
                self._ahead.pop(number, None)
        return self

    def _compute_ahead(self, number: Number) -> Ahead:
        place = self._places[number]
        if place is None:
            return (), ()
        coord, near = place
        ends = self._board.topology(coord).beyond(near)
        borders = tuple([self.border((coord, end)) for end in ends if is_edge(end)])
        return borders, tuple([self.stop((coord, end - FIRST_STOP)) for end in ends if not is_edge(end)])

    def _new_pair(self, first: tuple[Coord, End], second: tuple[Coord, End] | None) -> Number:
        number = len(self._places)
        self._places += [first, second]
        for which, place in enumerate((first, second), number):
            if place is not None:
                self._numbers[place[0]][place[1]] = which
        return number

    def _bits(self, stops: Iterable[StopId]) -> int:
        bits = 0
        for stop in stops:
            bits |= 1 << (self.stop(stop) >> 1)
        return bits


def _dead_end_stops(board: Map) -> Iterator[StopId]:
    """The stops of red areas where all routes end."""
    for coord in board.coords:
        if board.terminal(coord):
            yield from ((coord, index) for index in range(len(board.topology(coord).stops)))


def rails_of(board: Map) -> Rails:
    return board.cached(Rails).refresh()


def board_copy(board: Map) -> Map:
    """Another map on which the same lies, with the chains and numbers of its track, to be changed on its own."""
    other = board.copy()
    other.store_result(Track, track_of(board).copy(other))
    other.store_result(Rails, rails_of(board).copy(other))
    return other
