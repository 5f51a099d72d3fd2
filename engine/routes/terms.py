"""What the rules in force say about running: how far each train type goes and what stops are worth."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Self

from engine.board.map import Map, StopId
from engine.board.tiles import StopKind
from engine.ids import Coord, PhaseName, TrainName
from engine.spec import TitleSpec, TrainSpec

ALL_KINDS: Final[frozenset[StopKind]] = frozenset({"city", "town", "offboard"})
WITHOUT_TOWNS: Final[frozenset[StopKind]] = frozenset({"city", "offboard"})


@dataclass(frozen=True, slots=True)
class TrainTerms:
    """How far a train type goes and what it earns."""

    stops: int | None
    """Stops it may count; None: any number."""
    counted: frozenset[StopKind] = ALL_KINDS
    """Kinds of stops that use up the number; others on the way are free, and paid."""
    factor: int = 1
    """What the value of every stop that counts is multiplied by."""

    @classmethod
    def of(cls, spec: TrainSpec) -> "TrainTerms":
        """The terms of a train type as its title has them."""
        return cls(spec.stops, ALL_KINDS if spec.towns_count else WITHOUT_TOWNS, spec.factor)


@dataclass(frozen=True, slots=True)
class Bonus:
    """Dollars for one of the company's trains whose route visits all these hexes; never multiplied."""

    name: str
    hexes: frozenset[Coord]
    value: int


@dataclass(frozen=True, slots=True)
class Terms:
    """Everything a route is judged and priced by, apart from the map itself."""

    trains: Mapping[TrainName, TrainTerms] = field(default_factory=dict)
    step: int = 0
    """The revenue step of the present phase."""
    rule: str = "section 11.1"
    """Where the rulebook defines a route, for the sentences shown to players."""
    extra: Mapping[Coord, int] = field(default_factory=dict)
    """Dollars that every train of the company earns more at the stops of these hexes; never multiplied."""
    bonuses: tuple[Bonus, ...] = ()
    """Bonuses that the company's trains may earn, each by one train."""

    @classmethod
    def of(cls, spec: TitleSpec, phase: PhaseName) -> Self:
        """The terms of a title in this phase; raises TitleError for an unknown phase."""
        trains = {train.name: TrainTerms.of(train) for train in spec.trains}
        return cls(trains, spec.phase(phase).revenue_step)

    def value(self, board: Map, stop: StopId, train: TrainName) -> int:
        """Dollars this train earns at this stop."""
        factor = self.trains[train].factor if self.counts(board, stop, train) else 1
        return board.topology(stop[0]).stops[stop[1]].value(self.step) * factor + self.extra.get(stop[0], 0)

    def counts(self, board: Map, stop: StopId, train: TrainName) -> bool:
        """Whether this stop uses up one of the train's stops."""
        return board.topology(stop[0]).stops[stop[1]].kind in self.trains[train].counted


@dataclass(frozen=True, slots=True)
class VisitTerms(Terms):
    """Terms under which a route is worth $1 if it visits one hex, else nothing: for asking what a train can reach."""

    wanted: Coord = ""

    def value(self, board: Map, stop: StopId, train: TrainName) -> int:
        """One dollar at the hex that is asked for."""
        return int(stop[0] == self.wanted)
