"""Dollars at the edge: just enough, one too few, and what a sale for a train has brought (11.7, 11.8)."""

from typing import Any

import pytest

from engine.core.events import PriceReduced, SharesSold, WentBankrupt
from engine.game import Game
from tests.titles.builders import (
    Position,
    cash,
    company,
    do,
    find,
    kinds,
    new_game,
    offered,
    on_turn,
    passes,
    refused,
    round_name,
    train_deals,
    values,
)
from tests.titles.t18al.alabama import Alabama


def lehigh(treasury: int, president: int) -> Position:
    """LV without a train but with a route; the bank's cheapest train costs $500, and Ann has one share at $90."""
    position = (
        Position()
        .phase("5")
        .start("LV", 95, a=20, b=10, c=10, market=30)
        .tile("J2", "57", 1)
        .treasury("LV", treasury)
    )
    position.start("PRR", 95, at=(2, 4), b=40, a=10).cash(a=president)
    return position.operating("LV", "trains")


def deals(game: Game, name: str, source: str) -> list[tuple[str, str, int, int]]:
    """What a company may buy from one seller: train, train handed in, lowest and highest price."""
    found = train_deals(game, name)
    return [(train, handed, low, high) for train, seller, handed, low, high in found if seller == source]


# --- who pays, and who sells --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("treasury", "president", "expected"), [
    (500, 400, {"buy_train"}),
    (499, 1, {"buy_train"}),
    (499, 0, {"sell_shares"}),
    (410, 0, {"sell_shares"}),
    (210, 200, {"sell_shares"}),
    (209, 200, {"sell_shares", "declare_bankruptcy"}),
    (409, 0, {"sell_shares", "declare_bankruptcy"}),
])  # fmt: skip
def test_sales_and_bankruptcy_come_only_when_a_dollar_is_missing(
    treasury: int, president: int, expected: set[str]
) -> None:
    """R-CH-150 to 154 (11.8): the treasury first, then the president's cash, then their share for $90, then nothing."""
    game = lehigh(treasury, president).game()
    assert set(kinds(game)) == expected


def test_a_treasury_that_just_pays_takes_nothing_from_the_president() -> None:
    """R-CH-150 (11.8)"""
    game = lehigh(500, 400).start("N&W", 80, c=60).trains("N&W", "6").game()
    assert deals(game, "LV", "N&W") == [("6", "", 1, 500)]
    do(game, "buy_train", "LV", train="5", source="bank", trade_in="", price=500)
    assert (company(game, "LV").cash, cash(game)["a"]) == (0, 400)


def test_a_president_sells_nothing_while_the_treasury_pays_the_cheapest_train() -> None:
    """R-CH-152 (11.8): although another company's train would cost more."""
    game = lehigh(500, 0).start("N&W", 80, c=60).trains("N&W", "6").game()
    assert set(kinds(game)) == {"buy_train"}


def test_no_more_shares_are_sold_than_the_train_needs() -> None:
    """R-CH-152 (11.8): $90 are missing, one share brings them."""
    position = lehigh(410, 0).start("C&O", 95, at=(2, 4), b=40, a=30)
    assert values(position.game(), "sell_shares", "a", "shares", company="C&O") == [1]


def test_the_rule_of_18al_on_what_is_left_over_is_not_one_of_18chesapeake() -> None:
    """R-CH-152 (11.8): for $90 any one share may be sold, for more than is missing or for less."""
    position = lehigh(410, 0).start("C&O", 70, b=40, a=10).start("N&W", 95, at=(1, 8), b=40, a=10)
    assert values(position.game(), "sell_shares", "a", "company") == ["PRR", "C&O", "N&W"]


def test_a_train_of_another_company_does_not_make_a_president_of_18al_sell_more() -> None:
    """R-AL-192, R-AL-194: the president's money buys trains of the bank only, here for $300."""
    position = Alabama().phase("4").cash(a=150).tiles(L5=("57", 2)).start("WRA", 60, a=60, b=20)
    position.treasury("WRA", 100).start("TAG", 60, b=60).trains("TAG", "7")
    position.start("M&O", 105, b=50, a=30)
    game = position.operating("WRA", "trains").game()
    assert values(game, "sell_shares", "a", "shares", company="M&O") == [1]
    do(game, "sell_shares", "a", company="M&O", shares=1)
    assert not offered(game, "sell_shares", "a")


