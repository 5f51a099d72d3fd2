"""Forced purchases of 18AL and 18TN: how much may be sold, half prices, privates, bankruptcy (rulebook 4.2.5.2)."""

import pytest

from tests.titles.builders import TitleGame
from tests.titles.t18al.alabama import Alabama


def montgomery(treasury: int, president: int, phase: str = "4D") -> Alabama:
    """WRA without a train but with a run; Ann can sell nothing of it, as half of it lies in the open market."""
    position = Alabama().phase(phase).cash(a=president).tiles(L5=("57", 2))
    position.start("WRA", 60, a=30, b=20, market=50)
    return position.treasury("WRA", treasury)


def with_two_dear_shares(missing: int) -> TitleGame:
    position = montgomery(800 - missing, 0).start("ATN", 60, at=(3, 1), b=60, a=10)
    return position.start("M&O", 60, at=(1, 13), b=60, a=20).operating("WRA", "trains").game()


@pytest.mark.parametrize(("missing", "blocks"), [(430, [1, 2]), (470, [2])])
def test_sale_that_reaches_the_train(missing: int, blocks: list[int]) -> None:
    """R-AL-043, R-AL-194: $430 come of two at once, or of one by one with the share at $50; $470 only of the block."""
    game = with_two_dear_shares(missing)
    assert game.values("sell_shares", "a", "shares", company="M&O") == blocks
    if 1 not in blocks:
        why = game.refused("4.2.5.2", "sell_shares", "a", company="M&O", shares=1)
        assert "after any further sale the money left over" in why


def test_later_single_sales_make_a_sale_legal() -> None:
    """R-AL-043, R-AL-194: after $50, two at once leave $60, one after the other $35, less than the cheapest."""
    game = with_two_dear_shares(420)
    assert game.values("sell_shares", "a", "company") == ["M&O", "ATN"]
    game.sell("a", "ATN", 1)
    assert game.values("sell_shares", "a", "shares", company="M&O") == [1]
    assert "price of the cheapest" in game.refused("4.2.5.2", "sell_shares", "a", company="M&O", shares=2)
    game.sell("a", "M&O", 1)
    game.sell("a", "M&O", 1)
    game.buy("WRA", "4D", 800)
    assert game.cash()["a"] == 35


def decatur(treasury: int, president: int, phase: str = "4") -> Alabama:
    """WRA owns New Decatur Yards: a new 4 for $150 instead of $300, a new 5 for $225 instead of $450."""
    return montgomery(treasury, president, phase).owns("WRA", "NDY")


def test_halved_train_is_bought_if_cheapest() -> None:
    """R-AL-173, R-AL-192: a 3 from the open market at $180 is cheaper than half of $450, not than half of
    $300: then the president adds $50, not $80 for the 3, nor $200."""
    game = decatur(100, 500, "5").pool("3").operating("WRA", "trains").game()
    assert list(game.train_deals("WRA")) == [("3", "pool", "", 180, 180)]
    sentence = game.no_deal("4.2.5.2", "NDY", "5", 225)
    assert "only for the cheapest train" in sentence
    assert "$180" in sentence
    game.buy("WRA", "3", 180, "pool")
    assert game.cash()["a"] == 420
    game = decatur(100, 500).pool("3").operating("WRA", "trains").game()
    assert not game.offered("buy_train", "WRA")
    assert "$150" in game.no_deal("4.2.5.2", "WRA", "4", 300)
    game.buy("NDY", "4", 150)
    assert (game.company("WRA").trains, game.cash()["a"]) == (["4"], 450)


def test_half_price_is_within_reach() -> None:
    """R-AL-191, R-AL-197: of a treasury; or with cash or after sales, which averts bankruptcy; where that is
    not enough, nothing does."""
    game = decatur(150, 500).operating("WRA", "trains").game()
    assert game.kinds() == ["buy_train"]
    assert "costs $300; WRA has $150" in game.no_deal("4.2.5", "WRA", "4", 300)
    game.buy("NDY", "4", 150)
    assert game.cash()["a"] == 500
    assert decatur(100, 50).operating("WRA", "trains").game().kinds() == ["buy_train"]
    seller = decatur(100, 0).start("ATN", 60, at=(3, 1), b=60, a=20)
    game = seller.operating("WRA", "trains").game()
    assert game.kinds() == ["sell_shares"]
    game.refused("4.2.5.2", "declare_bankruptcy", "WRA")
    assert decatur(100, 49).operating("WRA", "trains").game().kinds() == ["declare_bankruptcy"]


def after_sales(owner: str, treasury: int = 200) -> TitleGame:
    """A 4 for $300 is paid with two shares at $60; New Decatur Yards, which would halve its price, have this owner."""
    position = montgomery(treasury, 0, "4").cash(b=500).owns(owner, "NDY")
    game = position.start("ATN", 60, at=(1, 1), b=60, a=30).operating("WRA", "trains").game()
    game.sell("a", "ATN", 2)
    return game


