"""What the caretaker offers other players: trades that help both sides, at a price between."""

import pytest

from engine.caretaker import choose, deals
from engine.caretaker.deals import PLAINLY
from engine.caretaker.ideas import View
from engine.caretaker.outlook import rounds_left
from engine.caretaker.privates import held_value, takeover_value
from engine.core.offers import Cursor
from engine.core.state import LastRun
from engine.game import Game
from engine.seat import SeatedPlayer
from tests.titles.builders import Position, do, find
from tests.titles.t18al.alabama import Alabama


def spare_train(price_of_next: str = "5") -> Position:
    """LV, Ann's, could run a 3-train, of which B&O, Bob's, has two that it has no track for; the bank's cost more."""
    place = Position().phase(price_of_next).cash(a=0, b=0, c=0).bank(8_000).start("LV", 95, a=60)
    place.start("B&O", 80, b=60).operated("B&O").treasury("B&O", 0).trains("B&O", "4", "4")
    place.state.companies["LV"].last_run = LastRun((), (), 60, "paid")
    place.tile("J2", "15", 4).tile("K3", "2", 2).tile("L4", "7", 2)
    return place.trains("LV", "3").treasury("LV", 449).operating("LV", "trains")


def test_a_train_that_another_company_can_spare_is_asked_for() -> None:
    """Above its price in the bank, so that its company has more of it, and for no more than half as much again."""
    game = spare_train().game()
    action = choose(game, "a", 1)
    chosen = action.chosen()
    assert (action.kind, chosen["train"], chosen["source"]) == ("buy_train", "4", "B&O")
    assert 300 < chosen["price"] <= 450
    assert chosen["price"] % 5 == 0 or chosen["price"] == 449
    game.apply(action)
    assert game.actors() == ("b",)


def test_what_it_proposes_it_would_agree_to() -> None:
    game = spare_train().game()
    game.apply(choose(game, "a", 1))
    answer = choose(game, "b", 1)
    assert (answer.kind, answer.chosen()) == ("answer", {"reply": "agree"})
    game.apply(answer)
    assert game.table.state.companies["LV"].trains == ["3", "4"]


@pytest.mark.parametrize("reply", ["refuse", "withdraw"])
def test_a_refusal_is_not_asked_about_again_in_the_same_round(reply: str) -> None:
    game = spare_train().game()
    game.apply(choose(game, "a", 1))
    do(game, "answer", "b" if reply == "refuse" else "a", reply=reply)
    assert game.actors() == ("a",)
    assert choose(game, "a", 1).kind == "pass"
    again = Game.load(game.dump())
    assert choose(again, "a", 1).kind == "pass", "also after it was read again"


def test_in_the_next_round_it_may_ask_again() -> None:
    game = spare_train().game()
    game.apply(choose(game, "a", 1))
    assert game.table.state.asked == {"a": ["buy_train"]}
    do(game, "answer", "b", reply="refuse")
    for _ in range(40):
        if not game.table.state.asked:
            return
        game.apply(choose(game, game.actors()[0], 1))
    pytest.fail("the round does not end")


def test_who_has_asked_is_no_part_of_the_fingerprint() -> None:
    asked, game = spare_train().game(), spare_train().game()
    asked.apply(choose(asked, "a", 1))
    do(asked, "answer", "b", reply="refuse")
    assert asked.digest() == game.digest()


def test_the_last_train_of_a_company_is_not_asked_for() -> None:
    game = spare_train().trains("B&O", "4").game()
    assert choose(game, "a", 1).chosen().get("source") != "B&O"


def test_an_apprentice_asks_nobody() -> None:
    game = spare_train().game()
    assert choose(game, "a", 1, "Apprentice").chosen().get("source") != "B&O"


# --- privates ------------------------------------------------------------------------------------------------------


def mobile() -> Alabama:
    """Ann's company has a train and money for NDY, a private for $120 that is Bob's, who has no company."""
    place = Alabama().phase("3").cash(a=400, b=400, c=400).start("L&N", 105, a=60)
    place.trains("L&N", "3", "3").treasury("L&N", 190).bank(900)
    place.state.companies["L&N"].last_run = LastRun((), (), 200, "paid")
    return place.owns("b", "NDY").stock("a")


