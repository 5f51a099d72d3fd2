"""Two companies with tokens that are joined become one: the dearer one's charter goes on, with a second shell."""

from dataclasses import dataclass

from engine.core.events import Merged
from engine.core.facts import Fact, fact
from engine.core.ids import MARKET, OFFERING, Cell, CompanyId, HolderId, PlayerId
from engine.core.state import Company
from engine.play.mergers.exchange import Exchange, by_price, chief, distribute, exchanged, pay_odd
from engine.play.mergers.inheriting import inherit, inherit_tokens
from engine.play.mergers.pairs import connected
from engine.play.shares.closing import close_company
from engine.play.table import Table


@dataclass(frozen=True, slots=True)
class Union:
    """What two companies would become, and who would preside over it (None: nobody can)."""

    heir: Company
    """The dearer one, whose charter goes on."""
    other: Company
    cell: Cell
    exchange: Exchange
    president: PlayerId | None


def united(t: Table, one: Company, other: Company, proposer: PlayerId) -> Union:
    """The union that a player proposes."""
    heir, second = by_price(t, (one, other))
    exchange = _exchanged(t, heir, second)
    favourites = [t.president(company.id).id for company in (heir, second)]
    president = chief(t, exchange, favourites, t.state.seat(proposer))
    value = t.price(heir) + t.price(second)
    return Union(heir, second, t.grid.best_at_most(value), exchange, president)


def _exchanged(t: Table, heir: Company, other: Company) -> Exchange:
    """Offering, pool and treasury exchange like players; shares nobody gets go to the pool."""
    parts = (heir, other)
    players = [player.id for player in t.state.in_game()]
    found = exchanged(t, parts, [*players, MARKET])
    shares: dict[HolderId, int] = dict(found.shares)
    for place in (lambda c: [OFFERING], lambda c: [c.treasury]):
        del place
    return Exchange(shares, found.odd)
