"""Orders of stock rounds: passing until something concerns one, buying until it floats, being done with a step."""

from typing import Any

import pytest

from engine.core.events import (
    Event,
    MinorStarted,
    Parred,
    PresidentChanged,
    SharesExchanged,
    SharesSold,
    TrainsMadeObsolete,
    TrainsRusted,
)
from engine.game import Game
from engine.orders import StandingOrder, StoppedOrder, forced_move, next_order_move, stopped_orders
from engine.orders.new_orders import buy_shares_order, done_after_order, pass_stock_order
from engine.orders.order_kinds import BuyShares, DoneAfter, Order, PassStock
from engine.orders.order_moves import events_concerning_player
from engine.seat import SeatedPlayer
from tests.engine.orders.acting import does, ends, in_short, standing
from tests.titles.builders import Position, do, new_game, passes
from tests.titles.t18al.alabama import Alabama
from tests.titles.t18newengland.newengland import NewEngland

QUIET = PassStock(round=2, until="concerned")
STUBBORN = PassStock(round=2, until="over")


def buying(
    shares: int | None = None, company: str = "PRR", source: str = "offering", number: int = 2
) -> BuyShares:
    return BuyShares(round=number, company=company, source=source, shares=shares)


def two_companies() -> Game:
    """Ann is president of the PRR, Bob of the B&O; each has shares of the other's, and Cy of the latter."""
    place = Position().cash(a=500, b=500, c=500)
    place.start("PRR", 70, a=40, b=20).start("B&O", 70, b=40, a=20, c=10)
    return place.stock("b").game()


def unfloated(number: int = 2, **held: Any) -> Game:
    """Ann's PRR."""
    place = Position().cash(a=500, b=500, c=500).start("PRR", 70, **(held or {"a": 30, "b": 10}))
    return place.stock("a", number=number).game()


def operating(set_: int) -> Game:
    return Position().start("LV", 70, a=60).operating("LV", set=set_).game()


def after_purchase(held: int) -> Game:
    """18AL: Ann has bought a share of her company and may still sell."""
    return Alabama().cash(a=500).start("L&N", 105, a=held).stock("a", acted=True, bought="L&N").game()


def asked_for_a_train() -> Game:
    """Discard a train of Bob in Ann's turn."""
    place = Position().phase("5").cash(b=500).start("PRR", 70, a=30).start("B&O", 70, b=60)
    game = place.trains("B&O", "5", "5", "5").stock("a").game()
    assert game.actors() == ("b",)
    return game


@pytest.mark.parametrize(
    ("game", "player", "orders", "found"),
    [
        # to pass: on turn and not before, in its round, not in a draft or auction; who must sell decides
        (two_companies(), "b", [STUBBORN], "pass"),
        (two_companies(), "c", [STUBBORN], ""),
        (two_companies(), "b", [PassStock(round=3, until="over")], ""),
        (operating(2), "a", [PassStock(round=3, until="over")], ""),
        (new_game(3, title="18newengland"), "a", [STUBBORN], ""),
        (Position().cash(a=500).start("PRR", 70, a=80).stock("a").game(), "a", [STUBBORN], "! cannot_pass"),
        # to buy: in its round and turn, and passing what is left of the turn
        (unfloated(), "a", [buying()], "buy_share PRR offering"),
        (unfloated(1), "a", [buying()], ""),
        (unfloated(3), "a", [buying()], ""),
        (operating(2), "a", [buying(company="LV")], ""),
        (unfloated(), "b", [buying()], ""),
        (after_purchase(60), "a", [buying(9, "L&N")], "pass"),
        (after_purchase(80), "a", [buying(9, "L&N")], "! cannot_pass"),
        (unfloated(), "a", [buying(source="market")], "! buying.none_there"),
        (asked_for_a_train(), "b", [buying()], ""),
        (new_game(3, title="18al"), "a", [buying(company="L&N", number=1)], ""),  # privates are sold first
        # what can be done comes before an older order to pass, and before the end of an older one
        (unfloated(), "a", [STUBBORN, buying()], "buy_share PRR offering"),
        (unfloated(), "a", [buying(source="market"), buying()], "buy_share PRR offering"),
    ],
)
def test_stock_order(game: Game, player: str, orders: list[Order], found: str) -> None:
    assert does(game, player, *orders) == found


LATER = PassStock(round=3, until="over")
STARTED, SOLD = Parred("c", "LV", 80, 20, 160), SharesSold("b", "PRR", 1, 70, 70, 65)
RUSTED, OTHER = TrainsRusted("2", (("PRR", 1),)), SharesSold("b", "B&O", 1, 70, 70, 65)


