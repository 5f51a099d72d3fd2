"""Starting a company: par price or space, the president's certificate, and its capital (18Chesapeake 10.4, 10.5)."""

from functools import partial
from typing import Any

from engine.core.actions import Par
from engine.core.events import Floated, Parred
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, OFFERING, REISSUED, Cell, CompanyId, HolderId, PlayerId
from engine.core.offers import Offer, Permitted, Slot
from engine.core.state import Company
from engine.play.shares import holdings, selling
from engine.play.shares.holdings import sold_from_offering
from engine.play.shares.share_purchases import has_closed, holding_obstacle, most_telling
from engine.play.shares.stock_turn import purchase_made
from engine.play.table import Table
from engine.play.token_prices_and_purchases import tokens_on_sale


def certificate_cost(company: Company, par: int) -> int:
    """Dollars for the president's certificate at this par price.

    Rules: D-CH-19.
    """
    return par * company.certificate // company.share


def par_offer(t: Table, player: PlayerId) -> Offer | None:
    """The companies that the player may start, and the par prices they can pay."""
    if purchase_made(t):
        return None
    able = Permitted(
        [company.id for company in t.state.companies.values() if not company.started],
        partial(start_obstacle, t, player),
        partial(_company_label, t),
        lambda name: fact("choice.value", value=name),
    )
    if not able:
        return None
    return t.offer(
        "par",
        player,
        fact("offer.par"),
        Slot("company", lambda _: able),
        Slot("price", lambda c: _pars(t, player, t.state.companies[c["company"]])),
    )


def _company_label(t: Table, name: CompanyId) -> Fact:
    """Name, home and charter of a company that can be started."""
    spec = t.spec.companies[name]
    about = {
        "company": name,
        "name": spec.name,
        "prices": tuple(fact("choice.dollars", amount=price) for price in spec.tokens),
    }
    if spec.home is None:
        return fact("choice.company_without_home", **about)
    return fact("choice.company_to_start", home=spec.home.hex, **about)


def _pars(t: Table, player: PlayerId, company: Company) -> Permitted:
    """The par prices, each with the certificate's cost and the company's treasury."""

    def short(price: int) -> Fact:
        cost = certificate_cost(company, price)
        return fact("choice.par", price=price, percent=company.certificate, cost=cost)

    def label(price: int) -> Fact:
        at_once, at_float = capital(t, company, price)
        needed = t.spec.companies[company.id].float_percent
        if at_once or at_float == 0 or needed <= company.certificate:
            return fact("choice.par_for_treasury", par=short(price), treasury=at_once + at_float)
        return fact("choice.par_for_float", par=short(price), treasury=at_float, percent=needed)

    prices = [price for price, _ in t.grid.pars()]
    return Permitted(prices, partial(_par_obstacle, t, player, company), label, short)


def start_company(t: Table, action: Par) -> None:
    """Buy the president's certificate; the company gets its price and may float.

    Rules: R-AL-050, R-C2C-033, R-CH-045, R-TN-048.
    """
    company = t.state.companies[action.company]
    paid = certificate_cost(company, action.price)
    set_par(t, company, action.price)
    pay_for(t, action.actor, company, OFFERING, paid, company.certificate)
    holdings.give_certificate(company, action.actor)
    t.emit(Parred(action.actor, company.id, action.price, company.certificate, paid))
    selling.settle_president(t, company)
    check_float(t, company)


def set_par(t: Table, company: Company, price: int) -> None:
    """Fix the par price of a company and put its marker on the market (18Chesapeake 10.4)."""
    company.par = price
    t.enter_market(company, dict(t.grid.pars())[price])


def start_obstacle(t: Table, player: PlayerId, name: Any) -> Fact | None:
    """The rule that keeps the player from starting the company."""
    company = t.state.companies.get(name)
    if company is None:
        return fact("choice.no_company", company=name)
    rule = purchase_made(t) or _never_started(t, company)
    if rule := rule or holding_obstacle(t, player, company, company.certificate):
        return rule
    cost, cash = _least_cost(t, company), t.cash(player)
    if cost <= cash:
        return None
    values = {"percent": company.certificate, "cost": cost, "cash": cash}
    return fact("buying.certificate_too_dear", player=player, company=company.id, **values)


def no_start_reason(t: Table, player: PlayerId) -> Fact:
    """The reason why the player can start no company."""
    if made := purchase_made(t):
        return made
    left = [c for c in t.state.companies.values() if _never_started(t, c) is None]
    if not left:
        return fact("buying.none_to_start")
    cost = min(_least_cost(t, company) for company in left)
    dear = fact("buying.no_start_for_cash", player=player, cost=cost, cash=t.cash(player))
    return most_telling([start_obstacle(t, player, company.id) for company in left], dear)


