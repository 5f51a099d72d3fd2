"""Positions and sizes of the stock market's cells in its picture, in pixels."""

from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from engine import Cell
from engine.views import CellView, MarketView

MARGIN: Final = 32
HEADING_HEIGHT: Final = 64

MarketLine: TypeAlias = tuple[CellView | None, ...]


@dataclass(frozen=True, slots=True)
class CellSize:
    """The size of a cell: width, height of its upper part, and height of its spaces for minors, in pixels."""

    width: int
    upper_height: int
    spaces_height: int = 0
    pill_rows: int = 3
    """Maximum number of company names that a cell shows one below the other."""
    pill_height: float = 14.82
    """Height of the rounded box with a company's name, in pixels."""
    price_em: float = 0.33
    """Font size of the price, as a fraction of the cell's width."""

    arrow_end_height: float = 0.62
    """Height at which arrows end: a fraction of the cell's upper part, from its top."""
    has_wide_names: bool = False
    """True if each company name fills the whole width of the cell."""

    @property
    def height(self) -> int:
        """Height of the whole cell, in pixels."""
        return self.upper_height + self.spaces_height


_LARGE_CELL_SIZE: Final = CellSize(84, 78)
_SMALL_CELL_SIZE: Final = CellSize(64, 64, pill_height=12.16)
_FOLDED_CELL_SIZE: Final = CellSize(
    104, 124, pill_rows=4, pill_height=21.0, price_em=0.27, arrow_end_height=0.92, has_wide_names=True
)
_SPACES_HEIGHT: Final = 136
"""Height of the part of a cell that holds spaces for minors, in pixels."""
_LARGE_PILL_ROWS: Final = 4
_MAX_LARGE_CELL_COLUMNS: Final = 18
"""A market with more columns than this is drawn with small cells."""
_UNUSED_COLUMNS_SHOWN: Final = 4
"""Number of unused columns shown to the right of the rightmost used column."""
_MIN_SHOWN_COLUMNS: Final = 14


def without_far_columns(view: MarketView) -> tuple[MarketView, str]:
    """The market without unused columns at its right, and a note about the cut (empty if nothing was cut).

    Nothing is cut from a market with a single row, or if the cells would not get larger.
    """
    column_count = max(map(used_column_count, view.rows))
    numbered_cells = [(c, cell) for row in view.rows for c, cell in enumerate(row) if cell is not None]
    used_cell_columns = [c for c, cell in numbered_cells if cell.tokens or cell.spaces or cell.is_par]
    moved_columns = [column for _, *ends in view.price_moves for _, column in ends]
    shown_column_count = max(
        _MIN_SHOWN_COLUMNS, max([*used_cell_columns, *moved_columns], default=0) + 1 + _UNUSED_COLUMNS_SHOWN
    )
    if (
        column_count <= _MAX_LARGE_CELL_COLUMNS
        or len(view.rows) == 1
        or shown_column_count > _MAX_LARGE_CELL_COLUMNS
    ):
        return view, ""
    highest_cell = max((cell for _, cell in numbered_cells), key=lambda cell: cell.price)
    rows = tuple(row[:shown_column_count] for row in view.rows)
    return replace(
        view, rows=rows
    ), f"More cells on the right: up to {highest_cell.money(highest_cell.price)}"


@dataclass(frozen=True, slots=True)
class MarketLayout:
    """The layout of a market's picture: lines of cells with their sizes.

    A line is a row of the market. A market with a single long row is folded into two lines.
    """

    lines: tuple[MarketLine, ...]
    sizes: tuple[CellSize, ...]
    columns_per_line: int
    """Columns per line of a folded row; 0 if the market is not folded."""

    def line_and_column_of(self, cell: Cell) -> tuple[int, int]:
        """Line and column of a market cell in the picture."""
        return divmod(cell[1], self.columns_per_line) if self.columns_per_line else cell

    def cell_at(self, line: int, column: int) -> Cell:
        """The market cell at this line and column of the picture."""
        return (0, line * self.columns_per_line + column) if self.columns_per_line else (line, column)

    def upper_left_of(self, line: int, column: int) -> tuple[int, int]:
        """Top left corner of the cell at this line and column, in pixels."""
        height_above = sum(size.height for size in self.sizes[:line])
        return MARGIN + column * self.sizes[line].width, HEADING_HEIGHT + height_above

    @property
    def column_count(self) -> int:
        """Number of columns of the longest line."""
        return max(map(used_column_count, self.lines))

    @property
    def width(self) -> int:
        """Width of all columns, in pixels."""
        return self.column_count * self.sizes[0].width

    @property
    def bottom(self) -> int:
        """Bottom edge of the last line, in pixels."""
        return HEADING_HEIGHT + sum(size.height for size in self.sizes)


def market_layout(view: MarketView) -> MarketLayout:
    """The layout of a market: one line per row, but two lines for a single long row."""
    column_count = max(map(used_column_count, view.rows))
    if column_count <= _MAX_LARGE_CELL_COLUMNS or len(view.rows) > 1:
        size = _LARGE_CELL_SIZE if column_count <= _MAX_LARGE_CELL_COLUMNS else _SMALL_CELL_SIZE
        return MarketLayout(view.rows, (size,) * len(view.rows), 0)
    columns_per_line = -(-column_count // 2)
    (row,) = view.rows
    lines = (row[:columns_per_line], row[columns_per_line:])
    return MarketLayout(lines, tuple(map(_folded_size, lines)), columns_per_line)


def enlarged_layout(layout: MarketLayout) -> MarketLayout:
    """The layout for large text: taller cells with larger prices, and company names as wide as the cell."""
    return replace(layout, sizes=tuple(map(_enlarged_size, layout.sizes)))


def _enlarged_size(size: CellSize) -> CellSize:
    pill_height = 0.22 * size.width
    return replace(
        size,
        upper_height=max(
            size.upper_height, round(0.42 * size.width + _LARGE_PILL_ROWS * (pill_height + 1) + 6)
        ),
        pill_rows=_LARGE_PILL_ROWS,
        pill_height=pill_height,
        price_em=0.42,
        has_wide_names=True,
    )


def _folded_size(line: MarketLine) -> CellSize:
    has_spaces = any(cell is not None and cell.spaces for cell in line)
    return replace(_FOLDED_CELL_SIZE, spaces_height=_SPACES_HEIGHT) if has_spaces else _FOLDED_CELL_SIZE


def used_column_count(line: MarketLine) -> int:
    """Number of columns of a line, up to its last cell."""
    return max((c + 1 for c, cell in enumerate(line) if cell is not None), default=0)
