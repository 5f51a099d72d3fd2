"""Starting a minor on a space of the market (7.1, 9, 10.2)."""

from collections.abc import Sequence
from typing import Any, Final, Literal, TypeAlias

from engine.core.actions import StartMinor
from engine.core.events import MinorStarted
from engine.core.facts import Fact, fact
from engine.core.ids import OFFERING, Cell, CompanyId, PlayerId
from engine.core.offers import Choice, Choices, Offer, Suggestion
from engine.core.state import Company, Draft
from engine.play.shares import holdings
from engine.play.shares.floating import check_float, pay_for
from engine.play.shares.market_spaces import cost, free_spaces, payable
from engine.play.shares.share_purchases import has_closed
from engine.play.table import Table

MINOR: Final = "minor"
"""The kind of companies that are no majors (7)."""

Space: TypeAlias = Literal["top", "bottom"]
SPACES: Final[tuple[Space, Space]] = ("top", "bottom")
"""The two spaces of each value, by their row on the market."""


def is_minor(t: Table, company: Company) -> bool:
    """Whether it is a minor company."""
    return t.kind(company) == MINOR


def available(t: Table) -> list[Company]:
    """Minors that can still be started (R-NE-004)."""
    minors = [c for c in t.state.companies.values() if is_minor(t, c)]
    return [c for c in minors if not (c.started or c.closed or c.waiting)]


def start_offer(t: Table, player: PlayerId, names: Sequence[CompanyId]) -> Offer | None:
    """One of these minors on a free space that the player can pay."""
    spaces = payable(t, player)
    if not names or not spaces:
        return None
    values = list(dict.fromkeys(value for value, _ in spaces))

    def value_label(value: int) -> Fact:
        return fact("choice.minor_value", value=value, cost=cost(value))

    def free(value: int) -> list[Choice]:
        places = [SPACES[row] for found, (row, _) in spaces if found == value]
        return [Choice(place, fact(f"choice.space_{place}")) for place in places]

    return t.offer(
        "start_minor",
        player,
        fact("offer.start_minor"),
        t.slot(
            "company",
            lambda _: Choices([named(t, name) for name in names]),
            lambda _, name: why_not_started(t, name),
        ),
        t.slot(
            "value",
            lambda _: Choices([Choice(value, value_label(value)) for value in values]),
            lambda _, value: _why_not_value(t, player, value),
        ),
        t.slot(
            "space",
            lambda c: Choices(free(c["value"])),
            lambda c, space: _minors_rule(t, "space_taken", value=c["value"], space=space),
        ),
        suggest=lambda: [_suggestion(name, spaces[-1]) for name in names],
    )


def named(t: Table, name: CompanyId) -> Choice:
    """A minor for menus."""
    return Choice(name, fact("choice.minor", company=name, name=t.spec.companies[name].name))


def start(t: Table, action: StartMinor) -> None:
    """Pay twice the value into the treasury; the player owns the minor."""
    company = t.state.companies[action.company]
    company.par = action.value
    t.enter_market(company, _cell(t, action.value, action.space))
    pay_for(t, action.actor, company, OFFERING, cost(action.value), company.certificate)
    holdings.give_certificate(company, action.actor)
    t.emit(MinorStarted(action.actor, company.id, action.value, action.space, cost(action.value)))
    check_float(t, company)


def why_not_started(t: Table, name: Any) -> Fact:
    """Why a minor cannot be started by anybody."""
    company = t.state.companies.get(name)
    if company is None:
        return fact("choice.no_company", company=name)
    if not is_minor(t, company):
        return _minors_rule(t, "no_minor", company=company.id)
    if company.closed:
        return has_closed(company)
    if company.started:
        return _minors_rule(t, "started_already", company=company.id, value=company.par)
    if company.waiting:
        return _minors_rule(t, "comes_later", company=company.id)
    return fact("draft.not_reserved", company=company.id)


def why_no_space(t: Table, player: PlayerId) -> Fact:
    """Why the player can put no minor on any space: the cash is too little for the cheapest, or none is free."""
    free = free_spaces(t)
    return _too_expensive(t, player, free[0][0]) if free else fact("minors.no_space_left")


def _why_not_value(t: Table, player: PlayerId, value: Any) -> Fact:
    prices = dict(t.grid.spaces())
    if value not in prices:
        return _minors_rule(t, "no_such_value", value=value)
    if value not in dict(free_spaces(t)):
        return _minors_rule(t, "no_free_space", value=value)
    return _too_expensive(t, player, value)


def _too_expensive(t: Table, player: PlayerId, value: int) -> Fact:
    return _minors_rule(t, "too_expensive", player=player, value=value, cost=cost(value), cash=t.cash(player))


def _minors_rule(t: Table, rule: str, **values: Any) -> Fact:
    """A rule that stands in both sections on minors: that of the draft (9), and that of stock rounds (10.2)."""
    return fact(f"{'draft' if isinstance(t.state.round, Draft) else 'minors'}.{rule}", **values)


def _cell(t: Table, value: int, space: Space) -> Cell:
    return next(cell for price, cell in t.grid.spaces() if price == value and SPACES[cell[0]] == space)


def _suggestion(name: CompanyId, space: tuple[int, Cell]) -> Suggestion:
    value, (row, _) = space
    chosen = {"company": name, "value": value, "space": SPACES[row]}
    return Suggestion(fact("choice.start_minor", company=name, value=value, cost=cost(value)), chosen)
