"""All privates at once by sealed maxima: nothing before everybody has sealed, then ordinary bids to the end."""

from typing import Any

import pytest

from engine.core.actions import Action, Bid, Pass
from engine.core.errors import IllegalAction
from engine.core.events import Event, IncomePaid, PriceReduced, RoundStarted
from engine.core.state import Auction, Operating, Stock
from engine.game import Game
from engine.orders import Move, Standing, read_order, stopped, would_do, write_order
from engine.orders.new_orders import seal
from engine.orders.order_kinds import Seal, description
from engine.tell.teller import teller_of
from tests.titles.builders import Position, do, new_game, passes

EACH = {
    "a": {"D&R": 20, "C&OC": 105, "CV": 260},
    "b": {"C-P": 80, "B&OR": 105, "CV": 300},
    "c": {"C-P": 60, "D&R": 40, "B&S": 100},
}
"""What three players of 18Chesapeake would give: something for every private."""


def sealed(game: Game, **maxima: dict[str, int]) -> list[Standing]:
    """Sealed one after the other."""
    return [Standing(n, who, seal(game, most), 0) for n, (who, most) in enumerate(maxima.items(), start=1)]


def run(game: Game, orders: list[Standing]) -> list[Action]:
    """Let the auction run until somebody has to decide; what was done."""
    made: list[Action] = []
    events: tuple[Event, ...] = ()
    while len(made) < 500:
        ended = {one.order for one in stopped(game, orders, events)}
        orders = [one for one in orders if one.number not in ended]
        moves = (would_do(game, player, orders) for player in game.actors())
        move = next((one for one in moves if isinstance(one, Move)), None)
        if move is None:
            return made
        made.append(move.walk.action())
        events = game.play(move.walk)
    raise AssertionError("the auction does not end")


def owners(game: Game) -> dict[str, Any]:
    return {p.id: p.owner for p in game.table.state.privates.values() if p.owner is not None}


def paid(made: list[Action], private: str) -> int:
    return max(one.amount for one in made if isinstance(one, Bid) and one.private == private)


def test_nothing_is_done_once_privates_are_not_bid_on_any_more() -> None:
    game = new_game(3)
    orders = sealed(game, **EACH)
    run(game, orders)
    do(game, "par", "b", company="PLE", price=80)
    assert isinstance(game.table.state.round, Stock)
    assert [would_do(game, player, orders) for player in game.actors()] == [None]


def test_nothing_is_done_before_everybody_has_sealed() -> None:
    game = new_game(3)
    orders = sealed(game, **EACH)
    assert all(would_do(game, "a", orders[:count]) is None for count in (1, 2))
    assert isinstance(would_do(game, "a", orders), Move)


def test_what_several_want_goes_to_the_highest_maximum_at_the_least_raise_above_the_next() -> None:
    game = new_game(3)
    made = run(game, sealed(game, **EACH))
    assert owners(game) == {"D&R": "a", "C-P": "b", "B&S": "c", "C&OC": "a", "B&OR": "b", "CV": "b"}
    assert paid(made, "C-P") in (60, 65)
    assert paid(made, "CV") in (260, 265)


def test_what_one_alone_bids_on_costs_the_least_bid() -> None:
    game = new_game(3)
    made = run(game, sealed(game, **EACH))
    assert paid(made, "B&S") == 55


def test_a_maximum_of_just_the_least_bid_takes_part() -> None:
    """Else it would be bought at its price once it lies on top, for less than anybody may bid."""
    game = new_game(3)
    made = run(game, sealed(game, a={"D&R": 20}, b={"C-P": 45}, c={}))
    assert (owners(game)["C-P"], paid(made, "C-P")) == ("b", 45)


def test_what_lies_on_top_goes_by_turn_at_its_price_and_not_to_the_highest_maximum() -> None:
    """Nobody may bid on it: the first of those who want it, counted from the priority deal, buys it."""
    game = new_game(3)
    made = run(game, sealed(game, **EACH))
    assert owners(game)["D&R"] == "a"
    assert paid(made, "D&R") == 20


def test_the_first_by_turn_is_counted_from_the_priority_deal() -> None:
    game = new_game(3)
    game.table.state.priority = 1
    run(game, sealed(game, a={"D&R": 20}, b={"D&R": 20}, c={"D&R": 20}))
    assert owners(game)["D&R"] == "b"


def test_who_has_set_the_money_for_it_aside_lets_the_next_one_buy_the_top() -> None:
    game = new_game(3)
    do(game, "bid", "a", private="CV", amount=790)
    made = run(game, sealed(game, a={"D&R": 20}, b={}, c={"D&R": 20}))
    assert (owners(game)["D&R"], paid(made, "D&R")) == ("c", 20)