@pytest.mark.parametrize("owner", ["a", "b"])
def test_half_price_after_sales_is_refused(owner: str) -> None:
    """R-AL-173, R-AL-194: $170 of the $120 and the treasury would be left over, or $110; a share brought $60."""
    game = after_sales(owner)
    sentence = game.refused("4.2.5.2", "buy_private", "WRA", private="NDY", price=60)
    assert "must be less than the price of the cheapest certificate" in sentence
    game.buy("WRA", "4", 300)
    assert game.cash()["a"] == 20


def test_half_price_after_small_sales() -> None:
    """R-AL-173, R-AL-194, R-AL-197: it saves who cannot raise $300, and of two shares $20 are left."""
    game = after_sales("b", 110)
    assert set(game.kinds()) == {"sell_shares", "declare_bankruptcy"}
    game.do("buy_private", "WRA", private="NDY", price=60)
    game.do("answer", "b", reply="agree")
    game.buy("NDY", "4", 150)
    assert game.cash()["a"] == 20


def private_for_sale(treasury: int, shares: int = 20) -> TitleGame:
    """A 4 costs $300; Ann has no cash, SNAR, and shares of ATN at $60, then $55; Bob has money."""
    position = montgomery(treasury, 0, "4").cash(b=500).owns("a", "SNAR")
    position.start("ATN", 60, at=(1, 1), b=60, a=shares)
    return position.operating("WRA", "trains").game()


def prices(game: TitleGame) -> list[int]:
    return [int(one) for one in game.values("sell_private", "a", "price", private="SNAR", buyer="b")]


def test_share_and_private_sold_for_a_train() -> None:
    """R-AL-194, R-AL-195: "any one certificate"; $100 - $60 is missing after the share. For $39 of $100 no
    share could follow, for $41 one can; or the private pays all on its own."""
    game = private_for_sale(200)
    game.sell("a", "ATN", 1)
    assert max(prices(game)) == 40 + 60 - 1
    sentence = game.refused("4.2.5.2", "sell_private", "a", private="SNAR", buyer="b", price=100)
    assert "the cheapest certificate you sell" in sentence
    game.do("sell_private", "a", private="SNAR", buyer="b", price=99)
    game.do("answer", "b", reply="agree")
    game.buy("WRA", "4", 300)
    assert game.cash()["a"] == 59
    game = private_for_sale(200)
    assert 30 not in prices(game)
    assert {41, 60, 99, 100, 500} <= set(prices(game))
    game.do("sell_private", "a", private="SNAR", buyer="b", price=41)
    game.do("answer", "b", reply="agree")
    assert game.table.turn.smallest_sale == 41
    game.sell("a", "ATN", 1)
    game.buy("WRA", "4", 300)
    assert game.cash()["a"] == 1


def test_bankruptcy_waits_for_no_buyer() -> None:
    """R-AL-195, R-AL-197: it is counted what stock brings; Bob may still save Ann."""
    game = private_for_sale(100)
    assert {"sell_private", "declare_bankruptcy"} <= set(game.kinds())
    game.do("sell_private", "a", private="SNAR", buyer="b", price=200)
    game.do("answer", "b", reply="agree")
    assert game.kinds() == ["buy_train"]


@pytest.mark.parametrize(("cash_of_cy", "at"), [(39, {}), (40, {"b": [60], "c": [40]})])
def test_privates_bring_what_others_can_pay(cash_of_cy: int, at: dict[str, list[int]]) -> None:
    """R-AL-194, R-AL-195: $100 are missing, and Bob has $60."""
    position = montgomery(200, 0, "4").cash(b=60, c=cash_of_cy).owns("a", "SNAR", "TR")
    game = position.operating("WRA", "trains").game()
    assert game.offered("sell_private", "a") is bool(at)
    for buyer, legal in at.items():
        assert game.values("sell_private", "a", "price", private="SNAR", buyer=buyer) == legal


def test_private_buys_no_train_of_another() -> None:
    """R-AL-192, R-AL-194, R-AL-195: all that it brought would be left over."""
    position = montgomery(200, 0, "4").cash(b=500).owns("a", "SNAR").start("TAG", 60, b=60)
    game = position.trains("TAG", "4").operating("WRA", "trains").game()
    assert list(game.train_deals("WRA")) == [("4", "TAG", "", 1, 200)]
    game.do("sell_private", "a", private="SNAR", buyer="b", price=100)
    game.do("answer", "b", reply="agree")
    assert list(game.train_deals("WRA")) == [("4", "bank", "", 300, 300)]
    assert "cannot buy another company's train" in game.no_deal("4.2.5.2", "WRA", "4", 200, "TAG")


