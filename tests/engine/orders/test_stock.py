"""Orders of stock rounds: passing until something concerns one, buying until it floats, being done."""

import pytest

from engine.core.actions import BuyShare, Pass
from engine.core.errors import IllegalAction
from engine.core.events import Rusted
from engine.core.facts import fact
from engine.game import Game
from engine.orders import Move, Standing, Stopped, forced_move, read_order, stopped, would_do, write_order
from engine.orders.new_orders import buy_shares, done_after, pass_stock, require_lasting
from engine.orders.order_kinds import BuyShares, Order, PassStock
from tests.titles.builders import Position, do, new_game, passes
from tests.titles.t18al.alabama import Alabama
from tests.titles.t18newengland.newengland import NewEngland

QUIET = PassStock(round=2, until="concerned")
STUBBORN = PassStock(round=2, until="over")


def two_companies() -> Game:
    """Ann is president of the PRR, Bob of the B&O; each has shares of the other's."""
    place = Position().cash(a=500, b=500, c=500)
    place.start("PRR", 70, a=40, b=20).start("B&O", 70, b=40, a=20, c=10)
    return place.stock("b").game()


def kind(found: Move | Stopped | None) -> str | None:
    return found.walk.offer.kind if isinstance(found, Move) else None


def ends(game: Game, player: str, order: Order, events: object = ()) -> list[str]:
    standing = [Standing(1, player, order, 0)]
    return [one.why.name for one in stopped(game, standing, events)]  # type: ignore[arg-type]


def test_it_passes_when_its_owner_is_on_turn_and_not_before() -> None:
    game = two_companies()
    orders = [Standing(1, "c", STUBBORN, 0)]
    assert would_do(game, "c", orders) is None
    passes(game, "b")
    found = would_do(game, "c", orders)
    assert isinstance(found, Move)
    assert found.walk.action() == Pass(actor="c", entity="c")


def test_a_sale_in_a_company_of_ones_own_stops_it() -> None:
    game = two_companies()
    events = do(game, "sell_shares", "b", company="PRR", shares=1)
    assert ends(game, "a", QUIET, events) == ["order.sold"]
    assert ends(game, "a", STUBBORN, events) == []


def test_a_sale_where_one_has_nothing_or_of_ones_own_does_not() -> None:
    game = two_companies()
    events = do(game, "sell_shares", "b", company="PRR", shares=1)
    assert ends(game, "c", QUIET, events) == []
    assert ends(game, "b", QUIET, events) == []


def test_a_new_par_stops_it() -> None:
    game = two_companies()
    events = do(game, "par", "b", company="C&O", price=70)
    assert ends(game, "c", QUIET, events) == ["order.started"]
    assert ends(game, "b", QUIET, events) == []


def test_a_change_of_presidency_stops_it() -> None:
    place = Position().cash(a=500, b=500, c=500).start("PRR", 70, a=30, b=30, c=10)
    game = place.stock("b").game()
    events = do(game, "buy_share", "b", company="PRR", source="offering")
    assert ends(game, "c", QUIET, events) == ["order.new_president"]


def test_a_train_that_rusts_ones_own_stops_it() -> None:
    game = two_companies()
    rusted = [Rusted("2", (("PRR", 1),))]
    assert ends(game, "a", QUIET, rusted) == ["order.rusted"]
    assert ends(game, "b", QUIET, rusted) == []


def test_a_train_of_ones_own_that_becomes_obsolete_stops_it() -> None:
    """18AL: the 7-train makes Bob's 4-train obsolete; Cy has none."""
    position = Alabama().phase("6").depot(t6=0).start("TAG", 60, a=60).start("ABC", 60, b=60)
    game = position.trains("ABC", "4").treasury("TAG", 700).operating("TAG", "trains").game()
    quiet = [
        Standing(1, "b", pass_stock(game, "concerned"), 0),
        Standing(2, "c", pass_stock(game, "concerned"), 0),
    ]
    events = do(game, "buy_train", "TAG", train="7", source="bank", trade_in="", price=700)
    assert stopped(game, quiet, events) == (Stopped(1, fact("order.obsolete", company="ABC", train="4")),)


def test_a_major_that_another_player_forms_stops_it() -> None:
    """18New England: Ann's NYW becomes the B&A between two stock rounds."""
    game = NewEngland().cash(a=100).minor("NYW", 80, "a", "2", treasury=25).merging().game()
    quiet = [
        Standing(1, "a", pass_stock(game, "concerned"), 0),
        Standing(2, "b", pass_stock(game, "concerned"), 0),
    ]
    events = do(game, "convert", "NYW", major="B&A")
    assert stopped(game, quiet, events) == (Stopped(2, fact("order.started", player="a", company="B&A")),)


