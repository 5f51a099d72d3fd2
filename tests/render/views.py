"""Views that several tests of pictures show."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations

from engine.core.ids import CompanyId, Coord, TileId
from engine.game import Game
from engine.tell.view_builders import map_view, market_view, table_view
from engine.tell.views import Badge, CellView, MapView, MarketView, RunView, SpaceView, TableView
from engine.titles import TITLES
from render.scene import Scene, Text
from tests.golden.positions import golden_at
from tests.render.sheets import market
from tests.titles.builders import Position

LAID = {
    "H6": ("X5", 4),
    "H4": ("14", 0),
    "G5": ("8", 0),
    "F4": ("9", 1),
    "G7": ("20", 0),
    "F8": ("X2", 0),
    "J4": ("X3", 0),
    "I5": ("58", 2),
    "K5": ("56", 0),
    "J6": ("57", 1),
}


def board(
    laid: Mapping[Coord, tuple[TileId, int]] | None = None,
    tokens: Sequence[tuple[Coord, int, CompanyId]] = (),
    phase: str = "2",
) -> MapView:
    """18Chesapeake's map with these tiles (hex -> tile, rotation) and tokens; one private closes its hex."""
    place = Position().owns("a", "C&OC")
    if phase != "2":
        place.phase(phase)
    for coord, (tile, rotation) in (laid or {}).items():
        place.tile(coord, tile, rotation)
    for token in tokens:
        place.t.map.place_token(*token)
    return map_view(place.game())


def busy() -> MapView:
    """A board in phase 3 with a fresh tile, a fresh token and a route."""
    view = board(LAID, [("H6", 0, "B&O"), ("H4", 0, "SRR"), ("H4", 0, "B&O")], phase="3")
    run = RunView("3", "40+30", 70, (("H6", 6, 3), ("H4", 0, 6)), (("H6", 0, True), ("H4", 0, True)))
    return replace(view, fresh_hexes=("H4",), fresh_tokens=(("H4", 0, 1),), runs=(run,))


def routes() -> MapView:
    """Many trains: more than there are colours of lines, and two of them in different directions."""
    view = board({"H4": ("57", 0), "H2": ("9", 0), **{coord: LAID[coord] for coord in ("H6", "G5", "F4")}})
    one = RunView("3", "20", 20, (("H4", 6, 3), ("H2", 0, 3)), (("H4", 0, True),))
    other = RunView("2", "20", 20, (("H2", 3, 0), ("H4", 3, 6)), (("H4", 0, True), ("H6", 0, False)))
    more = [
        RunView(str(n), "40", 40, (("H4", 6, 0), ("H6", 3, 6)), (("H4", 0, True), ("H6", 0, True)))
        for n in range(4, 13)
    ]
    to_the_east = RunView("2", "40", 40, (("L2", 0, 6),), (("L2", 0, True),))
    return replace(view, runs=(to_the_east, one, other, *more))


@cache
def late() -> TableView:
    return table_view(golden_at("18chesapeake-bank-4p", 230))


@cache
def early() -> TableView:
    return table_view(golden_at("18tn-bank-3p", 120))


def many() -> TableView:
    """A table with more companies than one picture in large letters has room for."""
    view = late()
    more = [
        replace(view.companies[0], badge=replace(view.companies[0].badge, company=f"N{n}")) for n in range(9)
    ]
    return replace(view, companies=(*view.companies, *more))


def long_row(names: tuple[str, ...] = ("PRR",)) -> MarketView:
    """28 cells; companies in the one of $150, spaces below $10: a minor's and one for later."""
    view = market({})
    taken = SpaceView("taken", "y", Badge("GR", "#09743b"))
    cells = [CellView(10 * price) for price in range(1, 29)]
    cells[0] = replace(cells[0], spaces=(taken, SpaceView("later", "g", phase="3")))
    cells[14] = replace(cells[14], tokens=tuple(Badge(name, "#237333") for name in names))
    return replace(view, rows=(tuple(cells),))


def wide(column: int) -> MarketView:
    """A market of 24 columns, with a company in one of them."""
    view = market({"PRR": (2, 4)})
    rows = [(*row, *[CellView(300 + 10 * c) for c in range(24 - len(row))]) for row in view.rows]
    there = rows[0][column]
    assert there is not None
    rows[0] = (*rows[0][:column], replace(there, tokens=(Badge("LV", "#ff0000"),)), *rows[0][column + 1 :])
    return replace(view, rows=tuple(rows))


def stack(count: int) -> MarketView:
    names = ("PRR", "B&O", "C&O", "LV", "N&W", "SRR", "PLE", "C&A")
    return market(dict.fromkeys(names[:count], (2, 4)))


def coast_to_coast() -> MarketView:
    """Thirty-four markers, most of them on the par prices, eight of them just moved past one another."""
    title = TITLES["18c2c-full"].spec
    at = {name: (i % 6, 6) if i % 3 else (i % 4, 3 + i % 5) for i, name in enumerate(title.companies)}
    moves = [(name, (r + 2, c) if c == 6 else (r, c + 1), (r, c)) for name, (r, c) in list(at.items())[:8]]
    rows = [
        list(row)
        for row in market_view(Game("18c2c-full", [("a", "Ann"), ("b", "Bob"), ("c", "Cy")], 1)).rows
    ]
    for name, (r, c) in at.items():
        cell = rows[r][c]
        assert cell is not None
        rows[r][c] = replace(cell, tokens=(*cell.tokens, Badge(name, title.companies[name].colour)))
    return replace(market({}, moves), rows=tuple(map(tuple, rows)), title=title.name)


def long_table() -> TableView:
    players = [(f"p{i}", f"Featherstonehaugh-Cholmondeley {i}") for i in range(1, 7)]
    return table_view(Game("18chesapeake", players, 1))


def words_of(scene: Scene) -> list[str]:
    return [item.text for placed in scene.sprites for item in placed.sprite.items if isinstance(item, Text)]


def boxes_of(scene: Scene) -> list[tuple[int, int, int, int]]:
    return [(p.left, p.top, p.left + p.sprite.width, p.top + p.sprite.height) for p in scene.sprites]


def apart(boxes: Sequence[tuple[int, int, int, int]]) -> bool:
    return all(
        one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        for one, other in combinations(boxes, 2)
    )
