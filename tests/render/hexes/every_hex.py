"""Every hex of a title, as printed and with every tile that can come to lie there, as it is drawn."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import islice

from engine.board.laid import Laid
from engine.board.map import Map
from engine.board.upgrades import may_follow, rotations
from engine.core.ids import Coord, TileId
from engine.game import Game
from engine.tell.view_builders import map_view
from engine.tell.views import HexView, MapView
from engine.titles import TITLES

PLAYERS = [("p1", "Ann"), ("p2", "Bob"), ("p3", "Cy")]
Turned = tuple[TileId, int]


@cache
def hexes(title: str, every: int = 1) -> tuple[HexView, ...]:
    """Each look of each hex once, on one of N boards: those that differ in their coordinate alone are one."""
    found: dict[HexView, HexView] = {}
    for view in islice(boards(title), 0, None, every):
        for h in view.hexes:
            width = str(len(h.coord))
            found.setdefault(replace(h, coord=width, x=0, y=0), h)
    return tuple(found.values())


def fullest(looks: Iterable[HexView]) -> list[HexView]:
    """Of these looks each tile once in each rotation, where the longest name stands, and each hex as printed."""
    by_name = sorted(looks, key=lambda h: len(h.name))
    return list({(h.tile or h.coord, h.rotation): h for h in by_name}.values())


def boards(title: str) -> Iterator[MapView]:
    """Maps that show between them every hex with every tile that can come to lie there."""
    game = Game(title, PLAYERS, 1, "rulebook", frozenset())
    for board in _overlaid(game.table.map):
        game.table.map = board
        yield map_view(game)


def _overlaid(printed: Map) -> Iterator[Map]:
    """The printed map; then, in all hexes at once, one after the other what can come to lie there."""
    yield printed
    found = {coord: _following(printed, coord) for coord in printed.coords}
    number = 0
    while tiles := {coord: turned[number] for coord, turned in found.items() if number < len(turned)}:
        board = Map.restored(printed.spec, Laid(tiles, [], dict(printed.homes), {}))
        for coord in tiles:
            found[coord] += [turned for turned in _following(board, coord) if turned not in found[coord]]
        yield board
        number += 1


def _following(board: Map, coord: Coord) -> list[Turned]:
    """Tiles, turned, that can follow what lies in a hex; what lies in others does not matter."""
    return [(tile, turn) for tile in may_follow(board, coord) for turn in rotations(board, coord, tile)]


TITLE_NAMES = tuple(TITLES)
