"""How many dollars a move seems worth to the caretaker, worked out by hand in tiny positions."""

import pytest

from engine.caretaker import choose, deals, railway, stock_rounds, trains
from engine.caretaker.ideas import View
from engine.caretaker.outlook import keeps_running, next_price, rounds_left
from engine.caretaker.railway import places
from engine.core.state import Ending, LastRun
from engine.play.table import Table
from engine.seat import SeatedPlayer
from tests.titles.builders import Position, find
from tests.titles.t18newengland.newengland import NewEngland

LONG = 10
"""Operating rounds that a game lasts whose bank is far from empty."""


def worths(view: View, position: Position, kind: str, player: str = "a") -> dict[tuple[object, ...], float]:
    """What each way to take the offer is worth, by what is chosen in it."""
    game = position.game()
    ideas = view(SeatedPlayer(game, player), find(game, kind))
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
    """Of $80; of what its price rises in ten rounds, to $225, three fifths are counted."""
    found = worths(stock_rounds.share_purchases, shares(president), "buy_share")
    assert found["B&O", "offering"] == pytest.approx((10 * trust * LONG + 145 * 0.6) * 100 / 80)


def test_with_more_money_than_room_a_share_is_worth_what_its_room_brings() -> None:
    """Ann has 4 of 20 certificates; $4800 are $300 for each that she may still get."""
    found = worths(stock_rounds.share_purchases, shares("a").cash(a=4_800), "buy_share")
    assert found["B&O", "offering"] == pytest.approx((10 * LONG + 145 * 0.6) * 100 / 300)


def full(weak: int) -> Position:
    """Six players may have eleven certificates, and Ann has them; C&O runs for $300, others for $100, SRR for this."""
    place = Position(players=6).cash(a=500, b=0, c=0, d=0, e=0, f=0).bank(8_000)
    place.start("LV", 80, a=60).start("B&O", 80, b=30, a=20).start("PRR", 80, c=50, a=20)
    place.start("SRR", 80, d=50, a=20).start("C&O", 80, e=60)
    for company, runs in {"LV": 100, "B&O": 100, "PRR": 100, "SRR": weak, "C&O": 300}.items():
        place.trains(company, "5").treasury(company, 900)
        place.state.companies[company].last_run = LastRun((), (), runs, "paid")
    return place.stock("a")


def test_without_room_the_weakest_share_goes_for_a_better_one() -> None:
    game = full(20).game()
    action = choose(game, "a", 1)
    assert (action.kind, action.chosen()) == ("sell_shares", {"company": "SRR", "shares": 1})
    game.apply(action)
    assert choose(game, "a", 1).chosen()["company"] == "C&O"


def test_without_room_shares_that_bring_as_much_stay() -> None:
    assert choose(full(300).game(), "a", 1).kind in {"pass", "sell_shares"}
    sold = worths(stock_rounds.share_sales, full(300), "sell_shares")
    assert sold["SRR", 1] < 0


@pytest.mark.parametrize(("held", "goes"), [(30, True), (40, False)])
def test_a_presidency_is_not_risked_for_a_better_share(held: int, goes: bool) -> None:
    """Of Ann's 50% of LV, the weakest, one share would be sold, where Bob had less than what she keeps."""
    place = full(300)
    lv, best = place.state.companies["LV"], place.state.companies["C&O"]
    lv.shares = {"a": 30, "b": held, "offering": 50 - held}
    lv.last_run = LastRun((), (), 0, "paid")
    best.shares = {"e": 40, "a": 10, "offering": 30}
    assert (worths(stock_rounds.share_sales, place, "sell_shares")["LV", 1] > 0) == goes


@pytest.mark.parametrize(("cash", "better"), [(159, False), (160, True)])
def test_without_room_no_share_is_better_that_would_cost_what_a_train_needs(cash: int, better: bool) -> None:
    """LV lacks $80 for one, and every share costs $80."""
    place = full(20).trains("LV").treasury("LV", 0).cash(a=cash)
    best = stock_rounds._best_on_sale(SeatedPlayer(place.game(), "a"))
    assert best > 0 if better else best == 0


