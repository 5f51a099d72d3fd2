"""Which shares the caretaker sells for better ones, and what that seems worth."""

import pytest

from engine.caretaker import stock_rounds
from engine.core.state import Operating
from engine.seat import SeatedPlayer
from tests.titles.builders import Position, find


def sold(monkeypatch: pytest.MonkeyPatch, best: float, *, may: bool = True) -> dict[tuple[str, int], float]:
    """What sales are worth to Ann, with three shares of Bob's B&O, each of which brings $100, and falls by $5 each."""
    monkeypatch.setattr(stock_rounds, "_best_on_sale", lambda _: best)
    monkeypatch.setattr(stock_rounds, "_brings", lambda *_: 100)
    monkeypatch.setattr(stock_rounds, "_loss", lambda *_: 7)
    monkeypatch.setattr(stock_rounds, "_may_go", lambda *_: may)
    game = Position().cash(a=500, b=0, c=0).start("B&O", 80, b=60, a=30).stock("a").game()
    ideas = stock_rounds.share_sales(SeatedPlayer(game, "a"), find(game, "sell_shares"))
    return {(idea.walk.chosen["company"], idea.walk.chosen["shares"]): idea.worth for idea in ideas}


@pytest.mark.parametrize(("best", "worth"), [(0, -7), (150, -7), (151, 1_041), (200, 1_090)])
def test_one_share_goes_for_another_that_brings_plainly_more_than_it_and_the_fall_of_the_others(
    monkeypatch: pytest.MonkeyPatch, best: float, worth: float
) -> None:
    """Two others fall by $10 in all, and $40 more are plainly more."""
    found = sold(monkeypatch, best)
    assert len(found) > 1
    assert found == {block: worth if block[1] == 1 else -7 for block in found}


def test_no_share_goes_where_that_is_a_risk(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(sold(monkeypatch, 500, may=False).values()) == {-7}


def test_a_share_that_is_sold_costs_what_it_pays_and_rises_and_a_presidency_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, dollars in (("pays", 9), ("rises", 4), ("rounds_left", 3)):
        monkeypatch.setattr(stock_rounds, name, lambda *_, dollars=dollars: dollars)
    game = Position().cash(a=500).start("B&O", 80, b=60, a=30).start("LV", 80, a=50, c=10).stock("a").game()
    ideas = stock_rounds.forced_share_sales(SeatedPlayer(game, "a"), find(game, "sell_shares"))
    found = {(idea.walk.chosen["company"], idea.walk.chosen["shares"]): idea.worth for idea in ideas}
    assert (found["B&O", 1], found["B&O", 2], found["LV", 1]) == (-32, -63, -532)


@pytest.mark.parametrize(("cash", "worth"), [(240, 92), (239, -1), (600, 92)])
def test_with_help_a_company_is_started_by_whoever_can_pay_half_of_it_and_a_share_more_than_the_first(
    cash: int, worth: float
) -> None:
    """Six shares at $80, of which three are Ann's; closed companies wait for nobody."""
    place = Position().cash(a=cash, b=0, c=0).start("LV", 80, b=30)
    place.state.companies["LV"].closed = True
    game = place.stock("a").game()
    company = game.table.state.companies["C&A"]
    assert stock_rounds._with_help(SeatedPlayer(game, "a"), company, 80, 480) == worth
    assert stock_rounds._with_help(SeatedPlayer(game, "a"), company, 80, 2 * cash + 1) == -1
    game.table.state.companies["LV"].closed = False
    assert stock_rounds._with_help(SeatedPlayer(game, "a"), company, 80, 480) == -1


# --- the best share that is on sale, and what purchases are worth --------------------------------------------------


def full(monkeypatch: pytest.MonkeyPatch, limit: int = 2) -> SeatedPlayer:
    """Ann's, who may have N certificates and has two: both of the LV, at $80; shares bring these dollars."""
    brings = {"LV": 30, "B&O": 40, "PRR": 50, "SRR": 90}
    monkeypatch.setattr(stock_rounds, "certificate_limit", lambda _: limit)
    monkeypatch.setattr(stock_rounds, "_brings", lambda _, company: brings[company.id])
    place = Position().cash(a=500, b=0, c=0).start("LV", 80, b=60, a=20).start("B&O", 80, b=60)
    place.start("PRR", 95, c=60).start("SRR", 80, c=60)
    game = place.stock("a").game()
    game.table.state.companies["SRR"].shares = {"c": 60, "b": 40}
    game.table.state.companies["PRR"].shares = {"c": 60, "market": 10, "offering": 30}
    return SeatedPlayer(game, "a")


def test_without_room_the_best_share_is_one_that_can_be_had_and_nothing_is_with_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Those of the SRR are all sold; the PRR has fallen by $15, for which the market has a share of it."""
    mine = full(monkeypatch)
    prices = {"market": 80, "offering": 95}
    monkeypatch.setattr(
        stock_rounds, "purchase_price", lambda _, company, place: prices[place] if company.id == "PRR" else 80
    )
    assert stock_rounds._best_on_sale(mine) == 50 + 95 - 80
    for name in ("B&O", "PRR", "LV"):
        mine.table.state.companies[name].floated = False
    assert stock_rounds._best_on_sale(mine) == 0
    assert stock_rounds._best_on_sale(full(monkeypatch, 3)) == 0


def test_no_share_is_better_where_none_can_be_bought_any_more_or_one_must_be_sold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mine = full(monkeypatch)
    assert stock_rounds._best_on_sale(mine) == 50
    mine.table.stock.bought = "B&O"
    assert stock_rounds._best_on_sale(mine) == 0
    mine.table.stock.bought, stock = None, mine.table.stock
    mine.table.state.round = Operating()
    assert stock_rounds._best_on_sale(mine) == 0
    mine.table.state.round = stock
    monkeypatch.setattr(SeatedPlayer, "decline", lambda _: None)
    assert stock_rounds._best_on_sale(mine) == 0


@pytest.mark.parametrize(("percent", "room"), [(50, True), (60, False)])
def test_a_player_may_hold_as_many_shares_as_the_limit_says(
    monkeypatch: pytest.MonkeyPatch, percent: int, room: bool
) -> None:
    mine = full(monkeypatch)
    company = mine.table.state.companies["LV"]
    company.shares = {"b": 40, "a": percent}
    assert stock_rounds._has_room(mine, company) == room


@pytest.mark.parametrize(("limit", "dollars"), [(5, 160), (3, 480), (2, 480), (1, 480)])
def test_the_money_is_for_the_certificates_that_one_may_still_get(
    monkeypatch: pytest.MonkeyPatch, limit: int, dollars: int
) -> None:
    """Of $500 a train needs 20."""
    mine = full(monkeypatch, limit)
    monkeypatch.setattr(stock_rounds, "reserve", lambda *_: 20)
    assert stock_rounds._money_for_each(mine) == dollars


def test_even_the_money_for_a_train_buys_a_share_that_helps_ones_own_company_to_its_capital(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stock_rounds, "reserve", lambda *_: 100)
    place = Position().cash(a=100, b=0, c=0).start("LV", 80, b=60).start("B&O", 80, a=30)
    game = place.stock("a").game()
    ideas = stock_rounds.share_purchases(SeatedPlayer(game, "a"), find(game, "buy_share"))
    assert [(idea.walk.chosen["company"], idea.worth) for idea in ideas] == [("B&O", 2_000)]
