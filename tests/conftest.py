"""Sizes of the long runs, and a PostgreSQL server for the tests that want one."""

import gc
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.support.kept import kept_work
from tests.support.own_postgres import Server, running_server
from tests.support.quick_files import quicken
from tests.support.spreading import begun_at, in_order, spread

kept_work.watch()
SELDOM: Final = 50_000
"""Objects that are made, beyond those that have gone, before garbage is searched for."""


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server, one for each process that runs tests."""
    with running_server() as server:
        yield server


@pytest.fixture(autouse=True)
def quick_files(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Database files cost little: all that is kept from them is that they outlive a failing computer."""
    quicken(monkeypatch, tmp_path_factory.getbasetemp())


@pytest.fixture(autouse=True)
def kept(pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch) -> None:
    if not pytestconfig.getoption("--anew"):
        kept_work.keep(monkeypatch)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--games N`: random games per number of players and profile; `make torture` takes many of all of these."""
    parser.addoption("--games", type=int, default=1, help="random games per number of players")
    parser.addoption("--first-game", type=int, default=0, help="number, and so chance, of the first of them")
    parser.addoption(
        "--kills", type=int, default=2, help="times a process is killed, for each kind of database"
    )
    parser.addoption("--tables", type=int, default=5, help="tables that come back after an outage")
    parser.addoption("--rough", type=int, default=1, help="games during which every fault happens")
    parser.addoption("--season-players", type=int, default=8, help="players of a season with kills")
    parser.addoption("--week-tables", type=int, default=4, help="tables at which a week is played")
    parser.addoption("--week-days", type=float, default=1.0, help="days of it, in simulated time")
    parser.addoption("--week-seed", type=int, default=1830, help="chance in it")
    parser.addoption("--stationmaster", type=Path, help="try this command, and not one that is built first")
    parser.addoption("--anew", action="store_true", help="do all work that other tests have done before")
    parser.addoption("--boards", type=int, default=150, help="random boards to look for routes on")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(SELDOM)
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Each of the processes that run tests reads another part of them first, and finds the rest compiled."""
    report = yield
    if isinstance(collector, pytest.Directory):
        report.result = begun_at(report.result, *_place(collector.config))
    return report


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Each of the processes that run tests begins with some of those that take longest, which mostly wait."""
    left_out = [] if _many(config) else [item for item in items if item.get_closest_marker("long")]
    config.hook.pytest_deselected(items=left_out)
    kept = set(items).difference(left_out)
    items[:] = spread(in_order([item for item in items if item in kept]), _place(config)[1])


def _many(config: pytest.Config) -> bool:
    return int(config.getoption("--games")) > 1


def _place(config: pytest.Config) -> tuple[int, int]:
    """Which of the processes that run tests this is, from 0, and how many there are."""
    given = getattr(config, "workerinput", {"workerid": "gw0", "workercount": 1})
    return int(given["workerid"].removeprefix("gw")), int(given["workercount"])


@pytest.fixture
def boards(pytestconfig: pytest.Config) -> int:
    """On how many random boards routes are looked for."""
    count: int = pytestconfig.getoption("--boards")
    return count


@pytest.fixture
def whole_games(pytestconfig: pytest.Config) -> bool:
    return _many(pytestconfig)


@pytest.fixture
def far(whole_games: bool) -> int | None:
    """This many actions of a recorded game are followed where each takes its time; None: all."""
    return None if whole_games else 1500


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give tests that ask for a `game_seed` as many seeds as wanted."""
    if "game_seed" in metafunc.fixturenames:
        first = metafunc.config.getoption("--first-game")
        metafunc.parametrize("game_seed", range(first, first + metafunc.config.getoption("--games")))
