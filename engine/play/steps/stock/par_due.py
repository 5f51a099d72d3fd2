"""Setting the par price of a company whose president's certificate came with a private (18Chesapeake 7.1, 9)."""

from collections.abc import Iterator

from engine.core.actions import Par
from engine.core.events import Parred
from engine.core.facts import Fact, fact
from engine.core.offers import Choice, Choices, Offer, Suggestion
from engine.core.spec import SharePower
from engine.core.state import Company
from engine.play.privates.auction import resolve
from engine.play.shares.floating import check_float
from engine.play.shares.founding import set_par
from engine.play.steps.base import Request, Step
from engine.play.table import Table
from engine.play.trains.phases import close_private


class ParDueStep(Step):
    """The buyer sets the price before anything else happens; they pay nothing.

    Rules: R-C2C-02A, R-CH-026, R-TN-029.
    """

    name = "par_due"
    kinds = frozenset({"par"})
    exclusive = True

    def offers(self, t: Table) -> Iterator[Offer]:
        """Every par price, to the player who got the certificate."""
        if t.auction.par_due is None:
            return
        player, company = t.auction.par_due
        prices = [price for price, _ in t.grid.pars()]
        labels = [Choice(price, fact("choice.dollars", amount=price)) for price in prices]
        yield t.offer(
            "par",
            player,
            fact("offer.set_par", company=company),
            t.slot(
                "company",
                lambda _: Choices([Choice(company)]),
                lambda _, c: fact("auction.par_of_another", company=company, other=c),
            ),
            t.slot("price", lambda _: Choices(labels), lambda _, p: fact("buying.not_a_par", price=p)),
            suggest=lambda: [
                Suggestion(
                    fact("choice.company_at_par", company=company, price=price),
                    {"company": company, "price": price},
                )
                for price in prices
            ],
        )

    def apply(self, t: Table, action: Par) -> None:
        """Start the company without payment, then continue selling privates."""
        company = t.state.companies[action.company]
        set_par(t, company, action.price)
        t.auction.par_due = None
        t.emit(Parred(action.actor, company.id, action.price, company.certificate, 0))
        check_float(t, company)
        _close_bringers(t, company)
        resolve(t)

    def why_not(self, t: Table, request: Request) -> Fact | None:
        """What must come first."""
        if t.auction.par_due is None or request.kind == "par":
            return None
        player, company = t.auction.par_due
        return fact("auction.par_first", player=player, company=company)


def _close_bringers(t: Table, company: Company) -> None:
    """The private that brought the certificate may have nothing else to give."""
    for private in t.state.privates.values():
        powers = t.spec.privates[private.id].powers
        if private.linked == company.id and any(isinstance(p, SharePower) and p.closes for p in powers):
            close_private(t, private.id)
