"""How many dollars a move seems worth to the caretaker, worked out by hand in tiny positions."""

from typing import Any

import pytest

from engine.caretaker import deals, privates, stock_rounds, trains
from engine.caretaker.ideas import View
from engine.caretaker.outlook import rounds_until_rust
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
    run,
    shares,
)
from tests.titles.builders import find, new_game

LONG = 10
"""Operating rounds that a game lasts whose bank is far from empty."""


def worths(view: View, game: Game, kind: str, player: str = "a") -> dict[Any, float]:
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


# --- runs, dividends and trains ----------------------------------------------------------------------------------


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


def test_discard_costs_the_rounds_it_would_run() -> None:
    game = lehigh("4", "4", "5").phase("5").depot(t5=1, t6=2).game()
    assert worths(trains.discards, game, "discard_train") == {
        name: -rounds_until_rust(game.table, name) * game.table.spec.train(name).price for name in "45"
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


@pytest.mark.parametrize(("cash", "bought"), [(0, 0), (300, 3), (700, 4)])
def test_merger_is_worth_what_new_shares_gain(cash: int, bought: int) -> None:
    """Ann has two shares at $100 of the major that her minor becomes, and may have six; each gains $10 a round."""
    found = worths(deals.mergers, merging(cash), "convert")
    assert found["B&A"] == pytest.approx(868 - 980 + 10 * LONG * (2 + bought))
