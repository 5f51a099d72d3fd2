"""Benchmark of best routes on synthetic boards as large as the largest printed maps."""

import time
from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias

from engine.board.hexes import EDGE_OFFSETS
from engine.board.map import Map
from engine.core.spec import MapSpec
from engine.routes.revenue_rules import RouteRules, TrainRules
from engine.routes.search import BestRoutes, best_routes
from engine.titles.title_files import load_title

STOPS: Final = 150
CHAINS: Final = 230
TOKENS: Final = 6
COMPANY: Final = "A"
TERMS: Final = RouteRules(
    {
        "6": TrainRules(6),
        "8": TrainRules(8),
        "4D": TrainRules(4, revenue_factor=2),
        "5D": TrainRules(5, revenue_factor=2),
    }
)
SETS: Final = (("6", "8"), ("4D", "5D"), ("6", "8", "4D"), ("8", "8"))

_Place: TypeAlias = tuple[int, int]
_Side: TypeAlias = tuple[_Place, int, _Place]
"""A hex, one of its edges, and the neighbouring hex across that edge."""


@dataclass(frozen=True)
class LargeBoard:
    """A search for best routes on a synthetic board: seed, trains, result, and milliseconds."""

    seed: int
    trains: tuple[str, ...]
    found: BestRoutes
    ms: float


def large_board(seed: int, stops: int = STOPS, chains: int = CHAINS, tokens: int = TOKENS) -> Map:
    """A board with cities and towns as stops, joined by this number of pieces of track between neighbours."""
    rng = Random(seed)
    rows = round(stops**0.5)
    places = [(i // rows, 2 * (i % rows) + i // rows % 2) for i in range(stops)]
    joined = _joined(rng, places, chains)
    hexes = {}
    for place in places:
        track = " ".join(f"{edge}-a" for edge in range(6) if (place, edge) in joined)
        stop = rng.choice(["town 10", "city 20", "city 30", "city 40", "city 60"])
        hexes[_name(place)] = {"colour": "gray", "stops": [stop], "track": track}
    spec = load_title("engine.titles.t18chesapeake")
    area = MapSpec.model_validate({"layout": "flat", "letters": "columns", "hexes": hexes})
    board = Map(spec.model_copy(update={"map": area, "companies": {}}))
    cities = [coord for coord in board.coords if board.slots(coord, 0)]
    for coord in rng.sample(cities, min(tokens, len(cities))):
        board.place_token(coord, 0, COMPANY)
    return board


def _name(place: _Place) -> str:
    return f"{chr(ord('A') + place[0])}{place[1] + 1}"


def _joined(rng: Random, places: list[_Place], chains: int) -> set[tuple[_Place, int]]:
    """Hex sides that track crosses: a spanning tree over all places, then random sides up to `chains`."""
    known = set(places)
    sides: list[_Side] = []
    for x, y in places:
        for edge in range(3):
            dx, dy = EDGE_OFFSETS["flat"][edge]
            if (x + dx, y + dy) in known:
                sides.append(((x, y), edge, (x + dx, y + dy)))
    rng.shuffle(sides)
    part = {place: place for place in places}

    def root(place: _Place) -> _Place:
        while part[place] != place:
            place = part[place]
        return place

    tree: list[_Side] = []
    others: list[_Side] = []
    for side in sides:
        a, b = root(side[0]), root(side[2])
        part[a] = b
        (tree if a != b else others).append(side)
    chosen = [*tree, *others][:chains]
    return {end for here, edge, there in chosen for end in ((here, edge), (there, edge + 3))}


def measure_large(seeds: int) -> list[LargeBoard]:
    """Search the best routes with each set of trains on this many boards."""
    measured = []
    for seed in range(seeds):
        board = large_board(seed)
        for trains in SETS:
            start = time.perf_counter()
            answer = best_routes(board, COMPANY, trains, TERMS)
            measured.append(LargeBoard(seed, trains, answer, (time.perf_counter() - start) * 1000))
    return measured