def test_a_share_of_a_company_that_may_never_float_is_worth_half() -> None:
    place = Position().cash(a=500, b=0, c=0).start("B&O", 80, b=30)
    found = worths(stock_rounds.share_purchases, place, "buy_share")
    assert found["B&O", "offering"] == pytest.approx((8 * 0.8 * LONG + 145 * 0.6) * 0.5 * 100 / 80)


def test_the_shares_that_are_sold_are_those_that_would_have_brought_least() -> None:
    """A share of B&O would have brought $10 and a rise of $5 in each of ten rounds; the presidency counts, too."""
    found = worths(stock_rounds.share_sales, shares("a").stock("a"), "sell_shares")
    assert found["B&O", 1] == -(1 + 500 + 1 * (10 * LONG + 5))
    assert found["B&O", 2] == -(1 + 500 + 2 * (10 * LONG + 5))


def test_the_train_that_is_given_up_is_the_one_that_would_have_run_least() -> None:
    place = Position().phase("5").depot(t5=1, t6=2).start("LV", 95, a=60).tile("J2", "57", 1)
    place.trains("LV", "4", "4", "5").operating("LV", "trains")
    found = worths(trains.discards, place, "discard_train")
    assert found["4",] > found["5",]


@pytest.mark.parametrize(("cash", "keeps"), [(0, True), (219, True), (220, False), (1_000, False)])
def test_revenue_is_withheld_only_where_the_president_could_not_help(cash: int, keeps: bool) -> None:
    """The 2-train rusts before the next turn, and the company has nothing.

    A 4-train costs $300; half of the president's cash, and of $380 for their shares, could help.
    """
    place = Position().phase("3").depot(t3=0).cash(a=cash, b=0, c=0).start("LV", 95, a=60)
    place.tile("J2", "57", 1).trains("LV", "2").treasury("LV", 0)
    place.start("B&O", 80, b=60).start("PRR", 80, c=60).operating("LV", "dividend", revenue=50)
    found = worths(trains.dividends, place, "dividend")
    assert (found["withhold",] > found["pay",]) == keeps


def three_places() -> Position:
    """LV, Ann's, has track on which a 2-train earns $60, and a 3-train beside it $100."""
    place = Position().phase("3").depot(t3=5).cash(a=500, b=0, c=0).bank(8_000).start("LV", 95, a=60)
    place.state.companies["LV"].last_run = LastRun((), (), 60, "paid")
    return place.tile("J2", "15", 4).tile("K3", "2", 2).tile("L4", "7", 2)


@pytest.mark.parametrize(("treasury", "keeps"), [(150, True), (20, False)])
def test_a_run_is_withheld_that_buys_a_train_which_brings_more(treasury: int, keeps: bool) -> None:
    """With a 3-train too it earns $160, for $60; with less in the treasury the run does not pay for that train."""
    place = three_places().trains("LV", "2").treasury("LV", treasury)
    found = worths(trains.dividends, place.operating("LV", "dividend", revenue=60), "dividend")
    assert (found["withhold",] > found["pay",]) == keeps


@pytest.mark.parametrize(("further", "keeps"), [(1, False), (4, True)])
def test_a_run_is_withheld_only_for_a_train_that_brings_more_than_the_price_of_all_shares_falls(
    monkeypatch: pytest.MonkeyPatch, further: int, keeps: bool
) -> None:
    """A 3-train brings $100 in each further round; the run $60, and six shares would rise, and fall otherwise."""
    monkeypatch.setattr(trains, "keeps_running", lambda *_: 1.0 + further)
    game = three_places().trains("LV", "2").treasury("LV", 150).operating("LV", "dividend", revenue=60).game()
    assert trains._buys_better(SeatedPlayer(game, "a")) == keeps


def test_a_fourth_train_that_rusts_soon_and_finds_no_work_is_not_bought() -> None:
    """LV has all the 2-trains that its one route needs."""
    place = Position().depot(t2=2).start("LV", 95, a=60).tile("J2", "57", 1)
    found = worths(
        trains.own_train_purchases, place.trains("LV", "2", "2").operating("LV", "trains"), "buy_train"
    )
    assert found["2", "bank", "", 80] < 0


