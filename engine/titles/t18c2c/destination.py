"""18C2C's destination runs, made at the end of a company's turn (18C2C 8)."""

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
    DestinationRunPlan,
    best_destination_run,
    best_destination_runs,
    destination_stops,
    has_token_at_destination,
    home_stops,
    reserved_destinations,
    rules_of_destination_run,
)
from engine.routes.legal_routes import Route, RouteProblem, Run, check_routes
from engine.routes.revenue_rules import RouteRules

ORDINARY_TOKEN_PRICE: Final = 0
"""Price of placing a destination token as an ordinary token: $0, because the company has already paid for it."""


class DestinationRunStep(RunStep):
    """The company runs one train from its home to its destination if it can. The president may postpone this run.

    Rules: R-C2C-180, R-C2C-181.
    """

    name = "destination"
    kinds = frozenset({"run_routes", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """Offers to run one train to the destination, or to pass. Nothing while such a run still needs its dividend."""
        if t.turn.destination is not None or next(_possible_destination_runs(t), None) is None:
            return
        company = t.company

        def run_suggestions() -> list[Suggestion]:
            return [
                _suggestion(t, planned_run)
                for planned_run in sorted(
                    _possible_destination_runs(t), key=lambda planned_run: -planned_run.run.value
                )
            ]

        yield t.offer(
            "run_routes",
            company.id,
            fact("offer.destination_run"),
            Slot(
                "routes",
                lambda _: Routes(
                    company.runnable_trains, lambda routes: self.check_run(t, routes), run_suggestions
                ),
            ),
            suggest=run_suggestions,
        )
        yield t.offer("pass", company.id, fact("offer.wait_with_destination"))

    def apply(self, t: Table, action: RunRoutes | Pass) -> None:
        """Run to the destination and place the reserved token there, or postpone the run.

        Rules: R-C2C-183.
        """
        if isinstance(action, Pass):
            t.emit(Passed(t.company.id, fact("declined.destination_run")))
            self.close(t)
            return
        [run] = self.check_run(t, action.routes)
        destination_owner, end_stop = _destination_owner_and_end(t, run.route)
        _place_token(t, destination_owner, end_stop)
        t.turn.destination = DestinationRun(destination_owner, run.route.text(), run.value)
        self.emit_run(t, (run,), run.value, t.rules.route_rules(t))

    def skip(self, t: Table) -> None:
        """Close the step, unless a destination run still needs its dividend."""
        if t.turn.destination is None:
            super().skip(t)

    def skip_reason(self, t: Table) -> Fact | None:
        """Always None: the log does not explain why a turn has no destination run."""
        return None

    def route_rules(self, t: Table) -> RouteRules:
        """Route rules for destination runs.

        A train that reaches the destination only unfolded runs so: it makes more stops, but does not double revenues.
        """
        route_rules = t.rules.route_rules(t)
        for planned_run in _possible_destination_runs(t):
            if planned_run.is_unfolded:
                route_rules = route_rules.unfold_train(planned_run.run.route.train)
        return replace(
            route_rules,
            stops_with_coming_token=frozenset(
                end_stop
                for destination_owner in reserved_destinations(t.company)
                for end_stop in destination_stops(t, destination_owner)
            ),
        )

    def check_run(self, t: Table, routes: Any) -> tuple[Run, ...]:
        """The route, checked as a run from home to destination. `routes` must contain one route.

        Raises IllegalAction if a rule is broken.
        """
        parsed_routes = tuple(Route.read(text) for text in routes)
        if len(parsed_routes) != 1:
            raise RouteProblem(fact("routes.one_to_destination", company=t.company.id))
        destination_owner, end_stop = _destination_owner_and_end(t, parsed_routes[0])
        train = parsed_routes[0].train
        planned_run = (
            best_destination_run(t, destination_owner, train) if train in t.company.runnable_trains else None
        )
        route_rules = (
            t.rules.route_rules(t)
            if planned_run is None
            else rules_of_destination_run(t, planned_run, end_stop)
        )
        return check_routes(t.map, t.company.id, t.company.runnable_trains, parsed_routes, route_rules)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return fact("routes.to_destination_now", company=t.company.id)

    def misplaced_obstacle(self, t: Table, request: Request) -> Fact:
        """The error message for an impossible destination run, for example without a reserved destination token."""
        if reserved_destinations(t.company):
            return super().misplaced_obstacle(t, request)
        return fact("turn.step_is_over", step=fact("doing.run"), company=t.company.id)


def _possible_destination_runs(t: Table) -> Iterator[DestinationRunPlan]:
    return (
        planned_run
        for destination_owner in reserved_destinations(t.company)
        for planned_run in best_destination_runs(t, destination_owner)
    )


def _suggestion(t: Table, planned_run: DestinationRunPlan) -> Suggestion:
    run, (_, end_stop) = planned_run.run, _destination_owner_and_end(t, planned_run.run.route)
    name = "choice.destination_run_unfolded" if planned_run.is_unfolded else "choice.destination_run"
    label = fact(name, train=run.route.train, destination=end_stop[0], revenue=run.value)
    return Suggestion(label, {"routes": (run.route.text(),)})


def _destination_owner_and_end(t: Table, route: Route) -> tuple[CompanyId, StopId]:
    """The company whose home and destination the route connects, and the stop at the destination.

    After a merger there can be several homes and destinations. Raises RouteProblem if the route connects none.
    """
    stops = route.stops()
    for destination_owner in reserved_destinations(t.company):
        for start, end_stop in (stops[:: len(stops) - 1], stops[:: 1 - len(stops)]) if len(stops) > 1 else ():
            if start in home_stops(t, t.company, destination_owner) and end_stop in destination_stops(
                t, destination_owner
            ):
                return destination_owner, end_stop
    raise RouteProblem(fact("routes.not_to_destination", company=t.company.id))


def _place_token(t: Table, destination_owner: CompanyId, end_stop: StopId) -> None:
    """Place the reserved token at the destination, in a slot if one is free, otherwise outside the slots.

    If the company already has a token there, the reserved one becomes an ordinary token.
    """
    company = t.company
    assert company.extra is not None
    company.extra.reserved.remove(destination_owner)
    has_token_there, needs_no_space = has_token_at_destination(t, company, destination_owner), False
    if has_token_there:
        company.tokens.append(ORDINARY_TOKEN_PRICE)
    elif t.map.has_space_for(*end_stop, company.id):
        t.map.place_token(*end_stop, company.id)
    else:
        needs_no_space = True
        t.map.place_token_without_space(*end_stop, company.id)
    t.state.fresh.tokens.append(end_stop)
    t.emit(DestinationReached(company.id, destination_owner, end_stop[0], needs_no_space, has_token_there))
