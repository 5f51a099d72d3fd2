"""The order of rounds and turns: incomes, rounds, company turns, home tokens (18Chesapeake 9, 10, 11)."""

from copy import copy
from dataclasses import replace

from engine.core.events import HomePlaced, IncomePaid, RoundStarted
from engine.core.ids import BANK, CompanyId
from engine.core.state import Company, CompanyTurn, Merger, Operating, RecentChanges, Stock
from engine.play.end_and_scores import finish_game, game_ends_after
from engine.play.operating_order import next_company_to_operate, operating_order
from engine.play.table import Table
from engine.play.trains.phases import export_train, remove_trains_after_set, start_phase_of_round


def pay_incomes(t: Table) -> None:
    """Pay the income of each open private to its owner.

    Rules: R-AL-100, R-C2C-02B, R-C2C-090, R-CH-080, R-TN-100.
    """
    payments = []
    for private in t.state.privates.values():
        income = t.income(private.id)
        if private.owner is not None and not private.closed and income:
            t.pay(BANK, private.owner, income)
            payments.append((private.owner, private.id, income))
    if payments:
        t.emit(IncomePaid(tuple(payments)))


def start_next_round(t: Table) -> None:
    """Start the next round. An operating round starts with the incomes of privates (18Chesapeake 11.2).

    Titles set up their own kinds of rounds in `on_round`.

    Rules: R-AL-033, R-C2C-028, R-TN-028.
    """
    t.state.round = t.rules.next_round(t)
    t.state.asked = {}
    new_round = t.state.round
    if isinstance(new_round, Stock):
        new_round.turn = t.state.priority
        t.emit(RoundStarted("stock", new_round.number, first_player=t.state.players[new_round.turn].id))
    elif isinstance(new_round, Operating):
        t.emit(RoundStarted("operating", new_round.set, new_round.number))
        start_phase_of_round(t)
        pay_incomes(t)
        if t.spec.home_token_timing == "round":
            place_home_tokens(t)
    elif isinstance(new_round, Merger):
        t.emit(RoundStarted("merger", new_round.set, new_round.number))
    t.rules.on_round(t)


def start_next_company_turn(t: Table) -> None:
    """Start the next company's turn. After the last one, start the next round or end the game (18Chesapeake 11).

    Rules: R-1830-030, R-1889-030, R-AL-072, R-AL-101, R-CH-081, R-TN-101.
    """
    operating_round = t.operating_round
    if operating_round.turn is not None:
        end_turn(t)
    company = next_company_to_operate(t, operating_round.done + operating_round.floated)
    if company is not None:
        start_company_turn(t, company)
    elif _game_ends_now(t):
        finish_game(t)
    else:
        if operating_round.number == operating_round.of:
            export_train(t)
            remove_trains_after_set(t)
        start_next_round(t)


def end_turn(t: Table) -> None:
    """End the operating company's turn."""
    t.operating_round.done.append(t.turn.company)
    t.operating_round.turn = None


def _game_ends_now(t: Table) -> bool:
    """True if the game ends with this operating round (18Chesapeake 12).

    Rules: D-NE-15.
    """
    ending, operating_round = t.state.ending, t.operating_round
    return ending is not None and (
        operating_round.number == operating_round.of or game_ends_after(t, ending) == "round"
    )


def start_company_turn(t: Table, company: Company) -> None:
    """Start a company's operating turn. In its first turn, its home token is placed."""
    t.operating_round.turn = CompanyTurn(company.id, first=not company.operated)
    t.state.fresh = RecentChanges(company.id)
    if not company.operated:
        if t.spec.home_token_timing == "first_turn":
            place_home_token(t, company)
        company.operated = True


def table_in_turn_of(t: Table, company: CompanyId) -> Table:
    """A copy of the table on which this company begins a turn; the copy shares map and companies with the original."""
    copied_table = copy(t)
    copied_table.state = replace(t.state, round=Operating(turn=CompanyTurn(company)))
    return copied_table


def chooses_home_city(t: Table, company: CompanyId) -> bool:
    """True if the company must choose its home city among several in its home hex."""
    home = t.spec.companies[company].home
    return home is not None and home.chooses_city


def place_home_tokens(t: Table) -> None:
    """Place the home tokens of all floated companies that have no token on the map, in operating order."""
    for company in operating_order(t):
        if (
            company.floated
            and company.tokens
            and not company.operated
            and not t.map.token_stops_of(company.id)
        ):
            place_home_token(t, company)


def place_home_token(t: Table, company: Company) -> None:
    """Place the company's home token, unless it is already on the map or the company has no home.

    See 18Chesapeake 10.4, 11.4.

    Rules: R-C2C-062, R-CH-066, R-CH-114.
    """
    if company.id not in t.map.homes:
        return
    home = t.map.homes[company.id]
    if chooses_home_city(t, company.id) and t.map.topology(home[0]).pieces:
        t.turn.home_due = company.id
        return
    further_homes = t.spec.companies[company.id].more_homes
    for coord, stop in (home, *((other.hex, other.stop) for other in further_homes)):
        t.map.place_token(coord, stop, company.id)
        company.tokens.pop(0)
        t.state.fresh.tokens.append((coord, stop))
        t.emit(HomePlaced(company.id, coord))
