"""Following routes from a company's tokens: exact, because no stop, border or inner piece is ever used
twice.

A route for building and tokens is connected track with an own token on it; it reaches full cities and red
areas but does not pass them, and may have any length (18Chesapeake 11.1). What lies on such a route also
lies on one that starts at the token, so all searches start there.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property, reduce
from operator import or_
from typing import NamedTuple, TypeAlias

from engine.board.journeys import journeys
from engine.board.map import Map, StopId
from engine.board.rails import Number, rails_of
from engine.board.track import Chain, Crossing, PieceId, track_of
from engine.core.ids import CompanyId
from engine.core.topology import FIRST_STOP, is_edge

_Found: TypeAlias = tuple[Number, PieceId, Number, StopId | None]
"""A number, a piece that leaves from there, the number at its far end, and the stop there, if it is one."""


class Reached(NamedTuple):
    """Everything that lies on routes, and the borders at the ends of that track, each from both sides."""

    stops: frozenset[StopId]
    pieces: frozenset[PieceId]
    borders: tuple[Crossing, ...]


class Explorer:
    """Routes of one company on the map as it lies when this is made.

    What a route uses is told by pairs of numbers of `rails`, one bit each.
    """

    def __init__(self, board: Map, company: CompanyId) -> None:
        self._board = board
        self._company = company
        self._track = track_of(board)
        self._rails = rails_of(board)
        self.tokens = board.tokens_of(company)
        self._starts = [self._rails.stop(token) for token in self.tokens]
        self._barred = self._rails.impassable(company) & ~_bits(self._starts)

    def passable(self, stop: StopId) -> bool:
        """Whether a route may go on beyond this stop."""
        return not self._board.terminal(stop[0]) and not self._board.blocks(*stop, self._company)

    def chains(self, stop: StopId) -> tuple[Chain, ...]:
        """Track that leads away from the stop."""
        return self._track.chains(stop)

    def bar(self, crossing: Crossing) -> int:
        """The bit of this border."""
        return _bit(self._rails.border(crossing))

    def enters(self, crossing: Crossing, barred: int = 0) -> bool:
        """Whether a route comes into the hex over this border from outside, with what is barred left free."""
        return self._goes_on(self._rails.border(crossing), barred)

    def comes_to(self, stop: StopId, barred: int = 0) -> bool:
        """Whether a route comes to this stop, with what is barred left free."""
        number = self._rails.stop(stop)
        if not self._barred & _bit(number):
            return self._goes_on(number, barred)
        beside = barred | self._areas.get(self._board.built_place(stop), 0)
        return any(self._goes_on(rail.to, beside) for rail in self._rails.at(number))

    def reached(self) -> Reached:
        """Everything on routes of the company."""
        shown: list[_Found] = []
        doubtful: list[_Found] = []
        for number, way in self._ways():
            for piece, to, stop in self._rails.at(number):
                (shown if stop or not way >> (to >> 1) & 1 else doubtful).append((number, piece, to, stop))
        pieces = {piece for _, piece, _, _ in shown}
        shown += [
            found for found in doubtful if found[1] not in pieces and self._goes_on(found[0], _bit(found[2]))
        ]
        stops = {stop for *_, stop in shown if stop is not None and self.comes_to(stop)}
        return Reached(
            frozenset(stops.union(self.tokens)),
            frozenset([piece for _, piece, _, _ in shown]),
            tuple(self._borders({end >> 1 for near, _, to, _ in shown for end in (near, to)})),
        )

    def _borders(self, pairs: Iterable[int]) -> Iterator[Crossing]:
        for pair in pairs:
            for number in (2 * pair, 2 * pair + 1):
                place = self._rails.place(number)
                if place is not None and is_edge(place[1]):
                    yield place

    def _ways(self) -> Iterator[tuple[Number, int]]:
        """Where routes go on from, with what one of them uses."""
        for number, used in self._free.items():
            way = self._way(number, 0) if self._shared else used
            if way is not None:
                yield number, way

    def _goes_on(self, number: Number, barred: int) -> bool:
        free = self._way(number, 0)
        return free is not None and (not free & barred or self._way(number, barred) is not None)

    def _way(self, number: Number, barred: int) -> int | None:
        """What a route uses that goes on from here and leaves alone what is barred; None if there is none.

        Routes are looked for as if areas did not matter. Of two stops of one area on the way found, every
        other route leaves out the one or the other.
        """
        found = self._journeys(barred) if barred else self._free
        used = found.get(number)
        clash = 0 if used is None else self._clash(used)
        if not clash:
            return used
        first = clash & -clash
        way = self._way(number, barred | first)
        return self._way(number, barred | clash ^ first) if way is None else way

    def _clash(self, used: int) -> int:
        """Two stops of one area among what is used; nothing if no area is visited twice."""
        for area in self._shared:
            first = used & area & -(used & area)
            rest = used & area ^ first
            if rest:
                return first | rest & -rest
        return 0

    def _journeys(self, barred: int) -> dict[Number, int]:
        return journeys(self._rails.ahead, self._starts, self._barred | barred)

    @cached_property
    def _free(self) -> dict[Number, int]:
        """Where routes go on from with nothing barred, if areas did not matter."""
        return self._journeys(0)

    @cached_property
    def _areas(self) -> dict[object, int]:
        """The stops that routes begin at or pass, one bit each, by area."""
        areas: dict[object, int] = {}
        for number in self._free:
            stop = self._stop_at(number)
            if stop is not None:
                area = self._board.built_place(stop)
                areas[area] = areas.get(area, 0) | _bit(number)
        return areas

    @cached_property
    def _shared(self) -> list[int]:
        """Areas with several stops."""
        return [area for area in self._areas.values() if area & (area - 1)]

    def _stop_at(self, number: Number) -> StopId | None:
        place = self._rails.place(number)
        return None if place is None or is_edge(place[1]) else (place[0], place[1] - FIRST_STOP)


def _bit(number: Number) -> int:
    return 1 << (number >> 1)


def _bits(numbers: Iterable[Number]) -> int:
    return reduce(or_, map(_bit, numbers), 0)
