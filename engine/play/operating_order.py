"""The order in which companies operate (18Chesapeake 11)."""

from collections.abc import Collection

from engine.core.ids import CompanyId
from engine.core.state import Company
from engine.play.table import Table


def operating_order(t: Table) -> list[Company]:
    """Companies that operate, in order: in most titles the started ones by price.

    Rules: R-AL-101, R-C2C-090, R-CH-081, R-NE-060, R-TN-101.
    """
    ranks = {name: t.rules.operating_rank(t, company) for name, company in t.state.companies.items()}
    ranked = {name: rank for name, rank in ranks.items() if rank is not None}
    return [t.state.companies[name] for name in sorted(ranked, key=ranked.__getitem__)]


def next_to_operate(t: Table, done_ids: Collection[CompanyId]) -> Company | None:
    """The floated company that operates next, once these have operated."""
    return next((c for c in operating_order(t) if c.floated and c.id not in done_ids), None)
