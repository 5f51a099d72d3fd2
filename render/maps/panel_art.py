"""Panels beside a map: title, trains in the bank, sums of the routes, the legend of its marks, and values by phase."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Final, TypeAlias

from engine.views import HexView, MapView, MarkView, RunView, StopView
from render.font_metrics import fitted, fitting, text_width, wrapped
from render.hexes.hex_geometry import Layout
from render.hexes.labels import LONG_ROW
from render.hexes.mark_art import mark_items, mark_sizes
from render.maps.overlays import quiet_hexes
from render.scene import Block, Disc, Frame, Item, Polyline, RoundedBox, Sprite, Text, placed
from render.theme import BLACK, WHITE, Theme, mix

_CARDS: Final = 7
"""Most cards of trains beside each other."""
_CARD: Final = 48
"""Pixels of a card whose letters can be read."""


def panel_sprite(block: Block, theme: Theme) -> Sprite:
    """The panel on the page's ground."""
    return Sprite(block.width, block.height, theme.page, block.items)


def panel_blocks(
    view: MapView, theme: Theme, radius: int, strip: int
) -> tuple[tuple[Block, Callable[[], Block]], ...]:
    """The panels of a map, most important first, each with its form as a strip."""
    width = round(5.75 * radius)
    parts = [(_facts(view, theme, width), partial(facts_strip, view, theme, strip))]
    if view.runs:
        parts.insert(0, (_sums(view.runs, theme, width), partial(_sums, view.runs, theme, strip)))
    if view.mark_words:
        words = view.mark_words
        parts.append((legend_panel(words, theme, width), partial(legend_strip, words, theme, strip)))
    worth = values_panel(view, theme, width)
    if worth is not None:
        parts.append((worth, partial(values_strip, view, view.hexes, theme, strip)))
    return tuple(parts)


def _facts(view: MapView, theme: Theme, width: int) -> Block:
    items = _title(view, theme, width)
    y = 88
    if view.trains_left:
        items.append(Text(0, y + 12, "Trains in the bank", 20, theme.soft, "bold", "left"))
        y += 30
        for part in _rows(view, width):
            items.extend(_cards(part, theme, width, y))
            y += 78
    if view.trains_in_pool:
        items.append(fitted(0, y + 14, _pool(view), width, 21, theme.ink, align="left"))
        y += 32
    return Block(width, y, tuple(items))


def facts_strip(view: MapView, theme: Theme, width: int) -> Block:
    """Title, trains and pool in one line, for the space below a map."""
    items = _title(view, theme, width * 0.42)
    if view.trains_left:
        cards = Frame(width * 0.45, 0, 1.0)
        items.extend(placed(_cards(view, theme, round(width * 0.55), 4), cards))
    if view.trains_in_pool:
        items.append(fitted(0, 96, _pool(view), width, 21, theme.ink, align="left"))
    return Block(width, 112 if view.trains_in_pool else 80, tuple(items))


def _title(view: MapView, theme: Theme, width: float) -> list[Item]:
    return [
        fitted(0, 22, view.title, width, 34, theme.ink, "black", "left"),
        fitted(0, 60, view.caption, width, 25, theme.ink, align="left"),
    ]


def _pool(view: MapView) -> str:
    """`Bank pool: 2 for $80, 3 for $180 (2 of them)`."""
    trains = Counter(view.trains_in_pool)
    words = (
        f"{name} for ${price}" + (f" ({n} of them)" if n > 1 else "") for (name, price), n in trains.items()
    )
    return "Bank pool: " + ", ".join(words)