def test_an_order_for_a_later_round_does_not_pass_in_this_one() -> None:
    """It was given in the operating rounds that an undo has gone back before."""
    game = two_companies()
    assert would_do(game, "b", [Standing(1, "b", PassStock(round=3, until="over"), 0)]) is None


def test_it_ends_with_the_round() -> None:
    game = Position().start("PRR", 70, a=60).operating("PRR", set=2).game()
    assert ends(game, "a", STUBBORN) == ["order.round_over"]
    assert ends(game, "a", pass_stock(game, "over")) == []


def test_given_in_an_operating_round_it_waits_for_the_next_stock_round() -> None:
    game = Position().start("PRR", 70, a=60).operating("PRR", set=2).game()
    assert pass_stock(game, "over").round == 3
    assert would_do(game, "a", [Standing(1, "a", pass_stock(game, "over"), 0)]) is None


def test_it_does_not_give_up_a_contest_for_a_private() -> None:
    """18AL sells its privates in stock rounds: who fights for one decides, and passes again afterwards."""
    game = new_game(3, title="18al")
    do(game, "bid", "a", private="SNAR", amount=45)
    do(game, "bid", "b", private="SNAR", amount=50)
    orders = [Standing(1, "a", pass_stock(game, "over"), 0)]
    do(game, "bid", "c", private="TR", amount=20)
    assert game.table.auction.contested == "SNAR"
    assert would_do(game, "a", orders) is None
    do(game, "pass", "a")
    assert stopped(game, orders, ()) == ()
    assert kind(would_do(game, "a", orders)) == "pass"


def test_given_in_the_auction_it_is_for_the_first_stock_round() -> None:
    assert pass_stock(new_game(3), "over").round == 1


def test_in_a_draft_it_waits_for_the_first_stock_round_after_it() -> None:
    """18New England: a pass there may give back what was reserved."""
    game = new_game(3, title="18newengland")
    order = Standing(1, game.actors()[0], pass_stock(game, "over"), 0)
    assert order.order == STUBBORN
    assert would_do(game, order.player, [order]) is None
    assert stopped(game, [order], ()) == ()


def test_who_must_sell_has_to_decide() -> None:
    """Above the limit of one company passing is not possible."""
    game = Position().cash(a=500).start("PRR", 70, a=80).stock("a").game()
    assert game.actors() == ("a",)
    assert not any(offer.kind == "pass" for offer in game.offers("a"))
    found = would_do(game, "a", [Standing(1, "a", STUBBORN, 0)])
    assert isinstance(found, Stopped)
    assert found.why.name == "order.cannot_pass"


# --- buying ------------------------------------------------------------------------------------------------------


def unfloated() -> Game:
    return Position().cash(a=500, b=500, c=500).start("PRR", 70, a=20, b=10).stock("a").game()


def test_it_buys_one_share_and_passes_what_is_left_of_the_turn() -> None:
    game = unfloated()
    orders = [Standing(1, "a", buy_shares(game, "PRR", "offering", None), 0)]
    found = would_do(game, "a", orders)
    assert isinstance(found, Move)
    assert found.walk.action() == BuyShare(actor="a", entity="a", company="PRR", source="offering")
    game.play(found.walk)
    if "a" in game.actors():
        assert kind(would_do(game, "a", orders)) == "pass"


def test_who_must_sell_after_a_purchase_has_to_decide() -> None:
    """18AL: above the limit of one company what is left of the turn cannot be passed."""
    place = Alabama().cash(a=500).start("L&N", 105, a=80)
    game = place.stock("a", acted=True, bought="L&N").game()
    order = BuyShares(round=2, company="L&N", source="offering", shares=9)
    assert would_do(game, "a", [Standing(1, "a", order, 0)]) == Stopped(1, fact("order.cannot_pass"))


def test_an_order_to_buy_stops_when_another_player_floats_the_company() -> None:
    """Only that of the player who has bought still passes what is left of their turn."""
    place = Alabama().cash(a=500).start("L&N", 105, a=60)
    game = place.stock("a", acted=True, bought="L&N").game()
    order = BuyShares(round=2, company="L&N", source="offering")
    assert (ends(game, "a", order), ends(game, "b", order)) == ([], ["order.floated"])


def test_nothing_is_bought_by_whoever_is_asked_for_something_else_and_the_order_stands() -> None:
    """Bob gives up a train in Ann's turn."""
    place = Position().phase("5").cash(b=500).start("PRR", 70, a=30).start("B&O", 70, b=60)
    game = place.trains("B&O", "5", "5", "5").stock("a").game()
    assert game.actors() == ("b",)
    orders = [Standing(1, "b", BuyShares(round=2, company="PRR", source="offering"), 0)]
    assert (would_do(game, "b", orders), stopped(game, orders, ())) == (None, ())


