"""Bankruptcy declared outside the train step, as some recorded games have it."""

from collections.abc import Iterator

from engine.actions import DeclareBankruptcy
from engine.emergency import go_bankrupt, hopeless, must_buy
from engine.offers import Offer
from engine.steps.base import Step
from engine.table import Table


class BankruptcyStep(Step):
    """Under its flag a president may give up in any step of the company's turn; else only in the train step."""

    name = "bankruptcy"
    words = "bankruptcy"

    def offers(self, t: Table) -> Iterator[Offer]:
        """Where treasury, cash and sales do not reach the cheapest train."""
        if t.rules.flag("bankruptcy_in_any_step") and hopeless(t) and not must_buy(t):
            yield t.offer("declare_bankruptcy", t.company.id, "Declare bankruptcy", blocking=False)

    def apply(self, t: Table, action: DeclareBankruptcy) -> None:
        """Sell what can be sold, lose all cash, end the game."""
        go_bankrupt(t, action.actor)
