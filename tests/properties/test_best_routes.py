"""The best routes on many small boards at random, with trains and bonuses of every kind, against trying everything."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from benchmarks.synthetic import large_board
from engine.board.map import Map
from engine.routes.revenue_rules import STOP_KINDS_WITHOUT_TOWNS, TOWN_KIND, Bonus, RouteRules, TrainRules
from tests.engine.board.boards import random_grid
from tests.engine.routes.brute import Brute, each_way

TRAINS = {
    "2": TrainRules(2),
    "3": TrainRules(3),
    "4": TrainRules(4),
    "D": TrainRules(None),
    "2F": TrainRules(2, STOP_KINDS_WITHOUT_TOWNS, revenue_factor=2),
    "3F": TrainRules(3, STOP_KINDS_WITHOUT_TOWNS),
    "3E": TrainRules(3, optional_kinds=TOWN_KIND),
    "4D": TrainRules(4, token_factor=2),
    "2X": TrainRules(2, optional_kinds=TOWN_KIND, run_as_one_train=True),
    "3X": TrainRules(3, optional_kinds=TOWN_KIND, run_as_one_train=True),
    "4X": TrainRules(4, run_as_one_train=True),
}
EXPRESS = ("2X", "3X", "4X")
LONGEST = 24
"""No board has more stops on one route."""
MAX_ROUTES = 300
"""Boards with more routes than this take too long to try everything."""


def test_best_routes_of_random_boards(boards: int) -> None:
    """18NewEngland R-NE-086, R-NE-088, R-NE-089, 18C2C R-C2C-172 among them; the best is proven in each way."""
    rng = Random(1)
    seen: Counter[str] = Counter()
    while seen["boards"] < boards:
        board, seed = _board(rng)
        everything = Brute(board, "A", LONGEST)
        if not 0 < len(everything.routes) < MAX_ROUTES:
            continue
        route_rules, trains = _terms(rng, board), _trains(rng)
        most = everything.best(*_one_by_one(trains, route_rules))
        for way, found in each_way(board, "A", trains, route_rules.for_trains(trains)):
            assert (found.value, found.upper_bound, found.is_proven) == (most, most, True), (
                seed,
                trains,
                route_rules,
                way,
            )
        seen["boards"] += 1
        seen["passed by"] += any(0 in run.values for run in found.runs)
        seen["bonus"] += any(len(run.values) > len(run.stops) for run in found.runs)
        seen["joined"] += sum(train in EXPRESS for train in trains) > 1
        seen["tokens count more"] += "4D" in {route.train for route in found.routes}
    wanted = ("passed by", "bonus", "joined", "tokens count more")
    assert all(seen[case] > boards // 40 for case in wanted), seen


def _board(rng: Random) -> tuple[Map, int]:
    seed = rng.randrange(10**6)
    if rng.random() < 0.5:
        return large_board(seed, stops=rng.randint(7, 9), chains=rng.randint(8, 10), tokens=1), seed
    return random_grid(seed, pieces=rng.choice((6, 7)), one_stop_a_hex=rng.random() < 0.3), seed


def _trains(rng: Random) -> list[str]:
    """Trains of every kind; in a third of all sets more than one that runs together with others."""
    several = [rng.choice(EXPRESS) for _ in range(rng.choice((0, 0, 0, 0, 2, 3)))]
    others = rng.choice((0, 1, 1)) if several else rng.choice((1, 2, 2, 3))
    return several + [rng.choice(list(TRAINS)) for _ in range(others)]


def _one_by_one(trains: Sequence[str], route_rules: RouteRules) -> tuple[list[str], RouteRules]:
    """The same trains where none joins another: one for all that do, with their income (18NewEngland R-NE-089)."""
    joined = sorted((train for train in trains if train in EXPRESS), key=lambda t: TRAINS[t].max_stops or 0)
    if not joined:
        return list(trains), route_rules
    together = TrainRules(
        TRAINS[joined[0]].max_stops,
        optional_kinds=TRAINS[joined[0]].optional_kinds,
        revenue_factor=len(joined),
    )
    alone = [train for train in trains if train not in EXPRESS]
    return [*alone, "all"], replace(route_rules, trains={**TRAINS, "all": together})


def _terms(rng: Random, board: Map) -> RouteRules:
    stops = [coord for coord in board.coords if board.topology(coord).stops]
    places = [frozenset(rng.choices(stops, k=2)) for _ in range(rng.choice((0, 0, 1, 2)))]
    bonuses = tuple(
        Bonus(f"bonus {i}", hexes, rng.choice((10, 20, 40, 70))) for i, hexes in enumerate(places)
    )
    return RouteRules(TRAINS, 1, bonuses=bonuses, extra_dollars_by_hex={rng.choice(stops): 10})
