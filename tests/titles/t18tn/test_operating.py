"""18TN: tiles, runs, dividends, trains and privates of a company's turn (rulebook 4)."""

import pytest

from engine.board import upgrades
from engine.core.events import CompensationPaid
from engine.play.steps.run_trains import best_run
from tests.titles.builders import Position, TitleGame
from tests.titles.t18tn.tennessee import EAST, NORTH, bristol_lines, position


def test_two_yellow_tiles_are_laid_in_a_turn() -> None:
    """R-TN-110, worked example 9 (4.2(b))."""
    game = position().start("IC", 80, a=60).operating("IC").game()
    game.lay("IC", "D7", "57", 2)
    assert game.company("IC").cash == 760
    game.lay("IC", "C6", "8", 5)
    assert game.company("IC").cash == 760
    assert "lay_tile" not in game.kinds()


@pytest.mark.parametrize(("profile", "legal"), [("rulebook", True), ("18xx.games", False)])
def test_new_track_is_reached_in_18tn(profile: str, legal: bool) -> None:
    """R-TN-115, D-TN-22 (4.2.1(j)): the way to the new curve in D13 has used the side to which it leads."""
    built = position(profile=profile).start("SR", 80, a=60).phase("6").operating("SR")
    built.tile("F17", "63").tile("F15", "24", 1).tile("F13", "146", 3).tile("E14", "16").tile("D13", "24", 5)
    built.tile("C12", "43", 3).tile("D11", "145").tile("C14", "46", 1).tile("B15", "7")
    assert ("42" in built.game().values("lay_tile", "SR", "tile", hex="D13")) is legal


def test_upgrade_is_the_whole_tile_step() -> None:
    """R-TN-110, R-TN-112, worked example 9 (4.2(b), Table I): printed yellow counts as yellow; its colour
    must have come."""
    built = position().phase("3").start("GMO", 80, a=60).owns("GMO", "TCC").operating("GMO")
    game = built.game()
    game.lay("GMO", "G6", game.tiles_in("GMO", "G6")[0])
    why = game.refused("4.2.1", "lay_tile", "GMO", hex="H7", tile="57", rotation=2)
    assert "has upgraded a tile this turn" in why
    game = position().phase("3").start("GMO", 80, a=60).operating("GMO").game()
    game.lay("GMO", "H7", "57", 2)
    why = game.refused("4.2.1", "lay_tile", "GMO", hex="G6", tile="14", rotation=0)
    assert "A tile in G6 would be an upgrade" in why
    game = position().start("GMO", 80, a=60).operating("GMO").game()
    refusal = game.refused("Table I", "lay_tile", "GMO", hex="G6", tile="14", rotation=0)
    assert "The next tile in G6 is green; phase 2 allows only yellow" in refusal


def test_first_turn_may_have_three_yellow_tiles() -> None:
    for first, lays in ((True, 3), (False, 2)):
        built = position(options=["triple_yellow_first_or"]).start("SR", 90, a=60)
        game = built.operating("SR", first=first).game()
        for number in range(lays):
            assert game.offered("lay_tile", "SR"), number
            place = ("F17", "F19", "F21")[number]
            tile, turn = (("57", 1), ("9", 1), ("8", 1))[number]
            game.do("lay_tile", "SR", hex=place, tile=tile, rotation=turn)
        assert not game.offered("lay_tile", "SR")


