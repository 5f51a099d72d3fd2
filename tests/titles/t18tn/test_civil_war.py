"""18TN: the Civil War (rulebook 5.1)."""

import pytest

from engine.core.events import RevenueLost
from engine.play.steps.run_trains import best_run
from engine.titles.t18tn.rules import CIVIL_WAR_MARKER
from tests.titles.builders import TitleGame
from tests.titles.t18tn.tennessee import EAST, NORTH, bristol_lines, position


def marked(game: TitleGame) -> set[str]:
    return {c.id for c in game.table.state.companies.values() if CIVIL_WAR_MARKER in c.markers}


def at_war(*trains: str) -> TitleGame:
    """SR, marked, with two lines to Bristol at $90 each, about to run these trains."""
    built = bristol_lines(position().phase("3½").start("SR", 90, a=60).trains("SR", *trains))
    built.state.companies["SR"].markers[CIVIL_WAR_MARKER] = ""
    return built.cash(a=0).treasury("SR", 500).operating("SR", "run").game()


def test_fourth_3_marks_companies_with_a_route() -> None:
    """R-TN-190, R-TN-191, D-TN-11, worked example 18 (5.1): the buyer too."""
    for profile, expected in (("rulebook", {"SR", "L&N"}), ("18xx.games", {"SR", "L&N", "IC"})):
        built = position(profile=profile).phase("3").depot(t3=2).start("SR", 90, a=60)
        built.start("IC", 90, b=60).trains("IC", "2").start("L&N", 80, c=20).trains("L&N", "2")
        built.start("TC", 70, b=60)
        built.operated("IC", "L&N", "TC").tile("B15", "9", 1)
        game = bristol_lines(built).tile("B17", "57", 1).operating("SR", "trains").game()
        assert marked(game) == set()
        game.buy("SR", "3", 180)
        assert game.table.state.phase == "3½"
        assert marked(game) == expected


@pytest.mark.parametrize(
    ("trains", "runs", "paid"),
    [
        (["2", "2", "3"], [110, 40, 80], 190),
        (["2", "2"], [60, 60], 60),
        (["2", "2"], [110], 110),
        (["2", "2", "3", "3"], [60, 70, 70], 200),
    ],
)
def test_lowest_run_is_lost(trains: list[str], runs: list[int], paid: int) -> None:
    """R-TN-192, R-TN-194, worked examples 14, 15 and 16 (5.1): an idle train is the one that is lost."""
    t = at_war(*trains).table
    assert t.rules.revenue(t, runs) == paid


def test_marked_company_pays_for_one_train() -> None:
    """R-TN-192, R-TN-193, R-TN-194, R-TN-195, R-TN-196, D-TN-17, worked example 17 (5.1): the best run leaves
    a train idle; afterwards the marker is gone. With one train the price stays; without, it falls."""
    game = at_war("2", "2")
    found = best_run(game.table)
    assert (len(found.runs), found.revenue, found.is_proven) == (1, 90, True)
    game.do("run_routes", "SR", routes=(EAST, NORTH))
    assert game.table.turn.revenue == 90
    game.do("dividend", "SR", option="pay")
    assert (game.price("SR"), game.company("SR").cash, game.cash()["a"]) == (100, 500, 54)
    assert marked(game) == set()
    game = at_war("2")
    assert RevenueLost("SR", 90, CIVIL_WAR_MARKER) in game.do("run_routes", "SR", routes=(EAST,))
    assert (game.price("SR"), game.company("SR").cash, game.cash()["a"]) == (90, 500, 0)
    assert (marked(game), at_war().price("SR"), marked(at_war())) == (set(), 80, set())
    assert "buy_train" in game.kinds()


def test_company_without_route_is_not_marked() -> None:
    """R-TN-191, worked example 18 (5.1)."""
    for profile, after in (("rulebook", 100), ("18xx.games", 90)):
        built = position(profile=profile).phase("3").depot(t3=2).start("TC", 90, b=60).start("SR", 90, a=60)
        game = built.trains("SR", "2").operated("SR").operating("TC", "trains", operated=[]).game()
        game.buy("TC", "3", 180)
        t = game.table
        for coord, tile, turn in (("F17", "5", 3), ("F19", "9", 1), ("F21", "8", 1)):
            t.map.lay(coord, tile, turn)
        while t.operating_round.turn is None or t.turn.company != "SR":
            game.passes("TC")
        while game.kinds() != ["run_routes"]:
            game.passes("SR")
        game.do("run_routes", "SR", routes=(EAST,))
        if profile == "rulebook":
            game.do("dividend", "SR", option="pay")
        assert game.price("SR") == after
