"""Following routes from a company's tokens: exact, because no stop, border or inner piece is ever used
twice.

A route for building and tokens is connected track with an own token on it; it reaches full cities and red
areas but does not pass them, and may have any length (18Chesapeake 11.1). What lies on such a route also
lies on one that starts at the token, so all searches start there.
"""

from collections.abc import Iterator
from typing import NamedTuple

from engine.board.map import Map, StopId
from engine.board.track import Chain, Crossing, PieceId, track_of
from engine.core.ids import CompanyId


class Place(NamedTuple):
    """Where a route from a token has come to: the stop, and as bits the track used and the areas visited."""

    stop: StopId
    used: int
    visited: int


class Goal(NamedTuple):
    """Something to be reached from a stop: possible while neither this track nor this area is used up.

    Both as bits; area 0 is none.
    """

    bits: int
    area: int


class Ways(NamedTuple):
    """Where routes may go from a stop.

    All chains, and (stop, track, area) of those that lead on to another stop.
    """

    chains: tuple[Chain, ...]
    onward: tuple[tuple[StopId, int, int], ...]


class Explorer:
    """Routes of one company on the map as it lies when this is made."""

    def __init__(self, board: Map, company: CompanyId) -> None:
        self._board = board
        self._company = company
        self._track = track_of(board)
        self._areas: dict[object, int] = {}
        self._ways: dict[StopId, Ways] = {}
        self._home: dict[StopId, tuple[tuple[StopId, int, int], ...]] = {}
        self._entries: dict[Crossing, dict[StopId, list[Goal]]] | None = None
        self.tokens = board.tokens_of(company)

    def area(self, stop: StopId) -> int:
        """The bit of what must not be visited twice: the stop, or the area it belongs to."""
        return 1 << self._areas.setdefault(self._board.built_place(stop), len(self._areas))

    def passable(self, stop: StopId) -> bool:
        """Whether a route may go on beyond this stop."""
        return not self._board.terminal(stop[0]) and not self._board.blocks(*stop, self._company)

    def chains(self, stop: StopId) -> tuple[Chain, ...]:
        """Track that leads away from the stop."""
        return self.ways(stop).chains

    def ways(self, stop: StopId) -> Ways:
        """The ways a route may take from the stop."""
        ways = self._ways.get(stop)
        if ways is None:
            chains = self._track.chains(stop)
            ends = ((chain.end, chain.mask) for chain in chains)
            onward = tuple((e, mask, self.area(e)) for e, mask in ends if e is not None and self.passable(e))
            ways = self._ways[stop] = Ways(chains, onward)
        return ways

    def starts(self, used: int = 0) -> Iterator[Place]:
        """One place for each own token, with some bits ruled out from the beginning."""
        for stop in self.tokens:
            yield Place(stop, used, self.area(stop))

    def onward(self, place: Place) -> Iterator[Place]:
        """The next stops of routes that have come to `place`."""
        _, used, visited = place
        for end, mask, area in self.ways(place.stop).onward:
            if not mask & used and not area & visited:
                yield Place(end, used | mask, visited | area)

    def around(self, place: Place) -> set[StopId]:
        """Stops a route might still pass from here: a generous answer, for ruling out what is hopeless."""
        _, used, visited = place
        seen = {place.stop}
        ahead = [place.stop]
        while ahead:
            for end, mask, area in self.ways(ahead.pop()).onward:
                if end not in seen and not mask & used and not area & visited:
                    seen.add(end)
                    ahead.append(end)
        return seen

    def entries(self, crossing: Crossing) -> dict[StopId, list[Goal]]:
        """Goals for entering a hex over this border from outside."""
        if self._entries is None:
            self._entries = {}
            for stop in self.possible():
                for step in (step for chain in self.chains(stop) for step in chain.steps):
                    if step.into is not None:
                        goals = self._entries.setdefault(step.into, {})
                        goals.setdefault(stop, []).append(Goal(step.so_far, 0))
        return self._entries.get(crossing, {})

    def possible(self) -> set[StopId]:
        """Stops that routes might pass, asked generously, with the tokens."""
        stops: set[StopId] = set()
        for token in self.tokens:
            stops |= self.around(Place(token, 0, 0))
        return stops

    def find(self, goals: dict[StopId, list[Goal]], used: int = 0) -> Place | None:
        """A place from which one of the goals is open, or None when no route leads to any of them.

        With `used` ruled out. Looked for from the goal backwards: what is in its way is mostly near it.
        """
        for stop, at_stop in goals.items():
            for goal in at_stop:
                found = self.back(stop, goal, used)
                if found is not None:
                    return found
        return None

    def back(self, stop: StopId, goal: Goal, used: int = 0) -> Place | None:
        """A route from a token to this stop that leaves the goal open, as the place it has come to; None without one.

        Shortest routes first; one that comes to a stop with more used up than another has no better prospects.
        """
        here, barred = self.area(stop), used | goal.bits
        if used & goal.bits or here & goal.area or not self._may_begin(stop):
            return None
        ahead = [Place(stop, barred, here | goal.area)]
        known: dict[StopId, list[tuple[int, int]]] = {}
        for place in ahead:
            at, used_up, visited = place
            if at in self.tokens:
                return Place(stop, used_up & ~barred, visited & ~goal.area)
            before = known.setdefault(at, [])
            if any(u & used_up == u and v & visited == v for u, v in before):
                continue
            before.append((used_up, visited))
            if self._leads_home(place):
                ahead.extend(self._homeward(place))
        return None

    def _homeward(self, place: Place) -> Iterator[Place]:
        """The next stops of routes that have come to `place` and look for a token."""
        _, used, visited = place
        for end, mask, area in self._ways_home(place.stop):
            if not mask & used and not area & visited:
                yield Place(end, used | mask, visited | area)

    def _leads_home(self, place: Place) -> bool:
        """Whether a route might still come from here to a token, asked generously, as in `around`."""
        _, used, visited = place
        seen = {place.stop}
        ahead = [place.stop]
        while ahead:
            for end, mask, area in self._ways_home(ahead.pop()):
                if end not in seen and not mask & used and not area & visited:
                    if end in self.tokens:
                        return True
                    seen.add(end)
                    ahead.append(end)
        return False

    def _ways_home(self, stop: StopId) -> tuple[tuple[StopId, int, int], ...]:
        """As `ways` lead on, and also to a token where routes end."""
        ways = self._home.get(stop)
        if ways is None:
            ends = ((chain.end, chain.mask) for chain in self.chains(stop))
            found = ((e, mask, self.area(e)) for e, mask in ends if e is not None and self._may_begin(e))
            ways = self._home[stop] = tuple(found)
        return ways

    def _may_begin(self, stop: StopId) -> bool:
        return stop in self.tokens or self.passable(stop)


