"""Scene to SVG, sharp at every size, from the scenes that also make PNGs.

Text stays text. What has a mark can be found by its id, has a name, and takes the focus. What is drawn more
than once is drawn once and used again. Nothing outside is named, and there are no styles, so a page's
policy may forbid both. Each sprite and each shape is a line, named by what it shows: two pictures of a game
differ in few lines.
"""

import math
import re
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, groupby
from typing import Final, NamedTuple, TypeAlias, assert_never
from xml.sax.saxutils import escape, quoteattr

from render.font_metrics import CAP_HEIGHT, text_width
from render.scene import (
    Colour,
    Disc,
    Item,
    Mark,
    Placed,
    Point,
    Polygon,
    Polyline,
    RoundedBox,
    Scene,
    Sprite,
    Text,
)

FONTS: Final = "Lato, Carlito, 'Segoe UI', Roboto, sans-serif"
_WEIGHTS: Final = {"regular": ' font-weight="400"', "bold": "", "black": ' font-weight="900"'}
_ANCHORS: Final = {"left": ' text-anchor="start"', "middle": "", "right": ' text-anchor="end"'}
_FITTED: Final = 2
"""Letters from which on a text keeps the width it was planned with, whatever the font."""
_SHORT: Final = 80
"""Letters of a drawing up to which it is written again."""
_SEEN: Final = 0.06
"""Pixels by which a curve may be off its points."""
_FORBIDDEN: Final = re.compile("[\0-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that no XML may hold, and those that would break a line."""
_Run: TypeAlias = tuple[Item, ...]
"""Items of one kind that follow each other."""


def svg(scene: Scene, *, prefix: str = "", title: str = "") -> str:
    """The scene as an SVG document; ids of shapes begin with the prefix, so that a page can hold several."""
    return "\n".join(_document(scene, prefix, title))


def _document(scene: Scene, prefix: str, title: str) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {scene.width} {scene.height}"'
        f' width="{scene.width}" height="{scene.height}" font-family="{FONTS}" font-weight="700"'
        ' text-anchor="middle" stroke-linejoin="round" fill="none">'
    )
    if title:
        yield f"<title>{_escaped(title)}</title>"
    body = list(_body(scene.sprites, prefix))
    yield "<defs>"
    yield from sorted({shape for lines in body for shape in lines.shapes}, key=_drawing_of)
    yield from [lines.definition for lines in body if lines.definition]
    yield "</defs>"
    yield f'<rect width="{scene.width}" height="{scene.height}" fill="{scene.ground}"/>'
    yield from [lines.use_line for lines in body]
    yield "</svg>"


class _Lines(NamedTuple):
    """A sprite as SVG: its use, its own drawing, and shapes shared with other sprites."""

    use_line: str
    definition: str
    shapes: tuple[str, ...]


def _body(sprites: Sequence[Placed], prefix: str) -> Iterator[_Lines]:
    times = Counter([placed.sprite for placed in sprites])
    drawings = Counter(chain.from_iterable(map(_drawings, times)))
    often = {one for one, count in drawings.items() if count > 1 and len(one) >= _SHORT}
    first = next((placed for placed in sprites if placed.mark is not None), None)
    for placed in sprites:
        again = tuple([drawing for drawing in _drawings(placed.sprite) if drawing in often])
        yield _lines(placed, prefix, again, times[placed.sprite] > 1, placed is first)


