"""A second statement of what routes come to in 18NewEngland.

Written from the printed rules. It reads where tiles and stations lie and what the title's tables print.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from engine.core.topology import Topology
from engine.play.table import Table

Lay = tuple[str, str, int]
"""Hex, tile and rotation."""
Node = tuple[str, int]
"""A hex and an end in it: an edge (0-5), looked at from inside the hex, or a stop (6 and more)."""
MAX_TRIES = 20_000
"""Trails that are followed in search of a place before it is left open whether a route comes there."""
Search = tuple[Node, frozenset[Node], frozenset[str]]
"""A trail: where it has come to, its ends of track and stops, and the hexes of its stops."""


class TooManyTrailsError(Exception):
    """Whether a route comes to a place would take too long to find out."""


@cache
def across(coord: str, edge: int) -> str:
    """The coordinates on the other side of an edge; west of column A is a column a."""
    right, down = [(0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1)][edge]
    column = -1 if coord[0] == "a" else ord(coord[0]) - ord("A")
    letter = "a" if column + right == -1 else chr(ord("A") + column + right)
    return f"{letter}{int(coord[1:]) + down}"


class Land:
    """Neighbours of hexes by their coordinates, and the track in them; one hex may be imagined otherwise."""

    across = staticmethod(across)

    def __init__(self, t: Table, imagined: tuple[str, Topology] | None = None) -> None:
        self.t = t
        self.hexes = t.spec.map.all_hexes
        self.imagined = imagined

    def topology(self, coord: str) -> Topology:
        if self.imagined is not None and self.imagined[0] == coord:
            return self.imagined[1]
        return self.t.map.topology(coord)

    def beyond(self, coord: str, edge: int) -> str | None:
        """The hex on the other side of an edge; None off the map."""
        there = self.across(coord, edge)
        return there if there in self.hexes else None

    def open(self, coord: str, edge: int) -> bool:
        there = self.beyond(coord, edge)
        if there is None or edge in self.hexes[coord].impassable:
            return False
        back, other = (edge + 3) % 6, self.hexes[there]
        if back in other.impassable:
            return False
        return other.colour not in {"red", "gray"} or back in other.topology.edges

    def full_of_others(self, node: Node, company: str) -> bool:
        slots = self._slots(node)
        return bool(slots) and company not in slots and None not in slots

    def stations(self, company: str) -> set[Node]:
        return {
            (coord, 6 + index)
            for coord in {coord for coord, _ in self.t.map.token_stops_of(company)}
            for index in range(len(self.topology(coord).stops))
            if company in self._slots((coord, 6 + index))
        }

    def _slots(self, node: Node) -> list[str | None]:
        """On an imagined tile stations lie where the sides of their old city are."""
        coord, end = node
        stop = self.topology(coord).stops[end - 6]
        if stop.kind != "city":
            return []
        sides, old = self.topology(coord).edges_of(end - 6), self.t.map.topology(coord)
        imagined = self.imagined is not None and self.imagined[0] == coord
        here = [i for i in range(len(old.stops)) if (old.edges_of(i) <= sides if imagined else i == end - 6)]
        held = [company for i in here for company in self.t.map.slots(coord, i) if company is not None]
        return held + [None] * (stop.slots - len(held))

    @cached_property
    def before(self) -> dict[Node, list[Node]]:
        """From where one piece of track leads to an end of track or stop."""
        found: dict[Node, list[Node]] = {}
        for coord in self.hexes:
            for origin, node in self.leads(coord):
                found.setdefault(node, []).append(origin)
        return found

    def before_with(self, there: "Land", coord: str) -> dict[Node, list[Node]]:
        """The same as `before`, with one hex of another map."""
        found = dict(self.before)
        for land in (self, there):
            for node in {node for _, node in land.leads(coord)}:
                found[node] = [origin for origin in found.get(node, []) if origin[0] != coord]
        for origin, node in there.leads(coord):
            found[node] = [*found[node], origin]
        return found

    def near(self, company: str) -> set[str]:
        """Hexes that the track of a company's tokens comes to, whatever blocks it."""
        todo = list(self.stations(company))
        seen = set(todo)
        while todo:
            coord, end = todo.pop()
            for origin, node in self.leads(coord):
                if origin == (coord, end) and node not in seen:
                    seen.add(node)
                    todo.append(node)
        return {coord for coord, _ in seen}

    def leads(self, coord: str) -> list[tuple[Node, Node]]:
        """For each piece of a hex, both ways: the end it begins at, and where it comes to."""
        ends = [way for piece in self.topology(coord).pieces for way in (piece.ends(), piece.ends()[::-1])]
        return [((coord, end), self.onto(coord, far)) for end, far in ends]

    def onto(self, coord: str, far: int) -> Node:
        there = self.beyond(coord, far) if far < 6 else None
        return (coord, far) if there is None else (there, (far + 3) % 6)

    def stop(self, node: Node) -> str:
        return self.topology(node[0]).stops[node[1] - 6].kind

    def terminal(self, coord: str) -> bool:
        return self.hexes[coord].colour == "red"

    def apart(self, coord: str) -> bool:
        return not any(min(piece.ends()) >= 6 for piece in self.topology(coord).pieces)


