"""Views for laying tiles: legal hexes, tiles and rotations in a hex, and possible upgrades."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from engine.board.hexes import EDGE_NAMES, Edge, grid_position
from engine.board.upgrades import possible_upgrades, rotations
from engine.core.events import TileLaid
from engine.core.ids import Coord, TileId
from engine.core.offers import OfferCursor
from engine.game import Game
from engine.play.steps.run_trains import best_run
from engine.play.table import Table
from engine.tell.map_marks import marks
from engine.tell.view_builders.map_views import hex_view, tile_view
from engine.tell.views import (
    LayHexView,
    LayView,
    UpgradeView,
)


def lay_hex_pages(game: Game, lay_cursor: OfferCursor, page_size: int) -> tuple[tuple[OfferCursor, ...], ...]:
    """The legal hexes for a tile lay, as cursors (partially filled offers), in pages of neighbouring hexes.

    A page has at most `page_size` hexes.
    """
    layout, lettered_axis = game.table.spec.map.layout, game.table.spec.map.letters

    def grid_position_of(cursor: OfferCursor) -> tuple[int, int]:
        [coord] = cursor.chosen.values()
        return grid_position(coord, layout, lettered_axis)

    hex_cursors = sorted(
        (hex_cursor for _, hex_cursor in lay_cursor.choices_and_cursors()),
        key=lambda hex_cursor: grid_position_of(hex_cursor)[::-1],
    )
    if len(hex_cursors) > page_size:
        columns, rows = zip(*map(grid_position_of, hex_cursors), strict=True)
        # Cut across the longer side of the area, so that each page is as compact as possible.
        axis = 0 if max(columns) - min(columns) > max(rows) - min(rows) else 1
        hex_cursors.sort(key=lambda hex_cursor: grid_position_of(hex_cursor)[axis])
    pages = (hex_cursors[start : start + page_size] for start in range(0, len(hex_cursors), page_size))
    return tuple(
        tuple(sorted(page, key=lambda hex_cursor: grid_position_of(hex_cursor)[::-1])) for page in pages
    )


def lay_hex_views(game: Game, hex_cursors: Iterable[OfferCursor]) -> tuple[LayHexView, ...]:
    """Views of the hexes picked in these cursors, which are partially filled tile lays."""
    return tuple(_lay_hex_view(game, hex_cursor) for hex_cursor in hex_cursors)


def _lay_hex_view(game: Game, cursor: OfferCursor) -> LayHexView:
    lay_event = _tile_laid_event(
        game.table_after(
            next(
                cursor
                for _, tile_cursor in cursor.choices_and_cursors()
                for _, cursor in tile_cursor.choices_and_cursors()
            )
        )
    )
    spec, name = game.table.spec, game.table.map.hexes[lay_event.hex].name
    return LayHexView(lay_event.hex, name, lay_event.cost, currency=spec.currency)


def lay_views(
    game: Game, cursor: OfferCursor, is_time_up: Callable[[], bool] = lambda: False
) -> Iterator[LayView]:
    """Views of the legal tiles and rotations in the hex that the cursor has picked.

    They show each lay's effect on the company's revenue, until `is_time_up()` returns True.
    """
    revenue_before = best_run(game.table).revenue
    for _, tile_cursor in cursor.choices_and_cursors():
        for _, cursor in tile_cursor.choices_and_cursors():
            table_after = game.table_after(cursor)
            revenue_after = revenue_before if is_time_up() else best_run(table_after).revenue
            yield _lay_view(
                game.table,
                table_after,
                None if revenue_after == revenue_before else (revenue_before, revenue_after),
            )


def lay_view(game: Game, cursor: OfferCursor) -> LayView:
    """View of a tile as it would lie on the map; the cursor is a completely filled tile lay."""
    return _lay_view(game.table, game.table_after(cursor), None)


def _lay_view(table_before: Table, table_after: Table, revenue_change: tuple[int, int] | None) -> LayView:
    lay_event = _tile_laid_event(table_after)
    copies_left = table_before.map.supply[lay_event.tile]
    return laid_tile_view(table_after, lay_event.hex, copies_left, lay_event.cost, revenue_change)


def laid_tile_view(
    table_after: Table,
    coord: Coord,
    copies_left: int | None,
    cost: int,
    revenue_change: tuple[int, int] | None = None,
) -> LayView:
    """View of a tile that has just been laid in the hex.

    `copies_left` is the number of copies that were left before the lay; `cost` is in dollars; `revenue_change` is the
    company's revenue before and after the lay.
    """
    tile = table_after.map.tile(coord)
    assert tile is not None
    return LayView(
        tile=tile,
        rotation=table_after.map.rotation(coord),
        hex=hex_view(table_after, coord, marks(table_after).get(coord, ())),
        sides=side_text(table_after, table_after.map.topology(coord).edges),
        copies_left=copies_left,
        cost=cost,
        revenue_change=revenue_change,
        currency=table_after.spec.currency,
    )


def side_text(t: Table, edges: Iterable[Edge]) -> str:
    """The named sides of these hex edges (0-5), such as `SW-NE`."""
    side_names = EDGE_NAMES[t.spec.map.layout]
    return "-".join(side_names[edge] for edge in sorted(edges))


def _tile_laid_event(table_after: Table) -> TileLaid:
    return next(event for event in table_after.events if isinstance(event, TileLaid))


def upgrade_views(game: Game, coord: Coord) -> tuple[UpgradeView, ...]:
    """Tiles that fit the hex in any phase, even if no copy is left. Raises KeyError if there is no such hex."""
    t = game.table
    upgrades = ((tile, rotations(t.map, coord, tile)) for tile in possible_upgrades(t.map, coord))
    return tuple(
        _upgrade_view(t, coord, tile, tile_rotations) for tile, tile_rotations in upgrades if tile_rotations
    )


def _upgrade_view(t: Table, coord: Coord, tile: TileId, tile_rotations: tuple[int, ...]) -> UpgradeView:
    spec = t.spec.tiles[tile]
    x, y = grid_position(coord, t.spec.map.layout, t.spec.map.letters)
    turned_topologies = [spec.topology.turned(rotation) for rotation in tile_rotations]
    laid_hex = replace(
        tile_view(t, tile).hex,
        coord=coord,
        x=x,
        y=y,
        rotation=tile_rotations[0],
        name=t.map.hexes[coord].name,
        pieces=tuple(piece.ends() for piece in turned_topologies[0].pieces),
    )
    return UpgradeView(
        tile=tile,
        colour=spec.colour,
        copies_left=t.map.supply[tile],
        is_allowed_now=spec.colour in t.phase.tile_colours,
        sides=tuple(side_text(t, topology.edges) for topology in turned_topologies),
        hex=laid_hex,
    )