def test_the_top_is_bought_only_when_all_bids_lie() -> None:
    """Else the next one would come up before everybody who wants it has bid."""
    game = new_game(3)
    made = run(game, sealed(game, a={"D&R": 20}, b={"C-P": 50}, c={"C-P": 100}))
    kinds = [(one.actor, getattr(one, "private", "pass")) for one in made[:4]]
    assert kinds == [("a", "pass"), ("b", "C-P"), ("c", "C-P"), ("a", "D&R")]
    assert owners(game)["C-P"] == "c"


@pytest.mark.parametrize("earlier", ["a", "b"])
def test_of_two_equal_maxima_the_earlier_seal_wins(earlier: str) -> None:
    """As many steps above the value as can be bid are equal, too."""
    later = "b" if earlier == "a" else "a"
    rest = {private: most for each in EACH.values() for private, most in each.items() if private != "CV"}
    for most in (250, 252):
        game = new_game(3)
        run(game, sealed(game, **{earlier: {"CV": 250}, later: {"CV": most}, "c": rest}))
        assert owners(game)["CV"] == earlier


def test_nobody_pays_more_than_they_have_free() -> None:
    """Money that leads elsewhere is set aside: maxima may come to more than somebody has."""
    game = new_game(3)
    run(game, sealed(game, a={"CV": 700, "B&OR": 700}, b={"CV": 600, "B&OR": 600}, c={}))
    assert all(player.cash >= 0 for player in game.table.state.players)


def test_the_first_gets_cheaper_until_it_is_worth_its_price() -> None:
    game = new_game(3)
    run(game, sealed(game, a={"D&R": 5}, b={"D&R": 10}, c={}))
    assert owners(game) == {"D&R": "b"}


def test_what_costs_nothing_any_more_is_taken_though_nobody_wants_it() -> None:
    """18Chesapeake 9: the next player may not pass then."""
    game = new_game(3)
    game.table.auction.discount = 20
    found = would_do(game, "a", sealed(game, a={}, b={}, c={}))
    assert isinstance(found, Move)
    assert found.walk.action() == Bid(actor="a", entity="a", private="D&R", amount=0)


def test_when_nobody_bids_on_what_is_left_the_seals_end_and_everybody_decides() -> None:
    """Else privates would pay for ever."""
    game = new_game(3)
    orders = sealed(game, a={"D&R": 20}, b={}, c={})
    run(game, orders)
    assert owners(game) == {"D&R": "a"}
    assert isinstance(game.table.state.round, Auction)
    assert game.table.auction.passes == 0


def test_a_par_price_is_its_owners_decision_and_the_auction_continues_afterwards() -> None:
    game = new_game(3)
    orders = sealed(game, **EACH | {"a": {"D&R": 20}, "c": EACH["c"] | {"C&OC": 150, "CV": 400}})
    run(game, orders)
    assert game.actors() == ("c",)
    assert game.step().name == "par_due"  # type: ignore[union-attr]


def test_open_moves_before_the_last_has_sealed_stand() -> None:
    game = new_game(3)
    do(game, "bid", "a", private="CV", amount=230)
    run(game, sealed(game, a={}, b={"CV": 300}, c={"D&R": 20}))
    assert owners(game)["D&R"] == "c"
    assert game.table.auction.bids["CV"] == {"a": 230, "b": 235}


def test_only_what_is_left_is_sealed() -> None:
    game = new_game(3)
    do(game, "bid", "a", private="D&R", amount=20)
    assert "D&R" not in seal(game, {}).maxima
    with pytest.raises(IllegalAction, match="not_up"):
        seal(game, {"D&R": 20})


def test_a_seal_ends_when_all_is_sold_or_the_round_is_over() -> None:
    game = new_game(3, title="18al")
    orders = sealed(game, a={}, b={}, c={})
    passes(game, "a", "b")
    events = do(game, "pass", "c")
    assert not isinstance(game.table.state.round, Auction)
    ended = stopped(game, orders, events)
    assert {one.why.name for one in ended} <= {"order.nobody_bids", "order.round_over"}


def test_in_stock_rounds_a_price_that_falls_lets_the_seals_stand() -> None:
    """18AL: what nobody wants for $20 costs $15 in the next stock round."""
    game = new_game(3, title="18al")
    first = next(iter(game.table.state.privates))
    run(game, sealed(game, a={first: 10}, b={}, c={}))
    assert owners(game) == {first: "a"}
    assert isinstance(game.table.state.round, Stock)


