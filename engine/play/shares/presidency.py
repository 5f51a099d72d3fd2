"""Who is president, and who becomes president after a sale or a purchase (18Chesapeake 7.3, 10.3)."""

from engine.core.events import PresidentChanged
from engine.core.ids import PlayerId
from engine.core.state import Company, Player
from engine.play.shares.holdings import give, give_certificate
from engine.play.table import Table


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


def may_leave(t: Table, player: PlayerId, company: Company, shares: int) -> bool:
    """Whether the presidency allows selling this many: a certificate needs somebody to take it (18Chesapeake 10.3).

    Rules: R-AL-046, R-AL-047, R-CH-061, R-CH-062, R-CH-245, R-TN-045, R-TN-046, D-CH-11.
    """
    percent = shares * company.share
    if company.president != player or percent <= company.shares.get(player, 0):
        return True
    return successor(t, company, percent) is not None


def settle_president(t: Table, company: Company) -> None:
    """Hand the presidency on where somebody holds more (18Chesapeake 7.3).

    Rules: R-AL-080, R-C2C-039, R-CH-060, R-NE-055, R-TN-071.
    """
    if company.president is None:
        return
    new = successor(t, company)
    if new is not None:
        change_president(t, company, new)
