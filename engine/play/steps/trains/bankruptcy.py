"""Bankruptcy declared outside the train step, as some recorded games have it."""

from collections.abc import Iterator

from engine.core.actions import DeclareBankruptcy
from engine.core.facts import Fact, fact
from engine.core.offers import Offer
from engine.play.steps.base import Step, Wish
from engine.play.table import Table
from engine.play.trains.bankruptcy import go_bankrupt, in_train_step, why_not_bankrupt
from engine.play.trains.emergency import must_buy, ruins_nobody
from engine.play.trains.raising import hopeless


class BankruptcyStep(Step):
    """Under its flag a president may give up in any step of the company's turn; else only in the train step."""

    name = "bankruptcy"
    kinds = frozenset({"declare_bankruptcy"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """Where treasury, cash and sales do not reach the cheapest train."""
        told = in_train_step(t) and must_buy(t)  # then the train step offers it
        if t.rules.flag("bankruptcy_in_any_step") and hopeless(t) and not (told or ruins_nobody(t)):
            label = fact("offer.declare_bankruptcy")
            yield t.offer("declare_bankruptcy", t.company.id, label, blocking=False, confirm=True)

    def apply(self, t: Table, action: DeclareBankruptcy) -> None:
        """The president gives up."""
        go_bankrupt(t, action.actor)

    def why_not(self, t: Table, wish: Wish) -> Fact | None:
        """What is for a forced purchase only."""
        return why_not_bankrupt(t)
