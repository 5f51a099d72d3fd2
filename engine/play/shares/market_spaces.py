"""Spaces of the market: a marker there is alone and never moves."""

from engine.core.ids import Cell, PlayerId
from engine.core.state import Company
from engine.play.table import Table


def free_spaces(t: Table) -> list[tuple[int, Cell]]:
    """Spaces on which a company may be started now, with their prices, cheapest first."""
    taken = {company.cell for company in t.state.companies.values()} | set(t.state.flipped)
    return [(price, cell) for price, cell in t.grid.spaces() if cell not in taken and _is_open(t, cell)]


def cost(value: int) -> int:
    """What a company on a space of this value costs: twice as much, its certificate counts as two shares."""
    return 2 * value


def payable(t: Table, player: PlayerId) -> list[tuple[int, Cell]]:
    """Free spaces for which the player has the money, cheapest first."""
    return [(value, cell) for value, cell in free_spaces(t) if cost(value) <= t.cash(player)]


def flip_marker(t: Table, company: Company) -> None:
    """Take a company's marker off the market; on a space it is turned over and keeps the space."""
    if company.cell is not None and t.grid.is_space(company.cell):
        t.state.flipped.append(company.cell)
    t.leave_market(company)


def _is_open(t: Table, cell: Cell) -> bool:
    zone = t.grid.zone(cell)
    return zone is None or zone.from_phase is None or t.phase_reached(zone.from_phase)
