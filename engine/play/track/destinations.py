"""Destination runs: a run from a company's home to its destination, for which a token is kept (18C2C 8).

Of a company that was made of others, each of their homes and destinations is a pair of its own.
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
from engine.routes.revenue_rules import Terms


@dataclass(frozen=True, slots=True)
class Journey:
    """The best run of one train from a home to the destination, and whether it runs unfolded for it."""

    of: CompanyId
    run: Run
    unfolded: bool


_Key: TypeAlias = tuple[
    CompanyId, TrainName, bool, StopId, StopId, frozenset[StopId], int, tuple[object, ...]
]
"""Key of a run: company and train, folded or not, between which stops; tokens to come; column and bonuses in force."""


def reserved(company: Company) -> list[CompanyId]:
    """The companies for whose home and destination it has reserved tokens.

    Rules: R-C2C-063, R-C2C-133, R-C2C-228.
    """
    return [] if company.extra is None else list(dict.fromkeys(company.extra.reserved))


def homes(t: Table, company: Company, of: CompanyId) -> list[StopId]:
    """Starts of a destination run: the company's token in the home's hex, else any city there.

    Rules: R-C2C-180.
    """
    home = t.spec.companies[of].home
    if home is None:
        return []
    stops = _stops(t, home.hex)
    return [stop for stop in stops if t.map.present(company.id, stop)] or stops


def places(t: Table, of: CompanyId) -> list[StopId]:
    """Ends of a destination run: any city of the destination."""
    return [stop for coord in t.spec.companies[of].destination for stop in _stops(t, coord)]


def arrived(t: Table, company: Company, of: CompanyId) -> bool:
    """True if a token of the company lies at the destination already."""
    return any(t.map.present(company.id, stop) for stop in places(t, of))


def journeys(t: Table, of: CompanyId) -> Iterator[Journey]:
    """The operating company's best run to this destination with each kind of its trains that gets there."""
    journeys = (journey(t, of, train) for train in dict.fromkeys(t.company.running))
    return (journey for journey in journeys if journey is not None)


def journey(t: Table, of: CompanyId, train: TrainName) -> Journey | None:
    """The best run of this train; it unfolds only if it does not get there folded.

    Rules: R-C2C-182.
    """
    folded = _best(t, of, train, unfolded=False)
    if folded is not None or t.rules.terms(t).trains[train].unfolds is None:
        return None if folded is None else Journey(of, folded, unfolded=False)
    longer = _best(t, of, train, unfolded=True)
    return None if longer is None else Journey(of, longer, unfolded=True)


def terms_of(t: Table, one: Journey, end: StopId) -> Terms:
    """Terms for other runs of the same kind: the token lies at the destination before anything is counted.

    Rules: R-C2C-183, R-C2C-184.
    """
    return _terms(t, one.of, one.run.route.train, end, unfolded=one.unfolded)


def _terms(t: Table, of: CompanyId, train: TrainName, end: StopId, *, unfolded: bool) -> Terms:
    terms = t.rules.terms(t)
    held = frozenset() if arrived(t, t.company, of) else frozenset({end})
    return replace(terms.unfolded(train) if unfolded else terms, held=held)


def _best(t: Table, of: CompanyId, train: TrainName, *, unfolded: bool) -> Run | None:
    runs = (_known(t, of, train, ends, unfolded=unfolded) for ends in _pairs(t, of))
    return max((run for run in runs if run is not None), key=lambda run: run.value, default=None)


def _pairs(t: Table, of: CompanyId) -> Iterator[tuple[StopId, StopId]]:
    """Ends of a destination run that the company's track joins somehow."""
    near = partial(reaches_stop, t.map, t.company.id)
    for start in homes(t, t.company, of):
        for end in places(t, of):
            if near(start) and near(end):
                yield start, end


def _stops(t: Table, coord: str) -> list[StopId]:
    return [(coord, index) for index in range(len(t.map.topology(coord).stops))]


@dataclass(slots=True)
class _Searched:
    """Searches on a map since it changed last."""

    version: int
    runs: dict[_Key, Run | None]


def _searched(board: Map) -> _Searched:
    return _Searched(board.version, {})


def _known(
    t: Table, of: CompanyId, train: TrainName, ends: tuple[StopId, StopId], *, unfolded: bool
) -> Run | None:
    searched = t.map.worked_out(_searched)
    if searched.version != t.map.version:
        searched.version, searched.runs = t.map.version, {}
    terms = _terms(t, of, train, ends[1], unfolded=unfolded)
    extra = tuple(sorted(terms.extra.items()))
    key = (t.company.id, train, unfolded, *ends, terms.held, terms.step, extra)
    if key not in searched.runs:
        searched.runs[key] = best_between(t.map, t.company.id, train, terms, *ends)
    return searched.runs[key]
