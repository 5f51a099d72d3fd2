"""The order in which companies operate (18Chesapeake 11)."""

from engine.core.state import Company
from engine.play.table import Table


def operating_order(t: Table) -> list[Company]:
    """Started companies: on spaces (18NewEngland 11), by price, further right, upper marker (18Chesapeake 11).

    Rules: R-AL-101, R-C2C-090, R-CH-081, R-NE-060, R-TN-101.
    """

    def rank(company: Company) -> tuple[bool, int, int, int, int]:
        assert company.cell is not None
        row, column = company.cell
        moves = not t.grid.is_space(company.cell)
        return (moves, -t.grid.price(company.cell), -column, row, t.state.market.index(company.id))

    return sorted((c for c in t.state.companies.values() if c.cell is not None), key=rank)
