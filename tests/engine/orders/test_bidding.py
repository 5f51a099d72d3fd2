"""Sealed maximum bids: as little as is needed, never above the maximum, the earlier order wins ties."""

import pytest

from engine.core.actions import Bid, Pass
from engine.core.events import PriceReduced
from engine.game import Game
from engine.orders import Move, Standing, Stopped, stopped, would_do
from engine.orders.auction_orders import limit_of
from engine.orders.order_kinds import BidUpTo, Seal
from engine.play.privates.auction import on_sale
from tests.titles.builders import do, new_game, passes


def sealed(number: int, player: str, private: str, most: int, then: str = "pass") -> Standing:
    return Standing(number, player, BidUpTo(private=private, most=most, then=then), 0)  # type: ignore[arg-type]


def settled(game: Game, orders: list[Standing]) -> list[Bid | Pass]:
    """Let the orders act until somebody has to decide; what they did."""
    made: list[Bid | Pass] = []
    while True:
        ended = {one.order for one in stopped(game, orders, ())}
        orders = [one for one in orders if one.number not in ended]
        found = next((d for p in game.actors() if isinstance(d := would_do(game, p, orders), Move)), None)
        if found is None:
            return made
        made.append(found.walk.action())  # type: ignore[arg-type]
        game.play(found.walk)


def contested() -> Game:
    """Ann has bid $45 on the C-P, Bob $50, and Cy has bought the D&R: the two bidders fight for it."""
    game = new_game(3)
    do(game, "bid", "a", private="C-P", amount=45)
    do(game, "bid", "b", private="C-P", amount=50)
    do(game, "bid", "c", private="D&R", amount=20)
    assert game.table.auction.contested == "C-P"
    return game


def test_the_cheapest_is_bought_at_its_price() -> None:
    """No more is paid than is asked."""
    game = new_game(3)
    found = would_do(game, "a", [sealed(1, "a", "D&R", 60)])
    assert isinstance(found, Move)
    assert found.walk.action() == Bid(actor="a", entity="a", private="D&R", amount=20)
    assert found.order == 1


def test_a_bid_is_the_least_that_is_possible() -> None:
    game = new_game(3)
    do(game, "bid", "a", private="CV", amount=205)
    found = would_do(game, "b", [sealed(1, "b", "CV", 300)])
    assert isinstance(found, Move)
    assert found.walk.action() == Bid(actor="b", entity="b", private="CV", amount=210)


def test_once_all_have_passed_everybody_decides_again() -> None:
    """Else orders would pass until all is cheap and bought for nothing, and nobody would have been asked."""
    game = new_game(3)
    orders = [
        sealed(n, player, "CV", most) for n, player, most in ((1, "a", 240), (2, "b", 225), (3, "c", 265))
    ]
    for _ in range(60):
        found = next((d for p in game.actors() if isinstance(d := would_do(game, p, orders), Move)), None)
        assert found is not None
        events = game.play(found.walk)
        ended = {one.order for one in stopped(game, orders, events)}
        orders = [one for one in orders if one.number not in ended]
        if not orders:
            break
    assert orders == []
    assert sum(isinstance(event, PriceReduced) for event in events) == 1
    assert game.table.state.privates["D&R"].owner is None


def test_a_round_in_which_all_have_passed_ends_such_orders_too() -> None:
    """Where privates are sold in stock rounds, one round after the other would go by with nobody asked."""
    game = new_game(3, title="18tn")
    private = on_sale(game.table)[-1]
    orders = [sealed(n, player, private, 10) for n, player in enumerate(("a", "b", "c"), start=1)]
    for _ in range(3):
        found = next((d for p in game.actors() if isinstance(d := would_do(game, p, orders), Move)), None)
        assert found is not None
        events = game.play(found.walk)
    assert {one.order for one in stopped(game, orders, events)} == {1, 2, 3}


def test_an_order_that_asks_outlives_a_round_of_passes() -> None:
    """Its owner is asked anyway; only orders that pass could go round without anybody."""
    game = new_game(3)
    orders = [sealed(1, "b", "CV", 100, "ask"), sealed(2, "c", "CV", 100)]
    passes(game, "a", "b")
    assert [one.order for one in stopped(game, orders, do(game, "pass", "c"))] == [2]


def test_maxima_are_equal_between_two_raises_above_the_bid_that_lies() -> None:
    """18AL: bids are whole dollars, so raises need not end in 5 or 0."""
    game = new_game(3, title="18al")
    do(game, "bid", "a", private="SNAR", amount=46)
    earlier = sealed(1, "b", "SNAR", 59)
    limits = [
        limit_of(game.table, later, "SNAR", [earlier, later])
        for later in (sealed(2, "c", "SNAR", most) for most in (60, 61))
    ]
    assert limits == [55, 61]


def test_an_order_asks_nobody_who_does_not_act() -> None:
    game = contested()
    assert would_do(game, "b", [sealed(1, "b", "C-P", 10, "ask")]) is None


def test_who_leads_does_not_bid_against_themselves() -> None:
    game = new_game(3)
    do(game, "bid", "a", private="CV", amount=205)
    passes(game, "b", "c")
    assert would_do(game, "a", [sealed(1, "a", "CV", 300, "ask")]) is None
    found = would_do(game, "a", [sealed(1, "a", "CV", 300)])
    assert isinstance(found, Move)
    assert found.walk.offer.kind == "pass"


