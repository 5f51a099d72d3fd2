"""Revenue rules: how many stops each train type counts, and the dollars of each stop."""

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

ALL_STOP_KINDS: Final[frozenset[StopKind]] = frozenset({"city", "town", "offboard"})
TOWN_KIND: Final[frozenset[StopKind]] = frozenset({"town"})
STOP_KINDS_WITHOUT_TOWNS: Final = ALL_STOP_KINDS - TOWN_KIND


@dataclass(frozen=True, slots=True)
class TrainRules:
    """Rules for one train type: the stops it counts and the dollars they pay."""

    max_stops: int | None
    """Maximum number of stops that the train counts; None: any number."""
    counted_kinds: frozenset[StopKind] = ALL_STOP_KINDS
    """Kinds of stops that count against the limit. The train is also paid for other stops, without counting them."""
    optional_kinds: frozenset[StopKind] = frozenset()
    """Kinds of counted stops that the train may also pass without counting; they pay nothing in that case."""
    revenue_factor: int = 1
    """Multiplier for the revenue of each counted stop."""
    token_factor: int = 1
    """Additional multiplier for each counted stop with a token of the company."""
    run_as_one_train: bool = False
    """True if a company joins its trains of this type into one train (18NewEngland).

    The joined train runs as far as the shortest of them, and its revenue is multiplied by their number.
    """
    unfolded_stops: int | None = None
    """Number of stops if the train runs unfolded, which means without doubled revenue (18C2C); None: it cannot."""
    revenue_step: int | None = None
    """Index of the revenue step for this train; None: the step of the phase."""
    max_visits: int | None = None
    """Maximum number of stops that the train visits; it counts the best of them. None: it counts all."""

    @classmethod
    def from_spec(cls, spec: TrainSpec) -> "TrainRules":
        """The route rules of a train type in a title's data."""
        return cls(
            spec.max_stops,
            STOP_KINDS_WITHOUT_TOWNS if spec.towns == "free" else ALL_STOP_KINDS,
            TOWN_KIND if spec.towns == "optional" else frozenset(),
            spec.revenue_factor,
            spec.token_factor,
            spec.run_as_one_train,
            spec.unfolded_stops,
            spec.revenue_step,
            spec.max_visits,
        )


@dataclass(frozen=True, slots=True)
class Bonus:
    """Extra dollars for a train whose route visits all these hexes; never multiplied."""

    name: str
    hexes: frozenset[Coord]
    value: int
    is_for_each_train: bool = False
    """True if every train that visits the hexes earns the bonus; False if only one does."""


