"""18C2C's national companies, Amtrak and Conrail, which absorb companies that have lost their last train."""

from collections.abc import Sequence

from engine.core.events import NationalFormed, NationalNotFormed
from engine.core.ids import BANK, MARKET, OFFERING, CompanyId, PlayerId
from engine.core.spec import NationalsSpec
from engine.core.state import Company, Operating
from engine.play.closing_liquidation_bankruptcy import close_company
from engine.play.table import Table
from engine.play.token_prices_and_purchases import PREPAID_TOKEN_PRICE
from engine.titles.t18c2c.unions import (
    PRESIDENT_SHARE_COUNT,
    ShareExchange,
    distribute_shares,
    exchanged_share_count,
    extra_token_record,
    inherit_assets,
    inherit_tokens,
    new_president,
    pay_odd_shares,
    reenter_market,
    share_exchange_of_players,
    shares_exchanged_event,
    sorted_by_price,
)

SMALL_SHARE_COUNT, LARGE_SHARE_COUNT = 10, 20
"""Number of shares of a small and of a large national; a national is large if 10 shares are not enough."""


def form_national(t: Table, owners: Sequence[CompanyId]) -> None:
    """Form the national of the current phase, if the phase has one.

    `owners` are the companies whose trains just rusted. The national absorbs those that have no train left.

    Rules: R-C2C-240, R-C2C-243.
    """
    nationals_spec = t.spec.nationals
    name = None if nationals_spec is None else nationals_spec.national_by_phase.get(t.state.phase)
    if nationals_spec is None or name is None:
        return
    absorbed_companies = sorted_by_price(t, _absorbed_companies(t, nationals_spec, owners))
    if not absorbed_companies:
        return
    exchange = share_exchange_of_players(t, absorbed_companies)
    exchange.shares[MARKET] = exchanged_share_count(absorbed_companies, lambda _: (MARKET,))
    president = new_president(t, exchange, [t.president(absorbed_companies[0].id).id], _tie_break_seat(t))
    if president is None:
        t.emit(NationalNotFormed(name, tuple(company.id for company in absorbed_companies)))
    else:
        _start_national(t, t.state.companies[name], absorbed_companies, exchange, president)


def _absorbed_companies(
    t: Table, nationals_spec: NationalsSpec, owners: Sequence[CompanyId]
) -> list[Company]:
    """Companies without a train that the national absorbs. Nationals are never absorbed.

    Rules: R-C2C-240.
    """
    companies = [c for c in t.state.companies.values() if c.operated and c.is_started and not c.trains]
    candidates = [
        company for company in companies if company.id not in nationals_spec.national_by_phase.values()
    ]
    return (
        candidates if nationals_spec.absorbs == "all_trainless" else [c for c in candidates if c.id in owners]
    )


def _tie_break_seat(t: Table) -> int:
    """The seat from which ties are broken: that of the president whose company bought the train."""
    current_round = t.state.round
    if isinstance(current_round, Operating) and current_round.turn is not None:
        return t.state.seat(t.president(current_round.turn.company).id)
    return t.state.priority


def _start_national(
    t: Table,
    national: Company,
    absorbed_companies: Sequence[Company],
    exchange: ShareExchange,
    president: PlayerId,
) -> None:
    """Start the national with 10 or 20 shares, in the top row of the market.

    Its price is the average of the absorbed companies' prices.

    Rules: R-C2C-007, R-C2C-241, R-C2C-242.
    """
    assert t.spec.nationals is not None
    average_price = sum(map(t.price, absorbed_companies)) // len(absorbed_companies)
    cell = t.grid.cell_priced_at_most(max(average_price, t.spec.nationals.least_price))
    dollars_by_player = pay_odd_shares(t, exchange)
    for player, count in _remove_surplus_shares(t, exchange, president).items():
        t.pay(BANK, player, count * t.grid.price(cell))
        dollars_by_player[player] = dollars_by_player.get(player, 0) + count * t.grid.price(cell)
    share_count = SMALL_SHARE_COUNT if exchange.total_shares() <= SMALL_SHARE_COUNT else LARGE_SHARE_COUNT
    exchange.shares[OFFERING] = share_count - exchange.total_shares()
    _take_over_assets(t, national, absorbed_companies)
    national.share = 100 // share_count
    distribute_shares(national, exchange, president)
    reenter_market(t, national, cell)
    _emit_formation(t, national, president)
    t.emit(shares_exchanged_event(t, national, exchange, dollars_by_player))
    for company in absorbed_companies:
        close_company(t, company)


def _remove_surplus_shares(t: Table, exchange: ShareExchange, president: PlayerId) -> dict[PlayerId, int]:
    """Remove the shares that exceed the 20 of a large national. Returns the number of shares that each player loses.

    Shares in the pool go first. Then players lose shares in reverse turn order, starting with the new president, who
    keeps the president's certificate.

    Rules: R-C2C-241.
    """
    lost_count_by_player = {}
    exchange.shares[MARKET] -= min(
        exchange.shares[MARKET], max(0, exchange.total_shares() - LARGE_SHARE_COUNT)
    )
    for player in _players_in_reverse_order(t, president):
        kept_count = PRESIDENT_SHARE_COUNT if player == president else 0
        count = min(max(0, exchange.total_shares() - LARGE_SHARE_COUNT), exchange.shares[player] - kept_count)
        if count > 0:
            exchange.shares[player] -= count
            lost_count_by_player[player] = count
    return lost_count_by_player


def _players_in_reverse_order(t: Table, first_player: PlayerId) -> list[PlayerId]:
    seat = t.state.seat(first_player)
    players_in_order = t.state.players[: seat + 1][::-1] + t.state.players[seat + 1 :][::-1]
    return [player.id for player in players_in_order if not player.bankrupt]


def _take_over_assets(t: Table, national: Company, absorbed_companies: Sequence[Company]) -> None:
    """Give the national all assets of the absorbed companies.

    If one of them has operated in this round, the national does not operate again.

    Rules: R-C2C-244, R-C2C-248.
    """
    national.parts = [company.id for company in absorbed_companies]
    national.floated = national.operated = True
    current_round = t.state.round
    if isinstance(current_round, Operating) and any(name in current_round.done for name in national.parts):
        current_round.done.append(national.id)
    _take_over_tokens(t, national, absorbed_companies)
    for company in absorbed_companies:
        inherit_assets(t, company, national)


def _take_over_tokens(t: Table, national: Company, absorbed_companies: Sequence[Company]) -> None:
    """Give the national the tokens of the absorbed companies. Reserved tokens become ordinary.

    The national always has at least as many tokens as its charter shows.

    Rules: R-C2C-245.
    """
    printed_token_count, national.tokens = len(national.tokens), []
    inherit_tokens(t, absorbed_companies, national)
    extra_tokens = extra_token_record(national)
    national.tokens += [PREPAID_TOKEN_PRICE] * len(extra_tokens.reserved)
    extra_tokens.reserved, extra_tokens.reached = [], []
    token_count = len(t.map.token_stops_of(national.id)) + len(national.tokens) + extra_tokens.bulls
    national.tokens += [PREPAID_TOKEN_PRICE] * (printed_token_count - token_count)


def _emit_formation(t: Table, national: Company, president: PlayerId) -> None:
    t.emit(
        NationalFormed(
            company=national.id,
            merging_companies=tuple(national.parts),
            president=president,
            price=t.price(national),
            percent=national.share,
            treasury=national.cash,
            placed_token_count=len(t.map.token_stops_of(national.id)),
            unplaced_token_count=len(national.tokens) + extra_token_record(national).bulls,
        )
    )
