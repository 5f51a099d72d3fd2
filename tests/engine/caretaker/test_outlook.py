"""What the caretaker expects: how long the game lasts, what shares bring, which trains run on, and what one has."""

import pytest

from engine.caretaker.outlook import (
    MAX_ROUNDS_AHEAD,
    expected_price_change,
    expected_price_rise,
    next_train_price,
    rounds_left,
    rounds_until_rust,
    train_reserve,
    train_shortage,
)
from engine.core.state import Ending
from engine.play.table import Table
from tests.engine.caretaker.positions import ran, trades
from tests.titles.builders import Position
from tests.titles.t18al.alabama import Alabama
from tests.titles.t18ms.mississippi import Mississippi
from tests.titles.t18newengland.newengland import NewEngland


def railway() -> Position:
    """LV, at $80, with a 2-train; Ann has six shares, Bob one."""
    return Position().cash(a=100, b=0, c=0).start("LV", 80, a=60, b=10).trains("LV", "2").treasury("LV", 0)


def rivals(treasury: int, count: int = 4, share: int = 60) -> Position:
    """Other companies of phase 3 with this money."""
    place = railway().phase("3")
    for name in ("B&O", "PRR", "SRR", "C&O", "N&W")[:count]:
        place.start(name, 80, b=share).treasury(name, treasury)
    return place


def table(position: Position) -> Table:
    return position.game().table


def ending(position: Position) -> Table:
    position.state.ending = Ending("bank")
    return table(position)


@pytest.mark.parametrize(
    ("t", "rounds"),
    [
        (table(ran(railway(), LV=100).bank(0)), 1.5),  # money returns, and the last set is finished
        (table(ran(railway(), LV=100).bank(450)), 6.0),
        (table(ran(railway(), LV=100).bank(8_000)), MAX_ROUNDS_AHEAD),
        (table(ran(railway().start("B&O", 80, b=60), LV=60, BO=40).bank(300)), 4.5),
        (table(railway()), MAX_ROUNDS_AHEAD),  # nobody has run
        (ending(railway().operating("LV", number=1, of=3)), 2.5),
        (ending(railway()), 2.0),
        (
            table(Alabama().bank(9_000).start("L&N", 105, at=(1, 15), a=60)),
            MAX_ROUNDS_AHEAD,
        ),  # it has no train
        (trades("stock").table, 3),  # in 18AL a price ends the game
        (table(Mississippi().stock("a", number=4)), 4),  # 18MS has five sets of two
    ],
)
def test_rounds_left(t: Table, rounds: float) -> None:
    assert rounds_left(t) == rounds


def test_price_rises_while_company_pays() -> None:
    """From $80 to $85, $95, and $225 in ten rounds; the highest one stays, and one that has not started."""
    t = table(railway().start("B&O", 80, at=(1, 17), b=60))
    assert [expected_price_rise(t, t.state.companies[name]) for name in ("LV", "B&O", "PRR")] == [5, 0, 0]
    found = [expected_price_change(t, t.state.companies["LV"], rounds) for rounds in (0, 0.4, 0.6, 1, 2, 10)]
    assert found == [0, 0, 5, 5, 15, 145]
    assert expected_price_change(t, t.state.companies["PRR"], 3) == 0
    t = NewEngland().minor("CV", 60, "a").stock("a").game().table
    minor = t.state.companies["CV"]
    assert (expected_price_rise(t, minor), expected_price_change(t, minor, 3)) == (
        0,
        0,
    )  # $65 is for others to start at


@pytest.mark.parametrize(
    ("place", "train", "rounds"),
    [
        (rivals(0, 0).depot(t2=0, t3=1, t4=5), "2", 2 / 0.7),  # nobody can pay the two before it rusts
        (rivals(90).depot(t2=0, t3=1, t4=5), "2", 2 / 1.2),  # four have half of the price each
        (rivals(90).depot(t2=0, t3=1, t4=5), "5", MAX_ROUNDS_AHEAD),  # it never rusts
        (rivals(90, 1).depot(t2=0, t3=4, t4=5), "2", 5 / 0.7),
        (rivals(800, 1).depot(t2=0, t3=4, t4=5), "2", 1 + (5 - 2.4) / 0.7),  # B&O buys 2.4 at once
        (rivals(180, 5).depot(t2=0, t3=2, t4=5), "2", 1),
        (
            Mississippi().start("GMO", 90, a=60).operating("GMO", of=2),
            "3+",
            3.5,
        ),  # they leave after the third set
    ],
)
def test_train_keeps_running(place: Position, train: str, rounds: float) -> None:
    """2-trains rust on the first 4-train; who can pay a train buys 0.6 in a round."""
    assert rounds_until_rust(table(place), train) == pytest.approx(rounds)


def test_president_reserves_what_companies_lack() -> None:
    t = table(railway().trains("LV").treasury("LV", 30).start("B&O", 80, a=60).treasury("B&O", 75))
    assert next_train_price(t) == 80
    assert [train_shortage(t, t.state.companies[name]) for name in ("LV", "B&O")] == [50, 5]
    assert (train_reserve(t, "a"), train_reserve(t, "b")) == (55, 0)
    t = table(railway().trains("LV").treasury("LV", 90).start("B&O", 80, a=30))
    assert train_reserve(t, "a") == 0, "one has enough, one has not floated"
    t = NewEngland().minor("CV", 60, "a").major("B&A", 100, treasury=0, a=40).stock("a").game().table
    lacks = [train_shortage(t, t.state.companies[name]) for name in ("CV", "B&A")]
    assert lacks == [0, next_train_price(t)], "a minor may be liquidated"
