"""A player proposes that two companies become one."""

from collections.abc import Iterator, Sequence
from typing import Any

from engine.core.actions import Pass, ProposeMerger
from engine.core.events import Passed
from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, PlayerId
from engine.core.offers import Choice, Choices, Offer, Suggestion
from engine.play.mergers.merger_proposals import (
    Pair,
    all_passed,
    asked,
    next_proposer,
    note_refusal,
    pairs_of,
    proposer,
    why_not_one,
    why_not_proposed,
)
from engine.play.mergers.pairs import merger
from engine.play.mergers.unions import union, unite
from engine.play.steps.agreements import propose
from engine.play.steps.base import Request, Step
from engine.play.table import Table


class ProposeMergerStep(Step):
    """One pair, with the player presiding over one at least, or a pass; the other president must agree."""

    name = "propose_merger"
    kinds = frozenset({"propose_merger", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """The pairs, each with what they would become."""
        player = proposer(t)
        pairs = [] if all_passed(t) else list(pairs_of(t, player))
        if not pairs:
            return
        first = list(dict.fromkeys(one.id for one, _ in pairs))
        yield t.offer(
            "propose_merger",
            player,
            fact("offer.propose_merger"),
            t.slot(
                "company",
                lambda _: Choices([Choice(name) for name in first]),
                lambda _, name: _why_not_one(t, player, name, pairs),
            ),
            t.slot(
                "partner",
                lambda c: Choices([_partner(t, pair) for pair in pairs if pair[0].id == c["company"]]),
                lambda c, name: _why_not_with(t, player, c["company"], name),
            ),
            suggest=lambda: [_suggestion(t, pair) for pair in pairs],
        )
        yield t.offer("pass", player, fact("offer.no_proposal"))

    def apply(self, t: Table, action: ProposeMerger | Pass) -> None:
        """Ask the other president, or merge two of one's own at once; or let the next player propose."""
        if isinstance(action, Pass):
            t.emit(Passed(action.actor, fact("declined.proposal")))
            next_proposer(t, acted=False)
            return
        other = asked(t, action.actor, _pair(t, action))
        if other is None:
            self.agreed(t, action)
        else:
            propose(t, action, other)

    def agreed(self, t: Table, action: ProposeMerger) -> None:
        """They become one company."""
        plan = union(t, *_pair(t, action), action.actor)
        unite(t, plan)
        merger(t).formed = plan.heir.id
        next_proposer(t, acted=True)

    def refused(self, t: Table, action: ProposeMerger) -> None:
        """It counts as a pass."""
        note_refusal(t, _pair(t, action))
        next_proposer(t, acted=False)

    def skip(self, t: Table) -> None:
        """Who has nothing to propose is passed over."""
        if not all_passed(t):
            next_proposer(t, acted=False)

    def why_not(self, t: Table, request: Request) -> Fact | None:
        """What a player may propose."""
        return fact("merger.proposes_now", player=proposer(t))


def _pair(t: Table, action: ProposeMerger) -> Pair:
    return t.state.companies[action.company], t.state.companies[action.partner]


def _partner(t: Table, pair: Pair) -> Choice:
    return Choice(pair[1].id, _outlook(t, pair))


def _outlook(t: Table, pair: Pair) -> Fact:
    """What the two would become."""
    one, other = pair
    plan = union(t, one, other, proposer(t))
    return fact(
        "choice.union",
        company=one.id,
        partner=other.id,
        heir=plan.heir.id,
        price=t.grid.price(plan.cell),
        president=plan.president,
        asked=None
        if (owner := asked(t, proposer(t), pair)) is None
        else fact("choice.union_asks", player=owner),
    )


def _suggestion(t: Table, pair: Pair) -> Suggestion:
    chosen = {"company": pair[0].id, "partner": pair[1].id}
    return Suggestion(fact("choice.propose_merger", union=_outlook(t, pair)), chosen)


def _why_not_one(t: Table, player: PlayerId, name: Any, pairs: Sequence[Pair]) -> Fact:
    """Why a company cannot be the first of a pair."""
    company = t.state.companies.get(name)
    if company is None:
        return fact("choice.no_company", company=name)
    alone = why_not_one(t, company)
    if alone is not None:
        return alone
    first = next((one.id for one, other in pairs if other is company), None)
    if first is not None:
        return fact("merger.named_first", company=first, partner=company.id)
    if company.president != player:
        return fact("merger.presides_over_neither", player=player, companies=(company.id,))
    return fact("merger.no_partner_left", company=company.id)


def _why_not_with(t: Table, player: PlayerId, first: CompanyId, name: Any) -> Fact:
    """Why a company cannot be the second of a pair."""
    company, other = t.state.companies[first], t.state.companies.get(name)
    if other is None:
        return fact("choice.no_company", company=name)
    if other is company:
        return fact("merger.with_itself", company=name)
    reason = why_not_proposed(t, player, (company, other))
    return reason or fact("merger.named_first", company=other.id, partner=first)
