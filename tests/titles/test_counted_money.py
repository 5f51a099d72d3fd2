"""Dollars and certificates that are counted, and said, exactly: sales, capital, limits, bids (9, 10)."""

from typing import Any

import pytest

from engine.core.events import Floated, Passed
from engine.core.ids import Cell
from engine.play.shares.certificate_and_holding_limits import must_sell
from tests.titles.builders import (
    Position,
    bid,
    company,
    do,
    domain,
    find,
    kinds,
    labels,
    new_game,
    passes,
    refused,
    sell,
)
from tests.titles.t18al.alabama import Alabama


def test_sale_menu_names_new_president() -> None:
    """R-CH-052, R-CH-060 (10.2): the price before the sale for each share."""
    game = Position().phase("3").start("PRR", 80, a=40, b=30).game()
    assert labels(game, domain(game, "sell_shares", "a", "shares", company="PRR")) == [
        "1 for $80, price $80 → $75",
        "2 for $160, price $80 → $70, Bob becomes president",
        "3 for $240, price $80 → $65, Bob becomes president",
        "4 for $320, price $80 → $65, Bob becomes president",
    ]


def test_turn_with_a_sale_is_ended() -> None:
    """R-CH-040 (10): doing nothing is passing."""
    game = Position().phase("3").start("PRR", 80, a=40, b=30).game()
    assert find(game, "pass", "a").label.name == "offer.pass_stock_turn"
    sell(game, "a", "PRR", 1)
    assert find(game, "pass", "a").label.name == "offer.end_stock_turn"


def test_sale_at_the_edge_of_a_full_market() -> None:
    """R-CH-051, R-CH-061 (10.2, 10.3): half of a company may lie in the market."""
    game = Position().phase("3").start("PRR", 80, a=30, b=10, market=30).game()
    assert "Nobody else holds the 20%" in refused(game, "10.3", "sell_shares", "a", company="PRR", shares=2)
    game = Position().phase("3").start("PRR", 80, a=30, b=10, market=50).start("LV", 95, a=20, b=20).game()
    assert "would make 60%" in refused(game, "10.2", "sell_shares", "a", company="PRR", shares=1)


def test_sales_as_capital_are_whole_dollars() -> None:
    position = Position().phase("3").start("PRR", 80, b=50).cash(a=200)
    spec = position.t.spec
    sold = spec.companies["PRR"].model_copy(update={"capital": "sales"})
    position.t.spec = spec.model_copy(update={"companies": {**spec.companies, "PRR": sold}})
    game = position.game()
    happened = do(game, "buy_share", "a", company="PRR", source="offering")
    assert [event.capital for event in happened if isinstance(event, Floated)] == [80]
    assert repr(company(game, "PRR").cash) == "80"


def crowded(at: Cell, **shares: int) -> Position:
    """Six players with a limit of 11: Ann has 12 certificates that she cannot sell, as the market is full."""
    position = Position(6).phase("3").owns("a", *Position(6).state.privates)
    position.start("PRR", 80, a=50, market=50).start("SRR", 80, a=30, b=20, market=50)
    return position.start("LV", 70, at=at, **shares)


@pytest.mark.parametrize(
    ("cell", "shares"),
    [
        ((5, 1), {"a": 20, "b": 20, "market": 40}),
        ((5, 3), {"a": 30, "b": 10}),
    ],
)
def test_excess_sells_the_share_that_helps(cell: Cell, shares: dict[str, int]) -> None:
    """R-CH-057 (10.1): after it LV stands in the yellow zone, or they keep the certificate and one share less."""
    game = crowded(cell, **shares).game()
    due = must_sell(game.table, "a")
    assert due is not None
    assert due.name == "limits.sell_certificates"


def test_sale_that_does_not_help_is_not_due() -> None:
    """R-CH-057 (10.1): the one share on sale takes the presidency along and leaves as many certificates."""
    game = crowded((5, 3), a=20, b=20, market=40).game()
    assert must_sell(game.table, "a") is None


