"""Whose money is shown to whom, where it is secret."""

from engine.core.ids import EntityId, PlayerId
from engine.play.table import Table


def seen(t: Table, entity: EntityId, looker: PlayerId | None) -> int | None:
    """Dollars of a player or company, as far as whoever looks (None: everybody) may know them; None: they may not."""
    return t.cash(entity) if may_see(t, entity, looker) else None


def may_see(t: Table, entity: EntityId, looker: PlayerId | None) -> bool:
    """Whether somebody knows the money of a player, or of a company: their own, and of what they preside over.

    Rules: R-AL-215, R-C2C-263, R-CH-013, R-NE-010.
    """
    if not t.spec.secret_cash or t.state.over:
        return True
    company = t.state.companies.get(entity)
    return looker is not None and looker == (entity if company is None else company.president)
