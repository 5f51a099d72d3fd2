"""Certificates: who holds them, what they are worth, how they change hands, and who is president
(18Chesapeake 7.3, 10).
"""

from engine.core.events import PresidentChanged
from engine.core.ids import BANK, MARKET, OFFERING, Cell, HolderId, PlayerId
from engine.core.spec import ZoneSpec
from engine.core.state import Company, Player
from engine.play.table import Table


def zone(t: Table, company: Company) -> ZoneSpec | None:
    """The coloured zone of the market a company stands in, if any."""
    return t.grid.zone(company.cell) if company.cell else None


def counts(t: Table, company: Company) -> bool:
    """Whether shares of the company count for the certificate limit (18Chesapeake 10.1).

    Rules: R-AL-061, R-C2C-037, R-CH-056, R-CH-304, R-TN-062.
    """
    coloured = zone(t, company)
    return coloured is None or coloured.counts_for_limit


def certificates(t: Table, player: PlayerId) -> int:
    """Certificates that count for the limit: privates and shares, the president's certificate as one
    (18Chesapeake 10.1).

    Rules: R-AL-061, R-C2C-037, R-CH-056, R-NE-046, R-TN-062.
    """
    privates = sum(private.owner == player and not private.closed for private in t.state.privates.values())
    companies = t.state.companies.values()
    held = [c for c in companies if player in c.shares or c.certificate_holder == player]
    return privates + sum(company.certificates(player) for company in held if counts(t, company))


def limit(t: Table) -> int:
    """The certificate limit for this number of players, or what the companies in play make of it."""
    return t.state.certificate_limit or t.spec.players[len(t.state.players)].certificates


def holding_limit(t: Table, company: Company) -> int:
    """Percent of the company a player may hold now.

    Rules: R-AL-060, R-C2C-034, R-CH-058, R-CH-304, R-NE-044, R-TN-060.
    """
    coloured = zone(t, company)
    return 100 if coloured is not None and coloured.over_holding_limit else t.spec.holding_limit


def value(t: Table, player: PlayerId) -> int:
    """Value in dollars of all shares at the present prices.

    Rules: R-AL-213, R-C2C-262, R-CH-182, R-NE-133, R-TN-213.
    """
    return sum(
        t.price(company) * company.percent(player) // company.share for company in t.state.companies.values()
    )


def net_worth(t: Table, player: Player) -> int:
    """Cash, shares at the present price and open privates at face; nothing for who is out
    (18Chesapeake 12, 18NewEngland 11.8).

    Rules: R-AL-213, R-C2C-262, R-CH-182, R-NE-133, R-TN-213.
    """
    if is_out(t, player):
        return 0
    privates = sum(
        t.spec.privates[private.id].value
        for private in t.state.privates.values()
        if private.owner == player.id and not private.closed
    )
    return player.cash + value(t, player.id) + privates


def liquidity(t: Table, player: Player) -> int:
    """Cash, and what the largest block of every company that may be sold would bring at its present price
    (18Chesapeake 10.2).
    """
    blocks = ((company, sellable(t, player.id, company)) for company in t.state.companies.values())
    return player.cash + sum(t.price(company) * max(counts) for company, counts in blocks if counts)


def is_out(t: Table, player: Player) -> bool:
    """Whether the player has left the game, so that their holdings are dead (18NewEngland 11.8)."""
    return player.bankrupt and t.spec.bankruptcy == "eliminates"


def give(company: Company, source: HolderId, target: HolderId, percent: int) -> None:
    """Move ordinary shares (percent) from one holder to another."""
    assert company.shares.get(source, 0) >= percent, (company.id, source, percent)
    company.shares[source] -= percent
    if not company.shares[source]:
        del company.shares[source]
    company.shares[target] = company.shares.get(target, 0) + percent


def give_certificate(company: Company, target: HolderId) -> None:
    """Move the president's certificate."""
    company.certificate_holder = target


