"""What minors become, and when (12)."""

from typing import Final

from engine.core.state import Company
from engine.play.mergers.forming import Plan
from engine.play.mergers.pairs import small, unstarted
from engine.play.steps.merge import MergeStep
from engine.play.table import Table

MERGERS_FROM: Final = "3"
"""The phase from which on a merger round follows every operating round (R-NE-120)."""
PAR_OF_CONVERTED: Final = 100
"""The par price of a major that was converted (R-NE-121)."""


class NewEnglandMergeStep(MergeStep):
    """A merged major costs nothing, a converted one what its minor lacks."""

    def merging(self, t: Table, company: Company, partner: Company) -> Plan:
        """Par is the sum of both values, rounded down to a price of the chart (R-NE-122)."""
        together = t.price(company) + t.price(partner)
        par = max(price for price, _ in t.grid.pars() if price <= together)
        return Plan((company.id, partner.id), par)

    def converting(self, t: Table, company: Company) -> Plan:
        """The president pays the difference between two shares at par and twice the value (R-NE-121)."""
        return Plan((company.id,), PAR_OF_CONVERTED, 2 * (PAR_OF_CONVERTED - t.price(company)))


def merger_round_follows(t: Table) -> bool:
    """Whether a merger round comes after the operating round; not where nothing could be formed (R-NE-120)."""
    if not t.phase_reached(MERGERS_FROM):
        return False
    return t.rules.flag("asks_when_nothing_is_legal") or bool(unstarted(t) and small(t))