@dataclass(frozen=True, slots=True)
class RouteRules:
    """All rules that determine the legality and revenue of a route, apart from the map."""

    trains: Mapping[TrainName, TrainRules] = field(default_factory=dict)
    step: int = 0
    """Index of the revenue step in the current phase, from 0."""
    extra_dollars_by_hex: Mapping[Coord, int] = field(default_factory=dict)
    """Extra dollars for each of the company's trains that stops in these hexes, except in towns; never multiplied."""
    bonuses: tuple[Bonus, ...] = ()
    """Bonuses that the company's trains can earn."""
    idle_trains: tuple[TrainName, ...] = ()
    """Idle trains: they do not run themselves, because another train runs for them."""
    stops_with_coming_token: frozenset[StopId] = frozenset()
    """Stops that count as if the company had a token there, because it will place one."""
    east_dollars_by_hex: Mapping[Coord, int] = field(default_factory=dict)
    """Hexes in the east, with the dollars that each adds to a route that counts an eastern and a western hex."""
    west_dollars_by_hex: Mapping[Coord, int] = field(default_factory=dict)
    """Hexes in the west, with the dollars that each adds to a route that counts an eastern and a western hex."""
    mail_dollars: int = 0
    """Extra dollars for each visited stop (mail contract), paid to the train that visits the most stops."""
    may_pass_full_cities: bool = False
    """True if trains may run through cities that are full of other companies' tokens."""

    @classmethod
    def from_spec(cls, spec: TitleSpec, phase: PhaseName) -> Self:
        """The route rules of a title in this phase. Raises TitleError if there is no such phase."""
        trains = {train.name: TrainRules.from_spec(train) for train in spec.trains}
        return cls(trains, spec.phase(phase).revenue_step)

    def for_trains(self, trains: Sequence[TrainName]) -> Self:
        """These route rules for a company that runs these trains; some trains run as one (18NewEngland 11.5).

        Rules: R-NE-089.
        """
        joined_trains = [train for train in trains if self.trains[train].run_as_one_train]
        if len(joined_trains) < 2:
            return self
        lead_train = min(joined_trains, key=self._stop_limit)
        idle_trains = list(joined_trains)
        idle_trains.remove(lead_train)
        joined_rules = replace(
            self.trains[lead_train],
            revenue_factor=self.trains[lead_train].revenue_factor * len(joined_trains),
        )
        return replace(self, trains={**self.trains, lead_train: joined_rules}, idle_trains=tuple(idle_trains))

    def unfold_train(self, train: TrainName) -> Self:
        """The route rules for running this train unfolded: more stops, each counted once instead of doubled (18C2C 3i).

        Rules: R-C2C-173.
        """
        train_rules = self.trains[train]
        unfolded_rules = replace(
            train_rules,
            max_stops=train_rules.unfolded_stops,
            unfolded_stops=None,
            revenue_factor=1,
            token_factor=1,
        )
        return replace(self, trains={**self.trains, train: unfolded_rules})

    def separate_trains(self, trains: Sequence[TrainName]) -> list[TrainName]:
        """The trains that run, without those that another train runs for."""
        if not self.idle_trains:
            return list(trains)
        idle_counts, separate_names = Counter(self.idle_trains), []
        for train in trains:
            if idle_counts[train]:
                idle_counts[train] -= 1
            else:
                separate_names.append(train)
        return separate_names

    def joined_train_name(self, train: TrainName) -> str:
        """The train's name in a run, such as `5E+8E` for two trains that run as one."""
        return "+".join((train, *self.idle_trains)) if self.trains[train].run_as_one_train else train

    def _stop_limit(self, train: TrainName) -> float:
        stops = self.trains[train].max_stops
        return inf if stops is None else stops

    def value(self, board: Map, company: CompanyId, stop: StopId, train: TrainName) -> int:
        """Dollars that the train earns at this stop.

        Rules: R-AL-150, R-AL-151, R-C2C-172, R-C2C-175, R-CH-126, R-TN-142.
        """
        rules, stop_on_tile = self.trains[train], board.topology(stop[0]).stops[stop[1]]
        factor = 1
        if stop_on_tile.kind in rules.counted_kinds:
            factor = rules.revenue_factor * (
                rules.token_factor if self.has_token_at(board, company, stop) else 1
            )
        extra_dollars = 0 if stop_on_tile.kind == "town" else self.extra_dollars_by_hex.get(stop[0], 0)
        return (
            stop_on_tile.value(self.step if rules.revenue_step is None else rules.revenue_step) * factor
            + extra_dollars
        )

    def has_token_at(self, board: Map, company: CompanyId, stop: StopId) -> bool:
        """True if the company has a token at the stop, or the stop counts as if it had one."""
        return stop in self.stops_with_coming_token or board.has_token(company, stop)

    def is_counted(self, board: Map, stop: StopId, train: TrainName) -> bool:
        """True if the stop counts against the train's limit.

        Rules: R-AL-147, R-TN-141.
        """
        is_kind_counted = board.topology(stop[0]).stops[stop[1]].kind in self.trains[train].counted_kinds
        return is_kind_counted and not board.hexes[stop[0]].has_uncounted_stop

    def may_pass_by(self, board: Map, stop: StopId, train: TrainName) -> bool:
        """True if the train may pass through the stop without stopping.

        Rules: R-NE-088.
        """
        return board.topology(stop[0]).stops[stop[1]].kind in self.trains[train].optional_kinds

    def counted_stops(self, board: Map, stops: Sequence[StopId], train: TrainName) -> int:
        """Number of these stops that the train must count."""
        counted_kinds = self.trains[train].counted_kinds - self.trains[train].optional_kinds
        kinds = [
            board.topology(coord).stops[index].kind
            for coord, index in stops
            if not board.hexes[coord].has_uncounted_stop
        ]
        return sum([kind in counted_kinds for kind in kinds])

    def stop_revenues(
        self, board: Map, company: CompanyId, stops: Sequence[StopId], train: TrainName
    ) -> tuple[int, ...]:
        """Dollars that the train earns at each stop of a route.

        If the route has more stops than the train's limit, the train earns nothing at the cheapest optional stops.
        """
        values = [self.value(board, company, stop, train) for stop in stops]
        limit = self.trains[train].max_stops
        if self.trains[train].max_visits is not None and limit is not None:
            counted_indexes = self._best_counted_stops(board, company, stops, values, limit)
            return tuple(value if i in counted_indexes else 0 for i, value in enumerate(values))
        if limit is not None and self.trains[train].optional_kinds:
            optional_stop_limit = max(0, limit - self.counted_stops(board, stops, train))
            optional_stops = [i for i, stop in enumerate(stops) if self.may_pass_by(board, stop, train)]
            for i in sorted(optional_stops, key=lambda i: -values[i])[optional_stop_limit:]:
                values[i] = 0
        return tuple(values)

    def _best_counted_stops(
        self, board: Map, company: CompanyId, stops: Sequence[StopId], values: Sequence[int], limit: int
    ) -> tuple[int, ...]:
        """Indexes of at most `limit` stops that earn most, at least one of them with a token of the company.

        The sum includes the east-west bonus. Empty if no stop has such a token.

        Rules: R-1846-092, R-1846-093.
        """
        tokens = {i for i, stop in enumerate(stops) if self.has_token_at(board, company, stop)}
        choices = (
            indexes
            for indexes in combinations(range(len(stops)), min(limit, len(stops)))
            if not tokens.isdisjoint(indexes)
        )
        return max(
            choices,
            key=lambda indexes: (
                sum(values[i] for i in indexes) + self.east_west_bonus([stops[i][0] for i in indexes])
            ),
            default=(),
        )

    def east_west_bonus(self, counted_hexes: Collection[Coord]) -> int:
        """Extra dollars for a route that counts these hexes, if one is eastern and one western; else 0."""
        east_dollars = next(
            (self.east_dollars_by_hex[coord] for coord in counted_hexes if coord in self.east_dollars_by_hex),
            0,
        )
        west_dollars = next(
            (self.west_dollars_by_hex[coord] for coord in counted_hexes if coord in self.west_dollars_by_hex),
            0,
        )
        return east_dollars + west_dollars if east_dollars and west_dollars else 0


@dataclass(frozen=True, slots=True)
class VisitRules(RouteRules):
    """Route rules in which a route is worth $1 if it visits one given hex, else nothing.

    A search under these rules finds out if a train can reach the hex.
    """

    wanted_hex: Coord = ""

    def value(self, board: Map, company: CompanyId, stop: StopId, train: TrainName) -> int:
        """1 at the given hex, 0 at all other stops."""
        return int(stop[0] == self.wanted_hex)
