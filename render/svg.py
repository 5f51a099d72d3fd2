"""Converter from scenes to SVG; the same scenes also make PNGs.

Text stays text. A sprite with a mark has an id and a name and can be focused. Repeated drawings are defined once and
reused. The SVG has no external references and no styles, so a page's content security policy may forbid both. Each
sprite and each shape is one line, with an id derived from its content, so two pictures of a game differ in few lines.
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
    PlacedSprite,
    Point,
    Polygon,
    Polyline,
    RoundedBox,
    Scene,
    Sprite,
    SvgMark,
    Text,
)

FONT_FAMILIES: Final = "Lato, Carlito, 'Segoe UI', Roboto, sans-serif"
_FONT_WEIGHTS: Final = {"regular": ' font-weight="400"', "bold": "", "black": ' font-weight="900"'}
_TEXT_ANCHORS: Final = {"left": ' text-anchor="start"', "middle": "", "right": ' text-anchor="end"'}
_MIN_FITTED_LETTERS: Final = 2
"""Number of letters from which a text gets a fixed width, so that it fits in every font."""
_MIN_SHARED_SVG_LENGTH: Final = 80
"""Length, in letters of SVG, from which a repeated drawing is defined once and reused."""
_MAX_LINE_DEVIATION: Final = 0.06
"""Maximum distance, in pixels, of a simplified line from the original."""
_FORBIDDEN_CHARACTERS: Final = re.compile("[\0-\x1f\ud800-\udfff\ufffe\uffff]")
"""Line breaks, and characters that XML does not allow."""
_ItemGroup: TypeAlias = tuple[Item, ...]


def svg(scene: Scene, *, prefix: str = "", title: str = "") -> str:
    """The scene as an SVG document. Ids of shapes start with `prefix`, so that a page can hold several documents."""
    return "\n".join(_document_lines(scene, prefix, title))


def _document_lines(scene: Scene, prefix: str, title: str) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {scene.width} {scene.height}"'
        f' width="{scene.width}" height="{scene.height}" font-family="{FONT_FAMILIES}" font-weight="700"'
        ' text-anchor="middle" stroke-linejoin="round" fill="none">'
    )
    if title:
        yield f"<title>{_xml_text(title)}</title>"
    sprites = list(_sprite_svgs(scene.sprites, prefix))
    yield "<defs>"
    yield from sorted({shape for sprite in sprites for shape in sprite.shapes}, key=_drawing_sort_key)
    yield from [sprite.definition for sprite in sprites if sprite.definition]
    yield "</defs>"
    yield f'<rect width="{scene.width}" height="{scene.height}" fill="{scene.background}"/>'
    yield from [sprite.use_line for sprite in sprites]
    yield "</svg>"


class _SpriteSvg(NamedTuple):
    """A sprite as SVG: the line that shows it, its definition, and definitions shared with other sprites."""

    use_line: str
    definition: str
    shapes: tuple[str, ...]


def _sprite_svgs(sprites: Sequence[PlacedSprite], prefix: str) -> Iterator[_SpriteSvg]:
    sprite_counts = Counter([placed_sprite.sprite for placed_sprite in sprites])
    drawing_counts = Counter(chain.from_iterable(map(_sprite_drawings, sprite_counts)))
    repeated_drawings = {
        drawing
        for drawing, count in drawing_counts.items()
        if count > 1 and len(drawing) >= _MIN_SHARED_SVG_LENGTH
    }
    first_marked_sprite = next(
        (placed_sprite for placed_sprite in sprites if placed_sprite.mark is not None), None
    )
    for placed_sprite in sprites:
        shared_drawings = tuple(
            [drawing for drawing in _sprite_drawings(placed_sprite.sprite) if drawing in repeated_drawings]
        )
        yield _sprite_svg(
            placed_sprite,
            prefix,
            shared_drawings,
            sprite_counts[placed_sprite.sprite] > 1,
            placed_sprite is first_marked_sprite,
        )


@lru_cache(maxsize=4096)
def _sprite_svg(
    placed_sprite: PlacedSprite,
    prefix: str,
    shared_drawings: tuple[str, ...],
    is_repeated: bool,
    is_first_button: bool,
) -> _SpriteSvg:
    sprite, mark = placed_sprite.sprite, placed_sprite.mark
    shapes, definition, clip_attribute = [_shape_definition(prefix, line) for line in shared_drawings], "", ""
    if sprite.clip:
        path = _path_data(sprite.clip, is_closed=True)
        clip_attribute = f' clip-path="url(#{_shape_id(prefix, path)})"'
        shapes.append(f'<clipPath id="{_shape_id(prefix, path)}"><path d="{path}"/></clipPath>')
    parts = [
        _use_element(_shape_id(prefix, drawing)) if drawing in shared_drawings else drawing
        for drawing in _sprite_drawings(sprite)
    ]
    drawn_sprite = "".join([_background_svg(sprite), *parts])
    if is_repeated:
        shapes.append(_shape_definition(prefix, drawn_sprite))
        drawn_sprite = _use_element(_shape_id(prefix, drawn_sprite))
    elif mark is not None:
        # The button that it shows has a name, and letters in it would be another one.
        drawing_id = f"{prefix}of-{mark.id}"
        definition = f"<g id={_xml_quoted(drawing_id)}>{drawn_sprite}</g>"
        drawn_sprite = _use_element(drawing_id)
    transform_attribute = (
        f' transform="translate({placed_sprite.left},{placed_sprite.top})"'
        if placed_sprite.left or placed_sprite.top
        else ""
    )
    button_attributes = "" if mark is None else _button_attributes(mark, is_first_button)
    return _SpriteSvg(
        f"<g{button_attributes}{transform_attribute}{clip_attribute}>{drawn_sprite}</g>",
        definition,
        tuple(shapes),
    )


def _button_attributes(mark: SvgMark, is_first: bool) -> str:
    """Attributes that make a sprite a focusable button. Tab reaches only the first one."""
    stops_text = " ".join(f"{_decimal(x)},{_decimal(y)}" for x, y in mark.stops)
    return (
        f' id={_xml_quoted(mark.id)} role="button" tabindex="{0 if is_first else -1}"'
        f" aria-label={_xml_quoted(mark.name)}" + (f' data-stops="{stops_text}"' if stops_text else "")
    )


def _shape_definition(prefix: str, drawing: str) -> str:
    return f'<g id="{_shape_id(prefix, drawing)}">{drawing}</g>'


def _use_element(shape_id: str) -> str:
    return f"<use href={_xml_quoted(f'#{shape_id}')}/>"


@lru_cache(maxsize=2048)
def _shape_id(prefix: str, drawing: str) -> str:
    return prefix + urlsafe_b64encode(blake2b(drawing.encode(), digest_size=6).digest()).decode()


def _drawing_sort_key(shape: str) -> str:
    """Sort key of a shape: its SVG without the id, so that equal drawings are adjacent."""
    return shape[shape.index(">") :]


@lru_cache(maxsize=4096)
def _sprite_drawings(sprite: Sprite) -> tuple[str, ...]:
    """A sprite's items as SVG, grouped by consecutive items of one kind."""
    return tuple(
        [_item_group_svg(tuple(item_group)) for _, item_group in groupby(sprite.items, key=_item_kind)]
    )