def test_privates_are_sold_for_a_train_in_18al_only() -> None:
    """R-CH-151 (11.8), R-AL-195 (4.2.5.2)"""
    position = Position().phase("4").start("LV", 95, a=60).tile("J2", "57", 1).treasury("LV", 30)
    game = position.cash(a=0, b=500).owns("a", "D&R").operating("LV", "trains").game()
    assert set(kinds(game)) == {"sell_shares"}


@pytest.mark.parametrize(("president", "sold"), [(199, True), (200, False)])
def test_privates_are_sold_only_while_money_is_missing(president: int, sold: bool) -> None:
    """R-AL-195 (4.2.5.2): the president's cash comes first."""
    position = Alabama().phase("4").cash(a=president, b=300).tiles(L5=("57", 2)).owns("a", "NDY")
    game = position.start("WRA", 60, a=60, b=20).treasury("WRA", 100).operating("WRA", "trains").game()
    assert offered(game, "sell_private", "a") is sold


# --- no share is sold in vain --------------------------------------------------------------------------------------


def selling(count: int) -> Game:
    """Ann with $50 sells of her three shares at $90; LV has $30, and a train of N&W costs up to $300 or $500."""
    position = lehigh(30, 50).start("C&O", 95, at=(2, 4), b=40, a=30).start("N&W", 80, c=60)
    game = position.trains("N&W", "4").game()
    do(game, "sell_shares", "a", company="C&O", shares=count)
    return game


@pytest.mark.parametrize(("count", "low", "high"), [(1, 81, 300), (2, 171, 300), (3, 261, 300)])
def test_a_train_of_another_company_must_need_the_last_share_sold_for_it(
    count: int, low: int, high: int
) -> None:
    """R-CH-152 (11.8): more than there was before that share, and at most what can be raised, or face value."""
    assert deals(selling(count), "LV", "N&W") == [("4", "", low, high)]


def there(treasury: int, president: int, *trains: str, others: tuple[str, ...] = ("4",)) -> Game:
    """On 18xx.games: LV with a route, Ann with three shares of C&O at $90; N&W has a 4 of face value $300."""
    position = Position(profile="18xx.games").phase("5").tile("J2", "57", 1).trains("LV", *trains)
    position.start("LV", 95, a=20, b=10, c=10, market=30).treasury("LV", treasury)
    position.start("C&O", 95, at=(2, 4), b=40, a=30).start("N&W", 80, c=60).trains("N&W", *others)
    return position.cash(a=president).operating("LV", "trains").game()


@pytest.mark.parametrize(("count", "low", "high"), [(1, 81, 170), (2, 171, 260), (3, 261, 300)])
def test_on_that_site_another_companys_train_needs_the_last_share_sold_in_the_turn(
    count: int, low: int, high: int
) -> None:
    """D-AL-23, D-CH-22, D-TN-20: more than there would be without it, at most what there is, or face value."""
    game = there(30, 50)
    do(game, "sell_shares", "a", company="C&O", shares=count)
    assert deals(game, "LV", "N&W") == [("4", "", low, high)]


def test_on_that_site_a_share_sold_in_vain_leaves_only_the_banks_trains() -> None:
    """D-AL-23, D-CH-22, D-TN-20: without it there were $430, and the 4 is worth $300."""
    game = there(30, 400)
    do(game, "sell_shares", "a", company="C&O", shares=1)
    assert [source for _, source, *_ in train_deals(game, "LV")] == ["bank"]
    request: dict[str, Any] = {"train": "4", "source": "N&W", "trade_in": "", "price": 1}
    assert "sold in vain" in refused(game, "11.8", "buy_train", "LV", **request)


def test_on_that_site_a_treasury_that_pays_a_train_is_free_of_what_was_sold() -> None:
    """D-AL-23, D-CH-22, D-TN-20: LV has the $300 of the 4 without any help; after it the share still counts."""
    game = there(300, 150, others=("4", "6"))
    do(game, "sell_shares", "a", company="C&O", shares=1)
    assert sorted(deals(game, "LV", "N&W")) == [("4", "", 1, 300), ("6", "", 451, 540)]
    do(game, "buy_train", "LV", train="4", source="N&W", trade_in="", price=100)
    do(game, "answer", "c", reply="agree")
    assert set(kinds(game)) == {"sell_shares", "pass"}
    request: dict[str, Any] = {"train": "6", "source": "N&W", "trade_in": "", "price": 200}
    assert "sold in vain" in refused(game, "11.8", "buy_train", "LV", **request)


