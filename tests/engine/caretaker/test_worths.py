"""How many dollars a move seems worth to the caretaker, worked out by hand in tiny positions."""

from typing import Any

import pytest

from engine.caretaker import deals, stock_rounds, trains
from engine.caretaker.weighed_move import Weigher
from engine.game import Game
from engine.seat import SeatedPlayer
from tests.engine.caretaker.positions import at_risk, issuing, pars, run, shares
from tests.titles.builders import Position, find

LONG = 10
"""Operating rounds that a game lasts whose bank is far from empty."""


def worths(view: Weigher, game: Game, kind: str, player: str = "a") -> dict[Any, float]:
    found = {}
    for weighed_move in view(SeatedPlayer(game, player), find(game, kind)):
        chosen = tuple(weighed_move.cursor.chosen.values())
        found[chosen[0] if len(chosen) == 1 else chosen] = weighed_move.worth
    return found


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
    """Three fifths of what its price of $80 rises in ten rounds, to $225, are counted."""
    found = worths(stock_rounds.share_purchases, game, "buy_share")
    assert found["B&O", "offering"] == pytest.approx(worth * 100)


@pytest.mark.parametrize(
    ("game", "price", "worth"),
    [
        (pars(480), 80, stock_rounds.SOLO_START_VALUE + 80),
        (pars(480), 70, stock_rounds.SOLO_START_VALUE + 70),
        (pars(479), 80, stock_rounds.ONE_SHARE_SHORT_VALUE - 8),
        (pars(400), 80, stock_rounds.ONE_SHARE_SHORT_VALUE - 8),
        (pars(399, others=81), 80, stock_rounds.FIRST_START_VALUE - 8),
        (pars(240, others=240), 80, stock_rounds.FIRST_START_VALUE - 8),
        (
            pars(560, treasury=0, a=60),
            80,
            stock_rounds.SOLO_START_VALUE + 80 - stock_rounds.COST_PER_PRESIDENCY,
        ),
        (
            pars(559, treasury=0, a=60),
            80,
            stock_rounds.ONE_SHARE_SHORT_VALUE - 8 - stock_rounds.COST_PER_PRESIDENCY,
        ),
    ],
)
def test_company_is_started_as_high_as_it_floats(game: Game, price: int, worth: float) -> None:
    """Six shares at $80 cost $480; with one share short it is worth less, and least with two."""
    found = worths(stock_rounds.weigh_company_starts, game, "par")
    home = (
        worths(stock_rounds.weigh_company_starts, pars(2_000), "par")["C&A", price]
        - stock_rounds.SOLO_START_VALUE
        - price
    )
    assert found["C&A", price] == pytest.approx(worth + home)


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
    found = worths(trains.weigh_dividends, game, "dividend")
    assert (found["withhold"] > found["pay"]) == keeps


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
    assert worths(deals.weigh_issues, game, "issue") == found


@pytest.mark.parametrize(("cash", "starts"), [(269, False), (270, True)])
def test_helped_start_takes_three_shares(cash: int, starts: bool) -> None:
    """1889: five shares float AR; who starts it at $90 buys a share more than the president's certificate."""
    game = Position(title="1889").cash(a=cash, b=400, c=400).stock().game()
    assert (worths(stock_rounds.weigh_company_starts, game, "par")["AR", 90] > 0) == starts
