"""Rules of a company's turn that titles have in common, with the figures of each."""

import pytest

from engine.core.ids import Cell
from engine.play.operating_order import operating_order
from tests.titles.builders import Position

CH, AL, TN, C2C, NE = "18chesapeake", "18al", "18tn", "18c2c", "18newengland"
SITE = "18xx.games"


@pytest.mark.parametrize(
    ("title", "name", "par", "at", "option", "after"),
    [
        (CH, "LV", 95, (1, 4), "pay", 110),
        (CH, "LV", 95, (1, 4), "withhold", 90),
        (CH, "LV", 95, (3, 12), "pay", 225),
        (CH, "LV", 95, (7, 4), "pay", 70),
        (CH, "LV", 95, (8, 3), "pay", 60),
        (CH, "LV", 95, (1, 17), "pay", 375),
        (CH, "LV", 95, (4, 1), "withhold", 60),
        (CH, "LV", 95, (6, 1), "withhold", 50),
        (CH, "LV", 95, (8, 1), "withhold", 40),
        (AL, "TAG", 70, None, "pay", 75),
        (AL, "TAG", 70, None, "withhold", 65),
        (AL, "TAG", 60, (2, 15), "pay", 270),
        (AL, "TAG", 60, (1, 15), "pay", 300),
        (AL, "TAG", 60, (1, 1), "withhold", 55),
        (AL, "TAG", 60, (7, 1), "withhold", 30),
        (TN, "SR", 90, (3, 12), "pay", 190),
        (TN, "SR", 90, (1, 1), "withhold", 55),
        (C2C, "WAB", 100, (1, 7), "pay", 110),
        (C2C, "WAB", 100, (1, 7), "half", 100),
        (C2C, "WAB", 100, (1, 7), "withhold", 90),
    ],
)
def test_dividend_moves_the_price(title: str, name: str, par: int, at: Cell, option: str, after: int) -> None:
    """R-CH-130, R-CH-131 (11.6), R-AL-162, R-AL-163, R-TN-010, R-TN-151, R-C2C-200: right or left; at the ends of a row
    up or down (worked examples 9, 13, 6, 5)."""
    position = Position(title=title).start(name, par, at=at, a=60).trains(name, "5")
    game = position.operating(name, "dividend", revenue=50, of=2).game()
    game.do("dividend", name, option=option)
    assert game.price(name) == after


@pytest.mark.parametrize(("title", "first", "second"), [(AL, "TAG", "WRA"), (TN, "SR", "TC")])
def test_price_that_stays_keeps_its_place(title: str, first: str, second: str) -> None:
    position = Position(title=title).start(first, 60 if title == AL else 90, at=(7, 1), a=60)
    position.start(second, 60 if title == AL else 90, at=(7, 1), b=60)
    game = position.operating(first, "dividend", revenue=50).game()
    game.do("dividend", first, option="withhold")
    assert [one.id for one in operating_order(game.table)] == [first, second]


@pytest.mark.parametrize(
    ("title", "profile", "name", "par", "at", "bank", "reason"),
    [
        (CH, "rulebook", "LV", 95, None, 30, "bank"),
        (CH, "rulebook", "LV", 95, None, 31, ""),
        (CH, SITE, "LV", 95, None, 30, ""),
        (AL, "rulebook", "TAG", 60, None, 30, "bank"),
        (AL, "rulebook", "TAG", 60, (1, 15), 5000, "price"),
        (TN, "rulebook", "SR", 90, None, 30, "bank"),
        (TN, SITE, "SR", 90, None, 30, ""),
        (TN, "rulebook", "SR", 90, (1, 15), 5000, "price"),
        ("18chesapeake-off-the-rails", "rulebook", "LV", 90, (1, 13), 5000, "price"),
    ],
)
def test_dividend_ends_the_game(
    title: str, profile: str, name: str, par: int, at: Cell, bank: int, reason: str
) -> None:
    """R-CH-180 (12), D-CH-8, R-AL-210, R-AL-211 (5(a), (b)), R-TN-210, R-TN-211, D-TN-15 (6(a), (b)): a bank at $0, on
    that site only below; a price of $300. It is over with the round, in 18Chesapeake with the set."""
    position = Position(title=title, profile=profile).phase("5").start(name, par, at=at, a=60)
    position.trains(name, "5", "5").operating(name, "dividend", revenue=50, of=3)
    game = position.bank(bank).game()
    game.do("dividend", name, option="pay")
    ending = game.table.state.ending
    assert (ending.reason if ending else "") == reason
    while game.offered("pass", name) and game.table.operating_round.number == 1:
        game.do("pass", name)
    assert game.is_over is (bool(reason) and title != CH)


