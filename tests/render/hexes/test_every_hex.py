"""On every hex of every title, with every tile that fits it: nothing written covers anything else or leaves its hex."""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest

from engine.tell.views import HexView
from render.font_metrics import CAP_HEIGHT, text_width
from render.hexes.hex_art import Overlay, hex_items
from render.hexes.hex_geometry import Layout, hex_outline, overhang, side_cost_point, track_line
from render.hexes.label_plan import label_plan
from render.hexes.labels import LabelPlan, value_boxes
from render.hexes.stop_art import slot_centres, slot_radius
from render.hexes.unlabelled_hex import RIVER_HALF_WIDTH
from render.maps.overlays import hexes_named_elsewhere
from render.scene import Text
from tests.render.hexes.every_hex import TITLE_NAMES, boards, fullest, hexes
from tests.support.long_runs import VARIED_TITLES, some_named

TOUCH = 0.012

BORDER = 0.036

Box = tuple[float, float, float, float]


def written(view: HexView, layout: Layout, overlay: Overlay) -> list[tuple[str, Box]]:
    """The ink of what is written on a hex, as left, top, right, bottom; letters on slots and costs of sides apart."""
    on_sides = {side_cost_point(layout, side) for side, _ in view.border_costs}
    slots = {slot.badge.company for stop in view.stops for slot in stop.slots if slot.badge}
    return [
        (item.text, ink(item))
        for item in hex_items(view, layout, "ours", overlay)
        if isinstance(item, Text) and item.text not in slots and (item.x, item.y) not in on_sides
    ]


def ink(item: Text) -> Box:
    wide, tall = text_width(item.text, item.weight) * item.size, CAP_HEIGHT * item.size
    left = item.x if item.align == "left" else item.x - wide / 2
    return (left, item.y - tall / 2, left + wide, item.y + tall / 2)


def covered(one: Box, other: Box) -> float:
    return min(min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1]))


def outside(layout: Layout, box: Box) -> float:
    return max(overhang(layout, x, y, 0.0) for x in (box[0], box[2]) for y in (box[1], box[3]))


def distance(box: Box, x: float, y: float) -> float:
    return math.dist((x, y), (min(max(x, box[0]), box[2]), min(max(y, box[1]), box[3])))


def faults(view: HexView, layout: Layout, quiet: bool) -> Iterator[str]:
    where = label_plan(layout, view, quiet)
    boxes = written(view, layout, Overlay(is_named_elsewhere=quiet))
    for i, (text, box) in enumerate(boxes):
        if outside(layout, box) > TOUCH:
            yield f"{text} leaves the hex"
        for other, there in boxes[i + 1 :]:
            if covered(box, there) > TOUCH:
                yield f"{text} and {other} overlap"
        for stop, drawn in zip(view.stops, where.places, strict=True):
            for x, y in slot_centres(drawn, len(stop.slots)) if drawn.shape == "city" else ():
                if distance(box, x, y) < slot_radius(len(stop.slots)) - TOUCH:
                    yield f"{text} lies on a city"
        for spot in where.revenues:
            if text != spot.text and distance(box, spot.x, spot.y) < spot.size - TOUCH:
                yield f"{text} lies on the value {spot.text}"
    yield from _cut(view, layout, quiet)
    if not quiet:
        yield from _on_track(where, view, layout)
    yield from _under_values(where, view, boxes)
    yield from _in_the_river(where, view, layout, boxes)
    if len(where.marks) < len(view.marks):
        yield "a mark is missing"
    yield from missing(view, [text for text, _ in boxes], quiet)


def _cut(view: HexView, layout: Layout, quiet: bool) -> Iterator[str]:
    """Letters whose white rim is cut off by the edge of the hex."""
    for item in hex_items(view, layout, "ours", Overlay(is_named_elsewhere=quiet)):
        if isinstance(item, Text) and item.halo:
            left, top, right, bottom = ink(item)
            w = item.halo_width
            if outside(layout, (left - w, top - w, right + w, bottom + w)) > BORDER:
                yield f"{item.text} is cut off"


