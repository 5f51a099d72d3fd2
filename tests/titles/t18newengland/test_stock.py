"""Stock rounds of 18NewEngland (10)."""

import pytest

from engine.core.events import MinorStarted, ShareBought
from engine.core.ids import MARKET, OFFERING
from engine.core.state import Operating
from engine.play.operating_order import operating_order
from engine.play.shares.holdings import certificate_count
from engine.play.steps.base import Request
from engine.tell.narrate import sentences
from tests.titles.t18newengland.newengland import NewEngland


def test_minor_is_started_without_a_train() -> None:
    """R-NE-004, R-NE-040, R-NE-041: priority goes left of the last who acted; a minor that was not drawn
    comes with phase 3."""
    game = NewEngland().cash(a=300, b=300, c=300).game()
    game.passes("a")
    game.do("start_minor", "b", company="PE", value=50, space="top")
    game.passes("c", "a", "b")
    assert game.table.state.priority == 2
    assert isinstance(game.table.state.round, Operating)
    game = NewEngland().cash(a=300).game()
    events = game.do("start_minor", "a", company="PE", value=90, space="bottom")
    minor = game.company("PE")
    assert events[0] == MinorStarted("a", "PE", 90, "bottom", 180)
    assert (minor.cash, minor.trains, minor.cell, minor.president) == (180, [], (1, 9), "a")
    assert game.cash()["a"] == 120
    assert game.table.state.bank == 12000 - 180 - sum(game.cash().values())
    position = NewEngland().phase("2").cash(a=300)
    position.state.companies["GR"].waiting = True
    why = position.game().refused("10.2", "start_minor", "a", company="GR", value=50, space="top")
    assert "not available before phase 3" in why


def test_certificate_limit_of_18newengland() -> None:
    """Thirteen for five players, a minor counts as one, and cannot be sold: above it sales come first, at it nothing is
    bought (R-NE-041, R-NE-044, R-NE-046, D-NE-10)."""
    position = NewEngland(5).cash(a=300).major("B&A", 100, a=60).major("CN", 100, a=60)
    position.major("NYC", 100, b=20).minor("PE", 50, "a").minor("WNR", 55, "a")
    position.minor("CV", 60, "a").minor("GR", 65, "a")
    game = position.game()
    assert (certificate_count(game.table, "a"), game.kinds()) == (14, ["sell_shares"])
    assert game.values("sell_shares", "a", "company") == ["B&A", "CN"]
    game.sell("a", "CN", 1)
    assert "13" in game.refused("10.6", "start_minor", "a", company="FRR", value=70, space="top")
    assert "13" in game.refused("10.6", "buy_share", "a", company="NYC", source=OFFERING)
    assert "pass" in game.kinds("a")
    game.sell("a", "CN", 1)
    assert game.offered("start_minor", "a")


def test_no_major_is_started_by_purchase() -> None:
    """R-NE-042, R-NE-062: and home tokens are placed before operating."""
    game = NewEngland().cash(a=1000).game()
    assert not game.offered("par", "a")
    assert "B&A" in game.refused("10.3", "par", "a", company="B&A", price=100)
    assert "B&A" in game.refused("", "start_minor", "a", company="B&A", value=50, space="top")
    why = game.obstacle(Request("par", "a"))
    assert why is not None
    assert "by buying its president's certificate (10.3)" in game.tell().refusal(why)
    assert "B&A has not formed" in game.refused("10.3", "buy_share", "a", company="B&A", source=OFFERING)
    game = NewEngland().cash(a=300, b=0, c=0).game()
    game.do("start_minor", "a", company="PE", value=50, space="top")
    assert game.table.map.token_stops_of("PE") == []
    while not isinstance(game.table.state.round, Operating):
        game.passes(game.on_turn())
    assert game.table.map.token_stops_of("PE") == [("B11", 0)]
    assert game.company("PE").trains == []


@pytest.mark.parametrize(
    ("source", "cost", "treasury", "bank"),
    [(OFFERING, 65, 130, 65 - 130), ("B&A", 65, 65, 0), (MARKET, 65, 0, 65)],
)
def test_share_costs_the_present_price(source: str, cost: int, treasury: int, bank: int) -> None:
    """Example 11: the offering brings the company par 130, a redeemed share the price (R-NE-043)."""
    position = NewEngland().cash(a=100).major("B&A", 130, price=65, b=20, market=10)
    shares = position.state.companies["B&A"].shares
    shares["B&A"] = 10
    shares[OFFERING] -= 10
    game = position.game()
    before = game.table.state.bank
    events = game.do("buy_share", "a", company="B&A", source=source)
    assert events[0] == ShareBought("a", "B&A", 10, cost, source, treasury)
    assert game.cash()["a"] == 100 - cost
    assert game.company("B&A").cash == treasury
    assert game.table.state.bank == before + bank
    assert game.price("B&A") == 65


def test_buyer_picks_source_of_share() -> None:
    """R-NE-043"""
    position = NewEngland().cash(a=100).major("B&A", 130, price=65, b=20, market=10)
    position.state.companies["B&A"].shares.update({"B&A": 10, OFFERING: 60})
    game = position.game()
    assert game.values("buy_share", "a", "source", company="B&A") == [OFFERING, MARKET, "B&A"]
    assert game.labels(game.domain("buy_share", "a", "source", company="B&A")) == [
        "B&A from the IPO, $65",
        "B&A from the market, $65",
        "B&A from its treasury, $65",
    ]
    lines = sentences(game.do("buy_share", "a", company="B&A", source="B&A"), game)
    assert lines[0] == "Ann buys a 10% share of B&A from its treasury for $65."


@pytest.mark.parametrize("source", [OFFERING, MARKET, "B&A"])
def test_share_sold_in_round_is_not_bought(source: str) -> None:
    """Wherever it lies (R-NE-044, D-NE-10)."""
    position = NewEngland().cash(a=300).major("B&A", 100, b=30, a=20)
    position.state.companies["B&A"].shares["B&A"] = 10
    position.state.companies["B&A"].shares[OFFERING] -= 10
    game = position.game()
    game.sell("a", "B&A", 1)
    game.refused("10.6", "buy_share", "a", company="B&A", source=source)


def test_sales_move_no_price_but_the_presidents() -> None:
    """Example 16; and menus say so. Minors are never sold; a falling marker goes below others (R-NE-050,
    R-NE-051)."""
    game = NewEngland().cash(a=300).minor("PE", 50, "a").game()
    assert not game.offered("sell_shares", "a")
    assert "nobody may sell" in game.refused("10.4", "sell_shares", "a", company="PE", shares=1)
    game = NewEngland().cash(a=0).major("B&A", 100, b=40, a=30).game()
    shares = game.labels(game.domain("sell_shares", "a", "shares", company="B&A"))
    assert shares[1] == "2 for $200, price $100 → $100"
    game.sell("a", "B&A", 2)
    assert game.price("B&A") == 100
    game = NewEngland().cash(a=0).major("B&A", 100, a=40).major("CN", 100, price=90, b=40).game()
    game.sell("a", "B&A", 1)
    assert game.table.state.companies_in_cell((2, 9)) == ["CN", "B&A"]
    assert [c.id for c in operating_order(game.table)] == ["CN", "B&A"]


def test_standstill_ends_the_game() -> None:
    game = NewEngland().cash(a=10, b=20, c=30).game()
    assert game.is_over
    assert list(game.scores().items()) == [("c", 30), ("b", 20), ("a", 10)]
