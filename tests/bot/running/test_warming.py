"""What the first question in a process would have to make is made before, apart from the event loop."""

import threading
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from bot.table.tables import Tables
from bot.table.warming import warm
from engine.play import saved
from engine.titles import TITLES
from storage import open_database


@pytest.fixture
def _unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """No title was read, and nothing is built that reads a position."""
    for name, title in TITLES.items():
        monkeypatch.setitem(TITLES, name, replace(title))
    for adapter in saved.ADAPTERS:
        adapter.cache_clear()


@pytest.mark.usefixtures("_unread")
def test_titles_that_are_played_are_read_and_no_others() -> None:
    warm(["18al", "of an earlier release"])
    assert [name for name, title in TITLES.items() if "spec" in vars(title)] == ["18al"]


@pytest.mark.usefixtures("_unread")
def test_what_reads_a_position_is_built() -> None:
    assert [adapter.cache_info().currsize for adapter in saved.ADAPTERS] == [0, 0, 0]
    warm([])
    assert [adapter.cache_info().currsize for adapter in saved.ADAPTERS] == [1, 1, 1]


async def test_the_event_loop_continues_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = list[threading.Thread]()

    def noted(titles: Iterable[str]) -> None:
        made.append(threading.current_thread())

    monkeypatch.setattr("bot.table.tables.warm", noted)
    async with await open_database(tmp_path / "games.db") as db:
        tables = Tables(db)
        found = [tables.reviewed]
        await tables.review()
        found.append(tables.reviewed)
    assert found == [False, True]
    assert len(made) == 1
    assert made[0] is not threading.main_thread()
