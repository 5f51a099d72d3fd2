"""The stock market as a grid of prices, and the moves of markers on it (18Chesapeake 10.2, 10.6, 11.6)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.errors import TitleError
from engine.core.ids import Cell
from engine.core.spec import MarketSpec, ZoneSpec

CELL_PATTERN = re.compile(r"(?P<price>\d+)(?P<par>P?)(?P<zone>[a-z]?)(?P<turn>\^?)(?P<ledge>_?)")


@dataclass(frozen=True, slots=True)
class Square:
    """One cell: price in dollars, True if it is a par cell, and the letter of its zone (or empty)."""

    price: int
    par: bool = False
    zone: str = ""
    turns_up: bool = False
    """True if a marker that would move right moves up instead."""
    ledge: bool = False
    """True if a marker that would fall to the cell just below stops here."""
    closed: bool = False
    """True if a company whose marker comes here closes."""


class Grid:
    """Prices by cell; rows can differ in length. Raises TitleError if a cell cannot be read."""

    def __init__(self, spec: MarketSpec) -> None:
        self.rows = tuple(tuple(_read_square(word) for word in row.split()) for row in spec.rows)
        self.first_price_row = spec.spaces
        """The top row on which markers move; rows above it consist of spaces."""
        self._split = spec.split
        self._diagonal = spec.diagonal
        self.zones: dict[str, ZoneSpec] = {zone.letter: zone for zone in spec.zones}
        squares = {
            (r, c): square
            for r, row in enumerate(self.rows)
            for c, square in enumerate(row)
            if square is not None
        }
        self._zone_of: dict[Cell | None, ZoneSpec] = {
            cell: self.zones[square.zone] for cell, square in squares.items() if square.zone in self.zones
        }
        self._pars = sorted((square.price, cell) for cell, square in squares.items() if square.par)
        self._spaces = sorted((square.price, cell) for cell, square in squares.items() if self.is_space(cell))

    def square(self, cell: Cell) -> Square:
        """The square of a cell."""
        square = self.rows[cell[0]][cell[1]]
        assert square is not None, cell
        return square

    def price(self, cell: Cell) -> int:
        """Price in dollars."""
        return self.square(cell).price

    def zone(self, cell: Cell | None) -> ZoneSpec | None:
        """The coloured zone of a cell; None if it has none or is None (off the market)."""
        return self._zone_of.get(cell)

    def ends_game(self, cell: Cell) -> bool:
        """True if a share price in this cell triggers the end of the game."""
        zone = self.zone(cell)
        return zone is not None and zone.ends_game

    def has_cell(self, cell: Cell) -> bool:
        """True if the market has this cell."""
        row, column = cell
        return (
            0 <= row < len(self.rows)
            and 0 <= column < len(self.rows[row])
            and self.rows[row][column] is not None
        )

    def pars(self) -> Sequence[tuple[int, Cell]]:
        """Par prices with their cells, cheapest first."""
        return self._pars

    def is_space(self, cell: Cell) -> bool:
        """True if the cell is a space outside the grid, which holds one marker that never moves."""
        return cell[0] < self.first_price_row

    def spaces(self) -> Sequence[tuple[int, Cell]]:
        """The spaces with their prices, cheapest first; of equal prices, the upper space first."""
        return self._spaces

    def cell_at_most(self, price: int) -> Cell:
        """The cell of the top row with the highest price up to `price`; the cheapest cell if all are above."""
        row = [
            (square.price, c)
            for c, square in enumerate(self.rows[self.first_price_row])
            if square is not None
        ]
        fitting_prices = [(cell_price, c) for cell_price, c in row if cell_price <= price]
        _, column = max(fitting_prices) if fitting_prices else min(row)
        return (self.first_price_row, column)

    def closes_company(self, cell: Cell) -> bool:
        """True if a company whose marker comes here closes."""
        return self.square(cell).closed

    def splits_shares(self, old_cell: Cell, new_cell: Cell) -> bool:
        """True if this move, from the upper right corner back to the split cell, splits the shares.

        Rules: R-C2C-052.
        """
        return self._split is not None and old_cell == self._corner_cell() and new_cell == self._split_cell()

    def right(self, cell: Cell) -> Cell:
        """The cell to the right. The marker moves up at an arrow or the end of a row; in the upper right corner it
        splits or stays.

        Rules: R-AL-162, R-C2C-051, R-CH-131, R-TN-151.
        """
        row, column = cell
        if self._split is not None and cell == self._corner_cell():
            return self._split_cell()
        may_go_right = self.has_cell((row, column + 1)) and not self.square(cell).turns_up
        return (row, column + 1) if may_go_right else self.up(cell)

    def left(self, cell: Cell, steps: int = 1) -> Cell:
        """The cell `steps` to the left; at the start of a row each step goes down instead; at the lower left it stays.

        Rules: R-AL-163, R-C2C-051, R-CH-130, R-TN-151.
        """
        for _ in range(steps):
            row, column = cell
            next_cell = (row, column - 1) if column else (row + 1, column)
            cell = next_cell if self.has_cell(next_cell) else cell
        return cell

    def up(self, cell: Cell) -> Cell:
        """The cell above; in the top row it stays.

        Rules: R-C2C-050.
        """
        upper_cell = (cell[0] - 1, cell[1])
        return upper_cell if self.has_cell(upper_cell) and not self.is_space(upper_cell) else cell

    def cell_after_rise(self, cell: Cell) -> Cell:
        """The cell of a sold-out company after the stock round: one up; from the top row down and right, on markets
        with this rule.

        Rules: R-C2C-03B, R-CH-068.
        """
        row, column = cell
        if not self._diagonal or row > self.first_price_row:
            return self.up(cell)
        return self.right(cell) if cell == self._corner_cell() else (row + 1, column + 1)

    def down(self, cell: Cell, rows: int = 1) -> Cell:
        """The cell `rows` down, but not below the lowest price of the column, and on a ledge if the move would end just
        below it.

        Rules: R-AL-044, R-C2C-050, R-CH-052, R-TN-042.
        """
        row, column = cell
        last_step = (row + rows - 1, column)
        if rows and self.may_fall_to(last_step) and self.square(last_step).ledge:
            return last_step
        while rows and self.may_fall_to((row + 1, column)):
            row, rows = row + 1, rows - 1
        return (row, column)

    def may_fall_to(self, cell: Cell) -> bool:
        """True if sales can push a marker into this cell."""
        return self.has_cell(cell) and not self.square(cell).closed

    def _corner_cell(self) -> Cell:
        return (self.first_price_row, len(self.rows[self.first_price_row]) - 1)

    def _split_cell(self) -> Cell:
        prices = [square.price for square in self.rows[self.first_price_row] if square is not None]
        return (self.first_price_row, prices.index(self._split or 0))


def _read_square(word: str) -> Square | None:
    if word == ".":
        return None
    if word == "-":
        return Square(0, closed=True)
    match = CELL_PATTERN.fullmatch(word)
    if match is None:
        raise TitleError(f"cannot read the market cell {word!r}; expected e.g. '80', '95P' or '55y'")
    turns_up, ledge = bool(match["turn"]), bool(match["ledge"])
    return Square(int(match["price"]), bool(match["par"]), match["zone"], turns_up, ledge)
