"""Following routes from a company's tokens: exact, because no stop, border or inner piece is ever used
twice.

A route for building and tokens is connected track with an own token on it; it reaches full cities and red
areas but does not pass them, and may have any length (18Chesapeake 11.1). What lies on such a route also
lies on one that starts at the token, so all searches start there.
"""

from collections.abc import Iterator
from typing import NamedTuple

from engine.board.journeys import journeys
from engine.board.map import Map, StopId
from engine.board.rails import Number, Rail, rails_of
from engine.board.track import Chain, Crossing, PieceId, track_of
from engine.core.ids import CompanyId


class Reached(NamedTuple):
    """Everything that lies on routes."""

    stops: frozenset[StopId]
    pieces: frozenset[PieceId]


class Explorer:
    """Routes of one company on the map as it lies when this is made.

    What a route uses is told by pairs of numbers of `rails`, one bit each.
    """

    def __init__(self, board: Map, company: CompanyId) -> None:
        self._board = board
        self._company = company
        self._track = track_of(board)
        self._rails = rails_of(board)
        self._leads: dict[Number, tuple[Number, ...]] = {}
        self._areas: dict[object, int] = {}
        self._free: dict[Number, int] | None = None
        self.tokens = board.tokens_of(company)
        for token in self.tokens:
            self._note_area(token)

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
        if self._may_begin(stop):
            return self._goes_on(self._rails.stop(stop) + 1, barred)
        beside = barred | self._areas.get(self._board.built_place(stop), 0)
        return any(self._goes_on(number, beside) for number in self._into(self._rails.stop(stop)))

    def reached(self) -> Reached:
        """Everything on routes of the company."""
        ways = {number: way for number in self._numbers() if (way := self._way(number, 0)) is not None}
        at = [(number, way, rail) for number, way in ways.items() for rail in self._rails.at(number)]
        pieces = {rail.piece for _, way, rail in at if _shown(rail, way)}
        doubtful = [(number, rail) for number, _, rail in at if rail.piece not in pieces]
        pieces |= {rail.piece for number, rail in doubtful if self._goes_on(number, _bit(rail.to))}
        stops = {stop for number in ways if (stop := self._rails.stop_at(number)) is not None}
        ends = {rail.stop for _, _, rail in at if rail.stop is not None and not self._may_begin(rail.stop)}
        return Reached(frozenset(stops | {end for end in ends if self.comes_to(end)}), frozenset(pieces))

    def _numbers(self) -> list[Number]:
        """Where routes go on from if areas do not matter; of a stop its odd number, which no route leaves out."""
        found = self._journeys(0)
        return [number for number in found if number & 1 or self._rails.stop_at(number) is None]

    def _goes_on(self, number: Number, barred: int) -> bool:
        free = self._way(number, 0)
        return free is not None and (not free & barred or self._way(number, barred) is not None)

    def _way(self, number: Number, barred: int) -> int | None:
        """What a route uses that goes on from here and leaves alone what is barred; None if there is none.

        Routes are looked for as if areas did not matter. Of two stops of one area on the way found, every
        other route leaves out the one or the other.
        """
        used = self._journeys(barred).get(number)
        clash = 0 if used is None else self._clash(used)
        if not clash:
            return used
        first = clash & -clash
        found = self._way(number, barred | first)
        return self._way(number, barred | clash ^ first) if found is None else found

    def _clash(self, used: int) -> int:
        """Two stops of one area among what is used; nothing if no area is visited twice."""
        for area in self._areas.values():
            first = used & area & -(used & area)
            rest = used & area ^ first
            if rest:
                return first | rest & -rest
        return 0

    def _journeys(self, barred: int) -> dict[Number, int]:
        starts = [self._rails.stop(token) for token in self.tokens]
        if barred:
            return journeys(self._ahead, starts, barred)
        if self._free is None:
            self._free = journeys(self._ahead, starts)
        return self._free

    def _ahead(self, number: Number) -> tuple[Number, ...]:
        """Where pieces lead from here: to borders, to both numbers of a stop, to the odd one of a mere start."""
        found = self._leads.get(number)
        if found is None:
            found = self._leads[number] = tuple(self._into(number)) if self._leaves(number) else ()
        return found

    def _into(self, number: Number) -> Iterator[Number]:
        for rail in self._rails.at(number):
            if rail.stop is None:
                yield rail.to
            elif self._may_begin(rail.stop):
                self._note_area(rail.stop)
                yield rail.to ^ 1
                if self.passable(rail.stop):
                    yield rail.to

    def _leaves(self, number: Number) -> bool:
        """Whether routes go on from here: beyond a mere start only those that begin there."""
        stop = self._rails.stop_at(number)
        return stop is None or self.passable(stop) or (number & 1 == 1 and stop in self.tokens)

    def _note_area(self, stop: StopId) -> None:
        area = self._board.built_place(stop)
        self._areas[area] = self._areas.get(area, 0) | _bit(self._rails.stop(stop))

    def _may_begin(self, stop: StopId) -> bool:
        return stop in self.tokens or self.passable(stop)


def _bit(number: Number) -> int:
    return 1 << (number >> 1)


def _shown(rail: Rail, way: int) -> bool:
    """Whether a route that has used this much can go on over the piece."""
    return rail.stop is not None or not way & _bit(rail.to)
