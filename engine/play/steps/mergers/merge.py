"""Merging and converting small companies into large ones."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

from engine.core.actions import Convert, Merge, Pass
from engine.core.events import Passed
from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId
from engine.core.offers import Choice, Choices, Offer
from engine.core.state import Company
from engine.play.mergers.forming import Plan, form, outlook
from engine.play.mergers.pairs import merger, partners, small, unstarted, waiting
from engine.play.steps.base import Request, Step
from engine.play.table import Table


class MergeStep(Step):
    """The president of the small company on turn merges it with another of theirs, converts it, or passes.

    A president to whom nothing is possible is passed over.
    """

    name = "merge"
    kinds = frozenset({"merge", "convert", "pass"})

    @abstractmethod
    def merging(self, t: Table, company: Company, partner: Company) -> Plan:
        """What the two would become."""

    @abstractmethod
    def converting(self, t: Table, company: Company) -> Plan:
        """What the company would become on its own."""

    def offers(self, t: Table) -> Iterator[Offer]:
        """Partners and large companies to choose from, and conversion if it can be paid."""
        company = waiting(t)
        if company is None:
            return
        majors = unstarted(t)
        found = [self._merge(t, company, majors), self._convert(t, company, majors)]
        possible = [offer for offer in found if offer is not None]
        yield from possible
        if possible or t.rules.flag("asks_when_nothing_is_legal"):
            yield t.offer("pass", company.id, fact("offer.no_merger", company=company.id))

    def apply(self, t: Table, action: Merge | Convert | Pass) -> None:
        """Form the large company, or leave the small one as it is."""
        company = t.state.companies[action.entity]
        merger(t).done.append(company.id)
        if isinstance(action, Pass):
            t.emit(Passed(company.id, fact("declined.merger")))
            return
        if isinstance(action, Merge):
            plan = self.merging(t, company, t.state.companies[action.partner])
        else:
            plan = self.converting(t, company)
        form(t, plan, t.state.companies[action.major])
        merger(t).formed = action.major

    def why_not(self, t: Table, request: Request) -> Fact | None:
        """Why nothing of the kind is possible for the company on turn."""
        company = waiting(t)
        if company is None:
            return None
        if request.kind not in {"merge", "convert"} or request.entity not in {None, company.id}:
            return fact("merger.decides_now", company=company.id)
        if not unstarted(t):
            return fact("merger.none_to_form")
        return _why_no_partner(t, company) if request.kind == "merge" else self._too_dear(t, company)

    def _merge(self, t: Table, company: Company, majors: Sequence[Company]) -> Offer | None:
        plans = {other.id: self.merging(t, company, other) for other in partners(t, company)}
        if not plans or not majors:
            return None
        choices = [Choice(name, self._pair(t, company, name, plan)) for name, plan in plans.items()]
        label = fact("offer.merge", company=company.id)
        if len(plans) == 1:
            label = fact("offer.merge_with", company=company.id, pair=choices[0].label)
        return t.offer(
            "merge",
            company.id,
            label,
            t.slot("partner", lambda _: Choices(choices), lambda _, name: _why_not_with(t, company, name)),
            t.slot("major", lambda c: _majors(t, plans[c["partner"]], majors), lambda _, m: _why_not(t, m)),
        )

    def _pair(self, t: Table, company: Company, partner: CompanyId, plan: Plan) -> Fact:
        values = (t.price(company), t.price(t.state.companies[partner]))
        return fact("choice.partner", partner=partner, par=plan.par, mine=values[0], theirs=values[1])

    def _convert(self, t: Table, company: Company, majors: Sequence[Company]) -> Offer | None:
        plan = self.converting(t, company)
        if not majors or plan.paid > t.president(company.id).cash:
            return None
        return t.offer(
            "convert",
            company.id,
            fact("offer.convert", company=company.id, par=plan.par, paid=plan.paid),
            t.slot("major", lambda _: _majors(t, plan, majors), lambda _, m: _why_not(t, m)),
        )

    def _too_dear(self, t: Table, company: Company) -> Fact:
        player = t.president(company.id)
        paid = self.converting(t, company).paid
        return fact("merger.too_dear", company=company.id, player=player.id, paid=paid, cash=player.cash)


def _majors(t: Table, plan: Plan, majors: Sequence[Company]) -> Choices:
    return Choices([Choice(major.id, outlook(t, plan, major)) for major in majors])


def _why_no_partner(t: Table, company: Company) -> Fact:
    own = [other for other in small(t) if other.president == company.president]
    name = "merger.no_route_to_another" if len(own) > 1 else "merger.no_other"
    return fact(name, company=company.id, player=company.president)


def _why_not_with(t: Table, company: Company, name: Any) -> Fact:
    """Why the company cannot merge with the one that was named."""
    other = t.state.companies.get(name)
    if other is None:
        return fact("choice.no_company", company=name)
    if other not in small(t) or other is company:
        return fact("merger.no_partner", company=company.id, partner=name)
    if other.president != company.president:
        return fact("merger.of_another", partner=name, player=company.president)
    return fact("merger.not_connected", company=company.id, partner=name)


def _why_not(t: Table, name: Any) -> Fact:
    """Why the company that was named cannot be formed."""
    major = t.state.companies.get(name)
    if major is None:
        return fact("choice.no_company", company=name)
    if major.closed:
        return fact("merger.closed", company=name)
    formed = t.kind(major) in {t.kind(other) for other in unstarted(t)}
    return fact("merger.started_already" if formed else "merger.cannot_be_formed", company=name)
