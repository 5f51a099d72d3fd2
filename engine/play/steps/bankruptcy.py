"""Bankruptcy declared outside the train step, as some recorded games have it."""

from collections.abc import Iterator

from engine.core.actions import DeclareBankruptcy
from engine.core.offers import Offer
from engine.play.steps.base import Step
from engine.play.table import Table
from engine.play.trains.emergency import go_bankrupt, hopeless, must_buy


class BankruptcyStep(Step):
    """Under its flag a president may give up in any step of the company's turn; else only in the train step."""

    name = "bankruptcy"
    words = "bankruptcy"

    def offers(self, t: Table) -> Iterator[Offer]:
        """Where treasury, cash and sales do not reach the cheapest train."""
        in_trains = "dividend" in t.turn.done and "trains" not in t.turn.done
        told = in_trains and must_buy(t)  # then the train step offers it
        if t.rules.flag("bankruptcy_in_any_step") and hopeless(t) and not told:
            yield t.offer("declare_bankruptcy", t.company.id, "Declare bankruptcy", blocking=False)

    def apply(self, t: Table, action: DeclareBankruptcy) -> None:
        """Sell what can be sold, lose all cash, end the game."""
        go_bankrupt(t, action.actor)

    def why_not(self, t: Table, kind: str) -> str | None:
        """What is for a forced purchase only."""
        company = t.company.id
        if kind == "declare_bankruptcy":
            return (
                f"Bankruptcy is declared only where {company} has to buy a train that treasury, cash and all legal "
                "sales do not pay (11.8)."
            )
        if kind == "sell_shares":
            return f"Shares are sold in an operating round only to pay for a train {company} is forced to buy (11.8)."
        return None
