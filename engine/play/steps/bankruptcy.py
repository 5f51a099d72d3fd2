"""Bankruptcy declared outside the train step, as some recorded games have it."""

from collections.abc import Iterator

from engine.core.actions import DeclareBankruptcy
from engine.core.facts import Fact, fact
from engine.core.offers import Offer
from engine.play.steps.base import Step, Wish
from engine.play.table import Table
from engine.play.trains.bankruptcy import go_bankrupt
from engine.play.trains.emergency import must_buy, ruins_nobody
from engine.play.trains.raising import hopeless


class BankruptcyStep(Step):
    """Under its flag a president may give up in any step of the company's turn; else only in the train step."""

    name = "bankruptcy"
    kinds = frozenset({"declare_bankruptcy"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """Where treasury, cash and sales do not reach the cheapest train."""
        in_trains = "dividend" in t.turn.done and "trains" not in t.turn.done
        told = in_trains and must_buy(t)  # then the train step offers it
        if t.rules.flag("bankruptcy_in_any_step") and hopeless(t) and not (told or ruins_nobody(t)):
            yield t.offer(
                "declare_bankruptcy", t.company.id, fact("offer.declare_bankruptcy"), blocking=False
            )

    def apply(self, t: Table, action: DeclareBankruptcy) -> None:
        """The president gives up."""
        go_bankrupt(t, action.actor)

    def why_not(self, t: Table, wish: Wish) -> Fact | None:
        """What is for a forced purchase only."""
        return fact("forced.bankruptcy_only_for_a_train", company=t.company.id)
