"""18NewEngland: what a route is, express trains, and what a company reaches (rulebook 11.1, 11.5)."""

from typing import Any

import pytest

from engine.core.events import TrainsRan
from engine.play.steps.run_trains import best_run
from engine.tell.view_builders import map_view
from tests.titles.builders import TitleGame
from tests.titles.t18newengland.newengland import NewEngland
from tests.titles.t18newengland.newengland_map import SITE, late, major, minor, position

QUINCY = "2:L7.a-b"
"""Between Quincy's town and its city."""


def running(built: NewEngland, company: str, *trains: str) -> TitleGame:
    return built.trains(company, *trains).operating(company, "run").game()


def run(game: TitleGame, company: str, *routes: str) -> int:
    (ran,) = (e for e in game.do("run_routes", company, routes=routes) if isinstance(e, TrainsRan))
    return ran.revenue


def test_quincys_city_and_town_are_two_stops() -> None:
    """R-NE-086, R-NE-087, worked example 19 (11.1, 11.5): they are joined inside the hex, by track that
    serves one train."""
    game = running(minor(position(), "GR", 50, "a"), "GR", "2")
    assert best_run(game.table).revenue == 40
    assert best_run(game.table).routes == (QUINCY,)
    assert run(game, "GR", QUINCY) == 40
    game = running(minor(position(), "GR", 50, "a"), "GR", "2", "2")
    assert "track" in game.refused("11.5", "run_routes", "GR", routes=(QUINCY, QUINCY))
    assert best_run(game.table).revenue == 40


@pytest.mark.parametrize(("train", "earned"), [("2", 30 + 10), ("3", 30 + 10 + 20)])
def test_typed_route_continues_in_lowell(train: str, earned: int) -> None:
    """R-NE-086 (11.1): the town there is joined to the city inside the hex."""
    game = running(minor(position(), "BL", 50, "a"), "BL", train)
    assert run(game, "BL", *game.read_routes("L5-K4")) == earned


def new_haven(**facts: Any) -> NewEngland:
    """New Haven's city of the NYNH leads by Bridgeport and Waterbury into that of the HNH, and on to Middletown."""
    built = position(**facts).phase("3").tile("F13", "X3", 0)
    return built.tile("E14", "3", 3).tile("E12", "15", 5).tile("F11", "4", 0)


def test_two_cities_of_a_hex_share_no_route() -> None:
    """R-NE-086, D-NE-8 (11.1): in both profiles."""
    loop = "4:F13.a-1 E14.4-a E14.a-3 E12.0-a E12.a-5 F13.2-b"
    for facts in ({}, SITE):
        game = running(minor(new_haven(**facts), "NYNH", 50, "a"), "NYNH", "4")
        assert "F13" in game.refused("11.1", "run_routes", "NYNH", routes=(loop,))
        assert best_run(game.table).revenue == 40 + 10 + 30
        assert run(game, "NYNH", loop.rpartition(" E12.a")[0]) == 80


@pytest.mark.parametrize(("facts", "reached"), [({}, False), (SITE, True)])
def test_lays_and_tokens_need_such_a_route_too(facts: dict[str, Any], reached: bool) -> None:
    """R-NE-075, R-NE-085a, D-NE-18 (11.1, 11.4): beyond the hex's second city nothing is reached, but on that
    site."""
    game = minor(new_haven(**facts), "NYNH", 50, "a").operating("NYNH").game()
    assert ("F9" in game.values("lay_tile", "NYNH", "hex")) is reached
    if not reached:
        game.refused("11.3", "lay_tile", "NYNH", hex="F9", tile="9", rotation=0)
    built = new_haven(**facts).tile("F9", "9", 0).tile("F7", "9", 0).tile("F5", "8", 0).tile("E4", "6", 3)
    built.state.companies["NYNH"].closed = True
    built.t.map.remove_company("NYNH")
    game = major(built, "NYC", 100, ("F13", 0), a=60).operating("NYC", "token").game()
    assert ("E4" in game.values("place_token", "NYC", "hex")) is reached
    if not reached:
        game.refused("11.4", "place_token", "NYC", hex="E4", city=0)


def pittsfield(built: NewEngland) -> NewEngland:
    return built.phase("3").tile("E4", "15", 0).tile("D3", "7", 4)


