"""Privates that 18AL and 18TN sell inside the stock rounds (3.1 of both)."""

from typing import NamedTuple

import pytest

from engine.game import Game
from tests.titles.builders import (
    bid,
    cash,
    do,
    kinds,
    new_game,
    on_turn,
    owner,
    passes,
    refused,
    round_name,
    values,
)

PRICES = {"TR": 20, "SNAR": 40, "BLC": 70, "M&C": 100, "NDY": 120}


class Sale(NamedTuple):
    """A title with its privates; the first four cost the same, and three players have $600 in each."""

    title: str
    first: str
    second: str
    third: str
    fourth: str
    last: str


SALES = (Sale("18al", *PRICES), Sale("18tn", "TCC", "ETWCR", "MCR", "OWR", "LNR"))
both = pytest.mark.parametrize("sale", SALES, ids=lambda sale: sale.title)


def bids(game: Game, *made: tuple[str, str, int]) -> None:
    for player, private, amount in made:
        bid(game, player, private, amount)


def sell_out(game: Game) -> None:
    for private, price in PRICES.items():
        if owner(game, private) is None:
            bid(game, on_turn(game), private, price)


@both
def test_privates_are_sold_before_shares(sale: Sale) -> None:
    """R-AL-020, R-AL-021, D-AL-4, R-TN-020, R-TN-021 (3.1, 3.1(a)): the cheapest at its price."""
    game = new_game(title=sale.title)
    assert (round_name(game), kinds(game, "a")) == ("SR 1", ["bid", "pass"])
    refused(game, "3.1", "par", "a", company="TC", price=70)
    for wrong in (19, 21):
        refused(game, "3.1", "bid", "a", private=sale.first, amount=wrong)
    bid(game, "a", sale.first, 20)
    assert (owner(game, sale.first), on_turn(game)) == ("a", "b")
    assert kinds(game, "b") == ["bid", "pass"]


@both
def test_bids_rise_by_five_dollars(sale: Sale) -> None:
    """R-AL-022, R-TN-022 (3.1(b)): at least, in whole dollars."""
    game = new_game(title=sale.title)
    refused(game, "3.1", "bid", "a", private=sale.second, amount=44)
    bid(game, "a", sale.second, 46)
    refused(game, "3.1", "bid", "b", private=sale.second, amount=50)
    bid(game, "b", sale.second, 51)


@both
def test_outbid_money_stays_set_aside(sale: Sale) -> None:
    """R-AL-023 (3.1(b)), R-TN-022"""
    game = new_game(title=sale.title)
    bids(game, ("a", sale.last, 500), ("b", sale.last, 505))
    passes(game, "c")
    assert max(values(game, "bid", "a", "amount", private=sale.second)) == 100
    assert max(values(game, "bid", "a", "amount", private=sale.last)) == 600
    bid(game, "a", sale.last, 600)
    assert sale.second in values(game, "bid", "b", "private")


@both
def test_first_private_falls_in_price(sale: Sale) -> None:
    """R-AL-030, R-AL-031, R-AL-025 (3.1.2), example 2, R-TN-028: at $0 it is taken, which settles bids on the next."""
    game = new_game(title=sale.title)
    for number, price in enumerate((20, 15, 10, 5), 1):
        assert round_name(game) == f"SR {number}"
        assert values(game, "bid", "a", "amount", private=sale.first) == [price]
        passes(game, "a", "b", "c")
    assert (round_name(game), owner(game, sale.first), cash(game)["a"], on_turn(game)) == (
        "SR 5",
        "a",
        600,
        "b",
    )
    game = new_game(title=sale.title)
    bid(game, "a", sale.second, 45)
    passes(game, "b", "c", "a")
    while round_name(game) != "SR 5":
        passes(game, on_turn(game))
    assert (owner(game, sale.second), cash(game)["a"]) == ("a", 555)