def test_on_that_site_a_step_without_need_stays_open_after_a_sale() -> None:
    """D-AL-23, D-CH-22, D-TN-20: nothing can be bought any more, yet more may be sold."""
    game = there(50, 300, "4")
    do(game, "sell_shares", "a", company="C&O", shares=1)
    assert set(kinds(game)) == {"sell_shares", "pass"}


@pytest.mark.parametrize(("step", "kept"), [("track", 10), ("trains", 0)])
def test_who_is_bankrupt_before_the_train_step_sells_nothing_on_that_site(step: str, kept: int) -> None:
    """D-AL-24, D-CH-23, D-TN-21: the share stays, and is worth $90 to Ann at the end."""
    position = (
        Position(profile="18xx.games").phase("5").tile("J2", "57", 1).start("PRR", 95, at=(2, 4), b=40, a=10)
    )
    game = (
        position.start("LV", 70, a=40, b=40, c=20).treasury("LV", 30).cash(a=0).operating("LV", step).game()
    )
    do(game, "declare_bankruptcy", "LV")
    assert game.over
    assert company(game, "PRR").percent("a") == kept


def test_after_a_refusal_the_price_still_needs_the_share_that_was_sold() -> None:
    """R-CH-152 (11.8): for less than was there before, it would have been sold in vain."""
    game = selling(1)
    do(game, "buy_train", "LV", train="4", source="N&W", trade_in="", price=170)
    do(game, "answer", "c", reply="refuse")
    assert deals(game, "LV", "N&W") == [("4", "", 81, 300)]


def test_after_a_purchase_earlier_sales_are_forgotten() -> None:
    """R-CH-153 (11.8): they were for the train that has been bought."""
    game = selling(3)
    do(game, "buy_train", "LV", train="4", source="N&W", trade_in="", price=300)
    do(game, "answer", "c", reply="agree")
    turn = game.table.turn
    assert (turn.funds_before_last_share, turn.smallest_sale) == (None, None)


# --- just enough -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("treasury", "diesels"), [(700, ["4", "5"]), (699, [])])
def test_a_trade_in_costs_all_the_treasury_at_most(treasury: int, diesels: list[str]) -> None:
    """R-CH-145 (11.7)"""
    position = Position().phase("6").depot(t6=1).start("LV", 95, a=60).trains("LV", "4", "5")
    game = position.treasury("LV", treasury).operating("LV", "trains").game()
    found = list(train_deals(game, "LV")) if offered(game, "buy_train", "LV") else []
    assert [handed for train, _, handed, _, _ in found if train == "D"] == diesels


def test_only_trains_of_bank_and_pool_are_suggested() -> None:
    """What another company asks is for the two to agree on, even where there is only one price."""
    position = Position().phase("3").start("LV", 95, a=60).start("PRR", 80, b=60).trains("PRR", "3")
    position.pool("2").treasury("LV", 180).operating("LV", "trains")
    rich = [found.chosen["source"] for found in find(position.game(), "buy_train", "LV").suggest()]
    assert rich == ["bank", "pool"]
    poor = position.treasury("LV", 1).game()
    assert deals(poor, "LV", "PRR") == [("3", "", 1, 1)]
    assert list(find(poor, "buy_train", "LV").suggest()) == []


@pytest.mark.parametrize(("profile", "sources"), [("rulebook", ["bank"]), ("18xx.games", ["bank", "pool"])])
def test_a_diesel_of_the_pool_is_traded_for_under_the_other_profile_only(
    profile: str, sources: list[str]
) -> None:
    """R-CH-145 (11.7)"""
    position = Position(profile=profile).phase("D").pool("D").start("LV", 95, a=60).trains("LV", "5")
    game = position.treasury("LV", 700).operating("LV", "trains").game()
    assert [seller for _, seller, handed, _, _ in train_deals(game, "LV") if handed == "5"] == sources


