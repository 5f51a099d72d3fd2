"""Positions and sizes of a stock market's cells in its picture, in pixels."""

from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from engine import Cell
from engine.views import CellView, MarketView

EDGE: Final = 32
HEAD: Final = 64

Line: TypeAlias = tuple[CellView | None, ...]


@dataclass(frozen=True, slots=True)
class CellSize:
    """The size of a cell: width, height of its upper part, and height of its spaces for minors."""

    width: int
    upper: int
    lower: int = 0
    pills: int = 3
    """Companies that have room one below the other."""
    pill: float = 14.82
    """Height of each of them."""
    price: float = 0.33
    """Digits of the price, as a part of the width."""

    arrow: float = 0.62
    """Length of an arrow in that upper part."""
    room: bool = False
    """True if companies are named across the whole width, however few."""

    @property
    def height(self) -> int:
        """Height of the whole cell."""
        return self.upper + self.lower


_FEW: Final = CellSize(84, 78)
_MANY: Final = CellSize(64, 64, pill=12.16)
_FOLDED: Final = CellSize(104, 124, pills=4, pill=21.0, price=0.27, arrow=0.92, room=True)
_SPACES: Final = 136
"""Height of the part with spaces of minors."""
_LARGE_PILLS: Final = 4
"""Companies that have room one below the other in large letters."""
_MOST_FEW: Final = 18
"""Columns up to which cells are large."""
_AHEAD: Final = 4
"""Columns that a picture shows to the right of the last one that matters."""
_LEAST: Final = 14
"""Columns that it shows in any case."""


def without_far_columns(view: MarketView) -> tuple[MarketView, str]:
    """The market without unused columns far to the right, and a note about them.

    A market of a single row stays whole, and so does one whose cells would be no larger for it.
    """
    columns = max(map(used_columns, view.rows))
    places = [(c, cell) for row in view.rows for c, cell in enumerate(row) if cell is not None]
    taken = [c for c, cell in places if cell.tokens or cell.spaces or cell.par]
    moved = [column for _, *ends in view.moves for _, column in ends]
    shown = max(_LEAST, max([*taken, *moved], default=0) + 1 + _AHEAD)
    if columns <= _MOST_FEW or len(view.rows) == 1 or shown > _MOST_FEW:
        return view, ""
    highest = max(cell.price for _, cell in places)
    rows = tuple(row[:shown] for row in view.rows)
    return replace(view, rows=rows), f"Further to the right: up to ${highest}"


@dataclass(frozen=True, slots=True)
class Plot:
    """The lines of a market's picture with their cell sizes; a single long row takes two lines."""

    lines: tuple[Line, ...]
    sizes: tuple[CellSize, ...]
    fold: int
    """Columns of a line of a folded row; 0: a line is a row."""

    def place(self, cell: Cell) -> tuple[int, int]:
        """Line and column of a cell."""
        return divmod(cell[1], self.fold) if self.fold else cell

    def cell(self, line: int, column: int) -> Cell:
        """The cell at a place."""
        return (0, line * self.fold + column) if self.fold else (line, column)

    def corner_of(self, line: int, column: int) -> tuple[int, int]:
        """Upper left corner of a place."""
        above = sum(size.height for size in self.sizes[:line])
        return EDGE + column * self.sizes[line].width, HEAD + above

    @property
    def columns(self) -> int:
        """Columns of the longest line."""
        return max(map(used_columns, self.lines))

    @property
    def width(self) -> int:
        """Width of all columns."""
        return self.columns * self.sizes[0].width

    @property
    def bottom(self) -> int:
        """Lower side of the last line."""
        return HEAD + sum(size.height for size in self.sizes)


def plot_of(view: MarketView) -> Plot:
    """The market's cells in lines: one for each row, or two for a single long row."""
    columns = max(map(used_columns, view.rows))
    if columns <= _MOST_FEW or len(view.rows) > 1:
        size = _FEW if columns <= _MOST_FEW else _MANY
        return Plot(view.rows, (size,) * len(view.rows), 0)
    fold = -(-columns // 2)
    (row,) = view.rows
    lines = (row[:fold], row[fold:])
    return Plot(lines, tuple(map(_size, lines)), fold)


def enlarged(plot: Plot) -> Plot:
    """The plot for large letters: taller cells with larger prices and company names across."""
    return replace(plot, sizes=tuple(map(_enlarged, plot.sizes)))


def _enlarged(size: CellSize) -> CellSize:
    pill = 0.22 * size.width
    return replace(
        size,
        upper=max(size.upper, round(0.42 * size.width + _LARGE_PILLS * (pill + 1) + 6)),
        pills=_LARGE_PILLS,
        pill=pill,
        price=0.42,
        room=True,
    )


def _size(line: Line) -> CellSize:
    with_spaces = any(cell is not None and cell.spaces for cell in line)
    return replace(_FOLDED, lower=_SPACES) if with_spaces else _FOLDED


def used_columns(line: Line) -> int:
    """Number of columns up to a line's last cell."""
    return max((c + 1 for c, cell in enumerate(line) if cell is not None), default=0)
