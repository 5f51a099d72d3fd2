"""Buying shares: what they cost, and what keeps a player from holding more (rulebook 10.1, 10.4)."""

from engine.core.ids import OFFERING, HolderId, PlayerId
from engine.core.state import Company
from engine.play.shares import holdings
from engine.play.table import Table


def over_limit(t: Table, player: PlayerId) -> bool:
    """Whether the player holds more certificates, or more of one company that he can sell, than allowed (10.1)."""
    if holdings.certificates(t, player) > holdings.limit(t):
        return True
    return any(
        company.percent(player) > holdings.holding_limit(t, company) and holdings.sellable(t, player, company)
        for company in t.state.companies.values()
    )


def purchase_price(t: Table, company: Company, source: HolderId) -> int:
    """Par from the offering, the present price from the market (10.4)."""
    assert company.par is not None
    return company.par if source == OFFERING else t.price(company)


def obstacle(t: Table, player: PlayerId, company: Company, percent: int) -> str | None:
    """Why the player may not get so much more of a company, whatever it costs (10.1, 10.4)."""
    name = t.state.player(player).name
    if company.id in t.stock.sold.get(player, []):
        return f"{name} sold shares of {company.id} in this stock round and may not buy it again (10.4)."
    if company.percent(player) + percent > holdings.holding_limit(t, company):
        return f"{name} may not hold more than {holdings.holding_limit(t, company)} % of {company.id} (10.1)."
    if holdings.counts(t, company) and holdings.certificates(t, player) >= holdings.limit(t):
        return f"{name} is at the certificate limit of {holdings.limit(t)} (10.1)."
    return None
