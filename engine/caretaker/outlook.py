"""Estimates of the game's length, the future of shares, and a player's whole wealth."""

from typing import Final

from engine.core.ids import Coord, PhaseName, PlayerId, TrainName
from engine.core.state import Company, Operating
from engine.play.shares.holdings import net_worth
from engine.play.table import Table
from engine.play.trains.phases import counted_trains, next_train, train_limit

LONGEST: Final = 10.0
"""Operating rounds at most that anybody plans for."""
AFTERWARDS: Final = 1.5
"""Factor for the bank's life: money returns to it, and the last set is finished."""
GUESS: Final = 0.1
"""Dividend of a share of a company that has not run yet, as a part of its price."""
HELD: Final = 0.5
"""Weight of a company's dollar for its owners."""
BUYERS: Final = 0.6
"""Trains of the bank that a company buys in its turn when it can pay the next one."""
FEWEST: Final = 0.7
"""The fewest trains that leave the bank in a round."""
LIKELY: Final = 0.6
"""Share of the trains that companies have money and room for which they buy in a round."""
LEFT_ALONE: Final = frozenset({"or_liquidated", "never"})
"""Companies without a train that need no help."""


def rounds_left(t: Table) -> float:
    """Operating rounds still to come, estimated from bank and market."""
    if t.state.ending is not None:
        now = t.state.round
        return now.of - now.number + 0.5 if isinstance(now, Operating) else 2.0
    paid = sum(company.last_run.revenue for company in t.state.companies.values() if company.last_run)
    if not paid:
        return LONGEST
    return min(LONGEST, max(0, t.state.bank) / paid + AFTERWARDS, _to_the_top(t))


def _to_the_top(t: Table) -> float:
    """Operating rounds until the first share price ends the game, if every company with trains pays each time."""
    cells = [c.cell for c in t.state.companies.values() if c.cell is not None and c.running]
    for rounds in range(round(LONGEST)):
        if any(t.grid.ends_game(cell) for cell in cells):
            return float(rounds)
        cells = [t.grid.right(cell) for cell in cells]
    return LONGEST


def expected_dividend(t: Table, company: Company) -> float:
    """Estimated dividend per share, in dollars, of the company's next operating round."""
    if company.last_run is None:
        return t.price(company) * GUESS
    paid = company.last_run.revenue * company.share / 100
    return paid if company.running else paid / 2


def expected_rise(t: Table, company: Company) -> int:
    """Dollars by which the share price rises when the company pays."""
    if company.cell is None or t.grid.is_space(company.cell):
        return 0
    return max(0, t.price(company, t.grid.right(company.cell)) - t.price(company))


def expected_rises(t: Table, company: Company, rounds: float) -> int:
    """Dollars by which the share price rises over these operating rounds when the company always pays."""
    if company.cell is None or t.grid.is_space(company.cell):
        return 0
    cell = company.cell
    for _ in range(round(rounds)):
        cell = t.grid.right(cell)
    return max(0, t.price(company, cell) - t.price(company))


def rounds_until(t: Table, phase: PhaseName) -> float:
    """Operating rounds until a phase begins, estimated from the bank's trains and the companies' money."""
    price = next_price(t)
    if not price:
        return 0.0
    usual, before = max(FEWEST, _payers(t, price) * BUYERS), _trains_before(t, phase)
    soon = max(usual, _payable(t, price))
    return min(1.0, before / soon) + max(0.0, before - soon) / usual


def rounds_until_rust(t: Table, train: TrainName) -> float:
    """Operating rounds that a train of this type will still run, estimated from the bank's trains."""
    spec = t.spec.train(train)
    last = spec.rusts_on or spec.obsolete_on
    if last is None:
        return rounds_left(t)
    return min(rounds_left(t), rounds_until(t, last))


def _payers(t: Table, price: int) -> float:
    """Number of companies that can pay this price for a train; one with half of it counts half."""
    return sum(min(1.0, c.cash / price) for c in t.state.companies.values() if c.floated)


def _payable(t: Table, price: int) -> float:
    """Number of trains that companies are likely to buy at this price soon, by their money and room."""
    companies = [c for c in t.state.companies.values() if c.floated]
    return LIKELY * sum(min(train_limit(t, c) - counted_trains(t, c), c.cash // price) for c in companies)


def may_lose_all_trains(t: Table, company: Company) -> bool:
    """True if the company may have no train left at its next turn."""
    return all(rounds_until_rust(t, train) < 1.0 for train in company.trains)


def next_price(t: Table) -> int:
    """Price in dollars of the bank's next train; 0: none."""
    coming = next_train(t)
    return t.spec.train(coming).price if coming else 0


def train_shortage(t: Table, company: Company) -> int:
    """Dollars that a company lacks for the train it may soon be forced to buy."""
    needs = t.spec.must_own.get(t.kind_name(company), "with_route") not in LEFT_ALONE
    return max(0, next_price(t) - company.cash) if needs and may_lose_all_trains(t, company) else 0


def train_reserve(t: Table, player: PlayerId) -> int:
    """Dollars to keep for trains that the player's companies may soon be forced to buy."""
    mine = (c for c in t.state.companies.values() if c.president == player and c.floated)
    return sum(train_shortage(t, company) for company in mine)


def hexes_closed_to(t: Table, player: PlayerId | None) -> frozenset[Coord]:
    """Hexes blocked by other players' privates; a company may buy those of its president."""
    others = [p for p in t.state.privates.values() if t.state.is_player(p.owner) and p.owner != player]
    return frozenset(coord for private in others for coord in t.spec.privates[private.id].blocks)


def _trains_before(t: Table, phase: PhaseName) -> float:
    """Number of trains that the bank sells before a phase begins."""
    starts = t.spec.phase(phase)
    left = 0
    for name, count in t.state.depot.items():
        if name == starts.train:
            bought = (t.spec.train(name).count or 0) - (count or 0)
            return left + max(0, starts.nth - bought)
        left += count or 0
    return left


def wealth(t: Table, player: PlayerId) -> float:
    """A player's wealth in dollars: net worth, and their part of their companies' money."""
    whole = float(net_worth(t, t.state.player(player)))
    for company in t.state.companies.values():
        has = company.cash + sum(t.spec.train(name).price for name in company.trains)
        whole += company.percent(player) / 100 * has * HELD
    return whole
