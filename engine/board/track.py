"""Track as it can be followed.

From a stop along pieces and over borders to the next stop, or to where track ends.

What a route may use only once is numbered, one bit each: every border between two hexes that track crosses
(so the common stem of a switch counts once) and every piece that joins two stops inside a hex.
"""

from dataclasses import dataclass, field
from typing import NamedTuple, Self, TypeAlias

from engine.board.hexes import Edge, opposite
from engine.board.map import Map, StopId
from engine.core.ids import Coord
from engine.core.topology import FIRST_STOP, End, is_edge

PieceId: TypeAlias = tuple[Coord, End, End]
"""A piece of track on the map; the ends are in travelling order, or sorted where direction means nothing."""
Crossing: TypeAlias = tuple[Coord, Edge]
"""A border, as seen from the hex that is entered over it."""


def undirected(piece: PieceId) -> PieceId:
    """The same piece whichever way it is travelled."""
    coord, a, b = piece
    return piece if a <= b else (coord, b, a)


class Step(NamedTuple):
    """One piece of a chain, travelled and as it lies, the bits of the chain up to and with it, and the border it
    leads over.
    """

    piece: PieceId
    laid: PieceId
    so_far: int
    into: Crossing | None


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """Track from one stop without any stop on the way.

    `end` is None where track ends or would use itself again; `pieces` are in travelling order.
    """

    start: StopId
    end: StopId | None
    steps: tuple[Step, ...]
    mask: int
    pieces: tuple[PieceId, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pieces", tuple([step.piece for step in self.steps]))


class Track:
    """The chains of a map, worked out when asked for and kept until a hex they touch changes."""

    def __init__(self, board: Map) -> None:
        self._board = board
        self._seen = len(board.relaid)
        self._bits: dict[object, int] = {}
        self._crossings: dict[Crossing, int] = {}
        self._chains: dict[StopId, tuple[Chain, ...]] = {}
        self._touches: dict[StopId, set[Coord]] = {}

    def copied(self, board: Map) -> Self:
        """The same chains for another map on which the same lies."""
        other = type(self)(board)
        other._seen, other._bits = self._seen, dict(self._bits)
        other._crossings = dict(self._crossings)
        other._chains, other._touches = dict(self._chains), dict(self._touches)
        return other

    def chains(self, stop: StopId) -> tuple[Chain, ...]:
        """All chains that start at this stop, in a fixed order."""
        self._forget_changed()
        found = self._chains.get(stop)
        if found is None:
            found, touched = self._walk(stop)
            self._chains[stop] = found
            self._touches[stop] = touched
        return found

    def crossing_bit(self, coord: Coord, edge: Edge) -> int:
        """The bit of the border at this edge, the same from both sides."""
        found = self._crossings.get((coord, edge))
        if found is None:
            other = self._board.neighbour(coord, edge)
            key = (coord, edge) if other is None else min((coord, edge), (other, opposite(edge)))
            found = self._crossings[coord, edge] = self._bit(key)
        return found

    def inner_bit(self, coord: Coord, a: End, b: End) -> int:
        """The bit of a piece that joins two stops inside a hex."""
        return self._bit((coord, min(a, b), max(a, b)))

    def bits(self, piece: PieceId) -> int:
        """Everything a train on this piece uses up."""
        coord, a, b = piece
        edges = [end for end in (a, b) if is_edge(end)]
        if not edges:
            return self.inner_bit(coord, a, b)
        used = 0
        for edge in edges:
            used |= self.crossing_bit(coord, edge)
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
        found: list[Chain] = []
        touched = {coord}
        for far in self._ends_beyond(coord, FIRST_STOP + index):
            self._follow(stop, (), (coord, FIRST_STOP + index, far), found, touched)
        return tuple(found), touched

    def _follow(
        self, start: StopId, steps: tuple[Step, ...], piece: PieceId, found: list[Chain], touched: set[Coord]
    ) -> bool:
        """Add all chains that continue over this piece; False when it would use a border a second time."""
        coord, near, far = piece
        before = steps[-1].so_far if steps else 0
        if not is_edge(far):
            bits = 0 if is_edge(near) else self.inner_bit(coord, near, far)
            whole = (*steps, Step(piece, undirected(piece), before | bits, None))
            found.append(Chain(start, (coord, far - FIRST_STOP), whole, before | bits))
            return True
        bit = self.crossing_bit(coord, far)
        if before & bit:
            return False
        other = self._board.neighbour(coord, far)
        into = None if other is None else (other, opposite(far))
        steps = (*steps, Step(piece, undirected(piece), before | bit, into))
        continues = False
        if into is not None:
            touched.add(into[0])
            for beyond in self._ends_beyond(*into):
                continues |= self._follow(start, steps, (*into, beyond), found, touched)
        if not continues:
            found.append(Chain(start, None, steps, before | bit))
        return True

    def _ends_beyond(self, coord: Coord, end: End) -> list[End]:
        pieces = self._board.topology(coord).pieces
        return [p.b if p.a == end else p.a for p in pieces if end in p.ends()]


def track_of(board: Map) -> Track:
    """The chains of this map; the same object every time, so that what was worked out is kept."""
    return board.worked_out(Track)