class Reached:
    """What routes were found to reach: stops, pieces, and borders with the bits used on some ways to them."""

    def __init__(self) -> None:
        self.stops: set[StopId] = set()
        self.pieces: set[PieceId] = set()
        self.arrivals: dict[Crossing, list[int]] = {}

    def add(self, explorer: Explorer, place: Place) -> None:
        """Take in all track that a route at `place` reaches without passing another stop."""
        self.stops.add(place.stop)
        for chain in explorer.chains(place.stop):
            for step in chain.steps:
                if step.so_far & place.used:
                    break
                self.pieces.add(step.laid)
                if step.into is not None:
                    self._arrive(step.into, place.used | step.so_far)
            else:
                if chain.end is not None and not explorer.area(chain.end) & place.visited:
                    self.stops.add(chain.end)

    def _arrive(self, crossing: Crossing, used: int) -> None:
        ways = self.arrivals.setdefault(crossing, [])
        if len(ways) < _WAYS_KEPT and not any(way & used == way for way in ways):
            ways.append(used)


_WAYS_KEPT = 6


def explore(explorer: Explorer) -> Reached:
    """Everything on routes of the company.

    Shortest ways first, then a search for whatever those did not show.
    """
    reached = Reached()
    seen: set[StopId] = set()
    for token in explorer.starts():
        seen.add(token.stop)
        ahead = [token]
        for place in ahead:
            reached.add(explorer, place)
            for further in explorer.onward(place):
                if further.stop not in seen:
                    seen.add(further.stop)
                    ahead.append(further)
    hopeless: set[tuple[StopId, Goal]] = set()
    while (found := _find_missing(explorer, reached, hopeless)) is not None:
        reached.add(explorer, found)
    return reached


def _find_missing(explorer: Explorer, reached: Reached, hopeless: set[tuple[StopId, Goal]]) -> Place | None:
    """A place from which a piece or stop is reached that was not yet; what no route leads to is noted."""
    for stop in explorer.possible():
        for goal in _unreached(explorer, reached, stop):
            if (stop, goal) not in hopeless:
                found = explorer.back(stop, goal)
                if found is not None:
                    return found
                hopeless.add((stop, goal))
    return None


def _unreached(explorer: Explorer, reached: Reached, stop: StopId) -> Iterator[Goal]:
    for chain in explorer.chains(stop):
        for step in chain.steps:
            if step.laid not in reached.pieces:
                yield Goal(step.so_far, 0)
        if chain.end is not None and chain.end not in reached.stops:
            yield Goal(chain.mask, explorer.area(chain.end))
