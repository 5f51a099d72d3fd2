"""What the rules in force say about running: how far each train type goes and what stops are worth."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.board.map import Map, StopId
from engine.board.tiles import StopKind
from engine.ids import PhaseName, TrainName
from engine.spec import TitleSpec

ALL_KINDS: Final[frozenset[StopKind]] = frozenset({"city", "town", "offboard"})


@dataclass(frozen=True, slots=True)
class TrainTerms:
    """How far a train type goes and what it earns."""

    stops: int | None
    """Stops it may count; None: any number."""
    counted: frozenset[StopKind] = ALL_KINDS
    """Kinds of stops that use up the number; others on the way are free, and paid."""
    factor: int = 1
    """What the value of every stop is multiplied by."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Everything a route is judged and priced by, apart from the map itself."""

    trains: Mapping[TrainName, TrainTerms] = field(default_factory=dict)
    step: int = 0
    """The revenue step of the present phase."""
    rule: str = "section 11.1"
    """Where the rulebook defines a route, for the sentences shown to players."""

    @classmethod
    def of(cls, spec: TitleSpec, phase: PhaseName) -> "Terms":
        """The terms of a title in this phase; raises TitleError for an unknown phase."""
        trains = {train.name: TrainTerms(train.stops) for train in spec.trains}
        return cls(trains, spec.phase(phase).revenue_step)

    def value(self, board: Map, stop: StopId, train: TrainName) -> int:
        """Dollars this train earns at this stop."""
        return board.topology(stop[0]).stops[stop[1]].value(self.step) * self.trains[train].factor

    def counts(self, board: Map, stop: StopId, train: TrainName) -> bool:
        """Whether this stop uses up one of the train's stops."""
        return board.topology(stop[0]).stops[stop[1]].kind in self.trains[train].counted