def test_tile_of_a_private_is_free_and_extra() -> None:
    """R-TN-111, R-TN-182, worked example 10 (Table III), D-TN-1: and needs no connection; players block nothing."""
    built = position().start("SR", 90, a=60).owns("SR", "ETWCR").owns("b", "OWR").tile("F17", "57", 1)
    game = built.operating("SR").game()
    game.lay("ETWCR", "F19", "9", 1)
    assert game.company("SR").cash == 900
    game.lay("SR", "F15", "9", 1)
    game.lay("SR", "F21", "8", 1)
    assert game.company("SR").cash == 900 - 60 - 120
    assert not game.table.state.privates["ETWCR"].closed
    built = position().start("SR", 90, a=60).owns("SR", "ETWCR").tile("F17", "57", 1).tile("F19", "9", 1)
    assert not built.operating("SR").game().offered("lay_tile", "ETWCR")
    built = position().start("SR", 90, a=60).owns("b", "ETWCR").tile("F17", "57", 1)
    built.operating("SR").game().lay("SR", "F19", "9", 1)
    game = position().start("GMO", 90, a=60).owns("GMO", "MCR", "TCC").operating("GMO").game()
    assert game.values("lay_tile", "MCR", "hex") == ["H3"]
    assert game.tiles_in("MCR", "H3") == ["5", "6", "57"]
    game.lay("TCC", "H17", "9", 0)
    game.refused("4.2.1", "lay_tile", "GMO", hex="I16", tile="9", rotation=0)


def test_three_cities_share_two_brown_tiles() -> None:
    """R-TN-117, worked example 23 (4.2.1(g), Table IV): and have their own green ones."""
    built = position().phase("8").tile("F11", "57", 0).tile("F11", "TN2", 0).tile("F11", "170", 3)
    built.tile("H15", "TN1", 0).tile("H15", "170", 1).tile("H3", "57", 1).tile("H3", "15", 1)
    t = built.game().table
    assert t.map.supply["170"] == 0
    assert upgrades.upgrade_candidates(t.map, "H3", t.phase.tile_colours) == ()
    assert upgrades.upgrade_candidates(t.map, "F11", t.phase.tile_colours) == ("TN3",)
    t.map.lay("F11", "TN3", 0)
    assert upgrades.upgrade_candidates(t.map, "H3", t.phase.tile_colours) == ("170",)
    assert upgrades.upgrade_candidates(t.map, "H15", t.phase.tile_colours) == ()
    t = position().phase("3").tile("H3", "57", 1).tile("F11", "57", 0).tile("G12", "57", 0).game().table
    assert upgrades.upgrade_candidates(t.map, "H3", t.phase.tile_colours) == ("14", "15", "619")
    assert upgrades.upgrade_candidates(t.map, "F11", t.phase.tile_colours) == ("TN2",)
    assert upgrades.upgrade_candidates(t.map, "H15", t.phase.tile_colours) == ("TN1",)
    t = position().phase("5").tile("G12", "57", 0).tile("G12", "14", 0).game().table
    assert "63" in upgrades.upgrade_candidates(t.map, "G12", {"brown"})


def memphis(*, green: bool = False, train: str = "3") -> TitleGame:
    """GMO with a token in Memphis, and track from Dyersburg over Memphis to Little Rock."""
    built = position().phase("3").start("GMO", 90, a=60).trains("GMO", train)
    built.tile("F5", "58", 0).tile("G4", "9", 0).tile("H3", "6", 1)
    if green:
        built.tile("H3", "15", 1)
    return built.token("GMO", "H3").operating("GMO", "run").game()


def test_runs_of_18tn() -> None:
    """R-TN-007, R-TN-140, R-TN-141, R-TN-150, worked examples 11, 12, 13 (4.2.3, 4.2.3(i), 4.2.3.1, 4.2.4):
    towns count as stops; two trains may have the same ends; Bristol is worth less from the first 5 on."""
    route = "F5.a-0 G4.3-0 H3.3-a H3.a-1 H1.4-a"
    for green, revenue in ((False, 50), (True, 60)):
        game = memphis(green=green)
        game.do("run_routes", "GMO", routes=(f"3:{route}",))
        assert game.table.turn.revenue == revenue
    memphis(train="2").refused("4.2.3", "run_routes", "GMO", routes=(f"2:{route}",))
    built = position().phase("3").start("SR", 90, a=60, b=10, c=10, market=10).trains("SR", "2", "2")
    game = bristol_lines(built).cash(a=0, b=0, c=0).treasury("SR", 0).operating("SR", "run").game()
    game.do("run_routes", "SR", routes=(EAST, NORTH))
    assert game.table.turn.revenue == 180
    game.do("dividend", "SR", option="pay")
    assert game.cash() == {"a": 108, "b": 18, "c": 18}
    assert game.company("SR").cash == 18
    assert game.price("SR") == 100
    built = position().phase("4").depot(t4=0).start("SR", 90, a=60).trains("SR", "4")
    game = bristol_lines(built).operating("SR", "run").game()
    assert best_run(game.table).revenue == 90
    game.do("run_routes", "SR", routes=("4" + EAST[1:],))
    game.do("dividend", "SR", option="pay")
    game.buy("SR", "5", 450)
    assert game.table.state.phase == "5"
    later = bristol_lines(position().phase("5").start("SR", 90, a=60).trains("SR", "4"))
    game = later.operating("SR", "run").game()
    assert best_run(game.table).revenue == 70


