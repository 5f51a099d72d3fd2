"""The step in which a company runs its trains (18Chesapeake 11.1, 11.5)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.board.map import StopId
from engine.board.network import has_route
from engine.core.actions import RunRoutes
from engine.core.errors import IllegalAction, NotOffered
from engine.core.events import TrainsRan
from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, TrainName
from engine.core.offers import Offer, Routes, Slot, Suggestion
from engine.core.state import Operating
from engine.play.steps.base import CompanyStep, Request
from engine.play.table import Table
from engine.routes.legal_routes import Run, check_route_texts
from engine.routes.notation import read_routes
from engine.routes.revenue_rules import RouteRules
from engine.routes.search import best_routes

MAX_SHOWN_RUNS: Final = 3
"""Maximum number of runs shown as buttons; players can type any other run."""


class RunStep(CompanyStep):
    """Run the company's trains, if it has a route."""

    name = "run"
    kinds = frozenset({"run_routes"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """The legal action of running trains, with the best routes suggested."""
        company = t.company
        if run_obstacle(t):
            return
        routes = Routes(
            trains_to_run(t), lambda runs: self._check_acceptable(t, runs), lambda: runs_to_choose(t)
        )
        yield t.offer(
            "run_routes",
            company.id,
            fact("offer.run_routes"),
            Slot("routes", lambda _: routes),
            suggest=lambda: [_best_run_suggestion(t)],
        )

    def apply(self, t: Table, action: RunRoutes) -> None:
        route_rules = t.rules.route_rules(t)
        runs = check_route_texts(t.map, t.company.id, trains_to_run(t), action.routes, route_rules)
        t.turn.runs = action.routes
        t.turn.run_values = tuple(run.value for run in runs)
        t.turn.revenue = t.rules.revenue(t, t.turn.run_values)
        self.emit_run(t, runs, t.turn.revenue, route_rules)
        self.close(t)

    def route_rules(self, t: Table) -> RouteRules:
        """The rules for reading the routes of this step and for computing their revenue."""
        return t.rules.route_rules(t)

    def check_run(self, t: Table, routes: Any) -> tuple[Run, ...]:
        """Check a set of routes and compute its revenue. Raises IllegalAction with the broken rule."""
        return check_route_texts(t.map, t.company.id, trains_to_run(t), tuple(routes), t.rules.route_rules(t))

    def read_routes(self, t: Table, text: str) -> tuple[str, ...]:
        """Parse typed text into the operating company's routes.

        Raises Unreadable, Ambiguous or RouteProblem; NotOffered if no company operates.
        """
        if not isinstance(t.state.round, Operating) or t.state.round.turn is None:
            raise NotOffered(fact("routes.nobody_runs"))
        routes = read_routes(t.map, t.company.id, trains_to_run(t), self.route_rules(t), text)
        return tuple(route.text() for route in routes)

    def emit_run(self, t: Table, runs: Sequence[Run], revenue: int, route_rules: RouteRules) -> None:
        """Emit the event of the run, with its revenue in dollars."""
        reported_runs = tuple(
            (route_rules.joined_train_name(r.route.train), tuple(coord for coord, _ in r.stops), r.values)
            for r in runs
        )
        t.emit(TrainsRan(t.company.id, reported_runs, revenue))

    def _check_acceptable(self, t: Table, routes: Any) -> None:
        """Raise IllegalAction if routes break a rule, or earn too little when the company must run its best routes.

        Rules: R-AL-152, R-C2C-174, R-CH-127, R-NE-090, R-TN-143, D-AL-14, D-CH-15, D-TN-12.
        """
        runs = self.check_run(t, routes)
        if not _requires_best_run(t):
            return
        revenue = t.rules.revenue(t, [run.value for run in runs])
        best = best_run(t)
        if best.is_proven and revenue < best.revenue:
            raise IllegalAction(fact("routes.best_required", earned=revenue, most=best.revenue))

    def skip_reason(self, t: Table) -> Fact | None:
        """The reason for skipping the run: the company has no train, or no route for one."""
        return fact("skipped.no_route" if trains_to_run(t) else "skipped.no_train")

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return fact("routes.runs_now", company=t.company.id)

    def misplaced_obstacle(self, t: Table, request: Request) -> Fact:
        """The error message for a run in another part of the turn; a missing train or route is named first."""
        return run_obstacle(t) or super().misplaced_obstacle(t, request)


def run_obstacle(t: Table) -> Fact | None:
    """The reason why the operating company cannot run trains; None if it has a train and a route."""
    company = t.company
    if not trains_to_run(t):
        return fact("routes.no_train", company=company.id)
    if not has_route(t.map, company.id):
        return fact("routes.no_route", company=company.id)
    return None


def trains_to_run(t: Table) -> list[TrainName]:
    """The operating company's trains, except those that another company has already run in this round."""
    trains = t.company.runnable_trains
    for train in t.turn.has_run:
        trains.remove(train)
    return trains


@dataclass(frozen=True, slots=True)
class BestRun:
    """The best routes found for a company, their revenue, and an upper bound for the revenue, in dollars."""

    company: CompanyId
    trains: tuple[TrainName, ...]
    idle_train_count: int
    """Number of idle trains, for which no route was found."""
    runs: tuple[Run, ...]
    revenue: int
    upper_bound: int

    @property
    def is_proven(self) -> bool:
        """True if the search has proven that no routes earn more."""
        return self.revenue == self.upper_bound

    @property
    def routes(self) -> tuple[str, ...]:
        """The routes as texts, in the form used by a `run_routes` action."""
        return tuple(run.route.text() for run in self.runs)


def best_run(t: Table, avoided_stops: frozenset[StopId] = frozenset()) -> BestRun:
    """The company's best routes that avoid the given stops (18Chesapeake 11.5)."""
    company, trains, route_rules = t.company.id, trains_to_run(t), t.rules.route_rules(t)
    candidates = [
        best_routes(t.map, company, train_set, route_rules, closed_stops=avoided_stops)
        for train_set in ([trains] if t.turn.has_run else t.rules.train_sets_to_run(t))
    ]
    best = max(candidates, key=lambda candidate: candidate.value)
    revenue = t.rules.revenue(t, [run.value for run in best.runs])
    possible_extra_revenue = max(found_routes.upper_bound for found_routes in candidates) - best.value
    idle_train_count = len(route_rules.separate_trains(trains)) - len(best.runs)
    return BestRun(
        company, tuple(trains), idle_train_count, best.runs, revenue, revenue + possible_extra_revenue
    )


def runs_to_choose(t: Table) -> list[Suggestion]:
    """Runs shown as buttons: the best one and at most two alternatives.

    Each alternative is the best run that avoids one of the stops that the best run visits.
    """
    best, best_suggestion = best_run(t), _best_run_suggestion(t)
    run_by_visited_stops = {_visited_stops(best): (best.revenue, best_suggestion)}
    for stop in sorted({stop for run in best.runs for stop in run.stops}):
        alternative = best_run(t, frozenset({stop}))
        if alternative.runs and (alternative.revenue == best.revenue or not _requires_best_run(t)):
            run_by_visited_stops.setdefault(
                _visited_stops(alternative), (alternative.revenue, _suggestion_without(alternative, stop))
            )
    sorted_runs = sorted(
        run_by_visited_stops.values(), key=lambda revenue_and_suggestion: -revenue_and_suggestion[0]
    )
    return [suggestion for _, suggestion in sorted_runs[:MAX_SHOWN_RUNS]]


def _requires_best_run(t: Table) -> bool:
    """True if the company must run its best routes, because of an option or because it is in receivership.

    Rules: R-1846-130, D-1846-3.
    """
    is_in_receivership = t.company.is_in_receivership and not t.rules.has_flag("receivership_runs_unchecked")
    return is_in_receivership or t.rules.has_option("best_run_required")


def _visited_stops(best: BestRun) -> frozenset[tuple[TrainName, frozenset[StopId]]]:
    return frozenset((run.route.train, frozenset(run.stops)) for run in best.runs)


def _suggestion_without(alternative: BestRun, stop: StopId) -> Suggestion:
    label = fact("choice.run_without", revenue=alternative.revenue, hex=stop[0])
    return Suggestion(label, {"routes": alternative.routes})


def _best_run_suggestion(t: Table) -> Suggestion:
    run = best_run(t)
    name = "choice.best_run" if run.is_proven else "choice.good_run"
    return Suggestion(fact(name, revenue=run.revenue, upper=run.upper_bound), {"routes": run.routes})
