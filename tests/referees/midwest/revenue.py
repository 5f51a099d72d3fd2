"""A second statement of the runs of 1846: the best of all routes, tried one by one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from tests.referees.classic.revenue import MAX_ARMS, MAX_PAIRS, Leg, Roads
from tests.referees.midwest.land import Land
from tests.referees.midwest.model import PORTS
from tests.referees.newengland.reach import Node, TooManyTrailsError

LIMITS = {"2": (2, 2), "4": (4, 4), "3/5": (3, 5), "5": (5, 5), "4/6": (4, 6), "6": (6, 6), "7/8": (7, 8)}
"""Stops that are paid and visited at most (R-1846-092)."""
EAST = {"B18": 20, "C17": 30, "C21": 30, "D22": 30, "E23": 30, "F22": 20, "G21": 20, "H20": 30, "I17": 20}
WEST = {"C5": 50, "I1": 20}
"""R-1846-093."""
MARKERS = {"meat": 30, "boom": 20}
MAIL = 10


@dataclass(frozen=True)
class Way:
    """A way over track: sides of hexes as bits, and its stops in order."""

    sides: int
    stops: tuple[Node, ...]


@dataclass(frozen=True)
class Route:
    """Dollars, sides of hexes that it uses, and stops that it visits."""

    income: int
    sides: int
    visits: int


class MidwestRoads(Roads):
    """The track of a position as a company's trains of one kind see it."""

    def __init__(self, land: Land, company: str, train: str, numbers: dict[Node, int]) -> None:
        self.land = land
        self.company = company
        self.paid, self.limit = LIMITS[train]
        self.step = int(land.since("III"))
        self._numbers = numbers
        self._legs: dict[Node, list[Leg]] = {}
        self._own = land.stations(company)

    def all_routes(self) -> list[Route]:
        """Every route, the best first; of those over the same track only one."""
        found: dict[int, Route] = {}
        for station in sorted(self._own):
            arms = list(self._ways(station))
            if len(arms) ** 2 > MAX_PAIRS:
                raise TooManyTrailsError
            for one, other in combinations(arms, 2):
                stops = one.stops[::-1] + other.stops[1:]
                apart = len({self.land.place(node) for node in stops}) == len(stops) <= self.limit
                sides = one.sides | other.sides
                if apart and not one.sides & other.sides and sides not in found:
                    found[sides] = Route(self._worth(stops), sides, len(stops))
        return sorted(found.values(), key=lambda route: -route.income)

    def _ways(self, station: Node) -> Iterator[Way]:
        """Ways that begin at a station, the station alone first."""
        todo, count = [Way(0, (station,))], 0
        while todo:
            way, count = todo.pop(), count + 1
            if count > MAX_ARMS:
                raise TooManyTrailsError
            yield way
            node = way.stops[-1]
            if len(way.stops) == self.limit or (node != station and self._ends(node)):
                continue
            for leg in self._legs_from(node):
                there = self.land.place(leg.to)
                if not leg.sides & way.sides and there not in map(self.land.place, way.stops):
                    todo.append(Way(way.sides | leg.sides, (*way.stops, leg.to)))

    def _worth(self, stops: Sequence[Node]) -> int:
        """The best stops that may be paid, an own token among them (R-1846-092)."""
        chosen = combinations(stops, min(len(stops), self.paid))
        return max((self._income_of(paid) for paid in chosen if self._own & set(paid)), default=0)

    def _income_of(self, paid: Sequence[Node]) -> int:
        marks = self.land.company(self.company).markers
        hexes = {coord for coord, _ in paid}
        ports = PORTS.get(marks.get("steamboat", ""), 0) * (marks.get("steamboat") in hexes)
        bonus = ports + sum(dollars for name, dollars in MARKERS.items() if marks.get(name) in hexes)
        ends = [max(side.get(coord, 0) for coord in hexes) for side in (EAST, WEST)]
        across = sum(ends) if all(ends) else 0
        values = (self.land.topology(coord).stops[end - 6].value(self.step) for coord, end in paid)
        return sum(values) + bonus + across


def best_run(land: Land, company: str, trains: Sequence[str]) -> int:
    """The most dollars that these trains earn together, on routes that share no track (R-1846-090, R-1846-095)."""
    numbers: dict[Node, int] = {}
    kinds = {train: MidwestRoads(land, company, train, numbers).all_routes() for train in set(trains)}
    mail = MAIL * land.owns(company, "MAIL")
    return Choice([kinds[train] for train in sorted(trains)], mail).best()


class Choice:
    """One route for each train, or none; the mail pays for the stops of one."""

    def __init__(self, routes: Sequence[Sequence[Route]], mail: int) -> None:
        self.routes = [those for those in routes if those]
        self.mail = mail
        self.tries = 0
        self.most = 0

    def best(self) -> int:
        self._try(0, 0, 0, 0)
        return self.most

    def _try(self, train: int, used: int, income: int, visits: int) -> None:
        self.most = max(self.most, income + self.mail * visits)
        hoped = [routes[0].income for routes in self.routes[train:]]
        if income + sum(hoped) + 8 * self.mail <= self.most or not hoped:
            return
        for route in self.routes[train]:
            self.tries += 1
            if self.tries > MAX_PAIRS:
                raise TooManyTrailsError
            if income + route.income + sum(hoped[1:]) + 8 * self.mail <= self.most:
                break
            if not route.sides & used:
                self._try(train + 1, used | route.sides, income + route.income, max(visits, route.visits))
        self._try(train + 1, used, income, visits)
