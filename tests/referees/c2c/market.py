"""A second statement of the market of 18C2C: 11 rows of cells, a ledge, and what lies beyond its edges.

Cells are (row, column), counted from 1 at the top left. `^` is an arrow upwards, `v` one downwards, `x` a closed cell.
"""

Cell = tuple[int, int]
ROWS = tuple(
    line.split()
    for line in (
        "64v 68 72 76 82 90 100 110 120 140 160 180 200 225 250 275 300 325 350 375 400 425 450 475 500",
        "60yv 64 68 72 76 82 90 100 110 120 140 160 180 200 225 250 275 300 325 350 375 400 425 450 475^",
        "55yv 60y 64 68 72 76 82 90 100 110 120 140 160 180 200 225^ 250 275 300 325 350 375 400 425 450^",
        "50yv 55y 60y 64 68 72 76 82 90 100 110 120 140^ 160 180 200 225 250 275 300 325 350 375 400 425^",
        "40bv 50y 55y 60y 64 68 72 76 82 90 100^ 110 120 140 160 180^",
        "30bv 40y 50y 55y 60y 64 68 72 76 82^ 90 100 110^",
        "20bv 30b 40y 50y 55y 60y 64 68 72^ 76 82^",
        "10bv 20b 30b 40y 50y 55y 60 64^ 68 72^",
        "x 10b 20b 30b 40y 50y 55^ 60 64^",
        "x x 10b 20b 30b 40y 50^",
        "x x x 10b 20b 30b 40^",
    )
)
EDGE = dict(zip(range(8, 26), (8, 7, 6, 5, 4, 4, 3, 3, 3, *[2] * 9), strict=True))
"""The row just above the ledge, by column."""
PARS = {100: (1, 7), 90: (2, 7), 82: (3, 7), 76: (4, 7), 72: (5, 7), 68: (6, 7)}
TOP = (1, 25)
"""The cell of $500."""
AFTER_TOP = (1, 15)
"""Where a marker goes from there, once: $250, and shares count double."""


def _text(cell: Cell) -> str:
    row, column = cell
    line = ROWS[row - 1] if 1 <= row <= len(ROWS) else []
    return line[column - 1] if 1 <= column <= len(line) else ""


def price(cell: Cell) -> int:
    return int(_text(cell).rstrip("yb^v"))


def zone(cell: Cell) -> str:
    """`y` or `b` for a yellow or brown cell, else nothing."""
    return next((letter for letter in "yb" if letter in _text(cell)), "")


def priced(cell: Cell) -> bool:
    return _text(cell) not in ("", "x")


def fallen(cell: Cell, rows: int) -> Cell:
    """After a sale of this many shares: the ledge holds a fall that would end just below it (R-C2C-036, R-C2C-050)."""
    row, column = cell
    edge = EDGE.get(column)
    if edge is not None and row <= edge and row + rows == edge + 1:
        return edge, column
    return max((r, column) for r in range(row, row + rows + 1) if priced((r, column)))


def right(cell: Cell) -> Cell:
    """One column to the right; from an arrow upwards (R-C2C-051). From $500 there is no way on here."""
    row, column = cell
    return (row - 1, column) if "^" in _text(cell) else (row, column + 1)


def left(cell: Cell) -> Cell | None:
    """One column to the left, in the first column downwards; None where the cell is closed (R-C2C-051, R-C2C-053)."""
    row, column = cell
    there = (row + 1, 1) if column == 1 else (row, column - 1)
    return there if priced(there) else None


def risen(cell: Cell) -> Cell:
    """One row up, on the top row down to the right (R-C2C-03B)."""
    row, column = cell
    return (row - 1, column) if row > 1 else (2, column + 1)


def top_row(value: int) -> Cell:
    """The cell of the top row with the highest price not above a value, $64 to $500 (R-C2C-223)."""
    able = [column for column in range(1, 26) if price((1, column)) <= value]
    return 1, max(able, default=1)
