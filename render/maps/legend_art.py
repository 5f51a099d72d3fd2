"""The legend of a map: it explains the marks, and signs such as hatching, rivers, token rings and colour dots."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, TypeAlias

from engine.views import Badge, HexView, MapView, MarkView, SignKind, SlotState, SlotView
from render.font_metrics import wrapped_lines
from render.hexes.ground_art import barrier_items, frontier_line, hatching_items, river_line, side_cost_items
from render.hexes.hex_art import PIP_COUNTS, pip_items
from render.hexes.mark_art import MarkSize, mark_items, mark_sizes
from render.hexes.stop_art import slot_items
from render.scene import Block, Disc, Frame, Item, RoundedBox, Text, items_in_pixels
from render.theme import LINE_COLOUR, WHITE, Theme

_LegendEntry: TypeAlias = tuple[MarkView | SignKind, str]
"""A legend entry: a mark, or the kind of a sign such as `river`, with its explanation."""
_PIXELS_PER_HEX_SIDE: Final = 84
"""Pixels per hex side at which signs are drawn in the legend."""
_TEXT_LEFT: Final = 66
_LEGEND_EM: Final = 19
_LINE_HEIGHT: Final = 23
_HEADING_HEIGHT: Final = 28
_COLUMN_GAP: Final = 24
_MIN_COLUMN_WIDTH: Final = 320
_CLOSE_UP_INSET: Final = 24
_SAMPLE_LINE_ENDS: Final = ((-0.3, 0.0), (0.3, 0.0))
_HATCHED_MARGIN: Final = (0.08, 0.08)
_HATCHED_SAMPLE_SIZE: Final = (0.6, 0.32)
_RING_RADIUS: Final = 0.2
_SAMPLE_BADGE: Final = Badge("", "#0b5fa5")
"""A nameless company, whose home slots the legend draws as samples."""


def map_entries(view: MapView) -> tuple[_LegendEntry, ...]:
    """The legend entries of a whole map: its marks, and every sign on it except hatching.

    Hatching is explained with the marks of closed hexes.
    """
    return (*view.mark_meanings, *_sign_entries(view, view.hexes, "hatching"))


def close_up_legend(view: MapView, shown_hexes: Sequence[HexView], theme: Theme, width: int) -> Block | None:
    """The legend of a close-up of these hexes, as a strip; None if they have no signs.

    The dots that show tile colours are left out, since a close-up shows colours clearly.
    """
    entries = tuple(_sign_entries(view, shown_hexes, "dots"))
    return legend_strip(entries, theme, width, _CLOSE_UP_INSET) if entries else None


def _sign_entries(
    view: MapView, shown_hexes: Sequence[HexView], omitted_kind: SignKind
) -> Iterator[_LegendEntry]:
    shown_kinds = _sign_kinds(tuple(shown_hexes))
    return (
        (kind, explanation)
        for kind, explanation in view.sign_meanings
        if kind in shown_kinds and kind != omitted_kind
    )


@lru_cache(maxsize=64)
def _sign_kinds(shown_hexes: tuple[HexView, ...]) -> frozenset[SignKind]:
    return frozenset(
        kind for kind, is_on_hex in _HEX_TEST_BY_SIGN.items() if any(map(is_on_hex, shown_hexes))
    )


def _home_slot_test(state: SlotState, *, is_reserved: bool = False) -> Callable[[HexView], bool]:
    return lambda h: any(
        slot.state == state and bool(slot.reserved_by) == is_reserved
        for stop in h.stops
        for slot in stop.slots
    )


_HEX_TEST_BY_SIGN: Final[Mapping[SignKind, Callable[[HexView], bool]]] = {
    "hatching": lambda h: h.blocked_by is not None,
    "barrier": lambda h: bool(h.impassable_edges),
    "crossing": lambda h: bool(h.border_costs),
    "river": lambda h: bool(h.river_edges) and not h.border_costs,
    "frontier": lambda h: bool(h.frontier_edges),
    "home": _home_slot_test("home"),
    "reserved": _home_slot_test("home", is_reserved=True),
    "waiting": _home_slot_test("waiting"),
    "kept": _home_slot_test("kept"),
    "dots": lambda h: h.colour in PIP_COUNTS,
}


@lru_cache(maxsize=256)
def legend_panel(entries: tuple[_LegendEntry, ...], theme: Theme, width: int) -> Block:
    """The legend as a panel, one entry per line."""
    items: list[Item] = [Text(0, 12, "Marks on the map", 20, theme.soft_ink, "bold", "left")]
    y = float(_HEADING_HEIGHT)
    for sign, explanation in entries:
        lines = wrapped_lines(explanation, width - _TEXT_LEFT, _LEGEND_EM)
        items.extend(_entry_items(sign, lines, theme, (0.0, y)))
        y += _entry_height(lines)
    return Block(width, round(y), tuple(items))


@lru_cache(maxsize=256)
def legend_strip(entries: tuple[_LegendEntry, ...], theme: Theme, width: int, inset: int = 0) -> Block:
    """The legend as a strip with up to three columns."""
    column_count = max(1, min(3, len(entries), (width - 2 * inset) // _MIN_COLUMN_WIDTH))
    column_width = (width - 2 * inset - (column_count - 1) * _COLUMN_GAP) / column_count
    wrapped_entries = [
        (sign, wrapped_lines(explanation, column_width - _TEXT_LEFT, _LEGEND_EM))
        for sign, explanation in entries
    ]
    row_count = -(-len(wrapped_entries) // column_count)
    items: list[Item] = []
    lowest_y = 0.0
    for column in range(column_count):
        y = 0.0
        for sign, lines in wrapped_entries[column * row_count : (column + 1) * row_count]:
            x = inset + column * (column_width + _COLUMN_GAP)
            items.extend(_entry_items(sign, lines, theme, (x, y)))
            y += _entry_height(lines)
        lowest_y = max(lowest_y, y)
    return Block(width, round(lowest_y), tuple(items))


def _entry_height(lines: tuple[str, ...]) -> float:
    return max(34, len(lines) * _LINE_HEIGHT + 8)


def _entry_items(
    sign: MarkView | SignKind, lines: tuple[str, ...], theme: Theme, position: tuple[float, float]
) -> Iterator[Item]:
    x, y = position
    middle_y = y + _entry_height(lines) / 2
    if isinstance(sign, str):
        frame = Frame(x + _TEXT_LEFT / 2 - 4, middle_y, _PIXELS_PER_HEX_SIDE)
        yield from items_in_pixels(_sign_items(sign, theme), frame)
    else:
        yield from _mark_sample(sign, theme, x + _TEXT_LEFT / 2 - 4, middle_y)
    for i, line in enumerate(lines):
        line_y = middle_y + (i - (len(lines) - 1) / 2) * _LINE_HEIGHT
        yield Text(x + _TEXT_LEFT, line_y, line, _LEGEND_EM, theme.ink, "regular", "left")


def _mark_sample(mark: MarkView, theme: Theme, x: float, y: float) -> Iterator[Item]:
    """A mark as drawn on the map, with at most five letters. A closed hex's mark is shown on hatching."""
    short_mark = replace(mark, text=mark.text[:5])
    size = mark_sizes(short_mark)[0]
    items = tuple(mark_items(short_mark, (0.0, 0.0), size))
    if mark.kind == "closed":
        size = (size[0] + 2 * _HATCHED_MARGIN[0], size[1] + 2 * _HATCHED_MARGIN[1])
        items = (*_hatched_box(size, theme.tiles["white"]), *items)
    yield from items_in_pixels(items, Frame(x, y, min(_PIXELS_PER_HEX_SIDE, (_TEXT_LEFT - 12) / size[0])))


