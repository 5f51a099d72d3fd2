"""What may be ordered where a game is, and what a player on turn often orders."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.core.actions import BuyShare
from engine.core.errors import IllegalAction
from engine.core.facts import Fact, fact
from engine.game import Game
from engine.orders.new_orders import (
    bid_up_to_order,
    buy_shares_order,
    done_after_order,
    pass_merger_order,
    pass_stock_order,
    presided_companies,
    privates_to_bid_on,
    require_not_ended_at_once,
    run_best_order,
    seal_bids_order,
    skip_step_order,
    skip_step_orders,
    suggested_orders,
)
from engine.orders.order_kinds import (
    SKIPPABLE_STEPS,
    BidUpTo,
    BuyShares,
    DoneAfter,
    PassMerger,
    PassStock,
    RunBest,
    SkipStep,
)
from tests.titles.builders import Position, do, new_game, passes
from tests.titles.t18newengland.newengland import NewEngland

PASS = PassStock(round=2, until="concerned")
AGAIN = BuyShares(round=2, company="PRR", source="offering")
LAST = BuyShare(actor="a", entity="a", company="PRR", source="offering")


def operating() -> Game:
    """Ann's PRR is to lay track in the second set, in phase 3."""
    return Position().phase("3").start("PRR", 70, a=60).operating("PRR").game()


def stock() -> Position:
    """Ann's PRR lacks three shares to float."""
    return Position().cash(a=500, b=500, c=500).start("PRR", 70, a=30).stock("a")


@pytest.mark.parametrize(
    ("give", "why"),
    [
        (
            lambda game: buy_shares_order(game, "PRX", "offering", None),
            fact("choice.no_company", company="PRX"),
        ),
        (lambda game: bid_up_to_order(game, "PRX", 5, "ask"), fact("choice.no_private", private="PRX")),
        (lambda game: run_best_order(game, "PRX", "pay"), fact("choice.no_company", company="PRX")),
        (
            lambda game: skip_step_order(game, "PRX", "track", "phase"),
            fact("choice.no_company", company="PRX"),
        ),
        (
            lambda game: buy_shares_order(game, "PRR", "makret", None),
            fact("buying.not_from_there", company="PRR", source="makret"),
        ),
        (
            lambda game: run_best_order(game, "PRR", "half"),
            fact("dividend.no_such_option", company="PRR", option="half"),
        ),
        (lambda game: done_after_order(game, "b"), fact("order.nothing_to_end")),
        (lambda game: seal_bids_order(game, {}), fact("order.no_auction")),
        (pass_merger_order, fact("order.no_mergers")),
        (
            lambda game: require_not_ended_at_once(game, "b", run_best_order(game, "PRR", "pay")),
            fact("order.not_president", company="PRR"),
        ),
        (
            lambda game: require_not_ended_at_once(
                game, "b", buy_shares_order(game, "PRR", "offering", None)
            ),
            fact("order.floated", company="PRR"),
        ),
        (lambda game: require_not_ended_at_once(game, "a", pass_stock_order(game, "over")), None),
        (lambda game: require_not_ended_at_once(game, "a", run_best_order(game, "PRR", "pay")), None),
    ],
)
def test_order_refusals(give: Callable[[Game], object], why: Fact | None) -> None:
    if why is None:
        give(operating())
        return
    with pytest.raises(IllegalAction) as refused:
        give(operating())
    assert refused.value.reason == why


@pytest.mark.parametrize(
    ("give", "order"),
    [
        *(
            (
                lambda game, there=written: buy_shares_order(game, "PRR", there, 3),
                BuyShares(round=3, company="PRR", source=source, shares=3),
            )
            for written, source in (
                *((" Offering ", "offering"), ("Market", "market"), ("prr", "PRR")),
                ("removed", "removed"),  # 18Chesapeake 14.3
            )
        ),
        (lambda game: bid_up_to_order(game, "CV", 5, "ask"), BidUpTo(private="CV", most=5, then="ask")),
        (lambda game: run_best_order(game, "PRR", "withhold"), RunBest(company="PRR", dividend="withhold")),
        (
            lambda game: skip_step_order(game, "PRR", "token", "phase"),
            SkipStep(company="PRR", step="token", phase="3"),
        ),
        (
            lambda game: skip_step_order(game, "PRR", "track", "withdrawn"),
            SkipStep(company="PRR", step="track"),
        ),
        (lambda game: done_after_order(game, "a"), DoneAfter(step="track", entity="PRR")),
    ],
)
def test_new_order(give: Callable[[Game], object], order: object) -> None:
    assert give(operating()) == order


