"""A player beside the cards of a sale: money free, set aside and in all, and what the cards brought."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from engine.tell.views import SeatView
from render.font_metrics import distinct_texts, fitting, shortened, text_width
from render.money import money
from render.scene import Colour, Item, RoundedBox, Sprite, Text
from render.theme import HIGHLIGHT, WHITE, Theme, mix

_HEAD: Final = 46
_LINE: Final = 30
_INSET: Final = 12
_NAME: Final = 26
_SMALLEST: Final = 17


def seat_sprites(seats: Sequence[SeatView], width: int, theme: Theme) -> Iterator[Sprite]:
    """Every player at this width; names that are too long stay apart."""
    room = width - 3 * _INSET - max(text_width(_money(seat), "black") for seat in seats) * _NAME
    names = distinct_texts([seat.name for seat in seats], room, _SMALLEST, "black")
    height = _HEAD + max(len(_below(seat)) for seat in seats) * _LINE + 12
    for seat, name in zip(seats, names, strict=True):
        yield _sprite(replace(seat, name=name), (width, height), theme)


@lru_cache(maxsize=256)
def _sprite(seat: SeatView, size: tuple[int, int], theme: Theme) -> Sprite:
    """The player at this size; the player on turn has a coloured head."""
    width, height = size
    items: list[Item] = [RoundedBox(0, 1, width, height - 1, 9, theme.sheet)]
    if seat.acting:
        items.append(RoundedBox(0, 1, width, _HEAD, 9, HIGHLIGHT))
    items.extend(_head(seat, width, WHITE if seat.acting else theme.ink))
    soft, room = mix(theme.page, theme.ink, 0.85), width - 2 * _INSET
    for i, line in enumerate(_below(seat)):
        em = fitting(line, room, 21, smallest=15)
        y = _HEAD + 6 + (i + 0.5) * _LINE
        items.append(Text(_INSET, y, shortened(line, room, em), em, soft, "bold", "left"))
    return Sprite(width, height, theme.page, tuple(items))


def _head(seat: SeatView, width: int, ink: Colour) -> Iterator[Item]:
    """The name, and to the right what can still be spent."""
    free = _money(seat)
    room = width - 3 * _INSET - text_width(free, "black") * _NAME
    size = fitting(seat.name, room, _NAME, "black", smallest=_SMALLEST)
    yield Text(_INSET, 25, seat.name, size, ink, "black", "left")
    yield Text(width - _INSET, 25, free, _NAME, ink, "black", "right")


def _money(seat: SeatView) -> str:
    return f"{money(seat.free)} free" if seat.committed and seat.cash is not None else money(seat.cash)


def _below(seat: SeatView) -> list[str]:
    """What is set aside or can be paid, and what the cards brought."""
    lines = [seat.note] if seat.note else []
    if seat.committed:
        lines.append(f"${seat.committed}{'' if seat.cash is None else f' of ${seat.cash}'} in bids")
    if seat.owns:
        lines.append("has " + ", ".join(seat.owns))
    return lines or ["no bids"]
