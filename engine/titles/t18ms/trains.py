"""18MS's train purchases. Presidents contribute for a fee or borrow, and a D-train starts the last phase (§4)."""

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

PRESIDENT_FEE_DOLLARS: Final = 50
"""Fee in dollars for a president's help: paid to the bank for a contribution, or added to the debt for a loan."""
PLUS_TRAIN_SUFFIX: Final = "+"
DIESEL_SUFFIX: Final = "D"
LAST_PHASE: Final = "D"


def max_president_contribution(t: Table, train: TrainName) -> int:
    """Maximum dollars that the president can contribute to a train; 0 for a plus train, such as a 3+.

    The company must already own a train and pay at least half of the price, rounded down. The president must still be
    able to pay the fee.

    Rules: R-MS-071, D-MS-4.
    """
    if not (t.company.trains and t.company.cash) or train.endswith(PLUS_TRAIN_SUFFIX):
        return 0
    return max(0, min(t.president(t.company.id).cash - PRESIDENT_FEE_DOLLARS, t.company.cash + 1))


class BuyTrainsWithLoanStep(TrainsStep):
    """Buy trains. The president can contribute for a fee or borrow money, so nobody goes bankrupt."""

    def apply(self, t: Table, action: Any) -> None:
        if isinstance(action, BuyTrain) and _needs_loan(t, action):
            _buy_on_credit(t, action)
        else:
            self._apply_with_fee(t, action, super().apply)

    def carry_out_proposal(self, t: Table, action: Any) -> None:
        self._apply_with_fee(t, action, super().carry_out_proposal)

    def _apply_with_fee(self, t: Table, action: Any, apply_action: Any) -> None:
        company, bought_count_before = t.company, t.turn.bought
        president_contributes = (
            isinstance(action, BuyTrain) and bool(company.trains) and action.price > company.cash
        )
        apply_action(t, action)
        if t.turn.bought == bought_count_before:
            return
        if president_contributes:
            player = t.president(company.id).id
            t.pay(player, BANK, PRESIDENT_FEE_DOLLARS)
            t.emit(HelpFeePaid(player, company.id, PRESIDENT_FEE_DOLLARS))
        _start_last_phase(t, action.train)


def _start_last_phase(t: Table, train: TrainName) -> None:
    """Start phase D if this is the first D-train that is bought, no matter which kind of D-train.

    Rules: R-MS-007.
    """
    if train.endswith(DIESEL_SUFFIX) and not t.has_reached_phase(LAST_PHASE):
        start_phase(t, LAST_PHASE)


def _cheapest_purchase(t: Table) -> Purchase | None:
    return min(face_value_purchases(t), key=lambda purchase: purchase.lowest_price, default=None)


def dollars_to_borrow(t: Table, train: TrainName) -> int:
    """Dollars that the president would borrow to buy this train; 0 if a loan is not allowed.

    Loans are only for the cheapest train, if the company must buy one and the president cannot sell any share.

    Rules: R-MS-073, D-MS-3.
    """
    cheapest_purchase = _cheapest_purchase(t)
    if (
        cheapest_purchase is None
        or train != cheapest_purchase.train
        or cheapest_purchase.lowest_price <= funds(t)
    ):
        return 0
    if (
        t.company.trains
        or not must_buy_train(t)
        or any(blocks_keeping_presidencies(t, kept_presidencies(t)).values())
    ):
        return 0
    return max(0, cheapest_purchase.lowest_price - t.company.cash)


def _needs_loan(t: Table, action: BuyTrain) -> bool:
    """True if the company must buy the train from the bank but cannot pay for it together with its president."""
    return not t.company.trains and action.source == BANK and action.price > funds(t)


def _buy_on_credit(t: Table, action: BuyTrain) -> None:
    """Buy the train with money that the president borrows. The fee is added to the debt.

    Rules: R-MS-073.
    """
    buy_train(t, action)
    _add_debt(t, action.actor, PRESIDENT_FEE_DOLLARS)
    _start_last_phase(t, action.train)


def president_help_note(t: Table, price: int) -> Fact | None:
    """A menu note that says what the president pays for a train at this price, or how large the debt becomes.

    None if the company pays alone.
    """
    president = t.president(t.company.id)
    added_dollars = price - t.company.cash
    if added_dollars <= 0:
        return None
    if price > funds(t):
        return fact(
            "mississippi.borrows",
            player=president.id,
            debt=added_dollars + PRESIDENT_FEE_DOLLARS - president.cash,
        )
    if not t.company.trains:
        return None
    return fact(
        "mississippi.adds_for_a_fee", player=president.id, added=added_dollars, fee=PRESIDENT_FEE_DOLLARS
    )


def _add_debt(t: Table, player: PlayerId, dollars: int) -> None:
    t.pay(player, BANK, dollars, on_credit=True)
    t.emit(DebtGrew(player, dollars, -t.cash(player)))


def charge_interest(t: Table) -> None:
    """Increase every player's debt by half, rounded up. This happens before each set of operating rounds.

    Rules: R-MS-073.
    """
    for player in t.state.players:
        if player.cash < 0:
            _add_debt(t, player.id, -(player.cash // 2))
