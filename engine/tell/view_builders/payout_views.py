"""Builders for a table of dividends that a company could pay; each decision is made on a copy of the game."""

from typing import Final

from engine.core.actions import Dividend
from engine.core.events import DividendDecided
from engine.core.ids import CompanyId
from engine.core.spec import DividendKind
from engine.core.state import CompanyTurn, Operating
from engine.game import Game
from engine.play.rounds import OperatingRound
from engine.play.saved import read_position
from engine.play.steps.base import Step
from engine.play.steps.dividend import DividendStep
from engine.play.table import Table
from engine.tell.views import PayoutsView, PayoutView

REVENUE_UNIT: Final = 10
"""Unit of the revenues in the table: all are multiples of this number of dollars, except the highest one."""
MAX_ROWS: Final = 20
"""Maximum number of rows in the table, in addition to the rows for no revenue and for the highest revenue."""


def payouts_view(game: Game, company: CompanyId, highest_revenue: int) -> PayoutsView | None:
    """A table of the company's possible dividends for revenues from 0 up to `highest_revenue`.

    None if the company does not operate.
    """
    t = game.table
    if t.rules.operating_rank(t, t.state.companies[company]) is None:
        return None
    step, saved_game = _dividend_step(game), game.dump()
    rows = []
    for revenue in _revenues(highest_revenue):
        table = _table_before_dividend(t, saved_game, company, revenue)
        options = [
            suggestion.chosen["option"] for offer in step.offers(table) for suggestion in offer.suggest()
        ]
        if not options:
            step.skip(table)
            outcomes = [_payout_view(t, table, company)]
        else:
            outcomes = [
                _payout_view_of_option(t, saved_game, step, company, revenue, option) for option in options
            ]
        rows.append((revenue, tuple(outcomes)))
    names = tuple(player.name for player in t.state.players)
    return PayoutsView(t.price(t.state.companies[company]) or None, names, tuple(rows))


def _dividend_step(game: Game) -> Step:
    operating_rounds = (
        operating_round
        for operating_round in game.rules.ROUNDS.values()
        if isinstance(operating_round, OperatingRound)
    )
    return next(
        step
        for operating_round in operating_rounds
        for step in operating_round.ordered_steps
        if step.name == DividendStep.name
    )


def _revenues(highest_revenue: int) -> list[int]:
    revenue_step = REVENUE_UNIT * -(-highest_revenue // (REVENUE_UNIT * MAX_ROWS)) or REVENUE_UNIT
    return [*range(0, highest_revenue, revenue_step), highest_revenue]


def _table_before_dividend(t: Table, saved_game: str, company: CompanyId, revenue: int) -> Table:
    """A copy of the table in which the company has just run for this revenue."""
    state = read_position(saved_game).state
    state.round = Operating(turn=CompanyTurn(company, revenue=revenue, run_values=(revenue,)))
    state.proposal = None
    return Table(t.spec, t.rules, state, t.map.copy())


def _payout_view_of_option(
    t: Table, saved_game: str, step: Step, company: CompanyId, revenue: int, option: DividendKind
) -> PayoutView:
    table = _table_before_dividend(t, saved_game, company, revenue)
    actor = table.controlling_player(company)
    step.apply(table, Dividend(actor=actor, entity=company, option=option))
    return _payout_view(t, table, company)


def _payout_view(table_before: Table, table_after: Table, company_id: CompanyId) -> PayoutView:
    company = table_after.state.companies[company_id]
    paid_event = next((event for event in table_after.events if isinstance(event, DividendDecided)), None)
    return PayoutView(
        outcome="withheld" if company.last_run is None else company.last_run.outcome,
        per_share=None if paid_event is None else paid_event.dividend_per_share,
        player_amounts=tuple(
            table_after.cash(player.id) - table_before.cash(player.id)
            for player in table_before.state.players
        ),
        treasury_amount=0 if company.closed else company.cash - table_before.cash(company_id),
        price=None if company.cell is None else table_after.price(company),
    )
