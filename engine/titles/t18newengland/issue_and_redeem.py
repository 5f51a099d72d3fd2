"""In 18NewEngland, companies redeem shares from the market and issue shares to it."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from engine.core.actions import Issue, Pass, Redeem
from engine.core.events import Passed
from engine.core.facts import Fact, fact
from engine.core.ids import MARKET, OFFERING, HolderId
from engine.core.offers import Choice, Choices, Offer, Slot
from engine.play.shares.own_shares import (
    issuable_shares,
    issue_proceeds,
    issue_shares,
    lower_price,
    redeem_shares,
    redemption_offer,
)
from engine.play.steps.base import AnytimeStep, CompanyStep, Request
from engine.play.table import Table


class RedeemStep(AnytimeStep):
    """A company redeems shares at any time of its turn, as often as it likes. It cannot issue shares in the same turn.

    Rules: R-NE-080, D-NE-3.
    """

    name = "redeem"
    kinds = frozenset({"redeem"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """The offer to redeem market shares, up to the number that the company can pay for."""
        offer = (
            None
            if t.company.is_undivided
            else redemption_offer(t, t.price(t.company), partial(_redeem_obstacle, t))
        )
        if offer is not None:
            yield offer

    def keeps_turn_open(self, t: Table) -> bool:
        """True if the turn must not end before the company redeems shares or passes."""
        if t.rules.has_flag("redemption_holds_no_turn"):
            return False
        return bool(t.turn.redeemed or not issuable_shares(t, t.company)) and super().keeps_turn_open(t)

    def apply(self, t: Table, action: Redeem) -> None:
        t.turn.redeemed += action.shares
        redeem_shares(t, t.company, action.shares)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return _redeem_obstacle(t, 1)


class IssueStep(CompanyStep):
    """At the end of its turn, a company issues IPO and treasury shares all at once. Then its share price falls.

    Rules: R-NE-081, R-NE-111, D-NE-22.
    """

    name = "issue"
    kinds = frozenset({"issue", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """The offer to issue shares, up to the market's limit; none if the company has redeemed shares this turn."""
        treasury_counts_by_offering = {} if issue_obstacle(t) else issuable_shares(t, t.company)
        if not treasury_counts_by_offering:
            return
        yield t.offer(
            "issue",
            t.company.id,
            fact("offer.issue"),
            Slot(
                "offering",
                lambda _: Choices(
                    [_offering_shares_choice(t, n) for n in treasury_counts_by_offering],
                    partial(_issue_obstacle, t, OFFERING),
                ),
            ),
            Slot(
                "treasury",
                lambda c: Choices(
                    [
                        _treasury_shares_choice(t, c["offering"], n)
                        for n in treasury_counts_by_offering[c["offering"]]
                    ],
                    partial(_issue_obstacle, t, t.company.treasury),
                ),
            ),
        )
        yield t.offer("pass", t.company.id, fact("offer.no_issue"))

    def apply(self, t: Table, action: Issue | Pass) -> None:
        if isinstance(action, Issue):
            t.turn.issued += action.offering + action.treasury
            issue_shares(t, t.company, action.offering, action.treasury)
            if t.rules.has_flag("issues_bit_by_bit"):
                return
        elif not t.turn.issued:
            t.emit(Passed(action.entity, fact("declined.issue")))
        self._finish_issue(t)

    def skip(self, t: Table) -> None:
        self._finish_issue(t)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return fact("issue.decides_now", company=t.company.id)

    def misplaced_obstacle(self, t: Table, request: Request) -> Fact:
        """The refusal of a share issue in another part of the turn, for example after the company redeemed shares."""
        return issue_obstacle(t) or super().misplaced_obstacle(t, request)

    def _finish_issue(self, t: Table) -> None:
        if t.turn.issued:
            lower_price(t, t.company, t.turn.issued)
        self.close(t)


def _redeem_obstacle(t: Table, share_count: Any) -> Fact | None:
    company = t.company
    if company.is_undivided:
        return fact("redeem.no_shares", company=company.id)
    if t.turn.issued:
        return fact("redeem.has_issued", company=company.id)
    if t.turn.redeemed and t.rules.has_flag("redeems_once_a_turn"):
        return fact("redeem.once_a_turn", company=company.id)
    market_count = company.percent(MARKET) // company.share
    if not market_count:
        return fact("redeem.none_in_the_market", company=company.id)
    if not isinstance(share_count, int) or not 1 <= share_count <= market_count:
        return fact("redeem.in_the_market", company=company.id, shares=market_count)
    price = share_count * t.price(company)
    if price <= company.cash:
        return None
    return fact("redeem.too_dear", company=company.id, price=price, cash=company.cash)


def issue_obstacle(t: Table) -> Fact | None:
    """The reason why the company cannot issue shares this turn; None if it can."""
    company = t.company
    if company.is_undivided:
        return fact("issue.no_shares", company=company.id)
    if t.turn.redeemed:
        return fact("issue.has_redeemed", company=company.id)
    if not company.shares.get(OFFERING) and not company.shares.get(company.treasury):
        return fact("issue.none_left", company=company.id)
    return None


def _offering_shares_choice(t: Table, share_count: int) -> Choice:
    return Choice(
        share_count,
        fact("choice.shares_for", count=share_count, amount=issue_proceeds(t, t.company, share_count, 0)),
    )


def _treasury_shares_choice(t: Table, offering_count: int, treasury_count: int) -> Choice:
    amount = issue_proceeds(t, t.company, offering_count, treasury_count)
    new_price = t.price(t.company, t.grid.left(t.company.cell or (0, 0), offering_count + treasury_count))
    return Choice(
        treasury_count,
        fact("choice.issued", count=treasury_count, amount=amount, old=t.price(t.company), new=new_price),
    )


def _issue_obstacle(t: Table, holder: HolderId, share_count: Any) -> Fact:
    company = t.company
    held_count, limit = company.shares.get(holder, 0) // company.share, t.spec.pool_limit
    market_room = (limit - company.percent(MARKET)) // company.share
    if isinstance(share_count, int) and (share_count > market_room or 0 < share_count <= held_count):
        market_count = company.percent(MARKET) // company.share
        return fact("issue.room", company=company.id, held=market_count, limit=limit)
    name = "issue.of_the_offering" if holder == OFFERING else "issue.of_the_redeemed"
    return fact(name, company=company.id, held=held_count)
