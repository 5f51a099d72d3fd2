"""The union of companies: shares exchange two for one; money, trains, privates and tokens pass over."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.board.map import StopId
from engine.core.events import SharesExchanged, United
from engine.core.ids import BANK, MARKET, OFFERING, REISSUED, Cell, CompanyId, Coord, HolderId, PlayerId
from engine.core.state import Company, ExtraTokens, Fresh
from engine.play.closing_liquidation_bankruptcy import close_company
from engine.play.operating_order import operating_order
from engine.play.private_markers import hand_over_markers
from engine.play.table import Table
from engine.play.token_prices_and_purchases import PREPAID


def inherit(t: Table, company: Company, heir: Company) -> None:
    """Give treasury, trains, privates and markers to the heir, at unchanged value.

    Rules: R-C2C-226, R-C2C-244.
    """
    t.pay(company.id, heir.id, company.cash)
    heir.trains += company.trains
    company.trains = []
    for private in t.state.privates.values():
        if private.owner == company.id:
            private.owner = heir.id
    heir.proofs += company.proofs
    heir.markers |= company.markers
    company.markers = {}
    hand_over_markers(t, company, heir)


def inherit_tokens(t: Table, parts: Sequence[Company], heir: Company) -> list[Coord]:
    """Give tokens on the map to the heir, one in each hex; returns the hexes of the others, now on its charter.

    `parts` come highest price first; the heir may be one. Of two in a hex one without a space goes, else
    that of the cheaper company.

    Rules: R-C2C-065, R-C2C-073, R-C2C-227.
    """
    given_back = []
    for coord, stops in _by_hex(t, parts).items():
        spaces = [(company, stop) for company, stop in stops if company.id in t.map.slots(*stop)]
        kept, where = (spaces or stops)[0]
        for company, stop in stops:
            if (company, stop) != (kept, where):
                _give_back(t, company, stop, heir)
                given_back.append(coord)
        _hand_over(t, kept, where, heir)
    for company in parts:
        if company is not heir:
            _inherit_charter(company, heir)
    return given_back


def _by_hex(t: Table, parts: Sequence[Company]) -> dict[Coord, list[tuple[Company, StopId]]]:
    stops: dict[Coord, list[tuple[Company, StopId]]] = {}
    for company in parts:
        for stop in t.map.tokens_of(company.id):
            stops.setdefault(stop[0], []).append((company, stop))
    return stops


def _give_back(t: Table, company: Company, stop: StopId, heir: Company) -> None:
    t.map.remove_token(*stop, company.id)
    if stop[0] in extra_tokens_of(company).placed:
        extra_tokens_of(company).placed.remove(stop[0])
        extra_tokens_of(heir).bulls += 1
    else:
        heir.tokens.append(PREPAID)


def _hand_over(t: Table, company: Company, stop: StopId, heir: Company) -> None:
    if company is heir:
        return
    t.map.replace_token(*stop, company.id, heir.id)
    if stop[0] in extra_tokens_of(company).placed:
        extra_tokens_of(company).placed.remove(stop[0])
        extra_tokens_of(heir).placed.append(stop[0])


def _inherit_charter(company: Company, heir: Company) -> None:
    heir.tokens += company.tokens
    mine, theirs = extra_tokens_of(heir), extra_tokens_of(company)
    mine.bought = sorted({*mine.bought, *theirs.bought})
    mine.reserved += theirs.reserved
    mine.reached += theirs.reached
    mine.bulls += theirs.bulls
    company.tokens, company.extra = [], None


def extra_tokens_of(company: Company) -> ExtraTokens:
    """The company's extra tokens."""
    if company.extra is None:
        company.extra = ExtraTokens()
    return company.extra


CERTIFICATE: Final = 2
"""Shares that a president's certificate stands for."""


@dataclass(slots=True)
class Exchange:
    """New shares of each holder of the united companies, and the players paid for an odd share."""

    shares: dict[HolderId, int]
    odd: dict[PlayerId, CompanyId]

    def total_shares(self) -> int:
        """Number of new shares."""
        return sum(self.shares.values())


def by_price(t: Table, companies: Iterable[Company]) -> list[Company]:
    """The companies by price, highest first; equal ones in operating order."""
    order = operating_order(t)
    return sorted(companies, key=lambda company: (-t.price(company), order.index(company)))


def halved_shares(parts: Iterable[Company], places: Callable[[Company], Iterable[HolderId]]) -> int:
    """New shares for everything in these places, two for one.

    Rules: R-C2C-224, R-C2C-241.
    """
    return sum(_percent_held(company, place) for company in parts for place in places(company)) // 2


