"""A second statement of 18C2C's runs: whether routes are legal, and what they earn (R-C2C-170 to R-C2C-184)."""

from collections import Counter
from collections.abc import Mapping

from tests.referees.c2c.land import Land
from tests.referees.newengland.reach import Node
from tests.referees.newengland.routes import Run as AnyRun
from tests.referees.newengland.routes import require_apart

UNFOLDED = {"3D": 6, "4D": 8, "5D": 10, "6D": 12}
STEPS = {"2": 0, "3": 0, "4": 0, "5": 1, "3D": 1, "4D": 2, "5D": 3, "6D": 4}
"""Which of the values of a red place counts, by phase."""
RED = {"A54": (20, 30, 40, 40, 40), "E78": (30, 50, 60, 60, 80), "W54": (30, 50, 70, 70, 100)}
"""Values of red places that the worked examples speak of; the others are read as printed."""
Bonus = Mapping[str, list[tuple[str, int, int]]]
"""Hexes with bonus tokens: for each its owner, what the owner gets more, what the others get more."""


class Run(AnyRun):
    land: Land

    def earned(self, phase: str, bonus: Bonus, *, doubles: bool) -> int:
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
    assert not Counter(run.train for run in runs) - Counter(trains), "more trains than there are"
    require_apart(runs)
    total = 0
    for run in runs:
        assert not run.flaw(int(run.train[0])), run.flaw(int(run.train[0]))
        total += run.earned(phase, bonus, doubles="D" in run.train)
    return total


def goal_revenue(run: Run, pair: tuple[str, str], fewest: int, phase: str, bonus: Bonus) -> int:
    """Revenue of a destination run, the token lying there already (R-C2C-180 to R-C2C-184)."""
    assert {run.stops[0][0], run.stops[-1][0]} == set(pair), "home and destination are its ends"
    short = int(run.train[0])
    unfolds = run.train in UNFOLDED and len(run.stops) > short
    assert not unfolds or not 0 < fewest <= short, "unfolded without need"
    limit = UNFOLDED[run.train] if unfolds else short
    assert not run.flaw(limit), run.flaw(limit)
    return run.earned(phase, bonus, doubles="D" in run.train and not unfolds)
