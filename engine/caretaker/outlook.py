"""The computer player's estimates: how long the game lasts, how shares and trains develop, and a player's wealth."""

from typing import Final

from engine.core.ids import Coord, PhaseName, PlayerId, TrainName
from engine.core.state import Company, Operating, Stock
from engine.play.end_and_scores import operating_rounds_in_set
from engine.play.shares.holdings import net_worth
from engine.play.table import Table
from engine.play.trains.phases import counted_train_count, next_new_train, train_limit

MAX_ROUNDS_AHEAD: Final = 10.0
"""Maximum number of operating rounds for which the computer player plans."""
EXTRA_ROUNDS: Final = 1.5
"""Extra operating rounds: added to the number of rounds until the bank's money is spent.

Some money returns to the bank, and the set in which the bank breaks is played to its end.
"""
FIRST_DIVIDEND_FACTOR: Final = 0.1
"""Expected first dividend per share of a company that has never run, as a fraction of its share price."""
TREASURY_DOLLAR_VALUE: Final = 0.5
"""Value of a dollar in a company's treasury to its shareholders, as a fraction of a dollar in hand."""
MAX_IDLE_ROUNDS: Final = 4.0
"""Maximum number of operating rounds for which an idle company is expected to stay idle."""
PURCHASES_PER_SOLVENT_COMPANY: Final = 0.6
"""Expected number of train purchases from the bank per operating round and solvent company (with enough money)."""
MIN_TRAINS_PER_ROUND: Final = 0.7
"""Minimum number of trains expected to leave the bank per operating round."""
PURCHASE_LIKELIHOOD: Final = 0.6
"""Likelihood, from 0 to 1, that a company's purchase of a train it can pay for and hold is made this round."""
OBLIGATIONS_WITHOUT_PAYMENT: Final = frozenset({"or_liquidated", "never"})
"""Values of the title's `must_own_train` key for companies whose presidents never have to pay for a needed train."""


def rounds_left(t: Table) -> float:
    """Operating rounds until the end of the game: fixed by the title, or estimated from bank and share prices."""
    if t.spec.game_end.last_set is not None:
        return min(MAX_ROUNDS_AHEAD, _rounds_until_set_ends(t, t.spec.game_end.last_set))
    if t.state.ending is not None:
        current_round = t.state.round
        return current_round.of - current_round.number + 0.5 if isinstance(current_round, Operating) else 2.0
    dollars_per_round = sum(
        company.last_run.revenue for company in t.state.companies.values() if company.last_run
    )
    if not dollars_per_round:
        return MAX_ROUNDS_AHEAD
    return min(
        MAX_ROUNDS_AHEAD, max(0, t.state.bank) / dollars_per_round + EXTRA_ROUNDS, _rounds_to_top_price(t)
    )


def _rounds_until_set_ends(t: Table, last_set: int) -> float:
    """Number of operating rounds until the end of set number `last_set`; the current round counts as a half."""
    current_round = t.state.round
    if isinstance(current_round, Operating):
        rounds_left_in_set, sets_done = current_round.of - current_round.number + 0.5, current_round.set
    else:
        rounds_left_in_set, sets_done = (
            0.0,
            current_round.number - 1 if isinstance(current_round, Stock) else 0,
        )
    return max(0.0, rounds_left_in_set + (last_set - sets_done) * operating_rounds_in_set(t))


def _rounds_to_top_price(t: Table) -> float:
    """Operating rounds until a share price ends the game, if every company with trains always pays out."""
    cells = [c.cell for c in t.state.companies.values() if c.cell is not None and c.runnable_trains]
    for rounds in range(round(MAX_ROUNDS_AHEAD)):
        if any(t.grid.ends_game(cell) for cell in cells):
            return float(rounds)
        cells = [t.grid.right(cell) for cell in cells]
    return MAX_ROUNDS_AHEAD


def expected_dividend(t: Table, company: Company) -> float:
    """Estimated dividend per share of the company's next run, in dollars."""
    if company.last_run is None:
        return t.price(company) * FIRST_DIVIDEND_FACTOR
    dividend = company.last_run.revenue * company.share / 100
    return dividend if company.runnable_trains else dividend / 2


def expected_price_rise(t: Table, company: Company) -> int:
    """Dollars by which the share price rises if the company pays out once."""
    if company.cell is None or t.grid.is_space(company.cell):
        return 0
    return max(0, t.price(company, t.grid.right(company.cell)) - t.price(company))


def expected_price_change(t: Table, company: Company, rounds: float) -> int:
    """Dollars by which the share price rises in this many operating rounds, if the company always pays out.

    For an idle company, the result is negative, because its price is expected to fall.
    """
    if company.cell is None or t.grid.is_space(company.cell):
        return 0
    cell = company.cell
    if is_idle(company):
        for _ in range(round(min(rounds, MAX_IDLE_ROUNDS))):
            cell = t.grid.left(cell)
        return t.price(company, cell) - t.price(company)
    for _ in range(round(rounds)):
        cell = t.grid.right(cell)
    return max(0, t.price(company, cell) - t.price(company))


