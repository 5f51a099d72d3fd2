"""A national takes over companies that have just lost their last train."""

from collections.abc import Sequence

from engine.core.events import NationalFormed, NoNational
from engine.core.ids import BANK, MARKET, OFFERING, CompanyId, PlayerId
from engine.core.spec import NationalsSpec
from engine.core.state import Company, Operating
from engine.play.closing_liquidation_bankruptcy import close_company
from engine.play.table import Table
from engine.play.token_prices_and_purchases import PREPAID
from engine.titles.t18c2c.unions import (
    CERTIFICATE,
    Exchange,
    by_price,
    distribute_shares,
    extra_tokens_of,
    halved_shares,
    inherit,
    inherit_tokens,
    new_president,
    pay_odd,
    players_exchange,
    reenter_market,
    shares_exchanged,
)

SMALL, LARGE = 10, 20
"""Shares of the two forms that a national may have."""


def form_national(t: Table, owners: Sequence[CompanyId]) -> None:
    """Form the phase's national, if any, from these owners of rusted trains who have none left.

    Rules: R-C2C-240, R-C2C-243.
    """
    rules = t.spec.nationals
    name = None if rules is None else rules.forms.get(t.state.phase)
    if rules is None or name is None:
        return
    parts = by_price(t, _absorbed(t, rules, owners))
    if not parts:
        return
    exchange = players_exchange(t, parts)
    exchange.shares[MARKET] = halved_shares(parts, lambda _: (MARKET,))
    president = new_president(t, exchange, [t.president(parts[0].id).id], _tie_break_seat(t))
    if president is None:
        t.emit(NoNational(name, tuple(company.id for company in parts)))
    else:
        _start_national(t, t.state.companies[name], parts, exchange, president)


def _absorbed(t: Table, rules: NationalsSpec, owners: Sequence[CompanyId]) -> list[Company]:
    """Companies without a train that the national takes over; never another national.

    Rules: R-C2C-240.
    """
    companies = [c for c in t.state.companies.values() if c.operated and c.started and not c.trains]
    absorbed = [company for company in companies if company.id not in rules.forms.values()]
    return absorbed if rules.absorbs == "all_trainless" else [c for c in absorbed if c.id in owners]


def _tie_break_seat(t: Table) -> int:
    """The seat at which ties are resolved first: the president of the train's buyer."""
    now = t.state.round
    if isinstance(now, Operating) and now.turn is not None:
        return t.state.seat(t.president(now.turn.company).id)
    return t.state.priority


def _start_national(
    t: Table, national: Company, parts: Sequence[Company], exchange: Exchange, president: PlayerId
) -> None:
    """Start the national at the parts' average price in the top row, with 10 or 20 shares.

    Rules: R-C2C-007, R-C2C-241, R-C2C-242.
    """
    assert t.spec.nationals is not None
    average = sum(map(t.price, parts)) // len(parts)
    cell = t.grid.at_most(max(average, t.spec.nationals.least_price))
    paid = pay_odd(t, exchange)
    for player, count in _remove_surplus_shares(t, exchange, president).items():
        t.pay(BANK, player, count * t.grid.price(cell))
        paid[player] = paid.get(player, 0) + count * t.grid.price(cell)
    in_all = SMALL if exchange.total_shares() <= SMALL else LARGE
    exchange.shares[OFFERING] = in_all - exchange.total_shares()
    _take_over(t, national, parts)
    national.share = 100 // in_all
    distribute_shares(national, exchange, president)
    reenter_market(t, national, cell)
    _emit_formation(t, national, president)
    t.emit(shares_exchanged(t, national, exchange, paid))
    for company in parts:
        close_company(t, company)


def _remove_surplus_shares(t: Table, exchange: Exchange, president: PlayerId) -> dict[PlayerId, int]:
    """Remove shares above those of the large form: the pool's first, then players' in reverse turn order.

    The new president comes first, and keeps their certificate. Returns how many each player loses.

    Rules: R-C2C-241.
    """
    lost = {}
    exchange.shares[MARKET] -= min(exchange.shares[MARKET], max(0, exchange.total_shares() - LARGE))
    for player in _backwards(t, president):
        kept = CERTIFICATE if player == president else 0
        count = min(max(0, exchange.total_shares() - LARGE), exchange.shares[player] - kept)
        if count > 0:
            exchange.shares[player] -= count
            lost[player] = count
    return lost


def _backwards(t: Table, first: PlayerId) -> list[PlayerId]:
    seat = t.state.seat(first)
    around = t.state.players[: seat + 1][::-1] + t.state.players[seat + 1 :][::-1]
    return [player.id for player in around if not player.bankrupt]


def _take_over(t: Table, national: Company, parts: Sequence[Company]) -> None:
    """Take over everything of the parts; the national has operated this round if one of them has.

    Rules: R-C2C-244, R-C2C-248.
    """
    national.parts = [company.id for company in parts]
    national.floated = national.operated = True
    now = t.state.round
    if isinstance(now, Operating) and any(name in now.done for name in national.parts):
        now.done.append(national.id)
    _take_tokens(t, national, parts)
    for company in parts:
        inherit(t, company, national)


def _take_tokens(t: Table, national: Company, parts: Sequence[Company]) -> None:
    """Take over the parts' tokens, reserved ones as ordinary; its own fill up the number.

    Rules: R-C2C-245.
    """
    least, national.tokens = len(national.tokens), []
    inherit_tokens(t, parts, national)
    own = extra_tokens_of(national)
    national.tokens += [PREPAID] * len(own.reserved)
    own.reserved, own.reached = [], []
    there = len(t.map.tokens_of(national.id)) + len(national.tokens) + own.bulls
    national.tokens += [PREPAID] * (least - there)


def _emit_formation(t: Table, national: Company, president: PlayerId) -> None:
    t.emit(
        NationalFormed(
            company=national.id,
            parts=tuple(national.parts),
            president=president,
            price=t.price(national),
            percent=national.share,
            treasury=national.cash,
            placed=len(t.map.tokens_of(national.id)),
            left=len(national.tokens) + extra_tokens_of(national).bulls,
        )
    )
