"""Maximum bids and sealed ones: as little as is needed, never above the maximum, the earlier order wins ties."""

import pytest

from engine.core.actions import Bid, Pass
from engine.core.errors import IllegalAction
from engine.core.events import Event, IncomePaid, PriceReduced, RoundStarted
from engine.core.facts import fact
from engine.core.state import Auction, Operating, Stock
from engine.game import Game
from engine.orders import next_order_move, stopped_orders
from engine.orders.new_orders import have_all_players_sealed, seal_bids_order
from engine.orders.order_kinds import Order, PassStock, SealBids
from engine.play.privates.auction import privates_on_sale
from tests.engine.orders.acting import does, ends, in_short, owners, paid, run, sealed, standing, up_to
from tests.titles.builders import Position, TitleGame, do, new_game, passes


def bid_on(game: Game, private: str, **bids: int) -> Game:
    for player, amount in bids.items():
        do(game, "bid", player, private=private, amount=amount)
    return game


def contested() -> Game:
    """Ann has bid $45 on the C-P, Bob $50, and Cy has bought the D&R: the two bidders fight for it."""
    game = bid_on(bid_on(new_game(3), "C-P", a=45, b=50), "D&R", c=20)
    assert game.table.auction.contested == "C-P"
    return game


def led() -> Game:
    """Ann leads for the CV, and it is her turn again."""
    game = bid_on(new_game(3), "CV", a=205)
    passes(game, "b", "c")
    return game


@pytest.mark.parametrize(
    ("game", "player", "orders", "found"),
    [
        (new_game(3), "a", [up_to("D&R", 60)], "bid D&R 20"),  # the cheapest is bought at its price
        (
            bid_on(new_game(3), "CV", a=205),
            "b",
            [up_to("CV", 300)],
            "bid CV 210",
        ),  # the least that is possible
        (contested(), "a", [up_to("C-P", 54)], "pass"),
        (contested(), "a", [up_to("C-P", 54, "ask")], "! beyond"),
        (contested(), "b", [up_to("C-P", 10, "ask")], ""),  # who is not on turn
        (contested(), "a", [up_to("CV", 300)], ""),  # a contest for another private is not given up
        (led(), "a", [up_to("CV", 300, "ask")], ""),  # who leads does not bid against themselves
        (led(), "a", [up_to("CV", 300)], "pass"),
        # of several that can act the earlier; a bid comes before a pass, and the end of one before it, too
        (new_game(3), "a", [up_to("B&OR", 300), up_to("CV", 300)], "bid B&OR 105"),
        (bid_on(new_game(3), "CV", a=205), "b", [up_to("CV", 100), up_to("B&OR", 200)], "bid B&OR 105"),
        (bid_on(new_game(3), "CV", a=205), "b", [up_to("CV", 100), up_to("CV", 100, "ask")], "! beyond"),
    ],
)
def test_maximum_bid(game: Game, player: str, orders: list[Order], found: str) -> None:
    assert does(game, player, *orders) == found


def test_contest_of_two_maxima_ends_at_once() -> None:
    game = contested()
    made = run(game, standing(("a", up_to("C-P", 100)), ("b", up_to("C-P", 70))))
    assert game.table.state.privates["C-P"].owner == "a"
    raises = [one.amount for one in made if isinstance(one, Bid) and one.private == "C-P"]
    assert raises == [55, 60, 65, 70, 75]


@pytest.mark.parametrize("earlier", ["a", "b"])
def test_earlier_of_equal_maxima_wins(earlier: str) -> None:
    for most in (70, 75):
        game = contested()
        later = "b" if earlier == "a" else "a"
        made = run(game, standing((earlier, up_to("C-P", most)), (later, up_to("C-P", most))))
        assert game.table.state.privates["C-P"].owner == earlier
        assert paid(made, "C-P") <= most


