"""Scene to PNG: the only module that draws pixels.

Sprites are drawn at three times their size, reduced once, brought to the picture's palette and kept; a
picture is then no more than copying sprites and packing them, with the same bytes for the same scene. A
sprite of parts that do not touch is drawn in parts, so that a new text on a panel redraws that text alone.
"""

import math
import struct
from collections.abc import Iterable, Sequence
from functools import lru_cache
from io import BytesIO
from typing import Any, Final, TypeAlias, assert_never

from isal import isal_zlib
from PIL import Image, ImageDraw, ImageFont

from render.draw_cache import cached_drawing, spend
from render.font_metrics import CAP_HEIGHT, font_file, text_width
from render.scene import (
    Colour,
    Disc,
    Frame,
    Item,
    Placed,
    Point,
    Polygon,
    Polyline,
    RoundedBox,
    Scene,
    Sprite,
    Text,
    Weight,
)
from render.scene import placed as in_pixels
from render.theme import rgb

Pixels: TypeAlias = Any
"""Of a picture, without all that Pillow knows of it."""
FINE: Final = 3
"""Factor by which a sprite is drawn larger than shown."""
_PACKING: Final = 1
"""A full board has less than 150 KB; above 1 packing takes three times as long, and saves nothing."""
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_BITS: Final = 8
"""Of a pixel: the index of its colour."""
_WITH_PALETTE: Final = 3
_FINEST_TEXT: Final = 4
_SHAPES: Final = 4096
"""Texts whose shapes are kept, of about 4 KB each."""
_SHORT: Final = 12
"""Letters of a text that is likely to come again."""
_FEWEST: Final = 2
"""Parts of a sprite above which each is drawn and kept on its own."""
_ANCHORS: Final = {"left": "ls", "middle": "ms", "right": "rs"}


def png(scene: Scene) -> bytes:
    """The scene as a palette PNG, never transparent."""
    # A line of a PNG begins with the number of its filter; 0 is none.
    picture = _picture(scene, 1)
    picture.im.paste(0, (0, 0, 1, scene.height))
    lines = picture.tobytes()
    header = struct.pack(">IIBBBBB", scene.width, scene.height, _BITS, _WITH_PALETTE, 0, 0, 0)
    chunks = (
        (b"IHDR", header),
        (b"PLTE", _palette_bytes(scene.palette)),
        (b"IDAT", isal_zlib.compress(lines, _PACKING)),
        (b"IEND", b""),
    )
    return _PNG + b"".join(_chunk(name, data) for name, data in chunks)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", isal_zlib.crc32(name + data))


def animation(scenes: Sequence[Scene], milliseconds: Sequence[int]) -> bytes:
    """A looping GIF of scenes of one size and palette, each shown for this long."""
    first, *rest = (_picture(scene) for scene in scenes)
    out = BytesIO()
    first.save(
        out, "GIF", save_all=True, append_images=rest, duration=list(milliseconds), loop=0, optimize=False
    )
    return out.getvalue()


def _picture(scene: Scene, edge: int = 0) -> Image.Image:
    """The picture, with an edge so wide on its left."""
    picture = _blank(edge + scene.width, scene.height, scene.palette.index(scene.ground), scene.palette)
    # A picture has hundreds of sprites: Image.paste looks at each three times as long as it takes to copy it.
    pixels = picture.im
    for placed in scene.sprites:
        left, top, sprite = placed.left + edge, placed.top, placed.sprite
        stamp, *mask = _stamp(sprite, scene.palette)
        pixels.paste(stamp, (left, top, left + sprite.width, top + sprite.height), *mask)
    return picture


def _blank(width: int, height: int, index: int, palette: tuple[Colour, ...]) -> Image.Image:
    picture = Image.new("P", (width, height), index)
    picture.putpalette(_palette_bytes(palette))
    return picture


@lru_cache(maxsize=64)
def _palette_bytes(palette: tuple[Colour, ...]) -> bytes:
    return b"".join(bytes(rgb(colour)) for colour in palette)


@lru_cache(maxsize=16)
def _palette_image(palette: tuple[Colour, ...]) -> Image.Image:
    return _blank(1, 1, 0, palette)


@lru_cache(maxsize=3072)
def _stamp(sprite: Sprite, palette: tuple[Colour, ...]) -> tuple[Pixels, ...]:
    """A sprite's pixels, and its mask if it is clipped."""
    whole = Image.frombytes("P", (sprite.width, sprite.height), _inked(sprite, palette)).im
    return (whole, _mask(sprite.width, sprite.height, sprite.clip).im) if sprite.clip else (whole,)


