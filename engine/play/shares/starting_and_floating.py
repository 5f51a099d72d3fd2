"""Starting a company: par price or market space, the president's certificate, and capital (18Chesapeake 10.4, 10.5)."""

from functools import partial
from typing import Any

from engine.core.actions import Par
from engine.core.events import Floated, Parred
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, OFFERING, REISSUED, Cell, CompanyId, HolderId, PlayerId
from engine.core.offers import FilteredChoices, Offer, Slot
from engine.core.state import Company, Operating
from engine.play.shares import holdings, selling
from engine.play.shares.holdings import percent_sold_from_offering
from engine.play.shares.share_purchases import closed_company_refusal, holding_obstacle, most_specific_reason
from engine.play.shares.stock_turn import purchase_made_obstacle
from engine.play.table import Table
from engine.play.token_prices_and_purchases import token_prices_on_sale
from engine.play.turn_order import place_home_token


def certificate_cost(company: Company, par: int) -> int:
    """Dollars for the president's certificate at this par price.

    Rules: D-CH-19.
    """
    return par * company.certificate // company.share


def par_offer(t: Table, player: PlayerId) -> Offer | None:
    """The legal action of starting a company, at the par prices that the player can pay.

    None if no company can be started.
    """
    if purchase_made_obstacle(t):
        return None
    companies = FilteredChoices(
        [company.id for company in t.state.companies.values() if not company.is_started],
        partial(start_obstacle, t, player),
        partial(_company_label, t),
        lambda name: fact("choice.value", value=name),
    )
    if not companies:
        return None
    return t.offer(
        "par",
        player,
        fact("offer.par"),
        Slot("company", lambda _: companies),
        Slot("price", lambda c: _par_choices(t, player, t.state.companies[c["company"]])),
    )


def _company_label(t: Table, name: CompanyId) -> Fact:
    spec = t.spec.companies[name]
    fact_values = {
        "company": name,
        "name": spec.name,
        "prices": tuple(fact("choice.dollars", amount=price) for price in spec.token_prices),
    }
    if spec.home is None:
        return fact("choice.company_without_home", **fact_values)
    return fact("choice.company_to_start", home=spec.home.hex, **fact_values)


def _par_choices(t: Table, player: PlayerId, company: Company) -> FilteredChoices:
    def short_label(price: int) -> Fact:
        cost = certificate_cost(company, price)
        return fact("choice.par", price=price, percent=company.certificate, cost=cost)

    def par_label(price: int) -> Fact:
        treasury_now, treasury_at_float = starting_capital(t, company, price)
        float_percent = t.spec.companies[company.id].float_percent
        if treasury_now or treasury_at_float == 0 or float_percent <= company.certificate:
            return fact(
                "choice.par_for_treasury", par=short_label(price), treasury=treasury_now + treasury_at_float
            )
        return fact(
            "choice.par_for_float", par=short_label(price), treasury=treasury_at_float, percent=float_percent
        )

    prices = [price for price, _ in t.grid.pars()]
    return FilteredChoices(prices, partial(_par_obstacle, t, player, company), par_label, short_label)


def start_company(t: Table, action: Par) -> None:
    """Start a company: the player buys its president's certificate at a par price. The company may float at once.

    Rules: R-AL-050, R-C2C-033, R-CH-045, R-TN-048.
    """
    company = t.state.companies[action.company]
    cost = certificate_cost(company, action.price)
    set_par(t, company, action.price)
    pay_for_shares(t, action.actor, company, company.certificate_holder, cost, company.certificate)
    holdings.give_presidents_certificate(company, action.actor)
    t.emit(Parred(action.actor, company.id, action.price, company.certificate, cost))
    selling.update_president(t, company)
    float_if_sold(t, company)


def set_par(t: Table, company: Company, price: int) -> None:
    """Set the company's par price and put its marker on the market (18Chesapeake 10.4)."""
    company.par = price
    t.enter_market(company, dict(t.grid.pars())[price])


def start_obstacle(t: Table, player: PlayerId, name: Any) -> Fact | None:
    """The rule that prevents the player from starting the company; None if they can."""
    company = t.state.companies.get(name)
    if company is None:
        return fact("choice.no_company", company=name)
    refusal = purchase_made_obstacle(t) or _company_start_obstacle(t, company)
    if refusal := refusal or holding_obstacle(t, player, company, company.certificate):
        return refusal
    cost, cash = _cheapest_certificate(t, company), t.cash(player)
    if cost <= cash:
        return None
    values = {"percent": company.certificate, "cost": cost, "cash": cash}
    return fact("buying.certificate_too_dear", player=player, company=company.id, **values)


def no_start_reason(t: Table, player: PlayerId) -> Fact:
    """The reason why the player cannot start any company, as an error message."""
    if refusal := purchase_made_obstacle(t):
        return refusal
    startable_companies = [c for c in t.state.companies.values() if _company_start_obstacle(t, c) is None]
    if not startable_companies:
        return fact("buying.none_to_start")
    cost = min(_cheapest_certificate(t, company) for company in startable_companies)
    no_cash_refusal = fact("buying.no_start_for_cash", player=player, cost=cost, cash=t.cash(player))
    return most_specific_reason(
        [start_obstacle(t, player, company.id) for company in startable_companies], no_cash_refusal
    )


