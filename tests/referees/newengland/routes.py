"""A second statement of 18NewEngland's runs: whether routes are legal, and what they earn."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from tests.referees.newengland.reach import Land, Node

STEPS = {"2": 0, "3": 1, "4": 1, "5": 2, "6": 2, "8": 3}
"""Which of the printed values of a red area counts, by phase."""
Track = tuple[str, int, int]
"""A piece of track that is used: its hex, and the ends it leads from and to."""


@dataclass
class Run:
    """One train, or all express trains together, on its way."""

    land: Land
    company: str
    train: str
    track: list[Track]

    @classmethod
    def read(cls, land: Land, company: str, text: str) -> Self:
        train, way = text.split(":")
        return cls(land, company, train, [_piece(word) for word in way.split()])

    @property
    def stops(self) -> list[Node]:
        ends = [(coord, end) for coord, a, b in self.track for end in (a, b) if end >= 6]
        return [node for i, node in enumerate(ends) if i == 0 or node != ends[i - 1]]

    @property
    def express(self) -> bool:
        return self.train.endswith("E")

    def flaw(self, limit: int) -> str:
        """The flaw of a route, empty if nothing (R-NE-085, R-NE-086, R-NE-088)."""
        stops, land = self.stops, self.land
        places = [coord if land.apart(coord) else (coord, end) for coord, end in stops]
        counted = [node for node in stops if not (self.express and land.stop(node) == "town")]
        checks = {
            "track that does not lie there": not self._lies(),
            "a gap": not self._hangs_together(),
            "a stop twice, or two cities of a hex": len(set(places)) < len(places),
            "no own station": not land.stations(self.company) & set(stops),
            "fewer than two stops": len(stops) < 2,
            "too many stops": len(counted) > limit,
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

    def worth(self, limit: int, step: int) -> int:
        """Cities and red areas, and the best towns for which there is room."""
        values = {node: self.land.topology(node[0]).stops[node[1] - 6].value(step) for node in self.stops}
        towns = sorted((values[node] for node in values if self.land.stop(node) == "town"), reverse=True)
        others = [values[node] for node in values if self.land.stop(node) != "town"]
        return sum(others) + sum(towns[: limit - len(others)])


def revenue(land: Land, company: str, trains: list[str], routes: tuple[str, ...], phase: str) -> int:
    """Revenue of a legal set of routes; fails with what is wrong with it (R-NE-087 to R-NE-089)."""
    runs = [Run.read(land, company, text) for text in routes]
    express = [train for train in trains if train.endswith("E")]
    ordinary = [run.train for run in runs if not run.express]
    assert not Counter(ordinary) - Counter(trains), "more trains than there are"
    assert sum(run.express for run in runs) <= 1, "express trains run as one"
    require_apart(runs)
    total = 0
    for run in runs:
        limit = min(int(train[0]) for train in express) if run.express else int(run.train)
        assert not run.flaw(limit), run.flaw(limit)
        total += run.worth(limit, STEPS[phase]) * (len(express) if run.express else 1)
    return total


def require_apart(runs: Sequence[Run]) -> None:
    """No track twice, nor the same side of a hex."""
    pieces = [(coord, *sorted((a, b))) for run in runs for coord, a, b in run.track]
    sides = [(coord, end) for run in runs for coord, a, b in run.track for end in (a, b) if end < 6]
    assert len(set(pieces)) == len(pieces), "track twice"
    assert len(set(sides)) == len(sides), "a side of a hex twice"


def _piece(word: str) -> Track:
    coord, ends = word.split(".")
    start, end = (int(e) if e.isdigit() else 6 + ord(e) - ord("a") for e in ends.split("-"))
    return coord, start, end
