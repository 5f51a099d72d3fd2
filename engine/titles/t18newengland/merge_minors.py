"""18NewEngland's merger round. Minors merge or convert into majors, which then return tokens and sell shares."""

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from engine.core.actions import BuyShare, Convert, Merge, Pass, ReturnToken
from engine.core.events import Passed, ShareBought
from engine.core.facts import Fact, fact
from engine.core.ids import OFFERING, CompanyId, PlayerId
from engine.core.offers import Choice, Choices, Offer, Slot, Suggestion
from engine.core.state import Company
from engine.play.minor_mergers import (
    MergerPlan,
    doubled_token_stops,
    form_major,
    just_formed_company,
    major_preview,
    merge_into_major_obstacle,
    merger_partner_obstacle,
    merger_partners,
    merger_round,
    minors_on_market,
    next_minor_to_merge,
    return_token_to_charter,
    unstarted_majors,
)
from engine.play.rounds import Round
from engine.play.shares import holdings
from engine.play.shares.certificate_and_holding_limits import certificate_limit_obstacle
from engine.play.steps.base import Request, Step
from engine.play.table import Table
from engine.play.turn_order import start_next_round

CONVERTED_PAR_PRICE: Final = 100
"""Par price in dollars of a major that a single minor converts into (R-NE-121)."""


class MergeStep(Step):
    """A minor's turn in the merger round. Its president merges it with another minor, converts it, or passes.

    Merging costs nothing. Converting costs the president two shares at par, minus twice the minor's value.
    """

    name = "merge"
    kinds = frozenset({"merge", "convert", "pass"})

    def merger_plan(self, t: Table, company: Company, partner: Company) -> MergerPlan:
        """The merger of two minors. Par is the highest par price up to the sum of their values (R-NE-122)."""
        value_sum = t.price(company) + t.price(partner)
        par = max(price for price, _ in t.grid.pars() if price <= value_sum)
        return MergerPlan((company.id, partner.id), par)

    def conversion_plan(self, t: Table, company: Company) -> MergerPlan:
        """The conversion of one minor, including the president's payment (R-NE-121)."""
        return MergerPlan((company.id,), CONVERTED_PAR_PRICE, 2 * (CONVERTED_PAR_PRICE - t.price(company)))

    def offers(self, t: Table) -> Iterator[Offer]:
        """Offers to merge the minor whose turn it is, and to convert it if its president can pay for this."""
        company = next_minor_to_merge(t)
        if company is None:
            return
        can_merge_or_convert = False
        for offer in filter(
            None, (make_offer(t, company) for make_offer in (self._merge_offer, self._conversion_offer))
        ):
            can_merge_or_convert = True
            yield offer
        if can_merge_or_convert or t.rules.has_flag("asks_when_nothing_is_legal"):
            yield t.offer("pass", company.id, fact("offer.no_merger", company=company.id))

    def apply(self, t: Table, action: Merge | Convert | Pass) -> None:
        company = t.state.companies[action.entity]
        merger_round(t).done.append(company.id)
        if isinstance(action, Pass):
            t.emit(Passed(company.id, fact("declined.merger")))
            return
        if isinstance(action, Merge):
            plan = self.merger_plan(t, company, t.state.companies[action.partner])
        else:
            plan = self.conversion_plan(t, company)
        form_major(t, plan, t.state.companies[action.major])
        merger_round(t).formed = action.major

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        company = next_minor_to_merge(t)
        if company is None:
            return None
        if request.kind not in {"merge", "convert"} or request.entity not in {None, company.id}:
            return fact("merger.decides_now", company=company.id)
        return self._merger_obstacle(t, company, request.kind)

    def _merger_obstacle(self, t: Table, company: Company, kind: str) -> Fact | None:
        if not unstarted_majors(t):
            return fact("merger.none_to_form")
        if kind == "merge":
            return None if merger_partners(t, company) else _no_partner_refusal(t, company)
        player, payment = t.president(company.id), self.conversion_plan(t, company).payment
        if payment <= player.cash:
            return None
        return fact("merger.too_dear", company=company.id, player=player.id, paid=payment, cash=player.cash)

    def _merge_offer(self, t: Table, company: Company) -> Offer | None:
        if self._merger_obstacle(t, company, "merge"):
            return None
        plan_by_partner = {
            other.id: self.merger_plan(t, company, other) for other in merger_partners(t, company)
        }
        choices = [
            Choice(name, self._partner_label(t, company, name, plan))
            for name, plan in plan_by_partner.items()
        ]
        label = fact("offer.merge", company=company.id)
        if len(plan_by_partner) == 1:
            label = fact("offer.merge_with", company=company.id, pair=choices[0].label)
        return t.offer(
            "merge",
            company.id,
            label,
            Slot("partner", lambda _: Choices(choices, partial(merger_partner_obstacle, t, company))),
            Slot("major", lambda c: _major_choices(t, plan_by_partner[c["partner"]])),
        )

    def _partner_label(self, t: Table, company: Company, partner: CompanyId, plan: MergerPlan) -> Fact:
        values = (t.price(company), t.price(t.state.companies[partner]))
        return fact("choice.partner", partner=partner, par=plan.par, mine=values[0], theirs=values[1])

    def _conversion_offer(self, t: Table, company: Company) -> Offer | None:
        if self._merger_obstacle(t, company, "convert"):
            return None
        plan = self.conversion_plan(t, company)
        label = fact("offer.convert", company=company.id, par=plan.par, paid=plan.payment)
        return t.offer("convert", company.id, label, Slot("major", lambda _: _major_choices(t, plan)))


