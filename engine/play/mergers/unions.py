"""Two companies with joined tokens become one: the higher-priced one's charter continues, with a second shell."""

from dataclasses import dataclass

from engine.core.events import SharesExchanged, United
from engine.core.ids import MARKET, OFFERING, REISSUED, Cell, PlayerId
from engine.core.state import Company, Fresh
from engine.play.mergers.inheriting import inherit, inherit_tokens
from engine.play.mergers.merger_shares import (
    Exchange,
    by_price,
    chief,
    distribute,
    for_players,
    halved,
    pay_odd,
)
from engine.play.shares.closing import close_company
from engine.play.table import Table


@dataclass(frozen=True, slots=True)
class Union:
    """What two companies would become, and who would preside over it (None: nobody has shares enough)."""

    heir: Company
    """The higher-priced one, whose charter continues."""
    other: Company
    cell: Cell
    exchange: Exchange
    president: PlayerId | None


def union(t: Table, one: Company, other: Company, proposer: PlayerId) -> Union:
    """What would become of two companies if a player proposed it.

    Rules: R-C2C-223.
    """
    heir, second = parts = by_price(t, (one, other))
    exchange = _exchange(t, heir, second)
    favourites = [t.president(company.id).id for company in parts]
    president = chief(t, exchange, favourites, t.state.seat(proposer))
    cell = t.grid.at_most(t.price(heir) + t.price(second))
    return Union(heir, second, cell, exchange, president)


def _exchange(t: Table, heir: Company, other: Company) -> Exchange:
    """Offering, pool and treasury exchange like players; shares nobody gets go to the pool."""
    parts = (heir, other)
    exchange = for_players(t, parts)
    exchange.shares[OFFERING] = halved(parts, lambda _: (OFFERING, REISSUED))
    exchange.shares[heir.treasury] = halved(parts, lambda company: (company.treasury,))
    exchange.shares[MARKET] = halved(parts, lambda _: (MARKET,))
    exchange.shares[MARKET] += 100 // heir.share - exchange.in_all()
    return exchange


def unite(t: Table, plan: Union) -> None:
    """The other company goes into the heir: money, trains, tokens and shares; it leaves the game.

    Rules: R-C2C-226, R-C2C-227, R-C2C-228.
    """
    heir, other = plan.heir, plan.other
    assert plan.president is not None
    paid = pay_odd(t, plan.exchange)
    heir.parts = [heir.id, other.id]
    heir.second = list(other.trains)
    given_back = inherit_tokens(t, (heir, other), heir)
    inherit(t, other, heir)
    distribute(heir, plan.exchange, plan.president)
    enter(t, heir, plan.cell)
    t.state.fresh = Fresh(heir.id, tokens=t.map.tokens_of(heir.id))
    t.emit(
        United(
            heir.id, other.id, plan.president, t.price(heir), heir.cash, tuple(heir.trains), tuple(given_back)
        )
    )
    t.emit(exchanged(t, heir, plan.exchange, paid))
    close_company(t, other)


def enter(t: Table, company: Company, cell: Cell) -> None:
    """The marker of a company that was made of others goes below those in its cell, where shares count once.

    Rules: R-C2C-229.
    """
    t.leave_market(company)
    company.split = False
    t.enter_market(company, cell)
    company.par = t.price(company)
    company.reissue_prices = []


def exchanged(t: Table, company: Company, exchange: Exchange, paid: dict[PlayerId, int]) -> SharesExchanged:
    """Who got how many shares, and was paid how much for an odd one."""
    players = [(p.id, exchange.shares[p.id], paid.get(p.id, 0)) for p in t.state.in_game()]
    return SharesExchanged(company.id, tuple(line for line in players if line[1] or line[2]))
