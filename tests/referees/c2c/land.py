"""A second statement of the map of 18C2C: which hexes are neighbours, what track reaches, and what a station sees.

It reads where tiles and tokens lie and what the title's table prints, and shares no rule code with the engine.
"""

from functools import cache, cached_property

from engine.core.topology import Topology
from tests.referees.newengland.reach import Land as AnyLand
from tests.referees.newengland.reach import Node, Search, TooManyTrailsError, Trails

MAX_TRIES = 2_000
"""Trails that are followed to a destination before it is left open whether a train comes there."""
NEXT = ((1, -1), (0, -2), (-1, -1), (-1, 1), (0, 2), (1, 1))
"""Rows down and columns right to the neighbour at each edge."""
TERMINAL = {"E88", "AA68"}
"""Red places that end a route (R-C2C-171)."""


@cache
def across(coord: str, edge: int) -> str:
    """The coordinates on the other side of an edge; rows are A to Z and then AA."""
    letters = coord.rstrip("0123456789")
    row = 26 if letters == "AA" else ord(letters) - ord("A")
    down, right = NEXT[edge]
    there = "AA" if row + down == 26 else chr(ord("A") + row + down)
    return f"{there}{int(coord[len(letters) :]) + right}"


class Land(AnyLand):
    """The map as it lies, with tokens that take no place."""

    across = staticmethod(across)

    def _slots(self, node: Node) -> list[str | None]:
        coord, end = node
        olds = self._olds(coord, end - 6)
        held = [company for i in olds for company in self.t.map.slots(coord, i) if company is not None]
        if self._imagined(coord):
            count = self.topology(coord).stops[end - 6].slots
        else:
            count = len(self.t.map.slots(coord, end - 6))
        return held + [None] * (count - len(held))

    def _imagined(self, coord: str) -> bool:
        return self.imagined is not None and self.imagined[0] == coord

    def _olds(self, coord: str, stop: int) -> list[int]:
        """On an imagined tile tokens lie where the sides of their old station are."""
        if not self._imagined(coord):
            return [stop]
        sides, old = self.topology(coord).edges_of(stop), self.t.map.topology(coord)
        if len(old.stops) == len(self.topology(coord).stops) == 1:
            return [0]
        return [i for i in range(len(old.stops)) if old.edges_of(i) and old.edges_of(i) <= sides]

    def imagine(self, coord: str, topology: Topology) -> "Land":
        """The same map with another tile in a hex."""
        there = Land(self.t, (coord, topology))
        there.__dict__["tokens"] = self.tokens
        there.__dict__["before"] = self.before_with(there, coord)
        return there

    @cached_property
    def tokens(self) -> dict[Node, set[str]]:
        found: dict[Node, set[str]] = {}
        for company in self.t.state.companies:
            for coord, stop in self.t.map.token_stops_of(company):
                found.setdefault((coord, 6 + stop), set()).add(company)
        return found

    def here(self, node: Node) -> set[str]:
        coord, end = node
        return set().union(*(self.tokens.get((coord, 6 + i), set()) for i in self._olds(coord, end - 6)))

    def stations(self, company: str) -> set[Node]:
        coords = {coord for (coord, _), owners in self.tokens.items() if company in owners}
        nodes = ((c, 6 + i) for c in coords for i in range(len(self.topology(c).stops)))
        return {node for node in nodes if company in self.here(node)}

    def full_of_others(self, node: Node, company: str) -> bool:
        slots = self._slots(node)
        return bool(slots) and company not in self.here(node) and None not in slots

    def terminal(self, coord: str) -> bool:
        return coord in TERMINAL

    def apart(self, coord: str) -> bool:
        """Stations of one hex may be on one route."""
        return False


class Ways(Trails):
    """What the routes of one corporation, or of two that want to merge, come to."""

    land: Land

    def __init__(self, land: Land, company: str, friends: tuple[str, ...] = ()) -> None:
        super().__init__(land, company)
        self.friends = (company, *friends)

    def _ends(self, coord: str, end: int) -> bool:
        full = all(self.land.full_of_others((coord, end), friend) for friend in self.friends)
        return self.land.terminal(coord) or full

    def has_route(self) -> bool:
        """True if a train of two stops could run (R-C2C-212)."""
        return any(self._meets(start) for start in self.starts())

    def _meets(self, here: Search) -> bool:
        return any(further[0][1] >= 6 or self._meets(further) for _, _, further in self.onward(here))

    def joins(self, other: str) -> bool:
        """True if track joins a token of the company to one of the other (R-C2C-221)."""
        goals = self.land.stations(other)
        return bool(goals & set(self.stations)) or any(self.visits(goal) for goal in goals)

    def ends(self, home: str, goal: str) -> list[tuple[Node, Node]]:
        """Own tokens at home, with every station of the destination (R-C2C-180)."""
        goals = [(goal, 6 + i) for i in range(len(self.land.topology(goal).stops))]
        return [(node, other) for node in self.stations if node[0] == home for other in goals]

    def shortest(self, home: Node, goal: Node, most: int) -> int | None:
        """Fewest stops of a route with these ends, of `most` at most (R-C2C-180); the goal may be full."""
        for limit in range(2, most + 1):
            start: Search = (home, frozenset({home}), frozenset({home[0]}))
            if self._within(start, goal, limit, Tries()):
                return limit
        return None

    def _within(self, here: Search, goal: Node, left: int, tries: "Tries") -> bool:
        tries.count += 1
        if tries.count > MAX_TRIES:
            raise TooManyTrailsError
        if here[0] == goal:
            return True
        if here[0][1] >= 6:
            left -= 1
        if left < 1:
            return False
        distances = self._far(goal)
        onward = [further for _, _, further in self.onward(here) if further[0] in distances]
        onward.sort(key=lambda further: distances[further[0]])
        return any(self._within(further, goal, left, tries) for further in onward)

    def _far(self, goal: Node) -> dict[Node, int]:
        memory: dict[Node, dict[Node, int]] = self.__dict__.setdefault("memory", {})
        if goal not in memory:
            memory[goal] = self._distances({goal})
        return memory[goal]


class Tries:
    count = 0
