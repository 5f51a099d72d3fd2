"""Privates that 18AL and 18TN sell inside the stock rounds (3.1 of both)."""

from typing import NamedTuple

import pytest

from tests.titles.builders import TitleGame, new_game

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


def bids(game: TitleGame, *made: tuple[str, str, int]) -> None:
    for player, private, amount in made:
        game.bid(player, private, amount)


def sell_out(game: TitleGame) -> None:
    for private, price in PRICES.items():
        if game.owner(private) is None:
            game.bid(game.on_turn(), private, price)


@both
def test_first_bids_on_privates(sale: Sale) -> None:
    """R-AL-020, R-AL-021, R-AL-022, R-AL-023, D-AL-4, R-TN-020, R-TN-021, R-TN-022 (3.1, 3.1(a), (b)): before
    any share; the cheapest at its price, bids by five at least, in whole dollars; the money of who is outbid
    stays set aside."""
    game = new_game(title=sale.title)
    assert (game.round_name(), game.kinds("a")) == ("SR 1", ["bid", "pass"])
    game.refused("3.1", "par", "a", company="TC", price=70)
    for wrong in (19, 21):
        game.refused("3.1", "bid", "a", private=sale.first, amount=wrong)
    game.bid("a", sale.first, 20)
    assert (game.owner(sale.first), game.on_turn()) == ("a", "b")
    assert game.kinds("b") == ["bid", "pass"]
    game = new_game(title=sale.title)
    game.refused("3.1", "bid", "a", private=sale.second, amount=44)
    game.bid("a", sale.second, 46)
    game.refused("3.1", "bid", "b", private=sale.second, amount=50)
    game.bid("b", sale.second, 51)
    game = new_game(title=sale.title)
    bids(game, ("a", sale.last, 500), ("b", sale.last, 505))
    game.passes("c")
    assert max(game.values("bid", "a", "amount", private=sale.second)) == 100
    assert max(game.values("bid", "a", "amount", private=sale.last)) == 600
    game.bid("a", sale.last, 600)
    assert sale.second in game.values("bid", "b", "private")


@both
def test_first_private_falls_in_price(sale: Sale) -> None:
    """R-AL-030, R-AL-031, R-AL-025 (3.1.2), example 2, R-TN-028: at $0 it is taken, which settles bids on the next."""
    game = new_game(title=sale.title)
    for number, price in enumerate((20, 15, 10, 5), 1):
        assert game.round_name() == f"SR {number}"
        assert game.values("bid", "a", "amount", private=sale.first) == [price]
        game.passes("a", "b", "c")
    assert (game.round_name(), game.owner(sale.first), game.on_turn()) == ("SR 5", "a", "b")
    assert game.cash()["a"] == 600
    game = new_game(title=sale.title)
    game.bid("a", sale.second, 45)
    game.passes("b", "c", "a")
    while game.round_name() != "SR 5":
        game.passes(game.on_turn())
    assert (game.owner(sale.second), game.cash()["a"]) == ("a", 555)


@both
def test_bids_wait_until_a_purchase_settles(sale: Sale) -> None:
    """R-AL-023, R-AL-025, R-AL-026, R-AL-032, R-AL-033, R-TN-024, R-TN-027 (3.1, 3.6), example 4: in an
    operating round only privates pay, then the next stock round continues. A bidder alone pays their bid."""
    game = new_game(title=sale.title)
    bids(game, ("a", sale.first, 20), ("b", sale.fourth, 105))
    game.passes("c", "a", "b")
    assert (game.round_name(), game.on_turn()) == ("SR 2", "c")
    assert game.cash() == {"a": 585, "b": 600, "c": 600}
    assert game.values("bid", "c", "amount", private=sale.second) == [40]
    assert min(game.values("bid", "c", "amount", private=sale.fourth)) == 110
    game = new_game(title=sale.title)
    bids(game, ("a", sale.second, 45), ("b", sale.third, 75), ("c", sale.third, 80), ("a", sale.first, 20))
    assert (game.owner(sale.second), game.owner(sale.third), game.on_turn()) == ("a", None, "b")
    assert game.cash()["a"] == 535
    game.passes("b")
    assert (game.owner(sale.third), game.owner(sale.fourth), game.on_turn()) == ("c", None, "b")


@both
def test_pass_in_a_contest_is_not_final(sale: Sale) -> None:
    """R-AL-027, R-AL-028, R-AL-029, R-TN-025, R-TN-026 (3.1.1), example 3."""
    game = new_game(4, title=sale.title)
    each = game.cash()["a"]
    game.passes("a", "b")
    game.bid("c", sale.second, 45)
    game.passes("d", "a")
    game.bid("b", sale.second, 50)
    game.passes("c", "d")
    game.bid("a", sale.second, 55)
    game.passes("b", "c")
    game.bid("d", sale.first, 20)
    game.passes("b")
    game.bid("c", sale.second, 60)
    game.passes("a")
    game.bid("b", sale.second, 65)
    game.passes("c")
    assert game.owner(sale.second) is None
    game.passes("a")
    assert (game.owner(sale.second), game.on_turn()) == ("b", "a")
    assert game.cash() == {"a": each, "b": each - 65, "c": each, "d": each - 20}


def test_18xx_games_asks_lowest_bidder_first() -> None:
    """D-AL-2, D-AL-3, example 3 under 18xx.games."""
    game = new_game(4, title="18al", profile="18xx.games")
    bids(game, ("a", "SNAR", 45), ("b", "SNAR", 50), ("c", "SNAR", 55), ("d", "TR", 20), ("a", "SNAR", 60))
    game.passes("b", "c")
    assert game.owner("SNAR") == "a"


def test_stock_round_continues_after_last_private() -> None:
    """R-AL-034, R-AL-042, D-AL-1 (3.2, 3.2(a)(1)): nobody sells shares in the first, but in a second one that
    continues."""
    game = new_game(title="18al")
    sell_out(game)
    assert (game.round_name(), game.on_turn()) == ("SR 1", "c")
    game.do("par", "c", company="TAG", price=60)
    game.passes("c", "a", "b")
    game.refused("3.2(a)", "sell_shares", "c", company="TAG", shares=1)
    game = new_game(title="18al")
    game.bid("a", "TR", 20)
    game.passes("b", "c", "a")
    sell_out(game)
    assert game.round_name() == "SR 2"
    game.do("par", game.on_turn(), company="TAG", price=60)
    assert game.table.is_selling_privates is False


def test_18xx_games_has_an_auction_round() -> None:
    """D-AL-1 under 18xx.games."""
    game = new_game(title="18al", profile="18xx.games")
    assert game.round_name() == "Auction"
    sell_out(game)
    assert game.round_name() == "SR 1"
