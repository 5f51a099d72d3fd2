"""Certificate limit and holding limit, and the obligation to sell above them (18Chesapeake 10.1)."""

from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId
from engine.core.state import Company
from engine.play.shares import holdings, selling, stock_turn
from engine.play.table import Table


def certificate_limit(t: Table) -> int:
    """The certificate limit now: by number of players, or by companies in play."""
    limit_by_company_count = t.spec.players[len(t.state.players)].limit_by_company_count
    if limit_by_company_count:
        open_company_count = sum(
            not company.closed and not company.is_undivided for company in t.state.companies.values()
        )
        return limit_by_company_count[max(open_company_count, min(limit_by_company_count))]
    return t.state.certificate_limit or t.spec.players[len(t.state.players)].certificate_limit


def certificate_limit_obstacle(t: Table, player: PlayerId) -> Fact | None:
    """The error message if the player has reached the certificate limit, else None (18Chesapeake 10.1).

    Rules: R-AL-062, R-C2C-037, R-CH-048, R-NE-044, R-TN-063.
    """
    certificate_count, limit = holdings.certificate_count(t, player), certificate_limit(t)
    if certificate_count < limit:
        return None
    return fact(
        "limits.at_limit" if certificate_count == limit else "limits.above_limit", player=player, limit=limit
    )


def sale_obligation(t: Table, player: PlayerId) -> Fact | None:
    """The rule that obliges the current player to sell: they are above a limit, and a sale would help. Else None.

    See 18Chesapeake 10.1.

    Rules: R-AL-063, R-C2C-037, R-CH-057, R-NE-046, R-TN-061, R-TN-064.
    """
    if stock_turn.sales_closed_obstacle(t):
        return None
    return certificate_excess_rule(t, player) or _holding_excess_rule(t, player)


def must_sell_first(t: Table) -> bool:
    """True if a player above a limit must sell before buying (18Chesapeake 10.1)."""
    return t.rules.has_flag("sells_first_above_limits") or not stock_turn.may_sell_after_purchase(t)


def certificate_excess_rule(t: Table, player: PlayerId) -> Fact | None:
    """The error message if the player is above the certificate limit and a sale would help, else None.

    See 18Chesapeake 10.1.
    """
    certificate_count, limit = holdings.certificate_count(t, player), certificate_limit(t)
    if certificate_count <= limit or not any(
        _sale_reduces_certificates(t, player, company) for company in holdings.companies_held_by(t, player)
    ):
        return None
    return fact("limits.sell_certificates", player=player, held=certificate_count, limit=limit)


def _holding_excess_rule(t: Table, player: PlayerId) -> Fact | None:
    for company in holdings.companies_held_by(t, player):
        percent = company.percent(player)
        if percent <= t.spec.holding_limit:
            continue
        limit = holdings.holding_limit(t, company)
        if percent > limit and selling.sellable_blocks(t, player, company):
            return fact(
                "limits.sell_holding", player=player, company=company.id, percent=percent, limit=limit
            )
    return None


def _sale_reduces_certificates(t: Table, player: PlayerId, company: Company) -> bool:
    if not holdings.counts_for_limit(t, company):
        return False
    return any(
        certificates_lost(t, player, company, n) > 0 for n in selling.sellable_blocks(t, player, company)
    )


def certificates_lost(t: Table, player: PlayerId, company: Company, count: int) -> int:
    """Number of certificates, counted for the limit, that the player loses by selling `count` shares."""
    return company.certificates(player) - _certificates_after_sale(t, player, company, count)


def _certificates_after_sale(t: Table, player: PlayerId, company: Company, count: int) -> int:
    zone = t.grid.zone(selling.cell_after_sale(t, player, company, count))
    if zone is not None and not zone.counts_for_limit:
        return 0
    sold_percent = count * company.share
    if company.president == player and selling.next_president(t, company, sold_percent) is None:
        return company.certificates(player) - count
    return (company.percent(player) - sold_percent) // company.share
