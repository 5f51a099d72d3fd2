"""Marks on hexes: flags of objectives, coal, named trains, hexes of privates; one look for each kind."""

from collections.abc import Iterator
from typing import Final

from engine.tell.views import Badge, MarkView
from render.font_metrics import fitting, text_width
from render.hexes.icon_art import icon
from render.hexes.place import Blob, box
from render.hexes.stop_art import token
from render.scene import Colour, Disc, Item, Point, Polygon, Polyline, RoundedBox, Text
from render.theme import BLACK, LINE, WHITE, company, ink_on, mix

Size = tuple[float, float]

_EM: Final = 0.15
_FLAG: Final = 0.20
"""Height of a flag's cloth with its letters."""
_MUTED: Final = "#6a6a6a"
_COAL: Final = 0.135
"""Radius of the coal chip."""
_BESIDE: Final = 0.2
"""Radius of a token that takes no space."""


def sizes(mark: MarkView) -> tuple[Size, ...]:
    """Widths and heights a mark may have in hex sides, best first; the second is for crowded hexes."""
    if mark.kind == "objective":
        return ((_cloth(mark.text) + 0.04, 0.31), (0.20, 0.25))
    if mark.kind == "city_bonus":
        alone = (2 * _COAL, 2 * _COAL)
        wide = 2 * _COAL + text_width(mark.text) * _EM + 0.06
        return ((wide, 2 * _COAL), alone) if mark.done else (alone,)
    if mark.kind == "beside":
        return ((2 * _BESIDE, 2 * _BESIDE), (1.4 * _BESIDE, 1.4 * _BESIDE))
    return ((text_width(mark.text) * _EM + 0.15, 0.22),)


def blobs(size: Size) -> tuple[Blob, ...]:
    """The discs a mark covers, about its own centre: small ones along both long sides, for it has corners."""
    wide, tall = size
    return (*box(0.0, -tall / 4, wide, tall / 2), *box(0.0, tall / 4, wide, tall / 2))


def mark_items(mark: MarkView, at: Point, size: Size) -> Iterator[Item]:
    """A mark centred at a point."""
    if mark.kind == "objective":
        yield from _flag(mark, at, size, lettered=size == sizes(mark)[0])
    elif mark.kind == "city_bonus":
        yield from _coal(mark, at, size)
    elif mark.kind == "beside" and mark.badge is not None:
        yield from token(*at, size[0] / 2, mark.badge)
    else:
        yield from _chip(mark, at, size)


def _paint(badge: Badge | None) -> Colour:
    return _MUTED if badge is None else company(badge.colour)


def _cloth(text: str) -> float:
    return text_width(text, "black") * 0.13 + 0.10


def _flag(mark: MarkView, at: Point, size: Size, *, lettered: bool) -> Iterator[Item]:
    """A pole and a cloth in the company's colour: an outline until the objective is reached, then filled."""
    paint = _paint(mark.badge)
    x, y = at
    left, top, bottom = x - size[0] / 2, y - size[1] / 2, y + size[1] / 2
    tall = _FLAG if lettered else 0.15
    right = x + size[0] / 2
    yield Polyline(((left + 0.02, top), (left + 0.02, bottom)), WHITE, 0.07)
    yield Polyline(((left + 0.02, top), (left + 0.02, bottom)), LINE, 0.035)
    # The cloth's free end is cut like a pennant, so that it is no chip even without its colour.
    edge = ((left + 0.02, top), (right, top), (right - 0.05, top + tall / 2), (right, top + tall))
    cloth = (*edge, (left + 0.02, top + tall))
    yield Polygon(cloth, paint if mark.done else WHITE)
    yield Polyline(cloth, LINE if mark.done else paint, 0.02 if mark.done else 0.035, closed=True)
    if lettered:
        ink = ink_on(paint) if mark.done else BLACK
        yield Text(x - 0.005, top + tall / 2, mark.text, 0.13, ink, "black")


def _coal(mark: MarkView, at: Point, size: Size) -> Iterator[Item]:
    """A heap of coal on a white chip; where the token lies, a ring in its owner's colour and what it is worth."""
    x, y = at
    half = size[0] / 2
    rim = _paint(mark.badge) if mark.done else LINE
    if half <= _COAL:
        yield Disc(x, y, _COAL, WHITE, rim, 0.035 if mark.done else 0.014)
        yield from icon(mark.icon, x, y)
        return
    yield RoundedBox(x - half, y - _COAL, x + half, y + _COAL, 0.9 * _COAL, WHITE, rim, 0.035)
    yield from icon(mark.icon, x - half + _COAL, y)
    yield Text(x - half + 2 * _COAL - 0.04, y, mark.text, _EM, BLACK, "bold", "left")


def _chip(mark: MarkView, at: Point, size: Size) -> Iterator[Item]:
    """Letters: of a named train in a pill ringed in its owner's colour, of a private in a box with square corners."""
    x, y = at
    half, tall = size[0] / 2, size[1] / 2
    if mark.kind == "named_train":
        rim = _paint(mark.badge)
        yield RoundedBox(x - half, y - tall, x + half, y + tall, tall, WHITE, rim, 0.035)
    else:
        yield RoundedBox(x - half, y - tall, x + half, y + tall, 0.03, WHITE, LINE, 0.018)
    ink = BLACK if mark.badge or mark.kind == "power" else mix(WHITE, BLACK, 0.65)
    yield Text(x, y, mark.text, fitting(mark.text, size[0] - 0.1, _EM), ink, "bold")