@pytest.mark.parametrize(
    ("place", "set_", "number"),
    [
        (NewEngland().minor("HRR", 70, "a", "2").operating("HRR", number=2, of=2), 2, 2),
        (NewEngland().minor("HRR", 70, "a", "2").operating("HRR", number=1, of=2), 2, 1),
        (NewEngland().minor("HRR", 70, "a", "2").minor("AWS", 60, "a", "2").merging(number=2), 2, 2),
        (NewEngland().stock("a", number=3), 3, 1),
    ],
)
def test_merger_round_that_is_passed(place: Position, set_: int, number: int) -> None:
    """The present one or the next, after each operating round in 18New England."""
    assert pass_merger_order(place.game()) == PassMerger(set=set_, number=number)
    assert pass_merger_order(new_game(3, title="18newengland")) == PassMerger(set=1, number=1)


# --- quick orders ------------------------------------------------------------------------------------------------


def run_due() -> Game:
    place = Position().start("LV", 95, a=60).tile("J2", "57", 1).trains("LV", "2")
    return place.operating("LV", "run").game()


def bought_already() -> Game:
    game = stock().start("LV", 70, a=30).game()
    game.table.stock_round.bought, game.table.stock_round.acted = "LV", True
    return game


@pytest.mark.parametrize(
    ("game", "player", "made", "orders"),
    [
        (run_due(), "a", (), (RunBest(company="LV", dividend="pay"),)),
        (run_due(), "b", (), ()),
        (stock().game(), "a", (), (PASS,)),
        (stock().game(), "b", (), ()),
        (stock().game(), "a", [LAST], (AGAIN, PASS)),
        (stock().cash(a=60).game(), "a", [LAST], (PASS,)),  # it cannot be paid again
        (stock().game(), "a", [LAST.model_copy(update={"source": "market"})], (PASS,)),  # where none lies
        (
            bought_already(),
            "a",
            [LAST.model_copy(update={"company": "LV", "source": "market"})],
            (BuyShares(round=2, company="LV", source="market"),),
        ),
        # in an auction and a draft nothing is a habit: a pass may give back what was reserved
        *((new_game(3, title=title), "a", (), ()) for title in ("18chesapeake", "18al", "18newengland")),
    ],
)
def test_usual_orders(game: Game, player: str, made: Any, orders: Any) -> None:
    assert suggested_orders(game, player, made) == orders


def test_what_is_offered_in_a_turn() -> None:
    """A purchase until it floats, passing before any move."""
    game = stock().game()
    for _ in range(3):
        assert suggested_orders(game, "a", [LAST]) == (AGAIN, PASS)
        do(game, "buy_share", "a", company="PRR", source="offering")
        passes(game, "b", "c")
    assert game.table.state.companies["PRR"].floated
    assert AGAIN not in suggested_orders(game, "a", [LAST])
    game = stock().start("B&O", 70, b=60, a=10).game()
    do(game, "sell_shares", "a", company="B&O", shares=1)
    assert suggested_orders(game, "a", ()) == ()


def test_what_orders_may_name() -> None:
    """Of companies in stock and operating rounds; until the order is withdrawn, whatever phase it is."""
    game = new_game()
    do(game, "bid", "a", private="D&R", amount=20)
    assert privates_to_bid_on(game) == ("C-P", "B&S", "C&OC", "B&OR", "CV")
    assert privates_to_bid_on(stock().game()) == ()
    place = stock().start("B&O", 70, b=60).start("LV", 80, a=60)
    game = place.game()
    assert (presided_companies(game, "a"), presided_companies(game, "c")) == (("PRR", "LV"), ())
    steps = [SkipStep(company=company, step=step) for company in ("PRR", "LV") for step in SKIPPABLE_STEPS]
    assert (skip_step_orders(game, "a"), skip_step_orders(game, "c")) == (tuple(steps), ())
    assert presided_companies(place.operating("B&O").game(), "b") == ("B&O",)
    assert presided_companies(NewEngland().minor("NYW", 80, "a", "2").merging().game(), "a") == ()
