"""1830: home tokens, track and tokens (4)."""

from engine.core.state import Operating
from tests.titles.builders import TitleGame
from tests.titles.t1830.classic import Classic


def erie_waits() -> Classic:
    """The token of the ERIE waits in E11, which has no track; the NYC reaches the hex."""
    position = Classic().start("ERIE", 100, b=60).start("NYC", 90, a=60).phase("3")
    position.to_albany().operated("ERIE")
    return position


def test_erie_chooses_its_city_with_its_tile() -> None:
    """R-1830-031 (4): nothing else is possible before."""
    game = erie_waits().operating("ERIE").game()
    game.lay("ERIE", "E11", "59")
    assert game.step_name() == "home_choice"
    assert game.table.map.token_stops_of("ERIE") == []
    assert game.company("ERIE").tokens == [0, 40, 100]
    assert "First select the home city of" in game.refused("4", "pass", "ERIE")
    assert game.values("place_token", "ERIE", "city", hex="E11") == [0, 1]
    game.do("place_token", "ERIE", hex="E11", city=1)
    assert game.table.map.token_stops_of("ERIE") == [("E11", 1)]
    assert game.company("ERIE").tokens == [40, 100]


def test_another_company_that_lays_there_chooses() -> None:
    """R-1830-031 (4)"""
    game = erie_waits().operating("NYC").game()
    game.lay("NYC", "E11", "59")
    assert game.on_turn() == "a"
    game.refused("4", "place_token", "NYC", hex="D10", city=0)
    game.do("place_token", "NYC", hex="E11", city=0)
    assert game.table.map.token_stops_of("ERIE") == [("E11", 0)]
    assert game.company("NYC").tokens == [40, 100, 100]


def test_erie_with_track_chooses_at_the_start() -> None:
    """R-1830-031 (4): before anything else in its first turn."""
    position = Classic().start("ERIE", 100, b=60).phase("3").tile("E11", "59")
    position.state.round = Operating(set=2)
    game = position.game()
    assert (game.step_name(), game.on_turn()) == ("home_choice", "b")
    game.do("place_token", "ERIE", hex="E11", city=1)
    assert game.step_name() == "track"
    assert game.table.map.token_stops_of("ERIE") == [("E11", 1)]


def with_track() -> TitleGame:
    """The NYC reaches both cities of E11 over track; the ERIE has not operated."""
    position = Classic().start("NYC", 90, a=60).start("ERIE", 100, b=60).phase("5").to_albany()
    return position.tile("E11", "59", 2).operating("NYC", "token").game()


def test_nobody_takes_a_city_of_e11_before_erie() -> None:
    """R-1830-033 (4): neither of the two."""
    game = with_track()
    assert not game.table.map.has_space_for("E11", 0, "NYC")
    assert not game.table.map.has_space_for("E11", 1, "NYC")
    assert not game.offered("place_token")
    assert game.table.map.has_space_for("E11", 1, "ERIE")
    game.table.map.place_token("E11", 1, "ERIE")
    assert game.table.map.has_space_for("E11", 0, "NYC")


def test_other_slots_beside_a_home_are_open() -> None:
    """R-1830-032, R-1830-033 (4): the NYNH needs the city in the north-east of New York, the other one is free."""
    board = Classic().t.map
    assert board.homes["NYNH"] == ("G19", 0)
    assert board.topology("G19").edges_of(0) == {3}
    assert not board.has_space_for("G19", 0, "PRR")
    assert board.has_space_for("G19", 1, "PRR")
    board.lay("G19", "54", 0)
    assert 3 in board.topology("G19").edges_of(board.homes["NYNH"][1])


def test_an_upgrade_needs_no_new_track_on_a_route() -> None:
    """R-1830-034 (4): the crossing track of tile 20 leads nowhere, but its old track is on a route."""
    game = Classic().start("NYC", 90, a=60).phase("3").to_albany().operating("NYC").game()
    game.lay("NYC", "E17", "20")
    assert not any(game.table.map.topology(coord).pieces for coord in ("D16", "D18", "F16", "F18"))


def test_printed_yellow_pays_terrain_with_green() -> None:
    """R-1830-035 (4)"""
    game = Classic().start("NYNH", 100, a=60).phase("3").operating("NYNH").game()
    game.lay("NYNH", "G19", "54")
    assert game.company("NYNH").cash == 1000 - 80
    assert game.table.map.cost("G19") == 0


def test_tiles_of_two_cities() -> None:
    """R-1830-036 (4): 59 is followed by 64 to 68, each city keeps its track."""
    game = erie_waits().phase("5").tile("E11", "59", 2).operating("NYC").game()
    assert set(game.tiles_in("NYC", "E11")) <= {"64", "65", "66", "67", "68"}
    board = game.table.map
    before = [board.topology("E11").edges_of(city) for city in (0, 1)]
    game.lay("NYC", "E11", game.tiles_in("NYC", "E11")[0])
    after = [board.topology("E11").edges_of(city) for city in (0, 1)]
    assert [sum(old <= new for new in after) for old in before] == [1, 1]


def test_altoona_may_be_passed_by() -> None:
    """R-1830-038 (4): through the city or beside it, over the same edges."""
    topology = Classic().t.map.topology("H12")
    assert len(topology.pieces) == 3
    assert topology.edges == {1, 4}


def test_red_areas() -> None:
    """R-1830-006, D-1830-1 (1): A9 with A11 and I1 with J2 are one place each."""
    board = Classic().t.map
    assert board.visited_place(("I1", 0)) == board.visited_place(("J2", 0))
    assert board.visited_place(("A9", 0)) == board.visited_place(("A11", 0))
    assert board.visited_place(("I1", 0)) != board.visited_place(("A9", 0))
    assert board.topology("F2").stops[0].revenue == (40, 70)