def successor(t: Table, company: Company, selling: int = 0) -> Player | None:
    """Who becomes president when the present one has sold `selling` percent; None: they stay (18Chesapeake 10.3).

    The largest holding above the president's wins if it is worth the certificate, ties go to the nearest on their left.

    Rules: R-AL-080, R-AL-081, R-C2C-039, R-CH-060, R-NE-055, R-TN-071.
    """
    president = company.president
    assert president is not None
    mine = company.percent(president) - selling
    seat = t.state.seat(president)
    others = [p for p in t.state.players[seat + 1 :] + t.state.players[:seat] if not p.bankrupt]
    able = [
        p for p in others if company.percent(p.id) > mine and company.percent(p.id) >= company.certificate
    ]
    return max(able, key=lambda p: company.percent(p.id)) if able else None


def change_president(t: Table, company: Company, new: Player, selling: int = 0) -> None:
    """Swap the certificate for ordinary shares of the same size; the swap comes before the rest of a sale
    (18Chesapeake 10.3).

    Rules: R-AL-082, R-CH-062, R-NE-055, R-TN-046, R-TN-071.
    """
    old = company.president
    assert old is not None
    give(company, new.id, old, company.certificate)
    give_certificate(company, new.id)
    t.emit(PresidentChanged(company.id, old, new.id))
    t.rules.on_president_changed(t, company)
    assert company.shares.get(old, 0) >= selling


def sellable(t: Table, player: PlayerId, company: Company) -> list[int]:
    """How many shares the player may sell as one block: market limit, presidency, certificate
    (18Chesapeake 10.2, 10.3).

    Rules: R-AL-045, R-AL-048, R-C2C-035, R-CH-051, R-NE-050, R-TN-044, R-TN-044a.
    """
    if not company.started:
        return []
    held = company.percent(player) // company.share
    if not held:
        return []
    room = (t.spec.pool_limit - company.percent(MARKET)) // company.share
    return [n for n in range(1, min(room, held) + 1) if may_leave(t, player, company, n)]


def may_leave(t: Table, player: PlayerId, company: Company, shares: int) -> bool:
    """Whether the presidency allows selling this many: a certificate needs somebody to take it (18Chesapeake 10.3).

    Rules: R-AL-046, R-AL-047, R-CH-061, R-CH-062, R-CH-245, R-TN-045, R-TN-046, D-CH-11.
    """
    percent = shares * company.share
    if company.president != player or percent <= company.shares.get(player, 0):
        return True
    return successor(t, company, percent) is not None


def after_sale(t: Table, seller: PlayerId, company: Company, shares: int) -> Cell:
    """Where the marker goes when the player sells N shares (18Chesapeake 10.2).

    Rules: R-NE-051.
    """
    assert company.cell is not None
    if t.spec.sale_moves == "down":
        return t.grid.down(company.cell, shares)
    return t.grid.left(company.cell, shares if company.president == seller else 0)


def sell(t: Table, player: PlayerId, company: Company, shares: int) -> tuple[int, int]:
    """Sell a block at the present price, which then falls as the title has it; returns old and new price.

    Rules: R-AL-043, R-C2C-036, R-CH-052, R-NE-050, R-TN-042.
    """
    percent = shares * company.share
    old, cell = t.price(company), after_sale(t, player, company, shares)
    if company.president == player:
        new = successor(t, company, percent)
        if new is not None:
            change_president(t, company, new, percent)
    give(company, player, MARKET, percent)
    t.pay(BANK, player, old * shares)
    t.move_price(company, cell)
    return old, t.price(company)


def settle_president(t: Table, company: Company) -> None:
    """Hand the presidency on where somebody holds more (18Chesapeake 7.3).

    Rules: R-AL-080, R-C2C-039, R-CH-060, R-NE-055, R-TN-071.
    """
    if company.president is None:
        return
    new = successor(t, company)
    if new is not None:
        change_president(t, company, new)


def sold_from_offering(company: Company) -> int:
    """Percent that has left the initial offering."""
    return 100 - company.percent(OFFERING)