def test_an_apprentice_buys_a_train_only_for_a_company_that_has_none() -> None:
    place = three_places().trains("LV", "2").treasury("LV", 900).operating("LV", "trains")
    game = place.game()
    assert choose(game, "a", 1, "Conductor").kind == "buy_train"
    assert choose(game, "a", 1, "Apprentice").kind == "pass"
    game.table.state.companies["LV"].trains.clear()
    assert choose(game, "a", 1, "Apprentice").kind == "buy_train"


def test_a_train_goes_to_the_company_of_the_same_player_that_earns_more_with_it() -> None:
    """B&O has no track for its two 3-trains, and LV runs one of them."""
    place = three_places().start("B&O", 80, a=60).operated("B&O")
    place.trains("LV", "2").trains("B&O", "3", "3").operating("LV", "trains")
    found = worths(trains.own_train_purchases, place, "buy_train")
    assert ("3", "B&O", "", 1) in found
    assert found["3", "B&O", "", 1] > 0


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
    assert worths(deals.any_gain, place, "buy_share") == {("B&O", "offering"): 40}
    assert worths(deals.any_gain, place, "sell_shares") == {}


def test_what_leaves_one_without_the_money_for_a_train_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A share of $80 leaves Ann $420."""
    place = Position().cash(a=500, b=0, c=0).start("B&O", 80, b=60, a=10)
    for kept, tried in ((420, 1), (421, 0)):
        monkeypatch.setattr(deals, "reserve", lambda *_, kept=kept: kept)
        assert len(worths(deals.any_gain, place, "buy_share")) == tried


def test_a_deal_costs_the_dividends_of_the_trains_that_ones_companies_give_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ann has 60% of LV, which has run for $90 with three trains, and 50% of B&O, with two for $40."""
    monkeypatch.setattr(deals, "keeps_running", lambda _, train: {"2": 1, "3": 4}[train])

    def owning(lv: int, bo: int) -> SeatedPlayer:
        place = Position().start("LV", 95, a=60).start("B&O", 80, a=50, b=30).start("PRR", 80, a=60)
        place.trains("LV", *["2", "3", "3"][:lv]).trains("B&O", *["3", "3"][:bo]).trains("PRR", *["3"][:bo])
        for company, runs in (("LV", 90), ("B&O", 40)):
            place.state.companies[company].last_run = LastRun((), (), runs, "paid")
        return SeatedPlayer(place.stock("a").game(), "a")

    seat = owning(3, 2)
    lost = [deals._runs_lost(seat.table, owning(*left).table, seat) for left in ((3, 2), (1, 2), (1, 0))]
    assert lost == pytest.approx([0, 90 * 0.6 * 2 / 3 * 4, 90 * 0.6 * 2 / 3 * 4 + 40 * 0.5 * 4])


# --- trains and railway --------------------------------------------------------------------------------------------


def lehigh(*owned: str, treasury: int = 950, **cash: int) -> Position:
    """LV with track from its home to Easton, at the step where trains are bought."""
    place = Position().start("LV", 95, a=60).cash(**({"a": 0, "b": 0, "c": 0} | cash)).tile("J2", "57", 1)
    return place.trains("LV", *owned).treasury("LV", treasury).operating("LV", "trains")


def test_a_train_is_worth_its_runs_less_a_part_of_its_price() -> None:
    found = worths(trains.own_train_purchases, lehigh(), "buy_train")
    table = lehigh().game().table
    run = railway.earned(railway.imagined(table, trains=["2"]))
    assert run > 0
    runs = keeps_running(table, "2")
    assert found["2", "bank", "", 80] == pytest.approx(run * runs - 80 * trains.TREASURY + trains.NEEDED)


