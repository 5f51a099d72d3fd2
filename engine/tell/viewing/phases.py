"""The views of the phases and of the trains that start them: what changes with each."""

from collections.abc import Iterator, Sequence

from engine.core.facts import Fact, fact
from engine.core.spec import CityBonusPower, PhaseSpec, TitleSpec
from engine.game import Game
from engine.play.table import Table
from engine.tell.teller import tell
from engine.tell.viewing.parts import caption
from engine.tell.views import ComingView, PhasesView, PhaseView


def phases_view(game: Game) -> PhasesView:
    """Every phase with what it changes, and every train."""
    t = game.table
    return PhasesView(t.spec.name, caption(game), tuple(_phase(game, phase) for phase in t.spec.phases))


def _phase(game: Game, phase: PhaseSpec) -> PhaseView:
    t, say = game.table, tell(game).say
    reached = _names(t.spec).index(phase.name) <= _names(t.spec).index(t.state.phase)
    return PhaseView(
        name=phase.name,
        started_by="" if phase.train is None else say(_starter(phase)),
        tiles=phase.tiles,
        train_limit=phase.train_limit,
        operating_rounds=phase.operating_rounds,
        changes=tuple(map(say, [*_other_limits(_before(t.spec, phase), phase), *_events(t.spec, phase)])),
        reached=reached,
        current=phase.name == t.state.phase,
    )


def _before(spec: TitleSpec, phase: PhaseSpec) -> PhaseSpec | None:
    at = spec.phases.index(phase)
    return spec.phases[at - 1] if at else None


def _starter(phase: PhaseSpec) -> Fact:
    return fact("coming.first" if phase.nth == 1 else "coming.nth", train=phase.train, nth=phase.nth)


def coming_trains(game: Game) -> tuple[ComingView, ...]:
    """The trains left in the bank, each with what the first of them, or a later one, will change."""
    t = game.table
    return tuple(
        ComingView(train.name, left, train.price, _brings(game, train.name))
        for train in t.spec.trains
        if (left := t.state.depot[train.name]) is None or left
    )


def _brings(game: Game, train: str) -> tuple[str, ...]:
    t, say = game.table, tell(game).say
    found: list[str] = []
    for before, phase in _still_to_come(t):
        if phase.train == train:
            changes = [*_limits(before, phase), *_events(t.spec, phase)]
            later = [] if phase.nth == 1 else [fact("coming.number", nth=phase.nth)]
            found.extend(map(say, [*later, *changes]))
    return tuple(found)


def _still_to_come(t: Table) -> Iterator[tuple[PhaseSpec, PhaseSpec]]:
    """Phases that have not begun, each behind the one before it."""
    phases = t.spec.phases
    now = _names(t.spec).index(t.state.phase)
    yield from zip(phases[now:], phases[now + 1 :], strict=False)


def _names(spec: TitleSpec) -> Sequence[str]:
    return [phase.name for phase in spec.phases]


def _limits(before: PhaseSpec, phase: PhaseSpec) -> Iterator[Fact]:
    """What the columns of the phase chart say, where it changes."""
    fresh = [colour for colour in phase.tiles if colour not in before.tiles]
    if fresh:
        yield fact("coming.tiles", colours=fresh)
    if phase.train_limit != before.train_limit:
        yield fact("coming.limit", limit=phase.train_limit)
    yield from _other_limits(before, phase)
    if phase.operating_rounds != before.operating_rounds:
        yield fact("coming.rounds", count=phase.operating_rounds)


def _other_limits(before: PhaseSpec | None, phase: PhaseSpec) -> Iterator[Fact]:
    """Limits of other kinds of companies, where they change."""
    for kind, limit in phase.train_limits.items():
        if before is None or before.train_limits.get(kind) != limit:
            yield fact("coming.limit_of", kind=kind, limit=limit)


def _events(spec: TitleSpec, phase: PhaseSpec) -> Iterator[Fact]:
    """What happens when the phase begins, and what is possible from then on."""
    rusting = [train.name for train in spec.trains if train.rusts_on == phase.name]
    obsolete = [train.name for train in spec.trains if train.obsolete_on == phase.name]
    fresh = [train.name for train in spec.trains if train.available_from == phase.name]
    if rusting:
        yield fact("coming.rust", trains=rusting)
    if obsolete:
        yield fact("coming.obsolete", trains=obsolete)
    if fresh:
        yield fact("coming.for_sale", trains=fresh)
    yield from _privates(spec, phase)
    for power in (power for private in spec.privates.values() for power in private.powers):
        if isinstance(power, CityBonusPower) and power.until == phase.name:
            yield fact("coming.bonus_ends", name=power.name)
    if phase.note:
        yield fact("coming.note", words=phase.note)


def _privates(spec: TitleSpec, phase: PhaseSpec) -> Iterator[Fact]:
    before = _before(spec, phase)
    if phase.buy_privates and (before is None or before.buy_privates != phase.buy_privates):
        low, high = phase.buy_privates
        yield fact("coming.buys_privates", low=low, high=high)
    if phase.closes_privates:
        yield fact("coming.closes_privates")