def test_4_trains_run_once_more() -> None:
    """R-TN-163, R-TN-164, D-TN-9, worked example 22 (4.2.5.1): nobody buys one; it leaves after the
    dividend."""
    for profile, counts in (("rulebook", True), ("18xx.games", False)):
        built = position(profile=profile).phase("6").start("SR", 90, a=60).trains("SR", "4")
        built.treasury("SR", 2000).start("TC", 90, b=60).trains("TC", "4", "5").pool("4")
        game = bristol_lines(built).operating("SR", "trains").game()
        game.buy("SR", "6", 600)
        assert game.table.state.phase == "6½"
        assert (game.company("SR").trains, game.company("SR").obsolete) == (["6"], ["4"])
        assert (game.company("TC").trains, game.company("TC").obsolete) == (["5"], ["4"])
        assert game.table.state.pool == []
        assert game.offered("buy_train", "SR") is not counts
    built = bristol_lines(position().phase("6½").start("SR", 90, a=60).trains("SR", "6"))
    built.state.companies["SR"].obsolete.append("4")
    game = built.operating("SR", "run").game()
    game.do("run_routes", "SR", routes=("4" + EAST[1:], "6" + NORTH[1:]))
    assert game.table.turn.revenue == 140
    game.do("dividend", "SR", option="pay")
    assert (game.company("SR").trains, game.company("SR").obsolete) == (["6"], [])
    built = position().phase("6½").start("SR", 90, a=60).start("TC", 90, b=60).trains("TC", "6")
    built.state.companies["TC"].obsolete.append("4")
    deals = built.operating("SR", "trains").game().train_deals("SR")
    assert {(train, source) for train, source, *_ in deals} == {("8", "bank"), ("6", "TC")}


def test_salvage_option_pays_for_3_trains() -> None:
    """R-TN-302 (8(c)): $50 for each."""
    for options, paid in (([], 0), (["salvage_3"], 100)):
        built = position(options=options).phase("5").depot(t5=0).start("SR", 90, a=60).start("TC", 90, b=60)
        built.trains("TC", "3", "3").treasury("SR", 600).treasury("TC", 10)
        game = built.operating("SR", "trains").game()
        happened = game.buy("SR", "6", 600)
        wanted = [CompensationPaid("TC", "3", 100)] if paid else []
        assert [e for e in happened if isinstance(e, CompensationPaid)] == wanted
        assert game.company("TC").trains == []
        assert game.company("TC").cash == 10 + paid


def forced(profile: str = "rulebook") -> Position:
    """SR must buy: a route, no train, $157; its president a has $316 and shares of TC and GMO."""
    built = position(profile=profile).phase("8").start("SR", 90, a=60)
    built.start("TC", 70, at=(3, 7), b=40, a=20).start("GMO", 70, at=(3, 5), b=40, a=20, c=20)
    return bristol_lines(built).treasury("SR", 157).cash(a=316)


