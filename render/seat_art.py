"""A player beside the cards of a sale: money free, set aside and in all, and what the cards brought."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from engine.tell.views import SeatView
from render.metrics import fitting, shortened, text_width
from render.scene import Colour, Item, RoundedBox, Sprite, Text
from render.theme import HIGHLIGHT, WHITE, Theme, mix

_HIGH: Final = 88
_INSET: Final = 12
_NAME: Final = 26


@lru_cache(maxsize=256)
def seat_sprite(seat: SeatView, width: int, theme: Theme) -> Sprite:
    """The player at this width; whoever acts has a coloured head."""
    items: list[Item] = [RoundedBox(0, 1, width, _HIGH - 1, 9, theme.sheet)]
    ink = theme.ink
    if seat.acting:
        items.append(RoundedBox(0, 1, width, 46, 9, HIGHLIGHT))
        ink = WHITE
    items.extend(_head(seat, width, ink))
    below = _below(seat)
    soft = mix(theme.page, theme.ink, 0.85)
    size = fitting(below, width - 2 * _INSET, 21, smallest=15)
    items.append(Text(_INSET, 67, shortened(below, width - 2 * _INSET, size), size, soft, "bold", "left"))
    return Sprite(width, _HIGH, theme.page, tuple(items))


def _head(seat: SeatView, width: int, ink: Colour) -> Iterator[Item]:
    """The name, and to the right what can still be spent."""
    money = f"${seat.free} free" if seat.committed else f"${seat.cash}"
    room = width - 3 * _INSET - text_width(money, "black") * _NAME
    size = fitting(seat.name, room, _NAME, "black", smallest=17)
    yield Text(_INSET, 25, shortened(seat.name, room, size, "black"), size, ink, "black", "left")
    yield Text(width - _INSET, 25, money, _NAME, ink, "black", "right")


def _below(seat: SeatView) -> str:
    parts = [seat.note] if seat.note else []
    if seat.committed:
        parts.append(f"${seat.committed} of ${seat.cash} in bids")
    if seat.owns:
        parts.append("has " + ", ".join(seat.owns))
    return "; ".join(parts) or "no bids"