def _rows(view: MapView, width: int) -> Iterator[MapView]:
    """The trains left in rows as long as each other, so that their cards stay large enough."""
    count = len(view.trains_left)
    each = -(-count // -(-count // min(_CARDS, width // _CARD)))
    for start in range(0, count, each):
        yield replace(view, trains_left=view.trains_left[start : start + each])


def _cards(view: MapView, theme: Theme, width: int, top: int) -> Iterator[Item]:
    """A card for every train type: name over how many are left, price below."""
    step = min(76.0, width / len(view.trains_left))
    for i, (name, left, price) in enumerate(view.trains_left):
        x0, x1 = i * step, (i + 1) * step - 6
        middle = (x0 + x1) / 2
        gone = left == 0
        ground = mix(theme.page, theme.sheet, 0.25) if gone else theme.sheet
        ink = theme.soft if gone else theme.ink
        yield RoundedBox(x0, top, x1, top + 72, 7, ground, theme.soft, 1.5)
        count = "∞" if left is None else f"×{left}"
        size = fitting(name + count, x1 - x0 - 16, 27, "black")
        half = (text_width(name, "black") + text_width(count, "bold") * 0.8) * size / 2 + 2
        yield Text(middle - half, top + 23, name, size, ink, "black", "left")
        yield Text(middle + half, top + 23, count, size * 0.8, ink, "bold", "right")
        yield fitted(middle, top + 53, f"${price}", x1 - x0 - 8, 21, ink)


def _sums(runs: tuple[RunView, ...], theme: Theme, width: int) -> Block:
    items: list[Item] = []
    for i, run in enumerate(runs):
        items.extend(_sum(run, i, theme, (0, 20 + i * 38), width))
    total = f"Revenue ${sum(run.value for run in runs)}"
    items.append(Text(0, 22 + len(runs) * 38, total, 28, theme.ink, "black", "left"))
    return Block(width, 42 + len(runs) * 38, tuple(items))


def _sum(run: RunView, i: int, theme: Theme, position: tuple[float, float], width: float) -> Iterator[Item]:
    x, y = position
    yield Polyline(((x, y), (x + 54, y)), BLACK, 13)
    yield Polyline(((x + 2, y), (x + 52, y)), theme.line(i), 9)
    yield Disc(x + 27, y, 15, WHITE, theme.line(i), 4)
    yield Text(x + 27, y, run.short, 19 if len(run.short) < 3 else 13, BLACK, "black")
    text = f"{run.sum_text} = ${run.value}" if "+" in run.sum_text else f"${run.value}"
    yield fitted(x + 64, y, text, width - 66, 25, theme.ink, align="left")


def strips_below(view: MapView, shown: Sequence[HexView], theme: Theme, width: int) -> Iterator[Block]:
    """The strips below a close-up of these hexes: caption, and values by phase."""
    yield caption_strip(view, theme, width)
    worth = values_strip(view, shown, theme, width, inset=24)
    if worth.items:
        yield replace(worth, height=worth.height + 10)


def caption_strip(view: MapView, theme: Theme, width: int) -> Block:
    """The line below a close-up: title and caption, then the routes' sums two to a line."""
    words = f"{view.title}   {view.caption}"
    items: list[Item] = [Polyline(((0, 1), (width, 1)), theme.hairline, 2)]
    items.append(fitted(24, 30, words, width - 48, 27, theme.ink, align="left"))
    column = (width - 48) / 2
    for i, run in enumerate(view.runs):
        items.extend(_sum(run, i, theme, (24 + (i % 2) * column, 72 + (i // 2) * 38), column - 12))
    lines = (len(view.runs) + 1) // 2
    if view.runs:
        total = f"Revenue ${sum(run.value for run in view.runs)}"
        items.append(Text(width - 24, 30, total, 27, theme.ink, "black", "right"))
    return Block(width, 58 + 38 * lines, tuple(items))


_Words: TypeAlias = tuple[tuple[MarkView, str], ...]
_SCALE: Final = 84
"""Pixels of a hex side as which the marks are drawn."""
_MARGIN: Final = 66
_LEGEND_EM: Final = 19
_LEGEND_LINE: Final = 23
_LEGEND_HEAD: Final = 28
_LEGEND_GAP: Final = 24


@lru_cache(maxsize=256)
def legend_panel(words_of: _Words, theme: Theme, width: int) -> Block:
    """The legend of marks, one per line."""
    items: list[Item] = [Text(0, 12, "Marks on the map", 20, theme.soft, "bold", "left")]
    y = float(_LEGEND_HEAD)
    for mark, words in words_of:
        lines = wrapped(words, width - _MARGIN, _LEGEND_EM)
        items.extend(_entry(mark, lines, theme, (0.0, y)))
        y += _entry_height(lines)
    return Block(width, round(y), tuple(items))


@lru_cache(maxsize=256)
def legend_strip(words_of: _Words, theme: Theme, width: int) -> Block:
    """The legend in three columns, as a strip."""
    step = (width - 2 * _LEGEND_GAP) / 3
    entries = [(mark, wrapped(words, step - _MARGIN, _LEGEND_EM)) for mark, words in words_of]
    rows = -(-len(entries) // 3)
    items: list[Item] = []
    lowest = 0.0
    for column in range(3):
        y = 0.0
        for mark, lines in entries[column * rows : (column + 1) * rows]:
            items.extend(_entry(mark, lines, theme, (column * (step + _LEGEND_GAP), y)))
            y += _entry_height(lines)
        lowest = max(lowest, y)
    return Block(width, round(lowest), tuple(items))


def _entry_height(lines: tuple[str, ...]) -> float:
    return max(34, len(lines) * _LEGEND_LINE + 8)


def _entry(
    mark: MarkView, lines: tuple[str, ...], theme: Theme, position: tuple[float, float]
) -> Iterator[Item]:
    x, y = position
    middle = y + _entry_height(lines) / 2
    shown = replace(mark, text=mark.text[:5])
    size = mark_sizes(shown)[0]
    frame = Frame(x + _MARGIN / 2 - 4, middle, min(_SCALE, (_MARGIN - 12) / size[0]))
    yield from placed(mark_items(shown, (0.0, 0.0), size), frame)
    for i, line in enumerate(lines):
        below = middle + (i - (len(lines) - 1) / 2) * _LEGEND_LINE
        yield Text(x + _MARGIN, below, line, _LEGEND_EM, theme.ink, "regular", "left")


_VALUE_EM: Final = 19
_VALUE_LINE: Final = 27
_VALUES_HEAD: Final = 58
"""Pixels above the first line."""
_COLUMN: Final = 38
"""Pixels for a value."""
_LEAST: Final = 350
"""Pixels across in which names and values can be read."""
_VALUES_GAP: Final = 36
_Place: TypeAlias = tuple[HexView, StopView]


def values_panel(view: MapView, theme: Theme, width: int) -> Block | None:
    """Values by phase, one place per line; None without such places."""
    places = _places(view.layout, view.hexes)
    return _values(tuple(places), view.revenue_steps, theme, max(width, _LEAST)) if places else None


@lru_cache(maxsize=64)
def _values(found: tuple[_Place, ...], steps: tuple[str, ...], theme: Theme, width: int) -> Block:
    return Block(width, _values_height(found), tuple(_value_lines(found, steps, theme, (0.0, width))))


def values_strip(view: MapView, hexes: Sequence[HexView], theme: Theme, width: int, inset: int = 0) -> Block:
    """Values by phase for these hexes in columns, as a strip; empty without such places."""
    places = _places(view.layout, tuple(hexes))
    across = width - 2 * inset + _VALUES_GAP
    columns = max(1, across // (_LEAST + _VALUES_GAP))
    each = -(-len(places) // columns) or 1
    step = across / columns
    items: list[Item] = []
    for i in range(0, len(places), each):
        left = inset + i // each * step
        items.extend(
            _value_lines(places[i : i + each], view.revenue_steps, theme, (left, left + step - _VALUES_GAP))
        )
    return Block(width, _values_height(places[:each]) if places else 0, tuple(items))


def _places(layout: Layout, hexes: tuple[HexView, ...]) -> list[_Place]:
    quiet = quiet_hexes(layout, hexes)
    stops = ((h, next((s for s in h.stops if len(s.revenue) > LONG_ROW), None)) for h in hexes)
    return sorted(
        ((h, s) for h, s in stops if s is not None and h.coord not in quiet), key=lambda place: place[0].name
    )


def _values_height(places: Sequence[_Place]) -> int:
    return _VALUES_HEAD + _VALUE_LINE * len(places)


def _value_lines(
    places: Sequence[_Place], steps: tuple[str, ...], theme: Theme, across: tuple[float, float]
) -> Iterator[Item]:
    left, right = across
    soft = theme.soft
    yield Text(left, 12, "Value by phase", 20, soft, "bold", "left")
    for x, step in zip(_columns(right, len(steps)), steps, strict=True):
        yield fitted(x, 42, step, _COLUMN - 4, 17, soft)
    for i, (place, stop) in enumerate(places):
        yield from _value_line(place, stop, theme, across, _VALUES_HEAD + (i + 0.5) * _VALUE_LINE)


def _columns(right: float, count: int) -> list[float]:
    return [right - (count - i - 0.5) * _COLUMN for i in range(count)]


def _value_line(
    place: HexView, stop: StopView, theme: Theme, across: tuple[float, float], y: float
) -> Iterator[Item]:
    left, right = across
    columns = _columns(right, len(stop.revenue))
    words = f"{place.coord} {place.name}"
    yield fitted(left, y, words, columns[0] - _COLUMN / 2 - 8 - left, _VALUE_EM, theme.ink, align="left")
    for i, (x, value) in enumerate(zip(columns, stop.revenue, strict=True)):
        now = i == stop.current
        if now:
            half = _COLUMN / 2 - 1
            yield RoundedBox(x - half, y - 12, x + half, y + 12, 4, theme.sheet, theme.ink, 2)
        yield Text(
            x,
            y,
            str(value),
            fitting(str(value), _COLUMN - 8, _VALUE_EM),
            theme.ink,
            "black" if now else "regular",
        )
