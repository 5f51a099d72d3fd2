"""One card of a sale: letters, name, price and income, what it does, its state, and the bids on it."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from engine.tell.views import ClaimView, LotView
from render.font_metrics import fitting, text_width
from render.maps.legend_art import wrapped
from render.scene import Colour, Item, RoundedBox, Sprite, Text, Weight
from render.theme import HIGHLIGHT, WHITE, Theme, company, ink_on, mix

_CHIP: Final = 98
_LEFT: Final = 12
_TEXT: Final = _LEFT + _CHIP + 14
_EM: Final = 22
_LINE: Final = 27
_TOP: Final = 50
"""Below name and state."""
_INSET: Final = 10
"""Where the first line stands that has nothing above it."""
_PILL: Final = 34
_NAME: Final = 27
_SMALLEST: Final = 19
_STATE: Final = 24
_BID: Final = 23


@lru_cache(maxsize=256)
def lot_sprite(lot: LotView, width: int, theme: Theme) -> Sprite:
    """The card at this width, as high as it must be."""
    room = width - _TEXT - 14
    lines = wrapped(". ".join(lot.does), room, _EM, "regular")
    named = () if _fits(lot, width) else wrapped(lot.name, room, _EM, "bold")
    bids = [claim for claim in lot.claims if claim.amount is not None]
    count = max(len(named) + len(lines), 1 if lot.value is not None else 0)
    rows = _rows(bids, room)
    top = _TOP if lot.status or not named else _INSET
    height = max(_TOP, top + count * _LINE) + (len(rows) * _PILL + 4 if rows else 0) + 8
    over = lot.state in ("taken", "gone")
    ground = mix(theme.page, theme.sheet, 0.35) if over else theme.sheet
    ink = mix(theme.page, theme.ink, 0.72) if lot.state == "gone" else theme.ink
    rim = HIGHLIGHT if lot.state == "now" else None
    items: list[Item] = [RoundedBox(0, 1, width, height - 1, 9, ground, rim, 4)]
    items.extend(_title(lot, width, theme, ink))
    for i, line in enumerate((*named, *lines)):
        weight: Weight = "bold" if i < len(named) else "regular"
        items.append(Text(_TEXT, top + (i + 0.5) * _LINE, line, _EM, ink, weight, "left"))
    for i, row in enumerate(rows):
        items.extend(_pills(row, height - 8 - (len(rows) - i) * _PILL, theme))
    return Sprite(width, height, theme.page, tuple(items))


def _title(lot: LotView, width: int, theme: Theme, ink: Colour) -> Iterator[Item]:
    """Letters, name and state on the first line; price and income below the letters."""
    paint = company(lot.badge.colour) if lot.badge.colour else mix(theme.page, theme.ink, 0.85)
    yield RoundedBox(_LEFT, 9, _LEFT + _CHIP, 45, 8, paint, theme.ink, 1)
    letters = lot.badge.company
    size = fitting(letters, _CHIP - 12, 25, "black")
    yield Text(_LEFT + _CHIP / 2, 27, letters, size, ink_on(paint), "black")
    yield from _state(lot, width, ink)
    if _fits(lot, width):
        size = fitting(lot.name, _room(lot, width), _NAME, "black")
        yield Text(_TEXT, 28, lot.name, size, ink, "black", "left")
    if lot.value is not None:
        price = f"${lot.value} +{lot.income}"
        yield Text(_LEFT + _CHIP / 2, _TOP + _LINE / 2, price, fitting(price, _CHIP + 8, 24), ink, "bold")


def _fits(lot: LotView, width: int) -> bool:
    """Whether the name has room on the first line; else it stands below."""
    return fitting(lot.name, _room(lot, width), _NAME, "black") >= _SMALLEST


def _room(lot: LotView, width: int) -> float:
    taken = text_width(lot.status) * _STATE + 32 if lot.status else 0
    return width - _TEXT - taken - 14


def _state(lot: LotView, width: int, ink: Colour) -> Iterator[Item]:
    """What becomes of it, to the right."""
    if not lot.status:
        return
    wide = text_width(lot.status) * _STATE + 24
    if lot.state == "now":
        yield RoundedBox(width - 10 - wide, 9, width - 10, 46, 18, HIGHLIGHT)
        ink = WHITE
    yield Text(width - 10 - wide / 2, 28, lot.status, _STATE, ink, "bold")


def _rows(bids: Sequence[ClaimView], room: float) -> list[list[tuple[ClaimView, float]]]:
    """Bids on lines, highest first, each with how wide it is."""
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
    """Who bids what; the bid that leads is filled."""
    x = float(_TEXT)
    for claim, wide in row:
        words = _bid(claim)
        paint = theme.ink if claim.leads else theme.page
        yield RoundedBox(x, top, x + wide, top + _PILL - 2, 15, paint, theme.ink, 2)
        size = fitting(words, wide - 20, _BID)
        yield Text(x + wide / 2, top + _PILL / 2 - 1, words, size, ink_on(paint), "bold")
        x += wide + 8
