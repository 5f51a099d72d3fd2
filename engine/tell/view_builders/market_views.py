"""The view of the stock market."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from engine.core.facts import fact
from engine.core.ids import Cell, CompanyId
from engine.core.spec import TitleSpec
from engine.core.state import Company, Operating
from engine.game import Game
from engine.play.operating_order import operating_order
from engine.play.table import Table
from engine.tell.map_marks import event_markers
from engine.tell.teller import teller_of
from engine.tell.view_builders.view_parts import badge_of, board_caption
from engine.tell.views import CellView, MarketView, OrderView, SpaceState, SpaceView

MOST: Final = 4096
"""Cells of a title that are kept as they were shown; then all are worked out anew."""
MARKETS: Final = 1024
"""Whole markets of a title that are kept as they were shown: what two moves in three leave as it was."""
Rows: TypeAlias = tuple[tuple[CellView | None, ...], ...]
SpaceLegend: TypeAlias = tuple[tuple[SpaceView, str], ...]
_STATES: Final[tuple[SpaceState, ...]] = ("free", "taken", "blocked", "later")


def market_view(game: Game) -> MarketView:
    """The stock market with all markers and the operating order."""
    t = game.table
    first = t.grid.first
    rows, space_legend = _squares(game)
    moves = tuple(
        (company, (old[0] - first, old[1]), (new[0] - first, new[1]))
        for company, old in t.state.fresh.moves.items()
        if (new := t.state.companies[company].cell) is not None and new != old
    )
    order = tuple(_order(t, company) for company in operating_order(t))
    return MarketView(rows, _legend(game), order, moves, t.spec.name, board_caption(game), space_legend)


def _squares(game: Game) -> tuple[Rows, SpaceLegend]:
    """All cells, and the legend of spaces; the same objects while no marker moves."""
    t = game.table
    markers = tuple((company, t.state.companies[company].cell) for company in t.state.market)
    here = markers, frozenset(t.state.flipped), t.state.phase
    kept = t.spec.cached(_kept_markets)
    squares = kept.get(here)
    if squares is None:
        if len(kept) >= MARKETS:
            kept.clear()
        squares = kept[here] = _rows(t), _space_legend(game)
    return squares


def _kept_markets(_: TitleSpec) -> dict[object, tuple[Rows, SpaceLegend]]:
    """Cached markets of a title, by positions of the markers."""
    return {}


def _rows(t: Table) -> Rows:
    columns = max(len(row) for row in t.grid.rows)
    there, spaces = _by_cell(t), [_spaces(t, column) for column in range(columns)]
    return tuple(
        tuple(
            _cell(t, (r, c), tuple(there.get((r, c), ())), spaces[c]) if t.grid.has((r, c)) else None
            for c in range(columns)
        )
        for r in range(t.grid.first, len(t.grid.rows))
    )


def _legend(game: Game) -> tuple[tuple[str, str], ...]:
    """Zones of the rows in which markers move."""
    t, say = game.table, teller_of(game).say
    letters = {square.zone for row in t.grid.rows[t.grid.first :] for square in row if square}
    zones = [zone for zone in t.spec.market.zones if zone.letter in letters]
    return (
        ("P", say(fact("legend.par"))),
        *((zone.letter, say(fact("legend.zone", name=zone.name, legend=zone.legend))) for zone in zones),
    )


def _space_legend(game: Game) -> tuple[tuple[SpaceView, str], ...]:
    """The present states of spaces, each with an example."""
    t, say = game.table, teller_of(game).say
    seen: dict[SpaceState, SpaceView] = {}
    for _, cell in t.grid.spaces():
        space = _space(t, cell)
        seen.setdefault(space.state, space)
    return tuple(
        (seen[state], say(fact(f"space.{state}", phase=seen[state].phase)))
        for state in _STATES
        if state in seen
    )


def _by_cell(t: Table) -> dict[Cell | None, list[CompanyId]]:
    """Companies by their cells, first to act first."""
    cells: dict[Cell | None, list[CompanyId]] = {}
    for company in t.state.market:
        cells.setdefault(t.state.companies[company].cell, []).append(company)
    return cells


def _cell(t: Table, cell: Cell, companies: tuple[CompanyId, ...], spaces: tuple[SpaceView, ...]) -> CellView:
    """One cell; the same object while nothing changes there."""
    kept = t.spec.cached(_cached_cells)
    here = cell, companies, spaces
    found = kept.get(here)
    if found is None:
        if len(kept) >= MOST:
            kept.clear()
        found = kept[here] = _cell_view(t, *here)
    return found


def _cached_cells(_: TitleSpec) -> dict[object, CellView]:
    """Cached cells of a title."""
    return {}


def _cell_view(
    t: Table, cell: Cell, companies: Sequence[CompanyId], spaces: tuple[SpaceView, ...]
) -> CellView:
    square = t.grid.square(cell)
    row, column = cell
    falls = len(t.grid.rows) > t.grid.first + 1
    return CellView(
        price=square.price,
        zone=square.zone,
        par=square.par,
        up_arrow=square.turns_up or (row > t.grid.first and not t.grid.has((row, column + 1))),
        down_arrow=column == 0 and t.grid.has((row + 1, 0)) and not square.closed,
        ledge=square.ledge or (falls and not square.closed and not t.grid.falls_to((row + 1, column))),
        closed=square.closed,
        end=t.grid.ends_game(cell),
        tokens=tuple(badge_of(t, company) for company in companies),
        spaces=spaces,
    )


def _spaces(t: Table, column: int) -> tuple[SpaceView, ...]:
    """The spaces at a price, the upper one first."""
    cells = [(row, column) for row in range(t.grid.first)]
    return tuple(_space(t, cell) for cell in cells if t.grid.has(cell))


def _space(t: Table, cell: Cell) -> SpaceView:
    letter, zone = t.grid.square(cell).zone, t.grid.zone(cell)
    here = t.state.in_cell(cell)
    if here:
        return SpaceView("taken", letter, badge_of(t, here[0]))
    if cell in t.state.flipped:
        return SpaceView("blocked", letter)
    if zone is not None and zone.from_phase is not None and not t.phase_reached(zone.from_phase):
        return SpaceView("later", letter, phase=zone.from_phase)
    return SpaceView("free", letter)


def _order(t: Table, company: Company) -> OrderView:
    assert company.president is not None
    progress = ""
    now = t.state.round
    if isinstance(now, Operating) and company.floated:
        acting = now.turn is not None and now.turn.company == company.id
        progress = "acting" if acting else "done" if company.id in now.done else "waiting"
    name = t.state.player(company.president).name
    return OrderView(
        badge_of(t, company.id),
        t.price(company),
        name,
        company.floated,
        progress,  # type: ignore[arg-type]
        (*event_markers(t, company), *(["×2"] if company.split else [])),
    )
