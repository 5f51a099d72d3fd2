"""The stock market of 18C2C: ledge, arrows, the way past $500, cells that close a corporation."""

from collections.abc import Callable

import pytest

from engine.core.ids import Cell
from engine.core.state import Company
from engine.market.grid import Grid
from engine.play.operating_order import operating_order
from engine.play.table import Table
from engine.titles import TITLES
from engine.titles.t18c2c.house_rules import with_house_rules
from tests.titles.builders import Position, new_game

TITLE = "18c2c"
GRID = new_game(2, title=TITLE).table.grid


def at(row: int, column: int) -> Cell:
    return (row - 1, column - 1)


def company_at(row: int, column: int) -> tuple[Table, Company]:
    position = Position(title=TITLE).start("PRR", 100, at=(row, column), a=60, b=40)
    return position.t, position.state.companies["PRR"]


@pytest.mark.parametrize(
    ("cell", "price"),
    [
        ((1, 7), 100),
        ((1, 25), 500),
        ((4, 13), 140),
        ((8, 1), 10),
        ((11, 7), 40),
        ((2, 25), 475),
        ((9, 9), 64),
    ],
)
def test_prices_of_cells(cell: Cell, price: int) -> None:
    """R-C2C-033: eleven rows, 25 columns at the top."""
    assert GRID.price(at(*cell)) == price


def test_par_prices_of_18c2c() -> None:
    """R-C2C-033: column 7, rows 1 to 6."""
    assert [(price, cell) for price, cell in GRID.pars()] == [
        (price, at(row, 7)) for row, price in ((6, 68), (5, 72), (4, 76), (3, 82), (2, 90), (1, 100))
    ]


@pytest.mark.parametrize(
    ("cell", "rows", "end"),
    [
        ((4, 12), 1, (4, 12)),  # would end just below: stays
        ((4, 12), 2, (6, 12)),  # passes
        ((3, 12), 2, (4, 12)),  # ends on the ledge
        ((3, 12), 3, (6, 12)),
        ((1, 7), 3, (4, 7)),  # no ledge in this column
        ((5, 12), 1, (6, 12)),  # falls below the line are normal
        ((8, 8), 1, (8, 8)),
        ((8, 8), 2, (9, 8)),  # the nominal length counts
        ((2, 25), 1, (2, 25)),
        ((2, 25), 2, (4, 25)),
        ((8, 1), 3, (8, 1)),  # not out of the chart
        ((9, 2), 1, (9, 2)),
    ],
)
def test_fall_ends_on_the_ledge_or_passes_it(cell: Cell, rows: int, end: Cell) -> None:
    """R-C2C-050, R-C2C-053; example 5."""
    assert GRID.down(at(*cell), rows) == at(*end)


@pytest.mark.parametrize(
    ("move", "cell", "end"),
    [
        (GRID.right, (4, 13), (3, 13)),
        (GRID.right, (1, 7), (1, 8)),
        (GRID.left, (5, 1), (6, 1)),
        (GRID.cell_after_sold_out, (4, 7), (3, 7)),
        (GRID.cell_after_sold_out, (1, 8), (2, 9)),
        (GRID.cell_after_sold_out, (1, 25), (1, 15)),
    ],
)
def test_marker_moves(move: Callable[[Cell], Cell], cell: Cell, end: Cell) -> None:
    """R-C2C-051, R-C2C-03B, R-C2C-052; example 5: an arrow turns it up, although (4,14) is there; left of the first
    column is down; in the top row a sold out corporation goes down and to the right, past $500 to (1,15)."""
    assert move(at(*cell)) == at(*end)


def test_price_past_500_counts_double() -> None:
    """R-C2C-052, R-C2C-090; example 5: (1,25) full goes to (1,15), each share counts 500; doubled once, and
    for money alone."""
    table, company = company_at(1, 25)
    table.move_price(company, table.grid.right(at(1, 25)))
    assert company.cell == at(1, 15)
    assert (table.grid.price(company.cell), table.price(company)) == (250, 500)
    table, company = company_at(1, 25)
    company.split = True
    table.move_price(company, table.grid.right(at(1, 25)))
    assert (company.cell, table.price(company)) == (at(1, 25), 1000)
    position = Position(title=TITLE).start("PRR", 100, at=(1, 15), a=60).start("NYC", 100, at=(1, 16), b=60)
    position.state.companies["PRR"].split = True
    assert [company.id for company in operating_order(position.t)] == ["NYC", "PRR"]


def test_price_that_leaves_closes_corporation() -> None:
    """R-C2C-053; example 5: 10 in the first column, withheld. By the alternative of `closed_cell` the marker
    stops."""
    position = Position(title=TITLE).start("PRR", 68, at=(8, 1), a=60)
    company = position.state.companies["PRR"]
    company.trains = ["3"]
    position.operating("PRR", "dividend")
    bank, cash = position.state.bank, company.cash
    game = position.game()
    assert company.closed
    assert not company.trains
    assert position.state.pool == ["3"]
    assert position.state.bank == bank + cash
    assert game.table.map.token_stops_of("PRR") == []
    spec = TITLES[TITLE].spec
    house = {**spec.house, "closed_cell": spec.house["closed_cell"].with_value("stop")}
    grid = Grid(with_house_rules(spec.model_copy(update={"house": house})).market)
    assert grid.left(at(8, 1)) == at(8, 1)
    assert grid.left(at(9, 2)) == at(9, 2)


def test_marker_goes_under_others() -> None:
    """R-C2C-054: and one that does not move keeps its place."""
    position = Position(title=TITLE).start("PRR", 100, at=(2, 8), a=60).start("NYC", 100, at=(2, 7), b=60)
    table, nyc, prr = position.t, position.state.companies["NYC"], position.state.companies["PRR"]
    table.move_price(nyc, at(2, 8))
    assert position.state.companies_in_cell(at(2, 8)) == ["PRR", "NYC"]
    table.move_price(prr, at(2, 8))
    assert position.state.companies_in_cell(at(2, 8)) == ["PRR", "NYC"]