def _item_kind(item: Item) -> str:
    if isinstance(item, Text):
        return "text"
    return "round" if isinstance(item, Disc | RoundedBox) else "straight"


def _background_svg(sprite: Sprite) -> str:
    if sprite.clip:
        first_item = sprite.items[0] if sprite.items else None
        if isinstance(first_item, Polygon) and _covers_all_points(first_item.points, sprite.clip):
            return ""
        return f'<path d="{_path_data(sprite.clip, is_closed=True)}" fill="{sprite.background}"/>'
    return f'<path d="M0 0H{sprite.width}V{sprite.height}H0z" fill="{sprite.background}"/>'


@lru_cache(maxsize=64)
def _covers_all_points(outer: tuple[Point, ...], inner: tuple[Point, ...]) -> bool:
    return all(_is_within(outer, point) for point in inner)


def _is_within(outer: Sequence[Point], point: Point) -> bool:
    x, y = point
    cross_products = [
        (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)
        for (x0, y0), (x1, y1) in zip(outer, (*outer[1:], outer[0]), strict=True)
    ]
    return all(product >= 0 for product in cross_products) or all(product <= 0 for product in cross_products)


@lru_cache(maxsize=8192)
def _item_group_svg(item_group: _ItemGroup) -> str:
    return "".join(_same_style_svg(list(items)) for _, items in groupby(item_group, key=_line_style_key))


def _line_style_key(item: Item) -> object:
    """A grouping key: lines of equal colour and width share one SVG path, other items are not grouped."""
    return (item.colour, item.width) if isinstance(item, Polyline) else item


def _same_style_svg(items: Sequence[Item]) -> str:
    polylines = [item for item in items if isinstance(item, Polyline)]
    if not polylines:
        return "".join(map(_item_svg, items))
    path = "".join(_path_data(line.points, line.is_closed) for line in polylines)
    return f'<path d="{path}"{_stroke_attributes(polylines[0].colour, polylines[0].width)}/>'


