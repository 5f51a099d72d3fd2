"""How many dollars a move seems worth to the caretaker, worked out by hand in tiny positions."""

import pytest

from engine.caretaker import deals, running, stocks, trains
from engine.caretaker.outlook import next_price, rounds_left
from engine.caretaker.seat import Seat, View
from engine.core.state import Ending, LastRun
from tests.titles.builders import Position, find

LONG = 10
"""Operating rounds that a game lasts whose bank is far from empty."""


def worths(view: View, position: Position, kind: str, player: str = "a") -> dict[tuple[object, ...], float]:
    """What each way to take the offer is worth, by what is chosen in it."""
    game = position.game()
    ideas = view(Seat(game, player), find(game, kind))
    return {tuple(idea.walk.chosen.values()): idea.worth for idea in ideas}


def shares(president: str) -> Position:
    """B&O, at $80, has run for $100 with its 5-train; its price would rise by $5. It is Ann's turn."""
    place = Position().cash(a=500, b=0, c=0).bank(8_000)
    if president == "a":
        place.start("B&O", 80, a=50, c=10)
    else:
        place.start("B&O", 80, b=50, c=10)
    place.trains("B&O", "5").treasury("B&O", 900)
    place.state.companies["B&O"].last_run = LastRun((), (), 100, "paid")
    return place


@pytest.mark.parametrize(("president", "trust"), [("a", 1.0), ("b", 0.8)])
def test_a_share_is_worth_what_it_pays_and_gains_and_less_where_another_decides(
    president: str, trust: float
) -> None:
    """Of $80; half of a rise is counted."""
    found = worths(stocks.purchases, shares(president), "buy_share")
    assert found["B&O", "offering"] == pytest.approx((10 * trust + 5 / 2) * LONG * 100 / 80)


def test_a_share_of_a_company_that_may_never_float_is_worth_half() -> None:
    place = Position().cash(a=500, b=0, c=0).start("B&O", 80, b=30)
    found = worths(stocks.purchases, place, "buy_share")
    assert found["B&O", "offering"] == pytest.approx((8 * 0.8 + 5 / 2) * LONG * 0.5 * 100 / 80)


def test_the_shares_that_are_sold_are_those_that_would_have_brought_least() -> None:
    """A share of B&O would have brought $10 and a rise of $5 in each of ten rounds; the presidency counts, too."""
    found = worths(stocks.sales, shares("a").stock("a"), "sell_shares")
    assert found["B&O", 1] == -(1 + 500 + 1 * (10 * LONG + 5))
    assert found["B&O", 2] == -(1 + 500 + 2 * (10 * LONG + 5))


def test_the_train_that_is_given_up_is_the_one_that_would_have_run_least() -> None:
    place = Position().phase("5").depot(t5=1, t6=2).start("LV", 95, a=60).tile("J2", "57", 1)
    place.trains("LV", "4", "4", "5").operating("LV", "trains")
    found = worths(trains.discards, place, "discard_train")
    assert found["4",] > found["5",]


@pytest.mark.parametrize(("cash", "keeps"), [(0, True), (1_000, False)])
def test_revenue_is_kept_only_where_the_president_could_not_help(cash: int, keeps: bool) -> None:
    """The 2-train rusts before the next turn, and the company has nothing."""
    place = Position().phase("3").depot(t3=0).cash(a=cash, b=0, c=0).start("LV", 95, a=60)
    place.tile("J2", "57", 1).trains("LV", "2").treasury("LV", 0)
    place.start("B&O", 80, b=60).start("PRR", 80, c=60).operating("LV", "dividend", revenue=50)
    found = worths(running.dividends, place, "dividend")
    assert (found["withhold",] > found["pay",]) == keeps


def test_once_the_bank_is_broken_the_rounds_of_the_set_are_left() -> None:
    place = Position().start("LV", 80, a=60).operating("LV", number=1, of=3)
    place.state.ending = Ending("bank")
    assert rounds_left(place.game().table) == 2.5
    in_stock = Position().start("LV", 80, a=60)
    in_stock.state.ending = Ending("bank")
    assert rounds_left(in_stock.game().table) == 2.0


def test_where_no_train_is_left_in_the_bank_none_has_a_price() -> None:
    place = Position()
    place.state.depot.update(dict.fromkeys(place.state.depot, 0))
    assert next_price(place.t) == 0


def test_only_what_leaves_one_with_more_is_tried() -> None:
    """A share of $80 brings a tenth of the company's $800, of which half counts; to sell one loses that."""
    place = Position().cash(a=500, b=0, c=0).start("B&O", 80, b=60, a=10)
    assert worths(deals.tried, place, "buy_share") == {("B&O", "offering"): 40}
    assert worths(deals.tried, place, "sell_shares") == {}