def test_a_dollar_of_the_president_counts_more_than_one_of_the_company() -> None:
    """Of $80 the company has 60."""
    rich = worths(trains.own_train_purchases, lehigh(treasury=80, a=500), "buy_train")["2", "bank", "", 80]
    poor = worths(trains.own_train_purchases, lehigh(treasury=60, a=500), "buy_train")["2", "bank", "", 80]
    assert rich - poor == pytest.approx(20 * (1 - trains.TREASURY))


@pytest.mark.parametrize(
    ("owned", "left", "train", "lasts"), [("2", 1, "2", 0), ("2", 0, "3", 1), ("3", 0, "3", 0)]
)
def test_only_a_train_that_lasts_longer_than_all_others_is_worth_half_its_price_more(
    owned: str, left: int, train: str, lasts: int
) -> None:
    """What else it earns, at least 8 % of its price, counts for as long as it may run."""
    place = lehigh(owned).phase("3").depot(t2=left, t3=5)
    found = worths(trains.own_train_purchases, place, "buy_train")
    table, price = place.t, place.t.spec.train(train).price
    more = railway.earned(railway.imagined(table, trains=[owned, train])) - railway.earned(table)
    earns = max(more, price * 0.08) * keeps_running(table, train)
    assert found[train, "bank", "", price] == pytest.approx(earns - price * 0.15 + lasts * price * 0.5)


@pytest.mark.parametrize(("cash", "ruined"), [(290, False), (289, True)])
def test_a_company_is_ruined_only_where_not_even_all_sales_pay_the_next_train(
    cash: int, ruined: bool
) -> None:
    """A 4-train costs $300, the company has $10, and no share can be sold."""
    place = lehigh(treasury=10, a=cash).phase("4")
    place.state.companies["LV"].shares = {"market": 50, "a": 50}
    assert trains._ruined(place.game().table, SeatedPlayer(place.game(), "a")) == ruined


def test_a_company_plans_with_the_next_train_that_it_can_pay_or_needs() -> None:
    """With a train only at its price; without one, and below the limit, always."""
    for owned, treasury, coming in (
        (("2",), 80, ["2", "2"]),
        (("2",), 79, ["2"]),
        ((), 0, ["2"]),
        (("2",) * 4, 500, ["2"] * 4),
    ):
        assert railway.coming_trains(lehigh(*owned, treasury=treasury).operating("LV").game().table) == coming


def test_later_trains_are_two_kinds_on_among_those_that_are_left() -> None:
    """Sold-out trains are none."""
    place = lehigh("2")
    assert railway._later_train(place.t) == ["4"]
    place.phase("3").depot(t2=0)
    assert railway._later_train(place.t) == ["5"]
    place.depot(t3=0, t4=0, t5=0)
    assert list(place.t.state.depot)[-2:] == ["6", "D"]
    assert railway._later_train(place.t) == ["D"]
    place.depot(t6=0)
    assert railway._later_train(place.t) == ["D"]


def test_a_better_run_counts_for_four_runs_and_places_for_four_fifths() -> None:
    table = lehigh("2").game().table
    view, board = railway.Railway(table), table.map
    found = places(board, "LV", table.phase.revenue_step, frozenset())
    assert view.at_once(board) == pytest.approx(view.next_run(board) * 4 + found * 0.8)
    assert view.next_run(board) > 0


# --- track ---------------------------------------------------------------------------------------------------------


def test_places_ahead_fade_with_distance_and_only_the_best_eight_count() -> None:
    """New York's home city, what is around it, and nothing that is shut."""
    board = lehigh().game().table.map
    near = dict(railway._seen_from(board, ["J2"], 0, frozenset()))
    assert near["J2"] == pytest.approx(board.topology("J2").stops[0].value(0) * railway.FADES)
    assert railway.places_around(board, "J2", 0, frozenset()) == pytest.approx(sum(near.values()))
    assert railway.places_around(board, "J2", 0, {"J2"}) == 0


# --- starting ------------------------------------------------------------------------------------------------------


def pars(place: Position) -> dict[int, float]:
    """What starting the C&A is worth by price, its home left out."""
    game = place.stock().game()
    seat = SeatedPlayer(game, "a")
    company = game.table.state.companies["C&A"]
    return {price: stock_rounds._bought(seat, company, price) for price, _ in game.table.grid.pars()}