def reduced(treasury: int, president: int, *trains: str) -> Game:
    """WRA has the private that halves the price of a train: 4-trains cost it $150, and one lies in the pool."""
    position = Alabama().phase("4").cash(a=president).tiles(L5=("57", 2)).start("WRA", 60, a=60, b=20)
    position.treasury("WRA", treasury).trains("WRA", *trains).pool("3").owns("WRA", "NDY")
    return position.operating("WRA", "trains").game()


@pytest.mark.parametrize(
    ("treasury", "president", "trains", "possible"),
    [
        (150, 0, ("3",), True),
        (149, 0, ("3",), False),
        (149, 900, ("3",), False),
        (100, 50, (), True),
        (100, 49, (), False),
    ],
)
def test_a_reduced_train_is_bought_with_the_presidents_money_only_when_forced(
    treasury: int, president: int, trains: tuple[str, ...], possible: bool
) -> None:
    """R-AL-192 (4.2.5.2), the reduced price of 1.4."""
    game = reduced(treasury, president, *trains)
    assert offered(game, "buy_train", "NDY") is possible
    assert offered(game, "pass", "WRA") is bool(trains and possible)
    if possible:
        assert deals_by_private(game) == [("4", "bank", 150)]
        do(game, "buy_train", "NDY", train="4", source="bank", trade_in="", price=150)
        assert company(game, "WRA").cash + cash(game)["a"] == treasury + president - 150
        assert game.table.state.privates["NDY"].closed


def deals_by_private(game: Game) -> list[tuple[str, str, int]]:
    """What the private makes possible."""
    [train] = values(game, "buy_train", "NDY", "train")
    [source] = values(game, "buy_train", "NDY", "source", train=train)
    [price] = values(game, "buy_train", "NDY", "price", train=train, source=source, trade_in="")
    assert isinstance(price, int)
    return [(train, source, price)]


# --- bankruptcy ------------------------------------------------------------------------------------------------------


def test_what_a_bankrupt_president_loses_is_in_the_events() -> None:
    """R-CH-154, R-CH-181 (11.8, 12): the sales the president had left, and their cash, which goes to the bank."""
    game = lehigh(30, 50).game()
    bank = game.table.state.bank
    happened = do(game, "declare_bankruptcy", "LV")
    assert [event for event in happened if isinstance(event, SharesSold)] == [
        SharesSold("a", "PRR", 1, 90, 90, game.table.price(company(game, "PRR")))
    ]
    assert [event for event in happened if isinstance(event, WentBankrupt)] == [WentBankrupt("a", "LV")]
    assert (cash(game)["a"], game.table.state.bank) == (0, bank + 50)
    assert company(game, "LV").cash == 30


# --- who has passed ---------------------------------------------------------------------------------------------------


def test_the_auction_continues_until_all_have_passed_after_the_last_bid() -> None:
    """18Chesapeake 9: all, the bidder included."""
    game = new_game(3)
    passes(game, "a", "b")
    do(game, "bid", "c", private="CV", amount=205)
    passes(game, "a", "b")
    assert game.table.auction.passes == 2
    assert game.table.auction.discount == 0
    passes(game, "c")
    assert game.table.auction.discount > 0


def test_the_auction_continues_until_all_have_passed_after_a_purchase() -> None:
    """18Chesapeake 9: a buyer has not passed, and the price of the first falls for all to hear."""
    game = new_game(3)
    passes(game, "a", "b")
    happened = do(game, "pass", "c")
    assert [event for event in happened if isinstance(event, PriceReduced)] == [PriceReduced("D&R", 15)]
    passes(game, "a", "b")
    do(game, "bid", "c", private="D&R", amount=15)
    assert (game.table.auction.passes, cash(game)["c"]) == (0, 785)


def test_the_stock_round_continues_until_all_have_passed_after_the_last_purchase() -> None:
    """18Chesapeake 10: a purchase is no pass, and the player to the left of it begins the next round."""
    position = Position().phase("3").start("PRR", 80, c=50).cash(a=500, b=500, c=500)
    game = position.game()
    passes(game, "a")
    do(game, "buy_share", "b", company="PRR", source="offering")
    passes(game, "c", "a")
    assert (round_name(game), on_turn(game)) == ("SR 2", "b")
    passes(game, "b")
    assert round_name(game) == "OR 2.1"
    assert game.table.state.priority == game.table.state.seat("c")