def test_trains_that_are_not_for_sale() -> None:
    """R-AL-173, R-AL-181, R-AL-186 (4.2.5.1): obsolete ones, a second one of the bank, those it does not
    sell, and those that no private makes cheaper."""
    position = montgomery(900, 0, "7").start("TAG", 60, b=60).obsolete("TAG", "4")
    game = position.operating("WRA", "trains").game()
    assert "4-trains are obsolete: nobody can buy them" in game.no_deal("4.2.5", "WRA", "4", 1, "TAG")
    position = montgomery(700, 0, "3").start("TAG", 60, b=60).trains("TAG", "2")
    game = position.operating("WRA", "trains").game()
    game.buy("WRA", "3", 180)
    assert "has already bought a train from the bank this turn" in game.no_deal("4.2.5", "WRA", "3", 180)
    assert "No 4-train is for sale; the bank sells 3" in game.no_deal("4.2.5", "WRA", "4", 300)
    game = decatur(900, 0, "6").operating("WRA", "trains").game()
    why = game.no_deal("Table III", "NDY", "7", 350)
    assert "a train that the bank sells now, of type 3, 4, 5" in why
    game = decatur(900, 0).owns("WRA", "BLC").operating("WRA", "trains").game()
    assert "BLC gives WRA no discount on any train now" in game.no_deal("Table III", "BLC", "4", 150)


@pytest.mark.parametrize(("treasury", "waits"), [(210, True), (209, False)])
def test_train_step_waits_for_a_half_price(treasury: int, waits: bool) -> None:
    """R-AL-173, R-AL-200: $60 for New Decatur Yards, $150 for half a 4; WRA has a train."""
    position = montgomery(treasury, 0, "3").depot(t3=0).trains("WRA", "3").owns("b", "NDY")
    game = position.operating("WRA", "trains").game()
    assert (game.step_name() == "trains") is waits
    if waits:
        game.do("buy_private", "WRA", private="NDY", price=60)
        game.do("answer", "b", reply="agree")
        game.buy("NDY", "4", 150)
        assert game.company("WRA").cash == 0


def needing(missing: int, *dear: int) -> TitleGame:
    """WRA needs a 4D for $800; Ann has a share of ATN at $50, one of M&O at $105, and maybe one of TAG."""
    position = Alabama().phase("4D").cash(a=200 - missing).tiles(L5=("57", 2))
    position.start("WRA", 75, a=20, b=10, c=10, market=30).treasury("WRA", 600)
    position.start("ATN", 60, at=(3, 1), b=60, a=10).start("M&O", 105, b=60, a=10)
    for column in dear:
        position.start("TAG", 60, at=(1, column), b=60, a=10)
    return position.operating("WRA", "trains").game()


@pytest.mark.parametrize(("missing", "small"), [(105, False), (106, True), (155, True)])
def test_leftover_stays_below_the_smallest_share(missing: int, small: bool) -> None:
    """R-AL-194: 50 and 105 for 105 leave 50, the dear share alone nothing; for 106 they leave 49."""
    game = needing(missing)
    assert ("ATN" in game.values("sell_shares", "a", "company")) is small
    if not small:
        game.refused("4.2.5.2", "sell_shares", "a", company="ATN", shares=1)
        game.sell("a", "M&O")
        assert not game.offered("sell_shares", "a")


def test_exact_or_small_shares_are_sold() -> None:
    """R-AL-194: 50 and 105 for 155, although one at more than 155 would do. After one at 50 for 140, one more
    at 105 leaves 15, which is below 50; one at 200 would leave 110."""
    for first, second in (("ATN", "M&O"), ("M&O", "ATN")):
        game = needing(155, 11)
        assert game.price("TAG") > 155
        assert set(game.values("sell_shares", "a", "company")) == {"ATN", "M&O", "TAG"}
        game.do("sell_shares", "a", company=first, shares=1)
        assert game.table.turn.smallest_sale is not None
        game.do("sell_shares", "a", company=second, shares=1)
        assert not game.offered("sell_shares", "a")
        game.buy("WRA", "4D", 800)
        assert game.cash()["a"] == 0
    game = needing(140, 12)
    game.sell("a", "ATN", 1)
    assert game.values("sell_shares", "a", "company") == ["M&O"]


def test_private_pays_what_shares_need_not() -> None:
    """R-AL-194: $105 are missing, what the share brings; the private brings them alone, or nothing at all."""
    place = Alabama().phase("4D").cash(a=95, b=200, c=0).tiles(L5=("57", 2)).owns("a", "BLC")
    place.start("WRA", 75, a=20, b=10, c=10, market=30).treasury("WRA", 600)
    game = place.start("M&O", 105, b=60, a=10).operating("WRA", "trains").game()
    assert game.values("sell_private", "a", "buyer", private="BLC") == ["b"]
    assert game.values("sell_private", "a", "price", private="BLC", buyer="b") == [*range(105, 201)]
