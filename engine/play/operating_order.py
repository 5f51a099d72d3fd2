"""The order in which companies operate (18Chesapeake 11)."""

from collections.abc import Collection
from functools import partial

from engine.core.ids import CompanyId
from engine.core.state import Company
from engine.play.table import Table


def operating_order(t: Table) -> list[Company]:
    """Started companies in operating order: first those on spaces (18NewEngland 11), then by price, column and stack
    (18Chesapeake 11).

    Rules: R-AL-101, R-C2C-090, R-CH-081, R-NE-060, R-TN-101.
    """
    return sorted((c for c in t.state.companies.values() if c.cell is not None), key=partial(_order_key, t))


def next_to_operate(t: Table, done_ids: Collection[CompanyId]) -> Company | None:
    """The next floated company to operate, without those that have operated (`done_ids`)."""
    companies_left = [
        c for c in t.state.companies.values() if c.floated and c.cell is not None and c.id not in done_ids
    ]
    return min(companies_left, key=partial(_order_key, t), default=None)


def _order_key(t: Table, company: Company) -> tuple[bool, int, int, int, int]:
    assert company.cell is not None
    row, column = company.cell
    has_moving_price = not t.grid.is_space(company.cell)
    return (has_moving_price, -t.grid.price(company.cell), -column, row, t.state.market.index(company.id))