@pytest.mark.parametrize(("earlier", "later"), [(150, 150), (150, 154), (154, 150)])
def test_maxima_less_than_a_raise_apart_are_equal(earlier: int, later: int) -> None:
    """18AL, where bids are of whole dollars: the earlier order wins, not the one that happens to reach it first."""
    for first, other in (("a", "b"), ("b", "a")):
        game = bid_on(new_game(3, title="18al"), "NDY", a=125, b=130)
        orders = standing((first, up_to("NDY", earlier)), (other, up_to("NDY", later)))
        for private in ("TR", "SNAR", "BLC", "M&C"):
            run(game, orders)
            bid_on(game, private, c=game.rules.spec.privates[private].face_value)
        run(game, orders)
        assert game.table.state.privates["NDY"].owner == first


def test_left_contest_ties_no_more() -> None:
    game = bid_on(bid_on(new_game(4), "C-P", a=45, b=50, c=55), "D&R", d=20)
    passes(game, game.actors()[0])
    gone = next(p for p in "abc" if p not in game.table.auction.bids["C-P"])
    there = game.actors()[0]
    orders = standing((gone, up_to("C-P", 60)), (there, up_to("C-P", 60)))
    assert in_short(next_order_move(game, there, orders)).startswith("bid")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            up_to("D&R", 20),
            up_to("D&R", 20, "ask"),
        ),  # what lies on top takes no bids: there is nothing to tie
        (SealBids(maxima={"CV": 205}), up_to("CV", 205, "ask")),  # a seal ties with nobody before it bids
    ],
)
def test_asking_order_learns_no_maximum(first: Order, second: Order) -> None:
    found = next_order_move(new_game(3), "a", standing(("b", first), ("a", second)))
    assert in_short(found).startswith("bid")


# --- ends --------------------------------------------------------------------------------------------------------


def test_bids_end_with_private_or_passes() -> None:
    """Once all have passed: else all would become cheap and be bought for nothing, and nobody would have been
    asked."""
    game = new_game(3)
    assert [ends(game, "b", up_to(private, 60)) for private in ("D&R", "CV")] == ["", ""]
    bid_on(game, "D&R", a=20)
    assert [ends(game, "b", up_to(private, 60)) for private in ("D&R", "CV")] == ["private_sold", ""]
    game = new_game(3)
    made = run(game, standing(*zip("abc", (up_to("CV", most) for most in (240, 225, 265)), strict=True)))
    assert [one.kind for one in made[-3:]] == ["pass"] * 3
    assert game.table.auction.discount == 5
    assert owners(game) == {}
    passes(game, "a", "b")
    events = do(game, "pass", "c")
    found = [
        ends(game, player, up_to("CV", 100, then), *events) for player, then in (("b", "ask"), ("c", "pass"))
    ]
    assert found == ["", "all_passed"]
    game = new_game(3, title="18tn")  # privates are sold in stock rounds
    private = privates_on_sale(game.table)[-1]
    assert len(run(game, standing(*((player, up_to(private, 10)) for player in "abc")))) == 3


# --- sealed bids -------------------------------------------------------------------------------------------------

EACH = {
    "a": {"D&R": 20, "C&OC": 105, "CV": 260},
    "b": {"C-P": 80, "B&OR": 105, "CV": 300},
    "c": {"C-P": 60, "D&R": 40, "B&S": 100},
}
NOTHING: dict[str, dict[str, int]] = {"a": {}, "b": {}, "c": {}}


def test_seals_wait_for_everybody() -> None:
    """Other orders are no seals; who is bankrupt need not."""
    game = new_game(3)
    orders = sealed(game, **EACH)
    found = [in_short(next_order_move(game, "a", orders[:count])) for count in (1, 2, 3)]
    assert found == ["", "", "bid C&OC 85"]
    game, other = new_game(3), PassStock(round=2, until="over")
    seals = [("a", SealBids(maxima={})), ("b", SealBids(maxima={}))]
    assert not have_all_players_sealed(game, standing(*seals, ("c", other)))
    assert have_all_players_sealed(game, standing(*seals, ("c", SealBids(maxima={}))))
    game.table.state.player("c").bankrupt = True
    assert have_all_players_sealed(game, standing(*seals))


