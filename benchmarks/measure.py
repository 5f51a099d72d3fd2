"""Measurements of recorded games, in wall-clock milliseconds."""

import gc
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from engine.core.actions import Action, RunRoutes
from engine.core.offers import Offer, OfferCursor
from engine.game import Game
from engine.interchange.importer import Importer
from engine.interchange.log_reader import Log, RawAction, read_log
from engine.interchange.log_replay import new_game
from engine.play.steps.run_trains import best_run
from engine.record import Record, is_record, read_record

T = TypeVar("T")


@dataclass(frozen=True)
class Replay:
    """The replay of a whole game: number of actions, and milliseconds."""

    log: str
    title: str
    actions: int
    ms: float


@dataclass(frozen=True)
class Lays:
    """A listing of all legal tile lays before an action: their number, and milliseconds."""

    log: str
    action: int
    offers: int
    ms: float


@dataclass(frozen=True)
class Routes:
    """A search for the best routes at a recorded run: recorded and best revenue, and True if proven best."""

    log: str
    title: str
    action: int
    company: str
    trains: tuple[str, ...]
    recorded: int
    best: int
    is_proven: bool
    ms: float


@dataclass
class Measured:
    """All measurements of several games."""

    replay: list[Replay] = field(default_factory=list)
    lays: list[Lays] = field(default_factory=list)
    routes: list[Routes] = field(default_factory=list)


class Source:
    """A recorded game, from 18xx.games or in this program's format, to be replayed step by step."""

    def __init__(self, path: Path) -> None:
        text = path.read_text("utf-8")
        self.name = path.stem
        self._recorded: Log | Record = read_record(text) if is_record(text) else read_log(text)

    def begin(self) -> Game:
        """A new game in the initial position."""
        recorded = self._recorded
        return new_game(recorded) if isinstance(recorded, Log) else recorded.initial_game()

    def steps(self, game: Game) -> Iterator[tuple[int, Callable[[], Action | None], Callable[[], object]]]:
        """For each action: its id, a function that parses it if it is a run, and a function that makes it."""
        recorded = self._recorded
        if isinstance(recorded, Log):
            importer = Importer(game)
            for _, _, raw in recorded.numbered_actions():
                number = int(raw.get("id", 0))
                yield number, lambda r=raw: _read_run(importer, r), lambda r=raw: importer.apply(r)  # type: ignore[misc]
            return
        for number, action in enumerate(recorded.actions, 1):
            yield number, lambda a=action: a, lambda a=action: game.apply(a)  # type: ignore[misc]


def measure(paths: list[Path]) -> Measured:
    """Measure these recorded games; raises EngineError if one cannot be replayed."""
    measured = Measured()
    for path in paths:
        source = Source(path)
        measured.replay.append(_replay(source))
        _positions(source, measured)
    return measured


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    """The result of the work, and its milliseconds.

    Garbage collection is off meanwhile, as in `timeit`, since its duration depends on all games measured before.
    """
    gc.disable()
    try:
        start = time.perf_counter()
        value = work()
        return value, (time.perf_counter() - start) * 1000
    finally:
        gc.enable()


def _replay(source: Source) -> Replay:
    game = source.begin()

    def run() -> int:
        count = 0
        for count, (_, _, do) in enumerate(source.steps(game), 1):  # noqa: B007 - the last count is the result
            do()
        return count

    actions, ms = _timed(run)
    return Replay(source.name, game.title.name, actions, ms)


def _asked(game: Game) -> bool:
    return any(offer.kind == "run_routes" for offer in game.offers())


def _positions(source: Source, measured: Measured) -> None:
    game = source.begin()
    for number, read, do in source.steps(game):
        offers = [offer for offer in game.offers() if offer.kind == "lay_tile"]
        if offers:
            count, ms = _timed(lambda offers=offers: sum(map(_count_lays, offers)))  # type: ignore[misc]
            measured.lays.append(Lays(source.name, number, count, ms))
        action = read()
        if isinstance(action, RunRoutes) and game.run_step().name == "run" and _asked(game):
            measured.routes.append(_routes(source.name, number, game, action))
        do()


def _read_run(importer: Importer, raw: RawAction) -> Action | None:
    """The action of a run; None for other actions, which may be parsed only when they are made."""
    return importer.read(raw) if raw["type"] == "run_routes" else None


def _count_lays(offer: Offer) -> int:
    return sum(
        1
        for _, in_hex in OfferCursor(offer).choices_and_cursors()
        for _, tile in in_hex.choices_and_cursors()
        for _ in tile.domain.choices()
    )


def _routes(log: str, number: int, game: Game, action: RunRoutes) -> Routes:
    t = game.table
    trains = tuple(t.company.runnable_trains)
    recorded = t.rules.revenue(t, [run.value for run in game.run_step().check_run(t, action.routes)])
    routes, ms = _timed(lambda: best_run(t))
    return Routes(
        log, game.title.name, number, t.company.id, trains, recorded, routes.revenue, routes.is_proven, ms
    )
