"""18NewEngland's minors: players start them, and they always pay half dividends (§7.1, §9, §10.2, §11.6)."""

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
from engine.play.shares.share_purchases import closed_company_refusal
from engine.play.shares.starting_and_floating import (
    affordable_market_spaces,
    cost_to_start_on_space,
    float_if_sold,
    free_market_spaces,
    pay_for_shares,
)
from engine.play.shares.stock_turn import purchase_made_obstacle, record_purchase
from engine.play.steps.base import Request
from engine.play.steps.dividend import DividendStep
from engine.play.steps.trade import TradeStep
from engine.play.table import Table

MINOR_KIND: Final = "minor"
"""The company kind `minor` in the title's data (§7)."""

SpaceName: TypeAlias = Literal["top", "bottom"]
SPACE_NAME_BY_ROW: Final[tuple[SpaceName, SpaceName]] = ("top", "bottom")
"""Names of the two market spaces for minors of the same value: the first is in row 0, the second in row 1."""


def is_minor(t: Table, company: Company) -> bool:
    return t.kind_name(company) == MINOR_KIND


def available_minors(t: Table) -> list[Company]:
    """Minors that players can start now (R-NE-004)."""
    return [company for company in t.state.companies.values() if minor_obstacle(t, company.id) is None]


def minor_obstacle(t: Table, name: Any) -> Fact | None:
    """The reason why the minor cannot be started; None if it can."""
    company = t.state.companies.get(name)
    if company is None:
        return fact("choice.no_company", company=name)
    if not is_minor(t, company):
        return _minor_rule_fact(t, "no_minor", company=company.id)
    if company.closed:
        return closed_company_refusal(company)
    if company.is_started:
        return _minor_rule_fact(t, "started_already", company=company.id, value=company.par)
    return _minor_rule_fact(t, "comes_later", company=company.id) if company.waiting else None


def minor_offer(t: Table, player: PlayerId, minor_ids: Sequence[CompanyId]) -> Offer | None:
    """The offer to start one of these minors. None if the player cannot pay for any free market space."""
    spaces = affordable_market_spaces(t, player)
    if not minor_ids or not spaces:
        return None
    values = list(dict.fromkeys(value for value, _ in spaces))

    def company_obstacle(name: Any) -> Fact:
        return minor_obstacle(t, name) or fact("draft.not_reserved", company=name)

    def value_label(value: int) -> Fact:
        return fact("choice.minor_value", value=value, cost=cost_to_start_on_space(value))

    def space_choices(chosen: PickedValues) -> Choices:
        value = chosen["value"]
        space_names = [SPACE_NAME_BY_ROW[row] for price, (row, _) in spaces if price == value]
        return Choices(
            [Choice(space_name, fact(f"choice.space_{space_name}")) for space_name in space_names],
            lambda space: _minor_rule_fact(t, "space_taken", value=value, space=space),
        )

    return t.offer(
        "start_minor",
        player,
        fact("offer.start_minor"),
        Slot("company", lambda _: Choices([minor_choice(t, name) for name in minor_ids], company_obstacle)),
        Slot("value", lambda _: FilteredChoices(values, partial(_value_obstacle, t, player), value_label)),
        Slot("space", space_choices),
        suggest=lambda: [_suggestion(name, spaces[-1]) for name in minor_ids],
    )


def minor_choice(t: Table, name: CompanyId) -> Choice:
    """The minor as a menu entry."""
    return Choice(name, fact("choice.minor", company=name, name=t.spec.companies[name].name))


def start_minor(t: Table, action: StartMinor) -> None:
    """Start a minor. Its owner pays twice the value of its market space into its treasury."""
    company = t.state.companies[action.company]
    company.par = action.value
    t.enter_market(company, _space_cell(t, action.value, action.space))
    pay_for_shares(
        t, action.actor, company, OFFERING, cost_to_start_on_space(action.value), company.certificate
    )
    holdings.give_presidents_certificate(company, action.actor)
    t.emit(
        MinorStarted(
            action.actor, company.id, action.value, action.space, cost_to_start_on_space(action.value)
        )
    )
    float_if_sold(t, company)


def _no_minor_refusal(t: Table, player: PlayerId) -> Fact:
    """The error message for a player who has too little cash for any minor, or if no market space is free."""
    spaces = free_market_spaces(t)
    return _too_expensive_refusal(t, player, spaces[0][0]) if spaces else fact("minors.no_space_left")


def _value_obstacle(t: Table, player: PlayerId, value: Any) -> Fact | None:
    if value not in dict(t.grid.spaces()):
        return _minor_rule_fact(t, "no_such_value", value=value)
    if value not in dict(free_market_spaces(t)):
        return _minor_rule_fact(t, "no_free_space", value=value)
    return (
        None
        if value in dict(affordable_market_spaces(t, player))
        else _too_expensive_refusal(t, player, value)
    )


