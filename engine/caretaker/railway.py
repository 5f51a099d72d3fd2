"""What a company would earn on other track, with other stations, or with other trains."""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from typing import Final

from engine.board.map import Map
from engine.caretaker.ahead import places
from engine.caretaker.outlook import shut
from engine.core.ids import TrainName
from engine.play.table import Table
from engine.play.trains.phases import counted_trains, next_train, train_limit
from engine.routes.search import Known, best_routes

EFFORT: Final = 2_000
"""Stops visited in the search for a run that is only imagined."""
RUNS: Final = 4.0
"""For how many runs a better one is counted."""
PLACES: Final = 0.8
"""What a dollar of a place counts that its track leads to."""
STEPS_ON: Final = 2
"""How many kinds further the trains of a later phase are."""


class Railway:
    """What the railway of the operating company is worth on a map, with its trains and with later ones."""

    def __init__(self, t: Table) -> None:
        self._t = t
        self._now = coming_trains(t)
        self._later = _later_train(t)
        self._known: Known = {}
        self._shut = shut(t, t.company.president)

    def at_once(self, board: Map) -> float:
        """Dollars of the next runs, and of the places that its track leads to."""
        t = self._t
        found = places(board, t.company.id, t.phase.revenue_step, self._shut)
        return self.next_run(board) * RUNS + found * PLACES

    def next_run(self, board: Map) -> int:
        """Dollars of the next run."""
        return earned(imagined(self._t, board, self._now), self._known)

    def later(self, board: Map) -> float:
        """Dollars of runs with a train of a later phase."""
        return earned(imagined(self._t, board, self._later), self._known)


def imagined(t: Table, board: Map | None = None, trains: Sequence[TrainName] | None = None) -> Table:
    """The table with another map, or other trains of the operating company; nothing of it may be changed."""
    other = copy(t)
    if board is not None:
        other.map = board
    if trains is not None:
        company = replace(t.company, trains=list(trains), second=[])
        other.state = replace(t.state, companies={**t.state.companies, company.id: company})
    return other


def earned(t: Table, known: Known | None = None) -> int:
    """Dollars of the best run that a short search finds for the operating company, or that is `known`."""
    if not t.company.running:
        return 0
    terms = t.rules.terms(t)
    looks = (partial(best_routes, t.map, t.company.id, fleet, terms) for fleet in t.rules.fleets(t))
    first = max((look(work_limit=EFFORT, known=known) for look in looks), key=lambda one: one.value)
    return t.rules.revenue(t, [run.value for run in first.runs])


def coming_trains(t: Table) -> list[TrainName]:
    """The trains with which the company is to run: its own, and the next one of the bank where it may soon pay it."""
    coming = next_train(t)
    own = list(t.company.trains)
    if coming is None or counted_trains(t, t.company) >= train_limit(t, t.company):
        return own
    return own if own and t.company.cash < t.spec.train(coming).price else [*own, coming]


def _later_train(t: Table) -> list[TrainName]:
    """A train as there will be when the game is older."""
    left = [name for name, count in t.state.depot.items() if count is None or count > 0]
    return left[min(STEPS_ON, len(left) - 1) :][:1]
