"""Forced purchases of 18AL and 18TN: how much may be sold, half prices, privates, bankruptcy (rulebook 4.2.5.2)."""

import pytest

from engine.game import Game
from tests.titles.builders import (
    buy,
    cash,
    company,
    do,
    kinds,
    offered,
    refused,
    sell,
    step,
    train_deals,
    values,
)
from tests.titles.t18al.alabama import Alabama


def montgomery(treasury: int, president: int, phase: str = "4D") -> Alabama:
    """WRA without a train but with a run; Ann can sell nothing of it, as half of it lies in the open market."""
    position = Alabama().phase(phase).cash(a=president).tiles(L5=("57", 2))
    position.start("WRA", 60, a=30, b=20, market=50)
    return position.treasury("WRA", treasury)


def with_two_dear_shares(missing: int) -> Game:
    position = montgomery(800 - missing, 0).start("ATN", 60, at=(3, 1), b=60, a=10)
    return position.start("M&O", 60, at=(1, 13), b=60, a=20).operating("WRA", "trains").game()


def test_later_single_sales_make_a_sale_legal() -> None:
    """R-AL-043, R-AL-194: after $50, two at once leave $60, one after the other $35, less than the cheapest."""
    game = with_two_dear_shares(420)
    assert values(game, "sell_shares", "a", "company") == ["M&O", "ATN"]
    sell(game, "a", "ATN", 1)
    assert values(game, "sell_shares", "a", "shares", company="M&O") == [1]
    assert "less than the cheapest" in refused(game, "4.2.5.2", "sell_shares", "a", company="M&O", shares=2)
    sell(game, "a", "M&O", 1)
    sell(game, "a", "M&O", 1)
    buy(game, "WRA", "4D", 800)
    assert cash(game)["a"] == 35


def test_single_sales_reach_what_a_block_does() -> None:
    """R-AL-043, R-AL-194: $430 at once; one by one $405, and the share at $50 makes up for the fall."""
    game = with_two_dear_shares(430)
    assert values(game, "sell_shares", "a", "shares", company="M&O") == [1, 2]
    for name in ("M&O", "M&O", "ATN"):
        do(game, "sell_shares", "a", company=name, shares=1)
    buy(game, "WRA", "4D", 800)
    assert cash(game)["a"] == 25


def test_sale_that_loses_the_train_is_refused() -> None:
    """R-AL-043, R-AL-194: only the block brings $470, with the share at $50."""
    game = with_two_dear_shares(470)
    assert values(game, "sell_shares", "a", "shares", company="M&O") == [2]
    sentence = refused(game, "4.2.5.2", "sell_shares", "a", company="M&O", shares=1)
    assert "any further sale would leave more" in sentence


def decatur(treasury: int, president: int, phase: str = "4") -> Alabama:
    """WRA owns New Decatur Yards: a new 4 for $150 instead of $300, a new 5 for $225 instead of $450."""
    return montgomery(treasury, president, phase).owns("WRA", "NDY")


def test_halved_train_must_be_cheapest() -> None:
    """R-AL-192: a 3 from the open market at $180 is cheaper than half of $450."""
    game = decatur(100, 500, "5").pool("3").operating("WRA", "trains").game()
    assert list(train_deals(game, "WRA")) == [("3", "pool", "", 180, 180)]
    sentence = refused(game, "4.2.5.2", "buy_train", "NDY", train="5", source="bank", trade_in="", price=225)
    assert "only for the cheapest train" in sentence
    assert "$180" in sentence
    buy(game, "WRA", "3", 180, "pool")
    assert cash(game)["a"] == 420


def test_halved_train_may_be_cheapest() -> None:
    """R-AL-173, R-AL-192: the president adds $50, not $80 for the 3 in the open market, nor $200."""
    game = decatur(100, 500).pool("3").operating("WRA", "trains").game()
    assert not offered(game, "buy_train", "WRA")
    assert "$150" in refused(
        game, "4.2.5.2", "buy_train", "WRA", train="4", source="bank", trade_in="", price=300
    )
    buy(game, "NDY", "4", 150)
    assert (company(game, "WRA").trains, cash(game)["a"]) == (["4"], 450)


def test_treasury_pays_the_half_price() -> None:
    """R-AL-191: it can afford a train of the bank."""
    game = decatur(150, 500).operating("WRA", "trains").game()
    assert kinds(game) == ["buy_train"]
    sentence = refused(game, "4.2.5", "buy_train", "WRA", train="4", source="bank", trade_in="", price=300)
    assert "costs $300; WRA has $150" in sentence
    buy(game, "NDY", "4", 150)
    assert cash(game)["a"] == 500


