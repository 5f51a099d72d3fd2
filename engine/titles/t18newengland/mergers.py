"""What minors become (12)."""

from typing import Final

from engine.core.state import Company
from engine.play.mergers.forming import Plan
from engine.play.steps.mergers.merge import MergeStep
from engine.play.table import Table

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
