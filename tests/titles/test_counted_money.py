"""Dollars and certificates that are counted, and said, exactly: sales, capital, limits, bids (9, 10)."""

from typing import Any

import pytest

from engine.core.events import CompanyClosed, Floated, Passed
from engine.core.ids import Cell
from engine.play.closing_liquidation_bankruptcy import close_company
from engine.play.shares.certificate_and_holding_limits import must_sell
from tests.titles.builders import (
    Position,
    company,
    do,
    domain,
    find,
    kinds,
    labels,
    new_game,
    passes,
    refused,
)
from tests.titles.t18al.alabama import Alabama

# --- shares --------------------------------------------------------------------------------------------------------


def test_a_block_is_offered_with_what_it_brings_and_who_takes_the_presidency() -> None:
    """R-CH-052, R-CH-060 (10.2): the price before the sale for each share."""
    game = Position().phase("3").start("PRR", 80, a=40, b=30).game()
    assert labels(game, domain(game, "sell_shares", "a", "shares", company="PRR")) == [
        "1 for $80, price $80 → $75",
        "2 for $160, price $80 → $70, Bob becomes president",
        "3 for $240, price $80 → $65, Bob becomes president",
        "4 for $320, price $80 → $65, Bob becomes president",
    ]


def test_after_a_sale_the_turn_is_ended_and_not_passed() -> None:
    """R-CH-040 (10): doing nothing is passing."""
    game = Position().phase("3").start("PRR", 80, a=40, b=30).game()
    assert find(game, "pass", "a").label.name == "offer.pass_stock_turn"
    do(game, "sell_shares", "a", company="PRR", shares=1)
    assert find(game, "pass", "a").label.name == "offer.end_stock_turn"


def test_a_certificate_that_nobody_takes_is_the_reason_when_the_market_would_be_just_full() -> None:
    """R-CH-051, R-CH-061 (10.2, 10.3): half of a company may lie in the market."""
    game = Position().phase("3").start("PRR", 80, a=30, b=10, market=30).game()
    assert "Nobody else holds the 20%" in refused(game, "10.3", "sell_shares", "a", company="PRR", shares=2)


def test_a_sale_to_a_full_market_is_refused_with_what_one_more_share_would_make() -> None:
    """R-CH-051 (10.2)"""
    game = Position().phase("3").start("PRR", 80, a=30, b=10, market=50).start("LV", 95, a=20, b=20).game()
    assert "would make 60%" in refused(game, "10.2", "sell_shares", "a", company="PRR", shares=1)


def test_the_par_of_a_share_sold_is_whole_dollars_of_capital() -> None:
    """A company whose sales are its capital has what was paid for its shares when it floats."""
    position = Position().phase("3").start("PRR", 80, b=50).cash(a=200)
    spec = position.t.spec
    sold = spec.companies["PRR"].model_copy(update={"capital": "sales"})
    position.t.spec = spec.model_copy(update={"companies": {**spec.companies, "PRR": sold}})
    game = position.game()
    happened = do(game, "buy_share", "a", company="PRR", source="offering")
    assert [event.capital for event in happened if isinstance(event, Floated)] == [80]
    assert repr(company(game, "PRR").cash) == "80"


def test_a_company_closes_once_and_is_floated_no_more() -> None:
    game = Position().start("PRR", 80, a=60).start("LV", 80, b=60).game()
    t, told_before = game.table, len(game.table.events)
    close_company(t, company(game, "PRR"))
    assert t.events[told_before:] == [CompanyClosed("PRR")]
    assert not company(game, "PRR").floated


# --- above the certificate limit -----------------------------------------------------------------------------------


def crowded(at: Cell, **shares: int) -> Position:
    """Six players with a limit of 11: Ann has 12 certificates that she cannot sell, as the market is full."""
    position = Position(6).phase("3").owns("a", *Position(6).state.privates)
    position.start("PRR", 80, a=50, market=50).start("SRR", 80, a=30, b=20, market=50)
    return position.start("LV", 70, at=at, **shares)


@pytest.mark.parametrize(
    ("price", "shares"),
    [
        ((5, 1), {"a": 20, "b": 20, "market": 40}),
        ((5, 3), {"a": 30, "b": 10}),
    ],
)
def test_whoever_is_above_the_limit_sells_the_one_share_that_brings_them_nearer(
    price: Cell, shares: dict[str, int]
) -> None:
    """R-CH-057 (10.1): after it LV stands in the yellow zone, or they keep the certificate and one share less."""
    game = crowded(price, **shares).game()
    due = must_sell(game.table, "a")
    assert due is not None
    assert due.name == "limits.sell_certificates"


def test_who_cannot_come_nearer_to_the_limit_by_selling_need_not() -> None:
    """R-CH-057 (10.1): the one share on sale takes the presidency along and leaves as many certificates."""
    game = crowded((5, 3), a=20, b=20, market=40).game()
    assert must_sell(game.table, "a") is None


