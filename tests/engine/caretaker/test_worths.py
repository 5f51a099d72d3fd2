"""How many dollars a move seems worth to the caretaker, worked out by hand in tiny positions."""

from typing import Any

import pytest

from engine.caretaker import deals, privates, stock_rounds, track, trains
from engine.caretaker.ideas import View, ways
from engine.caretaker.outlook import keeps_running
from engine.caretaker.railway import Attraction, Railway, coming_trains, earned, imagined, places, promise
from engine.game import Game
from engine.seat import SeatedPlayer
from tests.engine.caretaker.positions import (
    at_risk,
    bidding,
    drafting,
    full,
    issuing,
    lehigh,
    merging,
    pars,
    ran,
    run,
    shares,
    sisters,
)
from tests.titles.builders import Position, find, new_game
from tests.titles.t18newengland.newengland import NewEngland

LONG = 10
"""Operating rounds that a game lasts whose bank is far from empty."""


def worths(view: View, game: Game, kind: str, player: str = "a") -> dict[Any, float]:
    """What each way to take the offer is worth, by what is chosen in it."""
    found = {}
    for idea in view(SeatedPlayer(game, player), find(game, kind)):
        chosen = tuple(idea.walk.chosen.values())
        found[chosen[0] if len(chosen) == 1 else chosen] = idea.worth
    return found


# --- shares ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "worth"),
    [
        (shares(a=50, c=10), (10 * LONG + 145 * 0.6) / 80),
        (shares(b=50, c=10), (10 * 0.8 * LONG + 145 * 0.6) / 80),  # another decides
        (shares(4_800, a=50, c=10), (10 * LONG + 145 * 0.6) / 300),  # more money than room
        (shares(b=30), (10 * 0.8 * LONG + 145 * 0.6) / 80 / 2),  # it may never float
    ],
)
def test_share_is_worth_dividends_and_rises(game: Game, worth: float) -> None:
    """Of $80; of what its price rises in ten rounds, to $225, three fifths are counted."""
    found = worths(stock_rounds.share_purchases, game, "buy_share")
    assert found["B&O", "offering"] == pytest.approx(worth * 100)


def test_share_that_floats_is_worth_most() -> None:
    game = Position().cash(a=100, b=0, c=0).start("LV", 80, b=60).start("B&O", 80, a=50).stock("a").game()
    assert worths(stock_rounds.share_purchases, game, "buy_share")["B&O", "offering"] == 2_000


@pytest.mark.parametrize(("cash", "bought"), [(159, False), (160, True)])
def test_money_for_a_train_buys_no_share(cash: int, bought: bool) -> None:
    """LV lacks $80 for one."""
    place = Position().start("LV", 95, a=60).treasury("LV", 0).start("B&O", 80, b=60).stock("a").cash(a=cash)
    found = worths(stock_rounds.share_purchases, place.game(), "buy_share")
    assert (("B&O", "offering") in found) == bought


def test_sale_costs_dividends_and_presidency() -> None:
    """A share of B&O would have brought $10 and a rise of $5 in each of ten rounds."""
    found = worths(stock_rounds.share_sales, shares(a=50, c=10), "sell_shares")
    assert [found["B&O", count] for count in (1, 2)] == [
        -(1 + 500 + count * (10 * LONG + 5)) for count in (1, 2)
    ]


@pytest.mark.parametrize(("weak", "held", "goes"), [(300, 30, True), (300, 40, False)])
def test_presidency_is_not_risked_for_a_share(weak: int, held: int, goes: bool) -> None:
    """Of Ann's 50% of LV, the weakest, one share would be sold, where Bob had less than what she keeps."""
    lv = {"a": 30, "b": held, "offering": 50 - held}
    game = full(weak, lv=0, held={"LV": lv, "C&O": {"e": 40, "a": 10, "offering": 30}})
    assert (worths(stock_rounds.share_sales, game, "sell_shares")["LV", 1] > 0) == goes


# --- privates ----------------------------------------------------------------------------------------------------


