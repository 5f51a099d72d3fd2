"""Scene -> PNG: the only module that draws pixels.

Sprites are drawn at three times their size, reduced once, brought to the picture's palette and kept; a
picture is then no more than copying sprites and packing them, with the same bytes for the same scene.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from typing import Final, assert_never

from PIL import Image, ImageDraw, ImageFont

from render.metrics import CAP_HEIGHT, font_bytes
from render.scene import Colour, Disc, Item, Point, Polygon, Polyline, RoundedBox, Scene, Sprite, Text, Weight
from render.theme import rgb

FINE: Final = 3
"""How many times larger a sprite is drawn than shown."""
_PACKING: Final = 4
"""Below 4 a full board is larger than 150 KB, above it packing takes longer than all the rest."""
_FINEST_TEXT: Final = 4
_ANCHORS: Final = {"left": "ls", "middle": "ms", "right": "rs"}


def png(scene: Scene) -> bytes:
    """The scene as a palette PNG, never transparent."""
    out = BytesIO()
    _picture(scene).save(out, "PNG", compress_level=_PACKING)
    return out.getvalue()


def animation(scenes: Sequence[Scene], milliseconds: Sequence[int]) -> bytes:
    """Scenes of one size and palette as a GIF that plays again and again; each is shown for so long."""
    first, *rest = (_picture(scene) for scene in scenes)
    out = BytesIO()
    first.save(
        out, "GIF", save_all=True, append_images=rest, duration=list(milliseconds), loop=0, optimize=False
    )
    return out.getvalue()


def _picture(scene: Scene) -> Image.Image:
    picture = _blank(scene.width, scene.height, scene.palette.index(scene.ground), scene.palette)
    for placed in scene.sprites:
        stamp, mask = _stamp(placed.sprite, scene.palette)
        picture.paste(stamp, (placed.left, placed.top), mask)
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
def _stamp(sprite: Sprite, palette: tuple[Colour, ...]) -> tuple[Image.Image, Image.Image | None]:
    large = Image.new("RGB", (sprite.width * FINE, sprite.height * FINE), sprite.ground)
    pen = ImageDraw.Draw(large)
    for item in sprite.items:
        _draw(pen, item)
    stamp = large.reduce(FINE).quantize(palette=_palette_image(palette), dither=Image.Dither.NONE)
    return stamp, _mask(sprite.width, sprite.height, sprite.clip) if sprite.clip else None


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
        _draw_text(pen, item)
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


def _draw_text(pen: ImageDraw.ImageDraw, item: Text) -> None:
    size = max(_FINEST_TEXT, round(item.size * FINE))
    baseline = item.y * FINE + CAP_HEIGHT * size / 2
    pen.text(
        (round(item.x * FINE), round(baseline)),
        item.text,
        fill=item.colour,
        font=_font(item.weight, size),
        anchor=_ANCHORS[item.align],
        stroke_width=math.ceil(item.halo_width * FINE) if item.halo else 0,
        stroke_fill=item.halo,
    )


@lru_cache(maxsize=512)
def _font(weight: Weight, size: int) -> ImageFont.FreeTypeFont:
    # The basic layout engine is in every build of Pillow, so letters stand alike on every machine.
    return ImageFont.truetype(BytesIO(font_bytes(weight)), size, layout_engine=ImageFont.Layout.BASIC)