def test_a_private_is_worth_more_to_the_president_of_a_company_that_can_buy_it() -> None:
    """Half as much again as its value, less what that takes from the treasury, and a part of six incomes."""
    t = mobile().game().table
    assert rounds_left(t) == 6
    assert (takeover_value(t, "b", "NDY"), held_value(t, "b", "NDY")) == (0, 120)
    assert takeover_value(t, "a", "NDY") == pytest.approx(180 * (1 - 0.6 * 0.5) + 6 * 20 * 0.6)


def proposed(game: Game, player: str, kind: str, view: View) -> Cursor:
    """The offer to another player that is worth most."""
    ideas = list(view(SeatedPlayer(game, player), find(game, kind)))
    assert ideas
    return max(ideas, key=lambda idea: idea.worth).walk


def test_a_private_of_another_player_is_asked_for_between_what_it_is_worth_to_both() -> None:
    game = mobile().game()
    walk = proposed(game, "a", "buy_private", deals.private_purchases)
    assert walk.chosen["private"] == "NDY"
    t = game.table
    assert held_value(t, "b", "NDY") < walk.chosen["price"] < takeover_value(t, "a", "NDY")
    game.play(walk)
    assert choose(game, "b", 1).chosen() == {"reply": "agree"}


def test_a_private_is_offered_to_the_player_whose_company_can_buy_it() -> None:
    game = mobile().stock("b").game()
    walk = proposed(game, "b", "sell_private", deals.private_sales)
    assert walk.chosen["buyer"] == "a"
    least, most = held_value(game.table, "b", "NDY"), takeover_value(game.table, "a", "NDY")
    assert least + PLAINLY <= walk.chosen["price"] <= most - PLAINLY, "both are plainly better off"
    game.play(walk)
    assert choose(game, "a", 1).chosen() == {"reply": "agree"}


def test_nothing_is_traded_that_is_worth_as_much_to_its_owner() -> None:
    """Bob's own company could buy it, too."""
    place = mobile().start("M&O", 105, b=60).trains("M&O", "3", "3").treasury("M&O", 190)
    game = place.game()
    assert list(deals.private_purchases(SeatedPlayer(game, "a"), find(game, "buy_private"))) == []


def test_where_money_is_secret_nobody_is_asked() -> None:
    game = spare_train().game()
    game.table.spec = game.table.spec.model_copy(update={"secret_cash": True})
    ideas = deals.train_purchases(SeatedPlayer(game, "a"), find(game, "buy_train"))
    assert all(idea.walk.chosen["source"] == "bank" for idea in ideas)
    game = mobile().stock("b").game()
    game.table.spec = game.table.spec.model_copy(update={"secret_cash": True})
    assert list(deals.private_sales(SeatedPlayer(game, "b"), find(game, "sell_private"))) == []


def test_while_companies_may_buy_no_private_none_is_worth_anything_to_their_presidents() -> None:
    """18Chesapeake: in phase 2."""
    place = Position().phase("2").start("LV", 95, a=60).trains("LV", "2").treasury("LV", 900).owns("b", "D&R")
    assert takeover_value(place.game().table, "a", "D&R") == 0
    assert takeover_value(place.phase("3").game().table, "a", "D&R") > 0


@pytest.mark.parametrize(
    ("trains", "treasury", "worth"),
    [(("3",), 262, 262 * 0.7), (("3",), 261, 0), ((), 900, 0), (("3",), 900, 262 * 0.7)],
)
def test_a_private_is_worth_what_a_company_with_a_train_can_pay_for_it_in_whole_dollars(
    trains: tuple[str, ...], treasury: int, worth: float
) -> None:
    """18TN: half as much again as $175; Ann, who has 60%, loses 30% of it with the treasury."""
    place = Position(title="18tn").phase("3").start("L&N", 80, a=60).trains("L&N", *trains)
    t = place.treasury("L&N", treasury).owns("a", "LNR").game().table
    assert takeover_value(t, "a", "LNR") == pytest.approx(worth)


def test_a_private_that_no_company_may_buy_is_worth_nothing_to_one() -> None:
    """18Chesapeake: Vanderbilt's; at twice $200."""
    place = Position().phase("3").start("LV", 95, a=60).trains("LV", "3").treasury("LV", 900)
    t = place.owns("a", "CV", "D&R").game().table
    assert takeover_value(t, "a", "CV") == 0 < takeover_value(t, "a", "D&R")