def test_bid_is_the_least_that_is_worth_it() -> None:
    """18Chesapeake: its value and four incomes, $70 for a share, less the bid."""
    assert worths(privates.bids, new_game(3), "bid") == {
        **{("D&R", 20): 20, ("C-P", 45): 35, ("B&S", 55): 35, ("C&OC", 85): 55},
        **{("B&OR", 105): 65, ("CV", 205): 255},
    }


def test_bids_leave_money_for_a_company() -> None:
    """Of $400 five shares at $70 leave $50; in stock rounds, as in 18AL, a half may go into privates."""
    assert list(worths(privates.bids, new_game(6), "bid")) == [("D&R", 20), ("C-P", 45)]
    found = worths(privates.bids, bidding(3, "18al", 400), "bid")
    assert max(amount for _, amount in found) == 125


@pytest.mark.parametrize(
    ("owner", "owned", "found"), [("a", ("3",), {("D&R", 40): 20}), ("b", ("3",), {}), ("a", (), {})]
)
def test_company_takes_over_private(owner: str, owned: tuple[str, ...], found: dict[Any, float]) -> None:
    """With a train, its president's, at twice its value."""
    game = lehigh(*owned, step="track").phase("3").owns(owner, "D&R").game()
    assert worths(privates.own_private_purchases, game, "buy_private") == found


# --- starting companies ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "price", "worth"),
    [
        (pars(480), 80, stock_rounds.START + 80),
        (pars(480), 70, stock_rounds.START + 70),
        (pars(479), 80, stock_rounds.ONE_SHORT - 8),
        (pars(400), 80, stock_rounds.ONE_SHORT - 8),
        (pars(399), 80, stock_rounds.TOGETHER - 8),
        (pars(240), 80, stock_rounds.TOGETHER - 8),
        (pars(560, treasury=0, a=60), 80, stock_rounds.START + 80 - stock_rounds.ANOTHER),
        (pars(559, treasury=0, a=60), 80, stock_rounds.ONE_SHORT - 8 - stock_rounds.ANOTHER),
    ],
)
def test_company_is_started_as_high_as_it_floats(game: Game, price: int, worth: float) -> None:
    """Six shares at $80 cost $480; with one share short it is worth less, and least with two."""
    found = worths(stock_rounds.starts, game, "par")
    home = worths(stock_rounds.starts, pars(2_000), "par")["C&A", price] - stock_rounds.START - price
    assert found["C&A", price] == pytest.approx(worth + home)


@pytest.mark.parametrize(
    "game",
    [
        pars(239),
        pars(319, treasury=0, a=60),
        pars(300, b=30),  # another waits for help
        pars(2_000, a=30),  # one's own has not floated
    ],
)
def test_company_without_capital_is_not_started(game: Game) -> None:
    assert worths(stock_rounds.starts, game, "par")["C&A", 80] == stock_rounds.NO_START


def test_minors_are_reserved_as_far_as_money_goes() -> None:
    """18NewEngland: $280 pay 1.2 trains of $100 twice, and not a third time."""
    for reserved, paid in ((("CV",), True), (("CV", "ER"), False)):
        game = drafting(280, *reserved, turn=0)
        found = worths(stock_rounds.reservations, game, "reserve")
        assert (min(found.values()) > 0) == paid


@pytest.mark.parametrize(("cash", "values"), [(280, [50, 55, 60, 65, 70]), (279, [50, 55, 60, 65])])
def test_minor_start_leaves_money_for_others(cash: int, values: list[int]) -> None:
    """Twice its value is paid, and half of what a company is worth comes to it."""
    found = worths(stock_rounds.small_starts, drafting(cash, "ER", "HRR"), "start_minor")
    started = {value: worth for (company, value, _), worth in found.items() if company == "ER" and worth > 0}
    assert list(started) == values
    assert started[60] - started[55] == 10


# --- looking ahead -----------------------------------------------------------------------------------------------


