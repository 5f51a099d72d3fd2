"""Every hex of a title, as printed and with every tile that can come to lie there, as it is drawn."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from engine.board.laid import Laid
from engine.board.map import Map
from engine.board.upgrades import may_follow, rotations
from engine.core.ids import Coord, TileId
from engine.game import Game
from engine.tell.viewing import map_view
from engine.tell.views import HexView, MapView
from engine.titles import TITLES

PLAYERS = [("p1", "Ann"), ("p2", "Bob"), ("p3", "Cy")]
Turned = tuple[TileId, int]


@cache
def hexes(title: str) -> tuple[HexView, ...]:
    """Each look of each hex once: hexes that differ in their coordinate alone stand for one another."""
    found: dict[HexView, HexView] = {}
    for view in boards(title):
        for h in view.hexes:
            width = str(len(h.coord))
            found.setdefault(replace(h, coord=width, x=0, y=0), h)
    return tuple(found.values())


def boards(title: str) -> Iterator[MapView]:
    """Maps that show between them every hex with every tile that can come to lie there."""
    game = Game(title, PLAYERS, 1, "rulebook", frozenset())
    printed = game.table.map
    yield map_view(game)
    fitting = {coord: _fitting(printed, coord) for coord in printed.coords}
    for number in range(max(map(len, fitting.values()))):
        tiles = {coord: turned[number] for coord, turned in fitting.items() if number < len(turned)}
        game.table.map = Map.restored(printed.spec, Laid(tiles, [], dict(printed.homes), {}))
        yield map_view(game)


def _fitting(printed: Map, coord: Coord) -> list[Turned]:
    """Tiles, turned, that can come to lie in a hex, one on the other."""
    found: dict[Turned, None] = {}
    todo = [printed]
    while todo:
        board = todo.pop()
        for tile in may_follow(board, coord):
            for rotation in rotations(board, coord, tile):
                if (tile, rotation) not in found:
                    found[tile, rotation] = None
                    todo.append(Map.restored(printed.spec, Laid({coord: (tile, rotation)}, [], {}, {})))
    return list(found)


TITLE_NAMES = tuple(TITLES)
