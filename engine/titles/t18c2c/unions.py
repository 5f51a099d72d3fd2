"""Mergers of companies in 18C2C.

The surviving company exchanges two old shares for one new share and receives all money, trains, privates and tokens.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.board.map import StopId
from engine.core.events import CompaniesUnited, SharesExchanged
from engine.core.ids import BANK, MARKET, OFFERING, REISSUED, Cell, CompanyId, Coord, HolderId, PlayerId
from engine.core.state import Company, ExtraTokens, RecentChanges
from engine.play.closing_liquidation_bankruptcy import close_company
from engine.play.operating_order import operating_order
from engine.play.private_markers import transfer_markers
from engine.play.table import Table
from engine.play.token_prices_and_purchases import PREPAID_TOKEN_PRICE


def inherit_assets(t: Table, company: Company, surviving_company: Company) -> None:
    """Move a company's money, trains, privates and markers to the surviving company.

    Rules: R-C2C-226, R-C2C-244.
    """
    t.pay(company.id, surviving_company.id, company.cash)
    surviving_company.trains += company.trains
    company.trains = []
    for private in t.state.privates.values():
        if private.owner == company.id:
            private.owner = surviving_company.id
    surviving_company.proofs += company.proofs
    surviving_company.markers |= company.markers
    company.markers = {}
    transfer_markers(t, company, surviving_company)


def inherit_tokens(t: Table, merging_companies: Sequence[Company], surviving_company: Company) -> list[Coord]:
    """Move tokens on the map to the surviving company, one per hex. Returns the hexes in which a token was removed.

    `merging_companies` are the merging companies, from the highest price to the lowest. If a hex has two of their
    tokens, the token outside the slots is removed; if both are in slots, that of the cheaper company. Removed tokens
    can be placed again.

    Rules: R-C2C-065, R-C2C-073, R-C2C-227.
    """
    returned_hexes = []
    for coord, companies_and_stops in _tokens_by_hex(t, merging_companies).items():
        tokens_in_slots = [
            (company, stop) for company, stop in companies_and_stops if company.id in t.map.slots(*stop)
        ]
        kept_company, kept_stop = (tokens_in_slots or companies_and_stops)[0]
        for company, stop in companies_and_stops:
            if (company, stop) != (kept_company, kept_stop):
                _return_token(t, company, stop, surviving_company)
                returned_hexes.append(coord)
        _hand_over_token(t, kept_company, kept_stop, surviving_company)
    for company in merging_companies:
        if company is not surviving_company:
            _inherit_charter(company, surviving_company)
    return returned_hexes


def _tokens_by_hex(
    t: Table, merging_companies: Sequence[Company]
) -> dict[Coord, list[tuple[Company, StopId]]]:
    tokens_by_hex: dict[Coord, list[tuple[Company, StopId]]] = {}
    for company in merging_companies:
        for stop in t.map.token_stops_of(company.id):
            tokens_by_hex.setdefault(stop[0], []).append((company, stop))
    return tokens_by_hex


def _return_token(t: Table, company: Company, stop: StopId, surviving_company: Company) -> None:
    t.map.remove_token(*stop, company.id)
    if stop[0] in extra_token_record(company).placed:
        extra_token_record(company).placed.remove(stop[0])
        extra_token_record(surviving_company).bulls += 1
    else:
        surviving_company.tokens.append(PREPAID_TOKEN_PRICE)


def _hand_over_token(t: Table, company: Company, stop: StopId, surviving_company: Company) -> None:
    if company is surviving_company:
        return
    t.map.replace_token(*stop, company.id, surviving_company.id)
    if stop[0] in extra_token_record(company).placed:
        extra_token_record(company).placed.remove(stop[0])
        extra_token_record(surviving_company).placed.append(stop[0])


def _inherit_charter(company: Company, surviving_company: Company) -> None:
    surviving_company.tokens += company.tokens
    surviving_tokens, company_tokens = extra_token_record(surviving_company), extra_token_record(company)
    surviving_tokens.bought = sorted({*surviving_tokens.bought, *company_tokens.bought})
    surviving_tokens.reserved += company_tokens.reserved
    surviving_tokens.reached += company_tokens.reached
    surviving_tokens.bulls += company_tokens.bulls
    company.tokens, company.extra = [], None


def extra_token_record(company: Company) -> ExtraTokens:
    """The company's extra tokens: bought, reserved and bull tokens. If it has none, an empty record is created."""
    if company.extra is None:
        company.extra = ExtraTokens()
    return company.extra


