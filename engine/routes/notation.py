"""Routes as players type them: `H4-G5-F6`, or `3:H4-G5-F6` to name the train. Spaces or commas separate routes.

A typed route names its stops in order, and optionally hexes between them. If it names every hex of a legal route, it
means that route. A hex named once can stand for several of its stops, if track inside the hex connects them. If several
routes fit, the one with the highest revenue counts; among equal ones, the shortest. If several are still left, the
player must choose. Text written by `Route.text` is also accepted.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, permutations, product
from typing import Final, TypeAlias

from engine.board.map import Map, StopId
from engine.board.track import PieceId, track_of, undirected_piece
from engine.core.errors import Ambiguous, Unreadable
from engine.core.facts import fact
from engine.core.ids import CompanyId, Coord, TrainName
from engine.core.offers import MAX_CHOICES_LISTED
from engine.core.topology import FIRST_STOP
from engine.routes.legal_routes import Route, RouteProblem, Run, check_routes
from engine.routes.revenue_rules import RouteRules

MAX_READINGS: Final = 8
"""Maximum number of interpretations tried for one typed route, shortest first.

The limit keeps vague text fast to read.
"""
_MAX_WAYS_SEARCHED: Final = 500
MAX_TYPED_LETTERS: Final = 2_000
"""Maximum length in letters of the text with a player's typed routes.

