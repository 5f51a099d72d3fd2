"""Minors: starting them, and their half dividends (7.1, 9, 10.2, 11.6)."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final, Literal, TypeAlias

from engine.core.actions import BuyPrivate, BuyShare, Par, Pass, SellPrivate, SellShares, StartMinor
from engine.core.events import HalfPaid, MinorStarted
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, OFFERING, Cell, CompanyId, HolderId, PlayerId
from engine.core.offers import Choice, Choices, FilteredChoices, Offer, PickedValues, Slot, Suggestion
from engine.core.spec import DividendKind
from engine.core.state import Company, Draft, LastRun
from engine.play.shares import holdings
from engine.play.shares.certificate_and_holding_limits import certificate_limit_obstacle
from engine.play.shares.share_purchases import closed_refusal
from engine.play.shares.starting_and_floating import (
    float_if_sold,
    free_spaces,
    pay_for_shares,
    payable_spaces,
    space_cost,
)
from engine.play.shares.stock_turn import note_purchase, purchase_made_obstacle
from engine.play.steps.base import Request
from engine.play.steps.dividend import DividendStep
from engine.play.steps.trade import TradeStep
from engine.play.table import Table

MINOR_KIND: Final = "minor"
"""Name of the kind of companies that are minors (7)."""

Space: TypeAlias = Literal["top", "bottom"]
SPACE_BY_ROW: Final[tuple[Space, Space]] = ("top", "bottom")
"""Names of the two spaces of each value, by market row."""


def is_minor(t: Table, company: Company) -> bool:
    """True if the company is a minor."""
    return t.kind_name(company) == MINOR_KIND


def available_minors(t: Table) -> list[Company]:
    """Minors that can be started now (R-NE-004)."""
    return [company for company in t.state.companies.values() if minor_obstacle(t, company.id) is None]


def minor_obstacle(t: Table, name: Any) -> Fact | None:
    """The rule that prevents the start of the minor; None if it can be started."""
    company = t.state.companies.get(name)
    if company is None:
        return fact("choice.no_company", company=name)
    if not is_minor(t, company):
        return _minors_rule(t, "no_minor", company=company.id)
    if company.closed:
        return closed_refusal(company)
    if company.started:
        return _minors_rule(t, "started_already", company=company.id, value=company.par)
    return _minors_rule(t, "comes_later", company=company.id) if company.waiting else None


def minor_offer(t: Table, player: PlayerId, names: Sequence[CompanyId]) -> Offer | None:
    """The offer to start one of these minors on a space that the player can pay for; None if there is none."""
    spaces = payable_spaces(t, player)
    if not names or not spaces:
        return None
    values = list(dict.fromkeys(value for value, _ in spaces))

    def company_obstacle(name: Any) -> Fact:
        return minor_obstacle(t, name) or fact("draft.not_reserved", company=name)

    def value_label(value: int) -> Fact:
        return fact("choice.minor_value", value=value, cost=space_cost(value))

    def space_choices(chosen: PickedValues) -> Choices:
        value = chosen["value"]
        space_names = [SPACE_BY_ROW[row] for price, (row, _) in spaces if price == value]
        return Choices(
            [Choice(place, fact(f"choice.space_{place}")) for place in space_names],
            lambda space: _minors_rule(t, "space_taken", value=value, space=space),
        )

    return t.offer(
        "start_minor",
        player,
        fact("offer.start_minor"),
        Slot("company", lambda _: Choices([minor_choice(t, name) for name in names], company_obstacle)),
        Slot("value", lambda _: FilteredChoices(values, partial(_value_obstacle, t, player), value_label)),
        Slot("space", space_choices),
        suggest=lambda: [_suggestion(name, spaces[-1]) for name in names],
    )


def minor_choice(t: Table, name: CompanyId) -> Choice:
    """A minor as a choice in a menu, with its name."""
    return Choice(name, fact("choice.minor", company=name, name=t.spec.companies[name].name))


def start_minor(t: Table, action: StartMinor) -> None:
    """Start a minor: the player pays twice the value of its space into its treasury and owns it."""
    company = t.state.companies[action.company]
    company.par = action.value
    t.enter_market(company, _space_cell(t, action.value, action.space))
    pay_for_shares(t, action.actor, company, OFFERING, space_cost(action.value), company.certificate)
    holdings.give_certificate(company, action.actor)
    t.emit(MinorStarted(action.actor, company.id, action.value, action.space, space_cost(action.value)))
    float_if_sold(t, company)


def _no_space_refusal(t: Table, player: PlayerId) -> Fact:
    """The reason why the player cannot start a minor: too little cash, or no free space."""
    spaces = free_spaces(t)
    return _too_expensive_refusal(t, player, spaces[0][0]) if spaces else fact("minors.no_space_left")


def _value_obstacle(t: Table, player: PlayerId, value: Any) -> Fact | None:
    if value not in dict(t.grid.spaces()):
        return _minors_rule(t, "no_such_value", value=value)
    if value not in dict(free_spaces(t)):
        return _minors_rule(t, "no_free_space", value=value)
    return None if value in dict(payable_spaces(t, player)) else _too_expensive_refusal(t, player, value)


def _too_expensive_refusal(t: Table, player: PlayerId, value: int) -> Fact:
    return _minors_rule(
        t, "too_expensive", player=player, value=value, cost=space_cost(value), cash=t.cash(player)
    )


def _minors_rule(t: Table, rule_name: str, **values: Any) -> Fact:
    """A rule on minors, cited from the section on the draft (9) or on stock rounds (10.2)."""
    return fact(f"{'draft' if isinstance(t.state.round, Draft) else 'minors'}.{rule_name}", **values)


def _space_cell(t: Table, value: int, space: Space) -> Cell:
    return next(cell for price, cell in t.grid.spaces() if price == value and SPACE_BY_ROW[cell[0]] == space)


def _suggestion(name: CompanyId, space: tuple[int, Cell]) -> Suggestion:
    value, (row, _) = space
    chosen = {"company": name, "value": value, "space": SPACE_BY_ROW[row]}
    return Suggestion(fact("choice.start_minor", company=name, value=value, cost=space_cost(value)), chosen)


class ShareTradeStep(TradeStep):
    """Trading, in which starting a minor can be the purchase of the turn (10.2)."""

    kinds = TradeStep.kinds | {"start_minor"}

    def purchase_offers(self, t: Table, player: PlayerId) -> Iterator[Offer | None]:
        """Share purchases, and the start of minors on spaces open in this phase (R-NE-041)."""
        yield from super().purchase_offers(t, player)
        if not (purchase_made_obstacle(t) or certificate_limit_obstacle(t, player)):
            yield minor_offer(t, player, [company.id for company in available_minors(t)])

    def apply(
        self, t: Table, action: SellShares | BuyShare | BuyPrivate | SellPrivate | Par | StartMinor | Pass
    ) -> None:
        """Trade, or start a minor as the purchase of the turn."""
        if isinstance(action, StartMinor):
            note_purchase(t, "minor")
            start_minor(t, action)
        else:
            super().apply(t, action)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        if request.kind != "start_minor" or any(offer.kind == request.kind for offer in self.offers(t)):
            return super().obstacle(t, request)
        if refusal := purchase_made_obstacle(t) or certificate_limit_obstacle(t, request.actor):
            return refusal
        company, names = request.given_values.get("company"), [minor.id for minor in available_minors(t)]
        if company is not None and company not in names:
            return minor_obstacle(t, company)
        return _no_space_refusal(t, request.actor) if names else fact("minors.none_left")


class HalfPayStep(DividendStep):
    """Minors always pay exactly half; majors choose, and their payout moves the price (11.6)."""

    def offers(self, t: Table) -> Iterator[Offer]:
        if not is_minor(t, t.company):
            yield from super().offers(t)

    def skip(self, t: Table) -> None:
        """Pay half for a minor; for a company without revenue, withhold."""
        if is_minor(t, t.company) and t.turn.revenue:
            _pay_half(t)
            self.close(t)
        else:
            super().skip(t)

    def misplaced_obstacle(self, t: Table, request: Request) -> Fact:
        """The refusal of a dividend decision for a minor, which always pays half (R-NE-095)."""
        if is_minor(t, t.company):
            return fact("dividend.half_always", company=t.company.id)
        return super().misplaced_obstacle(t, request)

    def cell_after_dividend(self, t: Table, cell: Cell, option: DividendKind) -> Cell:
        """The market cell after the dividend: left for no payout, right for a payout of at least the price, two right
        for twice the price.

        A minor's marker stays (R-NE-098).
        """
        payout = self.total_payout(t, option)
        if t.grid.is_space(cell):
            return cell
        if not payout:
            return t.grid.left(cell)
        for _ in range(min(2, payout // t.price(t.company))):
            cell = t.grid.right(cell)
        return cell

    def holders_paying_company(self, t: Table) -> Sequence[HolderId]:
        """Offering and treasury; shares in the market pay nobody (R-NE-097)."""
        return (OFFERING, t.company.treasury)


def _pay_half(t: Table) -> None:
    """Pay half to the owner and the rest to the treasury, which gets an odd dollar (R-NE-095)."""
    company, half_dollars = t.company, t.turn.revenue // 2
    owner = t.president(company.id).id
    t.pay(BANK, company.id, t.turn.revenue - half_dollars)
    t.pay(BANK, owner, half_dollars)
    company.last_run = LastRun(t.turn.runs, t.turn.run_values, t.turn.revenue, "half")
    t.emit(HalfPaid(company.id, t.turn.revenue, owner, half_dollars))
