"""The views of the tiles that may follow what lies in a hex, before any question of connection."""

from dataclasses import replace

from engine.board.hexes import SIDE_NAMES, position
from engine.board.upgrades import may_follow, rotations
from engine.core.ids import Coord, TileId
from engine.game import Game
from engine.play.table import Table
from engine.tell.view_builders.map import tile_view
from engine.tell.views import UpgradeView


def upgrade_views(game: Game, coord: Coord) -> tuple[UpgradeView, ...]:
    """Tiles that can be turned so that they fit in a hex, in whatever phase, used up or not; raises KeyError."""
    t = game.table
    found = ((tile, rotations(t.map, coord, tile)) for tile in may_follow(t.map, coord))
    return tuple(_upgrade(t, coord, tile, turns) for tile, turns in found if turns)


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
