"""Who may become what: small companies that wait for their turn, partners within reach, large ones not started yet."""

from engine.board.network import network_of
from engine.core.spec import MergersSpec
from engine.core.state import Company, Merger
from engine.play.table import Table


def round_follows(t: Table) -> bool:
    """Whether a merger round comes after the operating round; not where nothing could be formed (18NewEngland 12).

    Rules: R-NE-120, R-NE-130, R-NE-131.
    """
    if not t.phase_reached(_mergers(t).from_phase):
        return False
    return t.rules.flag("asks_when_nothing_is_legal") or bool(unstarted(t) and small(t))


def merger(t: Table) -> Merger:
    """The current merger round."""
    assert isinstance(t.state.round, Merger)
    return t.state.round


def formed(t: Table) -> Company | None:
    """The large company just formed, about which its president still decides."""
    name = merger(t).formed
    return None if name is None else t.state.companies[name]


def small(t: Table) -> list[Company]:
    """Small companies in play, in operating order."""
    return [company for company in t.operating_order() if t.kind(company) == _mergers(t).small]


def waiting(t: Table) -> Company | None:
    """The small company whose turn it is in the merger round; None when all have had theirs."""
    return next((company for company in small(t) if company.id not in merger(t).done), None)


def unstarted(t: Table) -> list[Company]:
    """Large companies that nobody has started.

    Rules: R-NE-123.
    """
    large = [c for c in t.state.companies.values() if t.kind(c) == _mergers(t).large]
    return [company for company in large if not (company.started or company.closed)]


def partners(t: Table, company: Company) -> list[Company]:
    """Other small companies of the same president that this one may merge with.

    Rules: R-NE-122.
    """
    others = [other for other in small(t) if other.id != company.id and other.president == company.president]
    return [other for other in others if in_one_hex(t, company, other) or connected(t, company, other)]


def in_one_hex(t: Table, one: Company, other: Company) -> bool:
    """Whether both have a token in the same hex."""
    mine = {coord for coord, _ in t.map.tokens_of(one.id)}
    return any(coord in mine for coord, _ in t.map.tokens_of(other.id))


def connected(t: Table, one: Company, other: Company) -> bool:
    """Whether a route of any length leads from a token of the one to a token of the other."""
    return not network_of(t.map, one.id).stops.isdisjoint(t.map.tokens_of(other.id))


def _mergers(t: Table) -> MergersSpec:
    assert t.spec.mergers is not None
    return t.spec.mergers
