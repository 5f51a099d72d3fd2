"""The order in which companies operate (18Chesapeake 11)."""

from collections.abc import Collection, Iterable
from operator import itemgetter

from engine.core.ids import CompanyId
from engine.core.state import Company
from engine.play.table import Table


def operating_order(t: Table) -> list[Company]:
    """The companies that operate, in order; in most titles the started ones, highest share price first.

    Rules: R-AL-101, R-C2C-090, R-CH-081, R-NE-060, R-TN-101.
    """
    return _sort_by_operating_rank(t, t.state.companies.values())


def next_company_to_operate(t: Table, operated_ids: Collection[CompanyId]) -> Company | None:
    """The first floated company in operating order that is not in `operated_ids`; None if all have operated."""
    companies_still_to_operate = (
        c for c in t.state.companies.values() if c.floated and c.id not in operated_ids
    )
    return next(iter(_sort_by_operating_rank(t, companies_still_to_operate)), None)


def _sort_by_operating_rank(t: Table, companies: Iterable[Company]) -> list[Company]:
    operating_rank_of = t.rules.operating_rank
    ranked_companies = [
        (rank, company) for company in companies if (rank := operating_rank_of(t, company)) is not None
    ]
    return [company for _, company in sorted(ranked_companies, key=itemgetter(0))]
