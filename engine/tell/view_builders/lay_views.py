"""The views of tiles to lay: places, ways to lay one there, and what may ever follow in a hex."""

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


def spot_pages(game: Game, begun: Cursor, most: int) -> tuple[tuple[Cursor, ...], ...]:
    """The hexes that an untouched offer begins with, as many as `most` on a page of neighbouring ones."""
    layout, letters = game.table.spec.map.layout, game.table.spec.map.letters

    def place(here: Cursor) -> tuple[int, int]:
        [coord] = here.chosen.values()
        return position(coord, layout, letters)

    ways = sorted((here for _, here in begun.ways()), key=lambda here: place(here)[::-1])
    if len(ways) > most:
        columns, rows = zip(*map(place, ways), strict=True)
        # Cut across the longer side of what is to be shown, so that each page is as compact as it can be.
        across = 0 if max(columns) - min(columns) > max(rows) - min(rows) else 1
        ways.sort(key=lambda here: place(here)[across])
    pages = (ways[start : start + most] for start in range(0, len(ways), most))
    return tuple(tuple(sorted(page, key=lambda here: place(here)[::-1])) for page in pages)


def spot_views(game: Game, ways: Iterable[Cursor]) -> tuple[SpotView, ...]:
    """The hexes that these walks have picked."""
    return tuple(_spot(game, here) for here in ways)


def _spot(game: Game, here: Cursor) -> SpotView:
    laid = _laid(game.after(next(walk for _, tile in here.ways() for _, walk in tile.ways())))
    return SpotView(laid.hex, game.table.map.hexes[laid.hex].name, laid.cost)


def lay_views(game: Game, here: Cursor, enough: Callable[[], bool] = lambda: False) -> Iterator[LayView]:
    """The ways to lay a tile in the hex that was picked, each with what it is worth: until `enough` says so."""
    before = best_run(game.table).revenue
    for _, tile in here.ways():
        for _, walk in tile.ways():
            after = game.after(walk)
            now = before if enough() else best_run(after).revenue
            yield _lay(game.table, after, None if now == before else (before, now))


def lay_view(game: Game, walk: Cursor) -> LayView:
    """A whole walk through an offer to lay a tile: the tile as it would lie."""
    return _lay(game.table, game.after(walk), None)


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
    """Tiles that can be turned so that they fit in a hex, in whatever phase, used up or not; raises KeyError."""
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
