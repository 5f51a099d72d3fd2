"""What begins, changes or ends with a phase."""

from collections.abc import Iterator

from engine.core.facts import Fact, fact
from engine.core.ids import PhaseName
from engine.core.spec import CityBonusPower, PhaseSpec, TitleSpec


def phase_changes(spec: TitleSpec, name: PhaseName) -> Iterator[Fact]:
    """What is otherwise from this phase on, but for what trains, privates and events of the title tell themselves."""
    at = next(number for number, phase in enumerate(spec.phases) if phase.name == name)
    if at:
        yield from limits(spec.phases[at - 1], spec.phases[at])
    yield from _for_sale(spec, spec.phases[at])
    yield from _buys_privates(spec, spec.phases[at])


def limits(before: PhaseSpec, phase: PhaseSpec) -> Iterator[Fact]:
    """What the columns of the phase chart say, where it changes."""
    fresh = [colour for colour in phase.tiles if colour not in before.tiles]
    if fresh:
        yield fact("coming.tiles", colours=fresh)
    if phase.train_limit != before.train_limit:
        yield fact("coming.limit", limit=phase.train_limit)
    yield from other_limits(before, phase)
    if phase.operating_rounds != before.operating_rounds:
        yield fact("coming.rounds", count=phase.operating_rounds)


def other_limits(before: PhaseSpec | None, phase: PhaseSpec) -> Iterator[Fact]:
    """Limits of other kinds of companies, where they change."""
    for kind, limit in phase.train_limits.items():
        if before is None or before.train_limits.get(kind) != limit:
            yield fact("coming.limit_of", kind=kind, limit=limit)


def events(spec: TitleSpec, phase: PhaseSpec) -> Iterator[Fact]:
    """What happens when the phase begins, and what is possible from then on."""
    rusting = [train.name for train in spec.trains if train.rusts_on == phase.name]
    obsolete = [train.name for train in spec.trains if train.obsolete_on == phase.name]
    if rusting:
        yield fact("coming.rust", trains=rusting)
    if obsolete:
        yield fact("coming.obsolete", trains=obsolete)
    yield from _for_sale(spec, phase)
    yield from _buys_privates(spec, phase)
    if phase.closes_privates:
        yield fact("coming.closes_privates")
    for power in (power for private in spec.privates.values() for power in private.powers):
        if isinstance(power, CityBonusPower) and power.until == phase.name:
            yield fact("coming.bonus_ends", name=power.name)
    if phase.note:
        yield fact("coming.note", words=phase.note)


def _for_sale(spec: TitleSpec, phase: PhaseSpec) -> Iterator[Fact]:
    fresh = [train.name for train in spec.trains if train.available_from == phase.name]
    if fresh:
        yield fact("coming.for_sale", trains=fresh)


def _buys_privates(spec: TitleSpec, phase: PhaseSpec) -> Iterator[Fact]:
    at = spec.phases.index(phase)
    before = spec.phases[at - 1] if at else None
    if phase.buy_privates and (before is None or before.buy_privates != phase.buy_privates):
        low, high = phase.buy_privates
        yield fact("coming.buys_privates", low=low, high=high)
