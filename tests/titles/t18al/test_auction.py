"""18AL: setup and the privates sold inside the stock rounds (rulebook 2, 3.1)."""

import pytest

from engine.game import Game
from tests.titles.builders import cash, do, kinds, on_turn, passes, refused, round_name, values
from tests.titles.t18al.alabama import al_game, owner

PRICES = {"TR": 20, "SNAR": 40, "BLC": 70, "M&C": 100, "NDY": 120}


def bid(game: Game, player: str, private: str, amount: int) -> None:
    """Bid, or buy the cheapest."""
    do(game, "bid", player, private=private, amount=amount)


def sell_out(game: Game) -> None:
    """The player on turn buys the cheapest private, until none is left."""
    for private, price in PRICES.items():
        if owner(game, private) is None:
            bid(game, on_turn(game), private, price)


@pytest.mark.parametrize(("players", "each", "limit"), [(3, 600, 15), (4, 500, 12), (5, 400, 10)])
def test_setup(players: int, each: int, limit: int) -> None:
    """R-AL-001, R-AL-002, R-AL-003 (2, Table II), example 1."""
    game = al_game(players)
    assert set(cash(game).values()) == {each}
    assert game.table.state.bank == 8000 - players * each
    assert game.rules.spec.players[players].certificates == limit
    assert round_name(game) == "SR 1"


def test_while_the_bank_owns_a_private_nothing_else_is_possible() -> None:
    """R-AL-020 (3.1)"""
    game = al_game()
    assert kinds(game, "a") == ["bid", "pass"]
    refused(game, "3.1", "par", "a", company="TAG", price=60)
    bid(game, "a", "TR", 20)
    assert kinds(game, "b") == ["bid", "pass"]


def test_the_cheapest_private_costs_exactly_its_price() -> None:
    """R-AL-021 (3.1(a)), D-AL-4."""
    game = al_game()
    refused(game, "3.1", "bid", "a", private="TR", amount=21)
    refused(game, "3.1", "bid", "a", private="TR", amount=19)
    bid(game, "a", "TR", 20)
    assert (owner(game, "TR"), on_turn(game)) == ("a", "b")


def test_bids_are_whole_dollars_at_least_five_above() -> None:
    """R-AL-022 (3.1(b))"""
    game = al_game()
    refused(game, "3.1", "bid", "a", private="SNAR", amount=44)
    bid(game, "a", "SNAR", 46)
    refused(game, "3.1", "bid", "b", private="SNAR", amount=50)
    bid(game, "b", "SNAR", 51)


def test_outbid_money_stays_set_aside_for_that_private() -> None:
    """R-AL-023 (3.1(b))"""
    game = al_game(3)
    bid(game, "a", "NDY", 500)
    bid(game, "b", "NDY", 505)
    passes(game, "c")
    assert max(values(game, "bid", "a", "amount", private="SNAR")) == 100
    assert max(values(game, "bid", "a", "amount", private="NDY")) == 600
    bid(game, "a", "NDY", 600)
    assert "SNAR" in values(game, "bid", "b", "private")


def test_discount_over_stock_rounds_and_forced_acceptance_in_the_fifth() -> None:
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


def test_the_forced_purchase_settles_the_bids_on_the_next_privates() -> None:
    """R-AL-031, R-AL-025 (3.1.2)"""
    game = al_game(3)
    bid(game, "a", "SNAR", 45)
    passes(game, "b", "c", "a")
    while round_name(game) != "SR 5":
        passes(game, on_turn(game))
    assert owner(game, "SNAR") == "a"
    assert cash(game)["a"] == 555


def test_no_other_private_is_discounted_and_bids_survive_the_operating_round() -> None:
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


def test_a_single_bidder_pays_their_bid_and_play_continues_after_the_purchaser() -> None:
    """R-AL-025, R-AL-026 (3.1(a), 3.1.1)"""
    game = al_game(3)
    bid(game, "a", "SNAR", 45)
    bid(game, "b", "TR", 20)
    assert owner(game, "SNAR") == "a"
    assert cash(game)["a"] == 555
    assert on_turn(game) == "c"


def test_several_bidders_go_round_and_a_pass_is_not_final() -> None:
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


def test_under_the_other_profile_the_lowest_bidder_acts_and_a_pass_is_final() -> None:
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


def test_a_purchase_sells_on_until_a_private_has_no_bid() -> None:
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


def test_the_same_stock_round_continues_when_the_last_private_is_sold() -> None:
    """R-AL-034, R-AL-042 (3.2): and nobody sells shares in it."""
    game = al_game(3)
    sell_out(game)
    assert round_name(game) == "SR 1"
    assert on_turn(game) == "c"
    do(game, "par", "c", company="TAG", price=60)
    passes(game, "c", "a", "b")
    refused(game, "3.2(a)", "sell_shares", "c", company="TAG", shares=1)


def test_the_auction_may_last_into_the_second_stock_round_in_which_shares_may_be_sold() -> None:
    """R-AL-042 (3.2(a)(1)), D-AL-1: the first stock round is over, whatever happened in it."""
    game = al_game(3)
    bid(game, "a", "TR", 20)
    passes(game, "b", "c", "a")
    sell_out(game)
    assert round_name(game) == "SR 2"
    player = on_turn(game)
    do(game, "par", player, company="TAG", price=60)
    assert game.table.selling_privates is False


def test_a_round_of_its_own_under_the_other_profile() -> None:
    """D-AL-1 under 18xx.games."""
    game = al_game(3, "18xx.games")
    assert round_name(game) == "Auction"
    sell_out(game)
    assert round_name(game) == "SR 1"
