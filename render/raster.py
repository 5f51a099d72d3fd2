"""Rasteriser from scenes to PNG and GIF.

Sprites are drawn at three times their size, reduced, converted to the picture's palette and cached. A picture is made
by copying its sprites and compressing the result. Equal scenes give equal bytes. Separate parts of a sprite are drawn
and cached one by one, so that a changed text on a panel redraws only that text.
"""

import math
import struct
from collections.abc import Iterable, Sequence
from functools import lru_cache
from io import BytesIO
from typing import Any, Final, TypeAlias, assert_never

from isal import isal_zlib
from PIL import Image, ImageDraw, ImageFont

from render.draw_cache import cached_drawing, spend_effort
from render.font_metrics import CAP_HEIGHT, font_file, text_width
from render.scene import (
    Colour,
    Disc,
    Frame,
    Item,
    PlacedSprite,
    Point,
    Polygon,
    Polyline,
    RoundedBox,
    Scene,
    Sprite,
    Text,
    Weight,
)
from render.scene import items_in_pixels as in_pixels
from render.theme import rgb

Pixels: TypeAlias = Any
"""Pillow's low-level image object, without the overhead of `Image`."""
OVERSAMPLING: Final = 3
"""Factor by which a sprite is drawn larger than shown, for smooth edges."""
_COMPRESSION_LEVEL: Final = 1
"""Compression level of PNGs; higher levels take three times as long and save nothing."""
_PNG_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_BITS_PER_PIXEL: Final = 8
_PALETTE_COLOUR_TYPE: Final = 3
_MIN_TEXT_SIZE: Final = 4
_MAX_CACHED_TEXTS: Final = 4096
"""Maximum number of rendered texts in the cache, about 4 KB each."""
_MAX_CACHED_TEXT_LENGTH: Final = 12
"""Maximum length of a cached text, in letters; longer texts are unlikely to be drawn again."""
_MIN_SEPARATE_PARTS: Final = 2
"""Number of separate parts from which a sprite is drawn and cached part by part."""
_TEXT_ANCHORS: Final = {"left": "ls", "middle": "ms", "right": "rs"}


def png(scene: Scene) -> bytes:
    """The scene as a PNG with a palette and no transparency."""
    # A line of a PNG begins with the number of its filter; 0 is none.
    picture = _scene_image(scene, 1)
    picture.im.paste(0, (0, 0, 1, scene.height))
    scanlines = picture.tobytes()
    header = struct.pack(
        ">IIBBBBB", scene.width, scene.height, _BITS_PER_PIXEL, _PALETTE_COLOUR_TYPE, 0, 0, 0
    )
    chunks = (
        (b"IHDR", header),
        (b"PLTE", _palette_bytes(scene.palette)),
        (b"IDAT", isal_zlib.compress(scanlines, _COMPRESSION_LEVEL)),
        (b"IEND", b""),
    )
    return _PNG_SIGNATURE + b"".join(_png_chunk(name, data) for name, data in chunks)


def _png_chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", isal_zlib.crc32(name + data))


def animation(scenes: Sequence[Scene], frame_ms: Sequence[int]) -> bytes:
    """An endlessly repeated GIF of scenes with equal size and palette; `frame_ms` are the times of the frames."""
    first_picture, *other_pictures = (_scene_image(scene) for scene in scenes)
    gif_file = BytesIO()
    first_picture.save(
        gif_file,
        "GIF",
        save_all=True,
        append_images=other_pictures,
        duration=list(frame_ms),
        loop=0,
        optimize=False,
    )
    return gif_file.getvalue()


def _scene_image(scene: Scene, left_edge: int = 0) -> Image.Image:
    """The scene as an image, with an empty margin of `left_edge` pixels on its left."""
    picture = _blank_image(
        left_edge + scene.width, scene.height, scene.palette.index(scene.background), scene.palette
    )
    # A picture has hundreds of sprites: Image.paste looks at each three times as long as it takes to copy it.
    pixels = picture.im
    for placed_sprite in scene.sprites:
        left, top, sprite = placed_sprite.left + left_edge, placed_sprite.top, placed_sprite.sprite
        sprite_pixels, *mask = _sprite_pixels(sprite, scene.palette)
        pixels.paste(sprite_pixels, (left, top, left + sprite.width, top + sprite.height), *mask)
    return picture


