"""What may be ordered where a game is, and how far one order goes because of another."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.core.errors import IllegalAction
from engine.core.facts import Fact, fact
from engine.game import Game
from engine.orders import Move, Standing, Stopped, forced_move, would_do
from engine.orders.auction_orders import limit_of, maximum
from engine.orders.new_orders import (
    bid_up_to,
    buy_shares,
    done_after,
    pass_merger,
    pass_stock,
    require_lasting,
    run_best,
    same_subject,
    seal,
    skip_step,
)
from engine.orders.order_kinds import (
    BidUpTo,
    BuyShares,
    DoneAfter,
    PassMerger,
    RunBest,
    Seal,
    SkipStep,
)
from tests.titles.builders import Position, do, new_game, passes
from tests.titles.t18newengland.newengland import NewEngland


def operating() -> Game:
    """Ann's PRR is to lay track in the second set, in phase 3."""
    return Position().phase("3").start("PRR", 70, a=60).operating("PRR").game()


@pytest.mark.parametrize(
    ("give", "why"),
    [
        (lambda game: buy_shares(game, "PRX", "offering", None), fact("choice.no_company", company="PRX")),
        (lambda game: bid_up_to(game, "PRX", 5, "ask"), fact("choice.no_private", private="PRX")),
        (lambda game: run_best(game, "PRX", "pay"), fact("choice.no_company", company="PRX")),
        (lambda game: skip_step(game, "PRX", "track", "phase"), fact("choice.no_company", company="PRX")),
        (
            lambda game: buy_shares(game, "PRR", "pool", None),
            fact("buying.not_from_there", company="PRR", source="pool"),
        ),
        (
            lambda game: run_best(game, "PRR", "half"),
            fact("dividend.no_such_option", company="PRR", option="half"),
        ),
        (lambda game: done_after(game, "b"), fact("order.nothing_to_end")),
        (lambda game: seal(game, {}), fact("order.no_auction")),
        (pass_merger, fact("order.no_mergers")),
    ],
)
def test_what_makes_no_sense_is_refused_by_its_reason(give: Callable[[Game], object], why: Fact) -> None:
    with pytest.raises(IllegalAction) as refused:
        give(operating())
    assert refused.value.reason == why


def test_an_order_is_about_what_was_named() -> None:
    game = operating()
    assert buy_shares(game, "PRR", " Offering ", 3) == BuyShares(
        round=3, company="PRR", source="offering", shares=3
    )
    assert bid_up_to(game, "CV", 5, "ask") == BidUpTo(private="CV", most=5, then="ask")
    assert run_best(game, "PRR", "withhold") == RunBest(company="PRR", dividend="withhold")
    assert skip_step(game, "PRR", "token", "phase") == SkipStep(company="PRR", step="token", phase="3")
    assert skip_step(game, "PRR", "track", "withdrawn") == SkipStep(company="PRR", step="track")
    assert done_after(game, "a") == DoneAfter(step="track", entity="PRR")


def test_a_seal_is_for_all_that_is_sold_and_wants_what_was_named() -> None:
    game = new_game(3)
    do(game, "bid", "a", private="D&R", amount=20)
    sealed = seal(game, {"CV": 250})
    assert sealed == Seal(maxima={"C-P": 0, "B&S": 0, "C&OC": 0, "B&OR": 0, "CV": 250})
    with pytest.raises(IllegalAction) as refused:
        seal(game, {"CV": 250, "D&R": 20})
    assert refused.value.reason == fact("auction.not_up", private="D&R")


@pytest.mark.parametrize(
    ("game", "named"),
    [
        (lambda: NewEngland().minor("HRR", 70, "a", "2").operating("HRR", number=2, of=2), (2, 2)),
        (lambda: NewEngland().minor("HRR", 70, "a", "2").operating("HRR", number=1, of=2), (2, 1)),
        (
            lambda: NewEngland().minor("HRR", 70, "a", "2").minor("AWS", 60, "a", "2").merging(number=2),
            (2, 2),
        ),
        (lambda: NewEngland().stock("a", number=3), (3, 1)),
    ],
)
def test_the_present_merger_round_is_passed_or_the_next_one(
    game: Callable[[], Position], named: tuple[int, int]
) -> None:
    """After each operating round in 18New England."""
    assert pass_merger(game().game()) == PassMerger(set=named[0], number=named[1])


