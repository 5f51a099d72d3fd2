"""Orders in 18C2C: destination runs, merger rounds, tokens, bids that bind."""

from collections.abc import Callable
from typing import Literal

import pytest

from engine.core.actions import Dividend
from engine.core.errors import IllegalAction
from engine.core.events import Privatized, SharesExchanged
from engine.core.spec import Colour
from engine.core.state import ExtraTokens, LastRun
from engine.orders import Move, Standing, forced_move, stopped, would_do
from engine.orders.new_orders import bid_up_to, pass_merger, seal
from engine.orders.order_kinds import BuyShares, PassMerger, RunBest
from engine.orders.timeout_moves import timeout_move
from engine.play.privates.auction import on_sale
from tests.engine.orders.test_sealing import owners, run, sealed
from tests.engine.orders.test_stock import QUIET, STUBBORN, ends, kind
from tests.titles.builders import Position, do, find, kinds, new_game, values
from tests.titles.t18c2c.merging import Merging
from tests.titles.t18c2c.rails import rails

DESTINATION = ("I78-I76-I74-I72-I70-J69-K68-K66-K64-J63-I64-H63-I62-J61-J59-J57",)
"""Albany to Chicago."""
COLOURS: dict[str, Colour] = {
    **dict.fromkeys(("I78", "I70", "I64", "M74", "J57"), "green"),
    "J63": "brown",
}


def test_a_run_to_the_destination_is_its_presidents_decision_and_the_order_stands() -> None:
    """18C2C: nothing says that it is the best run, and it may wait."""
    order = Standing(1, "a", RunBest(company="NYC", dividend="withhold"), 0)
    place = Position(title="18c2c").phase("3D").start("NYC", 100, a=60).trains("NYC", "3D")
    place.state.companies["NYC"].extra = ExtraTokens(reserved=["NYC"])
    game = rails(place.operating("NYC", "destination"), *DESTINATION, **COLOURS).game()
    assert kinds(game) == ["run_routes", "pass"]
    assert would_do(game, "a", [order]) is None
    do(game, "run_routes", "NYC", routes=find(game, "run_routes").suggest()[0].chosen["routes"])
    assert kinds(game) == ["dividend"]
    assert would_do(game, "a", [order]) is None


def test_trains_of_a_company_just_formed_are_shared_out_by_its_president() -> None:
    """18C2C: a player who passes the merger round, and agrees to a merger nevertheless, is asked."""
    place = Merging().single("NYC", 7, a=60, trains="3 4").single("ERIE", 7, a=60, trains="3")
    game = place.joined("NYC", "ERIE").merging().game()
    order = Standing(1, "a", pass_merger(game), 0)
    assert isinstance(would_do(game, "a", [order]), Move)
    do(game, "propose_merger", "a", company="NYC", partner="ERIE")
    assert "shuffle" in kinds(game)
    assert would_do(game, "a", [order]) is None
    assert stopped(game, [order], ()) == ()


def test_where_every_bid_binds_nobody_promises_more_than_they_have() -> None:
    """18C2C: money of outbid bids stays set aside, too, until that private is sold."""
    game, again = (new_game(3, title="18c2c", options=["no_eliminations"]) for _ in range(2))
    wants = {name: spec.value + 40 for name, spec in game.rules.spec.privates.items()}
    promised = 0
    for action in run(game, sealed(game, a=wants, b=wants, c=wants)):
        again.apply(action)
        bids = [] if again.table.state.auction is None else again.table.auction.bids.values()
        bound = {who: sum(one.get(who, 0) for one in bids) for who in "abc"}
        assert all(again.table.cash(who) >= bound[who] for who in "abc")
        promised = max(promised, *bound.values())
    assert promised
    assert owners(game)


@pytest.mark.parametrize("then", ["pass", "ask"])
def test_while_privates_are_taken_out_an_order_to_bid_waits(then: Literal["pass", "ask"]) -> None:
    """18C2C: it neither passes nor ends, whatever is asked."""
    game = new_game(3, title="18c2c")
    assert kinds(game) == ["remove_private"]
    order = Standing(1, "a", bid_up_to(game, on_sale(game.table)[0], 400, then), 0)
    assert (would_do(game, "a", [order]), stopped(game, [order], ())) == (None, ())


def test_before_privates_have_been_taken_out_nothing_is_sealed() -> None:
    with pytest.raises(IllegalAction, match="no_auction"):
        seal(new_game(3, title="18c2c"), {})


