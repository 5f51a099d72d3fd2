"""Routes and runs: the only module that checks routes and computes their revenue.

A route is continuous track between two stops with a token of the company on it. It visits no stop or area twice, uses
no track twice, and passes neither a city filled with other companies' tokens nor a red area. The trains of a company
share no track.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.board.map import Map, StopId
from engine.board.track import PieceId, track_of
from engine.core.errors import IllegalAction, Unreadable
from engine.core.facts import fact
from engine.core.ids import CompanyId, Coord, TrainName
from engine.core.topology import FIRST_STOP, End, is_edge
from engine.routes.revenue_rules import RouteRules

TRACK_PIECE_PATTERN = re.compile(r"(?P<coord>[A-Za-z]+\d+)\.(?P<a>[0-5a-z])-(?P<b>[0-5a-z])")


@dataclass(frozen=True, slots=True)
class Route:
    """The route of one train, not checked: pieces of track in travelling order, from stop to stop."""

    train: TrainName
    pieces: tuple[PieceId, ...]

    def text(self) -> str:
        """The route as text: `3:H4.a-0 H6.3-a` is a 3-train from a stop of H4 across edge 0 into H6."""
        return f"{self.train}:{' '.join(map(_piece_text, self.pieces))}"

    @classmethod
    def read(cls, text: str) -> "Route":
        """Parse a route from text as `Route.text` writes it. Raises Unreadable if the text is not a route."""
        train, colon, track = text.strip().partition(":")
        pieces = [_read_piece(piece_text) for piece_text in track.split()]
        if not colon or not train or not pieces or None in pieces:
            raise Unreadable(fact("unreadable.route", text=text))
        return cls(train, tuple([piece for piece in pieces if piece]))

    def stops(self) -> tuple[StopId, ...]:
        """The stops in travelling order."""
        if not self.pieces:
            return ()
        coord, start, _ = self.pieces[0]
        ends = [(coord, start), *((coord, far_end) for coord, _, far_end in self.pieces)]
        return tuple((coord, end - FIRST_STOP) for coord, end in ends if end >= FIRST_STOP)


@lru_cache(maxsize=8192)
def _piece_text(piece: PieceId) -> str:
    coord, near_end, far_end = piece
    return f"{coord}.{_end_letter(near_end)}-{_end_letter(far_end)}"


@lru_cache(maxsize=8192)
def _read_piece(piece_text: str) -> PieceId | None:
    match = TRACK_PIECE_PATTERN.fullmatch(piece_text)
    return None if match is None else (match["coord"], _read_end(match["a"]), _read_end(match["b"]))


def _end_letter(end: End) -> str:
    return str(end) if is_edge(end) else chr(ord("a") + end - FIRST_STOP)


def _read_end(letter: str) -> End:
    return int(letter) if letter.isdigit() else FIRST_STOP + ord(letter) - ord("a")


class RouteProblem(IllegalAction):
    """The error for a route that can be read but breaks a rule.

    The error's topic is `reach` if a single route is illegal, and `routes` if several routes are illegal
    together.
    """


@dataclass(frozen=True, slots=True)
class Run:
    """A legal route with its stops and revenue.

    `values` are the dollars of each stop, followed by the bonuses; `value` is their sum.
    """

    route: Route
    stops: tuple[StopId, ...]
    values: tuple[int, ...]
    value: int

    def sum_text(self) -> str:
        """The run's revenue as players write it, such as `30+50+20`."""
        return sum_text(self.values)


def sum_text(values: Sequence[int]) -> str:
    """Dollars as a sum such as `30+50+20`; stops that pay nothing are left out."""
    return "+".join(str(value) for value in values if value) or "0"


@dataclass(slots=True)
class _CachedCheck:
    arguments: object = None
    runs: tuple[Run, ...] = ()


def _empty_check(board: Map) -> _CachedCheck:
    del board
    return _CachedCheck()


def check_route_texts(
    board: Map, company: CompanyId, trains: Sequence[TrainName], texts: tuple[str, ...], rules: RouteRules
) -> tuple[Run, ...]:
    """Check routes given as texts, and return a Run with the revenue for each. The last result is cached.

    Raises RouteProblem with the broken rule.
    """
    last_check = board.cached(_empty_check)
    arguments = (board.version, company, tuple(trains), texts, rules)
    if arguments != last_check.arguments:
        last_check.runs = check_routes(board, company, trains, [Route.read(text) for text in texts], rules)
        last_check.arguments = arguments
    return last_check.runs


def check_routes(
    board: Map, company: CompanyId, trains: Sequence[TrainName], routes: Sequence[Route], rules: RouteRules
) -> tuple[Run, ...]:
    """Check these routes, and return a Run with the revenue for each, in order.

    Raises RouteProblem with the broken rule.

    Rules: R-AL-141, R-AL-148, R-CH-125, R-NE-087, R-TN-140.
    """
    _check_trains(company, trains, routes, rules)
    used_bits = 0
    runs = []
    for route in routes:
        run, track_bits = _checked_run(board, company, route, rules)
        if track_bits & used_bits:
            raise RouteProblem(fact("routes.shared_track", route=_path_text(run.stops)))
        used_bits |= track_bits
        runs.append(run)
    return _add_bonuses(runs, rules)


