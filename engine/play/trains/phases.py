"""Phases and their effects: rusting trains, closing privates, and train limits (18Chesapeake 8, 11.7, 11.9)."""

from collections.abc import Sequence
from itertools import combinations

from engine.core.events import (
    CompensationPaid,
    PhaseStarted,
    PrivateClosed,
    TrainExported,
    TrainsMadeObsolete,
    TrainsRusted,
)
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, CompanyId, PhaseName, TrainName
from engine.core.spec import TitleSpec
from engine.core.state import Company
from engine.play.operating_order import operating_order
from engine.play.table import Table


def trains_by_charter(company: Company) -> tuple[list[TrainName], ...]:
    """The company's trains on each of its charters. A merged company has two charters.

    Rules: R-C2C-226.
    """
    if not company.is_merged:
        return (list(company.trains),)
    first_charter, second_charter = list(company.trains), []
    for train in company.second:
        if train in first_charter:
            first_charter.remove(train)
            second_charter.append(train)
    return first_charter, second_charter


def occupied_charter_count(company: Company) -> int:
    """Number of the company's charters that have a train."""
    return sum(map(bool, trains_by_charter(company)))


def add_train(company: Company, train: TrainName) -> None:
    """Add a train to the company's charter with fewer trains."""
    first_charter, *other_charters = trains_by_charter(company)
    company.trains.append(train)
    for second_charter in other_charters:
        company.second = second_charter + [train] * (len(second_charter) < len(first_charter))


def remove_train(company: Company, train: TrainName) -> None:
    """Remove a train; if both charters of a merged company have this type, from the one with more trains."""
    fullest_charter = max((charter for charter in trains_by_charter(company) if train in charter), key=len)
    *_, second_charter = trains_by_charter(company)
    company.trains.remove(train)
    if company.is_merged:
        company.second = second_charter
        if fullest_charter == second_charter:
            second_charter.remove(train)


def charters_text(charters: Sequence[Sequence[TrainName]]) -> Fact:
    """The trains on both charters of a company as text, such as `3 4 | 5`."""
    first_charter, second_charter = (" ".join(charter) or fact("sheet.empty_shell") for charter in charters)
    return fact("sheet.shells", first=first_charter, second=second_charter)


def salable_trains(company: Company) -> list[TrainName]:
    """Types of trains that the company may sell, in order."""
    trains = list(dict.fromkeys(company.trains))
    if not company.unsalable:
        return trains
    return [train for train in trains if company.trains.count(train) > company.unsalable.count(train)]


def arrange_trains_on_charters(company: Company, first_charter: Sequence[TrainName]) -> None:
    """Put these trains on the company's first charter, and its other trains on the second."""
    company.second = list(company.trains)
    for train in first_charter:
        company.second.remove(train)


def charter_arrangements(company: Company, limit: int) -> list[tuple[TrainName, ...]]:
    """Sets of trains for the first charter that keep both charters within `limit`.

    Arrangements with swapped charters count once.
    """
    trains = tuple(company.trains)
    first_charter_by_split: dict[frozenset[tuple[TrainName, ...]], tuple[TrainName, ...]] = {}
    for count in range(len(trains), -1, -1):
        for indexes in combinations(range(len(trains)), count):
            first_charter = tuple(trains[index] for index in indexes)
            second_charter = tuple(train for index, train in enumerate(trains) if index not in indexes)
            if max(len(first_charter), len(second_charter)) <= limit:
                first_charter_by_split.setdefault(
                    frozenset((tuple(sorted(first_charter)), tuple(sorted(second_charter)))), first_charter
                )
    return list(first_charter_by_split.values())


def next_new_train(t: Table) -> TrainName | None:
    """The cheapest new train in the bank."""
    return next(
        (name for name, trains_left in t.state.depot.items() if trains_left is None or trains_left > 0), None
    )