@cached_drawing
def _inked(sprite: Sprite, palette: tuple[Colour, ...]) -> bytes:
    """The index of every pixel's colour, line by line."""
    spend(1)
    pieces = () if sprite.clip else separate_parts(sprite)
    if len(pieces) < _FEWEST:
        return _drawn_image(sprite, palette).tobytes()
    whole = _blank(sprite.width, sprite.height, _ground(sprite.ground, palette), palette)
    for placed in pieces:
        left, top, part = placed.left, placed.top, placed.sprite
        if part.width > 0 and part.height > 0:
            whole.im.paste(_sprite_part(part, palette), (left, top, left + part.width, top + part.height))
    return whole.tobytes()


@lru_cache(maxsize=4096)
def _sprite_part(sprite: Sprite, palette: tuple[Colour, ...]) -> Pixels:
    return _drawn_image(sprite, palette).im


@lru_cache(maxsize=256)
def _ground(colour: Colour, palette: tuple[Colour, ...]) -> int:
    return int(_drawn_image(Sprite(1, 1, colour, ()), palette).im.getpixel((0, 0)))


def _drawn_image(sprite: Sprite, palette: tuple[Colour, ...]) -> Image.Image:
    large = Image.new("RGB", (sprite.width * FINE, sprite.height * FINE), sprite.ground)
    pen = ImageDraw.Draw(large)
    for item in sprite.items:
        _draw(pen, item)
    return large.reduce(FINE).quantize(palette=_palette_image(palette), dither=Image.Dither.NONE)


@lru_cache(maxsize=256)
def _mask(width: int, height: int, clip: tuple[Point, ...]) -> Image.Image:
    mask = Image.new("1", (width, height), 0)
    ImageDraw.Draw(mask).polygon(list(clip), fill=1)
    return mask


def _fine(points: tuple[Point, ...]) -> list[Point]:
    return [(x * FINE, y * FINE) for x, y in points]


def _draw(pen: ImageDraw.ImageDraw, item: Item) -> None:
    if isinstance(item, Polygon):
        pen.polygon(_fine(item.points), fill=item.fill)
    elif isinstance(item, Polyline):
        _draw_line(pen, item)
    elif isinstance(item, Disc):
        _draw_disc(pen, item)
    elif isinstance(item, RoundedBox):
        _draw_box(pen, item)
    elif isinstance(item, Text):
        draw_text_by_words(pen, item)
    else:
        assert_never(item)


def _draw_line(pen: ImageDraw.ImageDraw, item: Polyline) -> None:
    points = _fine(item.points)
    width = max(1.0, item.width * FINE)
    if item.closed:
        pen.line([*points, points[0], points[1]], fill=item.colour, width=round(width), joint="curve")
    elif len(points) == 2:
        pen.line(points, fill=item.colour, width=round(width))
    else:
        pen.polygon(_strip(points, width / 2), fill=item.colour)


def _strip(points: list[Point], half: float) -> list[Point]:
    """A smooth line as one area; drawn piece by piece it would show pinholes at its joints."""
    left: list[Point] = []
    right: list[Point] = []
    for i, (x, y) in enumerate(points):
        (x0, y0), (x1, y1) = points[max(0, i - 1)], points[min(len(points) - 1, i + 1)]
        length = math.dist((x0, y0), (x1, y1)) or 1.0
        nx, ny = -(y1 - y0) / length * half, (x1 - x0) / length * half
        left.append((x + nx, y + ny))
        right.append((x - nx, y - ny))
    return left + right[::-1]


def _draw_disc(pen: ImageDraw.ImageDraw, item: Disc) -> None:
    x, y, r = item.x * FINE, item.y * FINE, item.r * FINE
    box = (x - r, y - r, x + r, y + r)
    pen.ellipse(
        box, fill=item.fill, outline=item.line, width=max(1, round(item.width * FINE)) if item.line else 0
    )


def _draw_box(pen: ImageDraw.ImageDraw, item: RoundedBox) -> None:
    x0, x1 = sorted((item.x0 * FINE, item.x1 * FINE))
    y0, y1 = sorted((item.y0 * FINE, item.y1 * FINE))
    width = max(1, round(item.width * FINE)) if item.line else 0
    pen.rounded_rectangle((x0, y0, x1, y1), item.r * FINE, fill=item.fill, outline=item.line, width=width)


def draw_text_by_words(pen: ImageDraw.ImageDraw, item: Text) -> None:
    size = max(_FINEST_TEXT, round(item.size * FINE))
    left, baseline = round(item.x * FINE), round(item.y * FINE + CAP_HEIGHT * size / 2)
    font = _font(item.weight, size)
    if item.align == "left" and not item.halo and len(item.text) > _SHORT:
        _draw_words(pen, font, item, left, baseline)
        return
    pen.text(
        (left, baseline),
        item.text,
        fill=item.colour,
        font=font,
        anchor=_ANCHORS[item.align],
        stroke_width=math.ceil(item.halo_width * FINE) if item.halo else 0,
        stroke_fill=item.halo,
    )


