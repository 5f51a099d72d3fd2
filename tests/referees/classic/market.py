"""A second statement of the share price chart: a grid of cells, some of them missing."""

from dataclasses import dataclass

Cell = tuple[int, int]


@dataclass(frozen=True)
class Chart:
    """Rows from the top; a cell is (row, column), counted from 0."""

    rows: tuple[str, ...]

    def _text(self, cell: Cell) -> str:
        row, column = cell
        words = self.rows[row].split() if 0 <= row < len(self.rows) else []
        return words[column] if 0 <= column < len(words) else "-"

    def price(self, cell: Cell) -> int:
        return int(self._text(cell).rstrip("yobPE"))

    def zone(self, cell: Cell) -> str:
        """`y`, `o` or `b` for a coloured cell, else nothing."""
        return next((letter for letter in "yob" if letter in self._text(cell)), "")

    def pars(self) -> dict[int, Cell]:
        cells = [(row, column) for row, line in enumerate(self.rows) for column in range(len(line.split()))]
        return {self.price(cell): cell for cell in cells if "P" in self._text(cell)}

    def _first(self, *cells: Cell) -> Cell:
        return next(cell for cell in cells if self._text(cell) != "-")

    def right(self, cell: Cell) -> Cell:
        """Revenue was paid: right, at the end of a row up."""
        row, column = cell
        return self._first((row, column + 1), (row - 1, column), cell)

    def left(self, cell: Cell) -> Cell:
        """Nothing was paid: left, at the left edge down."""
        row, column = cell
        return self._first((row, column - 1), (row + 1, column), cell)

    def up(self, cell: Cell) -> Cell:
        return self._first((cell[0] - 1, cell[1]), cell)

    def down(self, cell: Cell, rows: int) -> Cell:
        """One row for each share sold; at the bottom of a column it stays."""
        for _ in range(rows):
            cell = self._first((cell[0] + 1, cell[1]), cell)
        return cell