@pytest.mark.parametrize(
    ("game", "player", "order", "event", "why"),
    [
        # with the round
        *((unfloated(n), "a", STUBBORN, None, why) for n, why in ((1, ""), (2, ""), (3, "round_over"))),
        *((unfloated(number), "a", buying(9), None, why) for number, why in ((2, ""), (3, "round_over"))),
        *((operating(set_), "a", STUBBORN, None, why) for set_, why in ((1, ""), (2, "round_over"))),
        (operating(2), "a", LATER, None, ""),
        # with what concerns its player
        (two_companies(), "a", QUIET, SOLD, "sold"),
        (two_companies(), "a", STUBBORN, SOLD, ""),
        (two_companies(), "c", QUIET, SOLD, ""),
        (two_companies(), "b", QUIET, SOLD, ""),
        (two_companies(), "b", QUIET, STARTED, "started"),
        (two_companies(), "c", QUIET, STARTED, ""),
        (two_companies(), "c", QUIET, PresidentChanged("B&O", "b", "a"), "new_president"),
        (two_companies(), "a", QUIET, RUSTED, "rusted"),
        (two_companies(), "b", QUIET, RUSTED, ""),
        # that to buy with what happens in its company, and with any new one of somebody else
        (unfloated(), "a", buying(9), STARTED, "started"),
        (unfloated(), "c", buying(9), STARTED, ""),
        (unfloated(), "a", buying(9), SOLD, "sold"),
        (unfloated(), "b", buying(9), SOLD, ""),
        (unfloated(), "c", buying(9), SOLD, ""),
        (unfloated(), "b", buying(9), PresidentChanged("PRR", "a", "c"), "new_president"),
        (unfloated(), "c", buying(9), PresidentChanged("PRR", "a", "b"), ""),
        (unfloated(), "a", buying(9), RUSTED, "rusted"),
        (two_companies(), "a", buying(9), OTHER, ""),
        (two_companies(), "a", QUIET, OTHER, "sold"),
        # when it has what was wanted; that of the player who has bought still passes what is left of the turn
        (unfloated(a=60), "b", buying(), None, "floated"),
        (unfloated(), "b", buying(1), None, "has_shares"),
        (unfloated(), "b", buying(2), None, ""),
        (after_purchase(60), "a", buying(company="L&N"), None, ""),
        (after_purchase(60), "b", buying(company="L&N"), None, "floated"),
        (asked_for_a_train(), "b", buying(), None, ""),
        (new_game(3, title="18al"), "a", buying(company="L&N", number=1), None, ""),
        (new_game(3, title="18newengland"), "a", STUBBORN, None, ""),
    ],
)
def test_stock_order_ends(game: Game, player: str, order: Order, event: Event | None, why: str) -> None:
    assert ends(game, player, order, *([event] if event else [])) == why


def test_stock_order_is_for_the_next_stock_round() -> None:
    assert pass_stock_order(unfloated(), "over").round == 2
    assert pass_stock_order(operating(2), "over").round == 3
    assert pass_stock_order(new_game(3), "over").round == 1
    assert pass_stock_order(new_game(3, title="18newengland"), "over") == STUBBORN


def test_contest_in_a_stock_round_is_not_given_up() -> None:
    """18AL: who fights for a private decides, and passes again afterwards."""
    game = new_game(3, title="18al")
    do(game, "bid", "a", private="SNAR", amount=45)
    do(game, "bid", "b", private="SNAR", amount=50)
    order = pass_stock_order(game, "over")
    do(game, "bid", "c", private="TR", amount=20)
    assert game.table.auction.contested == "SNAR"
    assert does(game, "a", order) == ""
    do(game, "pass", "a")
    assert (ends(game, "a", order), does(game, "a", order)) == ("", "pass")


def test_order_that_has_bought_passes_and_ends() -> None:
    """18AL: Bob may sell shares of the M&O after a purchase that floats the L&N."""
    place = Alabama().cash(b=500).start("L&N", 70, a=40, b=10).start("M&O", 70, a=20, b=30)
    game = place.stock("b").game()
    orders = [buying(shares, "L&N") for shares in (None, 2, 3)]
    events = do(game, "buy_share", "b", company="L&N", source="offering")
    assert game.actors() == ("b",)
    found = [(ends(game, "b", order, *events), does(game, "b", order)) for order in orders]
    assert found == [("", "pass")] * 3
    passes(game, "b")
    assert [ends(game, "b", order) for order in orders] == ["floated", "has_shares", ""]


