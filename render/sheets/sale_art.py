"""The picture of an auction or draft: items on sale with bids, each player's money, and upcoming events."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from engine.views import ClaimView, SaleCardView, SaleView, SeatView
from render.font_metrics import (
    distinct_texts,
    fitted_text,
    fitting_size,
    heading,
    shortened_text,
    text_width,
    wrapped_lines,
)
from render.scene import Colour, Item, PlacedSprite, RoundedBox, Scene, Sprite, Text, Weight
from render.theme import (
    HIGHLIGHT_COLOUR,
    WHITE,
    Theme,
    ink_on,
    mix_colours,
    palette,
    readable_company_colour,
    theme_named,
)

_MARGIN: Final = 20
_CARD_GAP: Final = 10
_HEADING_HEIGHT: Final = 62
_UPCOMING_LINE_HEIGHT: Final = 31
_UPCOMING_EM: Final = 24
_WIDTH_BY_COLUMN_COUNT: Final = {1: 790, 2: 470}
_SINGLE_CARD_COLUMN_COUNT: Final = 3
_SEATS_WIDTH: Final = 310
_SEAT_HEADING_HEIGHT: Final = 46
_SEAT_LINE_HEIGHT: Final = 30
_SEAT_INSET: Final = 12
_SEAT_NAME_EM: Final = 26
_MIN_SEAT_NAME_EM: Final = 17


class _PageLayout(NamedTuple):
    column_width: int
    column_count: int
    seats_width: int

    @property
    def cards_width(self) -> int:
        return self.column_count * (self.column_width + _CARD_GAP) - _CARD_GAP

    @property
    def width(self) -> int:
        return 2 * _MARGIN + self.cards_width + (self.seats_width + 2 * _CARD_GAP if self.seats_width else 0)


def sale_scene(view: SaleView, theme_name: str) -> Scene:
    """Cards of the items on sale in columns, the players to the right or below, and upcoming events at the bottom."""
    theme = theme_named(theme_name)
    columns = _card_columns(view)
    column_count = len(columns)
    seats_width = _SEATS_WIDTH if view.seats and not theme.has_large_letters else 0
    layout = _PageLayout(_WIDTH_BY_COLUMN_COUNT.get(column_count, 400), column_count, seats_width)
    sprites = [_heading_sprite(view, theme, layout)]
    bottom = _HEADING_HEIGHT
    for number, column in enumerate(columns):
        left = _MARGIN + number * (layout.column_width + _CARD_GAP)
        cards = list(_card_column(column, theme, layout.column_width, left))
        bottom = max([bottom, *(card.top + card.sprite.height for card in cards)])
        sprites.extend(cards)
    seat_sprites = list(_placed_seats(view, theme, layout, bottom + _CARD_GAP))
    sprites.extend(seat_sprites)
    bottom = max([bottom, *(seat.top + seat.sprite.height for seat in seat_sprites)])
    if view.upcoming_texts:
        sprites.append(_upcoming_events_sprite(view, theme, layout, bottom + _CARD_GAP))
        bottom += _CARD_GAP + sprites[-1].sprite.height
    colours = {lot.badge.colour for column in view.columns for lot in column} - {""}
    return Scene(
        layout.width,
        bottom + 14,
        theme.page,
        tuple(sprites),
        palette(theme_name, tuple(sorted(colours))),
    )


def _card_columns(view: SaleView) -> Sequence[tuple[SaleCardView, ...]]:
    """The cards by column. If each column has only one card, the cards are spread over three columns."""
    cards = [card for column in view.columns for card in column]
    if len(cards) <= _SINGLE_CARD_COLUMN_COUNT or max(map(len, view.columns)) > 1:
        return view.columns
    return [tuple(cards[number::_SINGLE_CARD_COLUMN_COUNT]) for number in range(_SINGLE_CARD_COLUMN_COUNT)]


def _heading_sprite(view: SaleView, theme: Theme, layout: _PageLayout) -> PlacedSprite:
    available_width = layout.width - 2 * _MARGIN
    items = heading(view.title, view.caption, available_width, theme.ink, y=32)
    return PlacedSprite(Sprite(available_width, _HEADING_HEIGHT - 4, theme.page, items), _MARGIN, 0)


def _card_column(
    lots: tuple[SaleCardView, ...], theme: Theme, width: int, left: int
) -> Iterator[PlacedSprite]:
    top = _HEADING_HEIGHT
    for lot in lots:
        sprite = lot_sprite(lot, width, theme)
        yield PlacedSprite(sprite, left, top)
        top += sprite.height + _CARD_GAP // 2


def _placed_seats(
    view: SaleView, theme: Theme, layout: _PageLayout, seats_top: int
) -> Iterator[PlacedSprite]:
    """The players' cards: in one column to the right of the items on sale, or in two columns below them."""
    if not view.seats:
        return
    if layout.seats_width:
        for number, sprite in enumerate(_seat_sprites(view.seats, layout.seats_width, theme)):
            top = _HEADING_HEIGHT + number * (sprite.height + _CARD_GAP // 2)
            yield PlacedSprite(sprite, layout.width - _MARGIN - layout.seats_width, top)
        return
    seat_width = (layout.cards_width - _CARD_GAP) // 2
    for number, sprite in enumerate(_seat_sprites(view.seats, seat_width, theme)):
        row, column = divmod(number, 2)
        yield PlacedSprite(
            sprite,
            _MARGIN + column * (seat_width + _CARD_GAP),
            seats_top + row * (sprite.height + _CARD_GAP // 2),
        )


def _upcoming_events_sprite(view: SaleView, theme: Theme, layout: _PageLayout, top: int) -> PlacedSprite:
    available_width = layout.width - 2 * _MARGIN
    items: tuple[Item, ...] = tuple(
        fitted_text(
            4,
            8 + (i + 0.5) * _UPCOMING_LINE_HEIGHT,
            line,
            available_width - 8,
            _UPCOMING_EM,
            mix_colours(theme.page, theme.ink, 0.85),
            align="left",
        )
        for i, line in enumerate(view.upcoming_texts)
    )
    return PlacedSprite(
        Sprite(available_width, 12 + len(view.upcoming_texts) * _UPCOMING_LINE_HEIGHT, theme.page, items),
        _MARGIN,
        top,
    )


def _seat_sprites(seats: Sequence[SeatView], width: int, theme: Theme) -> Iterator[Sprite]:
    available_width = (
        width
        - 3 * _SEAT_INSET
        - max(text_width(_money_words(seat), "black") for seat in seats) * _SEAT_NAME_EM
    )
    names = distinct_texts([seat.name for seat in seats], available_width, _MIN_SEAT_NAME_EM, "black")
    max_line_count = max(len(_lines_below_name(seat)) for seat in seats)
    height = _SEAT_HEADING_HEIGHT + max_line_count * _SEAT_LINE_HEIGHT + 12
    for seat, name in zip(seats, names, strict=True):
        note = seat.note if not max_line_count or _lines_below_name(seat) else "no bids"
        yield _seat_sprite(replace(seat, name=name, note=note), (width, height), theme)


@lru_cache(maxsize=256)
def _seat_sprite(seat: SeatView, size: tuple[int, int], theme: Theme) -> Sprite:
    """A player's card of this size; its heading is coloured while the player must act."""
    width, height = size
    items: list[Item] = [RoundedBox(0, 1, width, height - 1, 9, theme.sheet)]
    if seat.is_acting:
        items.append(RoundedBox(0, 1, width, _SEAT_HEADING_HEIGHT, 9, HIGHLIGHT_COLOUR))
    items.extend(_seat_heading(seat, width, WHITE if seat.is_acting else theme.ink))
    soft_ink, available_width = mix_colours(theme.page, theme.ink, 0.85), width - 2 * _SEAT_INSET
    for i, line in enumerate(_lines_below_name(seat)):
        em = fitting_size(line, available_width, 21, smallest_size=15)
        y = _SEAT_HEADING_HEIGHT + 6 + (i + 0.5) * _SEAT_LINE_HEIGHT
        items.append(
            Text(_SEAT_INSET, y, shortened_text(line, available_width, em), em, soft_ink, "bold", "left")
        )
    return Sprite(width, height, theme.page, tuple(items))


def _seat_heading(seat: SeatView, width: int, ink: Colour) -> Iterator[Item]:
    money_words = _money_words(seat)
    available_width = width - 3 * _SEAT_INSET - text_width(money_words, "black") * _SEAT_NAME_EM
    size = fitting_size(seat.name, available_width, _SEAT_NAME_EM, "black", smallest_size=_MIN_SEAT_NAME_EM)
    yield Text(_SEAT_INSET, 25, seat.name, size, ink, "black", "left")
    yield Text(width - _SEAT_INSET, 25, money_words, _SEAT_NAME_EM, ink, "black", "right")


def _money_words(seat: SeatView) -> str:
    return (
        f"{seat.money(seat.free_cash)} free"
        if seat.committed_cash and seat.cash is not None
        else seat.money(seat.cash)
    )


def _lines_below_name(seat: SeatView) -> list[str]:
    lines = [seat.note] if seat.note else []
    if seat.committed_cash:
        cash_note = "" if seat.cash is None else f" of {seat.money(seat.cash)}"
        lines.append(f"{seat.money(seat.committed_cash)}{cash_note} in bids")
    if seat.owned_ids:
        lines.append("has " + ", ".join(seat.owned_ids))
    return lines


_CHIP_WIDTH: Final = 98
_CHIP_LEFT: Final = 12
_TEXT_LEFT: Final = _CHIP_LEFT + _CHIP_WIDTH + 14
_LOT_EM: Final = 22
_LOT_LINE_HEIGHT: Final = 27
_LOT_TEXT_TOP: Final = 50
_LOT_INSET: Final = 10
_PILL_HEIGHT: Final = 34
_LOT_NAME_EM: Final = 27
_MIN_LOT_NAME_EM: Final = 19
_STATUS_EM: Final = 24
_BID_EM: Final = 23


@lru_cache(maxsize=256)
def lot_sprite(lot: SaleCardView, width: int, theme: Theme) -> Sprite:
    """The card of an item on sale, as tall as its text needs."""
    available_width = width - _TEXT_LEFT - 14
    lines = wrapped_lines(". ".join(lot.rule_texts), available_width, _LOT_EM, "regular")
    name_lines = (
        () if _has_room_for_name(lot, width) else wrapped_lines(lot.name, available_width, _LOT_EM, "bold")
    )
    bids = [claim for claim in lot.claims if claim.amount is not None]
    line_count = max(len(name_lines) + len(lines), 1 if lot.value is not None else 0)
    bid_rows = _bid_rows(bids, available_width)
    top = _LOT_TEXT_TOP if lot.status or not name_lines else _LOT_INSET
    height = (
        max(_LOT_TEXT_TOP, top + line_count * _LOT_LINE_HEIGHT)
        + (len(bid_rows) * _PILL_HEIGHT + 4 if bid_rows else 0)
        + 8
    )
    is_unavailable = lot.state in ("taken", "gone")
    background = theme.pale_background if is_unavailable else theme.sheet
    ink = theme.soft_ink if lot.state == "gone" else theme.ink
    rim_colour = HIGHLIGHT_COLOUR if lot.state == "now" else None
    items: list[Item] = [RoundedBox(0, 1, width, height - 1, 9, background, rim_colour, 4)]
    items.extend(_lot_heading(lot, width, theme, ink))
    for i, line in enumerate((*name_lines, *lines)):
        weight: Weight = "bold" if i < len(name_lines) else "regular"
        items.append(Text(_TEXT_LEFT, top + (i + 0.5) * _LOT_LINE_HEIGHT, line, _LOT_EM, ink, weight, "left"))
    for i, row in enumerate(bid_rows):
        items.extend(_bid_pills(row, height - 8 - (len(bid_rows) - i) * _PILL_HEIGHT, theme))
    return Sprite(width, height, theme.page, tuple(items))


def _lot_heading(lot: SaleCardView, width: int, theme: Theme, ink: Colour) -> Iterator[Item]:
    """The top of a card: abbreviation, name and state, with price and income below the abbreviation."""
    fill_colour = (
        readable_company_colour(lot.badge.colour)
        if lot.badge.colour
        else mix_colours(theme.page, theme.ink, 0.85)
    )
    yield RoundedBox(_CHIP_LEFT, 9, _CHIP_LEFT + _CHIP_WIDTH, 45, 8, fill_colour, theme.ink, 1)
    badge_letters = lot.badge.company
    yield fitted_text(
        _CHIP_LEFT + _CHIP_WIDTH / 2, 27, badge_letters, _CHIP_WIDTH - 12, 25, ink_on(fill_colour), "black"
    )
    yield from _lot_status_items(lot, width, ink)
    if _has_room_for_name(lot, width):
        yield fitted_text(
            _TEXT_LEFT, 28, lot.name, _name_width(lot, width), _LOT_NAME_EM, ink, "black", "left"
        )
    if lot.value is not None:
        price = f"{lot.money(lot.value)} +{lot.income}"
        yield fitted_text(
            _CHIP_LEFT + _CHIP_WIDTH / 2,
            _LOT_TEXT_TOP + _LOT_LINE_HEIGHT / 2,
            price,
            _CHIP_WIDTH + 8,
            24,
            ink,
        )


def _has_room_for_name(lot: SaleCardView, width: int) -> bool:
    return fitting_size(lot.name, _name_width(lot, width), _LOT_NAME_EM, "black") >= _MIN_LOT_NAME_EM


def _name_width(lot: SaleCardView, width: int) -> float:
    status_width = text_width(lot.status) * _STATUS_EM + 32 if lot.status else 0
    return width - _TEXT_LEFT - status_width - 14


def _lot_status_items(lot: SaleCardView, width: int, ink: Colour) -> Iterator[Item]:
    if not lot.status:
        return
    status_width = text_width(lot.status) * _STATUS_EM + 24
    if lot.state == "now":
        yield RoundedBox(width - 10 - status_width, 9, width - 10, 46, 18, HIGHLIGHT_COLOUR)
        ink = WHITE
    yield Text(width - 10 - status_width / 2, 28, lot.status, _STATUS_EM, ink, "bold")


def _bid_rows(bids: Sequence[ClaimView], available_width: float) -> list[list[tuple[ClaimView, float]]]:
    """The bids in rows that fit into `available_width` pixels, highest bid first, each with its width."""
    rows: list[list[tuple[ClaimView, float]]] = []
    remaining_width = 0.0
    for bid in bids:
        pill_width = min(available_width, text_width(_bid_words(bid)) * _BID_EM + 26)
        if pill_width > remaining_width:
            rows.append([])
            remaining_width = available_width
        rows[-1].append((bid, pill_width))
        remaining_width -= pill_width + 8
    return rows


def _bid_words(bid: ClaimView) -> str:
    return f"{bid.player} {bid.money(bid.amount)}"


def _bid_pills(row: Sequence[tuple[ClaimView, float]], top: float, theme: Theme) -> Iterator[Item]:
    """A row of bids in rounded boxes; the highest bid's box is filled."""
    x = float(_TEXT_LEFT)
    for bid, pill_width in row:
        words = _bid_words(bid)
        fill_colour = theme.ink if bid.is_leading else theme.page
        yield RoundedBox(x, top, x + pill_width, top + _PILL_HEIGHT - 2, 15, fill_colour, theme.ink, 2)
        yield fitted_text(
            x + pill_width / 2,
            top + _PILL_HEIGHT / 2 - 1,
            words,
            pill_width - 20,
            _BID_EM,
            ink_on(fill_colour),
        )
        x += pill_width + 8
