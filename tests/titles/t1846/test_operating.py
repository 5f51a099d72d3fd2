"""1846: stock rounds, issues, dividends and receivership (3, 4)."""

import pytest

from engine.core.ids import MARKET
from tests.titles.t1846.midwest import Midwest


def test_company_starts_and_floats() -> None:
    """R-1846-002, R-1846-031, R-1846-033 (3): twice the price goes to its treasury, and its home is placed."""
    game = Midwest().cash(a=400).stock("a").game()
    game.do("par", "a", company="NYC", price=100)
    nyc = game.company("NYC")
    assert (nyc.floated, nyc.cash, nyc.president) == (True, 200, "a")
    assert game.table.map.token_stops_of("NYC") == [("D20", 0)]


def test_start_of_ic_is_subsidized() -> None:
    """R-1846-032 (3): one price more from the bank."""
    game = Midwest().cash(a=400).stock("a").game()
    game.do("par", "a", company="IC", price=90)
    assert game.company("IC").cash == 270


@pytest.mark.parametrize(("seller", "price"), [("a", 90), ("b", 100)])
def test_price_falls_if_the_president_sells(seller: str, price: int) -> None:
    """R-1846-034 (3): one step for a block of any size; sales of others do not move it."""
    built = Midwest().start("NYC", 100, a=40, b=20)
    built.state.companies["NYC"].operated = True
    game = built.stock(seller).game()
    game.sell(seller, "NYC", 2)
    assert game.price("NYC") == price


def test_others_sell_after_it_has_operated() -> None:
    """R-1846-035 (3): the president at any time."""
    game = Midwest().start("NYC", 100, a=40, b=20).stock("b").game()
    game.refused("3", "sell_shares", "b", company="NYC", shares=1)


def test_issue_pays_the_next_lower_price() -> None:
    """R-1846-052, R-1846-060, D-1846-7 (4): the price stays; once a turn."""
    game = Midwest().start("NYC", 80, a=40).trains("NYC", "2").operating("NYC").game()
    game.do("issue", "NYC", offering=0, treasury=3)
    assert (game.company("NYC").cash, game.price("NYC")) == (210, 80)
    assert game.company("NYC").shares[MARKET] == 30
    game.refused("4", "issue", "NYC", offering=0, treasury=1)


def test_redemption_costs_the_next_higher_price() -> None:
    """R-1846-061 (4): the price stays."""
    built = Midwest().start("NYC", 100, market=10, a=40).treasury("NYC", 200)
    game = built.trains("NYC", "2").operating("NYC").game()
    game.do("redeem", "NYC", shares=1)
    assert (game.company("NYC").cash, game.price("NYC")) == (88, 100)


def test_every_tile_costs_money() -> None:
    """R-1846-070, R-1846-071 (4): two tiles, $20 each."""
    game = Midwest().start("NYC", 100, a=40).treasury("NYC", 500).trains("NYC", "2").operating("NYC").game()
    game.lay("NYC", "E19", "8")
    game.lay("NYC", "D18", "7")
    assert game.company("NYC").cash == 460
    assert "lay_tile" not in game.kinds()


@pytest.mark.parametrize(
    ("price", "revenue", "option", "later"),
    [
        (100, 40, "pay", 90),
        (100, 60, "pay", 100),
        (100, 100, "pay", 112),
        (100, 200, "pay", 124),
        (100, 300, "pay", 124),
        (165, 500, "pay", 212),
        (100, 200, "withhold", 90),
        (100, 200, "half", 112),
    ],
)
def test_dividend_moves_the_price(price: int, revenue: int, option: str, later: int) -> None:
    """R-1846-100, R-1846-102 (4): by the dollars paid out."""
    cells = {100: (1, 11), 165: (1, 16)}
    built = Midwest().start("NYC", 100, at=cells[price], a=60).trains("NYC", "2").operating("NYC", "dividend")
    built.t.turn.revenue = revenue
    game = built.game()
    assert game.price("NYC") == price
    game.do("dividend", "NYC", option=option)
    assert game.price("NYC") == later


def test_half_dividend_is_rounded() -> None:
    """R-1846-100, R-1846-101 (4): the treasury keeps a multiple of $10; its own shares pay it, too."""
    built = (
        Midwest().start("NYC", 100, a=60, b=20).cash(a=0, b=0).trains("NYC", "2").operating("NYC", "dividend")
    )
    built.t.turn.revenue = 150
    game = built.game()
    game.do("dividend", "NYC", option="half")
    assert game.company("NYC").cash == 70 + 16
    assert (game.cash()["a"], game.cash()["b"]) == (48, 16)


def test_price_at_the_end_of_a_stock_round() -> None:
    """R-1846-037 (3): up if players hold all, down for shares in the market."""
    built = Midwest().start("NYC", 100, a=60, b=40).start("GT", 80, market=20, c=50)
    game = built.treasury("NYC", 100).treasury("GT", 100).stock("a").game()
    game.passes("a", "b", "c", "d", "e")
    assert (game.price("NYC"), game.price("GT")) == (112, 70)
