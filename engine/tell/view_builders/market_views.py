"""Builders for the view of the stock market."""

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
from engine.tell.view_builders.view_parts import board_picture_caption, company_badge
from engine.tell.views import CellView, MarketView, OrderView, SpaceState, SpaceView

MAX_CACHED_CELLS: Final = 4096
"""Maximum number of cached cell views per title; the cache is emptied when it is full."""
MAX_CACHED_MARKETS: Final = 1024
"""Maximum number of cached markets per title; the cache is emptied when it is full."""
CellRows: TypeAlias = tuple[tuple[CellView | None, ...], ...]
SpaceLegend: TypeAlias = tuple[tuple[SpaceView, str], ...]
_SPACE_STATES: Final[tuple[SpaceState, ...]] = ("free", "taken", "blocked", "later")


def market_view(game: Game) -> MarketView:
    """View of the stock market with all markers and the operating order."""
    t = game.table
    first_row = t.grid.first_price_row
    rows, space_legend = _rows_and_legend(game)
    price_moves = tuple(
        (company, (old_cell[0] - first_row, old_cell[1]), (new_cell[0] - first_row, new_cell[1]))
        for company, old_cell in t.state.fresh.moves.items()
        if (new_cell := t.state.companies[company].cell) is not None and new_cell != old_cell
    )
    order = tuple(_order_view(t, company) for company in operating_order(t) if company.cell is not None)
    return MarketView(
        rows, _zone_legend(game), order, price_moves, t.spec.name, board_picture_caption(game), space_legend
    )


def _rows_and_legend(game: Game) -> tuple[CellRows, SpaceLegend]:
    """All market cells, and the legend of spaces; the same objects are returned until a marker moves."""
    t = game.table
    markers = tuple((company, t.state.companies[company].cell) for company in t.state.market)
    market_key = markers, frozenset(t.state.flipped), t.state.phase
    cached_markets = t.spec.cached(_new_market_cache)
    rows_and_legend = cached_markets.get(market_key)
    if rows_and_legend is None:
        if len(cached_markets) >= MAX_CACHED_MARKETS:
            cached_markets.clear()
        rows_and_legend = cached_markets[market_key] = _cell_rows(t), _space_legend(game)
    return rows_and_legend


def _new_market_cache(_: TitleSpec) -> dict[object, tuple[CellRows, SpaceLegend]]:
    return {}


def _cell_rows(t: Table) -> CellRows:
    column_count = max(len(row) for row in t.grid.rows)
    companies_by_cell, spaces_by_column = (
        _companies_by_cell(t),
        [_space_views(t, column) for column in range(column_count)],
    )
    return tuple(
        tuple(
            _cached_cell_view(t, (r, c), tuple(companies_by_cell.get((r, c), ())), spaces_by_column[c])
            if t.grid.has_cell((r, c))
            else None
            for c in range(column_count)
        )
        for r in range(t.grid.first_price_row, len(t.grid.rows))
    )


def _zone_legend(game: Game) -> tuple[tuple[str, str], ...]:
    """The legend of the market zones, as (letter, meaning).

    Zones that contain only spaces for minors' markers are left out.
    """
    t, say = game.table, teller_of(game).say
    zone_letters = {square.zone for row in t.grid.rows[t.grid.first_price_row :] for square in row if square}
    zones = [zone for zone in t.spec.market.zones if zone.letter in zone_letters]
    return (
        ("P", say(fact("legend.par"))),
        *((zone.letter, say(fact("legend.zone", name=zone.name, legend=zone.legend))) for zone in zones),
    )


def _space_legend(game: Game) -> tuple[tuple[SpaceView, str], ...]:
    """An example of each kind of market space for minors' markers, with its meaning."""
    t, say = game.table, teller_of(game).say
    example_by_state: dict[SpaceState, SpaceView] = {}
    for _, cell in t.grid.spaces():
        space = _space_view(t, cell)
        example_by_state.setdefault(space.state, space)
    return tuple(
        (example_by_state[state], say(fact(f"space.{state}", phase=example_by_state[state].phase)))
        for state in _SPACE_STATES
        if state in example_by_state
    )


def _companies_by_cell(t: Table) -> dict[Cell | None, list[CompanyId]]:
    companies_by_cell: dict[Cell | None, list[CompanyId]] = {}
    for company in t.state.market:
        companies_by_cell.setdefault(t.state.companies[company].cell, []).append(company)
    return companies_by_cell


def _cached_cell_view(
    t: Table, cell: Cell, companies: tuple[CompanyId, ...], spaces: tuple[SpaceView, ...]
) -> CellView:
    cached_cells = t.spec.cached(_new_cell_cache)
    cell_key = cell, companies, spaces
    cell_view = cached_cells.get(cell_key)
    if cell_view is None:
        if len(cached_cells) >= MAX_CACHED_CELLS:
            cached_cells.clear()
        cell_view = cached_cells[cell_key] = _cell_view(t, *cell_key)
    return cell_view


def _new_cell_cache(_: TitleSpec) -> dict[object, CellView]:
    return {}


def _cell_view(
    t: Table, cell: Cell, companies: Sequence[CompanyId], spaces: tuple[SpaceView, ...]
) -> CellView:
    square = t.grid.square(cell)
    row, column = cell
    can_prices_fall_down = len(t.grid.rows) > t.grid.first_price_row + 1
    return CellView(
        price=square.price,
        zone=square.zone,
        is_par=square.is_par,
        has_up_arrow=square.turns_up
        or (row > t.grid.first_price_row and not t.grid.has_cell((row, column + 1))),
        has_down_arrow=column == 0 and t.grid.has_cell((row + 1, 0)) and not square.closes_company,
        is_ledge=square.has_ledge
        or (
            can_prices_fall_down
            and not square.closes_company
            and not t.grid.sales_may_reach_cell((row + 1, column))
        ),
        closes_company=square.closes_company,
        ends_game=t.grid.ends_game(cell),
        tokens=tuple(company_badge(t, company) for company in companies),
        spaces=spaces,
        currency=t.spec.currency,
    )


def _space_views(t: Table, column: int) -> tuple[SpaceView, ...]:
    cells = [(row, column) for row in range(t.grid.first_price_row)]
    return tuple(_space_view(t, cell) for cell in cells if t.grid.has_cell(cell))


def _space_view(t: Table, cell: Cell) -> SpaceView:
    letter, zone = t.grid.square(cell).zone, t.grid.zone(cell)
    companies_here = t.state.companies_in_cell(cell)
    if companies_here:
        return SpaceView("taken", letter, company_badge(t, companies_here[0]))
    if cell in t.state.flipped:
        return SpaceView("blocked", letter)
    if zone is not None and zone.from_phase is not None and not t.has_reached_phase(zone.from_phase):
        return SpaceView("later", letter, phase=zone.from_phase)
    return SpaceView("free", letter)


def _order_view(t: Table, company: Company) -> OrderView:
    progress = ""
    current_round = t.state.round
    if isinstance(current_round, Operating) and company.floated and company.id not in current_round.floated:
        is_acting = current_round.turn is not None and current_round.turn.company == company.id
        progress = "acting" if is_acting else "done" if company.id in current_round.done else "waiting"
    name = t.president(company.id).name
    return OrderView(
        company_badge(t, company.id),
        t.price(company),
        name,
        company.floated,
        progress,  # type: ignore[arg-type]
        (*event_markers(t, company), *(["×2"] if company.split else [])),
        currency=t.spec.currency,
    )