def _add_bonuses(runs: Sequence[Run], rules: RouteRules) -> tuple[Run, ...]:
    """The runs with bonuses added, which are never multiplied.

    The first run that visits all hexes of a bonus earns it; for some bonuses, every such run does.
    """
    if not rules.bonuses and not (rules.mail_dollars and runs):
        return tuple(runs)
    bonuses_by_run: list[list[int]] = [[] for _ in runs]
    for bonus in rules.bonuses:
        run_indexes = [i for i, run in enumerate(runs) if bonus.hexes <= {coord for coord, _ in run.stops}]
        for run_index in run_indexes if bonus.is_for_each_train else run_indexes[:1]:
            bonuses_by_run[run_index].append(bonus.value)
    if rules.mail_dollars:
        longest_index = max(range(len(runs)), key=lambda i: len(runs[i].stops))
        bonuses_by_run[longest_index].append(rules.mail_dollars * len(runs[longest_index].stops))
    return tuple(
        Run(run.route, run.stops, (*run.values, *run_bonuses), run.value + sum(run_bonuses))
        for run, run_bonuses in zip(runs, bonuses_by_run, strict=True)
    )


def _check_trains(
    company: CompanyId, trains: Sequence[TrainName], routes: Sequence[Route], rules: RouteRules
) -> None:
    trains_used = [route.train for route in routes]
    if any(trains_used.count(train) > trains.count(train) for train in trains_used):
        name = "routes.each_train_once" if trains else "routes.no_train"
        raise RouteProblem(fact(name, company=company, trains=tuple(trains)))
    separate_trains = rules.separate_trains(trains)
    if rules.idle_trains and any(
        trains_used.count(train) > separate_trains.count(train) for train in trains_used
    ):
        raise RouteProblem(
            fact(
                "routes.run_together",
                idle=tuple(rules.idle_trains),
                company=company,
                trains=tuple(separate_trains),
            )
        )


def _path_text(stops: Sequence[StopId]) -> str:
    return "-".join(coord for coord, _ in stops)


def _checked_run(board: Map, company: CompanyId, route: Route, rules: RouteRules) -> tuple[Run, int]:
    """Check one route; returns the Run with its revenue, and a bit mask of the track it uses.

    Rules: R-AL-140, R-AL-143, R-AL-144, R-AL-145, R-AL-146, R-AL-147, R-C2C-170, R-C2C-171, R-CH-120, R-CH-121,
    R-CH-123, R-CH-124, R-NE-085, R-TN-140, R-TN-141.
    """
    bits = _track_bits(board, route)
    stops = route.stops()
    _check_stops(board, company, stops, rules)
    _check_length(board, route.train, stops, rules)
    values = rules.stop_revenues(board, company, stops, route.train)
    if rules.east_dollars_by_hex:
        bonus = rules.east_west_bonus(
            [coord for (coord, _), value in zip(stops, values, strict=True) if value]
        )
        values = (*values, bonus) if bonus else values
    return Run(route, stops, values, sum(values)), bits


def _track_bits(board: Map, route: Route) -> int:
    """A bit mask of the track that a route uses.

    Raises RouteProblem if track is missing, disconnected or used twice.

    Rules: R-AL-141, R-AL-142, R-C2C-170, R-CH-122, R-TN-140.
    """
    if not route.pieces or is_edge(route.pieces[0][1]) or is_edge(route.pieces[-1][2]):
        raise RouteProblem(fact("reach.ends_at_stops"))
    track, used_bits = track_of(board), 0
    current_end: tuple[Coord, End] | None = route.pieces[0][:2]
    for coord, near_end, far_end in route.pieces:
        if coord not in board.hexes or (near_end, far_end) not in board.topology(coord).joined:
            raise RouteProblem(fact("reach.no_such_track", hex=coord))
        if current_end != (coord, near_end):
            raise RouteProblem(fact("reach.not_continuous", hex=coord))
        if far_end < FIRST_STOP:
            bit, current_end = track.crossing(coord, far_end)
        else:
            bit, current_end = (
                0 if is_edge(near_end) else track.bit_of_inner_track(coord, near_end, far_end),
                (coord, far_end),
            )
        if bit & used_bits:
            raise RouteProblem(fact("reach.track_twice", hex=coord))
        used_bits |= bit
    return used_bits


def _check_stops(board: Map, company: CompanyId, stops: Sequence[StopId], rules: RouteRules) -> None:
    stop_by_area: dict[object, StopId] = {}
    for stop in stops:
        area = board.visited_place(stop)
        if area in stop_by_area:
            raise RouteProblem(fact("reach.stop_twice", place=board.hexes[stop[0]].stop_group or stop[0]))
        stop_by_area[area] = stop
    if not any(rules.has_token_at(board, company, stop) for stop in stops):
        raise RouteProblem(fact("reach.no_token", route=_path_text(stops), company=company))
    for coord, index in stops[1:-1]:
        if board.is_terminal(coord):
            raise RouteProblem(fact("reach.red_area", hex=coord))
        if board.blocks_routes_of(coord, index, company) and not rules.may_pass_full_cities:
            raise RouteProblem(fact("reach.full_city", hex=coord))


def _check_length(board: Map, train: TrainName, stops: Sequence[StopId], rules: RouteRules) -> None:
    train_rules = rules.trains[train]
    limit, counted_stops = train_rules.max_stops, rules.counted_stops(board, stops, train)
    if train_rules.max_visits is not None:
        limit, counted_stops = train_rules.max_visits, len(stops)
    if limit is not None and counted_stops > limit:
        raise RouteProblem(
            fact("routes.too_long", route=_path_text(stops), stops=counted_stops, train=train, limit=limit)
        )
