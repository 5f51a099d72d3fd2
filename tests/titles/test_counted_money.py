"""Dollars and certificates that are counted, and told, exactly: sales, capital, limits, bids, forced purchases."""

from typing import Any

import pytest
from alabama import Alabama, owner
from builders import Position, cash, company, do, domain, new_game, passes, refused, tell, values
from test_forced_money import lehigh

from engine.core.events import CompanyClosed, Floated, MadeObsolete, Passed, Proposed
from engine.core.ids import Cell
from engine.core.offers import Domain
from engine.game import Game
from engine.play.shares.closing import close_company
from engine.play.shares.limits import must_sell
from engine.play.steps.base import Wish
from engine.play.trains.obstacles import why_nothing
from engine.play.trains.prices import by_private


def told(game: Game, found: Domain) -> list[str]:
    """What the choices are called."""
    return [tell(game).say(choice.label) for choice in found.choices()]


# --- shares --------------------------------------------------------------------------------------------------------


def test_a_block_is_offered_with_what_it_brings_and_who_takes_the_presidency() -> None:
    """R-CH-052, R-CH-060 (10.2): the price before the sale for each share."""
    game = Position().phase("3").start("PRR", 80, a=40, b=30).game()
    assert told(game, domain(game, "sell_shares", "a", "shares", company="PRR")) == [
        "1 for $80, price 80 → 75",
        "2 for $160, price 80 → 70, Bob becomes president",
        "3 for $240, price 80 → 65, Bob becomes president",
        "4 for $320, price 80 → 65, Bob becomes president",
    ]


def test_a_certificate_that_nobody_takes_is_the_reason_when_the_market_would_be_just_full() -> None:
    """R-CH-051, R-CH-061 (10.2, 10.3): half of a company may lie in the market."""
    game = Position().phase("3").start("PRR", 80, a=30, b=10, market=30).game()
    assert "Nobody else holds the 20 %" in refused(game, "10.3", "sell_shares", "a", company="PRR", shares=2)


def test_a_full_market_is_told_with_what_one_more_share_would_make() -> None:
    """R-CH-051 (10.2)"""
    game = Position().phase("3").start("PRR", 80, a=30, b=10, market=50).start("LV", 95, a=20, b=20).game()
    assert "would make 60 %" in refused(game, "10.2", "sell_shares", "a", company="PRR", shares=1)


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
def test_whoever_is_above_the_limit_sells_the_one_share_that_brings_him_nearer(
    price: Cell, shares: dict[str, int]
) -> None:
    """R-CH-057 (10.1): after it LV stands in the yellow zone, or he keeps the certificate and one share less."""
    game = crowded(price, **shares).game()
    due = must_sell(game.table, "a")
    assert due is not None
    assert due.name == "limits.sell_certificates"


def test_who_cannot_come_nearer_to_the_limit_by_selling_need_not() -> None:
    """R-CH-057 (10.1): the one share on sale takes the presidency along and leaves as many certificates."""
    game = crowded((5, 3), a=20, b=20, market=40).game()
    assert must_sell(game.table, "a") is None


# --- the auction ---------------------------------------------------------------------------------------------------


def test_a_bid_refused_is_told_the_least_raise_and_the_money_left() -> None:
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


def test_a_bid_of_18al_refused_is_told_to_be_in_whole_dollars() -> None:
    """R-AL-022 (3.1(b))"""
    game = new_game(3, title="18al")
    second = list(game.table.state.privates)[1]
    sentence = refused(game, "3.1", "bid", "a", private=second, amount=1000)
    assert "is in whole dollars" in sentence
    assert "within the $600" in sentence


def test_privates_are_offered_at_their_price_or_from_the_least_bid_on() -> None:
    """R-CH-020, R-CH-021 (9)"""
    game = new_game(3)
    offered = told(game, domain(game, "bid", "a", "private"))
    values_of = [one.value for one in game.table.spec.privates.values()]
    assert offered[0].endswith(f": buy for ${values_of[0]}")
    assert [label.partition(": ")[2] for label in offered[1:]] == [
        f"bid at least ${value + 5}" for value in values_of[1:]
    ]


def test_who_has_no_money_for_a_bid_is_told_so() -> None:
    """R-CH-022 (9)"""
    game = new_game(3)
    game.table.state.player("b").cash = 0
    passes(game, "a")
    first = next(iter(game.table.state.privates))
    assert "not enough cash left for any bid" in refused(game, "9", "bid", "b", private=first, amount=20)
    assert "Only bids and passes" in refused(game, "9", "sell_shares", "b", company="PRR", shares=1)


# --- the forced purchase -------------------------------------------------------------------------------------------


def test_one_of_two_privates_may_be_sold_for_a_dollar() -> None:
    """R-AL-195 (4.2.5.2): the other can still bring what is missing."""
    position = Alabama().phase("4").cash(a=50, b=300).tiles(L5=("57", 2)).owns("a", "NDY", "BLC")
    game = position.start("WRA", 60, a=60, b=20).treasury("WRA", 100).operating("WRA", "trains").game()
    asked = do(game, "sell_private", "a", private="BLC", buyer="b", price=1)
    assert sum(isinstance(event, Proposed) for event in asked) == 1
    do(game, "answer", "b", reply="agree")
    assert (owner(game, "BLC"), cash(game)["a"], cash(game)["b"]) == ("b", 51, 299)


