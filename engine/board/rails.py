"""Track as ends joined by pieces, numbered.

Every border that track crosses and every stop is a pair of numbers, 2k and 2k + 1. Those of a border are its two
sides: a route that comes to one side from within its hex goes on from the other. Those of a stop both stand for the
stop itself: a route that comes to one goes on from the other. So a route goes from number to number, over a piece to
one of a pair, and on from its partner `number ^ 1`; it uses nothing twice if it meets no pair twice.
"""

from typing import NamedTuple, TypeAlias

from engine.board.hexes import opposite
from engine.board.map import Map, StopId
from engine.board.track import Crossing, PieceId
from engine.core.ids import Coord
from engine.core.topology import FIRST_STOP, End, is_edge

Number: TypeAlias = int
"""One side of a border, or one of the two numbers of a stop."""


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
        self._ends: list[tuple[Coord, End] | None] = []
        self._pieces: dict[Coord, dict[End, tuple[Rail, ...]]] = {}

    def border(self, crossing: Crossing) -> Number:
        """The number of this border on this side of it."""
        found = self._numbers.get(crossing)
        if found is None:
            coord, edge = crossing
            other = self._board.neighbour(coord, edge)
            found = self._pair(crossing, None if other is None else (other, opposite(edge)))
        return found

    def stop(self, stop: StopId) -> Number:
        """The even number of this stop."""
        coord, index = stop
        end = (coord, FIRST_STOP + index)
        found = self._numbers.get(end)
        return self._pair(end, end) if found is None else found

    def at(self, number: Number) -> tuple[Rail, ...]:
        """The pieces that leave from here: for a border, those of the hex on this side."""
        place = self._ends[number]
        if place is None:
            return ()
        coord, end = place
        return self._of_hex(coord).get(end, ())

    def stop_at(self, number: Number) -> StopId | None:
        """The stop that has this number."""
        place = self._ends[number]
        return None if place is None or is_edge(place[1]) else (place[0], place[1] - FIRST_STOP)

    def _pair(self, first: tuple[Coord, End], second: tuple[Coord, End] | None) -> Number:
        number = len(self._ends)
        self._ends += [first, second]
        self._numbers[first] = number
        if second is not None:
            self._numbers.setdefault(second, number + 1)
        return number

    def _of_hex(self, coord: Coord) -> dict[End, tuple[Rail, ...]]:
        self._forget_changed()
        found = self._pieces.get(coord)
        if found is None:
            found = self._pieces[coord] = self._look(coord)
        return found

    def _look(self, coord: Coord) -> dict[End, tuple[Rail, ...]]:
        found: dict[End, list[Rail]] = {}
        for piece in self._board.topology(coord).pieces:
            laid = (coord, min(piece.ends()), max(piece.ends()))
            for near, far in ((piece.a, piece.b), (piece.b, piece.a)):
                found.setdefault(near, []).append(self._rail(laid, far))
        return {end: tuple(rails) for end, rails in found.items()}

    def _rail(self, laid: PieceId, far: End) -> Rail:
        if is_edge(far):
            return Rail(laid, self.border((laid[0], far)), None)
        stop = (laid[0], far - FIRST_STOP)
        return Rail(laid, self.stop(stop), stop)

    def _forget_changed(self) -> None:
        for coord in self._board.relaid[self._seen :]:
            self._pieces.pop(coord, None)
        self._seen = len(self._board.relaid)


def rails_of(board: Map) -> Rails:
    """The numbered track of this map; the same object every time, so that what was worked out is kept."""
    return board.worked_out(Rails)
