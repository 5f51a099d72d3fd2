"""Final scores as a scene, as text for a code block, and as CSV."""

import csv
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Final

from engine.views import ScoreRow, ScoreView
from render.font_metrics import fitted, fitting, shortened, text_width
from render.scene import Item, Placed, RoundedBox, Scene, Sprite, Text
from render.theme import Theme, company, ink_on, mix, palette, theme_named

WIDTH: Final = 1200
_EDGE: Final = 40
_HEAD: Final = 130
_ROW: Final = 90
_BAR: Final = (320, 860)
_DETAIL: Final = 21
_LINE: Final = 28
_TEXT_WIDTH: Final = 60
_NAME_WIDTH: Final = 16
_CASH: Final = "#5f6b78"
_PRIVATES: Final = "#d9c9a3"


def score_scene(view: ScoreView, theme_name: str) -> Scene:
    """Rank, name, a bar of cash, shares and privates, total and distance to the winner; shares below."""
    theme = theme_named(theme_name)
    top = max((row.total for row in view.rows), default=0)
    most = max((sum(max(0, v) for _, v in _parts(row)) for row in view.rows), default=1) or 1
    sprites = [Placed(Sprite(WIDTH, _HEAD, theme.page, tuple(_head(view, theme))), 0, 0)]
    foot = _HEAD
    for row in view.rows:
        details = _details(row)
        height = _ROW + _LINE * (len(details) - 1)
        items = tuple(_row(row, details, height, (top, most), theme))
        sprites.append(Placed(Sprite(WIDTH, height, theme.page, items), 0, foot))
        foot += height
    sprites.append(Placed(Sprite(WIDTH, 60, theme.page, tuple(_foot(view, theme))), 0, foot + 15))
    colours = {s.badge.colour for row in view.rows for s in row.shares}
    return Scene(
        WIDTH,
        foot + 90,
        theme.page,
        tuple(sprites),
        palette(theme_name, (*sorted(colours), _CASH, _PRIVATES)),
    )


def _parts(row: ScoreRow) -> tuple[tuple[str, int], ...]:
    return (
        (_CASH, row.cash),
        *((company(s.badge.colour), s.value) for s in row.shares),
        (_PRIVATES, row.privates),
    )


def _head(view: ScoreView, theme: Theme) -> Iterator[Item]:
    yield fitted(_EDGE, 46, view.title, WIDTH - 2 * _EDGE, 42, theme.ink, "black", "left")
    yield fitted(_EDGE, 94, view.ending, WIDTH - 2 * _EDGE, 27, theme.ink, align="left")


def _row(
    row: ScoreRow, details: list[str], height: int, scale: tuple[int, int], theme: Theme
) -> Iterator[Item]:
    top, most = scale
    soft = mix(theme.page, theme.ink, 0.75)
    ground = theme.sheet if row.rank == 1 else theme.pale
    yield RoundedBox(_EDGE - 16, 4, WIDTH - _EDGE + 16, height - 4, 10, ground)
    yield Text(_EDGE + 22, 32, f"{row.rank}", 36, theme.ink, "black")
    size = fitting(row.name, 215, 32, smallest=22)
    yield Text(_EDGE + 52, 32, shortened(row.name, 215, size), size, theme.ink, "bold", "left")
    x = float(_BAR[0])
    for paint, value in _parts(row):
        wide = (_BAR[1] - _BAR[0]) * max(0, value) / most
        if wide:
            yield RoundedBox(x, 16, x + wide, 50, 0, paint, mix(ground, theme.ink, 0.6), 1)
            if wide > 44:
                yield fitted(x + wide / 2, 33, f"{value}", wide - 8, 21, ink_on(paint))
        x += wide
    yield Text(1010, 33, f"${row.total}", 40, theme.ink, "black", "right")
    behind = top - row.total
    words = f"-{behind}" if behind else "winner" if row.rank == 1 else ""
    yield Text(WIDTH - _EDGE, 33, words, 26, theme.ink, "bold", "right")
    for i, line in enumerate(details):
        yield Text(_EDGE + 52, 68 + i * _LINE, line, _DETAIL, soft, "bold", "left")