def test_a_private_sold_for_all_the_money_of_the_buyer_may_leave_too_much() -> None:
    """R-AL-195 (4.2.5.2): $90 is missing and a share has brought $60."""
    position = Alabama().phase("4").cash(a=50, b=150).tiles(L5=("57", 2)).owns("a", "NDY")
    game = position.start("WRA", 60, a=60, b=20).treasury("WRA", 100).operating("WRA", "trains").game()
    do(game, "sell_shares", "a", company="WRA", shares=1)
    sentence = refused(game, "4.2.5.2", "sell_private", "a", private="NDY", buyer="b", price=150)
    assert "what is left afterwards has to be less" in sentence


def test_a_train_agreed_on_is_paid_by_shares_of_several_companies() -> None:
    """R-CH-152 (11.8): what others still bring counts, whatever is sold first."""
    position = lehigh(0, 0).start("C&O", 95, at=(2, 4), b=40, a=30).start("N&W", 80, c=60)
    game = position.trains("N&W", "4").game()
    do(game, "buy_train", "LV", train="4", source="N&W", trade_in="", price=300)
    do(game, "answer", "c", reply="agree")
    assert values(game, "sell_shares", "a", "company") == ["PRR", "C&O"]
    assert values(game, "sell_shares", "a", "shares", company="C&O") == [1, 2, 3]
    do(game, "sell_shares", "a", company="PRR", shares=1)
    do(game, "sell_shares", "a", company="C&O", shares=3)
    assert company(game, "LV").trains == ["4"]
    assert cash(game)["a"] == 90 * 4 - 300


def test_a_train_agreed_on_waits_for_the_last_dollar() -> None:
    """R-CH-152 (11.8)"""
    game = lehigh(0, 79).start("N&W", 80, c=60).trains("N&W", "4").game()
    do(game, "buy_train", "LV", train="4", source="N&W", trade_in="", price=80)
    do(game, "answer", "c", reply="agree")
    assert company(game, "LV").trains == []
    do(game, "sell_shares", "a", company="PRR", shares=1)
    assert company(game, "LV").trains == ["4"]
    assert cash(game)["a"] == 79 + 90 - 80


def test_a_dollar_is_told_to_sell_the_last_share_in_vain() -> None:
    """R-CH-152 (11.8): after a sale for the bank's train, another company's has to cost more than was there before."""
    position = lehigh(30, 50).start("C&O", 95, at=(2, 4), b=40, a=30).start("N&W", 80, c=60)
    game = position.trains("N&W", "4").game()
    do(game, "sell_shares", "a", company="C&O", shares=1)
    deal: dict[str, Any] = {"train": "4", "source": "N&W", "trade_in": ""}
    assert "the last share would have been sold in vain: there were $80" in refused(
        game, "11.8", "buy_train", "LV", **deal, price=1
    )
    assert "a whole number of dollars" in refused(game, "11.7", "buy_train", "LV", **deal, price=0)


def test_a_company_that_can_buy_no_train_is_told_why() -> None:
    """R-CH-150 (11.8): whichever train was meant, it is about the cheapest one, as long as there is any."""
    game = lehigh(409, 0).game()
    why = game.why_not(Wish("buy_train", "a", "LV", {}))
    assert why is not None
    assert (why.reason.name, why.reason.values["price"]) == ("forced.not_enough", 500)
    game.table.state.depot.update(dict.fromkeys(game.table.state.depot, 0))
    assert why_nothing(game.table).name == "trains.none_left"


@pytest.mark.parametrize(("profile", "sources"), [("rulebook", ["bank"]), ("18xx.games", ["bank", "pool"])])
def test_a_train_of_the_pool_is_cheaper_by_a_private_under_the_other_profile_only(
    profile: str, sources: list[str]
) -> None:
    """D-AL-10 (Table III)"""
    position = Alabama(profile=profile).phase("4").start("WRA", 60, a=60, b=20).owns("WRA", "NDY")
    game = position.trains("WRA", "4").pool("3", "4").treasury("WRA", 500).operating("WRA", "trains").game()
    deals = by_private(game.table)["NDY"]
    assert list(dict.fromkeys(deal.source for deal in deals)) == sources
    assert {(deal.train, deal.low) for deal in deals} == {("4", 150)} | (
        {("3", 90)} if "pool" in sources else set()
    )


def test_a_train_that_is_not_cheaper_by_a_private_is_refused_with_those_that_are() -> None:
    """R-AL-173 (Table III)"""
    position = Alabama().phase("4").start("WRA", 60, a=60, b=20).owns("WRA", "NDY").trains("WRA", "4")
    game = position.pool("2").treasury("WRA", 500).operating("WRA", "trains").game()
    deal: dict[str, Any] = {"source": "pool", "trade_in": "", "price": 50}
    assert "NDY is good for one new train" in refused(game, "", "buy_train", "NDY", train="2", **deal)


def test_trains_become_obsolete_once() -> None:
    """R-AL-185 (4.2.5.1): it is told once who may run them once more."""
    position = Alabama().phase("6").depot(t6=0).start("TAG", 60, a=60).start("ABC", 60, b=60)
    position.trains("ABC", "4").treasury("TAG", 700).operating("TAG", "trains")
    happened = do(position.game(), "buy_train", "TAG", train="7", source="bank", trade_in="", price=700)
    assert [e for e in happened if isinstance(e, MadeObsolete)] == [MadeObsolete("4", ("ABC",), ())]


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
def test_a_pass_in_a_contest_is_told_as_leaving_it_only_where_it_is_final(title: str, declined: str) -> None:
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