PRESIDENT_SHARE_COUNT: Final = 2
"""Number of shares that a president's certificate is worth."""


@dataclass(slots=True)
class ShareExchange:
    """An exchange of two old shares for one new share.

    `shares` are the new shares by holder. A player with an odd number of old shares is paid for one of them;
    `odd_share_company_by_player` has the company of this share by player.
    """

    shares: dict[HolderId, int]
    odd_share_company_by_player: dict[PlayerId, CompanyId]

    def total_shares(self) -> int:
        """Total number of new shares."""
        return sum(self.shares.values())


def sorted_by_price(t: Table, companies: Iterable[Company]) -> list[Company]:
    """The companies from the highest share price to the lowest. At equal prices the operating order decides."""
    companies_in_operating_order = operating_order(t)
    return sorted(
        companies, key=lambda company: (-t.price(company), companies_in_operating_order.index(company))
    )


def exchanged_share_count(
    merging_companies: Iterable[Company], holders_of: Callable[[Company], Iterable[HolderId]]
) -> int:
    """Number of new shares for all old shares of these holders: one for two, rounded down.

    Rules: R-C2C-224, R-C2C-241.
    """
    return (
        sum(
            _share_count_held(company, holder)
            for company in merging_companies
            for holder in holders_of(company)
        )
        // 2
    )


def share_exchange_of_players(t: Table, merging_companies: Sequence[Company]) -> ShareExchange:
    """The exchange of the players' shares in the merging companies. IPO, treasury and pool are not included."""
    shares: dict[HolderId, int] = {}
    odd_share_company_by_player: dict[PlayerId, CompanyId] = {}
    for player in t.state.players_in_game():
        held_count_by_company = {
            company.id: _share_count_held(company, player.id) for company in merging_companies
        }
        shares[player.id] = sum(held_count_by_company.values()) // 2
        if sum(held_count_by_company.values()) % 2:
            odd_share_company_by_player[player.id] = next(
                name for name, count in held_count_by_company.items() if count
            )
    return ShareExchange(shares, odd_share_company_by_player)


def pay_odd_shares(t: Table, exchange: ShareExchange) -> dict[PlayerId, int]:
    """Pay each player for an odd share at its company's share price. Returns the dollars by player.

    Rules: R-C2C-224.
    """
    dollars_by_player = {
        player: t.price(t.state.companies[company])
        for player, company in exchange.odd_share_company_by_player.items()
    }
    for player, amount in dollars_by_player.items():
        t.pay(BANK, player, amount)
    return dollars_by_player


def new_president(
    t: Table, exchange: ShareExchange, preferred_players: Sequence[PlayerId], first_seat: int
) -> PlayerId | None:
    """The player with the most new shares; None if nobody has two or more.

    In a tie, a preferred player becomes president, otherwise the next player clockwise from `first_seat`.

    Rules: R-C2C-225, R-C2C-243.
    """
    players_clockwise = [player.id for player in t.state.players[first_seat:] + t.state.players[:first_seat]]
    largest_holder = max(
        [*preferred_players, *players_clockwise], key=lambda player: exchange.shares.get(player, 0)
    )
    return largest_holder if exchange.shares.get(largest_holder, 0) >= PRESIDENT_SHARE_COUNT else None


def distribute_shares(company: Company, exchange: ShareExchange, president: PlayerId) -> None:
    """Distribute the new shares of a merged company. The president gets the certificate of two shares."""
    percent_by_holder = {holder: count * company.share for holder, count in exchange.shares.items()}
    percent_by_holder[president] -= PRESIDENT_SHARE_COUNT * company.share
    company.certificate = PRESIDENT_SHARE_COUNT * company.share
    company.shares = {holder: percent for holder, percent in percent_by_holder.items() if percent}
    company.certificate_holder = president


