"""Dollars and certificates that are counted, and said, exactly: sales, capital, limits, bids (9, 10)."""

import pytest

from engine.core.events import Passed
from tests.titles.builders import Position, new_game


def test_sale_menu_names_new_president() -> None:
    """R-CH-040, R-CH-052, R-CH-060 (10, 10.2): the price before the sale for each share; doing nothing is
    passing."""
    game = Position().phase("3").start("PRR", 80, a=40, b=30).game()
    assert game.labels(game.domain("sell_shares", "a", "shares", company="PRR")) == [
        "1 for $80, price $80 → $75",
        "2 for $160, price $80 → $70, Bob becomes president",
        "3 for $240, price $80 → $65, Bob becomes president",
        "4 for $320, price $80 → $65, Bob becomes president",
    ]
    assert game.find("pass", "a").label.name == "offer.pass_stock_turn"
    game.sell("a", "PRR", 1)
    assert game.find("pass", "a").label.name == "offer.end_stock_turn"


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
    assert possible <= set(game.kinds("a")) <= possible | {"par"}
    assert ("par" in game.kinds("a")) == ("buy_share" in possible)
    game.do("sell_shares", "a", company=first, shares=1)
    assert {"buy_share", "pass"} <= set(game.kinds("a"))


def test_bids_name_price_raise_and_money() -> None:
    """R-CH-020, R-CH-021, R-CH-022 (9), R-AL-022 (3.1(b)): in multiples of $5, or in whole dollars."""
    game = new_game(3)
    game.bid("a", "B&S", 55)
    game.passes("b", "c")
    why = game.refused("9", "bid", "a", private="C-P", amount=1000)
    assert "at least $5 above its price or the high bid, and at most the $745" in why
    why = game.refused("9", "bid", "a", private="D&R", amount=1000)
    assert "you can only buy it at its price" in why
    why = new_game(3, title="18al").refused("3.1", "bid", "a", private="SNAR", amount=1000)
    assert "Bid whole dollars" in why
    assert "at most the $600" in why
    game = new_game(3)
    offered = game.labels(game.domain("bid", "a", "private"))
    values_of = [one.face_value for one in game.table.spec.privates.values()]
    assert offered[0].endswith(f": buy for ${values_of[0]}")
    assert [label.partition(": ")[2] for label in offered[1:]] == [
        f"bid at least ${value + 5}" for value in values_of[1:]
    ]


@pytest.mark.parametrize(
    ("title", "declined"), [("18chesapeake", "declined.auction"), ("18al", "declined.raise")]
)
def test_pass_in_a_contest_is_worded(title: str, declined: str) -> None:
    """R-CH-024 (9), R-AL-028 (3.1.1)"""
    game = new_game(3, title=title)
    first, second = list(game.table.state.privates)[:2]
    value = game.table.spec.privates
    game.do("bid", "a", private=second, amount=value[second].face_value + 5)
    game.do("bid", "b", private=second, amount=value[second].face_value + 10)
    game.do("bid", "c", private=first, amount=value[first].face_value)
    (told_pass,) = [e for e in game.do("pass", "a") if isinstance(e, Passed)]
    assert told_pass.declined is not None
    assert told_pass.declined.name == declined
    assert game.table.state.privates[second].owner == "b"