def test_president_adds_what_is_missing() -> None:
    """R-TN-170, R-TN-171, R-TN-172, R-TN-173, R-TN-212, R-TN-213, D-TN-8, worked example 21 (4.2.5.2, 6(c)):
    for trains of the bank only; bankruptcy follows all allowed sales."""
    game = forced().operating("SR", "trains").game()
    assert set(game.kinds()) == {"sell_shares"}
    game.sell("a", "TC", 2)
    game.sell("a", "GMO", 1)
    assert game.cash()["a"] == 316 + 200 + 80
    assert game.kinds() == ["buy_train"]
    game.buy("SR", "8", 700)
    assert game.cash()["a"] == 53
    assert game.company("SR").cash == 0
    for profile, highest in (("rulebook", 157), ("18xx.games", 473)):
        built = forced(profile).start("IC", 70, c=60).trains("IC", "8")
        game = built.operating("SR", "trains").game()
        deals = {source: high for _, source, _, _, high in game.train_deals("SR")}
        assert deals["IC"] == highest
    built = position().phase("8").start("SR", 65, a=60).start("TC", 70, at=(3, 7), b=40, a=20)
    game = bristol_lines(built).treasury("SR", 0).cash(a=10).operating("SR", "trains").game()
    game.refused("4.2.5", "pass", "SR")
    game.do("declare_bankruptcy", "SR")
    assert game.is_over
    assert game.cash()["a"] == 0
    assert game.company("TC").percent("a") == 0


def test_first_round_sells_privates_at_face() -> None:
    """R-TN-180, worked example 19 (4.2.6): one to each company, one of each player; later in phase 2 none,
    but by an option."""
    built = position().start("SR", 90, a=60).start("TC", 90, b=60)
    game = built.owns("b", "OWR", "TCC").owns("c", "MCR").operating("SR", set=1).game()
    for wrong in (99, 101):
        game.refused("4.2.6, Table III", "buy_private", "SR", private="OWR", price=wrong)
    game.do("buy_private", "SR", private="OWR", price=100)
    game.do("answer", "b", reply="agree")
    assert game.owner("OWR") == "SR"
    game.lay("OWR", "E16", "9", 0)
    assert game.company("SR").cash == 800
    assert not game.offered("buy_private", "SR")
    game.passes("SR", "SR")
    assert game.table.turn.company == "TC"
    assert game.values("buy_private", "TC", "private") == ["MCR"]
    game = position().start("SR", 90, a=60).owns("b", "OWR").operating("SR", set=2).game()
    assert not game.offered("buy_private", "SR")
    built = position(options=["phase2_private_purchase"]).start("SR", 90, a=60).owns("a", "OWR", "MCR")
    game = built.depot(t2=4).operating("SR", set=2).game()
    domain = game.domain("buy_private", "SR", "price", private="MCR")
    assert [price for price in (0, 1, 70, 71) if price in domain] == [1, 70]
    game.do("buy_private", "SR", private="MCR", price=1)
    game.do("buy_private", "SR", private="OWR", price=100)
    before = position(options=["phase2_private_purchase"]).start("SR", 90, a=60).owns("a", "OWR")
    game = before.operating("SR", set=1).game()
    assert game.values("buy_private", "SR", "price", private="OWR") == [100]


@pytest.mark.parametrize(("from_log", "asked"), [(0, False), (10**9, True)])
def test_log_waits_for_a_private_without_hex(from_log: int, asked: bool) -> None:
    built = position(profile="18xx.games", from_log=from_log).phase("3").start("SR", 90, a=60)
    built.owns("a", "ETWCR").tile("F17", "57", 1).tile("F19", "9", 1).trains("SR", "2")
    game = built.operating("SR", laid=["upgrade"]).game()
    assert (game.step_name() == "track") is asked
    free = position(profile="18xx.games", from_log=from_log).phase("3").start("SR", 90, a=60)
    free.owns("a", "ETWCR").tile("F17", "57", 1).trains("SR", "2")
    assert free.operating("SR", laid=["upgrade"]).game().step_name() == "track"


@pytest.mark.parametrize(("profile", "asked"), [("rulebook", True), ("18xx.games", False)])
def test_first_round_purchases_hold_the_turn(profile: str, asked: bool) -> None:
    """R-TN-180, D-TN-2: under the other profile they may be made, but nothing waits for them."""
    built = position(profile=profile).start("SR", 90, a=60).owns("a", "OWR").trains("SR", "2", "2", "2", "2")
    game = built.operating("SR", "trains", set=1).game()
    assert (game.table.state.round.kind == "operating" and game.step_name() == "last_chance") is asked
