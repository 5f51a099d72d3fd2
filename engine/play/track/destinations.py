"""Destination runs: a company runs from its home to its destination and places a reserved token there (18C2C 8).

A merged company has a home and a destination for each company merged into it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from engine.board.map import Map, StopId
from engine.board.network import reaches_stop
from engine.core.ids import CompanyId, TrainName
from engine.core.state import Company
from engine.play.table import Table
from engine.routes.legal_routes import Run
from engine.routes.point_to_point import best_between
from engine.routes.revenue_rules import RouteRules


@dataclass(frozen=True, slots=True)
class DestinationRunPlan:
    """A train's best run from a home to a destination.

    `is_unfolded` is True if the train gets there only unfolded: it visits more stops but does not double its revenue.
    """

    destination_owner: CompanyId
    run: Run
    is_unfolded: bool


_RunKey: TypeAlias = tuple[
    CompanyId, TrainName, bool, StopId, StopId, frozenset[StopId], int, tuple[object, ...]
]


def reserved_destinations(company: Company) -> list[CompanyId]:
    """Companies for whose destinations this company holds reserved tokens.

    These are the company itself and companies merged into it.

    Rules: R-C2C-063, R-C2C-133, R-C2C-228.
    """
    return [] if company.extra is None else list(dict.fromkeys(company.extra.reserved))


def home_stops(t: Table, company: Company, destination_owner: CompanyId) -> list[StopId]:
    """Stops where a destination run can start: the home hex's cities with a token of the company, else all its cities.

    Rules: R-C2C-180.
    """
    home = t.spec.companies[destination_owner].home
    if home is None:
        return []
    stops = _stops_in_hex(t, home.hex)
    return [stop for stop in stops if t.map.has_token(company.id, stop)] or stops


def destination_stops(t: Table, destination_owner: CompanyId) -> list[StopId]:
    """Stops where a destination run can end: all cities of the destination."""
    return [
        stop for coord in t.spec.companies[destination_owner].destination for stop in _stops_in_hex(t, coord)
    ]


def has_token_at_destination(t: Table, company: Company, destination_owner: CompanyId) -> bool:
    """True if the company already has a token at the destination."""
    return any(t.map.has_token(company.id, stop) for stop in destination_stops(t, destination_owner))


def best_destination_runs(t: Table, destination_owner: CompanyId) -> Iterator[DestinationRunPlan]:
    """The operating company's best run to this destination, for each type of train that can reach it."""
    planned_runs = (
        best_destination_run(t, destination_owner, train)
        for train in dict.fromkeys(t.company.runnable_trains)
    )
    return (planned_run for planned_run in planned_runs if planned_run is not None)


def best_destination_run(
    t: Table, destination_owner: CompanyId, train: TrainName
) -> DestinationRunPlan | None:
    """This train's best run to the destination; None if it cannot get there.

    The train runs unfolded (more stops, but no doubled revenue) only if it cannot get there otherwise.

    Rules: R-C2C-182.
    """
    folded_run = _best_run_to(t, destination_owner, train, is_unfolded=False)
    if folded_run is not None or t.rules.route_rules(t).trains[train].unfolded_stops is None:
        return (
            None
            if folded_run is None
            else DestinationRunPlan(destination_owner, folded_run, is_unfolded=False)
        )
    unfolded_run = _best_run_to(t, destination_owner, train, is_unfolded=True)
    return (
        None
        if unfolded_run is None
        else DestinationRunPlan(destination_owner, unfolded_run, is_unfolded=True)
    )


def rules_of_destination_run(t: Table, planned_run: DestinationRunPlan, end_stop: StopId) -> RouteRules:
    """Route rules for checking a player's own route to the destination; the token there counts as placed.

    Rules: R-C2C-183, R-C2C-184.
    """
    return _destination_run_rules(
        t,
        planned_run.destination_owner,
        planned_run.run.route.train,
        end_stop,
        is_unfolded=planned_run.is_unfolded,
    )


def _destination_run_rules(
    t: Table, destination_owner: CompanyId, train: TrainName, end_stop: StopId, *, is_unfolded: bool
) -> RouteRules:
    route_rules = t.rules.route_rules(t)
    coming_token_stops = (
        frozenset() if has_token_at_destination(t, t.company, destination_owner) else frozenset({end_stop})
    )
    return replace(
        route_rules.unfold_train(train) if is_unfolded else route_rules,
        stops_with_coming_token=coming_token_stops,
    )


def _best_run_to(
    t: Table, destination_owner: CompanyId, train: TrainName, *, is_unfolded: bool
) -> Run | None:
    runs = (
        _cached_run(t, destination_owner, train, stop_pair, is_unfolded=is_unfolded)
        for stop_pair in _connected_stop_pairs(t, destination_owner)
    )
    return max((run for run in runs if run is not None), key=lambda run: run.value, default=None)


def _connected_stop_pairs(t: Table, destination_owner: CompanyId) -> Iterator[tuple[StopId, StopId]]:
    is_reached = partial(reaches_stop, t.map, t.company.id)
    for start in home_stops(t, t.company, destination_owner):
        for end_stop in destination_stops(t, destination_owner):
            if is_reached(start) and is_reached(end_stop):
                yield start, end_stop


def _stops_in_hex(t: Table, coord: str) -> list[StopId]:
    return [(coord, index) for index in range(len(t.map.topology(coord).stops))]


@dataclass(slots=True)
class _SearchCache:
    version: int
    runs: dict[_RunKey, Run | None]


def _new_search_cache(board: Map) -> _SearchCache:
    return _SearchCache(board.version, {})


def _cached_run(
    t: Table,
    destination_owner: CompanyId,
    train: TrainName,
    end_stops: tuple[StopId, StopId],
    *,
    is_unfolded: bool,
) -> Run | None:
    search_cache = t.map.cached(_new_search_cache)
    if search_cache.version != t.map.version:
        search_cache.version, search_cache.runs = t.map.version, {}
    route_rules = _destination_run_rules(t, destination_owner, train, end_stops[1], is_unfolded=is_unfolded)
    extra_dollars = tuple(sorted(route_rules.extra_dollars_by_hex.items()))
    run_key = (
        t.company.id,
        train,
        is_unfolded,
        *end_stops,
        route_rules.stops_with_coming_token,
        route_rules.step,
        extra_dollars,
    )
    if run_key not in search_cache.runs:
        search_cache.runs[run_key] = best_between(t.map, t.company.id, train, route_rules, *end_stops)
    return search_cache.runs[run_key]