def test_red_areas_and_full_cities_end_a_route() -> None:
    """R-NE-085, R-NE-087 (11.1, 11.5): two trains may run into one red area, none passes it. A full city is
    the last stop; a space kept for a minor does not fill it."""
    built = major(pittsfield(position()), "NYC", 100, ("E4", 0), a=60)
    game = running(built, "NYC", "2", "2")
    straight, round_ = "2:E4.a-3 E2.0-a", "2:E4.a-2 D3.5-4 E2.1-a"
    assert best_run(game.table).revenue == 2 * (30 + 40)
    game.refused("11.5", "run_routes", "NYC", routes=(straight, straight))
    assert run(game, "NYC", straight, round_) == 140
    game = running(major(pittsfield(position()), "NYC", 100, ("E4", 0), a=60), "NYC", "3")
    game.refused("11.1", "run_routes", "NYC", routes=("3:E4.a-3 E2.0-a E2.a-1 D3.4-5 E4.2-a",))
    built = minor(position().phase("3").tile("F11", "4", 0).tile("F13", "X3", 0), "HNH", 50, "a")
    built.tile("E12", "15", 5)
    through = "3:F11.a-0 F13.3-b F13.b-2 E12.5-a"
    game = running(built, "HNH", "3")
    assert run(game, "HNH", through) == 80
    built = position().phase("3").tile("F11", "4", 0).tile("F13", "X3", 0).tile("E12", "15", 5)
    game = running(major(built, "NYC", 100, ("E12", 0), a=60), "NYC", "3")
    assert best_run(game.table).revenue == 80
    built = position().phase("3").tile("F11", "4", 0).tile("F13", "X3", 0).tile("E12", "15", 5)
    game = running(major(minor(built, "HNH", 50, "b"), "NYC", 100, ("E12", 0), a=60), "NYC", "3")
    game.refused("11.1", "run_routes", "NYC", routes=("3:E12.a-5 F13.2-b F13.b-3 F11.0-a",))
    assert best_run(game.table).revenue == 70


def test_best_run_may_be_required() -> None:
    """R-NE-090, D-NE-20 (11.5): by an option; else less may be run."""
    game = running(minor(position(options=["best_run_required"]), "GR", 50, "a"), "GR", "2")
    assert "$40" in game.refused("11.5", "run_routes", "GR", routes=())
    assert run(game, "GR", QUINCY) == 40
    assert run(running(minor(position(), "GR", 50, "a"), "GR", "2"), "GR") == 0


def albany(*trains: str, phase: str = "8") -> TitleGame:
    """The Boston & Albany of a recorded game, late: stations in New York, Albany and Fitchburg."""
    built = major(late(position(), phase), "B&A", 160, ("B19", 0), ("B3", 0), ("J3", 0), a=60)
    return running(built, "B&A", *trains)


def hartford(*trains: str, phase: str = "8") -> TitleGame:
    """The New Haven of that game: stations in Burlington, New Haven and Hartford."""
    built = major(late(position(), phase), "NYNHH", 200, ("E2", 0), ("F13", 0), ("G10", 0), a=60)
    return running(built, "NYNHH", *trains)


def test_express_trains_run_as_one() -> None:
    """R-NE-088, R-NE-089, worked example 17 (11.5): 5E and 8E count five stops, twice; towns are passed by."""
    game = albany("5E", "8E")
    found = best_run(game.table)
    assert (found.revenue, found.is_proven) == (680, True)
    (only,) = found.runs
    stops = [coord for (coord, _), value in zip(only.stops, only.values, strict=True) if value]
    assert stops in (["L1", "L5", "H13", "E4", "B19"], ["B19", "E4", "H13", "L5", "L1"])
    assert only.route.train == "5E"
    assert game.find("run_routes", "B&A").suggest()[0].chosen["routes"] == found.routes
    (drawn,) = map_view(game, found.routes).runs
    assert (drawn.train, drawn.revenue, drawn.sum_text.count("+")) == ("5E+8E", 680, 4)
    ran = next(e for e in game.do("run_routes", "B&A", routes=found.routes) if isinstance(e, TrainsRan))
    assert (ran.revenue, ran.runs[0][0]) == (680, "5E+8E")


def test_best_towns_count_with_room_left() -> None:
    """R-NE-088 (11.5): an 8E over the same track stops at three towns more; six cities are too many for a
    5E."""
    game = albany("8E")
    five = best_run(albany("5E", "8E").table).routes[0].replace("5E:", "8E:")
    assert run(game, "B&A", five) == 340 + 30
    whole = best_run(hartford("8E", "8E").table).routes[0]
    hartford("5E").refused("11.5", "run_routes", "NYNHH", routes=(whole.replace("8E:", "5E:"),))


def test_only_express_trains_run_together() -> None:
    """R-NE-089, worked example 18 (11.5): three 5E earn threefold; one is alone with two 3-trains. A joined
    train is not run alone, and others share no track with it."""
    (alone,) = best_run(hartford("5E", phase="5").table).runs
    three = best_run(hartford("5E", "5E", "5E", phase="5").table)
    assert (three.revenue, three.is_proven) == (3 * alone.value, True)
    found = best_run(hartford("5E", "3", "3", phase="5").table)
    assert found.is_proven
    assert sorted(run.route.train for run in found.runs) == ["3", "3", "5E"]
    assert max(run.value for run in found.runs) <= alone.value < found.revenue
    game = albany("5E", "8E")
    five = best_run(game.table).routes[0]
    assert "8E" in game.refused("11.5", "run_routes", "B&A", routes=(five.replace("5E:", "8E:"),))
    game = hartford("5E", "8E", "3", phase="5")
    found = best_run(game.table)
    assert sorted(run.route.train for run in found.runs) == ["3", "5E"]
    assert found.revenue > best_run(hartford("5E", "8E", phase="5").table).revenue
    express = "5E:F13.a-3 F11.0-a F11.a-4 G10.1-a"
    game.refused("11.5", "run_routes", "NYNHH", routes=(express, express.replace("5E:", "3:")))