@lru_cache(maxsize=4096)
def _lines(placed: Placed, prefix: str, again: tuple[str, ...], repeated: bool, first: bool) -> _Lines:
    """The SVG lines of a sprite, with repeated drawings by reference."""
    sprite, mark = placed.sprite, placed.mark
    shapes, apart, clip = [_defined(prefix, line) for line in again], "", ""
    if sprite.clip:
        path = _path(sprite.clip, closed=True)
        clip = f' clip-path="url(#{_name(prefix, path)})"'
        shapes.append(f'<clipPath id="{_name(prefix, path)}"><path d="{path}"/></clipPath>')
    parts = [
        _use_element(_name(prefix, drawing)) if drawing in again else drawing for drawing in _drawings(sprite)
    ]
    drawn = "".join([_ground(sprite), *parts])
    if repeated:
        shapes.append(_defined(prefix, drawn))
        drawn = _use_element(_name(prefix, drawn))
    elif mark is not None:
        # The button that it shows has a name, and letters in it would be another one.
        name = f"{prefix}of-{mark.id}"
        apart = f"<g id={_quoted(name)}>{drawn}</g>"
        drawn = _use_element(name)
    at = f' transform="translate({placed.left},{placed.top})"' if placed.left or placed.top else ""
    named = "" if mark is None else _button(mark, first)
    return _Lines(f"<g{named}{at}{clip}>{drawn}</g>", apart, tuple(shapes))


def _button(mark: Mark, first: bool) -> str:
    """A focusable shape; only the first is in Tab order."""
    stops = " ".join(f"{_number(x)},{_number(y)}" for x, y in mark.stops)
    return (
        f' id={_quoted(mark.id)} role="button" tabindex="{0 if first else -1}" aria-label={_quoted(mark.name)}'
        + (f' data-stops="{stops}"' if stops else "")
    )


def _defined(prefix: str, drawing: str) -> str:
    return f'<g id="{_name(prefix, drawing)}">{drawing}</g>'


def _use_element(name: str) -> str:
    return f"<use href={_quoted(f'#{name}')}/>"


@lru_cache(maxsize=2048)
def _name(prefix: str, drawing: str) -> str:
    """A shape's id, the same for equal drawings."""
    return prefix + urlsafe_b64encode(blake2b(drawing.encode(), digest_size=6).digest()).decode()


def _drawing_of(shape: str) -> str:
    """A sort key that puts equal drawings together."""
    return shape[shape.index(">") :]


@lru_cache(maxsize=4096)
def _drawings(sprite: Sprite) -> tuple[str, ...]:
    """A sprite's items in groups of one kind: ground and borders, token, name."""
    return tuple([_drawn_run(tuple(run)) for _, run in groupby(sprite.items, key=_item_kind)])


def _item_kind(item: Item) -> str:
    if isinstance(item, Text):
        return "text"
    return "round" if isinstance(item, Disc | RoundedBox) else "straight"


def _ground(sprite: Sprite) -> str:
    if sprite.clip:
        first = sprite.items[0] if sprite.items else None
        if isinstance(first, Polygon) and _covers(first.points, sprite.clip):
            return ""
        return f'<path d="{_path(sprite.clip, closed=True)}" fill="{sprite.ground}"/>'
    return f'<path d="M0 0H{sprite.width}V{sprite.height}H0z" fill="{sprite.ground}"/>'


@lru_cache(maxsize=64)
def _covers(outer: tuple[Point, ...], inner: tuple[Point, ...]) -> bool:
    return all(_is_within(outer, point) for point in inner)


def _is_within(outer: Sequence[Point], point: Point) -> bool:
    x, y = point
    turns = [
        (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)
        for (x0, y0), (x1, y1) in zip(outer, (*outer[1:], outer[0]), strict=True)
    ]
    return all(turn >= 0 for turn in turns) or all(turn <= 0 for turn in turns)


@lru_cache(maxsize=8192)
def _drawn_run(run: _Run) -> str:
    return "".join(_drawn_alike(list(items)) for _, items in groupby(run, key=_pen))


def _pen(item: Item) -> object:
    """A key for items that one path can draw; otherwise the item itself."""
    return (item.colour, item.width) if isinstance(item, Polyline) else item


def _drawn_alike(items: Sequence[Item]) -> str:
    lines = [item for item in items if isinstance(item, Polyline)]
    if not lines:
        return "".join(map(_shape, items))
    path = "".join(_path(line.points, line.closed) for line in lines)
    return f'<path d="{path}"{_line_attributes(lines[0].colour, lines[0].width)}/>'


