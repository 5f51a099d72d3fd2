"""The president of a company just formed buys more of it at par."""

from collections.abc import Iterator

from engine.core.actions import BuyShare, Pass
from engine.core.events import Passed, ShareBought
from engine.core.facts import Fact, fact
from engine.core.ids import OFFERING
from engine.core.offers import Choice, Choices, Offer, Suggestion
from engine.core.state import Company
from engine.play.mergers.pairs import formed, merger
from engine.play.shares import holdings
from engine.play.shares.limits import why_no_room
from engine.play.steps.base import Request, Step
from engine.play.table import Table


class MergeSharesStep(Step):
    """Its president alone, right after it was formed, share by share, up to the limits of shares and certificates.

    Rules: R-NE-125.
    """

    name = "merge_shares"
    kinds = frozenset({"buy_share", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """A share from the offering, or no more."""
        company = formed(t)
        if company is None or not _may_buy(t, company):
            return
        price = company.par
        share = fact("choice.share", company=company.id, source=OFFERING, price=price)
        chosen = {"company": company.id, "source": OFFERING}
        yield t.offer(
            "buy_share",
            t.president(company.id).id,
            fact("offer.buy_at_par", company=company.id, price=price),
            t.slot(
                "company",
                lambda _: Choices([Choice(company.id)]),
                lambda _, name: fact("merger.shares_of", company=company.id, other=name),
            ),
            t.slot(
                "source",
                lambda _: Choices([Choice(OFFERING, share)]),
                lambda _, source: fact("buying.none_there", company=company.id, source=source),
            ),
            suggest=lambda: [Suggestion(fact("choice.buy_share", share=share), chosen)],
        )
        yield t.offer("pass", t.president(company.id).id, fact("offer.no_more_shares", company=company.id))

    def apply(self, t: Table, action: BuyShare | Pass) -> None:
        """The share is paid to the company; or it is enough."""
        if isinstance(action, Pass):
            t.emit(Passed(action.actor, fact("declined.shares", company=merger(t).formed)))
            merger(t).formed = None
            return
        company = t.state.companies[action.company]
        assert company.par is not None
        t.emit(ShareBought(action.actor, company.id, company.share, company.par, action.source, company.par))
        t.pay(action.actor, company.id, company.par)
        holdings.give(company, action.source, action.actor, company.share)

    def skip(self, t: Table) -> None:
        """Nothing is to be had: the round continues."""
        merger(t).formed = None

    def why_not(self, t: Table, request: Request) -> Fact | None:
        """What is decided now."""
        company = formed(t)
        if company is None:
            return None
        return fact("merger.shares_first", company=company.id, player=company.president)


def _may_buy(t: Table, company: Company) -> bool:
    """Whether its president may have one more share now: limits, cash, and one must be left."""
    player = t.president(company.id)
    assert company.par is not None
    room = company.percent(player.id) + company.share <= holdings.holding_limit(t, company)
    left = bool(company.shares.get(OFFERING))
    return left and room and player.cash >= company.par and why_no_room(t, player.id) is None
