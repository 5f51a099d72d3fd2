"""The proof of a run from coast to coast, once, in addition to the ordinary run (18C2C 8).

The proof is a route that begins on one side and ends on the other, with a token of the company on it. From
each of its tokens an arm goes to either side; how far the sides are at least says which links are worth
trying.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import inf
from typing import Final, NamedTuple

from engine.board.map import Map, StopId
from engine.board.network import reached_stops
from engine.core.actions import ProveRun, RunRoutes
from engine.core.events import CoastsJoined
from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, TrainName
from engine.core.offers import Offer
from engine.play.steps.base import Request
from engine.play.steps.run_trains import RunStep
from engine.play.table import Table
from engine.routes.graph import Graph, TrackLink, graph_of
from engine.routes.legal_routes import Route, Run, check_routes
from engine.routes.revenue_rules import RouteTerms
from engine.routes.search import pieces_of
from engine.routes.single_train import Arm, GraphRoute, OutOfWork, WorkBudget

WORK_LIMIT: Final = 200_000
"""Stops visited after which the search gives up."""


def route_across(
    board: Map,
    company: CompanyId,
    train: TrainName,
    terms: RouteTerms,
    one_side: Collection[StopId],
    other_side: Collection[StopId],
    *,
    work_limit: int = WORK_LIMIT,
) -> Run | None:
    """A route of this train with one end on each side; None if none was found."""
    graph = graph_of(board, company)
    counts = tuple(int(terms.counts(board, stop, train)) for stop in graph.stops)
    limit = terms.trains[train].stops
    sides = tuple(_stop_indexes(graph, side) for side in (one_side, other_side))
    search = _CoastSearch(
        graph, counts, inf if limit is None else limit, sides[0], sides[1], WorkBudget(work_limit)
    )
    try:
        line = next(search.routes(), None)
    except OutOfWork:
        return None
    if line is None:
        return None
    [run] = check_routes(board, company, (train,), (Route(train, pieces_of(line)),), terms)
    return run


def _stop_indexes(graph: Graph, stops: Collection[StopId]) -> frozenset[int]:
    return frozenset(number for number, stop in enumerate(graph.stops) if stop in stops)


class _Arm(NamedTuple):
    """An arm from a token: its end, track and areas used, stops counted."""

    end: int
    used: int
    visited: int
    counted: int
    arm: Arm


@dataclass(frozen=True)
class _CoastSearch:
    """The search for one train on one graph."""

    graph: Graph
    counts: tuple[int, ...]
    limit: float
    one_side: frozenset[int]
    other_side: frozenset[int]
    work: WorkBudget

    def routes(self) -> Iterator[GraphRoute]:
        """Routes from side to side, shorter ones mostly first."""
        near, far = (_distances(self.graph, self.counts, side) for side in (self.one_side, self.other_side))
        for token in self.graph.tokens:
            start = _Arm(token, 0, self.graph.areas[token], self.counts[token], ())
            for first in self._arms(start, self.one_side, near, far[token]):
                for second in self._arms(first._replace(end=token, arm=()), self.other_side, far, 0):
                    both = bool(first.arm) + bool(second.arm)
                    if both == 1 or (both and self.graph.passable[token]):
                        yield GraphRoute(0, 0, second.used, token, (first.arm, second.arm))

    def _arms(
        self, way: _Arm, goal_stops: frozenset[int], left: list[float], beyond: float
    ) -> Iterator[_Arm]:
        """Arms that end at a goal, with `left` stops before it and `beyond` more after it."""
        self.work.spend()
        if way.end in goal_stops:
            yield way
        if way.arm and not self.graph.passable[way.end]:
            return
        for link in sorted(self.graph.links[way.end], key=lambda link: left[link.to]):
            further = self._extended(way, link)
            if further is not None and further.counted + left[link.to] + beyond <= self.limit:
                yield from self._arms(further, goal_stops, left, beyond)

    def _extended(self, way: _Arm, link: TrackLink) -> _Arm | None:
        area = self.graph.areas[link.to]
        if link.mask & way.used or area & way.visited:
            return None
        counted = way.counted + self.counts[link.to]
        return _Arm(link.to, way.used | link.mask, way.visited | area, counted, (*way.arm, link))


def _distances(graph: Graph, counts: tuple[int, ...], goal_stops: frozenset[int]) -> list[float]:
    """The fewest further counted stops from each stop to a goal."""
    left = [inf] * len(graph.stops)
    back: list[list[int]] = [[] for _ in graph.stops]
    for start, links in enumerate(graph.links):
        for link in links:
            back[link.to].append(start)
    ahead = sorted(goal_stops)
    for goal in ahead:
        left[goal] = 0
    while ahead:
        here = ahead.pop(0)
        for before in back[here]:
            steps = left[here] + counts[here]
            if steps < left[before]:
                left[before] = steps
                ahead.append(before)
    return left


class CoastsRunStep(RunStep):
    """The run as usual.

    Before it the company may prove that one of its trains, unfolded, could run between the coasts.

    Rules: R-C2C-190.
    """

    kinds = RunStep.kinds | {"prove_run"}

    def offers(self, t: Table) -> Iterator[Offer]:
        """The proof that comes with the run."""
        run = list(super().offers(t))
        yield from run
        if run and _proof_obstacle(t) is None:
            label = fact("offer.prove_run", company=t.company.id, old=t.price(t.company), new=_next_price(t))
            yield t.offer("prove_run", t.company.id, label)

    def apply(self, t: Table, action: RunRoutes | ProveRun) -> None:
        """Run, or move the price for the proof, with the run still to come."""
        if isinstance(action, RunRoutes):
            super().apply(t, action)
            return
        run, company = _proof(t), t.company
        assert run is not None
        assert company.cell is not None
        old = t.price(company)
        company.proofs += 1
        t.turn.proofs += 1
        t.move_price(company, t.grid.right(company.cell))
        (start, _), *_, (end, _) = run.stops
        t.emit(CoastsJoined(company.id, run.route.train, start, end, old, t.price(company)))

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return _proof_obstacle(t) if request.kind == "prove_run" else super().obstacle(t, request)


def _proof_obstacle(t: Table) -> Fact | None:
    company = t.company
    if company.proofs >= (2 if company.merged else 1):  # two of a company that another one went into
        return fact("routes.no_proof_left", company=company.id)
    return None if _proof(t) else fact("routes.no_proof", company=company.id)


def _next_price(t: Table) -> int:
    assert t.company.cell is not None
    return t.price(t.company, t.grid.right(t.company.cell))


def _proof(t: Table) -> Run | None:
    if t.spec.coasts is None:
        return None
    west, east = _coasts(t)
    runs = (_coast_run(t, train, west, east) for train in dict.fromkeys(t.company.running) if west and east)
    return next((run for run in runs if run is not None), None)


def _coast_run(t: Table, train: str, west: list[StopId], east: list[StopId]) -> Run | None:
    terms = t.rules.terms(t)
    if terms.trains[train].unfolds is not None:
        terms = terms.unfolded(train)
    return route_across(t.map, t.company.id, train, terms, west, east)


def _coasts(t: Table) -> tuple[list[StopId], list[StopId]]:
    """Stops on either coast that the company's track reaches."""
    coasts = t.spec.coasts
    assert coasts is not None
    near = sorted(reached_stops(t.map, t.company.id))
    cities = ((coord, index) for coord in coasts.west for index, _ in enumerate(t.map.topology(coord).stops))
    pacific = {t.map.visited_place(city) for city in cities}
    west = [stop for stop in near if t.map.visited_place(stop) in pacific]
    return west, [stop for stop in near if t.map.hexes[stop[0]].zone in coasts.east]