def _on_track(where: LabelPlan, view: HexView, layout: Layout) -> Iterator[str]:
    lines = (track_line(layout, where.places, a, b) for a, b in view.pieces)
    steps = [(*pair, i / 20) for line in lines for pair in pairwise(line) for i in range(21)]
    track = [(x0 + (x1 - x0) * part, y0 + (y1 - y0) * part) for (x0, y0), (x1, y1), part in steps]
    for spot in where.revenues:
        gap = min((math.dist((spot.x, spot.y), point) for point in track), default=9.0)
        if gap < spot.size + 0.05:
            yield f"the value {spot.text} hides track"
        if overhang(layout, spot.x, spot.y, spot.size) > 0.02:
            yield f"the value {spot.text} leaves the hex"


def _under_values(where: LabelPlan, view: HexView, boxes: Sequence[tuple[str, Box]]) -> Iterator[str]:
    row = where.value_row
    stop = next((stop for stop in view.stops if len(stop.revenue) > 1), None)
    if row is None or stop is None:
        return
    frames = value_boxes(row, stop.revenue, stop.revenue_index)
    values = {str(value) for value in stop.revenue}
    for text, box in boxes:
        if text not in values and any(covered(box, frame) > TOUCH for frame in frames):
            yield f"{text} lies under the values"


def _in_the_river(
    where: LabelPlan, view: HexView, layout: Layout, boxes: Sequence[tuple[str, Box]]
) -> Iterator[str]:
    corners = hex_outline(layout)
    for side in view.river_edges:
        (x0, y0), (x1, y1) = corners[side - 1], corners[side]
        points = [(x0 + (x1 - x0) * i / 20, y0 + (y1 - y0) * i / 20) for i in range(21)]
        for text, box in [*boxes, *_sign(where)]:
            if any(distance(box, x, y) < RIVER_HALF_WIDTH / 2 for x, y in points):
                yield f"{text} lies on the river"


def _sign(where: LabelPlan) -> Iterator[tuple[str, Box]]:
    if where.cost is not None and where.cost_arrangement == "stacked":
        x, y = where.cost.x, where.cost.y - 0.12
        yield "the sign of terrain", (x - 0.13, y - 0.11, x + 0.13, y + 0.11)


def missing(view: HexView, texts: Sequence[str], quiet: bool) -> Iterator[str]:
    wanted = [view.coord, view.label, str(view.cost or ""), view.tile or "", view.blocked_by or ""]
    there = {text.removeprefix(view.currency) for text in texts}
    yield from (f"{text} is missing" for text in wanted if text and text not in there)
    if view.name and not quiet and not all(word in " ".join(texts).split() for word in view.name.split()):
        yield f"the name {view.name} is missing"
    for stop in view.stops:
        # All that a place will ever bring stands in the margin where it is more than can be read on a hex.
        rest = {str(value) for value in stop.revenue if value} - set(texts)
        if not quiet and (
            str(stop.revenue[stop.revenue_index]) in rest or 0 < len(rest) < len(set(stop.revenue)) - 1
        ):
            yield "a value is missing"


@pytest.mark.parametrize("title", some_named(VARIED_TITLES, TITLE_NAMES))
def test_writing_on_hexes_covers_nothing(title: str, whole_games: bool) -> None:
    """Each tile in each rotation where most is written, in long runs on every hex."""
    printed = next(boards(title))
    looks = hexes(title) if whole_games else fullest(title)
    quiet = hexes_named_elsewhere(printed.layout, printed.hexes)
    found = [
        f"{h.coord} {h.name}, tile {h.tile} turned by {h.rotation}: {fault}"
        for h in looks
        for fault in faults(h, printed.layout, h.coord in quiet)
    ]
    assert not found, "\n".join(found)