def _details(row: ScoreRow) -> list[str]:
    """The sum behind a total: `cash 1240`, `PRR 5 x 180 = 900`."""
    shares = [f"{s.badge.company} {s.shares:g} x {s.price} = {s.value}" for s in row.shares]
    privates = [f"privates {row.privates}"] if row.privates else []
    lines: list[str] = []
    for part in (f"cash {row.cash}", *shares, *privates):
        longer = f"{lines[-1]}   {part}" if lines else part
        if lines and text_width(longer) * _DETAIL <= WIDTH - 2 * _EDGE - 60:
            lines[-1] = longer
        else:
            lines.append(part)
    return lines


def _foot(view: ScoreView, theme: Theme) -> Iterator[Item]:
    x = float(_BAR[0])
    privates = ((_PRIVATES, "privates"),) if any(row.privates for row in view.rows) else ()
    for paint, words in ((_CASH, "cash"), (None, "shares, by company"), *privates):
        if paint:
            yield RoundedBox(x, 8, x + 26, 34, 3, paint, theme.ink, 1)
        else:
            yield RoundedBox(x, 8, x + 13, 34, 0, "#237333", theme.ink, 1)
            yield RoundedBox(x + 13, 8, x + 26, 34, 0, "#0189d1", theme.ink, 1)
        yield Text(x + 36, 21, words, 22, theme.ink, "bold", "left")
        x += 60 + text_width(words) * 22


def scores_text(view: ScoreView) -> str:
    """The table in fixed-width letters, at most 60 columns, one line of sums and one of shares a player."""
    lines = [view.title[:_TEXT_WIDTH], *_wrapped(view.ending.split(" "), "", " ")]
    lines += ["", *_sums(view.rows)]
    for row in view.rows:
        lines += ["", f"{row.name[:_TEXT_WIDTH]}"]
        words = [f"{s.badge.company} {s.shares:g} x {s.price} = {s.value}" for s in row.shares]
        lines += _wrapped(words or ["no shares"], "  ", ", ")
    return "\n".join(line.rstrip() for line in lines)


def _sums(rows: Sequence[ScoreRow]) -> Iterator[str]:
    """One line for each player with columns as narrow as possible; a phone shows about 40 letters."""
    top = max((row.total for row in rows), default=0)
    table: list[tuple[str, ...]] = [("#", "player", "cash", "shares", "priv.", "total", "behind")]
    for row in rows:
        behind = f"{row.total - top}" if row.total < top else "-"
        sums = (row.cash, sum(share.value for share in row.shares), row.privates, row.total)
        table.append((str(row.rank), row.name[:_NAME_WIDTH], *map(str, sums), behind))
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for number, name, *others in table:
        right = (f"{text:>{width}}" for text, width in zip(others, widths[2:], strict=True))
        yield " ".join([f"{number:>{widths[0]}}", f"{name:<{widths[1]}}", *right])


def _wrapped(words: list[str], indent: str, between: str) -> list[str]:
    """Words joined into lines of at most 60 letters."""
    lines: list[str] = []
    line = ""
    for word in words:
        longer = f"{line}{between}{word}" if line else indent + word
        if line and len(longer) > _TEXT_WIDTH:
            lines.append((line + between).rstrip())
            longer = indent + word
        line = longer[:_TEXT_WIDTH]
    return [*lines, line] if line.strip() else lines


def scores_csv(view: ScoreView) -> str:
    """One line a player: rank, name, cash, shares, privates, total, then percent and value per company."""
    companies: dict[str, int] = {}
    for row in view.rows:
        companies.update((s.badge.company, s.price) for s in row.shares)
    out = StringIO()
    table = csv.writer(out, lineterminator="\n")
    head = ["rank", "player", "cash", "shares", "privates", "total"]
    for name in sorted(companies):
        head += [f"{name} %", f"{name} at {companies[name]}"]
    table.writerow(head)
    for row in view.rows:
        held = {s.badge.company: s for s in row.shares}
        line: list[object] = [
            row.rank,
            row.name,
            row.cash,
            sum(s.value for s in row.shares),
            row.privates,
            row.total,
        ]
        for name in sorted(companies):
            share = held.get(name)
            line += [share.percent, share.value] if share else [0, 0]
        table.writerow(line)
    return out.getvalue()
