"""The cards of an auction or a draft as a scene: what each is and does, who bids what, everybody's money."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from engine.tell.views import LotView, SaleView, SeatView
from render.font_metrics import distinct_texts, fitting, shortened, text_width
from render.money import money
from render.scene import Colour, Item, Placed, RoundedBox, Scene, Sprite, Text
from render.sheets.lot_art import lot_sprite
from render.theme import HIGHLIGHT, WHITE, Theme, mix, palette, theme_named

_EDGE: Final = 20
_GAP: Final = 10
_HEAD: Final = 62
_LINE: Final = 31
_EM: Final = 24
_COLUMN: Final = {1: 790, 2: 470}
"""Width of the cards of a column, by the number of columns."""
_SEATS: Final = 310
_SEAT_HEAD: Final = 46
_SEAT_LINE: Final = 30
_INSET: Final = 12
_NAME: Final = 26
_SMALLEST: Final = 17


class _Grid(NamedTuple):
    """Where things stand on the page."""

    column: int
    columns: int
    seats: int

    @property
    def cards(self) -> int:
        """Width of all columns."""
        return self.columns * (self.column + _GAP) - _GAP

    @property
    def width(self) -> int:
        """Width of the page."""
        return 2 * _EDGE + self.cards + (self.seats + 2 * _GAP if self.seats else 0)


def sale_scene(view: SaleView, theme_name: str) -> Scene:
    """Columns of cards, seats beside them, and below what comes next."""
    theme = theme_named(theme_name)
    columns = len(view.columns)
    beside = _SEATS if view.seats and not theme.large else 0
    grid = _Grid(_COLUMN.get(columns, 400), columns, beside)
    sprites = [_head(view, theme, grid)]
    lowest = _HEAD
    for number, column in enumerate(view.columns):
        left = _EDGE + number * (grid.column + _GAP)
        cards = list(_column(column, theme, grid.column, left))
        lowest = max([lowest, *(card.top + card.sprite.height for card in cards)])
        sprites.extend(cards)
    seats = list(_seats(view, theme, grid, lowest + _GAP))
    sprites.extend(seats)
    lowest = max([lowest, *(seat.top + seat.sprite.height for seat in seats)])
    if view.coming:
        sprites.append(_coming(view, theme, grid, lowest + _GAP))
        lowest += _GAP + sprites[-1].sprite.height
    colours = {lot.badge.colour for column in view.columns for lot in column} - {""}
    return Scene(
        grid.width,
        lowest + 14,
        theme.page,
        tuple(sprites),
        palette(theme_name, tuple(sorted(colours))),
    )


def _head(view: SaleView, theme: Theme, grid: _Grid) -> Placed:
    room = grid.width - 2 * _EDGE
    after = text_width(view.title, "black") * 34 + 24
    size = fitting(view.caption, room - after, 26)
    items = (
        Text(0, 32, view.title, 34, theme.ink, "black", "left"),
        Text(after, 34, view.caption, size, theme.ink, "bold", "left"),
    )
    return Placed(Sprite(room, _HEAD - 4, theme.page, items), _EDGE, 0)


def _column(lots: tuple[LotView, ...], theme: Theme, width: int, left: int) -> Iterator[Placed]:
    top = _HEAD
    for lot in lots:
        sprite = lot_sprite(lot, width, theme)
        yield Placed(sprite, left, top)
        top += sprite.height + _GAP // 2


def _seats(view: SaleView, theme: Theme, grid: _Grid, below: int) -> Iterator[Placed]:
    """One under the other beside the cards; where there is no room, two abreast below them."""
    if not view.seats:
        return
    if grid.seats:
        for number, sprite in enumerate(_seat_sprites(view.seats, grid.seats, theme)):
            top = _HEAD + number * (sprite.height + _GAP // 2)
            yield Placed(sprite, grid.width - _EDGE - grid.seats, top)
        return
    half = (grid.cards - _GAP) // 2
    for number, sprite in enumerate(_seat_sprites(view.seats, half, theme)):
        row, side = divmod(number, 2)
        yield Placed(sprite, _EDGE + side * (half + _GAP), below + row * (sprite.height + _GAP // 2))


def _coming(view: SaleView, theme: Theme, grid: _Grid, top: int) -> Placed:
    room = grid.width - 2 * _EDGE
    items: tuple[Item, ...] = tuple(
        Text(
            4,
            8 + (i + 0.5) * _LINE,
            line,
            fitting(line, room - 8, _EM),
            mix(theme.page, theme.ink, 0.85),
            "bold",
            "left",
        )
        for i, line in enumerate(view.coming)
    )
    return Placed(Sprite(room, 12 + len(view.coming) * _LINE, theme.page, items), _EDGE, top)


def _seat_sprites(seats: Sequence[SeatView], width: int, theme: Theme) -> Iterator[Sprite]:
    """Every player at this width; names that are too long stay apart."""
    room = width - 3 * _INSET - max(text_width(_money(seat), "black") for seat in seats) * _NAME
    names = distinct_texts([seat.name for seat in seats], room, _SMALLEST, "black")
    height = _SEAT_HEAD + max(len(_below(seat)) for seat in seats) * _SEAT_LINE + 12
    for seat, name in zip(seats, names, strict=True):
        yield _seat_sprite(replace(seat, name=name), (width, height), theme)


@lru_cache(maxsize=256)
def _seat_sprite(seat: SeatView, size: tuple[int, int], theme: Theme) -> Sprite:
    """The player at this size; the player on turn has a coloured head."""
    width, height = size
    items: list[Item] = [RoundedBox(0, 1, width, height - 1, 9, theme.sheet)]
    if seat.acting:
        items.append(RoundedBox(0, 1, width, _SEAT_HEAD, 9, HIGHLIGHT))
    items.extend(_seat_head(seat, width, WHITE if seat.acting else theme.ink))
    soft, room = mix(theme.page, theme.ink, 0.85), width - 2 * _INSET
    for i, line in enumerate(_below(seat)):
        em = fitting(line, room, 21, smallest=15)
        y = _SEAT_HEAD + 6 + (i + 0.5) * _SEAT_LINE
        items.append(Text(_INSET, y, shortened(line, room, em), em, soft, "bold", "left"))
    return Sprite(width, height, theme.page, tuple(items))


def _seat_head(seat: SeatView, width: int, ink: Colour) -> Iterator[Item]:
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
