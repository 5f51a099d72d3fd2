"""18AL: setup and the privates sold inside the stock rounds (rulebook 2, 3.1)."""

import pytest

from engine.game import Game
from tests.titles.builders import (
    bid,
    cash,
    do,
    kinds,
    on_turn,
    owner,
    passes,
    refused,
    round_name,
    values,
)
from tests.titles.t18al.alabama import al_game

PRICES = {"TR": 20, "SNAR": 40, "BLC": 70, "M&C": 100, "NDY": 120}


def sell_out(game: Game) -> None:
    for private, price in PRICES.items():
        if owner(game, private) is None:
            bid(game, on_turn(game), private, price)


@pytest.mark.parametrize(("players", "each", "limit"), [(3, 600, 15), (4, 500, 12), (5, 400, 10)])
def test_cash_bank_and_certificates(players: int, each: int, limit: int) -> None:
    """R-AL-001, R-AL-002, R-AL-003 (2, Table II), example 1."""
    game = al_game(players)
    assert set(cash(game).values()) == {each}
    assert game.table.state.bank == 8000 - players * each
    assert game.rules.spec.players[players].certificates == limit
    assert round_name(game) == "SR 1"


def test_privates_are_sold_before_shares() -> None:
    """R-AL-020 (3.1)"""
    game = al_game()
    assert kinds(game, "a") == ["bid", "pass"]
    refused(game, "3.1", "par", "a", company="TAG", price=60)
    bid(game, "a", "TR", 20)
    assert kinds(game, "b") == ["bid", "pass"]


def test_cheapest_private_costs_its_price() -> None:
    """R-AL-021 (3.1(a)), D-AL-4."""
    game = al_game()
    refused(game, "3.1", "bid", "a", private="TR", amount=21)
    refused(game, "3.1", "bid", "a", private="TR", amount=19)
    bid(game, "a", "TR", 20)
    assert (owner(game, "TR"), on_turn(game)) == ("a", "b")


def test_bids_rise_by_five_dollars() -> None:
    """R-AL-022 (3.1(b))"""
    game = al_game()
    refused(game, "3.1", "bid", "a", private="SNAR", amount=44)
    bid(game, "a", "SNAR", 46)
    refused(game, "3.1", "bid", "b", private="SNAR", amount=50)
    bid(game, "b", "SNAR", 51)


def test_outbid_money_stays_set_aside() -> None:
    """R-AL-023 (3.1(b))"""
    game = al_game(3)
    bid(game, "a", "NDY", 500)
    bid(game, "b", "NDY", 505)
    passes(game, "c")
    assert max(values(game, "bid", "a", "amount", private="SNAR")) == 100
    assert max(values(game, "bid", "a", "amount", private="NDY")) == 600
    bid(game, "a", "NDY", 600)
    assert "SNAR" in values(game, "bid", "b", "private")


def test_first_private_falls_in_price() -> None:
    """R-AL-030, R-AL-031 (3.1.2), example 2."""
    game = al_game(3)
    for number, price in enumerate((20, 15, 10, 5), 1):
        assert round_name(game) == f"SR {number}"
        assert values(game, "bid", "a", "amount", private="TR") == [price]
        passes(game, "a", "b", "c")
    assert round_name(game) == "SR 5"
    assert owner(game, "TR") == "a"
    assert cash(game)["a"] == 600
    assert on_turn(game) == "b"


def test_forced_purchase_settles_next_bids() -> None:
    """R-AL-031, R-AL-025 (3.1.2)"""
    game = al_game(3)
    bid(game, "a", "SNAR", 45)
    passes(game, "b", "c", "a")
    while round_name(game) != "SR 5":
        passes(game, on_turn(game))
    assert owner(game, "SNAR") == "a"
    assert cash(game)["a"] == 555