def _major_choices(t: Table, plan: MergerPlan) -> Choices:
    choices = [Choice(major.id, major_preview(t, plan, major)) for major in unstarted_majors(t)]
    return Choices(choices, partial(merge_into_major_obstacle, t))


def _no_partner_refusal(t: Table, company: Company) -> Fact:
    own_minors = [other for other in minors_on_market(t) if other.president == company.president]
    name = "merger.no_route_to_another" if len(own_minors) > 1 else "merger.no_other"
    return fact(name, company=company.id, player=company.president)


class ReturnTokenStep(Step):
    """A new major with two tokens in one hex returns one. If they are in different cities, the president chooses.

    Rules: R-NE-124.
    """

    name = "return_token"
    kinds = frozenset({"return_token"})
    is_exclusive = True

    def offers(self, t: Table) -> Iterator[Offer]:
        company = just_formed_company(t)
        stops = [] if company is None else doubled_token_stops(t, company)
        if company is None or len(stops) < (1 if t.rules.has_flag("asks_when_nothing_is_legal") else 2):
            return
        coord = stops[0][0]
        yield t.offer(
            "return_token",
            company.id,
            fact("offer.return_token", company=company.id),
            Slot(
                "hex",
                lambda _: Choices(
                    [Choice(coord)],
                    lambda h: fact("merger.token_elsewhere", company=company.id, place=coord, hex=h),
                ),
            ),
            Slot(
                "city",
                lambda _: Choices(
                    [Choice(stop, fact("choice.city", number=stop + 1)) for _, stop in stops],
                    partial(_no_token_refusal, company, coord),
                ),
            ),
            suggest=lambda: [
                Suggestion(
                    fact("choice.return_token", hex=coord, city=stop + 1), {"hex": coord, "city": stop}
                )
                for _, stop in stops
            ],
        )

    def apply(self, t: Table, action: ReturnToken) -> None:
        return_token_to_charter(t, t.state.companies[action.entity], action.hex, action.city)

    def skip(self, t: Table) -> None:
        """Return one of the two tokens, which are in the same city."""
        company = just_formed_company(t)
        stops = [] if company is None else doubled_token_stops(t, company)
        if company is not None and stops:
            return_token_to_charter(t, company, *stops[0])

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        company = just_formed_company(t)
        stops = [] if company is None else doubled_token_stops(t, company)
        if company is None or not stops:
            return None
        return fact("merger.token_first", company=company.id, hex=stops[0][0])


