"""Shares of companies that become one: two of any of them for one of the new company."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.core.ids import BANK, CompanyId, HolderId, PlayerId
from engine.core.state import Company
from engine.play.table import Table

CERTIFICATE: Final = 2
"""Shares that a president's certificate stands for."""


@dataclass(slots=True)
class Exchange:
    """What the holders of several companies get: new shares, and who is paid for an odd share of which company."""

    shares: dict[HolderId, int]
    odd: dict[PlayerId, CompanyId]

    def in_all(self) -> int:
        """New shares in all."""
        return sum(self.shares.values())


def by_price(t: Table, companies: Iterable[Company]) -> list[Company]:
    """The highest-priced company first; of equal ones that which operates earlier."""
    order = t.operating_order()
    return sorted(companies, key=lambda company: (-t.price(company), order.index(company)))


def halved(parts: Iterable[Company], places: Callable[[Company], Iterable[HolderId]]) -> int:
    """New shares for all that lies in these places of each company.

    Rules: R-C2C-224, R-C2C-241.
    """
    return sum(_held(company, place) for company in parts for place in places(company)) // 2


def for_players(t: Table, parts: Sequence[Company]) -> Exchange:
    """What players get for all they have of the companies, highest price first."""
    shares: dict[HolderId, int] = {}
    odd: dict[PlayerId, CompanyId] = {}
    for player in t.state.in_game():
        held = {company.id: _held(company, player.id) for company in parts}
        shares[player.id] = sum(held.values()) // 2
        if sum(held.values()) % 2:
            odd[player.id] = next(name for name, count in held.items() if count)
    return Exchange(shares, odd)


def pay_odd(t: Table, exchange: Exchange) -> dict[PlayerId, int]:
    """The bank pays odd shares at their price; returns what it paid to whom.

    Rules: R-C2C-224.
    """
    paid = {player: t.price(t.state.companies[company]) for player, company in exchange.odd.items()}
    for player, amount in paid.items():
        t.pay(BANK, player, amount)
    return paid


def chief(t: Table, exchange: Exchange, favourites: Sequence[PlayerId], seat: int) -> PlayerId | None:
    """Who will preside: the most new shares, two at least; among equals a favourite, then clockwise from the seat.

    Rules: R-C2C-225, R-C2C-243.
    """
    clockwise = [player.id for player in t.state.players[seat:] + t.state.players[:seat]]
    first = max([*favourites, *clockwise], key=lambda player: exchange.shares.get(player, 0))
    return first if exchange.shares.get(first, 0) >= CERTIFICATE else None


def distribute(company: Company, exchange: Exchange, president: PlayerId) -> None:
    """Lay the new shares before their holders; the president gets the certificate for two shares."""
    held = {holder: count * company.share for holder, count in exchange.shares.items()}
    held[president] -= CERTIFICATE * company.share
    company.certificate = CERTIFICATE * company.share
    company.shares = {holder: percent for holder, percent in held.items() if percent}
    company.certificate_holder = president


def _held(company: Company, holder: HolderId) -> int:
    return company.percent(holder) // company.share