def test_an_order_lasts_that_does_not_end_at_once() -> None:
    game = operating()
    require_lasting(game, "a", pass_stock(game, "over"))
    require_lasting(game, "a", run_best(game, "PRR", "pay"))
    with pytest.raises(IllegalAction) as refused:
        require_lasting(game, "b", run_best(game, "PRR", "pay"))
    assert refused.value.reason == fact("order.not_president", company="PRR")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (
            BuyShares(round=2, company="PRR", source="market"),
            BuyShares(round=3, company="PRR", source="offering"),
            True,
        ),
        (
            BuyShares(round=2, company="PRR", source="market"),
            BuyShares(round=2, company="LV", source="market"),
            False,
        ),
        (BidUpTo(private="CV", most=1, then="ask"), BidUpTo(private="CV", most=2, then="pass"), True),
        (BidUpTo(private="CV", most=1, then="ask"), BidUpTo(private="D&R", most=1, then="ask"), False),
        (SkipStep(company="PRR", step="track"), SkipStep(company="LV", step="track"), False),
        (Seal(maxima={"CV": 1}), Seal(maxima={}), True),
        (DoneAfter(step="track", entity="PRR"), DoneAfter(step="trade", entity="a"), True),
    ],
)
def test_orders_of_one_kind_are_about_the_same_where_they_name_the_same(
    one: Any, other: Any, same: bool
) -> None:
    assert same_subject(one, other) == same


# --- maxima ------------------------------------------------------------------------------------------------------


def bids(number: int, player: str, private: str, most: int) -> Standing:
    return Standing(number, player, BidUpTo(private=private, most=most, then="pass"), 0)


def test_an_order_bids_no_more_than_its_player_has_free() -> None:
    """Ann has $800, of which $205 lie on the CV."""
    game = new_game(3)
    do(game, "bid", "a", private="CV", amount=205)
    order = bids(1, "a", "B&OR", 5000)
    assert limit_of(game.table, order, "B&OR", [order]) == 595
    assert limit_of(game.table, bids(1, "b", "B&OR", 120), "B&OR", []) == 120


def test_an_order_about_another_private_has_no_maximum_for_this_one() -> None:
    game = new_game(3)
    order = bids(1, "a", "CV", 300)
    assert (maximum(order, "CV"), maximum(order, "B&OR")) == (300, None)
    assert limit_of(game.table, order, "B&OR", [order]) == 0
    assert maximum(Standing(1, "a", Seal(maxima={"CV": 7}), 0), "D&R") is None
    assert maximum(Standing(1, "a", RunBest(company="PRR", dividend="pay"), 0), "CV") is None


@pytest.mark.parametrize(
    ("earlier", "limit"),
    [
        (bids(1, "b", "CV", 300), 295),
        (bids(1, "b", "CV", 295), 300),
        (bids(1, "b", "CV", 305), 300),
        (bids(1, "a", "CV", 300), 300),
        (bids(3, "b", "CV", 300), 300),
        (bids(1, "b", "B&OR", 300), 300),
    ],
    ids=["equal", "lower", "higher", "their own", "later", "for another private"],
)
def test_only_an_earlier_order_of_somebody_else_with_the_same_maximum_ties(
    earlier: Standing, limit: int
) -> None:
    game = new_game(3)
    own = bids(2, "a", "CV", 300)
    assert limit_of(game.table, own, "CV", [earlier, own]) == limit


# --- which order acts --------------------------------------------------------------------------------------------


def test_of_two_orders_that_can_act_the_earlier_does() -> None:
    game = new_game(3)
    orders = [bids(2, "a", "CV", 300), bids(1, "a", "B&OR", 300)]
    found = would_do(game, "a", orders)
    assert isinstance(found, Move)
    assert found.order == 1


def test_an_order_that_cannot_continue_stops_before_another_passes() -> None:
    game = new_game(3)
    do(game, "bid", "a", private="CV", amount=205)
    passes_up = bids(1, "b", "CV", 100)
    asks = Standing(2, "b", BidUpTo(private="CV", most=100, then="ask"), 0)
    assert would_do(game, "b", [passes_up, asks]) == Stopped(2, fact("order.beyond", private="CV", most=100))
    passes(game, "b")
    assert would_do(game, "b", [passes_up, asks]) is None


def test_while_somebody_is_asked_for_an_answer_orders_wait() -> None:
    """Bob is asked for the D&R, and Ann may do something else instead."""
    place = Position().phase("3").cash(a=500).start("LV", 80, a=60).treasury("LV", 500).owns("b", "D&R")
    game = place.operating("LV", "trains").game()
    orders = [
        Standing(number, who, DoneAfter(step="trains", entity="LV"), -1)
        for number, who in ((1, "a"), (2, "b"))
    ]
    assert isinstance(would_do(game, "a", orders), Move)
    do(game, "buy_private", "LV", private="D&R", price=40)
    assert game.actors() == ("b",)
    assert [would_do(game, who, orders) for who in "ab"] == [None, None]


@pytest.mark.parametrize(("trains", "forced"), [(("5", "5", "5"), {"train": "5"}), (("5", "5", "6"), None)])
def test_a_train_that_must_go_goes_automatically_where_all_are_of_one_type(
    trains: tuple[str, ...], forced: dict[str, str] | None
) -> None:
    """Above the limit of two the president chooses only between types."""
    place = Position().phase("6").depot(t5=0).start("LV", 95, a=60).tile("J2", "57", 1)
    found = forced_move(place.trains("LV", *trains).operating("LV", "trains").game())
    assert (None if found is None else found.walk.chosen) == forced
