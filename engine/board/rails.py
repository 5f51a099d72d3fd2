"""Track as ends joined by pieces, numbered.

The two sides of a border that track crosses are a pair of numbers, 2k and 2k + 1: a route that comes to one side from
within its hex continues from the other. A stop is an even number without a partner, so that all a route uses once
only has a k of its own.
"""

from collections.abc import Iterable, Iterator
from copy import copy
from functools import reduce
from operator import or_
from typing import NamedTuple, Self, TypeAlias

from engine.board.hexes import opposite
from engine.board.map import Map, StopId
from engine.board.track import Crossing, PieceId, Track, track_of
from engine.core.ids import CompanyId, Coord
from engine.core.topology import FIRST_STOP, End, is_edge

Number: TypeAlias = int
"""One side of a border, or a stop."""
Ahead: TypeAlias = tuple[tuple[Number, ...], tuple[Number, ...]]
"""Where pieces lead: to these sides of borders, and to these stops."""


class Rail(NamedTuple):
    """A piece as it lies, the number at its far end, and the stop that stands there, if it is one."""

    piece: PieceId
    to: Number
    stop: StopId | None


class Rails:
    """The numbers of a map, and the pieces at each; kept until another tile lies in their hex."""

    def __init__(self, board: Map) -> None:
        self._board = board
        self._seen = len(board.relaid)
        self._numbers: dict[tuple[Coord, End], Number] = {}
        self._places: list[tuple[Coord, End] | None] = []
        self._of_hex: dict[Coord, list[Number]] = {}
        self.stops: dict[Number, StopId] = {}
        """The stops that have numbers."""
        self._crossings: list[tuple[Crossing, ...]] = []
        self._at: dict[Number, tuple[Rail, ...]] = {}
        self._ahead: dict[Number, Ahead] = {}
        self._ends = self._bits(_ends(board))

    def copied(self, board: Map) -> Self:
        """The same numbers for another map on which the same lies."""
        other = copy(self)
        other._board = board
        other._numbers, other._places = dict(self._numbers), list(self._places)
        other._of_hex = {coord: list(numbers) for coord, numbers in self._of_hex.items()}
        other.stops, other._crossings = dict(self.stops), list(self._crossings)
        other._at, other._ahead = dict(self._at), dict(self._ahead)
        return other

    def border(self, crossing: Crossing) -> Number:
        """The number of this border on this side of it."""
        found = self._numbers.get(crossing)
        if found is None:
            coord, edge = crossing
            other = self._board.neighbour(coord, edge)
            found = self._pair(crossing, None if other is None else (other, opposite(edge)))
        return found

    def stop(self, stop: StopId) -> Number:
        """The number of this stop."""
        end = (stop[0], FIRST_STOP + stop[1])
        found = self._numbers.get(end)
        return self._pair(end, None) if found is None else found

    def within(self, coord: Coord) -> list[Number]:
        """All in this hex that has a number: its sides of borders, and its stops."""
        numbers = self._numbers
        ends = range(FIRST_STOP + len(self._board.topology(coord).stops))
        return [numbers[coord, end] for end in ends if (coord, end) in numbers]

    def crossings(self, pair: int) -> tuple[Crossing, ...]:
        """The border whose sides are this pair of numbers, from both sides; nothing for a stop."""
        return self._crossings[pair]

    def at(self, number: Number) -> tuple[Rail, ...]:
        """The pieces that leave from here: for a border, those of the hex on this side."""
        found = self._at.get(number)
        if found is None:
            found = self._at[number] = tuple(self._look(number))
        return found

    def ahead(self, number: Number) -> Ahead:
        """Where the pieces lead from here."""
        found = self._ahead.get(number)
        if found is None:
            rails = self.at(number)
            borders = tuple(rail.to for rail in rails if rail.stop is None)
            found = self._ahead[number] = borders, tuple(rail.to for rail in rails if rail.stop is not None)
        return found

    def impassable(self, company: CompanyId) -> int:
        """The stops where the company's routes end, one bit each."""
        return self._ends | self._bits(self._board.blocking(company))

    def refresh(self) -> Self:
        """Take in the tiles laid since."""
        changed = set(self._board.relaid[self._seen :])
        if changed:
            self._seen = len(self._board.relaid)
            for number in [number for coord in changed for number in self._of_hex.get(coord, ())]:
                self._at.pop(number, None)
                self._ahead.pop(number, None)
        return self

    def _look(self, number: Number) -> Iterator[Rail]:
        place = self._places[number]
        if place is None:
            return
        coord, near = place
        for piece in self._board.topology(coord).pieces:
            if near in piece.ends():
                far = piece.a + piece.b - near
                to = self.border((coord, far)) if is_edge(far) else self.stop((coord, far - FIRST_STOP))
                stop = None if is_edge(far) else (coord, far - FIRST_STOP)
                yield Rail((coord, min(near, far), max(near, far)), to, stop)

    def _pair(self, first: tuple[Coord, End], second: tuple[Coord, End] | None) -> Number:
        number = len(self._places)
        self._places += [first, second]
        for which, place in enumerate((first, second), number):
            if place is not None:
                self._numbers[place] = which
                self._of_hex.setdefault(place[0], []).append(which)
        coord, end = first
        if is_edge(end):
            self._crossings.append((first,) if second is None else (first, second))
        else:
            self._crossings.append(())
            self.stops[number] = (coord, end - FIRST_STOP)
        return number

    def _bits(self, stops: Iterable[StopId]) -> int:
        return reduce(or_, (1 << (self.stop(stop) >> 1) for stop in stops), 0)


def _ends(board: Map) -> Iterator[StopId]:
    """The stops of red areas where all routes end."""
    for coord in board.coords:
        if board.terminal(coord):
            yield from ((coord, index) for index in range(len(board.topology(coord).stops)))


def rails_of(board: Map) -> Rails:
    """The numbered track of this map as it lies now; what was worked out for it is kept."""
    return board.worked_out(Rails).refresh()


def board_copy(board: Map) -> Map:
    """Another map on which the same lies, with the chains and numbers of its track, to be changed on its own."""
    other = board.copied()
    other.remember(Track, track_of(board).copied(other))
    other.remember(Rails, rails_of(board).copied(other))
    return other
