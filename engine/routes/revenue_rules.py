"""Revenue rules: how many stops each train type counts, and the dollars of stops."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import inf
from typing import Final, Self

from engine.board.map import Map, StopId
from engine.core.ids import CompanyId, Coord, PhaseName, TrainName
from engine.core.spec import TitleSpec, TrainSpec
from engine.core.topology import StopKind

ALL_KINDS: Final[frozenset[StopKind]] = frozenset({"city", "town", "offboard"})
TOWN_KIND: Final[frozenset[StopKind]] = frozenset({"town"})
KINDS_WITHOUT_TOWNS: Final = ALL_KINDS - TOWN_KIND


@dataclass(frozen=True, slots=True)
class TrainRules:
    """Rules for one train type: the stops that it counts and the dollars they pay."""

    stops: int | None
    """Number of stops that it may count; None: any number."""
    counted: frozenset[StopKind] = ALL_KINDS
    """Kinds of stops that count against this number; stops of other kinds on the way are free, and pay."""
    optional: frozenset[StopKind] = frozenset()
    """Kinds of counted stops that the train may also pass without counting; they then pay nothing."""
    factor: int = 1
    """Factor for the value of each counted stop."""
    token_factor: int = 1
    """Additional factor for each counted stop with a token of the company."""
    joins: bool = False
    """True if all such trains of a company run as one train, with the stops of the shortest and its revenue multiplied
    by their number.
    """
    unfolds: int | None = None
    """Number of stops when run unfolded; None: it cannot be unfolded."""
    step: int | None = None
    """Its own revenue step; None: that of the phase."""
    visits: int | None = None
    """Stops it may visit, of which it counts the best; None: it counts all."""

    @classmethod
    def from_spec(cls, spec: TrainSpec) -> "TrainRules":
        """The rules for a train type in the data of its title."""
        return cls(
            spec.stops,
            KINDS_WITHOUT_TOWNS if spec.towns == "free" else ALL_KINDS,
            TOWN_KIND if spec.towns == "optional" else frozenset(),
            spec.factor,
            spec.token_factor,
            spec.joins,
            spec.unfolds,
            spec.revenue_step,
            spec.visits,
        )


@dataclass(frozen=True, slots=True)
class Bonus:
    """Dollars for a train whose route visits all these hexes; never multiplied."""

    name: str
    hexes: frozenset[Coord]
    value: int
    for_each: bool = False
    """True if each train that visits the hexes earns the bonus, not only one."""


@dataclass(frozen=True, slots=True)
class RouteRules:
    """Everything except the map that determines the legality and revenue of a route."""

    trains: Mapping[TrainName, TrainRules] = field(default_factory=dict)
    step: int = 0
    """The revenue step of the current phase."""
    extra_by_hex: Mapping[Coord, int] = field(default_factory=dict)
    """Extra dollars for each train of the company at stops in these hexes, except towns; never multiplied."""
    bonuses: tuple[Bonus, ...] = ()
    """Bonuses for the company's trains."""
    idle: tuple[TrainName, ...] = ()
    """Trains that do not run on their own, because another train runs for them."""
    stops_held: frozenset[StopId] = frozenset()
    """Stops that count as if a token of the company lay there, because one will."""
    east: Mapping[Coord, int] = field(default_factory=dict)
    """Dollars more for a route that counts this hex and one of the west."""
    west: Mapping[Coord, int] = field(default_factory=dict)
    """Dollars more for a route that counts this hex and one of the east."""
    mail: int = 0
    """Dollars more for each stop that the train visits which visits most."""
    through_full: bool = False
    """True if trains may run through cities filled with other companies' tokens."""

    @classmethod
    def from_spec(cls, spec: TitleSpec, phase: PhaseName) -> Self:
        """The route terms of a title in this phase. Raises TitleError if there is no such phase."""
        trains = {train.name: TrainRules.from_spec(train) for train in spec.trains}
        return cls(trains, spec.phase(phase).revenue_step)

    def running(self, trains: Sequence[TrainName]) -> Self:
        """The terms for a company with these trains: trains that join run as one (18NewEngland 11.5).

        Rules: R-NE-089.
        """
        joined_trains = [train for train in trains if self.trains[train].joins]
        if len(joined_trains) < 2:
            return self
        lead_train = min(joined_trains, key=self._stop_limit)
        idle_trains = list(joined_trains)
        idle_trains.remove(lead_train)
        joined_rules = replace(
            self.trains[lead_train], factor=self.trains[lead_train].factor * len(joined_trains)
        )
        return replace(self, trains={**self.trains, lead_train: joined_rules}, idle=tuple(idle_trains))

    def unfolded(self, train: TrainName) -> Self:
        """The terms for running this train unfolded: with more stops, each counted once (18C2C 3i).

        Rules: R-C2C-173.
        """
        train_spec = self.trains[train]
        unfolded_rules = replace(train_spec, stops=train_spec.unfolds, unfolds=None, factor=1, token_factor=1)
        return replace(self, trains={**self.trains, train: unfolded_rules})

    def separate_trains(self, trains: Sequence[TrainName]) -> list[TrainName]:
        """The trains that run on their own, without those that another train runs for."""
        if not self.idle:
            return list(trains)
        idle_counts, separate_names = Counter(self.idle), []
        for train in trains:
            if idle_counts[train]:
                idle_counts[train] -= 1
            else:
                separate_names.append(train)
        return separate_names

    def joined_name(self, train: TrainName) -> str:
        """The name under which the train runs, such as `5E+8E` if another train is joined to it."""
        return "+".join((train, *self.idle)) if self.trains[train].joins else train

    def _stop_limit(self, train: TrainName) -> float:
        stops = self.trains[train].stops
        return inf if stops is None else stops

    def value(self, board: Map, company: CompanyId, stop: StopId, train: TrainName) -> int:
        """Dollars that the train earns at this stop.

        Rules: R-AL-150, R-AL-151, R-C2C-172, R-C2C-175, R-CH-126, R-TN-142.
        """
        rules, stop_there = self.trains[train], board.topology(stop[0]).stops[stop[1]]
        factor = 1
        if stop_there.kind in rules.counted:
            factor = rules.factor * (rules.token_factor if self.owns(board, company, stop) else 1)
        extra = 0 if stop_there.kind == "town" else self.extra_by_hex.get(stop[0], 0)
        return stop_there.value(self.step if rules.step is None else rules.step) * factor + extra

    def owns(self, board: Map, company: CompanyId, stop: StopId) -> bool:
        """True if the company has a token at the stop, or the stop counts as if it had."""
        return stop in self.stops_held or board.has_token(company, stop)

    def is_counted(self, board: Map, stop: StopId, train: TrainName) -> bool:
        """True if the stop counts against the train's limit.

        Rules: R-AL-147, R-TN-141.
        """
        is_kind_counted = board.topology(stop[0]).stops[stop[1]].kind in self.trains[train].counted
        return is_kind_counted and not board.hexes[stop[0]].uncounted

    def may_pass_by(self, board: Map, stop: StopId, train: TrainName) -> bool:
        """True if the train may pass the stop without stopping.

        Rules: R-NE-088.
        """
        return board.topology(stop[0]).stops[stop[1]].kind in self.trains[train].optional

    def counted_stops(self, board: Map, stops: Sequence[StopId], train: TrainName) -> int:
        """Number of these stops that the train must count."""
        counted_kinds = self.trains[train].counted - self.trains[train].optional
        kinds = [
            board.topology(coord).stops[index].kind
            for coord, index in stops
            if not board.hexes[coord].uncounted
        ]
        return sum([kind in counted_kinds for kind in kinds])

    def stop_revenues(
        self, board: Map, company: CompanyId, stops: Sequence[StopId], train: TrainName
    ) -> tuple[int, ...]:
        """Dollars at each stop; beyond the limit, the train passes the cheapest optional stops without pay."""
        values = [self.value(board, company, stop, train) for stop in stops]
        limit = self.trains[train].stops
        if self.trains[train].visits is not None and limit is not None:
            counted = self._best_counted(board, company, stops, values, limit)
            return tuple(value if i in counted else 0 for i, value in enumerate(values))
        if limit is not None and self.trains[train].optional:
            room_for_optional = max(0, limit - self.counted_stops(board, stops, train))
            optional_stops = [i for i, stop in enumerate(stops) if self.may_pass_by(board, stop, train)]
            for i in sorted(optional_stops, key=lambda i: -values[i])[room_for_optional:]:
                values[i] = 0
        return tuple(values)

    def _best_counted(
        self, board: Map, company: CompanyId, stops: Sequence[StopId], values: Sequence[int], limit: int
    ) -> tuple[int, ...]:
        """Indexes of the stops that earn most together, an own token among them.

        Rules: R-1846-092, R-1846-093.
        """
        tokens = {i for i, stop in enumerate(stops) if self.owns(board, company, stop)}
        choices = (
            chosen
            for chosen in combinations(range(len(stops)), min(limit, len(stops)))
            if not tokens.isdisjoint(chosen)
        )
        return max(
            choices,
            key=lambda chosen: (
                sum(values[i] for i in chosen) + self.east_west_bonus([stops[i][0] for i in chosen])
            ),
            default=(),
        )

    def east_west_bonus(self, counted_hexes: Collection[Coord]) -> int:
        """Dollars more for a route that counts these hexes, if one is eastern and one western."""
        east = next((self.east[coord] for coord in counted_hexes if coord in self.east), 0)
        west = next((self.west[coord] for coord in counted_hexes if coord in self.west), 0)
        return east + west if east and west else 0


@dataclass(frozen=True, slots=True)
class VisitRules(RouteRules):
    """Terms under which a route is worth $1 if it visits one hex; used to find out if a train can reach the hex."""

    wanted_hex: Coord = ""

    def value(self, board: Map, company: CompanyId, stop: StopId, train: TrainName) -> int:
        """One dollar at the wanted hex, 0 elsewhere."""
        return int(stop[0] == self.wanted_hex)