def _hatched_box(size: MarkSize, background: str) -> Iterator[Item]:
    half_width, half_height = size[0] / 2, size[1] / 2
    yield RoundedBox(-half_width, -half_height, half_width, half_height, 0.0, background)
    yield from hatching_items(half_width, half_height, background)


def _sign_items(kind: SignKind, theme: Theme) -> Iterator[Item]:
    if kind == "hatching":
        yield from _hatched_box(_HATCHED_SAMPLE_SIZE, theme.tiles["white"])
    elif kind == "barrier":
        yield from barrier_items(*_SAMPLE_LINE_ENDS)
    elif kind in ("crossing", "river"):
        yield river_line(*_SAMPLE_LINE_ENDS, width=0.08)
        if kind == "crossing":
            yield from side_cost_items((0.0, 0.0), "20")
    elif kind == "frontier":
        yield frontier_line(*_SAMPLE_LINE_ENDS, theme.tiles["white"])
    elif kind == "dots":
        yield RoundedBox(-0.17, -0.08, 0.17, 0.08, 0.0, theme.tiles["gray"])
        yield from pip_items(0.0, 0.0, 4, LINE_COLOUR)
    else:
        state: SlotState = kind if kind in ("waiting", "kept") else "home"
        slot = SlotView(state, _SAMPLE_BADGE, reserved_by="A" if kind == "reserved" else "")
        yield Disc(0.0, 0.0, _RING_RADIUS, WHITE)
        yield from slot_items(0.0, 0.0, _RING_RADIUS, slot)
