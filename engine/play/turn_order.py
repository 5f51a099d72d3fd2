"""From turn to turn and round to round: priority deal, incomes, operating order (18Chesapeake 9, 10, 11)."""

from engine.core.events import HomePlaced, IncomePaid, Passed, PriceMoved, RoundStarted
from engine.core.ids import BANK
from engine.core.state import Company, CompanyTurn, Ending, Fresh, Merger, Operating, Stock
from engine.play.end_and_scores import ends_after, ends_with_stock_round, finish
from engine.play.operating_order import operating_order
from engine.play.shares.starting_and_floating import none_will_start
from engine.play.table import Table
from engine.play.trains.phases import export_train


def pay_incomes(t: Table) -> None:
    """Pay the income of every open private to its owner, player or company.

    Rules: R-AL-100, R-C2C-02B, R-C2C-090, R-CH-080, R-TN-100.
    """
    payments = []
    for private in t.state.privates.values():
        income = t.spec.privates[private.id].income
        if private.owner is not None and not private.closed and income:
            t.pay(BANK, private.owner, income)
            payments.append((private.owner, private.id, income))
    if payments:
        t.emit(IncomePaid(tuple(payments)))


def next_round(t: Table) -> None:
    """Begin the round that follows; an operating round starts with the incomes of privates (18Chesapeake 11.2).

    A title's rounds of another kind begin with its `on_round`.

    Rules: R-AL-033, R-C2C-028, R-TN-028.
    """
    t.state.round = t.rules.next_round(t)
    t.state.asked = {}
    now = t.state.round
    if isinstance(now, Stock):
        now.turn = t.state.priority
        t.emit(RoundStarted("stock", now.number, first=t.state.players[now.turn].id))
    elif isinstance(now, Operating):
        t.emit(RoundStarted("operating", now.set, now.number))
        pay_incomes(t)
    elif isinstance(now, Merger):
        t.emit(RoundStarted("merger", now.set, now.number))
    t.rules.on_round(t)


def next_company(t: Table) -> None:
    """The next company's turn, the next operating round, or the end of the set (18Chesapeake 11).

    Rules: R-AL-072, R-AL-101, R-CH-081, R-TN-101.
    """
    operating = t.operating
    if operating.turn is not None:
        leave_turn(t)
    waiting = [c for c in operating_order(t) if c.floated and c.id not in operating.done]
    if waiting:
        start_company_turn(t, waiting[0])
    elif _ends_here(t):
        finish(t)
    else:
        if operating.number == operating.of:
            export_train(t)
        next_round(t)


def leave_turn(t: Table) -> None:
    """The turn of the company that operates is over."""
    t.operating.done.append(t.turn.company)
    t.operating.turn = None


def _ends_here(t: Table) -> bool:
    """True if the game ends with this operating round (18Chesapeake 12).

    Rules: D-NE-15.
    """
    ending, now = t.state.ending, t.operating
    return ending is not None and (now.number == now.of or ends_after(t, ending) == "round")


def start_company_turn(t: Table, company: Company) -> None:
    """The company operates; in its first turn its home token is placed."""
    t.operating.turn = CompanyTurn(company.id, first=not company.operated)
    t.state.fresh = Fresh(company.id)
    if not company.operated:
        place_home(t, company)
        company.operated = True


def place_home(t: Table, company: Company) -> None:
    """Put the home token on the map, unless it lies there or there is no home (18Chesapeake 10.4, 11.4).

    Rules: R-C2C-062, R-CH-066, R-CH-114.
    """
    if company.id not in t.map.homes:
        return
    coord, stop = t.map.homes[company.id]
    t.map.place_token(coord, stop, company.id)
    company.tokens.pop(0)
    t.state.fresh.tokens.append((coord, stop))
    t.emit(HomePlaced(company.id, coord))


def end_stock_turn(t: Table, *, acted: bool) -> None:
    """The next player's turn, or the end of the round when all have passed in a row (18Chesapeake 10).

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
    """The player on turn is done, whether they have acted or not."""
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
