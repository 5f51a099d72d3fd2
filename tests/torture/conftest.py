"""A database of each kind, and how often a process is killed."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.own_postgres import Server


def given(option: str) -> Any:
    """A fixture that hands on what was given on the command line."""

    @pytest.fixture
    def value(pytestconfig: pytest.Config) -> Any:
        return pytestconfig.getoption(option)

    return value


kills = given("--kills")
rough = given("--rough")
season_players = given("--season-players")
tables = given("--tables")
week_tables = given("--week-tables")
week_days = given("--week-days")
week_seed = given("--week-seed")


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.long)])
async def where(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str | Path]:
    """A database of each kind, as a setting names it."""
    if request.param == "sqlite":
        yield tmp_path / "games.db"
        return
    server: Server = request.getfixturevalue("postgres")
    async with server.fresh() as url:
        yield url
