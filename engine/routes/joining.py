"""Whether what an outline has begun can still become a route: its pieces joined, and a token on it.

Links are taken in a fixed order, so only those to come can join two pieces. Where few stops may still be counted, many
beginnings lie too far apart; nothing that continues from there must be drawn.
"""

from collections.abc import Sequence
from typing import Final

from engine.routes.graph import Graph
from engine.routes.link_order import Course

FULL: Final = 255
"""The mate of a stop that the route passes."""
END: Final = 254
"""The mate of a stop whose piece ends for good at its other end."""
FEW: Final = 2
"""With more stops to be counted nearly everything can be joined, so that looking takes longer than it spares."""
_ROOM_BITS: Final = FEW.bit_length()


class Joining:
    """For each link, what can be joined by it and those after it; sets of stops are bit masks."""

    def __init__(self, graph: Graph, course: Course, counts: Sequence[int]) -> None:
        """`counts` has 1 for every stop that a route counts for sure, else 0."""
        self._near, self._open = _to_come(course, len(graph.stops))
        passable = [stop for stop, through in enumerate(graph.passable) if through]
        self._free = sum(1 << stop for stop in passable if not counts[stop])
        self._counted = sum(1 << stop for stop in passable if counts[stop])
        self._tokens = sum(1 << stop for stop in graph.tokens)
        self._for_token = min((counts[stop] for stop in graph.tokens), default=0)
        self._known: list[dict[int, int]] = [{} for _ in course.bonds]

    def hopeless(self, number: int, mates: bytes, room: int, token: bool, pieces: int) -> bool:
        """Whether what was begun before this link can be no route if it counts no more than `room` further stops.

        `token` says whether it has a token, `pieces` of how many pieces it is; never wrongly yes.
        """
        open_ = [stop for stop in self._open[number] if mates[stop] != stop and mates[stop] != FULL]
        if not token:
            left, tokens = room - self._for_token, self._tokens
            if left < 0 or not any(self._within(number, stop, left) & tokens for stop in open_):
                return True
        return pieces > 1 and not self._joined(number, open_, mates, room)

    def _joined(self, number: int, open_: Sequence[int], mates: bytes, room: int) -> bool:
        """Whether each piece can be joined to some other one."""
        ends = sum([1 << stop for stop in open_])
        for stop in open_:
            mate = mates[stop]
            if mate == END:
                own, reached = 1 << stop, self._within(number, stop, room)
            elif mate > stop:
                own = 1 << stop | 1 << mate
                reached = self._within(number, stop, room) | self._within(number, mate, room)
            else:
                continue  # the piece was looked at from its other end
            if not reached & ends & ~own:
                return False
        return True

    def _within(self, number: int, stop: int, room: int) -> int:
        """The stops that this link and later ones lead to from here, with at most `room` stops counted on the way."""
        known, asked = self._known[number], stop << _ROOM_BITS | room
        if asked in known:
            return known[asked]
        near = self._near[number]
        found = _beyond(near, self._within(number, stop, room - 1), self._counted) if room else near[stop]
        while (more := _beyond(near, found, self._free)) != found:
            found = more
        known[asked] = found
        return found


def _beyond(near: Sequence[int], seen: int, passed: int) -> int:
    """These stops, and those one link beyond the ones among them that may be passed."""
    ahead, found = seen & passed, seen
    while ahead:
        low = ahead & -ahead
        found |= near[low.bit_length() - 1]
        ahead ^= low
    return found


def _to_come(course: Course, stops: int) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """For each link: which stops it and later links join to each, and the stops with links both before and to come."""
    near = [0] * stops
    after: list[tuple[int, ...]] = []
    for a, b, _ in reversed(course.bonds):
        near[a] |= 1 << b
        near[b] |= 1 << a
        after.append(tuple(near))
    open_: list[tuple[int, ...]] = []
    begun: set[int] = set()
    for (a, b, _), now in zip(course.bonds, reversed(after), strict=True):
        open_.append(tuple(stop for stop in begun if now[stop]))
        begun |= {a, b}
    return after[::-1], open_