def _blank_image(width: int, height: int, index: int, palette: tuple[Colour, ...]) -> Image.Image:
    picture = Image.new("P", (width, height), index)
    picture.putpalette(_palette_bytes(palette))
    return picture


@lru_cache(maxsize=64)
def _palette_bytes(palette: tuple[Colour, ...]) -> bytes:
    return b"".join(bytes(rgb(colour)) for colour in palette)


@lru_cache(maxsize=16)
def _palette_image(palette: tuple[Colour, ...]) -> Image.Image:
    return _blank_image(1, 1, 0, palette)


@lru_cache(maxsize=3072)
def _sprite_pixels(sprite: Sprite, palette: tuple[Colour, ...]) -> tuple[Pixels, ...]:
    sprite_pixels = Image.frombytes("P", (sprite.width, sprite.height), _colour_indices(sprite, palette)).im
    return (
        (sprite_pixels, _mask(sprite.width, sprite.height, sprite.clip).im)
        if sprite.clip
        else (sprite_pixels,)
    )


@cached_drawing
def _colour_indices(sprite: Sprite, palette: tuple[Colour, ...]) -> bytes:
    """The palette index of each pixel of a sprite, row by row."""
    spend_effort(1)
    parts = () if sprite.clip else split_into_parts(sprite)
    if len(parts) < _MIN_SEPARATE_PARTS:
        return _drawn_image(sprite, palette).tobytes()
    whole_image = _blank_image(
        sprite.width, sprite.height, _background_index(sprite.background, palette), palette
    )
    for placed_part in parts:
        left, top, part = placed_part.left, placed_part.top, placed_part.sprite
        if part.width > 0 and part.height > 0:
            whole_image.im.paste(
                _sprite_part(part, palette), (left, top, left + part.width, top + part.height)
            )
    return whole_image.tobytes()


@lru_cache(maxsize=4096)
def _sprite_part(sprite: Sprite, palette: tuple[Colour, ...]) -> Pixels:
    return _drawn_image(sprite, palette).im


@lru_cache(maxsize=256)
def _background_index(colour: Colour, palette: tuple[Colour, ...]) -> int:
    return int(_drawn_image(Sprite(1, 1, colour, ()), palette).im.getpixel((0, 0)))


def _drawn_image(sprite: Sprite, palette: tuple[Colour, ...]) -> Image.Image:
    large_image = Image.new(
        "RGB", (sprite.width * OVERSAMPLING, sprite.height * OVERSAMPLING), sprite.background
    )
    pen = ImageDraw.Draw(large_image)
    for item in sprite.items:
        _draw_item(pen, item)
    return large_image.reduce(OVERSAMPLING).quantize(
        palette=_palette_image(palette), dither=Image.Dither.NONE
    )


@lru_cache(maxsize=256)
def _mask(width: int, height: int, clip: tuple[Point, ...]) -> Image.Image:
    mask = Image.new("1", (width, height), 0)
    ImageDraw.Draw(mask).polygon(list(clip), fill=1)
    return mask


def _oversampled_points(points: tuple[Point, ...]) -> list[Point]:
    return [(x * OVERSAMPLING, y * OVERSAMPLING) for x, y in points]


def _draw_item(pen: ImageDraw.ImageDraw, item: Item) -> None:
    if isinstance(item, Polygon):
        pen.polygon(_oversampled_points(item.points), fill=item.fill)
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
    points = _oversampled_points(item.points)
    width = max(1.0, item.width * OVERSAMPLING)
    if item.is_closed:
        pen.line([*points, points[0], points[1]], fill=item.colour, width=round(width), joint="curve")
    elif len(points) == 2:
        pen.line(points, fill=item.colour, width=round(width))
    else:
        pen.polygon(_thick_line_outline(points, width / 2), fill=item.colour)