def test_sealed_auction() -> None:
    game = new_game(3)
    orders = sealed(game, **EACH)
    made = run(game, orders)
    assert owners(game) == {"D&R": "a", "C-P": "b", "B&S": "c", "C&OC": "a", "B&OR": "b", "CV": "b"}
    prices = {private: paid(made, private) for private in ("C-P", "CV", "B&S", "D&R")}
    assert prices in [{"C-P": cp, "CV": cv, "B&S": 55, "D&R": 20} for cp in (60, 65) for cv in (260, 265)]
    assert {type(one) for one in made} == {Bid, Pass}
    do(game, "par", "b", company="PLE", price=80)
    assert isinstance(game.table.state.round, Stock)
    assert [in_short(next_order_move(game, player, orders)) for player in game.actors()] == [""]


@pytest.mark.parametrize(
    ("maxima", "sold"),
    [
        ({"a": {"D&R": 20}, "b": {"C-P": 45}, "c": {}}, {"D&R": "a", "C-P": "b"}),  # just the least bid
        ({"a": {"D&R": 5}, "b": {"D&R": 10}, "c": {}}, {"D&R": "b"}),  # it gets cheaper until it is worth it
        ({"a": {"D&R": 19}, "b": {"D&R": 20}, "c": {}}, {"D&R": "b"}),
        ({"a": {"D&R": 20}, "b": {}, "c": {}}, {"D&R": "a"}),  # else privates would pay for ever
    ],
)
def test_sealed_maxima(maxima: dict[str, dict[str, int]], sold: dict[str, str]) -> None:
    game = new_game(3)
    run(game, sealed(game, **maxima))
    assert owners(game) == sold
    assert isinstance(game.table.state.round, Auction)
    assert game.table.auction.passes == 0


@pytest.mark.parametrize(("priority", "buyer"), [(0, "a"), (1, "b"), (2, "c")])
def test_top_goes_by_turn_from_the_priority_deal(priority: int, buyer: str) -> None:
    game = new_game(3)
    game.table.state.priority = priority
    run(game, sealed(game, **{who: {"D&R": 20} for who in "abc"}))
    assert owners(game)["D&R"] == buyer


def test_top_is_bought_by_who_can() -> None:
    """By one in the game whose money is free; when all bids lie, else the next one would come up before
    everybody who wants it has bid."""
    game = bid_on(new_game(3), "CV", a=790)
    made = run(game, sealed(game, a={"D&R": 20}, b={}, c={"D&R": 20}))
    assert (owners(game)["D&R"], paid(made, "D&R")) == ("c", 20)
    game = new_game(3)
    made = run(game, sealed(game, a={"D&R": 20}, b={"C-P": 50}, c={"C-P": 100}))
    first = [(one.actor, getattr(one, "private", "pass")) for one in made[:4]]
    assert first == [("a", "pass"), ("b", "C-P"), ("c", "C-P"), ("a", "D&R")]
    assert owners(game)["C-P"] == "c"
    game = new_game(3)
    game.table.state.player("a").bankrupt, game.table.auction.turn = True, 1
    game = TitleGame.load(game.dump())
    found = run(game, sealed(game, b={"D&R": 20}, c={}))[0]
    assert found == Bid(actor="b", entity="b", private="D&R", amount=20)


@pytest.mark.parametrize("earlier", ["a", "b"])
def test_earlier_of_equal_seals_wins(earlier: str) -> None:
    """As many steps above the value as can be bid are equal, too."""
    later = "b" if earlier == "a" else "a"
    rest = {private: most for each in EACH.values() for private, most in each.items() if private != "CV"}
    for most in (250, 252):
        game = new_game(3)
        run(game, sealed(game, **{earlier: {"CV": 250}, later: {"CV": most}, "c": rest}))
        assert owners(game)["CV"] == earlier


