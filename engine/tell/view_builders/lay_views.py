"""Views of lays: hexes to choose from, tiles and rotations there, and possible upgrades."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from engine.board.hexes import SIDE_NAMES, position
from engine.board.upgrades import may_follow, rotations
from engine.core.events import TileLaid
from engine.core.ids import Coord, TileId
from engine.core.offers import Cursor
from engine.game import Game
from engine.play.steps.run_trains import best_run
from engine.play.table import Table
from engine.tell.map_marks import marks
from engine.tell.view_builders.map_views import hex_view, tile_view
from engine.tell.views import (
    LayView,
    SpotView,
    UpgradeView,
)


def spot_pages(game: Game, begun: Cursor, maximum: int) -> tuple[tuple[Cursor, ...], ...]:
    """The hexes with which an offer starts, in pages of at most `maximum` neighbouring ones."""
    layout, letters = game.table.spec.map.layout, game.table.spec.map.letters

    def place(cursor: Cursor) -> tuple[int, int]:
        [coord] = cursor.chosen.values()
        return position(coord, layout, letters)

    ways = sorted((here for _, here in begun.choices_and_walks()), key=lambda here: place(here)[::-1])
    if len(ways) > maximum:
        columns, rows = zip(*map(place, ways), strict=True)
        # Cut across the longer side of what is to be shown, so that each page is as compact as it can be.
        across = 0 if max(columns) - min(columns) > max(rows) - min(rows) else 1
        ways.sort(key=lambda here: place(here)[across])
    pages = (ways[start : start + maximum] for start in range(0, len(ways), maximum))
    return tuple(tuple(sorted(page, key=lambda here: place(here)[::-1])) for page in pages)


def spot_views(game: Game, ways: Iterable[Cursor]) -> tuple[SpotView, ...]:
    """The hexes picked in these cursors."""
    return tuple(_spot(game, here) for here in ways)


def _spot(game: Game, cursor: Cursor) -> SpotView:
    laid = _laid(
        game.after(
            next(walk for _, tile in cursor.choices_and_walks() for _, walk in tile.choices_and_walks())
        )
    )
    return SpotView(laid.hex, game.table.map.hexes[laid.hex].name, laid.cost)


def lay_views(game: Game, cursor: Cursor, enough: Callable[[], bool] = lambda: False) -> Iterator[LayView]:
    """The ways to lay a tile in the picked hex, each with its value, until `enough` is True."""
    before = best_run(game.table).revenue
    for _, tile in cursor.choices_and_walks():
        for _, walk in tile.choices_and_walks():
            after = game.after(walk)
            now = before if enough() else best_run(after).revenue
            yield _lay(game.table, after, None if now == before else (before, now))


def lay_view(game: Game, cursor: Cursor) -> LayView:
    """The tile of a complete lay, as it would lie."""
    return _lay(game.table, game.after(cursor), None)


def _lay(before: Table, after: Table, worth: tuple[int, int] | None) -> LayView:
    laid = _laid(after)
    sides = SIDE_NAMES[after.spec.map.layout]
    return LayView(
        tile=laid.tile,
        rotation=laid.rotation,
        hex=hex_view(after, laid.hex, marks(after).get(laid.hex, ())),
        sides="-".join(sides[edge] for edge in sorted(after.map.topology(laid.hex).edges)),
        left=before.map.supply[laid.tile],
        cost=laid.cost,
        worth=worth,
    )


def _laid(after: Table) -> TileLaid:
    return next(event for event in after.events if isinstance(event, TileLaid))


def upgrade_views(game: Game, coord: Coord) -> tuple[UpgradeView, ...]:
    """Tiles that fit a hex in any phase, used up or not; raises KeyError."""
    t = game.table
    followers = ((tile, rotations(t.map, coord, tile)) for tile in may_follow(t.map, coord))
    return tuple(_upgrade(t, coord, tile, turns) for tile, turns in followers if turns)


def _upgrade(t: Table, coord: Coord, tile: TileId, turns: tuple[int, ...]) -> UpgradeView:
    spec, sides = t.spec.tiles[tile], SIDE_NAMES[t.spec.map.layout]
    x, y = position(coord, t.spec.map.layout, t.spec.map.letters)
    turned = [spec.topology.turned(turn) for turn in turns]
    lies = replace(
        tile_view(t, tile).hex,
        coord=coord,
        x=x,
        y=y,
        rotation=turns[0],
        name=t.map.hexes[coord].name,
        pieces=tuple(piece.ends() for piece in turned[0].pieces),
    )
    return UpgradeView(
        tile=tile,
        colour=spec.colour,
        left=t.map.supply[tile],
        now=spec.colour in t.phase.tiles,
        sides=tuple("-".join(sides[edge] for edge in sorted(one.edges)) for one in turned),
        hex=lies,
    )