def _thick_line_outline(points: list[Point], half_width: float) -> list[Point]:
    """The outline of a thick smooth line as one polygon; segments drawn one by one would leave pinholes."""
    left_points: list[Point] = []
    right_points: list[Point] = []
    for i, (x, y) in enumerate(points):
        (x0, y0), (x1, y1) = points[max(0, i - 1)], points[min(len(points) - 1, i + 1)]
        length = math.dist((x0, y0), (x1, y1)) or 1.0
        normal_x, normal_y = -(y1 - y0) / length * half_width, (x1 - x0) / length * half_width
        left_points.append((x + normal_x, y + normal_y))
        right_points.append((x - normal_x, y - normal_y))
    return left_points + right_points[::-1]


def _draw_disc(pen: ImageDraw.ImageDraw, item: Disc) -> None:
    x, y, radius = item.x * OVERSAMPLING, item.y * OVERSAMPLING, item.r * OVERSAMPLING
    box = (x - radius, y - radius, x + radius, y + radius)
    pen.ellipse(
        box,
        fill=item.fill,
        outline=item.line,
        width=max(1, round(item.width * OVERSAMPLING)) if item.line else 0,
    )


def _draw_box(pen: ImageDraw.ImageDraw, item: RoundedBox) -> None:
    x0, x1 = sorted((item.x0 * OVERSAMPLING, item.x1 * OVERSAMPLING))
    y0, y1 = sorted((item.y0 * OVERSAMPLING, item.y1 * OVERSAMPLING))
    width = max(1, round(item.width * OVERSAMPLING)) if item.line else 0
    pen.rounded_rectangle(
        (x0, y0, x1, y1), item.r * OVERSAMPLING, fill=item.fill, outline=item.line, width=width
    )


def _draw_text(pen: ImageDraw.ImageDraw, item: Text) -> None:
    size = max(_MIN_TEXT_SIZE, round(item.size * OVERSAMPLING))
    left, baseline = round(item.x * OVERSAMPLING), round(item.y * OVERSAMPLING + CAP_HEIGHT * size / 2)
    font = _cached_font(item.weight, size)
    if item.align == "left" and not item.halo and len(item.text) > _MAX_CACHED_TEXT_LENGTH:
        _draw_words(pen, font, item, left, baseline)
        return
    pen.text(
        (left, baseline),
        item.text,
        fill=item.colour,
        font=font,
        anchor=_TEXT_ANCHORS[item.align],
        stroke_width=math.ceil(item.halo_width * OVERSAMPLING) if item.halo else 0,
        stroke_fill=item.halo,
    )


def _draw_words(pen: ImageDraw.ImageDraw, font: "_Font", item: Text, left: float, baseline: int) -> None:
    for word in item.text.split(" "):
        if word:
            pen.text((round(left), baseline), word, fill=item.colour, font=font, anchor="ls")
        left += _word_width(font, word) + _word_width(font, " ")


class _Font(ImageFont.FreeTypeFont):
    """A font that caches rendered texts."""

    def __init__(self, weight: Weight, size: int) -> None:
        # The basic layout engine is in every build of Pillow, so letters stand alike on every machine.
        # By its name the file is mapped into memory, once for all sizes; of bytes each size would keep a copy.
        super().__init__(font_file(weight), size, layout_engine=ImageFont.Layout.BASIC)

    def getmask2(self, text: str | bytes, *args: Any, **kwargs: Any) -> tuple[Any, tuple[int, int]]:
        """The rendered text and its offset, cached for short texts; overrides Pillow's method."""
        render_mask = (
            _cached_text_mask if len(text) <= _MAX_CACHED_TEXT_LENGTH else ImageFont.FreeTypeFont.getmask2
        )
        return render_mask(self, text, *args, **kwargs)


@lru_cache(maxsize=_MAX_CACHED_TEXTS)
def _cached_text_mask(
    font: _Font, text: str | bytes, *args: Any, **kwargs: Any
) -> tuple[Any, tuple[int, int]]:
    return ImageFont.FreeTypeFont.getmask2(font, text, *args, **kwargs)