def test_whoever_has_to_buy_tokens_decides_and_both_orders_stand() -> None:
    """18C2C: Ann's company floats by a share that Bob buys; Bob's order continues afterwards."""
    place = Position(3, title="18c2c").start("PRR", 82, a=50).cash(b=500)
    game = place.stock("b").game()
    orders = [
        Standing(1, "a", STUBBORN, 0),
        Standing(2, "a", BuyShares(round=2, company="PRR", source="offering", shares=9), 0),
        Standing(3, "b", BuyShares(round=2, company="PRR", source="offering"), 0),
    ]
    bought = would_do(game, "b", orders)
    assert isinstance(bought, Move)
    game.play(bought.walk)
    assert game.actors() == ("a",)
    assert (would_do(game, "a", orders), stopped(game, orders, ())) == (None, ())
    do(game, "buy_tokens", "PRR", tokens="none")
    assert "b" not in game.actors() or kind(would_do(game, "b", orders)) == "pass"


def test_tokens_of_a_company_that_an_order_floats_are_its_presidents_decision_and_the_order_stands() -> None:
    """18C2C: what is left of the turn is passed after that."""
    place = Position(3, title="18c2c").start("PRR", 82, a=50).cash(a=500)
    game = place.stock("a").game()
    order = Standing(1, "a", BuyShares(round=2, company="PRR", source="offering", shares=9), 0)
    do(game, "buy_share", "a", company="PRR", source="offering")
    assert "buy_tokens" in kinds(game)
    assert (would_do(game, "a", [order]), stopped(game, [order], ())) == (None, ())


def test_a_share_that_is_taken_and_shares_that_are_exchanged_stop_it() -> None:
    """18C2C: a president needs nobody's consent."""
    game = Position(title="18c2c").start("PRR", 100, a=60, b=20).stock("a").game()
    taken = [Privatized("a", "PRR", "b", 10, 150)]
    assert (ends(game, "b", QUIET, taken), ends(game, "a", QUIET, taken)) == (["order.taken"], [])
    exchanged = [SharesExchanged("PRR", (("a", 3, 0), ("b", 0, 40)))]
    assert ends(game, "b", QUIET, exchanged) == ["order.exchanged"]
    assert ends(game, "c", QUIET, exchanged) == []


@pytest.mark.parametrize(
    ("last", "then"), [(None, "pay"), ("paid", "pay"), ("withheld", "pay"), ("lost", "pay"), ("half", "half")]
)
def test_what_was_run_is_paid_and_half_where_half_was_paid_the_last_time(last: str | None, then: str) -> None:
    """Nothing is kept that nobody has asked to be kept."""
    place = Position(title="18c2c").phase("3D").start("WAB", 100, at=(1, 7), a=60).trains("WAB", "5")
    game = place.operating("WAB", "dividend", revenue=130).game()
    company = game.table.company
    company.last_run = None if last is None else LastRun((), (), 130, last)  # type: ignore[arg-type]
    found = timeout_move(game, game.actors()[0])
    assert found is not None
    action = found.action()
    assert isinstance(action, Dividend)
    assert action.option == then


def test_the_next_merger_round_after_a_stock_round_is_passed() -> None:
    """It belongs to the set that follows."""
    coast = Merging().stock(number=3).game()
    assert (pass_merger(coast).set, pass_merger(coast).number) == (3, 0)


def test_in_operating_rounds_passing_is_said_for_the_merger_round_after_them() -> None:
    """18C2C: one comes after the stock round, before the operating rounds."""
    place = Position(title="18c2c").start("NYC", 100, a=60)
    assert pass_merger(place.stock("a", number=2).game()).set == 2
    assert pass_merger(place.operating("NYC", set=2).game()).set == 3


def test_an_offer_that_its_buyer_cannot_pay_for_is_not_refused_for_them() -> None:
    """18C2C: else the seller would learn at once what the buyer has, which is secret."""
    place = Position(title="18c2c").owns("b", "KTC").cash(a=300, b=100)
    game = place.stock("b").game()
    do(game, "sell_private", "b", private="KTC", buyer="a", price=301)
    assert values(game, "answer", "a", "reply") == ["refuse"]
    assert forced_move(game) is None


@pytest.mark.parametrize(
    ("game", "named"),
    [
        (lambda: Merging().stock(number=3), (3, 0)),
        (lambda: Position(title="18c2c").start("NYC", 100, a=60).operating("NYC", set=2), (3, 0)),
    ],
)
def test_the_merger_round_that_follows_a_stock_round_is_passed(
    game: Callable[[], Position], named: tuple[int, int]
) -> None:
    """18C2C: it is number 0 of its set."""
    assert pass_merger(game().game()) == PassMerger(set=named[0], number=named[1])