class Trails:
    """All that the routes of a company come to, without a limit on their length."""

    def __init__(self, land: Land, company: str) -> None:
        self.land = land
        self.company = company
        self.stations = sorted(land.stations(company))

    def onward(self, here: Search) -> Iterator[tuple[int, str, Search]]:
        """Pieces that continue a trail: each with its number, its hex, and the trail after it."""
        (coord, end), used, hexes = here
        if end >= 6 and len(used) > 1 and self._ends(coord, end):
            return
        for index, piece in enumerate(self.land.topology(coord).pieces):
            if end not in piece.ends():
                continue
            far = piece.second_end if piece.first_end == end else piece.first_end
            if (coord, far) in used or (far >= 6 and coord in hexes and self.land.apart(coord)):
                continue
            yield index, coord, self._over(coord, far, used, hexes)

    def _over(self, coord: str, far: int, used: frozenset[Node], hexes: frozenset[str]) -> Search:
        onto = self.land.onto(coord, far)
        return onto, used | {(coord, far), onto}, hexes | {coord} if far >= 6 else hexes

    def _ends(self, coord: str, end: int) -> bool:
        return self.land.terminal(coord) or self.land.full_of_others((coord, end), self.company)

    def starts(self) -> Iterator[Search]:
        for node in self.stations:
            yield node, frozenset({node}), frozenset({node[0]})

    def visits(self, goal: Node) -> bool:
        return self._arrives({goal}, "", set())

    def uses(self, coord: str, pieces: set[int]) -> bool:
        track = self.land.topology(coord).pieces
        return self._arrives({(coord, end) for i in pieces for end in track[i].ends()}, coord, pieces)

    def _arrives(self, goals: set[Node], coord: str, pieces: set[int]) -> bool:
        ahead = Way(goals, coord, pieces, self._distances(goals))
        return any(self._search(start, ahead) for start in self.starts())

    def _search(self, here: Search, way: "Way") -> bool:
        way.tries += 1
        if way.tries > MAX_TRIES:
            raise TooManyTrailsError
        if here[0] in way.goals and not way.pieces:
            return True
        onward = list(self.onward(here))
        if any(coord == way.coord and index in way.pieces for index, coord, _ in onward):
            return True
        near = [further for _, _, further in onward if further[0] in way.distances]
        return any(self._search(next_, way) for next_ in sorted(near, key=lambda f: way.distances[f[0]]))

    def _distances(self, goals: set[Node]) -> dict[Node, int]:
        found, todo = dict.fromkeys(goals, 0), deque(goals)
        before = self.land.before
        while todo:
            node = todo.popleft()
            if node[1] >= 6 and found[node] and self._ends(*node):
                continue
            for previous in before.get(node, ()):
                if previous not in found:
                    found[previous] = found[node] + 1
                    todo.append(previous)
        return found


@dataclass
class Way:
    """What is looked for: goals, pieces of a hex to be used from there, how far it is, and what was tried."""

    goals: set[Node]
    coord: str
    pieces: set[int]
    distances: dict[Node, int]
    tries: int = 0
