"""18C2C: which tile may become which, and the order of a company's turn."""

import pytest

from engine.board.map import Map
from engine.board.upgrades import rotations, upgrade_candidates
from engine.core.ids import Coord, TileId
from engine.core.spec import Colour
from engine.core.topology import keeps_track
from engine.play.operating_order import operating_order
from tests.titles.builders import Position, turn_steps

COLOURS: tuple[Colour, ...] = ("yellow", "green", "brown", "gray")

CITIES = [
    ("I78", "", ["57", "14", "63", "595"]),
    ("J63", "L", ["57", "14", "125", "596"]),
    ("I70", "P", ["57", "14", "170", "587"]),
    ("P73", "K", ["57", "15", "448", "588"]),
    ("Q70", "B", ["592", "593", "597"]),
    ("K78", "NY", ["54", "62", "124"]),
    ("J57", "Chi", ["590", "591", "131"]),
]
"""A city of each kind, its letter, and tiles that follow one another there."""


def following(board: Map, coord: Coord) -> list[TileId]:
    return [tile for tile in upgrade_candidates(board, coord, COLOURS) if rotations(board, coord, tile)]


def built(coord: Coord, tiles: list[TileId], *options: str) -> list[list[TileId]]:
    board = Position(title="18c2c", options=options).t.map
    found = [following(board, coord)]
    for tile in tiles:
        board.lay(coord, tile, rotations(board, coord, tile)[0])
        found.append(following(board, coord))
    return found


@pytest.mark.parametrize(("coord", "letter", "tiles"), CITIES)
def test_city_can_become_gray(coord: Coord, letter: str, tiles: list[TileId]) -> None:
    """R-C2C-110: its letter says by which tiles."""
    assert Position(title="18c2c").t.map.label(coord) == letter
    possible = built(coord, tiles)
    assert all(tile in before for tile, before in zip(tiles, possible, strict=False))
    assert possible[-1] == []


def test_plain_hexes_and_cities_of_18c2c() -> None:
    """R-C2C-110: there are no towns."""
    board = Position(title="18c2c").t.map
    assert following(board, "L71") == ["7", "8", "9"]
    assert following(board, "L69") == ["5", "6", "57"]
    assert all(stop.kind != "town" for coord in board.coords for stop in board.topology(coord).stops)


@pytest.mark.parametrize("coord", ["D63", "H73", "P73", "U66", "V57", "W66"])
def test_k_city_takes_15(coord: Coord) -> None:
    """R-C2C-115: of the green tiles that fit there it is the one that the brown 448 keeps."""
    board = Position(title="18c2c").t.map
    assert board.label(coord) == "K"
    browns = [board.spec.tiles["448"].topology.turned(turn) for turn in range(6)]
    greens = [board.spec.tiles[green].topology for green in ("14", "15", "619")]
    kept = [any(keeps_track(green, brown) for brown in browns) for green in greens]
    assert kept == [False, True, False]


@pytest.mark.parametrize(("yellow", "green"), [("5", ["585"]), ("6", ["585"]), ("57", [])])
def test_c_city_takes_5_or_6(yellow: TileId, green: list[TileId]) -> None:
    """R-C2C-115: where the kit's overlays make one."""
    board = Position(title="18c2c", options=["overlays"]).t.map
    city = next(coord for coord in board.coords if board.label(coord) == "C")
    assert built(city, [yellow], "overlays")[-1] == green


def test_no_track_leads_off_the_board() -> None:
    """R-C2C-112: Cleveland has exits to K64 and K66 only."""
    board = Position(title="18c2c").t.map
    assert {board.neighbour("J65", edge) for edge in board.usable_edges("J65")} == {"K64", "K66"}
    assert not any(board.neighbour("J67", edge) == "J65" for edge in board.usable_edges("J67"))
    assert all(board.neighbour(c, edge) is not None for c in board.coords for edge in board.usable_edges(c))


def test_turn_and_operating_order_of_18c2c() -> None:
    """R-C2C-090, R-C2C-091: then the upper marker; looked up after each turn."""
    names = [step.name for step in turn_steps(Position(title="18c2c").game())]
    order = ["track", "token", "run", "dividend", "trains"]
    assert [name for name in names if name in order] == order
    position = Position(title="18c2c")
    position.start("PRR", 82, a=60).start("B&O", 82, b=60, at=(1, 5)).start("NYC", 82, c=60, at=(4, 8))
    position.start("ERIE", 90, a=60)
    t = position.t
    assert [company.id for company in operating_order(t)] == ["ERIE", "NYC", "PRR", "B&O"]
    t.move_price(t.state.companies["B&O"], (0, 6))
    assert operating_order(t)[0].id == "B&O"