@pytest.mark.parametrize("title", ["18chesapeake", "18chesapeake-off-the-rails", "18al", "18tn"])
def test_with_maxima_for_everything_the_whole_auction_is_sold(title: str) -> None:
    """But for what only an owner decides, such as a par price, nobody is waited for."""
    game = new_game(4, title=title)
    value = {name: spec.value for name, spec in game.rules.spec.privates.items()}
    wants = {who: {name: v + 5 * n for name, v in value.items()} for n, who in enumerate("abcd")}
    orders = sealed(game, **wants)
    made = run(game, orders)
    step = game.step()
    assert step is not None
    assert step.name != "bid" or len(owners(game)) >= len(value) - 1, (owners(game), made)


def test_no_privates_no_seals() -> None:
    with pytest.raises(IllegalAction, match="no_auction"):
        seal(new_game(3, title="18newengland"), {})


def test_a_seal_is_said_in_words_and_read_back() -> None:
    game = new_game(3)
    order = seal(game, {"CV": 300, "D&R": 20})
    assert teller_of(game).say(description(order)) == "Sealed maxima: D&R $20, CV $300"
    assert teller_of(game).say(description(seal(game, {}))) == "Sealed maxima: none; no private is wanted"
    assert read_order(write_order(order)) == order


def test_a_pass_is_ordinary() -> None:
    game = new_game(3)
    assert {type(one) for one in run(game, sealed(game, **EACH))} == {Bid, Pass}


@pytest.mark.parametrize(
    ("events", "why"),
    [
        ((), []),
        ((PriceReduced("D&R", 15),), []),
        ((IncomePaid(()),), ["order.nobody_bids"]),
        ((RoundStarted("stock", 1),), ["order.nobody_bids"]),
        ((PriceReduced("D&R", 15), RoundStarted("stock", 1)), []),
    ],
)
def test_seals_end_where_all_have_passed_and_nothing_has_become_cheaper(
    events: tuple[Event, ...], why: list[str]
) -> None:
    game = new_game(3)
    assert [one.why.name for one in stopped(game, sealed(game, a={}), events)] == why


def test_seals_end_with_the_auction() -> None:
    """Whatever is sold last; and in a round in which privates are not sold."""
    game = new_game(3)
    orders = sealed(game, a={})
    game.table.state.round = Operating()
    assert [one.why.name for one in stopped(game, orders, ())] == ["order.round_over"]
    over = Position().stock("a").game()
    assert [one.why.name for one in stopped(over, orders, ())] == ["order.all_sold"]


def test_a_seal_does_nothing_while_privates_are_taken_out() -> None:
    """18C2C: as after an undo."""
    game = new_game(3, title="18c2c")
    orders = [Standing(number, who, Seal(maxima={}), 0) for number, who in enumerate("abc")]
    assert would_do(game, "a", orders) is None


def test_nobody_buys_the_top_for_more_than_their_maximum() -> None:
    """$20: Ann would give $19, and Bob, the next one, takes it."""
    game = new_game(3)
    run(game, sealed(game, a={"D&R": 19}, b={"D&R": 20}, c={}))
    assert owners(game) == {"D&R": "b"}


def test_whoever_acts_takes_what_costs_nothing_any_more() -> None:
    """Also where another comes first by turn, and nobody has named it."""
    game = new_game(3)
    game.table.auction.discount, game.table.auction.turn = 20, 1
    game = Game.load(game.dump())
    orders = [Standing(number, who, Seal(maxima={}), 0) for number, who in enumerate("abc")]
    found = would_do(game, "b", orders)
    assert isinstance(found, Move)
    assert found.walk.action() == Bid(actor="b", entity="b", private="D&R", amount=0)


def test_of_several_columns_the_top_is_taken_that_costs_nothing() -> None:
    """18C2C Full, after the elimination: the SVR, on top of the second column."""
    game = new_game(2, title="18c2c-full")
    auction, game.table.state.priority = game.table.auction, 1
    auction.eliminated = game.rules.spec.auction.eliminations
    auction.discounts["SVR"] = game.rules.spec.privates["SVR"].value
    game = Game.load(game.dump())
    orders = [Standing(number, who, Seal(maxima={}), 0) for number, who in enumerate("ab")]
    found = would_do(game, "a", orders)
    assert isinstance(found, Move)
    assert found.walk.action() == Bid(actor="a", entity="a", private="SVR", amount=0)


def test_who_has_left_the_game_is_not_waited_for_to_buy_the_top() -> None:
    game = new_game(3)
    game.table.state.player("a").bankrupt, game.table.auction.turn = True, 1
    game = Game.load(game.dump())
    orders = sealed(game, b={"D&R": 20}, c={})
    assert run(game, orders)[0] == Bid(actor="b", entity="b", private="D&R", amount=20)
