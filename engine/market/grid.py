"""The stock market as a grid of prices, and how a marker moves on it (rulebook 10.2, 10.6, 11.6)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.errors import TitleError
from engine.core.ids import Cell
from engine.core.spec import MarketSpec, ZoneSpec

_CELL = re.compile(r"(?P<price>\d+)(?P<par>P?)(?P<zone>[a-z]?)")


@dataclass(frozen=True, slots=True)
class Square:
    """One cell: price in dollars, whether a par cell, zone letter or empty."""

    price: int
    par: bool
    zone: str


class Grid:
    """Prices by cell; rows may have different lengths. Raises TitleError for an unreadable cell."""

    def __init__(self, spec: MarketSpec) -> None:
        self.rows = tuple(tuple(_read(word) for word in row.split()) for row in spec.rows)
        self.first = spec.spaces
        """The uppermost row on which markers move; those above it are spaces."""
        self.zones: dict[str, ZoneSpec] = {zone.letter: zone for zone in spec.zones}
        self._pars = sorted(
            (square.price, (r, c))
            for r, row in enumerate(self.rows)
            for c, square in enumerate(row)
            if square is not None and square.par
        )

    def square(self, cell: Cell) -> Square:
        """What stands in a cell."""
        square = self.rows[cell[0]][cell[1]]
        assert square is not None, cell
        return square

    def price(self, cell: Cell) -> int:
        """Price in dollars."""
        return self.square(cell).price

    def zone(self, cell: Cell) -> ZoneSpec | None:
        """The coloured zone of a cell, if any."""
        return self.zones.get(self.square(cell).zone)

    def ends_game(self, cell: Cell) -> bool:
        """Whether a price that gets here brings the end of the game."""
        zone = self.zone(cell)
        return zone is not None and zone.ends_game

    def has(self, cell: Cell) -> bool:
        """Whether there is such a cell."""
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
        """Whether a marker in the cell never moves and is alone there."""
        return cell[0] < self.first

    def spaces(self) -> Sequence[tuple[int, Cell]]:
        """The spaces with their prices, cheapest first, of equal ones the upper first."""
        cells = [(r, c) for r in range(self.first) for c in range(len(self.rows[r])) if self.has((r, c))]
        return sorted((self.price(cell), cell) for cell in cells)

    def right(self, cell: Cell) -> Cell:
        """One to the right; at the end of the row one up; at the top right it stays."""
        row, column = cell
        return (row, column + 1) if self.has((row, column + 1)) else self.up(cell)

    def left(self, cell: Cell, steps: int = 1) -> Cell:
        """So many to the left; at the start of the row one down; at the lower left it stays."""
        for _ in range(steps):
            row, column = cell
            cell = (row, column - 1) if column else self.down(cell)
        return cell

    def up(self, cell: Cell) -> Cell:
        """One up; in the top row it stays."""
        above = (cell[0] - 1, cell[1])
        return above if self.has(above) and not self.is_space(above) else cell

    def down(self, cell: Cell, rows: int = 1) -> Cell:
        """So many rows down, stopping at the lowest cell of the column."""
        for _ in range(rows):
            below = (cell[0] + 1, cell[1])
            if not self.has(below):
                break
            cell = below
        return cell


def _read(word: str) -> Square | None:
    if word == ".":
        return None
    found = _CELL.fullmatch(word)
    if found is None:
        raise TitleError(f"cannot read the market cell {word!r}; expected e.g. '80', '95P' or '55y'")
    return Square(int(found["price"]), bool(found["par"]), found["zone"])