def trains_for_sale(t: Table) -> list[TrainName]:
    """New trains that the bank sells now: the cheapest type, and types that a phase made available (18Chesapeake 11.7).

    Rules: R-AL-180, R-C2C-006, R-CH-140, R-TN-160, D-CH-16.
    """
    cheapest_train = next_new_train(t)
    trains = list(t.spec.faces(cheapest_train)) if cheapest_train else []
    for name, phase in t.spec.cached(_trains_added_by_phases):
        if name not in trains and t.state.depot[name] != 0 and t.has_reached_phase(phase):
            trains.append(name)
    return trains


def _trains_added_by_phases(spec: TitleSpec) -> list[tuple[TrainName, PhaseName]]:
    return [(train.name, train.available_from) for train in spec.trains if train.available_from is not None]


def take_train_from_bank(t: Table, train: TrainName) -> None:
    """Take a new train from the bank, because a company buys it or it leaves the game. This may start a phase.

    Rules: R-AL-008, R-C2C-011, R-TN-006.
    """
    trains_left, faces = t.state.depot[train], t.spec.faces(train)
    for face in faces:
        t.state.depot[face] = None if trains_left is None else trains_left - 1
    train_count = t.spec.train_count(train, len(t.state.players))
    train_number = 1 if train_count is None or trains_left is None else train_count - trains_left + 1
    # A train added in front of the first one also starts the phase, but does not trigger the event.
    phase = next(
        (p for p in t.spec.phases if p.train in faces and p.train_number == max(1, train_number)), None
    )
    if phase is not None and not t.has_reached_phase(phase.name):
        start_phase(t, phase.name)
    if train == t.state.event_train and train_number == 1:
        t.state.event_train = ""
        t.rules.on_event_train(t)


def start_phase_of_round(t: Table) -> None:
    """Start the phase that begins with the current operating round; do nothing if there is none."""
    current_round = t.operating_round
    for phase in t.spec.phases:
        if phase.starting_round == (current_round.set, current_round.number) and not t.has_reached_phase(
            phase.name
        ):
            start_phase(t, phase.name)


def start_phase(t: Table, name: PhaseName) -> None:
    """Start a phase: trains rust or become obsolete, privates close."""
    t.state.phase = name
    t.emit(PhaseStarted(name))
    phase = t.phase
    for spec in t.spec.trains:
        if spec.rusts_on == phase.name:
            rust_trains(t, spec.name)
        if spec.obsolete_on == phase.name:
            _make_trains_obsolete(t, spec.name)
    for name, private in t.state.privates.items():
        spec_of_private = t.spec.privates[name]
        is_owned_by_player = t.state.is_player(private.owner or "")
        stays_open = (spec_of_private.stays_with_player and is_owned_by_player) or (
            spec_of_private.stays_with_company and private.owner in t.state.companies
        )
        closes = phase.closes_privates if spec_of_private.closes_in is None else False
        if (closes and not stays_open) or spec_of_private.closes_in == phase.name:
            close_private(t, name)
    t.rules.on_phase(t)


def rust_trains(t: Table, train: TrainName) -> None:
    """Remove all trains of a type from companies and pool.

    Rules: R-C2C-211, R-CH-144.
    """
    owners_with_train_counts: list[tuple[CompanyId, int]] = []
    for company in t.state.companies.values():
        count = company.runnable_trains.count(train)
        if count:
            owners_with_train_counts.append((company.id, count))
            company.trains = [other for other in company.trains if other != train]
            company.obsolete = [other for other in company.obsolete if other != train]
            company.unsalable = [other for other in company.unsalable if other != train]
    t.state.pool = [other for other in t.state.pool if other != train]
    t.emit(TrainsRusted(train, tuple(owners_with_train_counts)))
    pay_salvage(t, train, owners_with_train_counts, t.spec.train(train).salvage)
    t.rules.on_rust(t, train, owners_with_train_counts)


def pay_salvage(
    t: Table, train: TrainName, owners_with_train_counts: Sequence[tuple[CompanyId, int]], dollars: int
) -> None:
    """Pay each owner `dollars` from the bank for each train that it has just lost.

    Rules: R-MS-006, R-TN-302.
    """
    for company, count in owners_with_train_counts if dollars else ():
        t.pay(BANK, company, dollars * count)
        t.emit(CompensationPaid(company, train, dollars * count))