@both
def test_bids_survive_the_operating_round(sale: Sale) -> None:
    """R-AL-023, R-AL-032, R-AL-033, R-TN-027 (3.1, 3.6): only privates pay, then the next stock round continues."""
    game = new_game(title=sale.title)
    bids(game, ("a", sale.first, 20), ("b", sale.fourth, 105))
    passes(game, "c", "a", "b")
    assert (round_name(game), on_turn(game)) == ("SR 2", "c")
    assert cash(game) == {"a": 585, "b": 600, "c": 600}
    assert values(game, "bid", "c", "amount", private=sale.second) == [40]
    assert min(values(game, "bid", "c", "amount", private=sale.fourth)) == 110


@both
def test_purchase_sells_on_until_no_bid(sale: Sale) -> None:
    """R-AL-025, R-AL-026 (3.1(a), 3.1.1), example 4, R-TN-024: a bidder alone pays their bid."""
    game = new_game(title=sale.title)
    bids(game, ("a", sale.second, 45), ("b", sale.third, 75), ("c", sale.third, 80), ("a", sale.first, 20))
    assert (owner(game, sale.second), owner(game, sale.third), on_turn(game)) == ("a", None, "b")
    assert cash(game)["a"] == 535
    passes(game, "b")
    assert (owner(game, sale.third), owner(game, sale.fourth), on_turn(game)) == ("c", None, "b")


@both
def test_pass_in_a_contest_is_not_final(sale: Sale) -> None:
    """R-AL-027, R-AL-028, R-AL-029, R-TN-025, R-TN-026 (3.1.1), example 3."""
    game = new_game(4, title=sale.title)
    each = cash(game)["a"]
    passes(game, "a", "b")
    bid(game, "c", sale.second, 45)
    passes(game, "d", "a")
    bid(game, "b", sale.second, 50)
    passes(game, "c", "d")
    bid(game, "a", sale.second, 55)
    passes(game, "b", "c")
    bid(game, "d", sale.first, 20)
    passes(game, "b")
    bid(game, "c", sale.second, 60)
    passes(game, "a")
    bid(game, "b", sale.second, 65)
    passes(game, "c")
    assert owner(game, sale.second) is None
    passes(game, "a")
    assert (owner(game, sale.second), on_turn(game)) == ("b", "a")
    assert cash(game) == {"a": each, "b": each - 65, "c": each, "d": each - 20}


def test_18xx_games_asks_lowest_bidder_first() -> None:
    """D-AL-2, D-AL-3, example 3 under 18xx.games."""
    game = new_game(4, title="18al", profile="18xx.games")
    bids(game, ("a", "SNAR", 45), ("b", "SNAR", 50), ("c", "SNAR", 55), ("d", "TR", 20), ("a", "SNAR", 60))
    passes(game, "b", "c")
    assert owner(game, "SNAR") == "a"


def test_stock_round_continues_after_last_private() -> None:
    """R-AL-034, R-AL-042 (3.2): and nobody sells shares in it."""
    game = new_game(title="18al")
    sell_out(game)
    assert (round_name(game), on_turn(game)) == ("SR 1", "c")
    do(game, "par", "c", company="TAG", price=60)
    passes(game, "c", "a", "b")
    refused(game, "3.2(a)", "sell_shares", "c", company="TAG", shares=1)


def test_auction_may_last_into_second_stock_round() -> None:
    """R-AL-042 (3.2(a)(1)), D-AL-1: the first stock round is over, whatever happened in it."""
    game = new_game(title="18al")
    bid(game, "a", "TR", 20)
    passes(game, "b", "c", "a")
    sell_out(game)
    assert round_name(game) == "SR 2"
    do(game, "par", on_turn(game), company="TAG", price=60)
    assert game.table.selling_privates is False


def test_18xx_games_has_an_auction_round() -> None:
    """D-AL-1 under 18xx.games."""
    game = new_game(title="18al", profile="18xx.games")
    assert round_name(game) == "Auction"
    sell_out(game)
    assert round_name(game) == "SR 1"
