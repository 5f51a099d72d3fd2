"""Two things that end the game: the one that ends it sooner counts, and of equals the first (12, 5, 6)."""

import pytest

from engine.core.events import EndTriggered
from engine.core.state import Ending
from engine.play.end_and_scores import trigger
from tests.titles.builders import Position

SOONER, LATER = "price", "bank"
"""In a title like 18Chesapeake the round is the last one after a price, all of the set after a broken bank."""


def after(*reasons: str, title: str = "18chesapeake") -> tuple[str, int]:
    """Why the game ends when these came one after the other, and how many of them were announced."""
    position = Position(title=title)
    first = next(name for name in position.state.companies)
    t = position.start(first, 70, a=60).operating(first, of=2).game().table
    before = len(t.events)
    for reason in reasons:
        trigger(t, Ending(reason))  # type: ignore[arg-type]
    assert t.state.ending is not None
    return t.state.ending.reason, sum(isinstance(e, EndTriggered) for e in t.events[before:])


def test_sooner_ending_counts() -> None:
    assert after(LATER, SOONER) == (SOONER, 2)
    assert after(SOONER, LATER) == (SOONER, 1)


@pytest.mark.parametrize(
    ("title", "first", "second"),
    [
        ("18chesapeake", LATER, LATER),
        ("18chesapeake", SOONER, SOONER),
        ("18tn", "bank", "price"),
        ("18tn", "price", "bank"),
        ("18al", "bank", "price"),
        ("18al", "price", "bank"),
    ],
)
def test_first_of_equal_endings_counts(title: str, first: str, second: str) -> None:
    """R-AL-210, R-AL-211 (5): both end it with the operating round."""
    assert after(first, second, title=title) == (first, 1)
