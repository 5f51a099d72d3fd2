"""Every tile, every way round: values stand clear of track and of each other, every stop shows one."""

import math
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from itertools import pairwise

import pytest

from engine.core.spec import TileSpec
from engine.game import Game
from engine.tell.view_builders import map_view
from engine.tell.views import HexView, StopView
from engine.titles.title_files import load_title
from render.font_metrics import text_width
from render.hexes.hex_art import Overlay, hex_items
from render.hexes.hex_geometry import Layout, line_of, overhang
from render.hexes.label_plan import label_plan
from render.hexes.labels import LabelPlan
from render.hexes.stop_art import slot_centres, slot_radius
from render.scene import Text
from tests.render.boards import CHESAPEAKE, board, lay, printed_hex

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


Box = tuple[float, float, float, float]


def text_boxes(view: HexView, layout: Layout) -> list[tuple[str, Box]]:
    """The ink of every text, in hex sides."""
    found = []
    for item in hex_items(view, layout, "ours", Overlay()):
        if isinstance(item, Text):
            width, height = text_width(item.text, item.weight) * item.size, 0.72 * item.size
            found.append((item.text, (item.x - width / 2, item.y - height / 2, width, height)))
    return found


def overlap(one: Box, other: Box) -> float:
    wide = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    tall = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    return min(wide, tall)


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
    boxes = text_boxes(view, layout)
    for i, (one, place) in enumerate(boxes):
        for other, there in boxes[i + 1 :]:
            assert overlap(place, there) <= 0.01, f"{one} and {other} overlap"
    for stop, drawn in zip(view.stops, where.spots, strict=True):
        for x, y in slot_centres(drawn, len(stop.slots)) if drawn.look == "city" else ():
            for text, (left, top, width, height) in boxes:
                nearest = (min(max(x, left), left + width), min(max(y, top), top + height))
                assert math.dist((x, y), nearest) >= slot_radius(len(stop.slots)), f"{text} lies on a city"


CASES: list[tuple[str, Layout]] = [(number, "flat") for number in sorted(TILES)]
CASES += [(number, "pointy") for number in sorted({*COMMON, *ALABAMA.tiles, *TENNESSEE.tiles})]


@pytest.mark.parametrize(("number", "layout"), CASES)
def test_every_tile_every_way_round(number: str, layout: Layout) -> None:
    for rotation in rotations(number):
        check(replace(tile_view(number, rotation), coord="H12"), layout)


def printed(title: str) -> list[tuple[HexView, Layout]]:
    """The hexes of a title's map before the first action."""
    view = map_view(Game(title, PLAYERS, 1, "rulebook", frozenset()))
    return [(h, view.layout) for h in view.hexes]


PLAYERS = [("p1", "Ann"), ("p2", "Bob"), ("p3", "Cy")]
PRINTED: list[tuple[HexView, Layout]] = [(h, "flat") for h in board(blocks=True).hexes]


@pytest.mark.parametrize(
    ("view", "layout"),
    [*PRINTED, *printed("18al"), *printed("18tn")],
    ids=lambda value: value.coord if isinstance(value, HexView) else value,
)
def test_every_printed_hex(view: HexView, layout: Layout) -> None:
    where = label_plan(layout, view)
    track = [] if view.terminal else list(near_track(view, where, layout))
    for spot in where.revenues:
        gap = min((math.dist((spot.x, spot.y), point) for point in track), default=9.0)
        assert gap >= spot.size + 0.05
    boxes = text_boxes(view, layout)
    for i, (one, place) in enumerate(boxes):
        for other, there in boxes[i + 1 :]:
            assert overlap(place, there) <= 0.01, f"{one} and {other} overlap"
    texts = {text for text, _ in boxes}
    assert view.coord in texts
    assert {str(view.cost)} <= texts if view.cost else True
    assert view.blocked_by is None or view.blocked_by in texts
    assert len(where.marks) == len(view.marks)
    if view.name:
        assert " ".join(where.name.lines if where.name else ()) == view.name


def test_named_city_tile_keeps_its_name_where_there_is_room() -> None:
    hagerstown = next(h for h in board().hexes if h.coord == "E3")
    name = label_plan("flat", lay(hagerstown, "57", 1)).name
    assert name is not None
    assert name.lines == ("Hagerstown",)


def test_off_board_area_with_one_value_shows_it() -> None:
    area = replace(
        BLANK, colour="red", terminal=True, pieces=((0, 6),), stops=(StopView("offboard", (50,), 0),)
    )
    assert [spot.text for spot in label_plan("flat", area).revenues] == ["50"]


def test_off_board_area_marks_the_value_that_counts_now() -> None:
    ohio = next(h for h in board(step=2).hexes if h.coord == "A7")
    items = hex_items(ohio, "flat", "ours", Overlay())
    sizes = {item.text: (item.size, item.weight) for item in items if isinstance(item, Text)}
    assert [sizes[value][1] for value in ("40", "60", "80", "100")] == ["bold", "bold", "black", "bold"]
    assert sizes["80"][0] > sizes["60"][0]


def test_single_disc_speaks_for_equal_stops_only() -> None:
    view = tile_view("X5", 0)
    other = replace(view.stops[0], revenue=(60,))
    mixed = replace(view, stops=(other, view.stops[1]))
    for rotation in range(6):
        turned = replace(mixed, pieces=lay(BLANK, "X5", rotation).pieces, rotation=rotation)
        assert sorted(spot.text for spot in label_plan("flat", turned).revenues) == ["40", "60"]


def test_a_cost_without_terrain_has_no_sign() -> None:
    """It is written in dollars, so that it is no value of a stop."""
    bare = replace(BLANK, cost=40, terrain=())
    hilly = replace(BLANK, cost=40, terrain=("mountain",))
    plain = replace(BLANK, cost=0, terrain=())
    kinds = {
        name: [type(item).__name__ for item in hex_items(view, "flat", "ours", Overlay())]
        for name, view in (("bare", bare), ("hilly", hilly), ("plain", plain))
    }
    assert tuple(text_boxes(view, "flat")[-1][0] for view in (bare, hilly)) == ("$40", "40")
    assert kinds["bare"].count("Polygon") == kinds["plain"].count("Polygon") < kinds["hilly"].count("Polygon")
