"""Benchmark of pictures late in a recorded game: milliseconds with warm caches, and bytes."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

from engine.record import load_game, read_record
from engine.tell.view_builders import (
    map_view,
    market_view,
    phases_view,
    privates_view,
    sale_view,
    table_view,
    tiles_view,
)
from render import render_map, render_market, render_phases, render_sale, render_table, render_tiles
from render.raster import png
from render.scene import Scene
from render.theme import palette

TIMES = 7
BIDS = 3
"""Number of actions after which the auction picture is drawn."""
LATE = 0.9
"""Fraction of the game's actions made before the pictures are drawn."""


@dataclass(frozen=True)
class Picture:
    """A measured picture: kind, milliseconds, milliseconds of a blank picture of the same size, and bytes."""

    kind: str
    ms: float
    blank_ms: float
    size: int


def measure_pictures(log: Path) -> list[Picture]:
    """Draw and measure each kind of picture of a recorded game."""
    data = log.read_bytes()
    game = load_game(data, int(LATE * len(read_record(data).actions)))
    draw: dict[str, Callable[[], bytes]] = {
        "map": partial(render_map, map_view(game)),
        "market": partial(render_market, market_view(game)),
        "table": partial(render_table, table_view(game)),
        "tiles": partial(render_tiles, tiles_view(game)),
        "phases": partial(render_phases, phases_view(game)),
    }
    for kind, cards in {"privates": privates_view(game), "auction": sale_view(load_game(data, BIDS))}.items():
        if cards is not None:
            draw[kind] = partial(render_sale, cards)
    return [_measured(kind, each) for kind, each in draw.items()]


def report(pictures: Sequence[Picture], log: Path) -> str:
    """The measurements as text, one line per kind of picture."""
    lines = (
        f"  {p.kind:<8} {p.ms:6.1f} ms warm, {p.ms / p.blank_ms:4.1f} times a blank one, {p.size / 1000:5.0f} KB"
        for p in pictures
    )
    return "\n".join([f"Pictures of {log.stem}", *lines])


def _measured(kind: str, draw: Callable[[], bytes]) -> Picture:
    drawn = draw()
    width, height = int.from_bytes(drawn[16:20], "big"), int.from_bytes(drawn[20:24], "big")
    colours = palette("ours", ())
    blank = Scene(width, height, colours[0], (), colours)
    return Picture(kind, _ms(draw), _ms(partial(png, blank)), len(drawn))


def _ms(work: Callable[[], bytes]) -> float:
    return 1000 * median(_once(work) for _ in range(TIMES))


def _once(work: Callable[[], bytes]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
