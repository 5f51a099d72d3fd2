"""What the caretaker offers other players: trades that help both sides, at a price between."""

import pytest

from engine.caretaker import choose_move, deals
from engine.caretaker.privates import lowest_sale_price, value_sold_to_company
from engine.caretaker.weighed_move import Weigher
from engine.core.offers import OfferCursor
from engine.game import Game
from engine.seat import SeatedPlayer
from tests.engine.caretaker.positions import lehigh, mobile, ran, spare
from tests.titles.builders import Position, do, find
from tests.titles.t18al.alabama import Alabama


def proposed(game: Game, player: str, kind: str, view: Weigher) -> OfferCursor:
    """The offer to another player that is worth most."""
    return max(
        view(SeatedPlayer(game, player), find(game, kind)), key=lambda weighed_move: weighed_move.worth
    ).cursor


def test_spare_train_is_asked_for() -> None:
    """Above its price in the bank, for no more than half as much again; and who asks would have agreed."""
    game = spare()
    action = choose_move(game, "a", 1)
    chosen = action.chosen()
    assert (action.kind, chosen["train"], chosen["source"]) == ("buy_train", "4", "B&O")
    assert 300 < chosen["price"] <= 450
    assert chosen["price"] % 5 == 0 or chosen["price"] == 449
    game.apply(action)
    assert game.actors() == ("b",)
    answer = choose_move(game, "b", 1)
    assert (answer.kind, answer.chosen()) == ("answer", {"reply": "agree"})
    game.apply(answer)
    assert game.table.state.companies["LV"].trains == ["3", "4"]


@pytest.mark.parametrize("reply", ["refuse", "withdraw"])
def test_refused_proposal_waits_a_round(reply: str) -> None:
    game, untouched = spare(), spare()
    game.apply(choose_move(game, "a", 1))
    assert game.table.state.asked == {"a": ["buy_train"]}
    do(game, "answer", "b" if reply == "refuse" else "a", reply=reply)
    assert game.actors() == ("a",)
    assert choose_move(game, "a", 1).kind == "pass"
    assert choose_move(Game.load(game.dump()), "a", 1).kind == "pass", "also after it was read again"
    assert game.digest() == untouched.digest(), "who has asked is no part of the fingerprint"
    for _ in range(40):
        if not game.table.state.asked:
            return
        game.apply(choose_move(game, game.actors()[0], 1))
    pytest.fail("the round does not end")


def test_private_is_asked_for_between_both_worths() -> None:
    game = mobile()
    cursor = proposed(game, "a", "buy_private", deals.private_purchases)
    assert cursor.chosen["private"] == "NDY"
    t = game.table
    assert lowest_sale_price(t, "b", "NDY") < cursor.chosen["price"] < value_sold_to_company(t, "a", "NDY")
    game.apply_cursor(cursor)
    assert choose_move(game, "b", 1).chosen() == {"reply": "agree"}


@pytest.mark.parametrize(("left", "price"), [(0, None), (1, 165)])
def test_discount_private_needs_a_train_left(left: int, price: int | None) -> None:
    """18AL: NDY, Bob's, halves the price of a 4-train, $300; half of a 3-train, $180, is too little."""
    place = Alabama().phase("3").cash(a=0, b=0, c=0).start("L&N", 105, a=100).treasury("L&N", 900)
    game = place.depot(t3=2, t4=left, t5=0).owns("b", "NDY").operating("L&N", "track").game()
    found = [
        move.cursor.chosen
        for move in deals.private_purchases(SeatedPlayer(game, "a"), find(game, "buy_private"))
    ]
    assert found == ([] if price is None else [{"private": "NDY", "price": price}])


def test_secret_money_stops_proposals() -> None:
    for game, player, kind, view in (
        (spare(), "a", "buy_train", deals.weigh_train_purchases),
        (mobile("b"), "b", "sell_private", deals.weigh_private_sales),
    ):
        game.table.spec = game.table.spec.model_copy(update={"secret_cash": True})
        candidate_moves = view(SeatedPlayer(game, player), find(game, kind))
        assert all(weighed_move.cursor.chosen.get("source") == "bank" for weighed_move in candidate_moves)


@pytest.mark.parametrize(("price", "reply"), [(1, "refuse"), (300, "agree")])
def test_answer_to_a_price_for_a_private(price: int, reply: str) -> None:
    """Bob asks Ann for a private of $20."""
    game = Position(title="18tn").owns("a", "TCC").cash(a=0, b=400, c=0).stock("b").game()
    do(game, "buy_private", "b", private="TCC", price=price)
    assert choose_move(game, "a", 1).chosen() == {"reply": reply}


@pytest.mark.parametrize(
    ("trains", "treasury", "reply"), [(["3"], 262, "refuse"), (["3"], 261, "agree"), ([], 900, "agree")]
)
def test_private_is_kept_for_a_company(trains: list[str], treasury: int, reply: str) -> None:
    """L&N, Ann's, may pay $262 for a private of $175 once it has a train; Bob offers $210."""
    place = Position(title="18tn").phase("3").cash(a=0, b=400, c=0).start("L&N", 80, a=60)
    game = place.trains("L&N", *trains).treasury("L&N", treasury).owns("a", "LNR").stock("b").game()
    do(game, "buy_private", "b", private="LNR", price=210)
    assert choose_move(game, "a", 1).chosen() == {"reply": reply}


@pytest.mark.parametrize(
    ("trains", "price", "reply"), [(1, 900, "refuse"), (2, 181, "refuse"), (2, 900, "agree")]
)
def test_answer_to_a_price_for_a_train(trains: int, price: int, reply: str) -> None:
    """Bob asks Ann for a 3-train of LV, which has run for $60."""
    position = ran(lehigh(*["3"] * trains).phase("3"), LV=60).start("B&O", 80, b=60).treasury("B&O", 900)
    game = position.operating("B&O", "trains").game()
    do(game, "buy_train", "B&O", train="3", source="LV", trade_in="", price=price)
    assert choose_move(game, "a", 1).chosen() == {"reply": reply}
