"""Benchmark of the board page: processor time and bytes of the first view and of each later move."""

import gzip
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Final, TypeVar

from bot.web.page_files import CONTENT_TYPES, PAGE_FOLDER
from bot.web.position_as_json import ShownPosition, shown_position
from bot.workers.worker import PRELOADED_MODULES, process_context
from engine.game import Game
from engine.record import Record, load_record

T = TypeVar("T")

FROM: Final = 2 / 3
"""Fraction of the game after which the page is first viewed."""
MOVES: Final = 40
"""Number of moves followed after the first view."""


@dataclass(frozen=True, slots=True)
class PageCosts:
    """Costs of viewing a game: processor milliseconds, and bytes sent."""

    hexes: int
    first_ms: float
    """Processor milliseconds of the first view in a newly started worker process."""
    again_ms: float
    """Processor milliseconds of a second first view in the same worker process."""
    first_bytes: int
    move_ms: tuple[float, ...]
    move_bytes: tuple[int, ...]


def measure_page(log: Path) -> PageCosts:
    """View a recorded game on the board page, and follow its next moves."""
    whole = load_record(log.read_text("utf-8"))
    game, count = _reached(whole), int(len(whole.actions) * FROM)
    with ProcessPoolExecutor(1, process_context(PRELOADED_MODULES)) as worker:
        first_ms, again_ms = worker.submit(_looked_twice, game.dump()).result()
    before = _view(game)
    move_ms, move_bytes = [], []
    for action in whole.actions[count : count + MOVES]:
        game.apply(action)
        now, drawn_ms = _timed(lambda: _view(game))
        sent, sent_ms = _timed(lambda: now.unclosed_response(before.map, before.market))  # noqa: B023 - done at once
        move_ms.append(drawn_ms + sent_ms)
        move_bytes.append(len(sent.data))
        before = now
    first = len(_view(_reached(whole)).unclosed_response(None, None).data)
    hexes = len(game.title.spec.map.all_hexes)
    return PageCosts(hexes, first_ms, again_ms, first, tuple(move_ms), tuple(move_bytes))


def report_page(viewed: PageCosts, log: Path) -> str:
    """The measurements as a few lines of text."""
    ordered = sorted(viewed.move_ms)
    return "\n".join(
        [
            f"the board page of {log.stem}, {viewed.hexes} hexes:",
            f"  first view: {viewed.first_ms:.0f} ms, drawn before {viewed.again_ms:.0f} ms; "
            f"{viewed.first_bytes / 1024:.0f} KB, and {page_bytes() / 1024:.0f} KB of the page itself",
            f"  each move: median {ordered[len(ordered) // 2]:.0f} ms, worst {ordered[-1]:.0f} ms; "
            f"median {sorted(viewed.move_bytes)[len(ordered) // 2] / 1024:.1f} KB, "
            f"worst {max(viewed.move_bytes) / 1024:.1f} KB",
        ]
    )


def page_bytes() -> int:
    """Total compressed size in bytes of all static files of the board page."""
    return sum(
        len(gzip.compress(file.read_bytes()))
        for file in PAGE_FOLDER.iterdir()
        if file.suffix in CONTENT_TYPES
    )


def _reached(whole: Record) -> Game:
    game = whole.initial_game()
    game.apply_all(whole.actions[: int(len(whole.actions) * FROM)])
    return game


def _view(game: Game) -> ShownPosition:
    """The position as a worker process draws it, from the game as text."""
    return shown_position(Game.load(game.dump()), "ours", None)


def _looked_twice(dump: str) -> tuple[float, float]:
    """Processor milliseconds of the first view in this process, and of a second one."""
    times = [_timed(lambda: shown_position(Game.load(dump), "ours", None))[1] for _ in range(2)]
    return times[0], times[1]


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    begun = process_time()
    value = work()
    return value, 1000 * (process_time() - begun)
