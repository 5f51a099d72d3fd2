"""Trains: the president's help and its fee, forced purchases on credit, the last phase (4)."""

from typing import Any, Final

from engine.core.actions import BuyTrain
from engine.core.events import DebtGrew, HelpFeePaid
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, PlayerId, TrainName
from engine.play.steps.buy_trains import TrainsStep
from engine.play.table import Table
from engine.play.trains.apply_purchase import buy_train
from engine.play.trains.forced_purchase import (
    blocks_keeping_presidencies,
    funds,
    kept_presidencies,
    must_buy_train,
)
from engine.play.trains.phases import start_phase
from engine.play.trains.train_prices import Purchase, face_value_purchases

FEE_DOLLARS: Final = 50
"""Dollars that a president pays the bank for helping, and owes it for a loan."""
PLUS_TRAIN_MARK: Final = "+"
DIESEL_MARK: Final = "D"
LAST_PHASE: Final = "D"


def most_help(t: Table, train: TrainName) -> int:
    """The most dollars that the president may add for a train without plus, if the company has a train.

    The company pays at least half of the price, rounded down, and the president keeps enough for the fee.

    Rules: R-MS-071, D-MS-4.
    """
    if not (t.company.trains and t.company.cash) or train.endswith(PLUS_TRAIN_MARK):
        return 0
    return max(0, min(t.president(t.company.id).cash - FEE_DOLLARS, t.company.cash + 1))


class HelpedTrainsStep(TrainsStep):
    """Purchases of trains: with the president's help for a fee, or on credit; nobody goes bankrupt."""

    def apply(self, t: Table, action: Any) -> None:
        if isinstance(action, BuyTrain) and _needs_loan(t, action):
            _buy_on_credit(t, action)
        else:
            self._with_fee(t, action, super().apply)

    def carry_out_proposal(self, t: Table, action: Any) -> None:
        self._with_fee(t, action, super().carry_out_proposal)

    def _with_fee(self, t: Table, action: Any, make: Any) -> None:
        company, bought = t.company, t.turn.bought
        is_helped = isinstance(action, BuyTrain) and bool(company.trains) and action.price > company.cash
        make(t, action)
        if t.turn.bought == bought:
            return
        if is_helped:
            player = t.president(company.id).id
            t.pay(player, BANK, FEE_DOLLARS)
            t.emit(HelpFeePaid(player, company.id, FEE_DOLLARS))
        _start_last_phase(t, action.train)


def _start_last_phase(t: Table, train: TrainName) -> None:
    """Start phase D with the first D-train, whatever its face.

    Rules: R-MS-007.
    """
    if train.endswith(DIESEL_MARK) and not t.has_reached_phase(LAST_PHASE):
        start_phase(t, LAST_PHASE)


def _cheapest(t: Table) -> Purchase | None:
    return min(face_value_purchases(t), key=lambda purchase: purchase.lowest_price, default=None)


def credit(t: Table, train: TrainName) -> int:
    """Dollars that the president may borrow and pay for a train: the cheapest of the bank, with nothing left to sell.

    Rules: R-MS-073, D-MS-3.
    """
    cheapest = _cheapest(t)
    if cheapest is None or train != cheapest.train or cheapest.lowest_price <= funds(t):
        return 0
    if (
        t.company.trains
        or not must_buy_train(t)
        or any(blocks_keeping_presidencies(t, kept_presidencies(t)).values())
    ):
        return 0
    return max(0, cheapest.lowest_price - t.company.cash)


def _needs_loan(t: Table, action: BuyTrain) -> bool:
    """True if treasury and president's cash cannot pay the bank for a train that the company must buy."""
    return not t.company.trains and action.source == BANK and action.price > funds(t)


def _buy_on_credit(t: Table, action: BuyTrain) -> None:
    """Buy the train with money that the president borrows, and owes the fee, too.

    Rules: R-MS-073.
    """
    buy_train(t, action)
    _add_debt(t, action.actor, FEE_DOLLARS)
    _start_last_phase(t, action.train)


def help_terms(t: Table, price: int) -> Fact | None:
    """The president's part in a purchase at this price that has a fee: the dollars added, or the debt afterwards."""
    president = t.president(t.company.id)
    added = price - t.company.cash
    if added <= 0:
        return None
    if price > funds(t):
        return fact("mississippi.borrows", player=president.id, debt=added + FEE_DOLLARS - president.cash)
    if not t.company.trains:
        return None
    return fact("mississippi.adds_for_a_fee", player=president.id, added=added, fee=FEE_DOLLARS)


def _add_debt(t: Table, player: PlayerId, dollars: int) -> None:
    t.pay(player, BANK, dollars, on_credit=True)
    t.emit(DebtGrew(player, dollars, -t.cash(player)))


def charge_interest(t: Table) -> None:
    """Every debt grows by a half, rounded up, before a set of operating rounds.

    Rules: R-MS-073.
    """
    for player in t.state.players:
        if player.cash < 0:
            _add_debt(t, player.id, -(player.cash // 2))
