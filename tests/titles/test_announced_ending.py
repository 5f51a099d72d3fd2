"""What is posted when something ends the game: during which round, and what is still to be played (12)."""

import pytest

from engine.core.events import EndTriggered, Event
from engine.core.ids import BANK
from engine.core.state import Ending
from engine.play.end_and_scores import trigger_end
from engine.tell.view_builders import turn_view
from tests.titles.builders import Position, TitleGame
from tests.titles.t18c2c.merging import example_13
from tests.titles.t18newengland.newengland import NewEngland

OFF_THE_RAILS = "18chesapeake-off-the-rails"


def announced(events: tuple[Event, ...]) -> EndTriggered:
    (found,) = [event for event in events if isinstance(event, EndTriggered)]
    return found


@pytest.mark.parametrize(("number", "after", "more"), [(1, "round", 2), (2, "round", 1), (3, "nothing", 0)])
def test_rounds_left_are_announced(number: int, after: str, more: int) -> None:
    """R-CH-180 (12)"""
    position = Position().phase("5").start("LV", 95, a=60).trains("LV", "5").treasury("LV", 0).bank(10)
    game = position.operating("LV", "dividend", revenue=50, number=number, of=3).game()
    ending = announced(game.do("dividend", "LV", option="pay"))
    assert ending == EndTriggered("bank", "operating", after, more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("title", "company", "par", "after"),
    [
        ("18chesapeake", "PRR", 80, "set"),
        (OFF_THE_RAILS, "PRR", 90, "set"),
        ("18tn", "TC", 70, "round"),
        ("18al", "TAG", 70, "round"),
    ],
)
def test_bank_broken_in_stock_round_is_announced(title: str, company: str, par: int, after: str) -> None:
    """R-CH-180 (12), R-TN-210 (6(a)), R-AL-210 (5(a)): all of a set, or one operating round."""
    game = Position(title=title).start(company, par, b=50).cash(a=500).bank(0).game()
    events = game.do("buy_share", "a", company=company, source="offering")
    assert announced(events) == EndTriggered("bank", "stock", after)  # type: ignore[arg-type]
    assert not game.is_over


def bank_broken(position: Position) -> TitleGame:
    position.bank(0).state.ending = Ending("bank", BANK)
    return position.game()


@pytest.mark.parametrize(
    ("position", "left"),
    [
        (Position().stock(), "this stock round and one set of operating rounds"),
        (Position().start("LV", 95, a=60).operating("LV", number=1, of=3), "this operating round and 2 more"),
        (Position().start("LV", 95, a=60).operating("LV", number=3, of=3), "this operating round"),
        (NewEngland().minor("NYW", 80, "a", "2").merging(), "this merger round and 1 operating round"),
        (example_13(), "this merger round and 1 operating round"),
    ],
)
def test_turn_message_says_what_is_left(position: Position, left: str) -> None:
    game = bank_broken(position)
    assert turn_view(game).ending == f"The bank is broken: {left} will be played, then the game ends."


def test_no_ending_is_announced() -> None:
    assert turn_view(Position().game()).ending == ""
    game = bank_broken(Position())
    game.table.state.over = True
    assert turn_view(game).ending == ""


def test_price_at_stock_round_end_is_announced() -> None:
    """R-CH-307: nothing is played after it."""
    game = Position(title=OFF_THE_RAILS).cash(a=0, b=0, c=0).start("LV", 90, at=(2, 14), a=60, b=40).game()
    game.passes("a")
    assert announced(game.do("pass", "b")) == EndTriggered("price", "stock", "nothing")
    assert (game.is_over, game.round_name(), game.price("LV")) == (True, "SR 2", 300)


def test_stock_round_that_ends_nothing() -> None:
    """R-CH-307: only a price of $300 makes it the last, a broken bank does not."""
    for bank in (5000, -10):
        game = Position(title=OFF_THE_RAILS).start("LV", 90, a=60).trains("LV", "2").bank(bank).game()
        if bank < 0:
            game.sell("a", "LV", 1)
            assert game.table.state.ending is not None
        while game.round_name() == "SR 2" and not game.is_over:
            game.do("pass", game.on_turn())
        assert not game.is_over
        assert game.round_name() == "OR 2.1"


SOONER, LATER = "price", "bank"
"""In a title like 18Chesapeake the round is the last one after a price, all of the set after a broken bank."""


@pytest.mark.parametrize(
    ("title", "first", "second", "counts"),
    [
        ("18chesapeake", LATER, SOONER, (SOONER, 2)),
        ("18chesapeake", SOONER, LATER, (SOONER, 1)),
        ("18chesapeake", LATER, LATER, (LATER, 1)),
        ("18tn", "bank", "price", ("bank", 1)),
        ("18tn", "price", "bank", ("price", 1)),
        ("18al", "bank", "price", ("bank", 1)),
        ("18al", "price", "bank", ("price", 1)),
    ],
)
def test_sooner_ending_counts(title: str, first: str, second: str, counts: tuple[str, int]) -> None:
    """The first of two equals. R-AL-210, R-AL-211 (5): both end it with the operating round."""
    position = Position(title=title)
    name = next(iter(position.state.companies))
    t = position.start(name, 70, a=60).operating(name, of=2).game().table
    before = len(t.events)
    for reason in (first, second):
        trigger_end(t, Ending(reason))  # type: ignore[arg-type]
    assert t.state.ending is not None
    count = sum(isinstance(e, EndTriggered) for e in t.events[before:])
    assert (t.state.ending.reason, count) == counts