def _shape(item: Item) -> str:
    if isinstance(item, Polygon):
        return f'<path d="{_path(item.points, closed=True)}" fill="{item.fill}"/>'
    if isinstance(item, Polyline):
        return f'<path d="{_path(item.points, item.closed)}"{_line_attributes(item.colour, item.width)}/>'
    if isinstance(item, Disc):
        r = item.r - item.width / 2 if item.line else item.r
        return f'<circle cx="{_number(item.x)}" cy="{_number(item.y)}" r="{_number(max(0.0, r))}"{_paint(item)}/>'
    if isinstance(item, RoundedBox):
        return _box(item)
    if isinstance(item, Text):
        return _text(item)
    assert_never(item)


def _box(item: RoundedBox) -> str:
    inset = item.width / 2 if item.line else 0.0
    (x0, x1), (y0, y1) = sorted((item.x0, item.x1)), sorted((item.y0, item.y1))
    width, height = max(0.0, x1 - x0 - 2 * inset), max(0.0, y1 - y0 - 2 * inset)
    r = min(max(0.0, item.r - inset), width / 2, height / 2)
    rounded = f' rx="{_number(r)}"' if r else ""
    at = f'x="{_number(x0 + inset)}" y="{_number(y0 + inset)}"'
    return f'<rect {at} width="{_number(width)}" height="{_number(height)}"{rounded}{_paint(item)}/>'


def _text(item: Text) -> str:
    halo = ""
    if item.halo:
        halo = f'{_line_attributes(item.halo, 2 * item.halo_width)} paint-order="stroke"'
    fitted = ""
    if len(item.text) >= _FITTED:
        width = text_width(item.text, item.weight) * item.size
        fitted = f' textLength="{_number(width)}" lengthAdjust="spacingAndGlyphs"'
    at = f'x="{_number(item.x)}" y="{_number(item.y + CAP_HEIGHT * item.size / 2)}" font-size="{_number(item.size)}"'
    kind = f"{_WEIGHTS[item.weight]}{_ANCHORS[item.align]}"
    return f'<text {at} fill="{item.colour}"{kind}{halo}{fitted}>{_escaped(item.text)}</text>'


def _paint(item: Disc | RoundedBox) -> str:
    fill = f' fill="{item.fill}"' if item.fill else ""
    return fill + (_line_attributes(item.line, item.width) if item.line else "")


def _line_attributes(colour: Colour, width: float) -> str:
    return f' stroke="{colour}" stroke-width="{_number(width)}"'


@lru_cache(maxsize=1024)
def _path(points: tuple[Point, ...], closed: bool) -> str:
    (x, y), *rest = [(round(x, 1), round(y, 1)) for x, y in _thinned(points)]
    commands = [f"M{_number(x)} {_number(y)}"]
    for to_x, to_y in rest:
        dx, dy = _number(to_x - x), _number(to_y - y)
        commands.append(f"h{dx}" if dy == "0" else f"v{dy}" if dx == "0" else f"l{dx} {dy}")
        x, y = to_x, to_y
    return "".join(commands) + ("z" if closed else "")


def _thinned(points: Sequence[Point]) -> list[Point]:
    """A line without invisible points."""
    if len(points) < 3:
        return list(points)
    (x0, y0), (x1, y1) = points[0], points[-1]
    length = math.dist((x0, y0), (x1, y1))
    off = [
        abs((x1 - x0) * (y0 - y) - (x0 - x) * (y1 - y0)) / length if length else math.dist((x, y), (x0, y0))
        for x, y in points[1:-1]
    ]
    most = max(off)
    if most < _SEEN:
        return [points[0], points[-1]]
    turn = off.index(most) + 1
    return [*_thinned(points[: turn + 1])[:-1], *_thinned(points[turn:])]


def _number(number: float) -> str:
    """A number with one decimal."""
    text = f"{number:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _escaped(text: str) -> str:
    return escape(_FORBIDDEN.sub("\ufffd", text))


@lru_cache(maxsize=8192)
def _quoted(text: str) -> str:
    return quoteattr(_FORBIDDEN.sub("\ufffd", text))