@pytest.mark.parametrize(
    ("title", "name", "par", "phase", "sold_out", "train", "cost", "more"),
    [
        (AL, "TAG", 60, "3", {}, "3", 180, False),
        (AL, "TAG", 60, "3", {"t3": 0}, "4", 300, True),
        (TN, "SR", 90, "2", {}, "2", 80, False),
        (TN, "SR", 90, "3½", {"t3": 0}, "4", 300, True),
        (CH, "LV", 95, "3", {}, "3", 180, True),
        (C2C, "SOU", 100, "3", {}, "3", 180, True),
    ],
)
def test_one_bank_train_a_turn_before_the_first_4(
    title: str, name: str, par: int, phase: str, sold_out: dict[str, int], train: str, cost: int, more: bool
) -> None:
    """R-AL-181, R-AL-183, example 19, R-TN-161 (4.2.5(f)): in 18AL and 18TN; then the 2-trains leave."""
    position = Position(title=title).phase(phase).depot(**sold_out).start(name, par, a=60).trains(name, "2")
    game = position.treasury(name, 900).operating(name, "trains").game()
    game.buy(name, train, cost)
    assert game.offered("buy_train", name) is more
    assert game.company(name).trains == (["4"] if train == "4" else ["2", train])


@pytest.mark.parametrize(
    ("title", "name", "par", "phase", "private", "low", "high"),
    [
        (AL, "TAG", 60, "2", "NDY", 0, 0),
        (AL, "TAG", 60, "3", "NDY", 60, 180),
        (TN, "SR", 90, "2", "MCR", 0, 0),
        (TN, "SR", 90, "3", "MCR", 35, 105),
        (TN, "SR", 90, "4", "OWR", 50, 150),
    ],
)
def test_privates_cost_around_face_value(
    title: str, name: str, par: int, phase: str, private: str, low: int, high: int
) -> None:
    """R-AL-200, R-TN-181 (4.2.6), worked examples 24 and 20: half to one and a half times as much, from phase 3 on."""
    position = Position(title=title).phase(phase).start(name, par, a=60).owns("a", private)
    game = position.treasury(name, 600).operating(name, set=2).game()
    assert game.offered("buy_private", name) is bool(low)
    if low:
        prices = game.values("buy_private", name, "price", private=private)
        assert (prices[0], prices[-1], len(prices)) == (low, high, high - low + 1)


@pytest.mark.parametrize(
    ("title", "name", "par", "revenue", "treasury", "owner"),
    [
        (AL, "TAG", 70, 180, 36, 108),
        (TN, "SR", 90, 180, 36, 108),
        (CH, "LV", 95, 50, 10, 30),
        (C2C, "WAB", 100, 130, 26, 78),
    ],
)
def test_dividend_is_paid_by_share(
    title: str, name: str, par: int, revenue: int, treasury: int, owner: int
) -> None:
    """R-AL-160, R-AL-161, R-CH-131, R-TN-150, R-C2C-202, examples 12: the market's shares pay the company, those of the
    offering nobody; in 18C2C the other way round."""
    position = Position(title=title).cash(a=0).start(name, par, a=60, market=20)
    game = position.treasury(name, 0).operating(name, "dividend", revenue=revenue, of=2).game()
    game.do("dividend", name, option="pay")
    assert (game.company(name).cash, game.cash()["a"]) == (treasury, owner)
