"""Panels beside a map: title and caption, trains left in the bank, and the sums of the routes shown."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from engine.tell.views import HexView, MapView, RunView
from render.font_metrics import fitting, text_width
from render.maps.legend_art import legend, legend_strip
from render.maps.values_art import values, values_strip
from render.scene import Block, Disc, Frame, Item, Polyline, RoundedBox, Sprite, Text, placed
from render.theme import BLACK, WHITE, Theme, mix

_CARDS: Final = 7
"""Most cards of trains beside each other."""
_CARD: Final = 48
"""Pixels of a card whose letters can be read."""


def sprite(block: Block, theme: Theme) -> Sprite:
    """The panel on the page's ground."""
    return Sprite(block.width, block.height, theme.page, block.items)


def blocks(view: MapView, theme: Theme, radius: int, strip: int) -> tuple[tuple[Block, Block], ...]:
    """The panels of a whole map, most wanted first: for empty page, and as a strip below the map."""
    width = round(5.75 * radius)
    found = [(_facts(view, theme, width), facts_strip(view, theme, strip))]
    if view.runs:
        found.insert(0, (_sums(view.runs, theme, width), _sums(view.runs, theme, strip)))
    marks = legend(view, theme, width)
    if marks is not None:
        found.append((marks, legend_strip(view, theme, strip)))
    worth = values(view, theme, width)
    if worth is not None:
        found.append((worth, values_strip(view, view.hexes, theme, strip)))
    return tuple(found)


def _facts(view: MapView, theme: Theme, width: int) -> Block:
    items: list[Item] = [
        Text(0, 22, view.title, fitting(view.title, width, 34, "black"), theme.ink, "black", "left"),
        Text(0, 60, view.caption, fitting(view.caption, width, 25), theme.ink, "bold", "left"),
    ]
    y = 88
    if view.trains_left:
        items.append(Text(0, y + 12, "Trains in the bank", 20, _soft(theme), "bold", "left"))
        y += 30
        for part in _rows(view, width):
            items.extend(_cards(part, theme, width, y))
            y += 78
    if view.trains_in_pool:
        pool = _pool(view)
        items.append(Text(0, y + 14, pool, fitting(pool, width, 21), theme.ink, "bold", "left"))
        y += 32
    return Block(width, y, tuple(items))


def facts_strip(view: MapView, theme: Theme, width: int) -> Block:
    """The same facts in one line, for the space below a map."""
    half = width * 0.42
    items: list[Item] = [
        Text(0, 22, view.title, fitting(view.title, half, 34, "black"), theme.ink, "black", "left"),
        Text(0, 60, view.caption, fitting(view.caption, half, 25), theme.ink, "bold", "left"),
    ]
    if view.trains_left:
        cards = Frame(width * 0.45, 0, 1.0)
        items.extend(placed(_cards(view, theme, round(width * 0.55), 4), cards))
    if view.trains_in_pool:
        pool = _pool(view)
        items.append(Text(0, 96, pool, fitting(pool, width, 21), theme.ink, "bold", "left"))
    return Block(width, 112 if view.trains_in_pool else 80, tuple(items))


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


def _soft(theme: Theme) -> str:
    return mix(theme.page, theme.ink, 0.72)


def _cards(view: MapView, theme: Theme, width: int, top: int) -> Iterator[Item]:
    """A card for every train type: name over how many are left, price below."""
    step = min(76.0, width / len(view.trains_left))
    for i, (name, left, price) in enumerate(view.trains_left):
        x0, x1 = i * step, (i + 1) * step - 6
        middle = (x0 + x1) / 2
        gone = left == 0
        ground = mix(theme.page, theme.sheet, 0.25) if gone else theme.sheet
        ink = _soft(theme) if gone else theme.ink
        yield RoundedBox(x0, top, x1, top + 72, 7, ground, _soft(theme), 1.5)
        count = "∞" if left is None else f"×{left}"
        size = fitting(name + count, x1 - x0 - 16, 27, "black")
        half = (text_width(name, "black") + text_width(count, "bold") * 0.8) * size / 2 + 2
        yield Text(middle - half, top + 23, name, size, ink, "black", "left")
        yield Text(middle + half, top + 23, count, size * 0.8, ink, "bold", "right")
        yield Text(middle, top + 53, f"${price}", fitting(f"${price}", x1 - x0 - 8, 21), ink, "bold")


def _sums(runs: tuple[RunView, ...], theme: Theme, width: int) -> Block:
    items: list[Item] = []
    for i, run in enumerate(runs):
        items.extend(_sum(run, i, theme, (0, 20 + i * 38), width))
    total = f"Revenue ${sum(run.value for run in runs)}"
    items.append(Text(0, 22 + len(runs) * 38, total, 28, theme.ink, "black", "left"))
    return Block(width, 42 + len(runs) * 38, tuple(items))


def _sum(run: RunView, i: int, theme: Theme, at: tuple[float, float], width: float) -> Iterator[Item]:
    x, y = at
    yield Polyline(((x, y), (x + 54, y)), BLACK, 13)
    yield Polyline(((x + 2, y), (x + 52, y)), theme.line(i), 9)
    yield Disc(x + 27, y, 15, WHITE, theme.line(i), 4)
    yield Text(x + 27, y, run.short, 19 if len(run.short) < 3 else 13, BLACK, "black")
    text = f"{run.sum_text} = ${run.value}" if "+" in run.sum_text else f"${run.value}"
    yield Text(x + 64, y, text, fitting(text, width - 66, 25), theme.ink, "bold", "left")


def below(view: MapView, shown: Sequence[HexView], theme: Theme, width: int) -> Iterator[Block]:
    """What stands below a close-up of these hexes: caption, and values by phase."""
    yield caption_strip(view, theme, width)
    worth = values_strip(view, shown, theme, width, inset=24)
    if worth.items:
        yield replace(worth, height=worth.height + 10)


def caption_strip(view: MapView, theme: Theme, width: int) -> Block:
    """The line below a close-up: title and caption, then the routes' sums two to a line."""
    words = f"{view.title}   {view.caption}"
    items: list[Item] = [Polyline(((0, 1), (width, 1)), theme.hairline, 2)]
    items.append(Text(24, 30, words, fitting(words, width - 48, 27), theme.ink, "bold", "left"))
    column = (width - 48) / 2
    for i, run in enumerate(view.runs):
        items.extend(_sum(run, i, theme, (24 + (i % 2) * column, 72 + (i // 2) * 38), column - 12))
    lines = (len(view.runs) + 1) // 2
    if view.runs:
        total = f"Revenue ${sum(run.value for run in view.runs)}"
        items.append(Text(width - 24, 30, total, 27, theme.ink, "black", "right"))
    return Block(width, 58 + 38 * lines, tuple(items))
