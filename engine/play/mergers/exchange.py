"""Shares of companies that become one: two of any of them for one of the new company."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.core.ids import BANK, CompanyId, HolderId, PlayerId
from engine.core.state import Company
from engine.play.table import Table


@dataclass(frozen=True, slots=True)
class Exchange:
    """What the holders of several companies get: new shares, and who is paid for an odd share of which company."""

    shares: dict[HolderId, int]
    odd: dict[PlayerId, CompanyId]

    def handed_out(self) -> int:
        """New shares in all."""
        return sum(self.shares.values())


def by_price(t: Table, companies: Iterable[Company]) -> list[Company]:
    """The dearest company first; of equal ones that which operates earlier."""
    order = t.operating_order()
    return sorted(companies, key=lambda company: (-t.price(company), order.index(company)))


def exchanged(t: Table, parts: Sequence[Company], holders: Iterable[HolderId]) -> Exchange:
    """What these holders get for all they have of the companies, which come dearest first."""
    shares: dict[HolderId, int] = {}
    odd: dict[PlayerId, CompanyId] = {}
    for holder in holders:
        held = {company.id: company.percent(holder) // company.share for company in parts}
        shares[holder], left = divmod(sum(held.values()), 2)
        if left and t.state.is_player(holder):
            odd[holder] = next(name for name, count in held.items() if count)
    return Exchange(shares, odd)


def pay_odd(t: Table, odd: dict[PlayerId, CompanyId]) -> dict[PlayerId, int]:
    """The bank pays odd shares at their price; returns what it paid to whom."""
    paid = {player: t.price(t.state.companies[company]) for player, company in odd.items()}
    for player, amount in paid.items():
        t.pay(BANK, player, amount)
    return paid


def chief(t: Table, exchange: Exchange, favourites: Sequence[PlayerId], seat: int) -> PlayerId | None:
    """Who will preside: the most new shares, two at least; among equals a favourite, then clockwise from the seat."""
    seats = t.state.players[seat:] + t.state.players[:seat]
    clockwise = [*favourites, *(player.id for player in seats)]
    first = max(clockwise, key=lambda player: exchange.shares.get(player, 0))
    return first if exchange.shares.get(first, 0) >= CERTIFICATE else None


def distribute(company: Company, exchange: Exchange, president: PlayerId) -> None:
    """Lay the new shares before their holders; the president has his certificate for some of his."""
    held = {holder: count * company.share for holder, count in exchange.shares.items() if count}
    held[president] -= company.certificate
    company.shares = {holder: percent for holder, percent in held.items() if percent}
    company.certificate_holder = president


CERTIFICATE = 2
"""Shares that a president's certificate stands for."""
