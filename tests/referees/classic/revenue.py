"""A second statement of the runs of the classic titles: the best of all routes, tried one by one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.referees.classic.land import Land
from tests.referees.newengland.reach import Node, TooManyTrailsError

MAX_ARMS = 3_000
"""Ways out of one station that are followed; with more the best run is left open."""
MAX_PAIRS = 2_000_000
"""Pairs of such ways that are joined, and choices of routes that are tried."""
NO_LIMIT = 99


@dataclass(frozen=True)
class Way:
    """A way over track: sides of hexes as bits, what it visits, the stops that count, and what they earn."""

    sides: int
    places: frozenset[str]
    stops: int
    income: int


@dataclass(frozen=True)
class Leg:
    to: Node
    sides: int


Route = tuple[int, int]
"""Revenue of a route in dollars, and the sides of hexes that it uses."""


class Roads:
    """The track of a position as a company's trains of one kind see it."""

    def __init__(self, land: Land, company: str, train: str, numbers: dict[Node, int]) -> None:
        """Trains of different kinds share the numbers of sides, so that their routes compare."""
        self.land = land
        self.company = company
        self.limit = NO_LIMIT if train == "D" else int(train.rstrip("+D"))
        self.step = 2 if train == "D" else int(land.since("6" if land.title == "18ms" else "5"))
        self.factor = 2 if train.endswith("D") and land.title == "18ms" else 1
        self.free_towns = land.title == "18ga" or train.endswith("+")
        self._numbers = numbers
        self._legs: dict[Node, list[Leg]] = {}

    def routes(self) -> list[Route]:
        """Every route, the best first; of those over the same track only the best."""
        found: dict[int, int] = {}
        pairs = 0
        for station in self.land.stations(self.company):
            arms = list(self._arms(station))
            pairs += len(arms) ** 2 // 2
            if pairs > MAX_PAIRS:
                raise TooManyTrailsError
            joining = arms[:1] if self.land.terminal(station[0]) else arms
            for number, one in enumerate(joining):
                for other in arms[number + 1 :]:
                    if not one.sides & other.sides and self._may_join(one, other, station):
                        income = one.income + other.income - self._income(station)
                        income += self._bonus(one.places | other.places)
                        sides = one.sides | other.sides
                        found[sides] = max(income, found.get(sides, 0))
        return sorted(((income, sides) for sides, income in found.items()), reverse=True)

    def _may_join(self, one: Way, other: Way, station: Node) -> bool:
        """No stop twice, and not more of them than the train's number (R-CH-121, R-AL-145, R-AL-147)."""
        stops = one.stops + other.stops - self._counted(station)
        return stops <= self.limit and len(one.places & other.places) == 1

    def _arms(self, station: Node) -> Iterator[Way]:
        """Ways that begin at a station, the station alone first."""
        begin = Way(0, frozenset({self.land.place(station)}), self._counted(station), self._income(station))
        todo, count = [(station, begin)], 0
        while todo:
            node, way = todo.pop()
            count += 1
            if count > MAX_ARMS:
                raise TooManyTrailsError
            yield way
            if node == station or not self._ends(node):
                todo += self._further(node, way)

    def _further(self, node: Node, way: Way) -> Iterator[tuple[Node, Way]]:
        for leg in self._legs_from(node):
            place, stops = self.land.place(leg.to), way.stops + self._counted(leg.to)
            if leg.sides & way.sides or place in way.places or stops > self.limit:
                continue
            income = way.income + self._income(leg.to)
            yield leg.to, Way(way.sides | leg.sides, way.places | {place}, stops, income)

    def _legs_from(self, node: Node) -> list[Leg]:
        if node not in self._legs:
            self._legs[node] = list(self._legs_over(node, 0))
        return self._legs[node]

    def _legs_over(self, here: Node, sides: int) -> Iterator[Leg]:
        """Track onward without using a side of a hex twice (R-AL-141, R-AL-142)."""
        coord, end = here
        for piece in self.land.topology(coord).pieces:
            if end not in piece.ends():
                continue
            far = piece.second_end if piece.first_end == end else piece.first_end
            if far >= 6:
                yield Leg((coord, far), sides | self._between(coord, end, far))
                continue
            there, side = self.land.onto(coord, far), self._side(coord, far)
            if not side & sides and there != (coord, far):
                yield from self._legs_over(there, sides | side)

    def _between(self, coord: str, end: int, far: int) -> int:
        """Track from stop to stop inside a hex, as behind New Orleans, is used once like a side."""
        if end < 6:
            return 0
        return 1 << self._numbers.setdefault((coord, 10 * min(end, far) + max(end, far)), len(self._numbers))

    def _side(self, coord: str, edge: int) -> int:
        first = min((coord, edge), self.land.onto(coord, edge))
        return 1 << self._numbers.setdefault(first, len(self._numbers))

    def _ends(self, node: Node) -> bool:
        return self.land.terminal(node[0]) or self.land.full_of_others(node, self.company)

    def _counted(self, node: Node) -> int:
        """Towns are free in 18GA, and for trains with a plus; the fish uses up no stop (R-GA-070, R-18MS-050,
        R-1882-039)."""
        if self.land.hexes[node[0]].colour == "blue":
            return 0
        return int(not self.free_towns or self.land.stop(node) != "town")

    def _income(self, node: Node) -> int:
        """The second value from phase 5 on, in 18MS 6; a D-train gets the third, in 18MS twice the value (R-1830-006,
        R-1889-036, R-GA-007, R-18MS-050)."""
        return self.factor * self.land.topology(node[0]).stops[node[1] - 6].value(self.step)

    def _bonus(self, places: frozenset[str]) -> int:
        """Hudson Bay with the west; New Orleans after a token there (R-1882-038, R-18MS-044)."""
        hexes = {place.partition(".")[0] for place in places}
        if self.land.title == "1882":
            return 100 * ("B12" in hexes and bool(hexes & {"I1", "B2"}))
        marked = "New Orleans" in self.land.company(self.company).markers
        return 10 * (marked and self.land.title == "18ms" and "I1" in hexes)


def best_run(land: Land, company: str) -> int:
    """The most dollars that a company's trains earn together, on routes that share no track."""
    trains = sorted(land.company(company).runnable_trains, reverse=True)
    numbers: dict[Node, int] = {}
    roads = {train: Roads(land, company, train, numbers).routes() for train in set(trains)}
    return Choice([roads[train] for train in trains]).best()


class Choice:
    """One route for each train, or none."""

    def __init__(self, routes: Sequence[Sequence[Route]]) -> None:
        self.routes = [list(those) for those in routes if those]
        self.tries = 0
        self.most = 0

    def best(self) -> int:
        self._try(0, 0, 0)
        return self.most

    def _try(self, train: int, used: int, income: int) -> None:
        self.most = max(self.most, income)
        hoped = sum(routes[0][0] for routes in self.routes[train + 1 :])
        for more, sides in self.routes[train] if train < len(self.routes) else ():
            self.tries += 1
            if self.tries > MAX_PAIRS:
                raise TooManyTrailsError
            if income + more + hoped <= self.most:
                break
            if not sides & used:
                self._try(train + 1, used | sides, income + more)
        if train < len(self.routes) and income + hoped > self.most:
            self._try(train + 1, used, income)
