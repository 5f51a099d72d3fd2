"""Final scores as a picture, as fixed-width text, and as CSV."""

import csv
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Final

from engine.views import ScoreRow, ScoreView
from render.font_metrics import fitted_text, fitting_size, shortened_text, text_width
from render.scene import Item, PlacedSprite, RoundedBox, Scene, Sprite, Text
from render.theme import Theme, ink_on, mix_colours, palette, readable_company_colour, theme_named

SHEET_WIDTH: Final = 1200
_MARGIN: Final = 40
_HEADING_HEIGHT: Final = 130
_ROW_HEIGHT: Final = 90
_BAR_X_RANGE: Final = (320, 860)
_DETAIL_EM: Final = 21
_DETAIL_LINE_HEIGHT: Final = 28
_MAX_LINE_LENGTH: Final = 60
_MAX_NAME_LENGTH: Final = 16
_CASH_COLOUR: Final = "#5f6b78"
_PRIVATES_COLOUR: Final = "#d9c9a3"


def score_scene(view: ScoreView, theme_name: str) -> Scene:
    """The final scores: a row per player, with the calculation of the total below.

    A row shows rank, name, a bar chart of assets, total, and the number of dollars behind the winner.
    """
    theme = theme_named(theme_name)
    best_total = max((row.total for row in view.rows), default=0)
    longest_bar = max((sum(max(0, v) for _, v in _bar_parts(row)) for row in view.rows), default=1) or 1
    sprites = [
        PlacedSprite(
            Sprite(SHEET_WIDTH, _HEADING_HEIGHT, theme.page, tuple(_heading_items(view, theme))), 0, 0
        )
    ]
    next_top = _HEADING_HEIGHT
    for row in view.rows:
        details = _detail_lines(row)
        height = _ROW_HEIGHT + _DETAIL_LINE_HEIGHT * (len(details) - 1)
        items = tuple(_score_row(row, details, height, (best_total, longest_bar), theme))
        sprites.append(PlacedSprite(Sprite(SHEET_WIDTH, height, theme.page, items), 0, next_top))
        next_top += height
    sprites.append(
        PlacedSprite(Sprite(SHEET_WIDTH, 60, theme.page, tuple(_legend_items(view, theme))), 0, next_top + 15)
    )
    colours = {s.badge.colour for row in view.rows for s in row.shares}
    return Scene(
        SHEET_WIDTH,
        next_top + 90,
        theme.page,
        tuple(sprites),
        palette(theme_name, (*sorted(colours), _CASH_COLOUR, _PRIVATES_COLOUR)),
    )


def _bar_parts(row: ScoreRow) -> tuple[tuple[str, int], ...]:
    return (
        (_CASH_COLOUR, row.cash),
        *((readable_company_colour(s.badge.colour), s.value) for s in row.shares),
        (_PRIVATES_COLOUR, row.privates),
    )


def _heading_items(view: ScoreView, theme: Theme) -> Iterator[Item]:
    yield fitted_text(_MARGIN, 46, view.title, SHEET_WIDTH - 2 * _MARGIN, 42, theme.ink, "black", "left")
    yield fitted_text(_MARGIN, 94, view.ending, SHEET_WIDTH - 2 * _MARGIN, 27, theme.ink, align="left")


def _score_row(
    row: ScoreRow, details: list[str], height: int, best_total_and_longest_bar: tuple[int, int], theme: Theme
) -> Iterator[Item]:
    best_total, longest_bar = best_total_and_longest_bar
    soft_ink = mix_colours(theme.page, theme.ink, 0.75)
    background = theme.sheet if row.rank == 1 else theme.pale_background
    yield RoundedBox(_MARGIN - 16, 4, SHEET_WIDTH - _MARGIN + 16, height - 4, 10, background)
    yield Text(_MARGIN + 22, 32, f"{row.rank}", 36, theme.ink, "black")
    size = fitting_size(row.name, 215, 32, smallest_size=22)
    yield Text(_MARGIN + 52, 32, shortened_text(row.name, 215, size), size, theme.ink, "bold", "left")
    x = float(_BAR_X_RANGE[0])
    for part_colour, value in _bar_parts(row):
        part_width = (_BAR_X_RANGE[1] - _BAR_X_RANGE[0]) * max(0, value) / longest_bar
        if part_width:
            yield RoundedBox(
                x, 16, x + part_width, 50, 0, part_colour, mix_colours(background, theme.ink, 0.6), 1
            )
            if part_width > 44:
                yield fitted_text(x + part_width / 2, 33, f"{value}", part_width - 8, 21, ink_on(part_colour))
        x += part_width
    yield Text(1010, 33, row.money(row.total), 40, theme.ink, "black", "right")
    dollars_behind = best_total - row.total
    behind_text = f"-{dollars_behind}" if dollars_behind else "winner" if row.rank == 1 else ""
    yield Text(SHEET_WIDTH - _MARGIN, 33, behind_text, 26, theme.ink, "bold", "right")
    for i, line in enumerate(details):
        yield Text(_MARGIN + 52, 68 + i * _DETAIL_LINE_HEIGHT, line, _DETAIL_EM, soft_ink, "bold", "left")


