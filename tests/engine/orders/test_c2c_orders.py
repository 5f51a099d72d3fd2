"""Orders in 18C2C: destination runs, merger rounds, tokens, bids that bind."""

import pytest

from engine.core.errors import IllegalAction
from engine.core.events import Privatized, SharesExchanged
from engine.core.state import ExtraTokens, LastRun
from engine.game import Game
from engine.orders import forced_move, next_order_move
from engine.orders.new_orders import bid_up_to_order, pass_merger_order, seal_bids_order
from engine.orders.order_kinds import BuyShares, Order, PassMerger, RunBest, SealBids
from engine.orders.timeout_moves import timeout_move
from engine.play.privates.auction import privates_on_sale
from tests.engine.orders.acting import does, ends, in_short, owners, run, sealed, standing
from tests.engine.orders.test_stock_orders import QUIET, STUBBORN
from tests.titles.builders import Position, TitleGame, do, find, kinds, new_game, values
from tests.titles.t18c2c.merging import Merging
from tests.titles.t18c2c.rails import COLOURS, TO_CHICAGO, rails


def stands_aside(game: Game, player: str, order: Order) -> bool:
    return (does(game, player, order), ends(game, player, order)) == ("", "")


def test_run_to_the_destination_is_not_ordered() -> None:
    """Nothing says that it is the best run, and it may wait."""
    order = RunBest(company="NYC", dividend="withhold")
    place = Position(title="18c2c").phase("3D").start("NYC", 100, a=60).trains("NYC", "3D")
    place.state.companies["NYC"].extra = ExtraTokens(reserved=["NYC"])
    game = rails(place.operating("NYC", "destination"), TO_CHICAGO, **COLOURS).game()
    assert kinds(game) == ["run_routes", "pass"]
    assert does(game, "a", order) == ""
    do(game, "run_routes", "NYC", routes=find(game, "run_routes").suggest()[0].chosen["routes"])
    assert kinds(game) == ["dividend"]
    assert does(game, "a", order) == ""


def test_trains_of_a_merged_company_are_asked() -> None:
    """A player who passes the merger round, and agrees to a merger nevertheless, is asked."""
    place = Merging().single("NYC", 7, a=60, trains="3 4").single("ERIE", 7, a=60, trains="3")
    game = place.joined("NYC", "ERIE").merging().game()
    order = pass_merger_order(game)
    assert does(game, "a", order) == "pass"
    do(game, "propose_merger", "a", company="NYC", partner="ERIE")
    assert "shuffle" in kinds(game)
    assert stands_aside(game, "a", order)


def test_seals_promise_no_more_than_there_is() -> None:
    """Money of outbid bids stays set aside, too, until that private is sold."""
    game, again = (new_game(3, title="18c2c", options=["no_eliminations"]) for _ in range(2))
    wants = {name: spec.face_value + 40 for name, spec in game.rules.spec.privates.items()}
    promised = 0
    for action in run(game, sealed(game, a=wants, b=wants, c=wants)):
        again.apply(action)
        bids = [] if again.table.state.auction is None else again.table.auction.bids.values()
        bound = {who: sum(one.get(who, 0) for one in bids) for who in "abc"}
        assert all(again.table.cash(who) >= bound[who] for who in "abc")
        promised = max(promised, *bound.values())
    assert promised
    assert owners(game)


def test_bids_wait_while_privates_are_taken_out() -> None:
    """Whatever is asked; nothing is sealed before, nor done by a seal, as after an undo."""
    game = new_game(3, title="18c2c")
    assert kinds(game) == ["remove_private"]
    private = privates_on_sale(game.table)[0]
    assert stands_aside(game, "a", bid_up_to_order(game, private, 400, "pass"))
    assert stands_aside(game, "a", bid_up_to_order(game, private, 400, "ask"))
    with pytest.raises(IllegalAction, match="no_auction"):
        seal_bids_order(game, {})
    assert next_order_move(game, "a", standing(*((player, SealBids(maxima={})) for player in "abc"))) is None