def test_hex_leads_to_the_best_place_ahead() -> None:
    """L2 is worth $40: of a dollar there are 55 cents left in it, and 55% of these in the next hex."""
    board = lehigh(step="track").game().table.map
    towards = Attraction(board, "LV", 0, frozenset())
    assert [towards.of(coord) for coord in ("L2", "K3", "J4", "B2")] == pytest.approx(
        [40 * 0.55, 40 * 0.55**2, 30 * 0.55, 0]
    )
    assert Attraction(board, "LV", 0, frozenset({"L2"})).of("L2") == 0, "it is shut"


def test_tile_promises_stops_and_exits() -> None:
    """A city of $20 with two pieces: one exit meets the track of K1, which counts twice."""
    board = lehigh(step="track").game().table.map
    towards = Attraction(board, "LV", 0, frozenset())
    found = [promise(board, towards, lay, 0) for lay in (("K3", "57", 0), ("K3", "7", 0), ("J2", "15", 1))]
    assert found == pytest.approx(
        [
            20 * 2 + 2 + towards.of("K5") + 2 * towards.of("K1"),
            1 + sum(towards.of(coord) for coord in ("K5", "J4")),
            10 * 2 + 2,  # four pieces instead of two, and new exits off the map
        ]
    )


def test_railway_is_worth_four_runs_and_places() -> None:
    table = lehigh("2").game().table
    view, board = Railway(table), table.map
    found = places(board, "LV", table.phase.revenue_step, frozenset())
    assert view.at_once(board) == pytest.approx(view.next_run(board) * 4 + found * 0.8)
    assert view.next_run(board) > 0


def test_imagined_railway_changes_nothing() -> None:
    t = ran(lehigh("2"), LV=50).game().table
    other = imagined(t, trains=["3", "3"])
    assert (other.company.trains, t.company.trains) == (["3", "3"], ["2"])
    assert other.map is t.map
    assert (earned(t), earned(imagined(t, trains=[]))) == (50, 0)


@pytest.mark.parametrize(
    ("owned", "treasury", "coming"),
    [(("2",), 80, ["2", "2"]), (("2",), 79, ["2"]), ((), 0, ["2"]), (("2",) * 4, 500, ["2"] * 4)],
)
def test_company_plans_with_next_train(owned: tuple[str, ...], treasury: int, coming: list[str]) -> None:
    """With a train only at its price; without one, and below the limit, always."""
    table = lehigh(*owned).treasury("LV", treasury).operating("LV").game().table
    assert coming_trains(table) == coming


def test_lay_is_worth_what_it_adds() -> None:
    """At once and later, less a part of its cost, where the company has a route already."""
    game = lehigh("2", step="track").game()
    t, view = game.table, Railway(game.table)
    for idea in track.lays(SeatedPlayer(game, "a"), find(game, "lay_tile")):
        board = game.after(idea.walk).map
        added = view.at_once(board) - view.at_once(t.map) + view.later(board) - view.later(t.map)
        assert idea.worth == pytest.approx(added - t.map.cost(idea.walk.chosen["hex"]) * track.TREASURY)


# --- runs, dividends and trains ----------------------------------------------------------------------------------


def test_suggested_routes_come_first() -> None:
    game = lehigh("2", step="run").game()
    routes = [walk.chosen["routes"] for walk in ways(find(game, "run_routes"))]
    assert (routes[0], routes[-1]) == (game.best_run().routes, ())
    assert worths(trains.runs, game, "run_routes") == {game.best_run().routes: 10}


@pytest.mark.parametrize(
    ("game", "keeps"),
    [
        (run("2", treasury=150), True),  # for a 3-train at $180
        (run("2", treasury=119), False),  # which the run does not pay
        (run("2", treasury=180), False),  # which can be paid anyway
        (run("2", "2", "2", "2", treasury=150), False),  # for which there is no room
        (at_risk(219), True),  # of $380 and this half counts, a 4-train costs $300
        (at_risk(220), False),
    ],
)
def test_revenue_is_withheld_for_a_train(game: Game, keeps: bool) -> None:
    found = worths(trains.dividends, game, "dividend")
    assert found == ({"pay": 10, "withhold": 20} if keeps else {"pay": 10, "withhold": 2.5})