def test_concerns_stop_passing() -> None:
    """Trains only where the player presides; a minor as any new company. In real moves: 18AL's 7-train makes
    Bob's 4-train obsolete, and 18NewEngland's minor becomes a major."""
    game = Position().start("PRR", 70, a=30).start("LV", 80, b=30, a=10).stock("a").game()
    several: list[Event] = [
        MinorStarted("b", "N&W", 70, "top", 70),
        TrainsRusted("2", (("LV", 1), ("PRR", 1))),
        TrainsMadeObsolete("3", ("LV",), ("PRR",)),
        TrainsMadeObsolete("3", ("PRR",), ()),
        SharesExchanged("LV", (("a", 1, 0),)),
        SharesExchanged("LV", (("b", 1, 0),)),
    ]
    assert [
        (about, why.name) for about, why in events_concerning_player(SeatedPlayer(game, "a"), several)
    ] == [
        ("N&W", "order.started"),
        ("PRR", "order.rusted"),
        ("PRR", "order.obsolete"),
        ("PRR", "order.obsolete"),
        ("LV", "order.exchanged"),
    ]
    place = Alabama().phase("6").depot(t6=0).start("TAG", 60, a=60).start("ABC", 60, b=60)
    game = place.trains("ABC", "4").treasury("TAG", 700).operating("TAG", "trains").game()
    order = pass_stock_order(game, "concerned")
    events = do(game, "buy_train", "TAG", train="7", source="bank", trade_in="", price=700)
    assert [ends(game, player, order, *events) for player in "bc"] == ["obsolete", ""]
    game = NewEngland().cash(a=100).minor("NYW", 80, "a", "2", treasury=25).merging().game()
    order = pass_stock_order(game, "concerned")
    events = do(game, "convert", "NYW", major="B&A")
    assert [ends(game, player, order, *events) for player in "ab"] == ["", "started"]
    game = Position().cash(b=500).start("PRR", 70, a=30, b=30, c=10).stock("b").game()
    events = do(game, "buy_share", "b", company="PRR", source="offering")
    assert ends(game, "c", QUIET, *events) == "new_president"


# --- done with a step, answers, forced moves ---------------------------------------------------------------------


@pytest.mark.parametrize("since", [0, 5])
def test_done_after_waits_for_one_move(since: int) -> None:
    """The first move of a game is one, too."""
    game = two_companies()
    game.seq = since
    orders = [StandingOrder(1, "b", done_after_order(game, "b"), since)]
    assert next_order_move(game, "b", orders) is None
    do(game, "sell_shares", "b", company="PRR", shares=1)
    assert game.actors() == ("b",)
    assert in_short(next_order_move(game, "b", orders)) == "pass"
    passes(game, "b")
    assert [one.reason.name for one in stopped_orders(game, orders, ())] == ["order.step_over"]


@pytest.mark.parametrize(
    ("player", "step", "entity", "why"),
    [
        ("a", "track", "PRR", ""),
        ("a", "token", "PRR", "step_over"),
        ("a", "track", "LV", "step_over"),
        ("b", "track", "PRR", "step_over"),
    ],
)
def test_done_after_ends_with_its_step(player: str, step: str, entity: str, why: str) -> None:
    game = Position().start("PRR", 70, a=60).trains("PRR", "2").operating("PRR", "track").game()
    assert ends(game, player, DoneAfter(step=step, entity=entity)) == why


def test_orders_wait_for_an_answer() -> None:
    """Bob is asked for the D&R, and Ann may do something else instead."""
    place = Position().phase("3").cash(a=500).start("LV", 80, a=60).treasury("LV", 500).owns("b", "D&R")
    game = place.operating("LV", "trains").game()
    orders = standing(*((who, DoneAfter(step="trains", entity="LV")) for who in "ab"))
    assert in_short(next_order_move(game, "a", orders)) == "pass"
    do(game, "buy_private", "LV", private="D&R", price=40)
    assert game.actors() == ("b",)
    assert [next_order_move(game, who, orders) for who in "ab"] == [None, None]


@pytest.mark.parametrize(("trains", "forced"), [(("5", "5", "5"), {"train": "5"}), (("5", "5", "6"), None)])
def test_train_goes_where_all_are_of_one_type(trains: tuple[str, ...], forced: dict[str, str] | None) -> None:
    """Above the limit of two the president chooses only between types."""
    place = Position().phase("6").depot(t5=0).start("LV", 95, a=60).tile("J2", "57", 1)
    found = forced_move(place.trains("LV", *trains).operating("LV", "trains").game())
    assert (None if found is None else found.cursor.chosen) == forced


def test_order_that_stops_is_named() -> None:
    game, own = unfloated(), buy_shares_order(unfloated(), "PRR", "market", None)
    found = next_order_move(game, "a", [StandingOrder(7, "a", own, 0)])
    assert isinstance(found, StoppedOrder)
    assert found.order_number == 7
