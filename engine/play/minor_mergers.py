"""Mergers of minors into a major that has not started: merger partners, par price and assets."""

from dataclasses import dataclass
from typing import Any

from engine.board.map import StopId
from engine.board.network import reaches_stop
from engine.core.events import MajorFormed, TokenReturned
from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, TrainName
from engine.core.spec import MergersSpec
from engine.core.state import Company, Merger, RecentChanges
from engine.play.closing_liquidation_bankruptcy import close_company
from engine.play.operating_order import operating_order
from engine.play.shares import holdings
from engine.play.shares.starting_and_floating import set_par
from engine.play.table import Table


def merger_round_follows(t: Table) -> bool:
    """True if a merger round follows this operating round, because a major can be formed (18NewEngland 12).

    Rules: R-NE-120, R-NE-130, R-NE-131.
    """
    if not t.has_reached_phase(_mergers_spec(t).from_phase):
        return False
    return t.rules.has_flag("asks_when_nothing_is_legal") or bool(unstarted_majors(t) and minors_on_market(t))


def merger_round(t: Table) -> Merger:
    """The state of the current merger round."""
    assert isinstance(t.state.round, Merger)
    return t.state.round


def just_formed_company(t: Table) -> Company | None:
    """The major that has just been formed, while its president still has decisions to make; else None."""
    name = merger_round(t).formed
    return None if name is None else t.state.companies[name]


def minors_on_market(t: Table) -> list[Company]:
    """The minors on the market, in operating order."""
    return [company for company in operating_order(t) if _is_minor_on_market(t, company)]


def _is_minor_on_market(t: Table, company: Company) -> bool:
    return company.cell is not None and t.kind_name(company) == _mergers_spec(t).small_kind


def next_minor_to_merge(t: Table) -> Company | None:
    """The minor whose turn it is in the merger round; None once each has had its turn."""
    return next((company for company in minors_on_market(t) if company.id not in merger_round(t).done), None)


def unstarted_majors(t: Table) -> list[Company]:
    """Majors that have not started."""
    unstarted_companies = [company for company in t.state.companies.values() if not company.is_started]
    return [company for company in unstarted_companies if merge_into_major_obstacle(t, company.id) is None]


def merge_into_major_obstacle(t: Table, name: Any) -> Fact | None:
    """The rule that prevents minors from becoming this major; None if they can.

    Rules: R-NE-123.
    """
    company = t.state.companies.get(name)
    if company is None:
        return fact("choice.no_company", company=name)
    if company.closed:
        return fact("merger.closed", company=name)
    if t.kind_name(company) != _mergers_spec(t).large_kind:
        return fact("merger.cannot_be_formed", company=name)
    return fact("merger.started_already", company=name) if company.is_started else None


def merger_partners(t: Table, company: Company) -> list[Company]:
    """The minors of the same president with which this minor can merge."""
    return [other for other in minors_on_market(t) if merger_partner_obstacle(t, company, other.id) is None]


def merger_partner_obstacle(t: Table, company: Company, name: Any) -> Fact | None:
    """The rule that prevents a minor from merging with `company`; None if it can.

    Rules: R-NE-122.
    """
    other = t.state.companies.get(name)
    if other is None:
        return fact("choice.no_company", company=name)
    if not _is_minor_on_market(t, other) or other is company:
        return fact("merger.no_partner", company=company.id, partner=name)
    if other.president != company.president:
        return fact("merger.of_another", partner=name, player=company.president)
    if are_in_one_hex(t, company, other) or are_connected(t, company, other):
        return None
    return fact("merger.not_connected", company=company.id, partner=name)


def are_in_one_hex(t: Table, company: Company, other: Company) -> bool:
    """True if both companies have a token in the same hex."""
    own_token_hexes = {coord for coord, _ in t.map.token_stops_of(company.id)}
    return any(coord in own_token_hexes for coord, _ in t.map.token_stops_of(other.id))


def are_connected(t: Table, company: Company, other: Company) -> bool:
    """True if a route of any length connects a token of one company to a token of the other."""
    return any(reaches_stop(t.map, company.id, stop) for stop in t.map.token_stops_of(other.id))


def _mergers_spec(t: Table) -> MergersSpec:
    assert t.spec.mergers is not None
    return t.spec.mergers