def test_bids_survive_the_operating_round() -> None:
    """R-AL-023, R-AL-032, R-AL-033 (3.1, 3.6): only privates pay, then the next stock round continues."""
    game = al_game(3)
    bid(game, "a", "TR", 20)
    bid(game, "b", "M&C", 105)
    passes(game, "c", "a", "b")
    assert round_name(game) == "SR 2"
    assert cash(game) == {"a": 585, "b": 600, "c": 600}
    assert on_turn(game) == "c"
    assert values(game, "bid", "c", "amount", private="SNAR") == [40]
    assert min(values(game, "bid", "c", "amount", private="M&C")) == 110


def test_bidder_alone_pays_their_bid() -> None:
    """R-AL-025, R-AL-026 (3.1(a), 3.1.1)"""
    game = al_game(3)
    bid(game, "a", "SNAR", 45)
    bid(game, "b", "TR", 20)
    assert owner(game, "SNAR") == "a"
    assert cash(game)["a"] == 555
    assert on_turn(game) == "c"


def test_pass_in_a_contest_is_not_final() -> None:
    """R-AL-027, R-AL-028, R-AL-029 (3.1.1), example 3."""
    game = al_game(4)
    passes(game, "a", "b")
    bid(game, "c", "SNAR", 45)
    passes(game, "d")
    passes(game, "a")
    bid(game, "b", "SNAR", 50)
    passes(game, "c", "d")
    bid(game, "a", "SNAR", 55)
    passes(game, "b", "c")
    bid(game, "d", "TR", 20)
    assert on_turn(game) == "b"
    passes(game, "b")
    bid(game, "c", "SNAR", 60)
    passes(game, "a")
    bid(game, "b", "SNAR", 65)
    passes(game, "c")
    assert owner(game, "SNAR") is None
    passes(game, "a")
    assert owner(game, "SNAR") == "b"
    assert cash(game) == {"a": 500, "b": 435, "c": 500, "d": 480}
    assert on_turn(game) == "a"


def test_18xx_games_asks_lowest_bidder_first() -> None:
    """D-AL-2, D-AL-3, example 3 under 18xx.games."""
    game = al_game(4, "18xx.games")
    bid(game, "a", "SNAR", 45)
    bid(game, "b", "SNAR", 50)
    bid(game, "c", "SNAR", 55)
    bid(game, "d", "TR", 20)
    assert on_turn(game) == "a"
    bid(game, "a", "SNAR", 60)
    assert on_turn(game) == "b"
    passes(game, "b")
    passes(game, "c")
    assert owner(game, "SNAR") == "a"


def test_purchase_sells_on_until_no_bid() -> None:
    """R-AL-025 (3.1(a)), example 4."""
    game = al_game(3)
    bid(game, "a", "SNAR", 45)
    bid(game, "b", "BLC", 75)
    bid(game, "c", "BLC", 80)
    bid(game, "a", "TR", 20)
    assert owner(game, "SNAR") == "a"
    assert owner(game, "BLC") is None
    assert on_turn(game) == "b"
    passes(game, "b")
    assert owner(game, "BLC") == "c"
    assert owner(game, "M&C") is None
    assert on_turn(game) == "b"


def test_stock_round_continues_after_last_private() -> None:
    """R-AL-034, R-AL-042 (3.2): and nobody sells shares in it."""
    game = al_game(3)
    sell_out(game)
    assert round_name(game) == "SR 1"
    assert on_turn(game) == "c"
    do(game, "par", "c", company="TAG", price=60)
    passes(game, "c", "a", "b")
    refused(game, "3.2(a)", "sell_shares", "c", company="TAG", shares=1)


def test_auction_may_last_into_second_stock_round() -> None:
    """R-AL-042 (3.2(a)(1)), D-AL-1: the first stock round is over, whatever happened in it."""
    game = al_game(3)
    bid(game, "a", "TR", 20)
    passes(game, "b", "c", "a")
    sell_out(game)
    assert round_name(game) == "SR 2"
    player = on_turn(game)
    do(game, "par", player, company="TAG", price=60)
    assert game.table.selling_privates is False


def test_18xx_games_has_an_auction_round() -> None:
    """D-AL-1 under 18xx.games."""
    game = al_game(3, "18xx.games")
    assert round_name(game) == "Auction"
    sell_out(game)
    assert round_name(game) == "SR 1"
