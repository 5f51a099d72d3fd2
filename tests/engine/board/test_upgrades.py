import pytest

from engine.board.map import Map
from engine.board.upgrades import equivalent_rotation, next_colour, rotations, upgrade_candidates
from engine.core.spec import Colour

from .boards import Hexes, chesapeake, small_map

ALL: tuple[Colour, ...] = ("yellow", "green", "brown", "gray")


@pytest.fixture
def board() -> Map:
    return Map(chesapeake())


@pytest.mark.parametrize(
    ("coord", "tiles"),
    [
        ("G7", ("7", "8", "9")),
        ("E11", ("3", "4", "58")),
        ("K3", ("1", "2", "55", "56", "69")),
        ("F2", ("57",)),
        ("F8", ("X1",)),
        ("H6", ("X3", "X4", "X5")),
        ("A3", ()),
        ("I9", ()),
    ],
)
def test_candidates_of_hexes(board: Map, coord: str, tiles: tuple[str, ...]) -> None:
    assert upgrade_candidates(board, coord, ALL) == tiles


def test_candidates_of_phase_supply_and_town(board: Map) -> None:
    """Towns stay yellow."""
    assert upgrade_candidates(board, "H6", {"yellow"}) == ()
    assert upgrade_candidates(board, "G7", {"green"}) == ()
    board.lay("F2", "57", 2)
    assert upgrade_candidates(board, "F2", ALL) == ("14", "15")
    board.supply["14"] = 0
    assert upgrade_candidates(board, "F2", ALL) == ("15",)
    board.lay("E11", "4", 0)
    assert next_colour(board, "E11") == "green"
    assert upgrade_candidates(board, "E11", ALL) == ()


def test_last_colour(board: Map) -> None:
    for tile, rotation in (("57", 2), ("14", 2), ("611", 2), ("915", 2)):
        board.lay("F2", tile, rotation)
    assert next_colour(board, "F2") is None
    assert upgrade_candidates(board, "F2", ALL) == ()


def test_rotations(board: Map) -> None:
    """Equal ones are one."""
    assert rotations(board, "F2", "57") == (1, 2)
    assert rotations(board, "G7", "9") == (0, 1)
    assert rotations(board, "C5", "57") == (0, 1, 2)
    assert equivalent_rotation(board, "57", 4) == 1
    assert equivalent_rotation(board, "3", 4) == 4
    assert equivalent_rotation(board, "7", 8) == 2


def test_old_track_remains_as_cities_merge(board: Map) -> None:
    """Those with the same label."""
    assert rotations(board, "H6", "X3") == (2,)
    assert rotations(board, "J4", "X4") == (0, 3)
    board.lay("G7", "9", 1)
    for tile in upgrade_candidates(board, "G7", ALL):
        for rotation in rotations(board, "G7", tile):
            plain = {frozenset(p.ends()) for p in board.spec.tiles[tile].topology.turned(rotation).pieces}
            assert frozenset((1, 4)) in plain
    board.lay("H6", "X3", 2)
    assert upgrade_candidates(board, "H6", ALL) == ("X7",)
    assert rotations(board, "H6", "X7") != ()


def test_hex_that_names_its_tiles() -> None:
    tiles = {"Q": {"colour": "yellow", "stops": ["city 20"], "track": "0-a 3-a", "label": "Q"}}
    hexes: Hexes = {
        "A1": {"stops": ["city 0"], "allowed_tiles": ["Q"]},
        "A3": {"stops": ["city 0"]},
        "A5": {"stops": ["city 0"], "label": "Q"},
    }
    board = small_map(hexes, tiles)
    assert upgrade_candidates(board, "A1", ALL) == ("Q",)
    assert upgrade_candidates(board, "A3", ALL) == ("57",)
    assert upgrade_candidates(board, "A5", ALL) == ("Q",)
    assert rotations(board, "A3", "57") == (0,)


def test_printed_stops_that_merge() -> None:
    """A city and a town by the tiles that the hex names; cities without a label never."""
    printed = {"colour": "yellow", "stops": ["city 20", "town 10"], "track": "0-a 1-b"}
    around: Hexes = {coord: {} for coord in ("B6", "A5", "A3", "B2", "C3", "C5")}
    named = small_map({"B4": {**printed, "allowed_tiles": ["14"]}, **around})
    assert upgrade_candidates(named, "B4", ALL) == ("14",)
    assert rotations(named, "B4", "14") == (0,)
    assert upgrade_candidates(small_map({"B4": printed, **around}), "B4", ALL) == ()
    hexes: Hexes = {
        "B2": {"colour": "yellow", "stops": ["city 20", "city 20"], "track": "0-a 1-b"},
        "B4": {},
        "A3": {},
    }
    assert upgrade_candidates(small_map(hexes), "B2", ALL) == ()