@pytest.mark.parametrize(("title", "par"), [("18al", 75), ("18tn", 75), ("18chesapeake-off-the-rails", 90)])
@pytest.mark.parametrize(("profile", "possible"), [
    ("rulebook", {"sell_shares", "buy_share"}),
    ("18xx.games", {"sell_shares"}),
])  # fmt: skip
def test_above_a_limit_a_player_of_that_site_sells_before_anything_else(
    title: str, par: int, profile: str, possible: set[str]
) -> None:
    """D-AL-22, D-CH-21, D-TN-19 (3.2, 3.3): by the rules a purchase may come first; both have 60 % as the limit."""
    first, second = list(new_game(title=title).table.state.companies)[:2]
    position = Position(title=title, profile=profile).phase("3").start(first, par, a=70, b=20)
    game = position.start(second, par, b=40).cash(a=500).game()
    assert possible <= set(kinds(game, "a")) <= possible | {"par"}
    assert ("par" in kinds(game, "a")) == ("buy_share" in possible)
    do(game, "sell_shares", "a", company=first, shares=1)
    assert {"buy_share", "pass"} <= set(kinds(game, "a"))


# --- the auction ---------------------------------------------------------------------------------------------------


def test_a_refused_bid_reads_the_least_raise_and_the_money_left() -> None:
    """R-CH-021, R-CH-022 (9): in multiples of $5."""
    game = new_game(3)
    first, second, third = list(game.table.state.privates)[:3]
    do(game, "bid", "a", private=third, amount=game.table.spec.privates[third].value + 5)
    passes(game, "b", "c")
    left = 800 - game.table.spec.privates[third].value - 5
    sentence = refused(game, "9", "bid", "a", private=second, amount=1000)
    assert (
        f"is a multiple of $5, at least $5 above the price or the high bid, and within the ${left}"
        in sentence
    )
    assert "bought at its price, not bid on" in refused(game, "9", "bid", "a", private=first, amount=1000)


def test_a_refused_bid_of_18al_reads_that_bids_are_in_whole_dollars() -> None:
    """R-AL-022 (3.1(b))"""
    game = new_game(3, title="18al")
    second = list(game.table.state.privates)[1]
    sentence = refused(game, "3.1", "bid", "a", private=second, amount=1000)
    assert "is in whole dollars" in sentence
    assert "within the $600" in sentence


def test_privates_are_offered_at_their_price_or_from_the_least_bid_on() -> None:
    """R-CH-020, R-CH-021 (9)"""
    game = new_game(3)
    offered = labels(game, domain(game, "bid", "a", "private"))
    values_of = [one.value for one in game.table.spec.privates.values()]
    assert offered[0].endswith(f": buy for ${values_of[0]}")
    assert [label.partition(": ")[2] for label in offered[1:]] == [
        f"bid at least ${value + 5}" for value in values_of[1:]
    ]


def test_a_bid_without_the_money_is_refused_with_the_reason() -> None:
    """R-CH-022 (9)"""
    game = new_game(3)
    game.table.state.player("b").cash = 0
    passes(game, "a")
    first = next(iter(game.table.state.privates))
    assert "not enough cash left for any bid" in refused(game, "9", "bid", "b", private=first, amount=20)
    assert "Only bids and passes" in refused(game, "9", "sell_shares", "b", company="PRR", shares=1)


# --- privates between players ---------------------------------------------------------------------------------------


def test_why_no_private_is_sold_to_a_player() -> None:
    """R-AL-049 (3.2(b)): one's own, to another player, who has money."""
    game = Alabama().cash(a=600, b=0, c=0).owns("b", "BLC").start("TAG", 60, c=40, b=20).game()
    sale: dict[str, Any] = {"private": "BLC", "price": 1}
    assert "Ann owns no private" in refused(game, "3.2(b)", "sell_private", "a", buyer="b", **sale)
    game = Alabama().cash(a=600, b=0, c=0).owns("a", "BLC").start("TAG", 60, c=40, b=20).game()
    assert "No other player has money" in refused(game, "3.2(b)", "sell_private", "a", buyer="b", **sale)
    game = Alabama().cash(a=600, b=9, c=0).owns("a", "BLC").start("TAG", 60, c=40, b=20).game()
    for buyer in ("a", "x"):
        assert "There is no other player" in refused(game, "3.2(b)", "sell_private", "a", buyer=buyer, **sale)
    assert "Cy" in refused(game, "3.2(b)", "sell_private", "a", buyer="c", **sale)


# --- passes in a contest --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "declined"), [("18chesapeake", "declined.auction"), ("18al", "declined.raise")]
)
def test_a_pass_in_a_contest_reads_as_leaving_it_only_where_it_is_final(title: str, declined: str) -> None:
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