def test_nothing_is_bought_while_privates_are_sold_and_the_order_stands() -> None:
    """18AL: shares follow in the same stock round."""
    game = new_game(3, title="18al")
    orders = [Standing(1, "a", buy_shares(game, "L&N", "offering", None), 0)]
    assert (would_do(game, "a", orders), stopped(game, orders, ())) == (None, ())


def test_buying_comes_before_an_older_order_to_pass() -> None:
    game = unfloated()
    orders = [Standing(1, "a", STUBBORN, 0), Standing(2, "a", buy_shares(game, "PRR", "offering", None), 0)]
    assert kind(would_do(game, "a", orders)) == "buy_share"


def test_what_can_be_done_comes_before_the_end_of_an_older_order() -> None:
    """No share of the PRR lies in the market."""
    game = unfloated()
    orders = [
        Standing(n, "a", buy_shares(game, "PRR", source, None), 0)
        for n, source in enumerate(("market", "offering"))
    ]
    found = would_do(game, "a", orders)
    assert isinstance(found, Move)
    assert found.order == 1


def test_it_stops_when_the_company_floats() -> None:
    game = Position().cash(b=500).start("PRR", 70, a=60).stock("b").game()
    assert ends(game, "b", BuyShares(round=2, company="PRR", source="offering")) == ["order.floated"]


def test_it_stops_with_as_many_shares_as_were_wanted() -> None:
    game = unfloated()
    assert ends(game, "b", BuyShares(round=2, company="PRR", source="offering", shares=1)) == [
        "order.has_shares"
    ]
    assert ends(game, "b", BuyShares(round=2, company="PRR", source="offering", shares=2)) == []


def test_what_the_rules_refuse_stops_it_with_their_reason() -> None:
    """No share of the PRR lies in the market."""
    game = unfloated()
    found = would_do(game, "a", [Standing(1, "a", BuyShares(round=2, company="PRR", source="market"), 0)])
    assert isinstance(found, Stopped)
    assert not found.why.name.startswith("order.")


def test_a_place_is_known_however_it_is_written_and_no_other_is_ordered_from() -> None:
    """Else the order would stand until its owner's turn, and end there."""
    game = unfloated()
    assert buy_shares(game, "PRR", "Market", None).source == "market"
    assert buy_shares(game, "PRR", "prr", None).source == "PRR"
    assert buy_shares(game, "PRR", "removed", None).source == "removed", "18Chesapeake 14.3"
    with pytest.raises(IllegalAction) as refused:
        buy_shares(game, "PRR", "makret", None)
    assert refused.value.reason.name == "buying.not_from_there"


def test_a_sale_in_the_company_stops_it_and_one_elsewhere_does_not() -> None:
    game = two_companies()
    events = do(game, "sell_shares", "b", company="PRR", shares=1)
    assert ends(game, "a", BuyShares(round=2, company="PRR", source="market", shares=9), events) == [
        "order.sold"
    ]
    assert ends(game, "a", BuyShares(round=2, company="B&O", source="market", shares=9), events) == []


# --- done after this, forced moves, in store ----------------------------------------------------------------------


def test_done_after_waits_for_one_move_of_the_step() -> None:
    game = two_companies()
    order = Standing(1, "b", done_after(game, "b"), game.seq)
    assert would_do(game, "b", [order]) is None
    do(game, "sell_shares", "b", company="PRR", shares=1)
    assert game.actors() == ("b",)
    assert kind(would_do(game, "b", [order])) == "pass"
    passes(game, "b")
    assert [one.why.name for one in stopped(game, [order], ())] == ["order.step_over"]


def test_done_after_waits_for_the_first_move_of_a_game_too() -> None:
    game = two_companies()
    order = Standing(1, "b", done_after(game, "b"), 0)
    do(game, "sell_shares", "b", company="PRR", shares=1)
    assert kind(would_do(game, "b", [order])) == "pass"


def test_nobody_is_done_with_a_step_of_somebody_else() -> None:
    with pytest.raises(IllegalAction):
        done_after(two_companies(), "a")


def test_an_order_that_would_end_at_once_is_not_taken() -> None:
    game = Position().cash(b=500).start("PRR", 70, a=60).stock("b").game()
    with pytest.raises(IllegalAction):
        require_lasting(game, "b", buy_shares(game, "PRR", "offering", None))


def test_a_move_is_forced_only_where_nothing_else_is_possible() -> None:
    assert forced_move(two_companies()) is None


@pytest.mark.parametrize(
    "order", [QUIET, STUBBORN, BuyShares(round=1, company="PRR", source="market", shares=3)]
)
def test_an_order_is_read_as_it_was_written(order: Order) -> None:
    assert read_order(write_order(order)) == order
