"""A destination run, at the end of a company's turn (18C2C 8)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from engine.board.map import StopId
from engine.core.actions import Pass, RunRoutes
from engine.core.events import DestinationReached, Passed
from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId
from engine.core.offers import Offer, Routes, Slot, Suggestion
from engine.core.state import DestinationRun
from engine.play.steps.base import Request
from engine.play.steps.run_trains import RunStep
from engine.play.table import Table
from engine.play.track.destinations import (
    Journey,
    best_journey,
    best_journeys,
    destination_stops,
    has_arrived,
    home_stops,
    reserved_destinations,
    terms_of,
)
from engine.routes.legal_routes import Route, RouteProblem, Run, check_routes
from engine.routes.revenue_rules import RouteTerms

ORDINARY: Final = 0
"""The price on the charter of a token that was paid for before."""


class DestinationStep(RunStep):
    """A destination run, if one of the company's trains gets from its home to its destination; it may wait.

    Rules: R-C2C-180, R-C2C-181.
    """

    name = "destination"
    kinds = frozenset({"run_routes", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """The run of one train; the best of each is suggested. The last run is paid before another."""
        if t.turn.destination is not None or next(_journeys(t), None) is None:
            return
        company = t.company

        def ready() -> list[Suggestion]:
            return [
                _suggestion(t, journey)
                for journey in sorted(_journeys(t), key=lambda journey: -journey.run.value)
            ]

        yield t.offer(
            "run_routes",
            company.id,
            fact("offer.destination_run"),
            Slot("routes", lambda _: Routes(company.running, lambda routes: self.judge(t, routes), ready)),
            suggest=ready,
        )
        yield t.offer("pass", company.id, fact("offer.wait_with_destination"))

    def apply(self, t: Table, action: RunRoutes | Pass) -> None:
        """Place the token and await the dividend, or wait for another turn.

        Rules: R-C2C-183.
        """
        if isinstance(action, Pass):
            t.emit(Passed(t.company.id, fact("declined.destination_run")))
            self.close(t)
            return
        [run] = self.judge(t, action.routes)
        of, end = _checked_ends(t, run.route)
        _place_token(t, of, end)
        t.turn.destination = DestinationRun(of, run.route.text(), run.value)
        self.emit_run(t, (run,), run.value, t.rules.terms(t))

    def skip(self, t: Table) -> None:
        """Keep the step open while a run awaits its dividend."""
        if t.turn.destination is None:
            super().skip(t)

    def skip_reason(self, t: Table) -> Fact | None:
        """Always None: players do not expect a destination run every turn."""
        return None

    def terms(self, t: Table) -> RouteTerms:
        """Terms in which trains that need it for the destination are unfolded."""
        terms = t.rules.terms(t)
        for one in _journeys(t):
            if one.unfolded:
                terms = terms.unfolded(one.run.route.train)
        return replace(
            terms,
            held=frozenset(
                end for of in reserved_destinations(t.company) for end in destination_stops(t, of)
            ),
        )

    def judge(self, t: Table, routes: Any) -> tuple[Run, ...]:
        """Check a single run between home and destination; raises IllegalAction with the broken rule."""
        read = tuple(Route.read(text) for text in routes)
        if len(read) != 1:
            raise RouteProblem(fact("routes.one_to_destination", company=t.company.id))
        of, end = _checked_ends(t, read[0])
        train = read[0].train
        one = best_journey(t, of, train) if train in t.company.running else None
        terms = t.rules.terms(t) if one is None else terms_of(t, one, end)
        return check_routes(t.map, t.company.id, t.company.running, read, terms)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return fact("routes.to_destination_now", company=t.company.id)

    def misplaced_obstacle(self, t: Table, request: Request) -> Fact:
        """The refusal of a destination run without a reserved token: only the ordinary run was possible."""
        if reserved_destinations(t.company):
            return super().misplaced_obstacle(t, request)
        return fact("turn.step_is_over", step=fact("doing.run"), company=t.company.id)


def _journeys(t: Table) -> Iterator[Journey]:
    """Possible destination runs now, computed lazily."""
    return (journey for of in reserved_destinations(t.company) for journey in best_journeys(t, of))


def _suggestion(t: Table, journey: Journey) -> Suggestion:
    run, (_, end) = journey.run, _checked_ends(t, journey.run.route)
    name = "choice.destination_run_unfolded" if journey.unfolded else "choice.destination_run"
    label = fact(name, train=run.route.train, destination=end[0], revenue=run.value)
    return Suggestion(label, {"routes": (run.route.text(),)})


def _checked_ends(t: Table, route: Route) -> tuple[CompanyId, StopId]:
    """The company whose home and destination the ends are, and the arrival stop; raises RouteProblem for other ends."""
    stops = route.stops()
    for of in reserved_destinations(t.company):
        for start, end in (stops[:: len(stops) - 1], stops[:: 1 - len(stops)]) if len(stops) > 1 else ():
            if start in home_stops(t, t.company, of) and end in destination_stops(t, of):
                return of, end
    raise RouteProblem(fact("routes.not_to_destination", company=t.company.id))


def _place_token(t: Table, destination_of: CompanyId, end: StopId) -> None:
    """Place the reserved token at the destination, in a space or beside; if one lies there, keep it."""
    company = t.company
    assert company.extra is not None
    company.extra.reserved.remove(destination_of)
    spared, beside = has_arrived(t, company, destination_of), False
    if spared:
        company.tokens.append(ORDINARY)
    elif t.map.free_slot(*end, company.id):
        t.map.place_token(*end, company.id)
    else:
        beside = True
        t.map.place_without_space(*end, company.id)
    t.state.fresh.tokens.append(end)
    t.emit(DestinationReached(company.id, destination_of, end[0], beside, spared))
