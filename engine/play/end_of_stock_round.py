"""The end of stock turns and rounds: passes in a row, priority deal, sold-out companies (18Chesapeake 10)."""

from engine.core.events import Passed, PriceMoved
from engine.core.state import Ending
from engine.play.end_and_scores import ends_with_stock_round, finish
from engine.play.operating_order import operating_order
from engine.play.shares.starting_and_floating import none_will_start
from engine.play.table import Table
from engine.play.turn_order import next_round


def end_stock_turn(t: Table, *, acted: bool) -> None:
    """End a stock turn: next player, or end of round after passes in a row (18Chesapeake 10).

    Rules: R-AL-040, R-C2C-03A, R-CH-041, R-NE-040, R-TN-039.
    """
    stock = t.stock
    if acted:
        stock.last_actor = stock.turn
        stock.passes = 0
    else:
        stock.passes += 1
    stock.acted, stock.bought, stock.sold_first, stock.bought_out = False, None, False, False
    stock.turn = t.state.next_seat(stock.turn)
    if stock.passes == len(t.state.in_game()):
        _end_stock_round(t)


def pass_stock_turn(t: Table) -> None:
    """End the turn of a player who passes."""
    if not t.stock.acted:
        t.emit(Passed(t.state.players[t.stock.turn].id))
    end_stock_turn(t, acted=t.stock.acted)


def _end_stock_round(t: Table) -> None:
    """All have passed: priority goes to the left of the last player who acted, and sold-out companies rise.

    Rules: R-AL-090, R-C2C-03A, R-CH-042, R-NE-040, R-TN-072.
    """
    stock = t.stock
    if stock.last_actor is not None:
        t.state.priority = t.state.next_seat(stock.last_actor)
    elif t.spec.ends.passed_out and t.state.auction is None and none_will_start(t):
        finish(t, Ending("standstill"))
        return
    _raise_sold_out(t)
    if ends_with_stock_round(t):
        finish(t)
    else:
        next_round(t)


def _raise_sold_out(t: Table) -> None:
    """Sold-out companies rise a row in operating order, so that stacks keep their order (18Chesapeake 10.6).

    Rules: R-AL-091, R-C2C-03B, R-CH-068, R-TN-072.
    """
    for company in [c for c in operating_order(t) if t.rules.sold_out(t, c)]:
        assert company.cell is not None
        old = t.price(company)
        t.move_price(company, t.grid.rise(company.cell))
        if t.price(company) != old:
            t.emit(PriceMoved(company.id, old, t.price(company)))
