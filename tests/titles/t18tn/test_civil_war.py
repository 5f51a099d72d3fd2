"""18TN: the Civil War (rulebook 5.1)."""

from engine.core.events import IncomeLost
from engine.game import Game
from engine.play.steps.run_trains import best_run
from engine.titles.t18tn.rules import CIVIL_WAR
from tests.titles.builders import company, do, kinds, passes
from tests.titles.t18tn.tennessee import EAST, NORTH, bristol_lines, position


def price(game: Game, name: str) -> int:
    """Present share price."""
    return game.table.price(company(game, name))


def marked(game: Game) -> set[str]:
    """Companies that carry the marker."""
    return {c.id for c in game.table.state.companies.values() if CIVIL_WAR in c.markers}


def at_war(*trains: str) -> Game:
    """SR, marked, with two lines to Bristol at $90 each, about to run these trains."""
    built = bristol_lines(position().phase("3½").start("SR", 90, a=60).trains("SR", *trains))
    built.state.companies["SR"].markers[CIVIL_WAR] = ""
    return built.cash(a=0).treasury("SR", 500).operating("SR", "run").game()


def test_the_fourth_3_train_marks_companies_with_a_train_and_a_route() -> None:
    """R-TN-190, R-TN-191, D-TN-11, worked example 18 (5.1): the buyer too."""
    for profile, expected in (("rulebook", {"SR", "L&N"}), ("18xx.games", {"SR", "L&N", "IC"})):
        built = position(profile=profile).phase("3").depot(t3=2).start("SR", 90, a=60)
        built.start("IC", 90, b=60).trains("IC", "2").start("L&N", 80, c=20).trains("L&N", "2")
        built.start("TC", 70, b=60)
        built.operated("IC", "L&N", "TC").tile("B15", "9", 1)
        game = bristol_lines(built).tile("B17", "57", 1).operating("SR", "trains").game()
        assert marked(game) == set()
        do(game, "buy_train", "SR", train="3", source="bank", trade_in="", price=180)
        assert game.table.state.phase == "3½"
        assert marked(game) == expected


def test_with_three_trains_the_lowest_run_is_lost() -> None:
    """R-TN-192, R-TN-194, worked examples 14 and 15 (5.1)."""
    t = at_war("2", "2", "3").table
    assert t.rules.revenue(t, [110, 40, 80]) == 190
    t = at_war("2", "2").table
    assert t.rules.revenue(t, [60, 60]) == 60


def test_an_idle_train_is_the_one_that_is_lost() -> None:
    """R-TN-192, worked example 16 (5.1)."""
    t = at_war("2", "2").table
    assert t.rules.revenue(t, [110]) == 110
    t = at_war("2", "2", "3", "3").table
    assert t.rules.revenue(t, [60, 70, 70]) == 200


def test_a_marked_company_with_two_trains_pays_for_one_and_its_price_moves() -> None:
    """R-TN-192, R-TN-194 (5.1): afterwards the marker is gone."""
    game = at_war("2", "2")
    do(game, "run_routes", "SR", routes=(EAST, NORTH))
    assert game.table.turn.revenue == 90
    do(game, "dividend", "SR", option="pay")
    assert (price(game, "SR"), company(game, "SR").cash) == (100, 500)
    assert game.table.state.player("a").cash == 54
    assert marked(game) == set()


def test_the_best_run_offered_leaves_a_train_idle() -> None:
    """R-TN-192, D-TN-17 (5.1): what is proposed is what pays most."""
    found = best_run(at_war("2", "2").table)
    assert (len(found.runs), found.revenue, found.proven) == (1, 90, True)


def test_a_marked_company_with_one_train_earns_nothing_and_keeps_its_price() -> None:
    """R-TN-193, R-TN-196, worked example 17 (5.1)."""
    game = at_war("2")
    events = do(game, "run_routes", "SR", routes=(EAST,))
    assert IncomeLost("SR", 90, CIVIL_WAR) in events
    assert (price(game, "SR"), company(game, "SR").cash) == (90, 500)
    assert game.table.state.player("a").cash == 0
    assert marked(game) == set()
    assert "buy_train" in kinds(game)


def test_a_marked_company_without_a_train_falls_like_any_that_does_not_run() -> None:
    """R-TN-195 (5.1)"""
    game = at_war()
    assert price(game, "SR") == 80
    assert marked(game) == set()


def test_without_a_route_at_the_outbreak_the_next_run_is_whole() -> None:
    """R-TN-191, worked example 18 (5.1)."""
    for profile, after in (("rulebook", 100), ("18xx.games", 90)):
        built = position(profile=profile).phase("3").depot(t3=2).start("TC", 90, b=60).start("SR", 90, a=60)
        game = built.trains("SR", "2").operated("SR").operating("TC", "trains", operated=[]).game()
        do(game, "buy_train", "TC", train="3", source="bank", trade_in="", price=180)
        t = game.table
        for coord, tile, turn in (("F17", "5", 3), ("F19", "9", 1), ("F21", "8", 1)):
            t.map.lay(coord, tile, turn)
        while t.operating.turn is None or t.turn.company != "SR":
            passes(game, "TC")
        while kinds(game) != ["run_routes"]:
            passes(game, "SR")
        do(game, "run_routes", "SR", routes=(EAST,))
        if profile == "rulebook":
            do(game, "dividend", "SR", option="pay")
        assert price(game, "SR") == after