def _item_svg(item: Item) -> str:
    if isinstance(item, Polygon):
        return f'<path d="{_path_data(item.points, is_closed=True)}" fill="{item.fill}"/>'
    if isinstance(item, Polyline):
        return f'<path d="{_path_data(item.points, item.is_closed)}"{_stroke_attributes(item.colour, item.width)}/>'
    if isinstance(item, Disc):
        radius = item.r - item.width / 2 if item.line else item.r
        circle_attributes = (
            f'cx="{_decimal(item.x)}" cy="{_decimal(item.y)}" r="{_decimal(max(0.0, radius))}"'
        )
        return f"<circle {circle_attributes}{_fill_and_stroke_attributes(item)}/>"
    if isinstance(item, RoundedBox):
        return _box_svg(item)
    if isinstance(item, Text):
        return _text_svg(item)
    assert_never(item)


def _box_svg(item: RoundedBox) -> str:
    inset = item.width / 2 if item.line else 0.0
    (x0, x1), (y0, y1) = sorted((item.x0, item.x1)), sorted((item.y0, item.y1))
    width, height = max(0.0, x1 - x0 - 2 * inset), max(0.0, y1 - y0 - 2 * inset)
    radius = min(max(0.0, item.r - inset), width / 2, height / 2)
    rounding_attribute = f' rx="{_decimal(radius)}"' if radius else ""
    position_attributes = f'x="{_decimal(x0 + inset)}" y="{_decimal(y0 + inset)}"'
    size_attributes = f'width="{_decimal(width)}" height="{_decimal(height)}"{rounding_attribute}'
    return f"<rect {position_attributes} {size_attributes}{_fill_and_stroke_attributes(item)}/>"


def _text_svg(item: Text) -> str:
    halo_attributes = ""
    if item.halo:
        halo_attributes = f'{_stroke_attributes(item.halo, 2 * item.halo_width)} paint-order="stroke"'
    width_attributes = ""
    if len(item.text) >= _MIN_FITTED_LETTERS:
        width = text_width(item.text, item.weight) * item.size
        width_attributes = f' textLength="{_decimal(width)}" lengthAdjust="spacingAndGlyphs"'
    position_attributes = f'x="{_decimal(item.x)}" y="{_decimal(item.y + CAP_HEIGHT * item.size / 2)}"'
    font_size_attribute = f' font-size="{_decimal(item.size)}"'
    font_attributes = f"{_FONT_WEIGHTS[item.weight]}{_TEXT_ANCHORS[item.align]}"
    style_attributes = f'fill="{item.colour}"{font_attributes}{halo_attributes}{width_attributes}'
    return (
        f"<text {position_attributes}{font_size_attribute} {style_attributes}>{_xml_text(item.text)}</text>"
    )


def _fill_and_stroke_attributes(item: Disc | RoundedBox) -> str:
    fill_attribute = f' fill="{item.fill}"' if item.fill else ""
    return fill_attribute + (_stroke_attributes(item.line, item.width) if item.line else "")


def _stroke_attributes(colour: Colour, width: float) -> str:
    return f' stroke="{colour}" stroke-width="{_decimal(width)}"'


@lru_cache(maxsize=1024)
def _path_data(points: tuple[Point, ...], is_closed: bool) -> str:
    (x, y), *other_points = [(round(x, 1), round(y, 1)) for x, y in _visible_points(points)]
    commands = [f"M{_decimal(x)} {_decimal(y)}"]
    for to_x, to_y in other_points:
        dx, dy = _decimal(to_x - x), _decimal(to_y - y)
        commands.append(f"h{dx}" if dy == "0" else f"v{dy}" if dx == "0" else f"l{dx} {dy}")
        x, y = to_x, to_y
    return "".join(commands) + ("z" if is_closed else "")


def _visible_points(points: Sequence[Point]) -> list[Point]:
    """The points of a line, except those that can be removed without a visible change."""
    if len(points) < 3:
        return list(points)
    (x0, y0), (x1, y1) = points[0], points[-1]
    length = math.dist((x0, y0), (x1, y1))
    deviations = [
        abs((x1 - x0) * (y0 - y) - (x0 - x) * (y1 - y0)) / length if length else math.dist((x, y), (x0, y0))
        for x, y in points[1:-1]
    ]
    largest_deviation = max(deviations)
    if largest_deviation < _MAX_LINE_DEVIATION:
        return [points[0], points[-1]]
    farthest_index = deviations.index(largest_deviation) + 1
    return [*_visible_points(points[: farthest_index + 1])[:-1], *_visible_points(points[farthest_index:])]


def _decimal(number: float) -> str:
    text = f"{number:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _xml_text(text: str) -> str:
    return escape(_FORBIDDEN_CHARACTERS.sub("\ufffd", text))


@lru_cache(maxsize=8192)
def _xml_quoted(text: str) -> str:
    return quoteattr(_FORBIDDEN_CHARACTERS.sub("\ufffd", text))