def _no_token_refusal(company: Company, coord: str, city: Any) -> Fact:
    number = city + 1 if isinstance(city, int) else city
    return fact("merger.no_token_there", company=company.id, hex=coord, city=number)


class BuySharesOfMajorStep(Step):
    """The president of a new major buys more of its shares at par, one at a time.

    Rules: R-NE-125.
    """

    name = "merge_shares"
    kinds = frozenset({"buy_share", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        company = just_formed_company(t)
        if company is None or not _may_buy_share(t, company):
            return
        price = company.par
        share = fact("choice.share", company=company.id, source=OFFERING, price=price)
        chosen = {"company": company.id, "source": OFFERING}
        yield t.offer(
            "buy_share",
            t.president(company.id).id,
            fact("offer.buy_at_par", company=company.id, price=price),
            Slot(
                "company",
                lambda _: Choices(
                    [Choice(company.id)],
                    lambda name: fact("merger.shares_of", company=company.id, other=name),
                ),
            ),
            Slot(
                "source",
                lambda _: Choices(
                    [Choice(OFFERING, share)],
                    lambda source: fact("buying.none_there", company=company.id, source=source),
                ),
            ),
            suggest=lambda: [Suggestion(fact("choice.buy_share", share=share), chosen)],
        )
        yield t.offer("pass", t.president(company.id).id, fact("offer.no_more_shares", company=company.id))

    def apply(self, t: Table, action: BuyShare | Pass) -> None:
        """Buy one share from the new major, or stop buying."""
        if isinstance(action, Pass):
            t.emit(Passed(action.actor, fact("declined.shares", company=merger_round(t).formed)))
            merger_round(t).formed = None
            return
        company = t.state.companies[action.company]
        assert company.par is not None
        t.emit(ShareBought(action.actor, company.id, company.share, company.par, action.source, company.par))
        t.pay(action.actor, company.id, company.par)
        holdings.give_shares(company, action.source, action.actor, company.share)

    def skip(self, t: Table) -> None:
        """Stop buying, because the president can buy no more shares."""
        merger_round(t).formed = None

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        company = just_formed_company(t)
        if company is None:
            return None
        return fact("merger.shares_first", company=company.id, player=company.president)


def _may_buy_share(t: Table, company: Company) -> bool:
    """True if the president can buy another IPO share: cash, holding limit and certificate limit allow it."""
    player = t.president(company.id)
    assert company.par is not None
    is_within_holding_limit = company.percent(player.id) + company.share <= holdings.holding_limit(t, company)
    has_share_left = bool(company.shares.get(OFFERING))
    return (
        has_share_left
        and is_within_holding_limit
        and player.cash >= company.par
        and certificate_limit_obstacle(t, player.id) is None
    )


class MergerRound(Round):
    """Merger round. In operating order, each minor merges, converts or passes.

    A new major returns tokens and sells shares before the next minor's turn.

    Rules: R-NE-120, R-NE-127.
    """

    def __init__(self, merge_step: MergeStep) -> None:
        super().__init__((ReturnTokenStep(), BuySharesOfMajorStep(), merge_step))

    def give_turn_to(self, t: Table, player: PlayerId, kind: str) -> bool:
        """Make it the turn of the player's next minor.

        Returns False if the player has no minor, or if a new major must act first.
        """
        own_minors = [company.id for company in minors_on_market(t) if company.president == player]
        if own_minors and just_formed_company(t) is None:
            merger_round(t).done = [company for company in merger_round(t).done if company not in own_minors]
            merger_round(t).done += [
                company.id for company in minors_on_market(t) if company.id not in own_minors
            ]
        return bool(own_minors) and just_formed_company(t) is None

    def advance(self, t: Table) -> None:
        """Go to the next minor. After the last minor, start the next round."""
        company = next_minor_to_merge(t)
        if company is None:
            start_next_round(t)
        else:
            merger_round(t).done.append(company.id)