def test_above_the_maximum_it_passes_or_asks() -> None:
    game = contested()
    assert game.actors() == ("a",)
    found = would_do(game, "a", [sealed(1, "a", "C-P", 54)])
    assert isinstance(found, Move)
    assert found.walk.offer.kind == "pass"
    asks = would_do(game, "a", [sealed(1, "a", "C-P", 54, "ask")])
    assert isinstance(asks, Stopped)
    assert asks.why.name == "order.beyond"


def test_a_contest_between_two_maxima_ends_at_once_at_the_price_of_an_open_one() -> None:
    game = contested()
    made = settled(game, [sealed(1, "a", "C-P", 100), sealed(2, "b", "C-P", 70)])
    assert game.table.state.privates["C-P"].owner == "a"
    assert [one.amount for one in made if isinstance(one, Bid)] == [55, 60, 65, 70, 75]


@pytest.mark.parametrize("earlier", ["a", "b"])
def test_of_two_equal_maxima_the_earlier_order_wins(earlier: str) -> None:
    """Whichever happens to be the first to reach it."""
    for most in (70, 75):
        game = contested()
        later = "b" if earlier == "a" else "a"
        made = settled(game, [sealed(1, earlier, "C-P", most), sealed(2, later, "C-P", most)])
        assert game.table.state.privates["C-P"].owner == earlier
        assert max(one.amount for one in made if isinstance(one, Bid)) <= most


@pytest.mark.parametrize(("earlier", "later"), [(150, 150), (150, 154), (154, 150)])
def test_maxima_less_than_a_raise_apart_are_equal(earlier: int, later: int) -> None:
    """18AL, where bids are of whole dollars: the earlier order wins, not the one that happens to reach it first."""
    for first in ("a", "b"):
        game = new_game(3, title="18al")
        do(game, "bid", "a", private="NDY", amount=125)
        do(game, "bid", "b", private="NDY", amount=130)
        orders = [sealed(1, first, "NDY", earlier), sealed(2, "b" if first == "a" else "a", "NDY", later)]
        for private in ("TR", "SNAR", "BLC", "M&C"):
            found = would_do(game, game.actors()[0], orders)
            while isinstance(found, Move):
                game.play(found.walk)
                found = would_do(game, game.actors()[0], orders)
            game.apply(
                Bid(actor="c", entity="c", private=private, amount=game.rules.spec.privates[private].value)
            )
        settled(game, orders)
        assert game.table.state.privates["NDY"].owner == first


def test_what_lies_on_top_is_bought_by_whoever_comes_first() -> None:
    """There are no bids to tie: a player who learnt that their order does not buy would know the maximum of another."""
    game = new_game(3)
    found = would_do(game, "a", [sealed(1, "b", "D&R", 20), sealed(2, "a", "D&R", 20, "ask")])
    assert isinstance(found, Move)
    assert found.order == 2


def test_a_seal_ties_with_nobody_before_it_bids() -> None:
    """Else an order that asks would tell what others have sealed."""
    game = new_game(3)
    waits = Standing(1, "b", Seal(maxima={"CV": 205}), 0)
    assert isinstance(would_do(game, "a", [waits, sealed(2, "a", "CV", 205, "ask")]), Move)


def test_an_equal_maximum_of_somebody_who_has_left_the_contest_counts_no_more() -> None:
    game = new_game(4)
    do(game, "bid", "a", private="C-P", amount=45)
    do(game, "bid", "b", private="C-P", amount=50)
    do(game, "bid", "c", private="C-P", amount=55)
    do(game, "bid", "d", private="D&R", amount=20)
    passes(game, game.actors()[0])
    gone = next(p for p in "abc" if p not in game.table.auction.bids["C-P"])
    there = game.actors()[0]
    found = would_do(game, there, [sealed(1, gone, "C-P", 60), sealed(2, there, "C-P", 60)])
    assert isinstance(found, Move)
    assert found.walk.action().kind == "bid"


def test_a_contest_for_another_private_is_not_given_up() -> None:
    """A player who has ordered to bid on the CV decides about the C-P by hand."""
    game = contested()
    assert would_do(game, "a", [sealed(1, "a", "CV", 300)]) is None


def test_an_order_ends_when_its_private_is_sold() -> None:
    game = new_game(3)
    orders = [sealed(1, "b", "D&R", 60), sealed(2, "b", "CV", 300)]
    assert stopped(game, orders, ()) == ()
    do(game, "bid", "a", private="D&R", amount=20)
    (ended,) = stopped(game, orders, ())
    assert ended.order == 1
    assert ended.why.name == "order.private_sold"


def test_whoever_bids_does_so_before_they_pass() -> None:
    """An order that would pass waits for one that can still bid."""
    game = new_game(3)
    do(game, "bid", "a", private="CV", amount=205)
    found = would_do(game, "b", [sealed(1, "b", "CV", 100), sealed(2, "b", "B&OR", 200)])
    assert isinstance(found, Move)
    assert found.walk.action() == Bid(actor="b", entity="b", private="B&OR", amount=105)