@pytest.mark.parametrize("turn", [0, 1])
def test_free_private_is_taken_unwanted(turn: int) -> None:
    """18Chesapeake 9: who acts may not pass then, also where another comes first by turn."""
    game = new_game(3)
    game.table.auction.discount, game.table.auction.turn = 20, turn
    game = TitleGame.load(game.dump())
    orders = sealed(game, **NOTHING)
    assert in_short(next_order_move(game, "abc"[turn], orders)) == "bid D&R 0"


def test_par_price_waits_for_its_owner() -> None:
    game = new_game(3)
    run(game, sealed(game, **EACH | {"a": {"D&R": 20}, "c": EACH["c"] | {"C&OC": 150, "CV": 400}}))
    assert game.actors() == ("c",)
    step = game.step()
    assert step is not None
    assert step.name == "par_due"


def test_seals_after_open_bids() -> None:
    """They are for all that is left."""
    game = bid_on(new_game(3), "CV", a=230)
    run(game, sealed(game, a={}, b={"CV": 300}, c={"D&R": 20}))
    assert owners(game)["D&R"] == "c"
    assert game.table.auction.bids["CV"] == {"a": 230, "b": 235}
    game = bid_on(new_game(3), "D&R", a=20)
    assert seal_bids_order(game, {"CV": 250}) == SealBids(
        maxima={"C-P": 0, "B&S": 0, "C&OC": 0, "B&OR": 0, "CV": 250}
    )
    with pytest.raises(IllegalAction) as refused:
        seal_bids_order(game, {"CV": 250, "D&R": 20})
    assert refused.value.reason == fact("auction.not_up", private="D&R")
    with pytest.raises(IllegalAction, match="no_auction"):
        seal_bids_order(new_game(3, title="18newengland"), {})


@pytest.mark.parametrize("title", ["18chesapeake", "18chesapeake-off-the-rails", "18al", "18tn"])
def test_seals_for_everything_sell_everything(title: str) -> None:
    """But for what only an owner decides, such as a par price, nobody is waited for."""
    game = new_game(4, title=title)
    value = {name: spec.face_value for name, spec in game.rules.spec.privates.items()}
    run(
        game,
        sealed(game, **{who: {name: v + 5 * n for name, v in value.items()} for n, who in enumerate("abcd")}),
    )
    step = game.step()
    assert step is not None
    assert step.name != "bid" or len(owners(game)) >= len(value) - 1


@pytest.mark.parametrize(
    ("events", "why"),
    [
        ((), ""),
        ((PriceReduced("D&R", 15),), ""),
        ((IncomePaid(()),), "nobody_bids"),
        ((RoundStarted("stock", 1),), "nobody_bids"),
        ((PriceReduced("D&R", 15), RoundStarted("stock", 1)), ""),
    ],
)
def test_seal_ends_where_nothing_becomes_cheaper(events: tuple[Event, ...], why: str) -> None:
    game = new_game(3)
    assert ends(game, "a", seal_bids_order(game, {}), *events) == why


def test_seal_ends_with_the_auction() -> None:
    """Whatever is sold last; and in a round in which privates are not sold. It stands where a price falls: in
    18AL what nobody wants for $20 costs $15 in the next stock round."""
    game = new_game(3)
    order = seal_bids_order(game, {})
    game.table.state.round = Operating()
    assert ends(game, "a", order) == "round_over"
    assert ends(Position().stock("a").game(), "a", order) == "all_sold"
    game = new_game(3, title="18al")
    first = next(iter(game.table.state.privates))
    orders = sealed(game, a={first: 10}, b={}, c={})
    run(game, orders)
    assert owners(game) == {first: "a"}
    assert isinstance(game.table.state.round, Stock)
    assert {one.reason.name for one in stopped_orders(game, orders, ())} <= {"order.round_over"}
