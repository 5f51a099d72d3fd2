import pytest

from engine.board.map import Map

from .boards import chesapeake, small_map


@pytest.fixture
def board() -> Map:
    return Map(chesapeake())


def test_neighbours_and_usable_edges(board: Map) -> None:
    """Not over a blank side, nor over an impassable one."""
    assert board.neighbour("H6", 3) == "H4"
    assert board.neighbour("H4", 5) == "I5"
    assert board.neighbour("A3", 1) is None
    assert {e for e in range(6) if board.may_track_cross("A3", e)} == {5}
    assert board.may_track_cross("B4", 2)
    assert not board.may_track_cross("B4", 1)  # the border of the map
    assert not board.may_track_cross("C3", 2)  # a blank side of Pittsburgh
    board = small_map({"A1": {"impassable": [0]}, "A3": {}})
    assert not board.may_track_cross("A1", 0)
    assert not board.may_track_cross("A3", 3)


def test_tiles_leave_the_supply_and_return(board: Map) -> None:
    """A tile that is missing is not laid."""
    board.lay("G7", "9", 1)
    board.lay("F8", "X1", 4)
    assert board.tile("G7") == "9"
    assert board.rotation("F8") == 4
    assert board.topology("F8").edges == {4, 2}
    assert board.colour("F8") == "yellow"
    assert board.label("F8") == "DC"
    assert board.supply["X1"] == 0
    assert board.supply["9"] is None
    board.lay("C5", "57", 0)
    assert board.supply["57"] == 6
    board.lay("C5", "14", 0)
    assert board.supply["57"] == 7
    assert board.supply["14"] == 4
    with pytest.raises(ValueError, match="no tile X1 left"):
        board.lay("F8", "X1", 4)


def test_terrain_is_due_with_the_first_tile(board: Map) -> None:
    """Also where track is printed."""
    assert board.cost("D2") == 80
    board.lay("D2", "57", 0)
    assert board.cost("D2") == 0
    assert board.cost("H6") == 40
    board.lay("H6", "X3", 1)
    assert board.cost("H6") == 0


def test_tokens_follow_their_city(board: Map) -> None:
    """Turned to keep the print, X4 joins its second city to the edge of Baltimore's first."""
    board.lay("J4", "X4", 3)
    assert board.topology("J4").edges_of(0) == {3, 4}
    board.place_token("H6", 1, "PRR")
    board.lay("H6", "X5", 4)
    home = board.homes["B&O"]
    assert 1 in board.topology("H6").edges_of(home[1])
    [token] = board.token_stops_of("PRR")
    assert 4 in board.topology("H6").edges_of(token[1])
    assert home != token


def test_merged_cities_keep_both_tokens(board: Map) -> None:
    board.place_token("J4", 0, "LV")
    board.lay("J4", "X4", 3)
    board.place_token("J4", 0, "PRR")
    assert board.token_stops_of("LV") == [("J4", 1)]
    board.lay("J4", "X7", 5)
    assert sorted(filter(None, board.slots("J4", 0))) == ["LV", "PRR"]


def test_reserved_home_is_not_free(board: Map) -> None:
    assert board.has_space_for("F2", 0, "PRR")
    assert not board.has_space_for("F2", 0, "LV")
    board.lay("F2", "57", 2)
    board.lay("F2", "14", 2)
    assert board.has_space_for("F2", 0, "LV")
    board.place_token("F2", 0, "LV")
    assert not board.has_space_for("F2", 0, "C&A")
    assert board.has_space_for("F2", 0, "PRR")
    board.place_token("F2", 0, "PRR")
    assert board.slots("F2", 0) == ("LV", "PRR")
    assert "PRR" not in board.homes


def test_full_city_blocks_and_takes_no_token(board: Map) -> None:
    """But for those who have one there."""
    assert not board.blocks_routes_of("J2", 0, "PRR")
    board.place_token("J2", 0, "LV")
    assert board.blocks_routes_of("J2", 0, "PRR")
    assert not board.blocks_routes_of("J2", 0, "LV")
    assert not board.blocks_routes_of("I9", 0, "PRR")
    with pytest.raises(ValueError, match="no vacant space"):
        board.place_token("J2", 0, "PRR")


def test_changes_have_versions(board: Map) -> None:
    first = board.changes_in_play()
    board.lay("G7", "9", 1)
    board.lay("F8", "X1", 4)
    board.place_token("J2", 0, "LV")
    assert board.version == 3
    laid = board.changes_in_play()
    assert laid.tiles == {"G7": ("9", 1), "F8": ("X1", 4)}
    assert laid.tokens == [("J2", 0, ["LV"])]
    assert laid.homes.keys() == first.homes.keys() - {"LV"}
    assert laid.supply == {"X1": 0}  # of tile 9 there are always more
    board.remove_token("J2", 0, "LV")
    assert board.changes_in_play().tokens == []


def test_map_is_restored(board: Map) -> None:
    board.place_token("J2", 0, "PRR")
    board.place_token("H6", 0, "B&O")
    board.lay("C5", "57", 0)
    board.lay("C5", "14", 0)
    board.lay("F8", "X1", 4)
    again = Map.restore(board.spec, board.changes_in_play())
    assert again.changes_in_play() == board.changes_in_play()
    for coord in board.coords:
        assert again.topology(coord) == board.topology(coord)
        assert (again.tile(coord), again.rotation(coord)) == (board.tile(coord), board.rotation(coord))
        for stop in range(len(board.topology(coord).stops)):
            assert again.slots(coord, stop) == board.slots(coord, stop)
    assert (again.homes, again.supply) == (board.homes, board.supply)