def test_half_price_averts_bankruptcy() -> None:
    """R-AL-197: neither with cash nor after sales; but where that is not enough, either."""
    assert kinds(decatur(100, 50).operating("WRA", "trains").game()) == ["buy_train"]
    seller = decatur(100, 0).start("ATN", 60, at=(3, 1), b=60, a=20)
    game = seller.operating("WRA", "trains").game()
    assert kinds(game) == ["sell_shares"]
    refused(game, "4.2.5.2", "declare_bankruptcy", "WRA")
    assert kinds(decatur(100, 49).operating("WRA", "trains").game()) == ["declare_bankruptcy"]


def after_sales(owner: str, treasury: int = 200) -> Game:
    """A 4 for $300 is paid with two shares at $60; New Decatur Yards, which would halve its price, have this owner."""
    position = montgomery(treasury, 0, "4").cash(b=500).owns(owner, "NDY")
    game = position.start("ATN", 60, at=(1, 1), b=60, a=30).operating("WRA", "trains").game()
    sell(game, "a", "ATN", 2)
    return game


@pytest.mark.parametrize("owner", ["a", "b"])
def test_half_price_after_sales_is_refused(owner: str) -> None:
    """R-AL-173, R-AL-194: $170 of the $120 and the treasury would be left over, or $110; a share brought $60."""
    game = after_sales(owner)
    sentence = refused(game, "4.2.5.2", "buy_private", "WRA", private="NDY", price=60)
    assert "must be less than the cheapest certificate" in sentence
    buy(game, "WRA", "4", 300)
    assert cash(game)["a"] == 20


def test_half_price_after_small_sales() -> None:
    """R-AL-173, R-AL-194, R-AL-197: it saves who cannot raise $300, and of two shares $20 are left."""
    game = after_sales("b", 110)
    assert set(kinds(game)) == {"sell_shares", "declare_bankruptcy"}
    do(game, "buy_private", "WRA", private="NDY", price=60)
    do(game, "answer", "b", reply="agree")
    buy(game, "NDY", "4", 150)
    assert cash(game)["a"] == 20


def private_for_sale(treasury: int, shares: int = 20) -> Game:
    """A 4 costs $300; Ann has no cash, SNAR, and shares of ATN at $60, then $55; Bob has money."""
    position = montgomery(treasury, 0, "4").cash(b=500).owns("a", "SNAR")
    position.start("ATN", 60, at=(1, 1), b=60, a=shares)
    return position.operating("WRA", "trains").game()


def prices(game: Game) -> list[int]:
    return [int(one) for one in values(game, "sell_private", "a", "price", private="SNAR", buyer="b")]


def test_private_sold_after_a_share() -> None:
    """R-AL-194, R-AL-195: "any one certificate"; $100 - $60 is missing."""
    game = private_for_sale(200)
    sell(game, "a", "ATN", 1)
    assert max(prices(game)) == 40 + 60 - 1
    sentence = refused(game, "4.2.5.2", "sell_private", "a", private="SNAR", buyer="b", price=100)
    assert "the cheapest certificate you sell" in sentence
    do(game, "sell_private", "a", private="SNAR", buyer="b", price=99)
    do(game, "answer", "b", reply="agree")
    buy(game, "WRA", "4", 300)
    assert cash(game)["a"] == 59


def test_share_sold_after_a_private() -> None:
    """R-AL-194, R-AL-195: for $39 of $100 no share could follow, for $41 one can; or it pays all on its own."""
    game = private_for_sale(200)
    assert 30 not in prices(game)
    assert {41, 60, 99, 100, 500} <= set(prices(game))
    do(game, "sell_private", "a", private="SNAR", buyer="b", price=41)
    do(game, "answer", "b", reply="agree")
    assert game.table.turn.smallest_sale == 41
    sell(game, "a", "ATN", 1)
    buy(game, "WRA", "4", 300)
    assert cash(game)["a"] == 1


def test_bankruptcy_waits_for_no_buyer() -> None:
    """R-AL-195, R-AL-197: it is counted what stock brings; Bob may still save Ann."""
    game = private_for_sale(100)
    assert {"sell_private", "declare_bankruptcy"} <= set(kinds(game))
    do(game, "sell_private", "a", private="SNAR", buyer="b", price=200)
    do(game, "answer", "b", reply="agree")
    assert kinds(game) == ["buy_train"]