def test_a_company_is_started_at_the_highest_price_that_one_can_float_alone() -> None:
    """Six shares: $480 at $80, $420 at $70; with one share short it is worth less, and least with two."""
    found = pars(Position().cash(a=480, b=0, c=0))
    assert (found[70], found[80]) == (stock_rounds.START + 70, stock_rounds.START + 80)
    assert found[95] == stock_rounds.ONE_SHORT - 9.5
    assert pars(Position().cash(a=479, b=0, c=0))[80] == stock_rounds.ONE_SHORT - 8
    assert pars(Position().cash(a=400, b=0, c=0))[80] == stock_rounds.ONE_SHORT - 8
    assert pars(Position().cash(a=399, b=0, c=0))[80] == stock_rounds.TOGETHER - 8
    assert pars(Position().cash(a=240, b=0, c=0))[80] == stock_rounds.TOGETHER - 8
    assert pars(Position().cash(a=239, b=0, c=0))[80] == stock_rounds.NO_START


def test_money_reserved_for_a_train_starts_no_company() -> None:
    """Ann's LV lacks $80 for one: of $560 there are $480 left, as for the first company less that she has one."""
    place = Position().cash(a=560, b=0, c=0).start("LV", 80, a=60).treasury("LV", 0)
    assert pars(place)[80] == stock_rounds.START + 80 - stock_rounds.ANOTHER
    place = Position().cash(a=559, b=0, c=0).start("LV", 80, a=60).treasury("LV", 0)
    assert pars(place)[80] == stock_rounds.ONE_SHORT - 8 - stock_rounds.ANOTHER
    for cash, worth in ((320, stock_rounds.TOGETHER - 8), (319, stock_rounds.NO_START)):
        place = Position().cash(a=cash, b=0, c=0).start("LV", 80, a=60).treasury("LV", 0)
        assert pars(place)[80] == worth


def test_only_one_company_at_a_time_waits_for_help() -> None:
    place = Position().cash(a=300, b=0, c=0).start("LV", 80, b=30)
    assert pars(place)[80] == stock_rounds.NO_START


# --- mergers -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("cash", "bought"), [(0, 0), (300, 3), (700, 4)])
def test_a_merger_is_worth_what_one_has_more_and_what_shares_of_the_new_company_gain(
    cash: int, bought: int
) -> None:
    """Ann has two shares at $100 of the major that her minor becomes, and may have six; each gains $10 a round."""
    place = NewEngland(phase="3").minor("CV", 100, "a", "3", treasury=100)
    place.minor("BL", 100, "a", "3", treasury=100).cash(a=cash).merging()
    found = worths(deals.mergers, place, "convert")
    assert found["B&A",] == pytest.approx(868 - 980 + 10 * LONG * (2 + bought))


@pytest.mark.parametrize(("cash", "missing"), [(30, 50), (80, 0), (90, 0)])
def test_what_a_player_lacks_for_a_train_that_must_be_bought_is_missing(cash: int, missing: int) -> None:
    """LV has neither train nor money, and a 2-train costs $80."""
    game = lehigh(treasury=0, a=cash).stock().game()
    assert deals._missing(game.table, SeatedPlayer(game, "a")) == missing


def test_a_merger_that_leaves_one_short_of_a_train_is_worth_five_times_less_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After it Ann keeps $100 more for trains than she has; what she lacked before counts for nothing."""
    place = NewEngland(phase="3").minor("CV", 100, "a", "3", treasury=100).cash(a=0).merging()
    game = place.game()
    plain = worths(deals.mergers, place, "convert")["B&A",]
    kept: dict[bool, int] = {}

    def reserve(table: Table, _: str) -> int:
        return kept[table is game.table]

    monkeypatch.setattr(deals, "reserve", reserve)
    for before, after, lost in ((0, 100, 500), (40, 100, 300), (100, 40, 0)):
        kept |= {True: before, False: after}
        assert worths(deals.mergers, place, "convert")["B&A",] == pytest.approx(plain - lost)