def _detail_lines(row: ScoreRow) -> list[str]:
    """Lines that break down a total, such as `cash 1240   PRR 5 x 180 = 900`."""
    shares = [f"{s.badge.company} {s.shares:g} x {s.price} = {s.value}" for s in row.shares]
    privates = [f"privates {row.privates}"] if row.privates else []
    lines: list[str] = []
    for detail in (f"cash {row.cash}", *shares, *privates):
        longer_line = f"{lines[-1]}   {detail}" if lines else detail
        if lines and text_width(longer_line) * _DETAIL_EM <= SHEET_WIDTH - 2 * _MARGIN - 60:
            lines[-1] = longer_line
        else:
            lines.append(detail)
    return lines


def _legend_items(view: ScoreView, theme: Theme) -> Iterator[Item]:
    x = float(_BAR_X_RANGE[0])
    privates = ((_PRIVATES_COLOUR, "privates"),) if any(row.privates for row in view.rows) else ()
    for colour, explanation in ((_CASH_COLOUR, "cash"), (None, "shares, by company"), *privates):
        if colour:
            yield RoundedBox(x, 8, x + 26, 34, 3, colour, theme.ink, 1)
        else:
            yield RoundedBox(x, 8, x + 13, 34, 0, "#237333", theme.ink, 1)
            yield RoundedBox(x + 13, 8, x + 26, 34, 0, "#0189d1", theme.ink, 1)
        yield Text(x + 36, 21, explanation, 22, theme.ink, "bold", "left")
        x += 60 + text_width(explanation) * 22


def scores_text(view: ScoreView) -> str:
    """The final scores as fixed-width text of at most 60 columns: per player, one line of totals and one of shares."""
    lines = [view.title[:_MAX_LINE_LENGTH], *_joined_lines(view.ending.split(" "), "", " ")]
    lines += ["", *_total_lines(view.rows)]
    for row in view.rows:
        lines += ["", f"{row.name[:_MAX_LINE_LENGTH]}"]
        share_texts = [f"{s.badge.company} {s.shares:g} x {s.price} = {s.value}" for s in row.shares]
        lines += _joined_lines(share_texts or ["no shares"], "  ", ", ")
    return "\n".join(line.rstrip() for line in lines)


def _total_lines(rows: Sequence[ScoreRow]) -> Iterator[str]:
    """One line of totals per player. Columns are as narrow as possible, since phones show about 40 letters."""
    best_total = max((row.total for row in rows), default=0)
    table_rows: list[tuple[str, ...]] = [("#", "player", "cash", "shares", "priv.", "total", "behind")]
    for row in rows:
        behind_text = f"{row.total - best_total}" if row.total < best_total else "-"
        row_totals = (row.cash, sum(share.value for share in row.shares), row.privates, row.total)
        table_rows.append((str(row.rank), row.name[:_MAX_NAME_LENGTH], *map(str, row_totals), behind_text))
    column_widths = [max(map(len, column)) for column in zip(*table_rows, strict=True)]
    for rank, name, *numbers in table_rows:
        number_columns = (f"{text:>{width}}" for text, width in zip(numbers, column_widths[2:], strict=True))
        yield " ".join([f"{rank:>{column_widths[0]}}", f"{name:<{column_widths[1]}}", *number_columns])


def _joined_lines(words: list[str], indent: str, separator: str) -> list[str]:
    lines: list[str] = []
    line = ""
    for word in words:
        longer_line = f"{line}{separator}{word}" if line else indent + word
        if line and len(longer_line) > _MAX_LINE_LENGTH:
            lines.append((line + separator).rstrip())
            longer_line = indent + word
        line = longer_line[:_MAX_LINE_LENGTH]
    return [*lines, line] if line.strip() else lines


def scores_csv(view: ScoreView) -> str:
    """The final scores as CSV, one row per player.

    Columns: rank, name, cash, shares, privates and total, then percent held and value for each company.
    """
    price_by_company: dict[str, int] = {}
    for row in view.rows:
        price_by_company.update((s.badge.company, s.price) for s in row.shares)
    csv_text = StringIO()
    csv_writer = csv.writer(csv_text, lineterminator="\n")
    column_titles = ["rank", "player", "cash", "shares", "privates", "total"]
    for name in sorted(price_by_company):
        column_titles += [f"{name} %", f"{name} at {price_by_company[name]}"]
    csv_writer.writerow(column_titles)
    for row in view.rows:
        shares_by_company = {s.badge.company: s for s in row.shares}
        csv_row: list[object] = [
            row.rank,
            row.name,
            row.cash,
            sum(s.value for s in row.shares),
            row.privates,
            row.total,
        ]
        for name in sorted(price_by_company):
            share = shares_by_company.get(name)
            csv_row += [share.percent, share.value] if share else [0, 0]
        csv_writer.writerow(csv_row)
    return csv_text.getvalue()