def no_company_can_start(t: Table) -> bool:
    """True if no company has started and no player can pay for a president's certificate."""
    if any(company.is_started for company in t.state.companies.values()):
        return False
    certificate_costs = [
        _cheapest_certificate(t, c)
        for c in t.state.companies.values()
        if _company_start_obstacle(t, c) is None
    ]
    return not any(player.cash >= cost for player in t.state.players_in_game() for cost in certificate_costs)


def _company_start_obstacle(t: Table, company: Company) -> Fact | None:
    if company.closed:
        return closed_company_refusal(company)
    if company.is_started:
        return fact("buying.started_already", company=company.id, par=company.par)
    return None if t.rules.may_start(t, company) else fact("buying.not_by_players", company=company.id)


def _cheapest_certificate(t: Table, company: Company) -> int:
    lowest_par, _ = t.grid.pars()[0]
    return certificate_cost(company, lowest_par)


def _par_obstacle(t: Table, player: PlayerId, company: Company, price: Any) -> Fact | None:
    par_prices = [par for par, _ in t.grid.pars()]
    fact_values = {"company": company.id, "percent": company.certificate}
    if price not in par_prices:
        prices = tuple(fact("choice.dollars", amount=par) for par in par_prices)
        return fact(
            "buying.not_among_pars", prices=prices, times=company.certificate // company.share, **fact_values
        )
    cost, cash = certificate_cost(company, price), t.cash(player)
    if cost <= cash:
        return None
    return fact("buying.par_too_dear", price=price, cost=cost, cash=cash, **fact_values)


# --- capital ---------------------------------------------------------------------------------------------------------


def float_if_sold(t: Table, company: Company) -> None:
    """Float the company if enough shares are sold; the bank pays its capital (18Chesapeake 10.5).

    Rules: R-AL-070, R-AL-071, R-C2C-060, R-CH-065, R-TN-070.
    """
    float_percent = t.spec.companies[company.id].float_percent
    if company.floated or company.par is None or percent_sold_from_offering(company) < float_percent:
        return
    company.floated = True
    if isinstance(t.state.round, Operating):
        t.state.round.floated.append(company.id)
    treasury = company.cash
    if not _is_funded_by_sales(t, company):
        _, treasury = starting_capital(t, company, company.par)
        t.pay(BANK, company.id, treasury)
    t.emit(Floated(company.id, treasury, t.rules.on_float(t, company)))
    if t.spec.home_token_timing == "float":
        place_home_token(t, company)
    if token_prices_on_sale(t, company):
        t.stock_round.tokens_due = company.id


def starting_capital(t: Table, company: Company, par: int) -> tuple[int, int]:
    """Dollars that the treasury gets at this par price.

    The first number is paid when the president's certificate is bought, the second when the company floats.
    """
    if _is_funded_by_sales(t, company):
        return par * company.certificate // company.share, 0
    return 0, 100 // company.share * par


def pay_for_shares(
    t: Table, player: PlayerId, company: Company, source: HolderId, price: int, percent: int
) -> None:
    """Pay for shares: the price goes to the bank, or to a company whose treasury or reissued shares are bought.

    A company whose capital comes from sales gets the par price of shares from its offering.

    Rules: R-NE-043.
    """
    if source in (company.treasury, REISSUED):
        t.pay(player, company.id, price)
        return
    t.pay(player, BANK, price)
    t.pay(BANK, company.id, company_income(t, company, source, price, percent))


def company_income(t: Table, company: Company, source: HolderId, price: int, percent: int) -> int:
    """Dollars that the company receives when `percent` of it is bought from this source."""
    if source in (company.treasury, REISSUED):
        return price
    if source != OFFERING or not _is_funded_by_sales(t, company):
        return 0
    assert company.par is not None
    return company.par * percent // company.share


def _is_funded_by_sales(t: Table, company: Company) -> bool:
    return t.spec.companies[company.id].capital != "float"


# --- spaces of the market --------------------------------------------------------------------------------------------


def free_market_spaces(t: Table) -> list[tuple[int, Cell]]:
    """(price, cell) of each free market space on which a company can start now, cheapest first."""
    occupied_cells = {company.cell for company in t.state.companies.values()} | set(t.state.flipped)
    return [
        (price, cell)
        for price, cell in t.grid.spaces()
        if cell not in occupied_cells and _is_space_open(t, cell)
    ]


def cost_to_start_on_space(value: int) -> int:
    """Dollars to start a company on a market space: twice the value of the space."""
    return 2 * value


def affordable_market_spaces(t: Table, player: PlayerId) -> list[tuple[int, Cell]]:
    """(price, cell) of each free market space that the player can pay for, cheapest first."""
    return [
        (value, cell)
        for value, cell in free_market_spaces(t)
        if cost_to_start_on_space(value) <= t.cash(player)
    ]


def _is_space_open(t: Table, cell: Cell) -> bool:
    zone = t.grid.zone(cell)
    return zone is None or zone.from_phase is None or t.has_reached_phase(zone.from_phase)