def players_exchange(t: Table, parts: Sequence[Company]) -> Exchange:
    """The players' new shares for all they have of the companies."""
    shares: dict[HolderId, int] = {}
    odd: dict[PlayerId, CompanyId] = {}
    for player in t.state.in_game():
        held = {company.id: _percent_held(company, player.id) for company in parts}
        shares[player.id] = sum(held.values()) // 2
        if sum(held.values()) % 2:
            odd[player.id] = next(name for name, count in held.items() if count)
    return Exchange(shares, odd)


def pay_odd(t: Table, exchange: Exchange) -> dict[PlayerId, int]:
    """Pay players for odd shares at their price; returns the payments.

    Rules: R-C2C-224.
    """
    paid = {player: t.price(t.state.companies[company]) for player, company in exchange.odd.items()}
    for player, amount in paid.items():
        t.pay(BANK, player, amount)
    return paid


def new_president(t: Table, exchange: Exchange, favourites: Sequence[PlayerId], seat: int) -> PlayerId | None:
    """The player with the most new shares, at least two; ties to a favourite, then clockwise from the seat.

    Rules: R-C2C-225, R-C2C-243.
    """
    clockwise = [player.id for player in t.state.players[seat:] + t.state.players[:seat]]
    first = max([*favourites, *clockwise], key=lambda player: exchange.shares.get(player, 0))
    return first if exchange.shares.get(first, 0) >= CERTIFICATE else None


def distribute_shares(company: Company, exchange: Exchange, president: PlayerId) -> None:
    """Distribute the new shares; the president gets the two-share certificate."""
    held = {holder: count * company.share for holder, count in exchange.shares.items()}
    held[president] -= CERTIFICATE * company.share
    company.certificate = CERTIFICATE * company.share
    company.shares = {holder: percent for holder, percent in held.items() if percent}
    company.certificate_holder = president


def _percent_held(company: Company, holder: HolderId) -> int:
    return company.percent(holder) // company.share


@dataclass(frozen=True, slots=True)
class Union:
    """A union of two companies, and its president (None: nobody has enough shares)."""

    heir: Company
    """The higher-priced one, whose charter continues."""
    other: Company
    cell: Cell
    exchange: Exchange
    president: PlayerId | None


def union(t: Table, one: Company, other: Company, proposer: PlayerId) -> Union:
    """The union of two companies as proposed by a player.

    Rules: R-C2C-223.
    """
    heir, second = parts = by_price(t, (one, other))
    exchange = _exchange(t, heir, second)
    favourites = [t.president(company.id).id for company in parts]
    president = new_president(t, exchange, favourites, t.state.seat(proposer))
    cell = t.grid.at_most(t.price(heir) + t.price(second))
    return Union(heir, second, cell, exchange, president)


def _exchange(t: Table, heir: Company, other: Company) -> Exchange:
    """The exchange for all holders; shares that nobody gets go to the pool."""
    parts = (heir, other)
    exchange = players_exchange(t, parts)
    exchange.shares[OFFERING] = halved_shares(parts, lambda _: (OFFERING, REISSUED))
    exchange.shares[heir.treasury] = halved_shares(parts, lambda company: (company.treasury,))
    exchange.shares[MARKET] = halved_shares(parts, lambda _: (MARKET,))
    exchange.shares[MARKET] += 100 // heir.share - exchange.total_shares()
    return exchange


def unite(t: Table, plan: Union) -> None:
    """Merge the other company into the heir: money, trains, tokens and shares; it leaves the game.

    Rules: R-C2C-226, R-C2C-227, R-C2C-228.
    """
    heir, other = plan.heir, plan.other
    assert plan.president is not None
    paid = pay_odd(t, plan.exchange)
    heir.parts = [heir.id, other.id]
    heir.second = list(other.trains)
    given_back = inherit_tokens(t, (heir, other), heir)
    inherit(t, other, heir)
    distribute_shares(heir, plan.exchange, plan.president)
    reenter_market(t, heir, plan.cell)
    t.state.fresh = Fresh(heir.id, tokens=t.map.tokens_of(heir.id))
    t.emit(
        United(
            heir.id, other.id, plan.president, t.price(heir), heir.cash, tuple(heir.trains), tuple(given_back)
        )
    )
    t.emit(shares_exchanged(t, heir, plan.exchange, paid))
    close_company(t, other)


def reenter_market(t: Table, company: Company, cell: Cell) -> None:
    """Put the united company's marker below those in its cell, where shares count once.

    Rules: R-C2C-229.
    """
    t.leave_market(company)
    company.split = False
    t.enter_market(company, cell)
    company.par = t.price(company)
    company.reissue_prices = []


def shares_exchanged(
    t: Table, company: Company, exchange: Exchange, paid: dict[PlayerId, int]
) -> SharesExchanged:
    """The event of new shares, with dollars for odd ones."""
    players = [(p.id, exchange.shares[p.id], paid.get(p.id, 0)) for p in t.state.in_game()]
    return SharesExchanged(company.id, tuple(line for line in players if line[1] or line[2]))
