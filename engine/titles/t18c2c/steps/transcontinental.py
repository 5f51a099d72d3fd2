"""A run from coast to coast is proven once, in addition to the ordinary run; no train must run there (18C2C 8)."""

from collections.abc import Iterator

from engine.board.map import StopId
from engine.board.network import network_of
from engine.core.actions import ProveRun, RunRoutes
from engine.core.events import CoastsJoined
from engine.core.facts import Fact, fact
from engine.core.offers import Offer
from engine.core.state import Company
from engine.play.steps.base import Request
from engine.play.steps.revenue.run_trains import RunStep
from engine.play.table import Table
from engine.routes.legal_routes import Run
from engine.titles.t18c2c.coast_to_coast import route_across


class CoastsRunStep(RunStep):
    """As usual; before its trains run a company may prove that one of them, unfolded, could run between the coasts.

    Rules: R-C2C-190.
    """

    kinds = RunStep.kinds | {"prove_run"}

    def offers(self, t: Table) -> Iterator[Offer]:
        """The proof that comes with the run."""
        run = list(super().offers(t))
        yield from run
        if run and _proof(t) is not None:
            label = fact("offer.prove_run", company=t.company.id, old=t.price(t.company), new=_next_price(t))
            yield t.offer("prove_run", t.company.id, label)

    def apply(self, t: Table, action: RunRoutes | ProveRun) -> None:
        """Run, or move the price for the proof; the run is still to come."""
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

    def why_not(self, t: Table, request: Request) -> Fact | None:
        """Why nothing can be proven, or what is to be run."""
        if request.kind != "prove_run":
            return super().why_not(t, request)
        name = "routes.no_proof_left" if _left(t.company) < 1 else "routes.no_proof"
        return fact(name, company=t.company.id)


def _left(company: Company) -> int:
    """Proofs still possible: one, and two of a company that another one went into."""
    return (2 if company.merged else 1) - company.proofs


def _next_price(t: Table) -> int:
    assert t.company.cell is not None
    return t.price(t.company, t.grid.right(t.company.cell))


def _proof(t: Table) -> Run | None:
    """A run of one of the company's trains between the coasts."""
    if t.spec.coasts is None or _left(t.company) < 1:
        return None
    west, east = _coasts(t)
    found = (_across(t, train, west, east) for train in dict.fromkeys(t.company.running) if west and east)
    return next((run for run in found if run is not None), None)


def _across(t: Table, train: str, west: list[StopId], east: list[StopId]) -> Run | None:
    terms = t.rules.terms(t)
    if terms.trains[train].unfolds is not None:
        terms = terms.unfolded(train)
    return route_across(t.map, t.company.id, train, terms, west, east)


def _coasts(t: Table) -> tuple[list[StopId], list[StopId]]:
    """Stops on either side, as far as the company's track reaches."""
    coasts = t.spec.coasts
    assert coasts is not None
    near = sorted(network_of(t.map, t.company.id).stops)
    pacific = {t.map.place((coord, index)) for coord in coasts.west for index in range(_cities(t, coord))}
    west = [stop for stop in near if t.map.place(stop) in pacific]
    return west, [stop for stop in near if t.map.hexes[stop[0]].zone in coasts.east]


def _cities(t: Table, coord: str) -> int:
    return len(t.map.topology(coord).stops)
