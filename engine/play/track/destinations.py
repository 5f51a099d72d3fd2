"""Destination runs: from a company's home to its destination, with a token reserved for it (18C2C 8).

A merged company has a pair of home and destination for each of its parts.
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
from engine.routes.revenue_rules import RouteTerms


@dataclass(frozen=True, slots=True)
class Journey:
    """The best run of one train from a home to the destination; `unfolded`: it unfolds for the run."""

    of: CompanyId
    run: Run
    unfolded: bool


_Key: TypeAlias = tuple[
    CompanyId, TrainName, bool, StopId, StopId, frozenset[StopId], int, tuple[object, ...]
]
"""Key of a run: company and train, folded or not, between which stops; tokens to come; column and bonuses in force."""


def reserved_destinations(company: Company) -> list[CompanyId]:
    """The companies, itself or parts, whose destination tokens it still holds.

    Rules: R-C2C-063, R-C2C-133, R-C2C-228.
    """
    return [] if company.extra is None else list(dict.fromkeys(company.extra.reserved))


def home_stops(t: Table, company: Company, destination_of: CompanyId) -> list[StopId]:
    """Starts of a destination run: the company's token in the home hex, else any city there.

    Rules: R-C2C-180.
    """
    home = t.spec.companies[destination_of].home
    if home is None:
        return []
    stops = _stops(t, home.hex)
    return [stop for stop in stops if t.map.has_token(company.id, stop)] or stops


def destination_stops(t: Table, destination_of: CompanyId) -> list[StopId]:
    """Ends of a destination run: any city of the destination."""
    return [stop for coord in t.spec.companies[destination_of].destination for stop in _stops(t, coord)]


def has_arrived(t: Table, company: Company, destination_of: CompanyId) -> bool:
    """True if a token of the company lies at the destination already."""
    return any(t.map.has_token(company.id, stop) for stop in destination_stops(t, destination_of))


def best_journeys(t: Table, destination_of: CompanyId) -> Iterator[Journey]:
    """The operating company's best run to this destination, for each kind of train that reaches it."""
    journeys = (best_journey(t, destination_of, train) for train in dict.fromkeys(t.company.running))
    return (journey for journey in journeys if journey is not None)


def best_journey(t: Table, destination_of: CompanyId, train: TrainName) -> Journey | None:
    """The best run of this train, unfolded only if it cannot arrive folded.

    Rules: R-C2C-182.
    """
    folded = _best(t, destination_of, train, unfolded=False)
    if folded is not None or t.rules.terms(t).trains[train].unfolds is None:
        return None if folded is None else Journey(destination_of, folded, unfolded=False)
    longer = _best(t, destination_of, train, unfolded=True)
    return None if longer is None else Journey(destination_of, longer, unfolded=True)


def terms_of(t: Table, journey: Journey, end: StopId) -> RouteTerms:
    """Terms for another run of the same kind: the token lies at the destination before counting.

    Rules: R-C2C-183, R-C2C-184.
    """
    return _terms(t, journey.of, journey.run.route.train, end, unfolded=journey.unfolded)


def _terms(
    t: Table, destination_of: CompanyId, train: TrainName, end: StopId, *, unfolded: bool
) -> RouteTerms:
    terms = t.rules.terms(t)
    held = frozenset() if has_arrived(t, t.company, destination_of) else frozenset({end})
    return replace(terms.unfolded(train) if unfolded else terms, held=held)


def _best(t: Table, destination_of: CompanyId, train: TrainName, *, unfolded: bool) -> Run | None:
    runs = (
        _cached_run(t, destination_of, train, ends, unfolded=unfolded)
        for ends in _connected_pairs(t, destination_of)
    )
    return max((run for run in runs if run is not None), key=lambda run: run.value, default=None)


def _connected_pairs(t: Table, destination_of: CompanyId) -> Iterator[tuple[StopId, StopId]]:
    """Pairs of home and destination stops that the company's track connects."""
    near = partial(reaches_stop, t.map, t.company.id)
    for start in home_stops(t, t.company, destination_of):
        for end in destination_stops(t, destination_of):
            if near(start) and near(end):
                yield start, end


def _stops(t: Table, coord: str) -> list[StopId]:
    return [(coord, index) for index in range(len(t.map.topology(coord).stops))]


@dataclass(slots=True)
class _SearchCache:
    """Cached searches since the map last changed."""

    version: int
    runs: dict[_Key, Run | None]


def _searched(board: Map) -> _SearchCache:
    return _SearchCache(board.version, {})


def _cached_run(
    t: Table, destination_of: CompanyId, train: TrainName, ends: tuple[StopId, StopId], *, unfolded: bool
) -> Run | None:
    searched = t.map.cached(_searched)
    if searched.version != t.map.version:
        searched.version, searched.runs = t.map.version, {}
    terms = _terms(t, destination_of, train, ends[1], unfolded=unfolded)
    extra = tuple(sorted(terms.extra.items()))
    key = (t.company.id, train, unfolded, *ends, terms.held, terms.step, extra)
    if key not in searched.runs:
        searched.runs[key] = best_between(t.map, t.company.id, train, terms, *ends)
    return searched.runs[key]
