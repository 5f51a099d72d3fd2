"""Drawing primitives as immutable values.

A scene (picture) consists of sprites, and a sprite consists of items: polygons, lines, discs, boxes and texts. Items
may be in any unit of length, such as hex sides; `items_in_pixels` converts them to pixels.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

Colour: TypeAlias = str
"""A colour as `#rrggbb`."""
Point: TypeAlias = tuple[float, float]
"""A point: x to the right, y down."""
Weight: TypeAlias = Literal["regular", "bold", "black"]
Align: TypeAlias = Literal["left", "middle", "right"]


class Polygon(NamedTuple):
    """A filled polygon."""

    points: tuple[Point, ...]
    fill: Colour


class Polyline(NamedTuple):
    """A line through points, with rounded joints; `is_closed` joins its ends."""

    points: tuple[Point, ...]
    colour: Colour
    width: float
    is_closed: bool = False


class Disc(NamedTuple):
    """A circle with a fill, an outline inside its edge, or both."""

    x: float
    y: float
    r: float
    fill: Colour | None
    line: Colour | None = None
    width: float = 0.0


class RoundedBox(NamedTuple):
    """A rectangle with rounded corners and a fill, an outline inside its edge, or both."""

    x0: float
    y0: float
    x1: float
    y1: float
    r: float
    fill: Colour | None
    line: Colour | None = None
    width: float = 0.0


class Text(NamedTuple):
    """One line of text.

    `y` is the middle of capital letters, `size` the font size, and `halo` the colour of an outline around the letters.
    """

    x: float
    y: float
    text: str
    size: float
    colour: Colour
    weight: Weight = "bold"
    align: Align = "middle"
    halo: Colour | None = None
    halo_width: float = 0.0


Item: TypeAlias = Polygon | Polyline | Disc | RoundedBox | Text


@dataclass(frozen=True, slots=True)
class Frame:
    """A conversion to pixels: the pixel of the origin, the scale, and a slight stretch in x and y."""

    x: float
    y: float
    scale: float
    stretch_x: float = 1.0
    stretch_y: float = 1.0

    def to_pixels(self, point: Point) -> Point:
        """A point converted to pixels."""
        return (
            self.x + point[0] * self.scale * self.stretch_x,
            self.y + point[1] * self.scale * self.stretch_y,
        )

    def points_in_pixels(self, points: Iterable[Point]) -> tuple[Point, ...]:
        """Points converted to pixels."""
        left, top, scale, stretch_x, stretch_y = self.x, self.y, self.scale, self.stretch_x, self.stretch_y
        return tuple([(left + x * scale * stretch_x, top + y * scale * stretch_y) for x, y in points])


def items_in_pixels(items: Iterable[Item], frame: Frame) -> tuple[Item, ...]:
    """Items converted to pixels. The stretch changes only positions, so discs stay round."""
    return tuple(_item_in_pixels(item, frame) for item in items)


def _item_in_pixels(item: Item, frame: Frame) -> Item:
    scale = frame.scale
    if isinstance(item, Polygon):
        return Polygon(frame.points_in_pixels(item.points), item.fill)
    if isinstance(item, Polyline):
        return Polyline(frame.points_in_pixels(item.points), item.colour, item.width * scale, item.is_closed)
    if isinstance(item, Disc):
        x, y = frame.to_pixels((item.x, item.y))
        return Disc(x, y, item.r * scale, item.fill, item.line, item.width * scale)
    if isinstance(item, RoundedBox):
        x0, y0 = frame.to_pixels((item.x0, item.y0))
        x1, y1 = frame.to_pixels((item.x1, item.y1))
        return RoundedBox(x0, y0, x1, y1, item.r * scale, item.fill, item.line, item.width * scale)
    x, y = frame.to_pixels((item.x, item.y))
    size, halo_width = item.size * scale, item.halo_width * scale
    return Text(x, y, item.text, size, item.colour, item.weight, item.align, item.halo, halo_width)


@dataclass(frozen=True)
class Sprite:
    """A small picture that is drawn once and cached: size, background, items in paint order, and clip polygon."""

    width: int
    height: int
    background: Colour
    items: tuple[Item, ...]
    clip: tuple[Point, ...] = ()
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Sprites are looked up on every picture; their deep hash is worth computing only once.
        object.__setattr__(
            self, "_hash", hash((self.width, self.height, self.background, self.items, self.clip))
        )

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[type["Sprite"], tuple[object, ...]]:
        # In another process the same is hashed otherwise.
        return Sprite, (self.width, self.height, self.background, self.items, self.clip)


@dataclass(frozen=True, slots=True)
class SvgMark:
    """The id and description that make a sprite selectable in an SVG."""

    id: str
    name: str
    stops: tuple[Point, ...] = ()
    """For a hex with several stops, their positions in pixels of the sprite."""


@dataclass(frozen=True, slots=True)
class PlacedSprite:
    """A sprite at a pixel position; a sprite with a mark is selectable."""

    sprite: Sprite
    left: int
    top: int
    mark: SvgMark | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole picture: size, background, sprites in paint order, and a palette of at most 256 colours."""

    width: int
    height: int
    background: Colour
    sprites: tuple[PlacedSprite, ...]
    palette: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A panel before it is placed: size in pixels, and items relative to its top left corner."""

    width: int
    height: int
    items: tuple[Item, ...]
