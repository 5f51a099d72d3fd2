"""The end of stock turns and stock rounds: passing out, priority deal, sold-out companies (18Chesapeake 10)."""

from engine.core.events import Passed, PriceMoved
from engine.core.state import Ending
from engine.play.end_and_scores import ends_with_stock_round, finish_game
from engine.play.operating_order import operating_order
from engine.play.shares.starting_and_floating import no_company_can_start
from engine.play.table import Table
from engine.play.turn_order import start_next_round


def end_stock_turn(t: Table, *, has_acted: bool) -> None:
    """End a stock turn: the next player acts, or the round ends because all players passed in a row (18Chesapeake 10).

    Rules: R-AL-040, R-C2C-03A, R-CH-041, R-NE-040, R-TN-039.
    """
    stock_round = t.stock_round
    if has_acted:
        stock_round.last_actor = stock_round.turn
        stock_round.passes = 0
    else:
        stock_round.passes += 1
    stock_round.acted, stock_round.bought, stock_round.sold_first, stock_round.bought_out = (
        False,
        None,
        False,
        False,
    )
    stock_round.sold_now = []
    stock_round.turn = t.state.next_seat(stock_round.turn)
    if stock_round.passes == len(t.state.players_in_game()):
        _end_stock_round(t)


def pass_stock_turn(t: Table) -> None:
    """End the current player's turn; it is a pass if they have neither bought nor sold anything."""
    if not t.stock_round.acted:
        t.emit(Passed(t.state.players[t.stock_round.turn].id))
    end_stock_turn(t, has_acted=t.stock_round.acted)


def _end_stock_round(t: Table) -> None:
    """End the stock round. Priority goes to the player left of the last one who acted; sold-out companies rise.

    Rules: R-AL-090, R-C2C-03A, R-CH-042, R-NE-040, R-TN-072.
    """
    stock_round = t.stock_round
    if stock_round.last_actor is not None:
        t.state.priority = t.state.next_seat(stock_round.last_actor)
    elif t.spec.game_end.ends_when_all_pass and t.state.auction is None and no_company_can_start(t):
        finish_game(t, Ending("standstill"))
        return
    _move_prices(t)
    if t.state.over:
        return
    if ends_with_stock_round(t):
        finish_game(t)
    else:
        start_next_round(t)


def _move_prices(t: Table) -> None:
    """Move the share prices of sold-out companies, in operating order so that stacks keep their order (18Chesapeake
    10.6).

    Rules: R-AL-091, R-C2C-03B, R-CH-068, R-TN-072.
    """
    for company in [c for c in operating_order(t) if c.cell is not None]:
        assert company.cell is not None
        old_price = t.price(company)
        t.move_price(company, t.rules.cell_after_stock_round(t, company, company.cell))
        if t.price(company) != old_price:
            t.emit(PriceMoved(company.id, old_price, t.price(company)))