@dataclass(frozen=True, slots=True)
class MergerPlan:
    """A planned merger of one president's minors: the major's par price and the president's payment, in dollars."""

    minors: tuple[CompanyId, ...]
    """The merging minors; the first is the one whose turn it is."""
    par: int
    payment: int = 0

    def treasury(self, t: Table) -> int:
        """Dollars that the new major would start with."""
        return self.payment + sum(t.cash(minor) for minor in self.minors)

    def trains(self, t: Table) -> list[TrainName]:
        return [train for minor in self.minors for train in t.state.companies[minor].trains]

    def token_stops(self, t: Table) -> list[StopId]:
        """The stops where the merging minors have tokens."""
        return [stop for minor in self.minors for stop in t.map.token_stops_of(minor)]


def major_preview(t: Table, plan: MergerPlan, major: Company) -> Fact:
    """Menu label for a merger: the major's treasury, trains and tokens."""
    token_stops = plan.token_stops(t)
    hexes = tuple(dict.fromkeys(coord for coord, _ in token_stops))
    name = "merger.tokens" if len(hexes) == len(token_stops) else "merger.token_goes_back"
    trains = tuple(plan.trains(t))
    token_prices_left = tuple(fact("choice.dollars", amount=amount) for amount in major.tokens[len(hexes) :])
    return fact(
        "choice.major",
        major=major.id,
        treasury=plan.treasury(t),
        trains=fact("sheet.trains", trains=" ".join(trains)) if trains else fact("sheet.no_trains"),
        tokens=fact(name, hexes=hexes, left=token_prices_left),
    )


def form_major(t: Table, plan: MergerPlan, major: Company) -> None:
    """Form the major: its president gets the certificate, it takes over all assets, and the minors close.

    Rules: R-NE-121, R-NE-123, R-NE-126.
    """
    player = t.president(plan.minors[0]).id
    event = MajorFormed(
        player=player,
        company=major.id,
        minors=plan.minors,
        par=plan.par,
        percent=major.certificate,
        dollars_paid=plan.payment,
        treasury=plan.treasury(t),
        trains=tuple(plan.trains(t)),
        tokens=tuple(coord for coord, _ in plan.token_stops(t)),
    )
    set_par(t, major, plan.par)
    holdings.give_presidents_certificate(major, player)
    t.pay(player, major.id, plan.payment)
    _take_over_assets(t, plan, major)
    major.floated = major.operated = True
    t.state.fresh = RecentChanges(major.id, tokens=t.map.token_stops_of(major.id))
    t.emit(event)
    for minor in plan.minors:
        close_company(t, t.state.companies[minor])


def _take_over_assets(t: Table, plan: MergerPlan, major: Company) -> None:
    """Give the minors' treasuries, trains and tokens to the major.

    Each token on the map replaces the next token on the major's charter.

    Rules: R-NE-124.
    """
    for name in plan.minors:
        minor = t.state.companies[name]
        t.pay(name, major.id, minor.cash)
        major.trains += minor.trains
        minor.trains = []
        for coord, stop in t.map.token_stops_of(name):
            t.map.replace_token(coord, stop, name, major.id)
            major.tokens.pop(0)


def doubled_token_stops(t: Table, company: Company) -> list[StopId]:
    """The stops of a hex in which the company has two tokens and must return one; empty if there is no such hex."""
    token_stops = t.map.token_stops_of(company.id)
    token_stops_by_hex = {
        coord: [stop for stop in token_stops if stop[0] == coord] for coord, _ in token_stops
    }
    doubled_stops = (
        stops
        for coord, stops in token_stops_by_hex.items()
        if len(stops) > 1 or t.map.slots(*stops[0]).count(company.id) > 1
    )
    return next(doubled_stops, [])


def return_token_to_charter(t: Table, company: Company, coord: str, stop: int) -> None:
    """Return a token from the map to the company's charter, into the space that was emptied last.

    Rules: R-NE-124.
    """
    charter_prices = t.spec.companies[company.id].token_prices
    price = charter_prices[-1 - len(company.tokens)]
    t.map.remove_token(coord, stop, company.id)
    company.tokens.insert(0, price)
    t.emit(TokenReturned(company.id, coord, price))
