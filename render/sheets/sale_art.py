"""An auction or draft as a scene: cards with bids, everybody's money, and upcoming events."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from engine.views import ClaimView, LotView, SaleView, SeatView
from render.font_metrics import distinct_texts, fitted, fitting, heading, shortened, text_width, wrapped
from render.scene import Colour, Item, Placed, RoundedBox, Scene, Sprite, Text, Weight
from render.theme import HIGHLIGHT, WHITE, Theme, company, ink_on, mix, palette, theme_named
from render.words import money

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
    """The layout of the page: columns and seats."""

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
    items = heading(view.title, view.caption, room, theme.ink, y=32)
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
        fitted(4, 8 + (i + 0.5) * _LINE, line, room - 8, _EM, mix(theme.page, theme.ink, 0.85), align="left")
        for i, line in enumerate(view.coming)
    )
    return Placed(Sprite(room, 12 + len(view.coming) * _LINE, theme.page, items), _EDGE, top)


def _seat_sprites(seats: Sequence[SeatView], width: int, theme: Theme) -> Iterator[Sprite]:
    room = width - 3 * _INSET - max(text_width(_money(seat), "black") for seat in seats) * _NAME
    names = distinct_texts([seat.name for seat in seats], room, _SMALLEST, "black")
    height = _SEAT_HEAD + max(len(_text_below(seat)) for seat in seats) * _SEAT_LINE + 12
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
    for i, line in enumerate(_text_below(seat)):
        em = fitting(line, room, 21, smallest=15)
        y = _SEAT_HEAD + 6 + (i + 0.5) * _SEAT_LINE
        items.append(Text(_INSET, y, shortened(line, room, em), em, soft, "bold", "left"))
    return Sprite(width, height, theme.page, tuple(items))


def _seat_head(seat: SeatView, width: int, ink: Colour) -> Iterator[Item]:
    free = _money(seat)
    room = width - 3 * _INSET - text_width(free, "black") * _NAME
    size = fitting(seat.name, room, _NAME, "black", smallest=_SMALLEST)
    yield Text(_INSET, 25, seat.name, size, ink, "black", "left")
    yield Text(width - _INSET, 25, free, _NAME, ink, "black", "right")


def _money(seat: SeatView) -> str:
    return f"{money(seat.free)} free" if seat.committed and seat.cash is not None else money(seat.cash)


def _text_below(seat: SeatView) -> list[str]:
    lines = [seat.note] if seat.note else []
    if seat.committed:
        lines.append(f"${seat.committed}{'' if seat.cash is None else f' of ${seat.cash}'} in bids")
    if seat.owns:
        lines.append("has " + ", ".join(seat.owns))
    return lines or ["no bids"]


_CHIP: Final = 98
_LEFT: Final = 12
_TEXT: Final = _LEFT + _CHIP + 14
_LOT_EM: Final = 22
_LOT_LINE: Final = 27
_TOP: Final = 50
"""Below name and state."""
_LOT_INSET: Final = 10
"""Where the first line stands that has nothing above it."""
_PILL: Final = 34
_LOT_NAME: Final = 27
_LOT_SMALLEST: Final = 19
_STATE: Final = 24
_BID: Final = 23


@lru_cache(maxsize=256)
def lot_sprite(lot: LotView, width: int, theme: Theme) -> Sprite:
    """The card at this width, as high as it must be."""
    room = width - _TEXT - 14
    lines = wrapped(". ".join(lot.does), room, _LOT_EM, "regular")
    named = () if _fits(lot, width) else wrapped(lot.name, room, _LOT_EM, "bold")
    bids = [claim for claim in lot.claims if claim.amount is not None]
    count = max(len(named) + len(lines), 1 if lot.value is not None else 0)
    rows = _rows(bids, room)
    top = _TOP if lot.status or not named else _LOT_INSET
    height = max(_TOP, top + count * _LOT_LINE) + (len(rows) * _PILL + 4 if rows else 0) + 8
    over = lot.state in ("taken", "gone")
    ground = theme.pale if over else theme.sheet
    ink = theme.soft if lot.state == "gone" else theme.ink
    rim = HIGHLIGHT if lot.state == "now" else None
    items: list[Item] = [RoundedBox(0, 1, width, height - 1, 9, ground, rim, 4)]
    items.extend(_title(lot, width, theme, ink))
    for i, line in enumerate((*named, *lines)):
        weight: Weight = "bold" if i < len(named) else "regular"
        items.append(Text(_TEXT, top + (i + 0.5) * _LOT_LINE, line, _LOT_EM, ink, weight, "left"))
    for i, row in enumerate(rows):
        items.extend(_pills(row, height - 8 - (len(rows) - i) * _PILL, theme))
    return Sprite(width, height, theme.page, tuple(items))


def _title(lot: LotView, width: int, theme: Theme, ink: Colour) -> Iterator[Item]:
    """Letters, name and state on the first line; price and income below the letters."""
    paint = company(lot.badge.colour) if lot.badge.colour else mix(theme.page, theme.ink, 0.85)
    yield RoundedBox(_LEFT, 9, _LEFT + _CHIP, 45, 8, paint, theme.ink, 1)
    letters = lot.badge.company
    yield fitted(_LEFT + _CHIP / 2, 27, letters, _CHIP - 12, 25, ink_on(paint), "black")
    yield from _state(lot, width, ink)
    if _fits(lot, width):
        yield fitted(_TEXT, 28, lot.name, _room(lot, width), _LOT_NAME, ink, "black", "left")
    if lot.value is not None:
        price = f"${lot.value} +{lot.income}"
        yield fitted(_LEFT + _CHIP / 2, _TOP + _LOT_LINE / 2, price, _CHIP + 8, 24, ink)


def _fits(lot: LotView, width: int) -> bool:
    return fitting(lot.name, _room(lot, width), _LOT_NAME, "black") >= _LOT_SMALLEST


def _room(lot: LotView, width: int) -> float:
    taken = text_width(lot.status) * _STATE + 32 if lot.status else 0
    return width - _TEXT - taken - 14


def _state(lot: LotView, width: int, ink: Colour) -> Iterator[Item]:
    if not lot.status:
        return
    wide = text_width(lot.status) * _STATE + 24
    if lot.state == "now":
        yield RoundedBox(width - 10 - wide, 9, width - 10, 46, 18, HIGHLIGHT)
        ink = WHITE
    yield Text(width - 10 - wide / 2, 28, lot.status, _STATE, ink, "bold")


def _rows(bids: Sequence[ClaimView], room: float) -> list[list[tuple[ClaimView, float]]]:
    """Bids in rows, highest first, each with its width."""
    rows: list[list[tuple[ClaimView, float]]] = []
    left = 0.0
    for claim in bids:
        wide = min(room, text_width(_bid(claim)) * _BID + 26)
        if wide > left:
            rows.append([])
            left = room
        rows[-1].append((claim, wide))
        left -= wide + 8
    return rows


def _bid(claim: ClaimView) -> str:
    return f"{claim.player} ${claim.amount}"


def _pills(row: Sequence[tuple[ClaimView, float]], top: float, theme: Theme) -> Iterator[Item]:
    """The bids; the one that leads is filled."""
    x = float(_TEXT)
    for claim, wide in row:
        words = _bid(claim)
        paint = theme.ink if claim.leads else theme.page
        yield RoundedBox(x, top, x + wide, top + _PILL - 2, 15, paint, theme.ink, 2)
        yield fitted(x + wide / 2, top + _PILL / 2 - 1, words, wide - 20, _BID, ink_on(paint))
        x += wide + 8
