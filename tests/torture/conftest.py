"""A database of each kind, and how often a process is killed."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from own_postgres import Server


@pytest.fixture
def kills(pytestconfig: pytest.Config) -> int:
    """How often a process is killed."""
    count: int = pytestconfig.getoption("--kills")
    return count


@pytest.fixture
def rough(pytestconfig: pytest.Config) -> int:
    """In how many games every fault happens."""
    count: int = pytestconfig.getoption("--rough")
    return count


@pytest.fixture
def tables(pytestconfig: pytest.Config) -> int:
    """How many tables come back after an outage."""
    count: int = pytestconfig.getoption("--tables")
    return count


@pytest.fixture
def week_tables(pytestconfig: pytest.Config) -> int:
    """At how many tables a week is played."""
    count: int = pytestconfig.getoption("--week-tables")
    return count


@pytest.fixture
def week_days(pytestconfig: pytest.Config) -> float:
    """How many days of it."""
    count: float = pytestconfig.getoption("--week-days")
    return count


@pytest.fixture
def week_seed(pytestconfig: pytest.Config) -> int:
    """What all chance in it comes from."""
    seed: int = pytestconfig.getoption("--week-seed")
    return seed


@pytest.fixture(params=["sqlite", "postgres"])
async def where(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str | Path]:
    """A database of each kind, as a setting names it."""
    if request.param == "sqlite":
        yield tmp_path / "games.db"
        return
    server: Server = request.getfixturevalue("postgres")
    async with server.fresh() as url:
        yield url