def remove_trains_after_set(t: Table) -> None:
    """Remove trains that leave the game after the current set of operating rounds, also those in the bank.

    Rules: R-MS-006.
    """
    for train in t.spec.trains:
        if train.leaves_after_set == t.operating_round.set:
            t.state.depot[train.name] = 0
            rust_trains(t, train.name)


def _make_trains_obsolete(t: Table, train: TrainName) -> None:
    """Make a train type obsolete: companies run these trains once more (in some titles not all companies do).

    Trains in the pool leave at once.

    Rules: R-AL-185, R-AL-186, R-TN-163.
    """
    owners_keeping_trains: list[CompanyId] = []
    owners_losing_trains: list[CompanyId] = []
    for company in t.state.companies.values():
        count = company.trains.count(train)
        company.trains = [other for other in company.trains if other != train]
        if count and t.rules.runs_once_more(t, company):
            company.obsolete += [train] * count
        (owners_keeping_trains if train in company.obsolete else owners_losing_trains).extend(
            [company.id] * bool(count)
        )
    t.state.pool = [other for other in t.state.pool if other != train]
    t.emit(TrainsMadeObsolete(train, tuple(owners_keeping_trains), tuple(owners_losing_trains)))


def close_private(t: Table, private: str) -> None:
    """Close a private for good: no income, power or value remains (18Chesapeake 8).

    Rules: R-C2C-143.
    """
    private_state = t.state.privates[private]
    if not private_state.closed:
        private_state.closed = True
        private_state.owner = None
        t.emit(PrivateClosed(private))


def export_train(t: Table) -> None:
    """Export the next new train after a set of operating rounds, if its type is exported (18Chesapeake 11.9).

    Rules: R-CH-170.
    """
    train = next_new_train(t)
    if train is not None and train in t.spec.exported_trains:
        t.emit(TrainExported(train))
        take_train_from_bank(t, train)


def charter_limit(t: Table, company: Company) -> int:
    """Maximum number of trains on each of the company's charters in this phase.

    Rules: R-C2C-010, R-C2C-226.
    """
    phase = t.phase
    return phase.train_limits.get(t.kind_name(company), phase.train_limit)


def train_limit(t: Table, company: Company) -> int:
    """Maximum number of trains on all of the company's charters (18Chesapeake 8, 18NewEngland 8, R-C2C-226)."""
    return charter_limit(t, company) * len(trains_by_charter(company))


def counted_train_count(t: Table, company: Company) -> int:
    """Number of the company's trains that count towards the limit.

    Obsolete trains count unless a flag exempts them.

    Rules: R-AL-187, R-TN-164.
    """
    obsolete_count = len(company.obsolete)
    return len(company.trains) + (
        0 if not obsolete_count or t.rules.has_flag("obsolete_free_of_limit") else obsolete_count
    )


def companies_over_limit(t: Table) -> list[Company]:
    """Companies above the train limit, in the order in which they must discard (18Chesapeake 11.7).

    Rules: R-CH-143, R-NE-101.
    """
    lowest_limit = t.phase.lowest_train_limit
    companies = t.state.companies.values()
    companies_above_limit = [
        c for c in companies if (len(c.trains) > lowest_limit or c.obsolete) and _exceeds_limit(t, c)
    ]
    if not companies_above_limit or t.rules.has_flag("discards_in_list_order"):
        return companies_above_limit
    company_order = [company.id for company in operating_order(t)]
    return sorted(companies_above_limit, key=lambda company: company_order.index(company.id))


def _exceeds_limit(t: Table, company: Company) -> bool:
    limit = charter_limit(t, company)
    if len(company.trains) + len(company.obsolete) <= limit:
        return False
    charters = trains_by_charter(company)
    return max(map(len, charters)) > limit or counted_train_count(t, company) > limit * len(charters)
