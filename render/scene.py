"""Drawing primitives as frozen values.

Lengths are in a unit that the caller chooses, such as hex sides; `items_in_pixels` converts them to pixels.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

Colour: TypeAlias = str
"""A colour as `#rrggbb`."""
Point: TypeAlias = tuple[float, float]
"""x (to the right) and y (down)."""
Weight: TypeAlias = Literal["regular", "bold", "black"]
Align: TypeAlias = Literal["left", "middle", "right"]


class Polygon(NamedTuple):
    """A filled area."""

    points: tuple[Point, ...]
    fill: Colour


class Polyline(NamedTuple):
    """A line with curved joints; `closed` joins its ends."""

    points: tuple[Point, ...]
    colour: Colour
    width: float
    closed: bool = False


class Disc(NamedTuple):
    """A filled circle, with an optional rim inside its edge; without a fill only the rim is drawn."""

    x: float
    y: float
    r: float
    fill: Colour | None
    line: Colour | None = None
    width: float = 0.0


class RoundedBox(NamedTuple):
    """A box with rounded corners, an optional rim inside its edge; without a fill only the rim is drawn."""

    x0: float
    y0: float
    x1: float
    y1: float
    r: float
    fill: Colour | None
    line: Colour | None = None
    width: float = 0.0


class Text(NamedTuple):
    """One line of text; `y` is the middle of its capitals, `size` the em, `halo` a rim outside it."""

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
    """A transformation of units to pixels: origin, scale, and a stretch near 1."""

    x: float
    y: float
    scale: float
    stretch_x: float = 1.0
    stretch_y: float = 1.0

    def to_pixels(self, point: Point) -> Point:
        """This point in pixels."""
        return (
            self.x + point[0] * self.scale * self.stretch_x,
            self.y + point[1] * self.scale * self.stretch_y,
        )

    def points_in_pixels(self, points: Iterable[Point]) -> tuple[Point, ...]:
        """These points in pixels."""
        left, top, scale, stretch_x, stretch_y = self.x, self.y, self.scale, self.stretch_x, self.stretch_y
        return tuple([(left + x * scale * stretch_x, top + y * scale * stretch_y) for x, y in points])


def items_in_pixels(items: Iterable[Item], frame: Frame) -> tuple[Item, ...]:
    """The items converted to pixels; only positions are stretched, so that discs stay round."""
    return tuple(_item_in_pixels(item, frame) for item in items)


def _item_in_pixels(item: Item, frame: Frame) -> Item:
    scale = frame.scale
    if isinstance(item, Polygon):
        return Polygon(frame.points_in_pixels(item.points), item.fill)
    if isinstance(item, Polyline):
        return Polyline(frame.points_in_pixels(item.points), item.colour, item.width * scale, item.closed)
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
    """A small cached picture: size, ground, items in paint order, clip shape."""

    width: int
    height: int
    ground: Colour
    items: tuple[Item, ...]
    clip: tuple[Point, ...] = ()
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Sprites are looked up on every picture; their deep hash is worth computing only once.
        object.__setattr__(self, "_hash", hash((self.width, self.height, self.ground, self.items, self.clip)))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[type["Sprite"], tuple[object, ...]]:
        # In another process the same is hashed otherwise.
        return Sprite, (self.width, self.height, self.ground, self.items, self.clip)


@dataclass(frozen=True, slots=True)
class Mark:
    """The id and name of a sprite that a user can select in a picture."""

    id: str
    name: str
    stops: tuple[Point, ...] = ()
    """Positions of a hex's stops in pixels of the sprite, if it has more than one."""


@dataclass(frozen=True, slots=True)
class PlacedSprite:
    """A sprite with its position, in pixels, and its mark."""

    sprite: Sprite
    left: int
    top: int
    mark: Mark | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole picture: size, ground, sprites in paint order, palette of at most 256 colours."""

    width: int
    height: int
    ground: Colour
    sprites: tuple[PlacedSprite, ...]
    palette: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A panel: size in pixels and its drawing from its upper left corner."""

    width: int
    height: int
    items: tuple[Item, ...]