def test_free_top_of_several_columns_is_taken() -> None:
    """18C2C Full, after the elimination: the SVR, on top of the second column."""
    game = new_game(2, title="18c2c-full")
    auction, game.table.state.priority = game.table.auction, 1
    auction.eliminated = game.rules.spec.auction.eliminations
    auction.discounts["SVR"] = game.rules.spec.privates["SVR"].face_value
    game = TitleGame.load(game.dump())
    orders = standing(*((who, SealBids(maxima={})) for who in "ab"))
    assert in_short(next_order_move(game, "a", orders)) == "bid SVR 0"


def test_tokens_are_their_presidents_decision() -> None:
    """Ann's company floats by a share that Bob's order buys, or her own; all orders stand."""
    game = Position(3, title="18c2c").start("PRR", 82, a=50).cash(b=500).stock("b").game()
    nine = BuyShares(round=2, company="PRR", source="offering", shares=9)
    orders = standing(("a", STUBBORN), ("a", nine), ("b", nine.model_copy(update={"shares": None})))
    assert in_short(next_order_move(game, "b", orders)) == "buy_share PRR offering"
    do(game, "buy_share", "b", company="PRR", source="offering")
    assert game.actors() == ("a",)
    assert stands_aside(game, "a", STUBBORN)
    assert stands_aside(game, "a", nine)
    do(game, "buy_tokens", "PRR", tokens="none")
    assert "b" not in game.actors() or in_short(next_order_move(game, "b", orders)) == "pass"
    game = Position(3, title="18c2c").start("PRR", 82, a=50).cash(a=500).stock("a").game()
    do(game, "buy_share", "a", company="PRR", source="offering")
    assert "buy_tokens" in kinds(game)
    assert stands_aside(game, "a", nine)


def test_taken_and_exchanged_shares_stop_passing() -> None:
    """A president needs nobody's consent."""
    game = Position(title="18c2c").start("PRR", 100, a=60, b=20).stock("a").game()
    taken = Privatized("a", "PRR", "b", 10, 150)
    assert [ends(game, player, QUIET, taken) for player in "ba"] == ["taken", ""]
    exchanged = SharesExchanged("PRR", (("a", 3, 0), ("b", 0, 40)))
    assert [ends(game, player, QUIET, exchanged) for player in "bc"] == ["exchanged", ""]


@pytest.mark.parametrize(
    ("last", "then"), [(None, "pay"), ("paid", "pay"), ("withheld", "pay"), ("lost", "pay"), ("half", "half")]
)
def test_timeout_pays_half_only_after_half(last: str | None, then: str) -> None:
    """Nothing is kept that nobody has asked to be kept."""
    place = Position(title="18c2c").phase("3D").start("WAB", 100, at=(1, 7), a=60).trains("WAB", "5")
    game = place.operating("WAB", "dividend", revenue=130).game()
    game.table.company.last_run = None if last is None else LastRun((), (), 130, last)  # type: ignore[arg-type]
    found = timeout_move(game, game.actors()[0])
    assert found is not None
    assert found.chosen == {"option": then}


@pytest.mark.parametrize(
    ("place", "set_"),
    [
        (Merging().stock(number=3), 3),
        (Position(title="18c2c").start("NYC", 100, a=60).stock("a", number=2), 2),
        (Position(title="18c2c").start("NYC", 100, a=60).operating("NYC", set=2), 3),
    ],
)
def test_merger_round_comes_after_a_stock_round(place: Position, set_: int) -> None:
    """It is number 0 of the set that follows."""
    assert pass_merger_order(place.game()) == PassMerger(set=set_, number=0)


def test_offer_beyond_secret_money_is_not_refused() -> None:
    """Automatically: else the seller would learn at once what the buyer has."""
    place = Position(title="18c2c").owns("b", "KTC").cash(a=300, b=100)
    game = place.stock("b").game()
    do(game, "sell_private", "b", private="KTC", buyer="a", price=301)
    assert values(game, "answer", "a", "reply") == ["refuse"]
    assert forced_move(game) is None