Even the longest routes of any map, with every hex named, are shorter.
"""
MAX_LETTERS_SHOWN: Final = 100
"""Maximum number of letters of unreadable text that an error message quotes."""
HEX_PATH_PATTERN: Final = re.compile(r"[A-Za-z]+[0-9]+(?:-[A-Za-z]+[0-9]+)+")


TrackWay: TypeAlias = tuple[PieceId, ...]
"""The track of one interpretation of a typed route, as pieces in travelling order."""


@dataclass(frozen=True, slots=True)
class _TypedRoute:
    """One typed route: the hexes it names, and the train (None: not named)."""

    train: TrainName | None
    hexes: tuple[Coord, ...]

    def text(self) -> str:
        return "-".join(self.hexes)


def read_routes(
    board: Map, company: CompanyId, trains: Sequence[TrainName], rules: RouteRules, text: str
) -> tuple[Route, ...]:
    """Parse typed routes for these trains.

    Raises Unreadable, RouteProblem if no interpretation is legal, or Ambiguous if several are equally good.
    """
    if len(text) > MAX_TYPED_LETTERS:
        raise Unreadable(fact("unreadable.long_routes", letters=len(text), most=MAX_TYPED_LETTERS))
    if "." in text:
        routes = tuple(Route.read(route_text) for route_text in re.split(r"[,;]", text))
        check_routes(board, company, trains, routes, rules)
        return routes
    reader = _RouteReader(board, company, tuple(trains), rules, _read_typed_routes(board, trains, text))
    return _best_reading(reader.typed_routes, reader.legal_readings())


@dataclass(frozen=True, slots=True)
class _RouteReader:
    """Finds the sets of routes that typed text can mean."""

    board: Map
    company: CompanyId
    trains: tuple[TrainName, ...]
    rules: RouteRules
    typed_routes: Sequence[_TypedRoute]

    def legal_readings(self) -> list[tuple[Run, ...]]:
        """The legal interpretations of the text.

        If a legal route has exactly the hexes that the player named, only that one counts. Raises RouteProblem if there
        is none.
        """
        self._require_trains()
        ways_by_route = [self._ways_for_one_train(typed_route) for typed_route in self.typed_routes]
        fully_named_ways = [
            [way for way in route_ways if _hexes_of(way) == typed_route.hexes] or route_ways
            for typed_route, route_ways in zip(self.typed_routes, ways_by_route, strict=True)
        ]
        try:
            return self._legal_combinations(fully_named_ways)
        except RouteProblem:
            return self._legal_combinations(ways_by_route)

    def _require_trains(self) -> None:
        if not self.trains:
            raise _no_train_problem(self.company)
        if len(self.typed_routes) > len(self.trains):
            counts = {"routes": len(self.typed_routes), "number": len(self.trains), "trains": self.trains}
            raise RouteProblem(fact("routes.more_than_trains", **counts))

    def _ways_for_one_train(self, typed_route: _TypedRoute) -> list[TrackWay]:
        ways, first_problem = [], None
        for way in _tracks_through(self.board, typed_route):
            try:
                self._check_one_train(typed_route, way)
            except RouteProblem as route_problem:
                first_problem = first_problem or route_problem
            else:
                ways.append(way)
        if first_problem is not None and not ways:
            raise first_problem
        return ways

    def _check_one_train(self, typed_route: _TypedRoute, way: TrackWay) -> None:
        first_problem = None
        for train in dict.fromkeys([typed_route.train] if typed_route.train else self.trains):
            try:
                self._check_routes((Route(train, way),))
            except RouteProblem as refusal:
                first_problem = first_problem or refusal
            else:
                return
        raise first_problem or _no_train_problem(self.company)

    def _legal_combinations(self, ways_by_route: Sequence[Sequence[TrackWay]]) -> list[tuple[Run, ...]]:
        legal_readings, first_problem = [], None
        for train_names in _train_assignments(self.typed_routes, self.trains):
            for chosen_ways in product(*ways_by_route):
                try:
                    legal_readings.append(
                        self._check_routes(
                            [Route(n, way) for n, way in zip(train_names, chosen_ways, strict=True)]
                        )
                    )
                except RouteProblem as refusal:
                    first_problem = first_problem or refusal
        if not legal_readings:
            raise first_problem or _no_train_problem(self.company)
        return legal_readings

    def _check_routes(self, routes: Sequence[Route]) -> tuple[Run, ...]:
        return check_routes(self.board, self.company, self.trains, routes, self.rules)


def _no_train_problem(company: CompanyId) -> RouteProblem:
    return RouteProblem(fact("routes.no_train", company=company))


def _read_typed_routes(board: Map, trains: Sequence[TrainName], text: str) -> list[_TypedRoute]:
    """Split text into typed routes.

    Raises Unreadable if it is not a list of routes with trains and hexes of this game.
    """
    typed_routes = [
        _read_typed_route(board, trains, route_text, text)
        for route_text in re.split(r"[\s,;]+", _remove_inner_spaces(text))
        if route_text
    ]
    if not typed_routes:
        raise _unreadable_error(text)
    return typed_routes


def _remove_inner_spaces(text: str) -> str:
    """The text without spaces around the `-` of a route and after the `:` of a train."""
    joined_text = "-".join(part.strip() for part in text.strip().split("-"))
    first_part, *other_parts = joined_text.split(":")
    return ":".join([first_part, *(part.lstrip() for part in other_parts)])


def _read_typed_route(board: Map, trains: Sequence[TrainName], route_text: str, text: str) -> _TypedRoute:
    train, colon, path = route_text.rpartition(":")
    if not HEX_PATH_PATTERN.fullmatch(path) or (colon and not train) or ":" in train:
        raise _unreadable_error(text)
    hexes = tuple(_read_hex(board, name) for name in path.split("-"))
    if colon and train not in trains:
        raise Unreadable(fact("unreadable.train", text=route_text, train=train, trains=tuple(trains)))
    return _TypedRoute(train or None, hexes)


def _unreadable_error(text: str) -> Unreadable:
    stripped_text = text.strip()
    shown_text = (
        stripped_text if len(stripped_text) <= MAX_LETTERS_SHOWN else f"{stripped_text[:MAX_LETTERS_SHOWN]}…"
    )
    return Unreadable(fact("unreadable.routes", text=shown_text))


def _read_hex(board: Map, hex_text: str) -> Coord:
    for coord in (hex_text, hex_text.upper()):
        if coord in board.hexes:
            return coord
    raise Unreadable(fact("unreadable.hex", hex=hex_text))


def _train_assignments(
    typed_routes: Sequence[_TypedRoute], trains: Sequence[TrainName]
) -> Iterator[tuple[TrainName, ...]]:
    """All assignments of trains to typed routes that respect the trains named by the player."""
    seen_names = set()
    for train_names in permutations(trains, len(typed_routes)):
        if train_names not in seen_names and all(
            w.train in (None, n) for w, n in zip(typed_routes, train_names, strict=True)
        ):
            seen_names.add(train_names)
            yield train_names


def _tracks_through(board: Map, typed_route: _TypedRoute) -> list[TrackWay]:
    """All track that a typed route can mean: through its hexes in order, without stops in other hexes.

    Track that stays in the named hexes comes first; the rest is sorted by length. A route that reads the
    same backwards, such as L7-L7, is found in both directions but listed once.
    """
    start_stops = range(len(board.topology(typed_route.hexes[0]).stops))
    ways_found = (
        way
        for stop in start_stops
        for way in _ways_from(board, typed_route.hexes, 1, (typed_route.hexes[0], stop), (), 0)
    )
    way_by_track = {
        frozenset(map(undirected_piece, way)): way for way in islice(ways_found, _MAX_WAYS_SEARCHED)
    }
    ways = sorted(way_by_track.values(), key=lambda way: (_hexes_of(way) != typed_route.hexes, len(way)))
    if not ways:
        raise RouteProblem(fact("reach.no_way", route=typed_route.text()))
    return ways[:MAX_READINGS]


def _ways_from(
    board: Map,
    hexes: Sequence[Coord],
    reached_hex_count: int,
    stop: StopId,
    pieces_so_far: tuple[PieceId, ...],
    used_bits: int,
) -> Iterator[tuple[PieceId, ...]]:
    if reached_hex_count == len(hexes):
        yield pieces_so_far
    for chain in track_of(board).chains(stop):
        if chain.end is None or chain.mask & used_bits:
            continue
        if all(coord == stop[0] for coord, _, _ in chain.pieces):
            # Continue to another stop of the same hex, which the text names only once.
            yield from _ways_from(
                board,
                hexes,
                reached_hex_count,
                chain.end,
                pieces_so_far + chain.pieces,
                used_bits | chain.mask,
            )
        next_reached_hex_count = reached_hex_count
        for coord, _, _ in chain.pieces[1:-1]:
            next_reached_hex_count += (
                next_reached_hex_count < len(hexes) and coord == hexes[next_reached_hex_count]
            )
        if next_reached_hex_count < len(hexes) and chain.end[0] == hexes[next_reached_hex_count]:
            yield from _ways_from(
                board,
                hexes,
                next_reached_hex_count + 1,
                chain.end,
                pieces_so_far + chain.pieces,
                used_bits | chain.mask,
            )


def _hexes_of(way: Sequence[PieceId]) -> tuple[Coord, ...]:
    """The hexes along this track in travelling order.

    A hex is repeated only if the track left it and came back.
    """
    hexes_passed: list[Coord] = []
    for coord, near_end, _ in way:
        if not hexes_passed or hexes_passed[-1] != coord or near_end < FIRST_STOP:
            hexes_passed.append(coord)
    return tuple(hexes_passed)


def _best_reading(
    typed_routes: Sequence[_TypedRoute], allowed_readings: Sequence[tuple[Run, ...]]
) -> tuple[Route, ...]:
    def reading_rank(runs: tuple[Run, ...]) -> tuple[int, int, int]:
        pieces = [run.route.pieces for run in runs]
        unnamed_count = sum(
            _hexes_of(way) != typed_route.hexes for way, typed_route in zip(pieces, typed_routes, strict=True)
        )
        return (unnamed_count, -sum(run.value for run in runs), sum(map(len, pieces)))

    best_rank = min(reading_rank(runs) for runs in allowed_readings)
    runs_by_track: dict[frozenset[TrackWay], tuple[Run, ...]] = {}
    for runs in allowed_readings:
        if reading_rank(runs) == best_rank:
            runs_by_track.setdefault(frozenset(run.route.pieces for run in runs), runs)
    if len(runs_by_track) > 1:
        readings = tuple(_reading_text(runs) for runs in runs_by_track.values())
        typed_text = ", ".join(typed_route.text() for typed_route in typed_routes)
        raise Ambiguous(
            fact("unreadable.several_ways", typed=typed_text, ways=len(readings)),
            fact(
                "allowed.some" if len(readings) > MAX_CHOICES_LISTED else "allowed.these",
                choices=readings[:MAX_CHOICES_LISTED],
            ),
        )
    [runs] = runs_by_track.values()
    return tuple(run.route for run in runs)


def _reading_text(runs: Sequence[Run]) -> str:
    return " ".join("-".join(_hexes_of(run.route.pieces)) for run in runs)