def test_half_is_better_than_withheld() -> None:
    place = NewEngland().major("B&A", 100, treasury=500, a=40).trains("B&A", "4")
    game = place.operating("B&A", "dividend", revenue=50).game()
    assert worths(trains.dividends, game, "dividend") == {"pay": 10, "half": 5, "withhold": 2.5}


@pytest.mark.parametrize(
    ("owned", "left", "train", "lasts"), [("2", 1, "2", 0), ("2", 0, "3", 1), ("3", 0, "3", 0)]
)
def test_lasting_train_saves_half_its_price(owned: str, left: int, train: str, lasts: int) -> None:
    """What else it earns, at least 8 % of its price, counts for as long as it may run."""
    place = lehigh(owned).phase("3").depot(t2=left, t3=5)
    found = worths(trains.own_train_purchases, place.game(), "buy_train")
    table, price = place.t, place.t.spec.train(train).price
    more = earned(imagined(table, trains=[owned, train])) - earned(table)
    earns = max(more, price * 0.08) * keeps_running(table, train)
    assert found[train, "bank", "", price] == pytest.approx(earns - price * 0.15 + lasts * price * 0.5)


def test_first_train_is_worth_its_runs_and_a_need() -> None:
    """A dollar of the president counts more than one of the company, which has $60 of $80."""
    found = [
        worths(trains.own_train_purchases, lehigh().treasury("LV", treasury).cash(a=500).game(), "buy_train")
        for treasury in (80, 60)
    ]
    table = lehigh().game().table
    worth = earned(imagined(table, trains=["2"])) * keeps_running(table, "2") - 80 * trains.TREASURY
    assert [one["2", "bank", "", 80] for one in found] == pytest.approx(
        [worth + trains.NEEDED, worth + trains.NEEDED - 20 * (1 - trains.TREASURY)]
    )


def test_train_moves_to_where_it_earns_more() -> None:
    """B&O has no track for its two 3-trains, and LV runs one of them; nobody gives up its only one."""
    assert worths(trains.own_train_purchases, sisters("2"), "buy_train")["3", "B&O", "", 1] > 0
    assert ("3", "B&O", "", 1) not in worths(
        trains.own_train_purchases, sisters("2", theirs=("3",)), "buy_train"
    )


def test_discard_costs_the_rounds_it_would_run() -> None:
    game = lehigh("4", "4", "5").phase("5").depot(t5=1, t6=2).game()
    assert worths(trains.discards, game, "discard_train") == {
        name: -keeps_running(game.table, name) * game.table.spec.train(name).price for name in "45"
    }


@pytest.mark.parametrize(
    ("game", "found"),
    [
        (issuing(0), {(1, 0): 92, (2, 0): 178, (3, 0): 168}),
        (issuing(20), {(1, 0): 94, (2, 0): 156, (3, 0): 146}),
        (issuing(500, "3"), {}),
    ],
)
def test_shares_are_issued_for_a_train(game: Game, found: dict[Any, float]) -> None:
    """B&A lacks $180; each share brings $100, and of what is missing or too much a tenth counts."""
    assert worths(deals.issues, game, "issue") == found


# --- deals -------------------------------------------------------------------------------------------------------


def test_only_gains_are_tried() -> None:
    """A share of $80 brings a tenth of the company's $800, of which half counts; to sell one loses that."""
    game = Position().cash(a=500, b=0, c=0).start("B&O", 80, b=60, a=10).game()
    assert worths(deals.any_gain, game, "buy_share") == {("B&O", "offering"): 40}
    assert worths(deals.any_gain, game, "sell_shares") == {}


@pytest.mark.parametrize(("cash", "bought"), [(0, 0), (300, 3), (700, 4)])
def test_merger_is_worth_what_new_shares_gain(cash: int, bought: int) -> None:
    """Ann has two shares at $100 of the major that her minor becomes, and may have six; each gains $10 a round."""
    found = worths(deals.mergers, merging(cash), "convert")
    assert found["B&A"] == pytest.approx(868 - 980 + 10 * LONG * (2 + bought))
