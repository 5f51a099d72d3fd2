"""What workers are forked from: all that drawing needs is loaded, none of it is looked through for garbage."""

import gc
import runpy
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import pytest

from bot.table import drawing, warming
from engine.titles import TITLES
from render import font_metrics

SMALL = "18tn"


@pytest.fixture
def _unfrozen() -> Iterator[None]:
    """Garbage is looked for as before once the test is over."""
    thresholds = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*thresholds)
    gc.enable()


@pytest.mark.usefixtures("_unfrozen")
def test_titles_fonts_and_stored_maps_are_loaded_before_garbage_is_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps: list[tuple[str, bool, bool]] = []

    def noted(step: str) -> None:
        steps.append((step, gc.isenabled(), gc.get_freeze_count() > 0))

    def warmed(wanted: Iterable[str], warm: Callable[[Iterable[str]], None] = warming.warm) -> None:
        noted("titles")
        warm(wanted)

    monkeypatch.setitem(TITLES, SMALL, replace(TITLES[SMALL]))
    monkeypatch.setattr("engine.TITLES", {SMALL: TITLES[SMALL]})
    monkeypatch.setattr(warming, "warm", warmed)
    monkeypatch.setattr(drawing, "recall_printed_maps", lambda: noted("maps"))
    font_metrics.text_width.cache_clear()
    font_metrics._advances.cache_clear()
    gc.unfreeze()
    runpy.run_module("bot.table.preloaded")
    assert steps == [("titles", False, False), ("maps", False, False)]
    assert "spec" in vars(TITLES[SMALL])
    assert font_metrics._advances.cache_info().currsize == len(font_metrics.FONT_FILES) == 3
    assert gc.isenabled()
    assert gc.get_freeze_count() > 0
    assert gc.get_threshold()[0] == 20_000
