"""Every tile, every way round: values stand clear of track and of each other, every stop shows one."""

import math
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from itertools import pairwise

import pytest

from engine.core.spec import TileSpec
from engine.tell.views import HexView
from engine.titles.title_files import load_title
from render.hexes.hex_geometry import Layout, line_of, overhang
from render.hexes.label_plan import label_plan
from render.hexes.labels import LabelPlan
from tests.render.boards import CHESAPEAKE, lay, printed_hex

COMMON = tomllib.loads(files("engine.board").joinpath("tiles.toml").read_text("utf-8"))
ALABAMA = load_title("engine.titles.t18al")
TENNESSEE = load_title("engine.titles.t18tn")
TILES = {
    **{number: TileSpec(**raw) for number, raw in COMMON.items()},
    **CHESAPEAKE.tiles,
    **ALABAMA.tiles,
    **TENNESSEE.tiles,
}
BLANK = printed_hex("B6", CHESAPEAKE.map.all_hexes["B6"])


def tile_view(number: str, rotation: int) -> HexView:
    title = CHESAPEAKE.model_copy(update={"tiles": TILES})
    return lay(BLANK, number, rotation, title)


def rotations(number: str) -> range:
    turned = [TILES[number].topology.turned(r).pieces for r in range(6)]
    sets = [frozenset(frozenset(p.ends()) for p in pieces) for pieces in turned]
    return range(sets.index(sets[0], 1) if sets[0] in sets[1:] else 6)


def near_track(view: HexView, where: LabelPlan, layout: Layout) -> Iterator[tuple[float, float]]:
    for a, b in view.pieces:
        line = line_of(layout, where.spots, a, b)
        for (x0, y0), (x1, y1) in pairwise(line):
            steps = max(1, math.ceil(math.dist((x0, y0), (x1, y1)) / 0.02))
            yield from ((x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps) for i in range(steps + 1))


def check(view: HexView, layout: Layout) -> None:
    where = label_plan(layout, view)
    track = list(near_track(view, where, layout))
    for spot in where.revenues:
        gap = min((math.dist((spot.x, spot.y), point) for point in track), default=9.0)
        assert gap >= spot.size + 0.06 - 0.01, f"{spot.text} hides track"
        assert overhang(layout, spot.x, spot.y, spot.size) <= 0.02, f"{spot.text} leaves the hex"
    worth = [str(s.revenue[s.current]) for s in view.stops if s.kind != "offboard" and s.revenue[s.current]]
    shown = [spot.text for spot in where.revenues]
    assert shown == worth or (len(shown) == 1 and set(worth) == set(shown))


CASES: list[tuple[str, Layout]] = [(number, "flat") for number in sorted(TILES)]
CASES += [(number, "pointy") for number in sorted({*COMMON, *ALABAMA.tiles, *TENNESSEE.tiles})]


@pytest.mark.parametrize(("number", "layout"), CASES)
def test_values_hide_no_track(number: str, layout: Layout) -> None:
    for rotation in rotations(number):
        check(replace(tile_view(number, rotation), coord="H12"), layout)
