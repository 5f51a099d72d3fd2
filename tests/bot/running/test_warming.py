"""What the first question in a process would have to make is made before, apart from the event loop."""

from dataclasses import replace

import pytest

from bot.table.warming import warm
from engine.play import saved
from engine.titles import TITLES


def test_played_titles_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """And no others; what reads a position is built."""
    for name, title in TITLES.items():
        monkeypatch.setitem(TITLES, name, replace(title))  # none was read
    for adapter in saved.ADAPTERS:
        adapter.cache_clear()
    warm(["18al", "of an earlier release"])
    assert [name for name, title in TITLES.items() if "spec" in vars(title)] == ["18al"]
    assert [adapter.cache_info().currsize for adapter in saved.ADAPTERS] == [1, 1, 1]