def _too_expensive_refusal(t: Table, player: PlayerId, value: int) -> Fact:
    return _minor_rule_fact(
        t,
        "too_expensive",
        player=player,
        value=value,
        cost=cost_to_start_on_space(value),
        cash=t.cash(player),
    )


def _minor_rule_fact(t: Table, rule_name: str, **values: Any) -> Fact:
    """A rule about minors as a message. The draft (§9) and the stock round (§10.2) word it differently."""
    return fact(f"{'draft' if isinstance(t.state.round, Draft) else 'minors'}.{rule_name}", **values)


def _space_cell(t: Table, value: int, space: SpaceName) -> Cell:
    return next(
        cell for price, cell in t.grid.spaces() if price == value and SPACE_NAME_BY_ROW[cell[0]] == space
    )


def _suggestion(name: CompanyId, value_and_cell: tuple[int, Cell]) -> Suggestion:
    value, (row, _) = value_and_cell
    chosen = {"company": name, "value": value, "space": SPACE_NAME_BY_ROW[row]}
    return Suggestion(
        fact("choice.start_minor", company=name, value=value, cost=cost_to_start_on_space(value)), chosen
    )


class StartMinorTradeStep(TradeStep):
    """Stock turn. A player can start a minor instead of buying a share (§10.2)."""

    kinds = TradeStep.kinds | {"start_minor"}

    def purchase_offers(self, t: Table, player: PlayerId) -> Iterator[Offer | None]:
        """Offers to buy a share, or to start a minor on a space that is open in this phase (R-NE-041)."""
        yield from super().purchase_offers(t, player)
        if not (purchase_made_obstacle(t) or certificate_limit_obstacle(t, player)):
            yield minor_offer(t, player, [company.id for company in available_minors(t)])

    def apply(
        self, t: Table, action: SellShares | BuyShare | BuyPrivate | SellPrivate | Par | StartMinor | Pass
    ) -> None:
        """Trade shares, or start a minor as the turn's purchase."""
        if isinstance(action, StartMinor):
            record_purchase(t, "minor")
            start_minor(t, action)
        else:
            super().apply(t, action)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        if request.kind != "start_minor" or any(offer.kind == request.kind for offer in self.offers(t)):
            return super().obstacle(t, request)
        if refusal := purchase_made_obstacle(t) or certificate_limit_obstacle(t, request.actor):
            return refusal
        company, minor_ids = request.given_values.get("company"), [minor.id for minor in available_minors(t)]
        if company is not None and company not in minor_ids:
            return minor_obstacle(t, company)
        return _no_minor_refusal(t, request.actor) if minor_ids else fact("minors.none_left")


class MinorsPayHalfStep(DividendStep):
    """Dividend step. Minors always pay half. Majors choose, and the payout moves their share price (§11.6)."""

    def offers(self, t: Table) -> Iterator[Offer]:
        if not is_minor(t, t.company):
            yield from super().offers(t)

    def skip(self, t: Table) -> None:
        """Pay half if the company is a minor with revenue; otherwise withhold."""
        if is_minor(t, t.company) and t.turn.revenue:
            _pay_half(t)
            self.close(t)
        else:
            super().skip(t)

    def misplaced_obstacle(self, t: Table, request: Request) -> Fact:
        """The error message for a dividend choice at the wrong time; a minor always pays half (R-NE-095)."""
        if is_minor(t, t.company):
            return fact("dividend.half_always", company=t.company.id)
        return super().misplaced_obstacle(t, request)

    def cell_after_dividend(self, t: Table, cell: Cell, option: DividendKind) -> Cell:
        """The market cell after the dividend.

        Without a payout the price moves one cell left. A payout of at least the price moves it one cell right, of
        at least twice the price two cells. A minor does not move (R-NE-098).
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
        """Holders whose dividends go to the company: IPO and treasury. Market shares pay nobody (R-NE-097)."""
        return (OFFERING, t.company.treasury)


def _pay_half(t: Table) -> None:
    """Pay half of the minor's revenue to its owner, rounded down, and the rest to its treasury (R-NE-095)."""
    company, half_dollars = t.company, t.turn.revenue // 2
    owner = t.president(company.id).id
    t.pay(BANK, company.id, t.turn.revenue - half_dollars)
    t.pay(BANK, owner, half_dollars)
    company.last_run = LastRun(t.turn.runs, t.turn.run_values, t.turn.revenue, "half")
    t.emit(HalfPaid(company.id, t.turn.revenue, owner, half_dollars))
