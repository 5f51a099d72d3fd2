"""A second statement of 18C2C's runs: whether routes are legal, and what they earn (R-C2C-170 to R-C2C-184)."""

from collections.abc import Mapping
from dataclasses import dataclass

from tests.referees.c2c.land import Land
from tests.referees.newengland.reach import Node

UNFOLDED = {"3D": 6, "4D": 8, "5D": 10, "6D": 12}
STEPS = {"2": 0, "3": 0, "4": 0, "5": 1, "3D": 1, "4D": 2, "5D": 3, "6D": 4}
"""Which of the values of a red place counts, by phase."""
RED = {
    **{"A54": (20, 30, 40, 40, 40), "E78": (30, 50, 60, 60, 80), "W54": (30, 50, 70, 70, 100)},
}
"""Values of red places that the worked examples speak of; the others are read as printed."""
Track = tuple[str, int, int]
"""A piece of track that is used: its hex, and the ends it leads from and to."""
Bonus = Mapping[str, list[tuple[str, int, int]]]
"""Hexes with bonus tokens: for each its owner, what the owner gets more, what the others get more."""


@dataclass
class Run:
    """One train on its way."""

    land: Land
    company: str
    train: str
    track: list[Track]

    @classmethod
    def read(cls, land: Land, company: str, text: str) -> "Run":
        """Read `2:E4.a-3 E2.0-a`."""
        train, way = text.split(":")
        return cls(land, company, train, [_piece(word) for word in way.split()])

    @property
    def stops(self) -> list[Node]:
        """Stops in the order in which they are visited."""
        ends = [(coord, end) for coord, a, b in self.track for end in (a, b) if end >= 6]
        return [node for i, node in enumerate(ends) if i == 0 or node != ends[i - 1]]

    def flaw(self, limit: int) -> str:
        stops, land = self.stops, self.land
        checks = {
            "track that does not lie there": not self._lies(),
            "a gap": not self._hangs_together(),
            "a station twice": len(set(stops)) < len(stops),
            "no own token": not land.stations(self.company) & set(stops),
            "fewer than two stops": len(stops) < 2,
            "too many stops": len(stops) > limit,
            "a stop in the middle that ends a route": any(map(self._ends, stops[1:-1])),
        }
        return next((name for name, wrong in checks.items() if wrong), "")

    def _lies(self) -> bool:
        return all(
            any(set(piece.ends()) == {a, b} for piece in self.land.topology(coord).pieces)
            for coord, a, b in self.track
        )

    def _hangs_together(self) -> bool:
        for (here, _, end), (there, start, _) in zip(self.track, self.track[1:], strict=False):
            expected = (here, end) if end >= 6 else (self.land.beyond(here, end), (end + 3) % 6)
            if expected != (there, start):
                return False
        return self.track[0][1] >= 6 <= self.track[-1][2]

    def _ends(self, node: Node) -> bool:
        return self.land.terminal(node[0]) or self.land.full_of_others(node, self.company)

    def worth(self, phase: str, bonus: Bonus, *, doubles: bool) -> int:
        """Values of the stops, own tokens doubled by a D train, bonuses once."""
        return sum(self._value(node, phase, doubles) + self._more(node[0], bonus) for node in self.stops)

    def _value(self, node: Node, phase: str, doubles: bool) -> int:
        red = RED.get(node[0])
        printed = self.land.topology(node[0]).stops[node[1] - 6].value(STEPS[phase])
        assert red is None or red[STEPS[phase]] == printed, (node, red, printed)
        return printed * (2 if doubles and self.company in self.land.here(node) else 1)

    def _more(self, coord: str, bonus: Bonus) -> int:
        here = bonus.get(coord, [])
        return sum(own if owner == self.company else others for owner, own, others in here)


def revenue(
    land: Land, company: str, trains: list[str], routes: tuple[str, ...], phase: str, bonus: Bonus
) -> int:
    runs = [Run.read(land, company, text) for text in routes]
    running = [run.train for run in runs]
    assert all(running.count(train) <= trains.count(train) for train in running), "more trains than there are"
    _apart(runs)
    total = 0
    for run in runs:
        assert not run.flaw(int(run.train[0])), run.flaw(int(run.train[0]))
        total += run.worth(phase, bonus, doubles="D" in run.train)
    return total


def goal_revenue(run: Run, pair: tuple[str, str], fewest: int, phase: str, bonus: Bonus) -> int:
    """Revenue of a destination run, the token lying there already (R-C2C-180 to R-C2C-184)."""
    assert {run.stops[0][0], run.stops[-1][0]} == set(pair), "home and destination are its ends"
    short = int(run.train[0])
    unfolds = run.train in UNFOLDED and len(run.stops) > short
    assert not unfolds or not 0 < fewest <= short, "unfolded without need"
    limit = UNFOLDED[run.train] if unfolds else short
    assert not run.flaw(limit), run.flaw(limit)
    return run.worth(phase, bonus, doubles="D" in run.train and not unfolds)


def _apart(runs: list[Run]) -> None:
    """No track twice."""
    pieces = [(coord, *sorted((a, b))) for run in runs for coord, a, b in run.track]
    sides = [(coord, end) for run in runs for coord, a, b in run.track for end in (a, b) if end < 6]
    assert len(set(pieces)) == len(pieces), "track twice"
    assert len(set(sides)) == len(sides), "a side of a hex twice"


def _piece(word: str) -> Track:
    coord, ends = word.split(".")
    start, end = (int(e) if e.isdigit() else 6 + ord(e) - ord("a") for e in ends.split("-"))
    return coord, start, end
