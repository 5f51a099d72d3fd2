"""The trains to come: what is left in the bank, what it costs, and what buying it changes."""

from collections.abc import Iterator

from engine.tell.views import ComingView, TableView
from render.font_metrics import fitting
from render.maps.legend_art import wrapped
from render.scene import Block, Item, RoundedBox, Text
from render.theme import Theme, ink_on, mix

_CARD = 62
_EM = 21
_LINE = 25


def coming_block(view: TableView, theme: Theme, note: str, width: int) -> Block:
    """A line for each kind of train, the next one first; below it the bank pool, and a note on signs."""
    others = "".join(f", {kind} {limit}" for kind, limit in view.train_limits)
    what = "Trains in the bank" if view.trains else "No train is left in the bank"
    words = f"{what} (limit {view.train_limit}{others})"
    items: list[Item] = [Text(0, 20, words, fitting(words, width, 23), _soft(theme), "bold", "left")]
    y = 42.0
    for train in view.trains:
        lines = wrapped(_said(train), width - _CARD - 140, _EM, "bold")
        items.extend(_line(train, lines, theme, y))
        y += max(44, len(lines) * _LINE + 10)
    if view.pool:
        pool = "Pool: " + ", ".join(f"{name} ${price}" for name, price in view.pool)
        items.append(Text(0, y + 16, pool, fitting(pool, width, 24), theme.ink, "bold", "left"))
        y += 40
    items.append(Text(0, y + 14, note, fitting(note, width, 19), _soft(theme), "regular", "left"))
    y += 30
    return Block(width, round(y), tuple(items))


def _soft(theme: Theme) -> str:
    return mix(theme.page, theme.ink, 0.72)


def _said(train: ComingView) -> str:
    """`3 rust, green tiles, limit 3`; a colon is followed by no comma."""
    return ", ".join(train.brings).replace(":,", ":")


def _line(train: ComingView, lines: tuple[str, ...], theme: Theme, top: float) -> Iterator[Item]:
    y = top + 20
    ink = ink_on(theme.sheet)
    yield RoundedBox(0, top + 1, _CARD - 8, top + 39, 7, theme.sheet, _soft(theme), 1.5)
    yield Text((_CARD - 8) / 2, y, train.train, fitting(train.train, _CARD - 18, 27, "black"), ink, "black")
    count = "∞" if train.left is None else f"×{train.left}"
    yield Text(_CARD, y, count, 24, theme.ink, "bold", "left")
    yield Text(_CARD + 126, y, f"${train.price}", 24, theme.ink, "bold", "right")
    for i, line in enumerate(lines):
        yield Text(_CARD + 140, y + i * _LINE, line, _EM, theme.ink, "bold", "left")
