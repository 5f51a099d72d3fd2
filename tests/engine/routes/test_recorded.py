"""Best runs in recorded games, where these are at hand: legal, and never below those that were run."""

from pathlib import Path

import pytest

from engine.routes.legal_routes import check_routes
from engine.routes.notation import read_routes
from engine.routes.revenue_rules import RouteTerms
from engine.routes.search import best_routes
from engine.titles.title_files import load_title
from tests.engine.board.boards import chesapeake
from tests.engine.board.recorded import NEW_ENGLAND, SHARED, moments, traces

pytestmark = pytest.mark.skipif(not traces(), reason="the recorded games are not at hand")
SAMPLE = traces()[:6]
REFERENCE = SHARED / "routing" / "reference.tsv"


def found_elsewhere(log: str, column: int, title: str = "18chesapeake") -> dict[int, int]:
    """Revenue by action of this log as another search found it (column 6), or proved it (column 8)."""
    rows = [line.split("\t") for line in REFERENCE.read_text("utf-8").splitlines()]
    mine = (row for row in rows[1:] if row[:2] == [title, log])
    return {int(row[2]): int(row[column]) for row in mine if row[column]}


@pytest.mark.parametrize("trace", SAMPLE, ids=lambda path: path.name.split(".")[0])
def test_best_runs_are_no_worse(trace: Path) -> None:
    log = trace.name.split(".")[0]
    reference, proven = found_elsewhere(log, 6), found_elsewhere(log, 8)
    seen = 0
    for moment in moments(chesapeake(), trace):
        line = moment.line
        if line["type"] == "run_routes":
            seen += 1
            trains = [name.rstrip("*") for name in moment.trains[line["entity"]]]
            terms = RouteTerms.of(chesapeake(), moment.phase)
            found = best_routes(moment.board, line["entity"], trains, terms)
            assert found.proven
            assert found.value >= max(line["revenue"], reference.get(line["id"], 0))
            assert found.value == proven.get(line["id"], found.value)
            runs = check_routes(moment.board, line["entity"], trains, found.routes, terms)
            assert sum(run.value for run in runs) == found.value
    assert seen


@pytest.mark.parametrize("trace", traces(NEW_ENGLAND), ids=lambda path: path.name.split(".")[0])
def test_best_runs_of_new_england(trace: Path) -> None:
    """R-NE-086, R-NE-088, R-NE-089: express trains run as one, and towns are passed by."""
    spec = load_title("engine.titles.t18newengland")
    reference = found_elsewhere(trace.name.split(".")[0], 6, "18newengland")
    seen = 0
    for moment in moments(spec, trace):
        line = moment.line
        if line["type"] == "run_routes":
            seen += 1
            trains = moment.trains[line["entity"]]
            terms = RouteTerms.of(spec, moment.phase).running(trains)
            found = best_routes(moment.board, line["entity"], trains, terms)
            assert found.proven
            assert found.value >= max(line["revenue"], reference.pop(line["id"], 0))
    assert seen
    assert not reference


def test_best_route_typed_as_hexes() -> None:
    trace = traces()[0]
    for moment in moments(chesapeake(), trace):
        line = moment.line
        if line["type"] == "run_routes":
            trains = [name.rstrip("*") for name in moment.trains[line["entity"]]]
            terms = RouteTerms.of(chesapeake(), moment.phase)
            found = best_routes(moment.board, line["entity"], trains, terms)
            typed = ", ".join(
                f"{route.train}:" + "-".join(dict.fromkeys(coord for coord, _, _ in route.pieces))
                for route in found.routes
                if len({stop[0] for stop in route.stops()}) == len(route.stops())
            )
            if typed.count(":") == len(found.routes):
                read = read_routes(moment.board, line["entity"], trains, terms, typed)
                runs = check_routes(moment.board, line["entity"], trains, read, terms)
                assert sum(run.value for run in runs) == found.value
