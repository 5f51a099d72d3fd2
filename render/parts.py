"""A sprite in parts that touch nothing else: what is written anew on a panel is drawn anew, and nothing beside it."""

import math
from collections.abc import Iterable
from typing import TypeAlias

from render.font_metrics import text_width
from render.scene import Disc, Frame, Item, Placed, Polygon, Polyline, RoundedBox, Sprite, Text, placed

Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels."""
_SOFT = 2
"""Pixels around a shape that its edges may reach."""
_TALL = 0.8
"""How far letters may reach above and below the middle of their capitals, in em."""


def parts(sprite: Sprite) -> tuple[Placed, ...]:
    """Sprites that together show the same on its ground: items in one keep their order, and meet none in another."""
    groups: list[tuple[Box, list[int]]] = []
    for number, item in enumerate(sprite.items):
        box, members = _box(item, sprite), [number]
        while met := [group for group in groups if _meet(group[0], box)]:
            groups = [group for group in groups if group not in met]
            box = _around([box, *(group[0] for group in met)])
            members += [one for group in met for one in group[1]]
        groups.append((box, members))
    return tuple(_part(sprite, box, sorted(members)) for box, members in groups)


def _part(sprite: Sprite, box: Box, members: Iterable[int]) -> Placed:
    left, top, right, bottom = box
    items = placed((sprite.items[one] for one in members), Frame(-left, -top, 1.0))
    return Placed(Sprite(right - left, bottom - top, sprite.ground, items), left, top)


def _box(item: Item, sprite: Sprite) -> Box:
    """All that an item may paint, within its sprite; not wider or higher than nothing where it lies outside."""
    left, top, right, bottom = _reach(item)
    return (
        max(0, _even(left - _SOFT)),
        max(0, _even(top - _SOFT)),
        min(math.ceil(right + _SOFT), sprite.width),
        min(math.ceil(bottom + _SOFT), sprite.height),
    )


def _even(place: float) -> int:
    """A pixel at or before a place: halves are rounded to even numbers, as they are in the whole sprite."""
    return math.floor(place / 2) * 2


def _reach(item: Item) -> tuple[float, float, float, float]:
    if isinstance(item, Polygon | Polyline):
        half = item.width if isinstance(item, Polyline) else 0.0
        xs, ys = zip(*item.points, strict=True)
        return min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half
    if isinstance(item, Disc):
        return item.x - item.r, item.y - item.r, item.x + item.r, item.y + item.r
    if isinstance(item, RoundedBox):
        (x0, x1), (y0, y1) = sorted((item.x0, item.x1)), sorted((item.y0, item.y1))
        return x0, y0, x1, y1
    return _written(item)


def _written(text: Text) -> tuple[float, float, float, float]:
    """The place of a text, whose letters may be a little wider than they are planned: sizes are whole pixels."""
    width, halo = text_width(text.text, text.weight) * (text.size + 1), text.halo_width
    left = text.x - {"left": 0.0, "middle": width / 2, "right": width}[text.align]
    tall = _TALL * text.size + halo
    return left - halo, text.y - tall, left + width + halo, text.y + tall


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _around(boxes: Iterable[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
