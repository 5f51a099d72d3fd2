"""Every hex of a title, as printed and with every tile that can come to lie there, as it is drawn."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from engine.board.map import Map, MapChanges
from engine.board.upgrades import possible_upgrades, rotations
from engine.core.ids import Coord, TileId
from engine.game import Game
from engine.tell.map_marks import marks
from engine.tell.view_builders import map_view
from engine.tell.view_builders.map_views import hex_view
from engine.tell.views import HexView, MapView
from engine.titles import TITLES

PLAYERS = [("p1", "Ann"), ("p2", "Bob"), ("p3", "Cy")]
Turned = tuple[TileId, int]


def hexes(title: str) -> list[HexView]:
    """Each look of each hex once: those that differ in their coordinate alone are one."""
    return _different(h for view in boards(title) for h in view.hexes)


def _different(looks: Iterable[HexView]) -> list[HexView]:
    """The first of looks that differ in their coordinate alone."""
    found: dict[HexView, HexView] = {}
    for h in looks:
        found.setdefault(replace(h, coord=str(len(h.coord)), x=0, y=0), h)
    return list(found.values())


def fullest(title: str) -> list[HexView]:
    """Each tile once in each rotation, where the longest name stands, and each hex as printed."""
    game = _game(title)
    printed = game.table.map
    coords = _longest_named(printed)
    last = {
        turned: (n, at) for n, board in enumerate(_laid(printed, coords)) for at, turned in _on(board, coords)
    }
    found = _different(map_view(game).hexes)
    for number, board in enumerate(_laid(printed, coords)):
        game.table.map, marked = board, marks(game.table)
        looks = [at for at, turned in _on(board, coords) if last[turned] == (number, at)]
        found += [hex_view(game.table, at, marked.get(at, ())) for at in looks]
    return found


def _on(board: Map, coords: Iterable[Coord]) -> Iterator[tuple[Coord, Turned]]:
    laid = ((coord, board.tile(coord)) for coord in coords)
    return ((coord, (tile, board.rotation(coord))) for coord, tile in laid if tile is not None)


def _longest_named(printed: Map) -> list[Coord]:
    """The longest-named of all hexes that can take the same tiles; the longest of all comes last."""
    by_name = sorted(printed.coords, key=lambda coord: len(printed.hexes[coord].name))
    last = {_taking(printed, coord): coord for coord in by_name}
    return [coord for coord in by_name if last[_taking(printed, coord)] == coord]


def _taking(printed: Map, coord: Coord) -> object:
    """All that decides which tiles can come to lie in a hex."""
    one = printed.hexes[coord]
    homes = sorted(stop for at, stop in printed.homes.values() if at == coord)
    asked = (one.colour, one.allowed_tiles, one.label, one.label_from, one.opens)
    return asked, printed.topology(coord), printed.usable_edges(coord), tuple(homes)


def boards(title: str) -> Iterator[MapView]:
    """Maps that show between them every hex with every tile that can come to lie there."""
    game = _game(title)
    printed = game.table.map
    yield map_view(game)
    for board in _laid(printed, printed.coords):
        game.table.map = board
        yield map_view(game)


def _game(title: str) -> Game:
    return Game(title, PLAYERS, 1)


def _laid(printed: Map, coords: Iterable[Coord]) -> Iterator[Map]:
    """In all these hexes at once, one after the other, what can come to lie there."""
    found = {coord: _following(printed, coord) for coord in coords}
    number = 0
    while tiles := {coord: turned[number] for coord, turned in found.items() if number < len(turned)}:
        board = Map.restore(printed.spec, MapChanges(tiles, [], dict(printed.homes), {}))
        for coord in tiles:
            found[coord] += [turned for turned in _following(board, coord) if turned not in found[coord]]
        yield board
        number += 1


def _following(board: Map, coord: Coord) -> list[Turned]:
    """Tiles, turned, that can follow what lies in a hex; what lies in others does not matter."""
    return [
        (tile, turn) for tile in possible_upgrades(board, coord) for turn in rotations(board, coord, tile)
    ]


TITLE_NAMES = tuple(TITLES)
