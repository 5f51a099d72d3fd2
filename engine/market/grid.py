"""The stock market grid: share prices, and how price markers move on it (18Chesapeake 10.2, 10.6, 11.6)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.errors import TitleError
from engine.core.ids import Cell
from engine.core.spec import MarketSpec, ZoneSpec

CELL_PATTERN = re.compile(r"(?P<price>\d+)(?P<par>P?)(?P<zone>[a-z]?)(?P<turn>\^?)(?P<ledge>_?)")


@dataclass(frozen=True, slots=True)
class PrintedCell:
    """One printed cell of the market. `zone` is the letter of its coloured zone, or empty."""

    price: int
    is_par: bool = False
    zone: str = ""
    turns_up: bool = False
    """True if the cell has an up arrow: a marker that would move right turns up instead."""
    has_ledge: bool = False
    """True if the cell has a ledge: a marker that would fall to the cell directly below stays here."""
    closes_company: bool = False
    """True if a company closes when its price marker reaches this cell."""


class Grid:
    """The cells of a title's stock market. Raises TitleError if the data has an invalid cell.

    A cell is (row, column), counted from 0 at the top left. Rows can differ in length.
    """

    def __init__(self, spec: MarketSpec) -> None:
        self.rows = tuple(
            tuple(_read_printed_cell(cell_text) for cell_text in row.split()) for row in spec.rows
        )
        self.first_price_row = spec.space_row_count
        """First row of the grid on which markers move.

        Any rows above it have separate spaces, as for 18NewEngland's minors.
        """
        self._split_price = spec.split_price
        self._moves_diagonally = spec.top_row_moves_diagonally
        self.zones: dict[str, ZoneSpec] = {zone.letter: zone for zone in spec.zones}
        square_by_cell = {
            (r, c): square
            for r, row in enumerate(self.rows)
            for c, square in enumerate(row)
            if square is not None
        }
        self._zone_by_cell: dict[Cell | None, ZoneSpec] = {
            cell: self.zones[square.zone]
            for cell, square in square_by_cell.items()
            if square.zone in self.zones
        }
        self._pars = sorted((square.price, cell) for cell, square in square_by_cell.items() if square.is_par)
        self._spaces = sorted(
            (square.price, cell) for cell, square in square_by_cell.items() if self.is_space(cell)
        )

    def square(self, cell: Cell) -> PrintedCell:
        """The printed cell at this row and column."""
        square = self.rows[cell[0]][cell[1]]
        assert square is not None, cell
        return square

    def price(self, cell: Cell) -> int:
        """Share price of the cell in dollars."""
        return self.square(cell).price

    def zone(self, cell: Cell | None) -> ZoneSpec | None:
        """The coloured zone of the cell; None for a cell without a zone, and if `cell` is None."""
        return self._zone_by_cell.get(cell)

    def ends_game(self, cell: Cell) -> bool:
        """True if a share price in this cell triggers the end of the game."""
        zone = self.zone(cell)
        return zone is not None and zone.ends_game

    def has_cell(self, cell: Cell) -> bool:
        """True if the market has a cell at this row and column."""
        row, column = cell
        return (
            0 <= row < len(self.rows)
            and 0 <= column < len(self.rows[row])
            and self.rows[row][column] is not None
        )

    def pars(self) -> Sequence[tuple[int, Cell]]:
        """Par prices with their cells, lowest first."""
        return self._pars

    def is_space(self, cell: Cell) -> bool:
        """True if the cell is a space above the grid; a space holds a single marker, which never moves."""
        return cell[0] < self.first_price_row

    def spaces(self) -> Sequence[tuple[int, Cell]]:
        """(price, cell) of the spaces above the grid, which are for minors; cheapest first, then from top to bottom."""
        return self._spaces

    def cell_priced_at_most(self, price: int) -> Cell:
        """The top-row cell with the highest price up to `price`; the cheapest top-row cell if all are above."""
        row = [
            (square.price, c)
            for c, square in enumerate(self.rows[self.first_price_row])
            if square is not None
        ]
        fitting_prices = [(cell_price, c) for cell_price, c in row if cell_price <= price]
        _, column = max(fitting_prices) if fitting_prices else min(row)
        return (self.first_price_row, column)

    def closes_company(self, cell: Cell) -> bool:
        """True if a company closes when its price marker reaches this cell."""
        return self.square(cell).closes_company

    def splits_shares(self, old_cell: Cell, new_cell: Cell) -> bool:
        """True if a move between these cells splits the shares: from the upper right corner back to the split cell.

        Rules: R-C2C-052.
        """
        return (
            self._split_price is not None
            and old_cell == self._upper_right_cell()
            and new_cell == self._split_cell()
        )

    def right(self, cell: Cell) -> Cell:
        """The cell that a marker reaches by moving right once.

        At an up arrow or the end of a row it moves up. In the upper right corner it stays, or goes back to the cell
        where shares split.

        Rules: R-AL-162, R-C2C-051, R-CH-131, R-TN-151.
        """
        row, column = cell
        if self._split_price is not None and cell == self._upper_right_cell():
            return self._split_cell()
        may_go_right = self.has_cell((row, column + 1)) and not self.square(cell).turns_up
        return (row, column + 1) if may_go_right else self.up(cell)

    def left(self, cell: Cell, steps: int = 1) -> Cell:
        """The cell that a marker reaches by moving left `steps` times.

        At the start of a row it moves down instead; in the lower left corner it stays.

        Rules: R-AL-163, R-C2C-051, R-CH-130, R-TN-151.
        """
        for _ in range(steps):
            row, column = cell
            next_cell = (row, column - 1) if column else (row + 1, column)
            cell = next_cell if self.has_cell(next_cell) else cell
        return cell

    def up(self, cell: Cell) -> Cell:
        """The cell that a marker reaches by moving up once; in the top row it stays.

        Rules: R-C2C-050.
        """
        upper_cell = (cell[0] - 1, cell[1])
        return upper_cell if self.has_cell(upper_cell) and not self.is_space(upper_cell) else cell

    def cell_after_sold_out(self, cell: Cell) -> Cell:
        """The cell of a sold-out company after a stock round: one up.

        On markets with this rule, a marker in the top row moves down and right instead.

        Rules: R-C2C-03B, R-CH-068.
        """
        row, column = cell
        if not self._moves_diagonally or row > self.first_price_row:
            return self.up(cell)
        return self.right(cell) if cell == self._upper_right_cell() else (row + 1, column + 1)

    def down(self, cell: Cell, rows: int = 1) -> Cell:
        """The cell that a marker reaches by moving down `rows` times.

        It stops at the lowest price of its column, and on a ledge if it would end directly below.

        Rules: R-AL-044, R-C2C-050, R-CH-052, R-TN-042.
        """
        row, column = cell
        last_cell = (row + rows - 1, column)
        if rows and self.sales_may_reach_cell(last_cell) and self.square(last_cell).has_ledge:
            return last_cell
        while rows and self.sales_may_reach_cell((row + 1, column)):
            row, rows = row + 1, rows - 1
        return (row, column)

    def sales_may_reach_cell(self, cell: Cell) -> bool:
        """True if share sales can move a marker into this cell."""
        return self.has_cell(cell) and not self.square(cell).closes_company

    def _upper_right_cell(self) -> Cell:
        return (self.first_price_row, len(self.rows[self.first_price_row]) - 1)

    def _split_cell(self) -> Cell:
        prices = [square.price for square in self.rows[self.first_price_row] if square is not None]
        return (self.first_price_row, prices.index(self._split_price or 0))


def _read_printed_cell(cell_text: str) -> PrintedCell | None:
    if cell_text == ".":
        return None
    if cell_text == "-":
        return PrintedCell(0, closes_company=True)
    cell_match = CELL_PATTERN.fullmatch(cell_text)
    if cell_match is None:
        raise TitleError(f"cannot read the market cell {cell_text!r}; expected e.g. '80', '95P' or '55y'")
    turns_up, ledge = bool(cell_match["turn"]), bool(cell_match["ledge"])
    return PrintedCell(int(cell_match["price"]), bool(cell_match["par"]), cell_match["zone"], turns_up, ledge)