@pytest.mark.parametrize(("title", "par"), [("18al", 75), ("18tn", 75), ("18chesapeake-off-the-rails", 90)])
@pytest.mark.parametrize(("profile", "possible"), [
    ("rulebook", {"sell_shares", "buy_share"}),
    ("18xx.games", {"sell_shares"}),
])  # fmt: skip
def test_18xx_games_sells_the_excess_first(title: str, par: int, profile: str, possible: set[str]) -> None:
    """D-AL-22, D-CH-21, D-TN-19 (3.2, 3.3): by the rules a purchase may come first; both have 60 % as the limit."""
    first, second = list(new_game(title=title).table.state.companies)[:2]
    position = Position(title=title, profile=profile).phase("3").start(first, par, a=70, b=20)
    game = position.start(second, par, b=40).cash(a=500).game()
    assert possible <= set(kinds(game, "a")) <= possible | {"par"}
    assert ("par" in kinds(game, "a")) == ("buy_share" in possible)
    do(game, "sell_shares", "a", company=first, shares=1)
    assert {"buy_share", "pass"} <= set(kinds(game, "a"))


def test_refused_bid_names_raise_and_money() -> None:
    """R-CH-021, R-CH-022 (9), R-AL-022 (3.1(b)): in multiples of $5, or in whole dollars."""
    game = new_game(3)
    bid(game, "a", "B&S", 55)
    passes(game, "b", "c")
    why = refused(game, "9", "bid", "a", private="C-P", amount=1000)
    assert "at least $5 above its price or the high bid, and at most the $745" in why
    assert "buy it at its price, you cannot bid on it" in refused(
        game, "9", "bid", "a", private="D&R", amount=1000
    )
    why = refused(new_game(3, title="18al"), "3.1", "bid", "a", private="SNAR", amount=1000)
    assert "is in whole dollars" in why
    assert "within the $600" in why


def test_bid_menu_names_price_or_least_bid() -> None:
    """R-CH-020, R-CH-021 (9)"""
    game = new_game(3)
    offered = labels(game, domain(game, "bid", "a", "private"))
    values_of = [one.value for one in game.table.spec.privates.values()]
    assert offered[0].endswith(f": buy for ${values_of[0]}")
    assert [label.partition(": ")[2] for label in offered[1:]] == [
        f"bid at least ${value + 5}" for value in values_of[1:]
    ]


def test_private_needs_a_buyer_with_money() -> None:
    """R-AL-049 (3.2(b)): one's own, to another player."""
    sale: dict[str, Any] = {"private": "BLC", "price": 1}
    game = Alabama().cash(a=600, b=0, c=0).owns("b", "BLC").start("TAG", 60, c=40, b=20).game()
    assert "Ann owns no private" in refused(game, "3.2(b)", "sell_private", "a", buyer="b", **sale)
    game = Alabama().cash(a=600, b=9, c=0).owns("a", "BLC").start("TAG", 60, c=40, b=20).game()
    for buyer in ("a", "x"):
        assert "There is no other player" in refused(game, "3.2(b)", "sell_private", "a", buyer=buyer, **sale)
    assert "Cy" in refused(game, "3.2(b)", "sell_private", "a", buyer="c", **sale)


@pytest.mark.parametrize(
    ("title", "declined"), [("18chesapeake", "declined.auction"), ("18al", "declined.raise")]
)
def test_pass_in_a_contest_is_worded(title: str, declined: str) -> None:
    """R-CH-024 (9), R-AL-028 (3.1.1)"""
    game = new_game(3, title=title)
    first, second = list(game.table.state.privates)[:2]
    value = game.table.spec.privates
    do(game, "bid", "a", private=second, amount=value[second].value + 5)
    do(game, "bid", "b", private=second, amount=value[second].value + 10)
    do(game, "bid", "c", private=first, amount=value[first].value)
    (told_pass,) = [e for e in do(game, "pass", "a") if isinstance(e, Passed)]
    assert told_pass.declined is not None
    assert told_pass.declined.name == declined
    assert game.table.state.privates[second].owner == "b"
