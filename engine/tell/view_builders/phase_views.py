"""The views of the phases and of the trains that start them: what changes with each."""

from collections.abc import Iterator, Sequence

from engine.core.facts import Fact, fact
from engine.core.spec import PhaseSpec, TitleSpec
from engine.game import Game
from engine.play.table import Table
from engine.tell.phase_changes import events, limits, other_limits
from engine.tell.teller import tell
from engine.tell.view_builders.view_parts import caption
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
        changes=tuple(map(say, [*other_limits(_before(t.spec, phase), phase), *events(t.spec, phase)])),
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
            changes = [*limits(before, phase), *events(t.spec, phase)]
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