def is_idle(company: Company) -> bool:
    """True if the company is idle: it has no train and earned nothing in its last run."""
    return company.last_run is not None and not company.last_run.revenue and not company.runnable_trains


def rounds_until_phase(t: Table, phase: PhaseName) -> float:
    """Operating rounds until a phase begins, estimated from the bank's trains and the companies' money."""
    train_price = next_train_price(t)
    if not train_price:
        return 0.0
    trains_per_round, trains_before = (
        max(MIN_TRAINS_PER_ROUND, _solvent_company_count(t, train_price) * PURCHASES_PER_SOLVENT_COMPANY),
        _train_count_before_phase(t, phase),
    )
    trains_this_round = max(trains_per_round, _likely_purchases(t, train_price))
    return (
        min(1.0, trains_before / trains_this_round)
        + max(0.0, trains_before - trains_this_round) / trains_per_round
    )


def rounds_until_rust(t: Table, train: TrainName) -> float:
    """Operating rounds in which a train of this type can still run, estimated from the bank's trains."""
    spec = t.spec.train(train)
    if spec.leaves_after_set is not None:
        return _rounds_until_set_ends(t, spec.leaves_after_set)
    phase_of_rust = spec.rusts_on or spec.obsolete_on
    if phase_of_rust is None:
        return rounds_left(t)
    return min(rounds_left(t), rounds_until_phase(t, phase_of_rust))


def _solvent_company_count(t: Table, price: int) -> float:
    """Number of companies that can pay this price for a train; a company with half the money counts as a half.

    Before any company has floated, this is the number of players.
    """
    floated_companies = [company for company in t.state.companies.values() if company.floated]
    if not floated_companies:
        return len(t.state.players)
    return sum(min(1.0, company.cash / price) for company in floated_companies)


def _likely_purchases(t: Table, price: int) -> float:
    companies = [c for c in t.state.companies.values() if c.floated]
    return PURCHASE_LIKELIHOOD * sum(
        min(train_limit(t, c) - counted_train_count(t, c), c.cash // price) for c in companies
    )


def may_lose_all_trains(t: Table, company: Company) -> bool:
    """True if the company has no train, or if all its trains may rust before its next turn."""
    return all(rounds_until_rust(t, train) < 1.0 for train in company.trains)


def next_train_price(t: Table) -> int:
    """Price in dollars of the next train in the bank; 0 if it has none."""
    next_train = next_new_train(t)
    return t.spec.train(next_train).price if next_train else 0


def train_shortage(t: Table, company: Company) -> int:
    """Dollars that the company lacks for a train that it may soon be forced to buy; 0 if it lacks nothing."""
    must_own_train = (
        t.spec.must_own_train.get(t.kind_name(company), "with_route") not in OBLIGATIONS_WITHOUT_PAYMENT
    )
    return (
        max(0, next_train_price(t) - company.cash)
        if must_own_train and may_lose_all_trains(t, company)
        else 0
    )


def train_reserve(t: Table, player: PlayerId) -> int:
    """Dollars that the player should keep for trains that their companies may soon be forced to buy."""
    own_companies = (c for c in t.state.companies.values() if c.president == player and c.floated)
    return sum(train_shortage(t, company) for company in own_companies)


def hexes_blocked_for(t: Table, player: PlayerId | None) -> frozenset[Coord]:
    """Hexes blocked by privates of other players. A player's own privates do not count: a company can buy them."""
    privates_of_others = [
        p for p in t.state.privates.values() if t.state.is_player(p.owner) and p.owner != player
    ]
    return frozenset(
        coord for private in privates_of_others for coord in t.spec.privates[private.id].blocked_hexes
    )


def _train_count_before_phase(t: Table, phase: PhaseName) -> float:
    phase_spec = t.spec.phase(phase)
    train_count = 0
    for name, count in t.state.depot.items():
        if name == phase_spec.train:
            bought_count = (t.spec.train(name).count or 0) - (count or 0)
            return train_count + max(0, phase_spec.train_number - bought_count)
        train_count += count or 0
    return train_count


def wealth(t: Table, player: PlayerId) -> float:
    """A player's wealth in dollars: net worth, plus a part of the cash and trains of companies they hold shares in."""
    total = float(net_worth(t, t.state.player(player)))
    for company in t.state.companies.values():
        company_value = company.cash + sum(t.spec.train(name).price for name in company.trains)
        total += company.percent(player) / 100 * company_value * TREASURY_DOLLAR_VALUE
    return total
