"""18C2C's coast-to-coast proof: a company shows once that a train can run from coast to coast (18C2C 8).

The proof is a route from one coast to the other that includes one of the company's tokens. It does not replace the
ordinary run. The search starts at each token and adds track in both directions until it reaches the two coasts.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import inf
from typing import Final, NamedTuple

from engine.board.map import Map, StopId
from engine.board.network import reached_stops
from engine.core.actions import ProveCoastToCoastRun, RunRoutes
from engine.core.events import CoastToCoastRunProved
from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, TrainName
from engine.core.offers import Offer
from engine.play.steps.base import Request
from engine.play.steps.run_trains import RunStep
from engine.play.table import Table
from engine.routes.graph import Graph, TrackLink, company_graph
from engine.routes.legal_routes import Route, Run, check_routes
from engine.routes.revenue_rules import RouteRules
from engine.routes.search import pieces_of
from engine.routes.single_train import Arm, GraphRoute, WorkBudget, WorkBudgetExhausted

MAX_VISITED_STOPS: Final = 200_000
"""After visiting this number of stops, the search gives up."""


def coast_to_coast_route(
    board: Map,
    company: CompanyId,
    train: TrainName,
    route_rules: RouteRules,
    first_coast: Collection[StopId],
    second_coast: Collection[StopId],
    *,
    work_limit: int = MAX_VISITED_STOPS,
) -> Run | None:
    """A route of this train from one coast to the other; None if the search finds none.

    `work_limit` is the number of visited stops after which the search gives up.
    """
    graph = company_graph(board, company)
    stop_counts = tuple(int(route_rules.is_counted(board, stop, train)) for stop in graph.stops)
    stop_limit = route_rules.trains[train].max_stops
    coast_stop_indexes = tuple(
        _stop_indexes(graph, coast_stops) for coast_stops in (first_coast, second_coast)
    )
    search = _CoastSearch(
        graph,
        stop_counts,
        inf if stop_limit is None else stop_limit,
        coast_stop_indexes[0],
        coast_stop_indexes[1],
        WorkBudget(work_limit),
    )
    try:
        graph_route = next(search.routes(), None)
    except WorkBudgetExhausted:
        return None
    if graph_route is None:
        return None
    [run] = check_routes(board, company, (train,), (Route(train, pieces_of(graph_route)),), route_rules)
    return run


def _stop_indexes(graph: Graph, stops: Collection[StopId]) -> frozenset[int]:
    return frozenset(number for number, stop in enumerate(graph.stops) if stop in stops)


class _RouteArm(NamedTuple):
    """One half of a route, from a token towards a coast. Used track and visited areas are bit masks."""

    end_stop: int
    used_track: int
    visited_areas: int
    counted_stop_count: int
    links_used: Arm


@dataclass(frozen=True)
class _CoastSearch:
    graph: Graph
    stop_counts: tuple[int, ...]
    stop_limit: float
    first_coast: frozenset[int]
    second_coast: frozenset[int]
    work_budget: WorkBudget

    def routes(self) -> Iterator[GraphRoute]:
        """Routes from coast to coast, roughly from the shortest to the longest."""
        distances_to_first_coast, distances_to_second_coast = (
            _distances(self.graph, self.stop_counts, coast_stops)
            for coast_stops in (self.first_coast, self.second_coast)
        )
        for token in self.graph.tokens:
            start = _RouteArm(token, 0, self.graph.areas[token], self.stop_counts[token], ())
            for first_arm in self._arms_to_coast(
                start, self.first_coast, distances_to_first_coast, distances_to_second_coast[token]
            ):
                for second_arm in self._arms_to_coast(
                    first_arm._replace(end_stop=token, links_used=()),
                    self.second_coast,
                    distances_to_second_coast,
                    0,
                ):
                    arm_count = bool(first_arm.links_used) + bool(second_arm.links_used)
                    if arm_count == 1 or (arm_count and self.graph.passable[token]):
                        yield GraphRoute(
                            0, 0, second_arm.used_track, token, (first_arm.links_used, second_arm.links_used)
                        )

    def _arms_to_coast(
        self, arm: _RouteArm, goal_stops: frozenset[int], distances: list[float], other_arm_stop_count: float
    ) -> Iterator[_RouteArm]:
        """All ways to extend the arm to one of the goal stops.

        `distances` has the number of counted stops from each stop to the nearest goal.
        `other_arm_stop_count` is the number of stops that the route still needs on its other half.
        """
        self.work_budget.spend()
        if arm.end_stop in goal_stops:
            yield arm
        if arm.links_used and not self.graph.passable[arm.end_stop]:
            return
        for link in sorted(self.graph.links[arm.end_stop], key=lambda link: distances[link.to_stop]):
            longer_arm = self._extended_arm(arm, link)
            if (
                longer_arm is not None
                and longer_arm.counted_stop_count + distances[link.to_stop] + other_arm_stop_count
                <= self.stop_limit
            ):
                yield from self._arms_to_coast(longer_arm, goal_stops, distances, other_arm_stop_count)

    def _extended_arm(self, arm: _RouteArm, link: TrackLink) -> _RouteArm | None:
        area = self.graph.areas[link.to_stop]
        if link.mask & arm.used_track or area & arm.visited_areas:
            return None
        counted_stop_count = arm.counted_stop_count + self.stop_counts[link.to_stop]
        return _RouteArm(
            link.to_stop,
            arm.used_track | link.mask,
            arm.visited_areas | area,
            counted_stop_count,
            (*arm.links_used, link),
        )


def _distances(graph: Graph, stop_counts: tuple[int, ...], goal_stops: frozenset[int]) -> list[float]:
    """Number of counted stops from each stop to the nearest goal; infinite if no goal can be reached."""
    distances = [inf] * len(graph.stops)
    previous_stops: list[list[int]] = [[] for _ in graph.stops]
    for start, links in enumerate(graph.links):
        for link in links:
            previous_stops[link.to_stop].append(start)
    stops_to_visit = sorted(goal_stops)
    for goal_stop in stops_to_visit:
        distances[goal_stop] = 0
    while stops_to_visit:
        stop = stops_to_visit.pop(0)
        for previous_stop in previous_stops[stop]:
            distance = distances[stop] + stop_counts[stop]
            if distance < distances[previous_stop]:
                distances[previous_stop] = distance
                stops_to_visit.append(previous_stop)
    return distances


class CoastToCoastRunStep(RunStep):
    """The ordinary run. Before it, the company can prove a coast-to-coast run.

    For the proof, a train that doubles revenues makes more stops instead (it runs unfolded).

    Rules: R-C2C-190.
    """

    kinds = RunStep.kinds | {"prove_run"}

    def offers(self, t: Table) -> Iterator[Offer]:
        """The ordinary run, and the coast-to-coast proof if a route exists."""
        run_offers = list(super().offers(t))
        yield from run_offers
        if run_offers and _proof_obstacle(t) is None:
            label = fact(
                "offer.prove_run", company=t.company.id, old=t.price(t.company), new=_price_after_proof(t)
            )
            yield t.offer("prove_run", t.company.id, label)

    def apply(self, t: Table, action: RunRoutes | ProveCoastToCoastRun) -> None:
        """Run trains, or prove a coast-to-coast run. The proof moves the price right, and the ordinary run follows."""
        if isinstance(action, RunRoutes):
            super().apply(t, action)
            return
        run, company = _proof_run(t), t.company
        assert run is not None
        assert company.cell is not None
        old_price = t.price(company)
        company.proofs += 1
        t.turn.proofs += 1
        t.move_price(company, t.grid.right(company.cell))
        (start, _), *_, (end, _) = run.stops
        t.emit(CoastToCoastRunProved(company.id, run.route.train, start, end, old_price, t.price(company)))

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return _proof_obstacle(t) if request.kind == "prove_run" else super().obstacle(t, request)


def _proof_obstacle(t: Table) -> Fact | None:
    company = t.company
    if company.proofs >= (
        2 if company.is_merged else 1
    ):  # two proofs for a company into which another one was merged
        return fact("routes.no_proof_left", company=company.id)
    return None if _proof_run(t) else fact("routes.no_proof", company=company.id)


def _price_after_proof(t: Table) -> int:
    assert t.company.cell is not None
    return t.price(t.company, t.grid.right(t.company.cell))


def _proof_run(t: Table) -> Run | None:
    if t.spec.coast_to_coast is None:
        return None
    western_stops, eastern_stops = _coast_stops(t)
    runs = (
        _coast_run(t, train, western_stops, eastern_stops)
        for train in dict.fromkeys(t.company.runnable_trains)
        if western_stops and eastern_stops
    )
    return next((run for run in runs if run is not None), None)


def _coast_run(t: Table, train: str, western_stops: list[StopId], eastern_stops: list[StopId]) -> Run | None:
    route_rules = t.rules.route_rules(t)
    if route_rules.trains[train].unfolded_stops is not None:
        route_rules = route_rules.unfold_train(train)
    return coast_to_coast_route(t.map, t.company.id, train, route_rules, western_stops, eastern_stops)


def _coast_stops(t: Table) -> tuple[list[StopId], list[StopId]]:
    """Two lists of stops that the company's track reaches: those on the western and those on the eastern coast."""
    coasts = t.spec.coast_to_coast
    assert coasts is not None
    reachable_stops = sorted(reached_stops(t.map, t.company.id))
    cities = (
        (coord, index) for coord in coasts.west_hexes for index, _ in enumerate(t.map.topology(coord).stops)
    )
    western_places = {t.map.visited_place(city) for city in cities}
    western_stops = [stop for stop in reachable_stops if t.map.visited_place(stop) in western_places]
    return western_stops, [stop for stop in reachable_stops if t.map.hexes[stop[0]].zone in coasts.east_zones]