def none_will_start(t: Table) -> bool:
    """True if no company has started and none ever can: nobody can pay for a certificate."""
    if any(company.started for company in t.state.companies.values()):
        return False
    costs = [_least_cost(t, c) for c in t.state.companies.values() if _never_started(t, c) is None]
    return not any(player.cash >= cost for player in t.state.in_game() for cost in costs)


def _never_started(t: Table, company: Company) -> Fact | None:
    """The rule against any player starting the company."""
    if company.closed:
        return has_closed(company)
    if company.started:
        return fact("buying.started_already", company=company.id, par=company.par)
    return None if t.rules.may_start(t, company) else fact("buying.not_by_players", company=company.id)


def _least_cost(t: Table, company: Company) -> int:
    lowest, _ = t.grid.pars()[0]
    return certificate_cost(company, lowest)


def _par_obstacle(t: Table, player: PlayerId, company: Company, price: Any) -> Fact | None:
    pars = [par for par, _ in t.grid.pars()]
    about = {"company": company.id, "percent": company.certificate}
    if price not in pars:
        prices = tuple(fact("choice.dollars", amount=par) for par in pars)
        return fact(
            "buying.not_among_pars", prices=prices, times=company.certificate // company.share, **about
        )
    cost, cash = certificate_cost(company, price), t.cash(player)
    return None if cost <= cash else fact("buying.par_too_dear", price=price, cost=cost, cash=cash, **about)


# --- capital ---------------------------------------------------------------------------------------------------------


def check_float(t: Table, company: Company) -> None:
    """Float the company once enough is sold; the bank pays par for all shares (18Chesapeake 10.5).

    Rules: R-AL-070, R-AL-071, R-C2C-060, R-CH-065, R-TN-070.
    """
    needed = t.spec.companies[company.id].float_percent
    if company.floated or company.par is None or sold_from_offering(company) < needed:
        return
    company.floated = True
    money = company.cash
    if not _sells_for_itself(t, company):
        _, money = capital(t, company, company.par)
        t.pay(BANK, company.id, money)
    t.emit(Floated(company.id, money, t.rules.on_float(t, company)))
    if tokens_on_sale(t, company):
        t.stock.tokens_due = company.id


def capital(t: Table, company: Company, par: int) -> tuple[int, int]:
    """Treasury in dollars at this par price: from the president's certificate, and when it floats."""
    if _sells_for_itself(t, company):
        return par * company.certificate // company.share, 0
    return 0, 100 // company.share * par


def pay_for(t: Table, player: PlayerId, company: Company, source: HolderId, price: int, percent: int) -> None:
    """Pay for shares; a company whose sales are its capital gets the par of those from its offering.

    A share that a company has or had itself is paid to it.

    Rules: R-NE-043.
    """
    if source in (company.treasury, REISSUED):
        t.pay(player, company.id, price)
        return
    t.pay(player, BANK, price)
    t.pay(BANK, company.id, company_income(t, company, source, price, percent))


def company_income(t: Table, company: Company, source: HolderId, price: int, percent: int) -> int:
    """Dollars that the company receives for this percentage from this source."""
    if source in (company.treasury, REISSUED):
        return price
    if source != OFFERING or not _sells_for_itself(t, company):
        return 0
    assert company.par is not None
    return company.par * percent // company.share


def _sells_for_itself(t: Table, company: Company) -> bool:
    return t.spec.companies[company.id].capital == "sales"


# --- spaces of the market --------------------------------------------------------------------------------------------


def free_spaces(t: Table) -> list[tuple[int, Cell]]:
    """Spaces on which a company may be started now, with their prices, cheapest first."""
    taken = {company.cell for company in t.state.companies.values()} | set(t.state.flipped)
    return [(price, cell) for price, cell in t.grid.spaces() if cell not in taken and _is_open(t, cell)]


def space_cost(value: int) -> int:
    """Cost of a company on a space: twice its value."""
    return 2 * value


def payable_spaces(t: Table, player: PlayerId) -> list[tuple[int, Cell]]:
    """Free spaces for which the player has the money, cheapest first."""
    return [(value, cell) for value, cell in free_spaces(t) if space_cost(value) <= t.cash(player)]


def _is_open(t: Table, cell: Cell) -> bool:
    zone = t.grid.zone(cell)
    return zone is None or zone.from_phase is None or t.phase_reached(zone.from_phase)