def _draw_words(pen: ImageDraw.ImageDraw, font: "_Font", item: Text, left: float, baseline: int) -> None:
    """Draw a long text word by word, since most words are cached."""
    for word in item.text.split(" "):
        if word:
            pen.text((round(left), baseline), word, fill=item.colour, font=font, anchor="ls")
        left += _length(font, word) + _length(font, " ")


class _Font(ImageFont.FreeTypeFont):
    """A font that caches the shapes of recent texts."""

    def __init__(self, weight: Weight, size: int) -> None:
        # The basic layout engine is in every build of Pillow, so letters stand alike on every machine.
        # By its name the file is mapped into memory, once for all sizes; of bytes each size would keep a copy.
        super().__init__(font_file(weight), size, layout_engine=ImageFont.Layout.BASIC)

    def getmask2(self, text: str | bytes, *args: Any, **kwargs: Any) -> tuple[Any, tuple[int, int]]:
        """The shape of a text, and where it begins."""
        drawn = _shape if len(text) <= _SHORT else ImageFont.FreeTypeFont.getmask2
        return drawn(self, text, *args, **kwargs)


@lru_cache(maxsize=_SHAPES)
def _shape(font: _Font, text: str | bytes, *args: Any, **kwargs: Any) -> tuple[Any, tuple[int, int]]:
    return ImageFont.FreeTypeFont.getmask2(font, text, *args, **kwargs)


@lru_cache(maxsize=_SHAPES)
def _length(font: _Font, text: str) -> float:
    return font.getlength(text)


@lru_cache(maxsize=512)
def _font(weight: Weight, size: int) -> _Font:
    return _Font(weight, size)


Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels."""
_SOFT = 2
"""Pixels around a shape that its edges may reach."""
_TALL = 0.8
"""Reach of letters above and below the middle of their capitals, in em."""


def separate_parts(sprite: Sprite) -> tuple[Placed, ...]:
    """Sprites that together equal this one: items that touch are in one, in order."""
    groups: list[tuple[Box, list[int]]] = []
    for number, item in enumerate(sprite.items):
        box, members = _bounds(item, sprite), [number]
        while met := [group for group in groups if _boxes_meet(group[0], box)]:
            groups = [group for group in groups if group not in met]
            box = _bounding_box([box, *(group[0] for group in met)])
            members += [one for group in met for one in group[1]]
        groups.append((box, members))
    return tuple(_cut_out(sprite, box, sorted(members)) for box, members in groups)


def _cut_out(sprite: Sprite, box: Box, members: Iterable[int]) -> Placed:
    left, top, right, bottom = box
    items = in_pixels((sprite.items[member] for member in members), Frame(-left, -top, 1.0))
    return Placed(Sprite(right - left, bottom - top, sprite.ground, items), left, top)


def _bounds(item: Item, sprite: Sprite) -> Box:
    """The box an item may paint, within its sprite; empty if outside."""
    left, top, right, bottom = _item_bounds(item)
    return (
        max(0, _even_pixel(left - _SOFT)),
        max(0, _even_pixel(top - _SOFT)),
        min(math.ceil(right + _SOFT), sprite.width),
        min(math.ceil(bottom + _SOFT), sprite.height),
    )


def _even_pixel(place: float) -> int:
    """An even pixel at or before this place, so that halves round alike."""
    return math.floor(place / 2) * 2


def _item_bounds(item: Item) -> tuple[float, float, float, float]:
    if isinstance(item, Polygon | Polyline):
        half = item.width if isinstance(item, Polyline) else 0.0
        xs, ys = zip(*item.points, strict=True)
        return min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half
    if isinstance(item, Disc):
        return item.x - item.r, item.y - item.r, item.x + item.r, item.y + item.r
    if isinstance(item, RoundedBox):
        (x0, x1), (y0, y1) = sorted((item.x0, item.x1)), sorted((item.y0, item.y1))
        return x0, y0, x1, y1
    return _text_bounds(item)


def _text_bounds(text: Text) -> tuple[float, float, float, float]:
    """The bounds of a text, with tolerance for hinted letter widths."""
    width, halo = text_width(text.text, text.weight) * (text.size + 1), text.halo_width
    left = text.x - {"left": 0.0, "middle": width / 2, "right": width}[text.align]
    tall = _TALL * text.size + halo
    return left - halo, text.y - tall, left + width + halo, text.y + tall


def _boxes_meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _bounding_box(boxes: Iterable[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