def _share_count_held(company: Company, holder: HolderId) -> int:
    return company.percent(holder) // company.share


@dataclass(frozen=True, slots=True)
class CompanyUnion:
    """A planned merger of two companies. `president` is None if no player would hold enough shares."""

    surviving_company: Company
    """The company with the higher price. The merged company continues with its charter."""
    other: Company
    cell: Cell
    exchange: ShareExchange
    president: PlayerId | None


def planned_union(
    t: Table, first_company: Company, second_company: Company, proposer: PlayerId
) -> CompanyUnion:
    """The merger of these two companies as it would happen if the proposer's proposal were accepted.

    Rules: R-C2C-223.
    """
    surviving_company, cheaper_company = merging_companies = sorted_by_price(
        t, (first_company, second_company)
    )
    exchange = _exchange_of_all_holders(t, surviving_company, cheaper_company)
    preferred_players = [t.president(company.id).id for company in merging_companies]
    president = new_president(t, exchange, preferred_players, t.state.seat(proposer))
    cell = t.grid.cell_priced_at_most(t.price(surviving_company) + t.price(cheaper_company))
    return CompanyUnion(surviving_company, cheaper_company, cell, exchange, president)


def _exchange_of_all_holders(t: Table, surviving_company: Company, other: Company) -> ShareExchange:
    """The share exchange of players, IPO, treasury and pool. Shares that nobody gets in exchange go to the pool."""
    merging_companies = (surviving_company, other)
    exchange = share_exchange_of_players(t, merging_companies)
    exchange.shares[OFFERING] = exchanged_share_count(merging_companies, lambda _: (OFFERING, REISSUED))
    exchange.shares[surviving_company.treasury] = exchanged_share_count(
        merging_companies, lambda company: (company.treasury,)
    )
    exchange.shares[MARKET] = exchanged_share_count(merging_companies, lambda _: (MARKET,))
    exchange.shares[MARKET] += 100 // surviving_company.share - exchange.total_shares()
    return exchange


def unite_companies(t: Table, plan: CompanyUnion) -> None:
    """Carry out a merger. The surviving company gets money, trains, tokens and shares, and the cheaper one closes.

    Rules: R-C2C-226, R-C2C-227, R-C2C-228.
    """
    surviving_company, other = plan.surviving_company, plan.other
    assert plan.president is not None
    dollars_by_player = pay_odd_shares(t, plan.exchange)
    surviving_company.parts = [surviving_company.id, other.id]
    surviving_company.second = list(other.trains)
    returned_hexes = inherit_tokens(t, (surviving_company, other), surviving_company)
    inherit_assets(t, other, surviving_company)
    distribute_shares(surviving_company, plan.exchange, plan.president)
    reenter_market(t, surviving_company, plan.cell)
    t.state.fresh = RecentChanges(surviving_company.id, tokens=t.map.token_stops_of(surviving_company.id))
    t.emit(
        CompaniesUnited(
            surviving_company.id,
            other.id,
            plan.president,
            t.price(surviving_company),
            surviving_company.cash,
            tuple(surviving_company.trains),
            tuple(returned_hexes),
        )
    )
    t.emit(shares_exchanged_event(t, surviving_company, plan.exchange, dollars_by_player))
    close_company(t, other)


def reenter_market(t: Table, company: Company, cell: Cell) -> None:
    """Place the merged company's price marker in the cell, below all markers there. An earlier share split ends.

    Rules: R-C2C-229.
    """
    t.leave_market(company)
    company.split = False
    t.enter_market(company, cell)
    company.par = t.price(company)
    company.reissue_prices = []


def shares_exchanged_event(
    t: Table, company: Company, exchange: ShareExchange, dollars_by_player: dict[PlayerId, int]
) -> SharesExchanged:
    """The event that reports each player's new shares and the dollars paid for odd shares."""
    players = [
        (p.id, exchange.shares[p.id], dollars_by_player.get(p.id, 0)) for p in t.state.players_in_game()
    ]
    return SharesExchanged(company.id, tuple(entry for entry in players if entry[1] or entry[2]))