def test_poor_players_buy_no_private() -> None:
    """R-AL-195: what the president could pay would not do."""
    position = montgomery(100, 0, "4").cash(b=199, c=200).owns("a", "SNAR")
    game = position.operating("WRA", "trains").game()
    assert values(game, "sell_private", "a", "buyer", private="SNAR") == ["c"]
    poor = montgomery(100, 0, "4").cash(b=199, c=199).owns("a", "SNAR").operating("WRA", "trains").game()
    assert kinds(poor) == ["declare_bankruptcy"]


@pytest.mark.parametrize(("cash_of_cy", "at"), [(39, {}), (40, {"b": [60], "c": [40]})])
def test_privates_bring_what_others_can_pay(cash_of_cy: int, at: dict[str, list[int]]) -> None:
    """R-AL-194, R-AL-195: $100 are missing, and Bob has $60."""
    position = montgomery(200, 0, "4").cash(b=60, c=cash_of_cy).owns("a", "SNAR", "TR")
    game = position.operating("WRA", "trains").game()
    assert offered(game, "sell_private", "a") is bool(at)
    for buyer, legal in at.items():
        assert values(game, "sell_private", "a", "price", private="SNAR", buyer=buyer) == legal


def test_private_buys_no_train_of_another() -> None:
    """R-AL-192, R-AL-194, R-AL-195: all that it brought would be left over."""
    position = montgomery(200, 0, "4").cash(b=500).owns("a", "SNAR").start("TAG", 60, b=60)
    game = position.trains("TAG", "4").operating("WRA", "trains").game()
    assert list(train_deals(game, "WRA")) == [("4", "TAG", "", 1, 200)]
    do(game, "sell_private", "a", private="SNAR", buyer="b", price=100)
    do(game, "answer", "b", reply="agree")
    assert list(train_deals(game, "WRA")) == [("4", "bank", "", 300, 300)]
    why = refused(game, "4.2.5.2", "buy_train", "WRA", train="4", source="TAG", trade_in="", price=200)
    assert "cannot buy another company's train" in why


def test_obsolete_train_is_not_sold() -> None:
    """R-AL-186 (4.2.5.1)"""
    position = montgomery(900, 0, "7").start("TAG", 60, b=60).obsolete("TAG", "4")
    game = position.operating("WRA", "trains").game()
    sentence = refused(game, "4.2.5", "buy_train", "WRA", train="4", source="TAG", trade_in="", price=1)
    assert "4-trains are obsolete: nobody can buy them" in sentence


def test_bank_is_closed_after_a_train() -> None:
    """R-AL-181: but a train that no bank sells is not for sale at all."""
    position = montgomery(700, 0, "3").start("TAG", 60, b=60).trains("TAG", "2")
    game = position.operating("WRA", "trains").game()
    buy(game, "WRA", "3", 180)
    sentence = refused(game, "4.2.5", "buy_train", "WRA", train="3", source="bank", trade_in="", price=180)
    assert "has already bought a train from the bank this turn" in sentence
    sentence = refused(game, "4.2.5", "buy_train", "WRA", train="4", source="bank", trade_in="", price=300)
    assert "No 4-train is for sale; the bank sells 3" in sentence


def test_private_that_halves_no_price() -> None:
    """R-AL-173"""
    game = decatur(900, 0, "6").operating("WRA", "trains").game()
    sentence = refused(
        game, "Table III", "buy_train", "NDY", train="7", source="bank", trade_in="", price=350
    )
    assert "one new train from the bank cheaper (3, 4, 5)" in sentence
    game = decatur(900, 0).owns("WRA", "BLC").operating("WRA", "trains").game()
    sentence = refused(
        game, "Table III", "buy_train", "BLC", train="4", source="bank", trade_in="", price=150
    )
    assert "BLC makes no train cheaper for WRA now" in sentence


@pytest.mark.parametrize(("treasury", "waits"), [(210, True), (209, False)])
def test_train_step_waits_for_a_half_price(treasury: int, waits: bool) -> None:
    """R-AL-173, R-AL-200: $60 for New Decatur Yards, $150 for half a 4; WRA has a train."""
    position = montgomery(treasury, 0, "3").depot(t3=0).trains("WRA", "3").owns("b", "NDY")
    game = position.operating("WRA", "trains").game()
    assert (step(game) == "trains") is waits
    if waits:
        do(game, "buy_private", "WRA", private="NDY", price=60)
        do(game, "answer", "b", reply="agree")
        buy(game, "NDY", "4", 150)
        assert company(game, "WRA").cash == 0