@lru_cache(maxsize=_MAX_CACHED_TEXTS)
def _word_width(font: _Font, text: str) -> float:
    return font.getlength(text)


@lru_cache(maxsize=512)
def _cached_font(weight: Weight, size: int) -> _Font:
    return _Font(weight, size)


Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels."""
_EDGE_REACH_PIXELS = 2
"""Pixels by which smoothed edges may extend beyond a shape's bounds."""
_LETTER_REACH_EM = 0.8
"""Distance by which letters extend above and below the middle of capital letters, in em."""


def split_into_parts(sprite: Sprite) -> tuple[PlacedSprite, ...]:
    """The sprite split into smaller sprites. Items that touch stay together, in paint order."""
    groups: list[tuple[Box, list[int]]] = []
    for number, item in enumerate(sprite.items):
        box, item_numbers = _bounds_in_sprite(item, sprite), [number]
        while touching_groups := [group for group in groups if _boxes_overlap(group[0], box)]:
            groups = [group for group in groups if group not in touching_groups]
            box = _bounding_box([box, *(group[0] for group in touching_groups)])
            item_numbers += [item_number for group in touching_groups for item_number in group[1]]
        groups.append((box, item_numbers))
    return tuple(_cut_out_part(sprite, box, sorted(item_numbers)) for box, item_numbers in groups)


def _cut_out_part(sprite: Sprite, box: Box, item_numbers: Iterable[int]) -> PlacedSprite:
    left, top, right, bottom = box
    items = in_pixels((sprite.items[number] for number in item_numbers), Frame(-left, -top, 1.0))
    return PlacedSprite(Sprite(right - left, bottom - top, sprite.background, items), left, top)


def _bounds_in_sprite(item: Item, sprite: Sprite) -> Box:
    """The box of the sprite within which the item paints; empty if the item lies outside."""
    left, top, right, bottom = _item_bounds(item)
    return (
        max(0, _round_down_to_even(left - _EDGE_REACH_PIXELS)),
        max(0, _round_down_to_even(top - _EDGE_REACH_PIXELS)),
        min(math.ceil(right + _EDGE_REACH_PIXELS), sprite.width),
        min(math.ceil(bottom + _EDGE_REACH_PIXELS), sprite.height),
    )


def _round_down_to_even(coordinate: float) -> int:
    """The largest even pixel that is not above this coordinate; even offsets leave rounding unchanged."""
    return math.floor(coordinate / 2) * 2


def _item_bounds(item: Item) -> tuple[float, float, float, float]:
    if isinstance(item, Polygon | Polyline):
        half_width = item.width if isinstance(item, Polyline) else 0.0
        xs, ys = zip(*item.points, strict=True)
        return min(xs) - half_width, min(ys) - half_width, max(xs) + half_width, max(ys) + half_width
    if isinstance(item, Disc):
        return item.x - item.r, item.y - item.r, item.x + item.r, item.y + item.r
    if isinstance(item, RoundedBox):
        (x0, x1), (y0, y1) = sorted((item.x0, item.x1)), sorted((item.y0, item.y1))
        return x0, y0, x1, y1
    return _text_bounds(item)


def _text_bounds(text: Text) -> tuple[float, float, float, float]:
    """Bounds of a text; slightly too large, since hinting may widen letters."""
    width, halo_width = text_width(text.text, text.weight) * (text.size + 1), text.halo_width
    left = text.x - {"left": 0.0, "middle": width / 2, "right": width}[text.align]
    text_reach = _LETTER_REACH_EM * text.size + halo_width
    return left - halo_width, text.y - text_reach, left + width + halo_width, text.y + text_reach


def _boxes_overlap(first_box: Box, second_box: Box) -> bool:
    return (
        first_box[0] < second_box[2]
        and second_box[0] < first_box[2]
        and first_box[1] < second_box[3]
        and second_box[1] < first_box[3]
    )


def _bounding_box(boxes: Iterable[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
