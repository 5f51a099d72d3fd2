"""18TN: tiles, runs, dividends, trains and privates of a company's turn (rulebook 4)."""

import pytest

from engine.board import upgrades
from engine.core.offers import Cursor
from engine.game import Game
from engine.play.operating_order import operating_order
from engine.play.steps.run_trains import best_run
from tests.titles.builders import (
    Position,
    buy,
    cash,
    company,
    do,
    find,
    kinds,
    lay,
    offered,
    owner,
    passes,
    price,
    refused,
    sell,
    step,
    tiles_in,
    train_deals,
    values,
)
from tests.titles.t18tn.tennessee import EAST, NORTH, bristol_lines, position


def test_two_yellow_tiles_are_laid_in_a_turn() -> None:
    """R-TN-110, worked example 9 (4.2(b))."""
    game = position().start("IC", 80, a=60).operating("IC").game()
    lay(game, "IC", "D7", "57", 2)
    assert company(game, "IC").cash == 760
    lay(game, "IC", "C6", "8", 5)
    assert company(game, "IC").cash == 760
    assert "lay_tile" not in kinds(game)


@pytest.mark.parametrize(("profile", "legal"), [("rulebook", True), ("18xx.games", False)])
def test_new_track_is_reached_in_18tn(profile: str, legal: bool) -> None:
    """R-TN-115, D-TN-22 (4.2.1(j)): the way to the new curve in D13 has used the side to which it leads."""
    built = position(profile=profile).start("SR", 80, a=60).phase("6").operating("SR")
    built.tile("F17", "63").tile("F15", "24", 1).tile("F13", "146", 3).tile("E14", "16").tile("D13", "24", 5)
    built.tile("C12", "43", 3).tile("D11", "145").tile("C14", "46", 1).tile("B15", "7")
    assert ("42" in values(built.game(), "lay_tile", "SR", "tile", hex="D13")) is legal


def test_upgrade_is_the_whole_tile_step() -> None:
    """R-TN-110, worked example 9 (4.2(b)): printed yellow counts as yellow."""
    built = position().phase("3").start("GMO", 80, a=60).owns("GMO", "TCC").operating("GMO")
    game = built.game()
    lay(game, "GMO", "G6", tiles_in(game, "GMO", "G6")[0])
    why = refused(game, "4.2.1", "lay_tile", "GMO", hex="H7", tile="57", rotation=2)
    assert "has upgraded a tile this turn" in why
    game = position().phase("3").start("GMO", 80, a=60).operating("GMO").game()
    lay(game, "GMO", "H7", "57", 2)
    why = refused(game, "4.2.1", "lay_tile", "GMO", hex="G6", tile="14", rotation=0)
    assert "A tile in G6 would be an upgrade" in why


def test_first_turn_may_have_three_yellow_tiles() -> None:
    for first, lays in ((True, 3), (False, 2)):
        built = position(options=["triple_yellow_first_or"]).start("SR", 90, a=60)
        game = built.operating("SR", first=first).game()
        for number in range(lays):
            assert offered(game, "lay_tile", "SR"), number
            place = ("F17", "F19", "F21")[number]
            tile, turn = (("57", 1), ("9", 1), ("8", 1))[number]
            do(game, "lay_tile", "SR", hex=place, tile=tile, rotation=turn)
        assert not offered(game, "lay_tile", "SR")


def test_tile_of_a_private_is_free_and_extra() -> None:
    """R-TN-111, R-TN-182, worked example 10 (Table III), D-TN-1: and needs no connection; players block nothing."""
    built = position().start("SR", 90, a=60).owns("SR", "ETWCR").owns("b", "OWR").tile("F17", "57", 1)
    game = built.operating("SR").game()
    lay(game, "ETWCR", "F19", "9", 1)
    assert company(game, "SR").cash == 900
    lay(game, "SR", "F15", "9", 1)
    lay(game, "SR", "F21", "8", 1)
    assert company(game, "SR").cash == 900 - 60 - 120
    assert not game.table.state.privates["ETWCR"].closed
    built = position().start("SR", 90, a=60).owns("SR", "ETWCR").tile("F17", "57", 1).tile("F19", "9", 1)
    assert not offered(built.operating("SR").game(), "lay_tile", "ETWCR")
    built = position().start("SR", 90, a=60).owns("b", "ETWCR").tile("F17", "57", 1)
    lay(built.operating("SR").game(), "SR", "F19", "9", 1)
    game = position().start("GMO", 90, a=60).owns("GMO", "MCR", "TCC").operating("GMO").game()
    assert values(game, "lay_tile", "MCR", "hex") == ["H3"]
    assert tiles_in(game, "MCR", "H3") == ["5", "6", "57"]
    lay(game, "TCC", "H17", "9", 0)
    refused(game, "4.2.1", "lay_tile", "GMO", hex="I16", tile="9", rotation=0)


def test_three_cities_share_two_brown_tiles() -> None:
    """R-TN-117, worked example 23 (4.2.1(g), Table IV)."""
    built = position().phase("8").tile("F11", "57", 0).tile("F11", "TN2", 0).tile("F11", "170", 3)
    built.tile("H15", "TN1", 0).tile("H15", "170", 1).tile("H3", "57", 1).tile("H3", "15", 1)
    t = built.game().table
    assert t.map.supply["170"] == 0
    assert upgrades.candidates(t.map, "H3", t.phase.tiles) == ()
    assert upgrades.candidates(t.map, "F11", t.phase.tiles) == ("TN3",)
    t.map.lay("F11", "TN3", 0)
    assert upgrades.candidates(t.map, "H3", t.phase.tiles) == ("170",)
    assert upgrades.candidates(t.map, "H15", t.phase.tiles) == ()


def test_three_cities_have_their_own_green_tiles() -> None:
    """R-TN-117 (Table IV)"""
    t = position().phase("3").tile("H3", "57", 1).tile("F11", "57", 0).tile("G12", "57", 0).game().table
    assert upgrades.candidates(t.map, "H3", t.phase.tiles) == ("14", "15", "619")
    assert upgrades.candidates(t.map, "F11", t.phase.tiles) == ("TN2",)
    assert upgrades.candidates(t.map, "H15", t.phase.tiles) == ("TN1",)
    assert "63" in upgrades.candidates(
        position().phase("5").tile("G12", "57", 0).tile("G12", "14", 0).game().table.map, "G12", {"brown"}
    )


def memphis(*, green: bool = False, train: str = "3") -> Game:
    """GMO with a token in Memphis, and track from Dyersburg over Memphis to Little Rock."""
    built = position().phase("3").start("GMO", 90, a=60).trains("GMO", train)
    built.tile("F5", "58", 0).tile("G4", "9", 0).tile("H3", "6", 1)
    if green:
        built.tile("H3", "15", 1)
    return built.token("GMO", "H3").operating("GMO", "run").game()


def test_towns_count_as_stops() -> None:
    """R-TN-141, worked example 11 (4.2.3(i))."""
    route = "F5.a-0 G4.3-0 H3.3-a H3.a-1 H1.4-a"
    for green, revenue in ((False, 50), (True, 60)):
        game = memphis(green=green)
        do(game, "run_routes", "GMO", routes=(f"3:{route}",))
        assert game.table.turn.revenue == revenue
    refused(memphis(train="2"), "4.2.3", "run_routes", "GMO", routes=(f"2:{route}",))


def test_two_trains_with_the_same_ends() -> None:
    """R-TN-140, R-TN-150, worked example 12 (4.2.3, 4.2.4)."""
    built = position().phase("3").start("SR", 90, a=60, b=10, c=10, market=10).trains("SR", "2", "2")
    game = bristol_lines(built).cash(a=0, b=0, c=0).treasury("SR", 0).operating("SR", "run").game()
    do(game, "run_routes", "SR", routes=(EAST, NORTH))
    assert game.table.turn.revenue == 180
    do(game, "dividend", "SR", option="pay")
    assert cash(game) == {"a": 108, "b": 18, "c": 18}
    assert company(game, "SR").cash == 18
    assert price(game, "SR") == 100


def test_bristol_is_worth_less_from_first_5() -> None:
    """R-TN-007, worked example 13 (4.2.3.1)."""
    built = position().phase("4").depot(t4=0).start("SR", 90, a=60).trains("SR", "4")
    game = bristol_lines(built).operating("SR", "run").game()
    assert best_run(game.table).revenue == 90
    do(game, "run_routes", "SR", routes=("4" + EAST[1:],))
    do(game, "dividend", "SR", option="pay")
    buy(game, "SR", "5", 450)
    assert game.table.state.phase == "5"
    later = bristol_lines(position().phase("5").start("SR", 90, a=60).trains("SR", "4"))
    game = later.operating("SR", "run").game()
    assert best_run(game.table).revenue == 70


def test_one_bank_train_a_turn_until_first_4() -> None:
    """R-TN-161 (4.2.5(f))"""
    game = position().start("SR", 90, a=60).operating("SR", "trains").game()
    buy(game, "SR", "2", 80)
    assert not offered(game, "buy_train", "SR")
    game = position().phase("3½").depot(t3=0).start("SR", 90, a=60).operating("SR", "trains").game()
    buy(game, "SR", "4", 300)
    buy(game, "SR", "4", 300)
    assert company(game, "SR").trains == ["4", "4"]


def test_4_trains_run_once_more() -> None:
    """R-TN-163, R-TN-164, D-TN-9, worked example 22 (4.2.5.1)."""
    for profile, counts in (("rulebook", True), ("18xx.games", False)):
        built = (
            position(profile=profile).phase("6").start("SR", 90, a=60).trains("SR", "4").treasury("SR", 2000)
        )
        built.start("TC", 90, b=60).trains("TC", "4", "5").pool("4")
        game = bristol_lines(built).operating("SR", "trains").game()
        buy(game, "SR", "6", 600)
        assert game.table.state.phase == "6½"
        assert (company(game, "SR").trains, company(game, "SR").obsolete) == (["6"], ["4"])
        assert (company(game, "TC").trains, company(game, "TC").obsolete) == (["5"], ["4"])
        assert game.table.state.pool == []
        assert offered(game, "buy_train", "SR") is not counts


def test_obsolete_train_leaves_after_dividend() -> None:
    """R-TN-163, worked example 22 (4.2.5.1): nobody buys one."""
    built = bristol_lines(position().phase("6½").start("SR", 90, a=60).trains("SR", "6"))
    built.state.companies["SR"].obsolete.append("4")
    game = built.operating("SR", "run").game()
    do(game, "run_routes", "SR", routes=("4" + EAST[1:], "6" + NORTH[1:]))
    assert game.table.turn.revenue == 140
    do(game, "dividend", "SR", option="pay")
    assert (company(game, "SR").trains, company(game, "SR").obsolete) == (["6"], [])
    built = position().phase("6½").start("SR", 90, a=60).start("TC", 90, b=60).trains("TC", "6")
    built.state.companies["TC"].obsolete.append("4")
    deals = train_deals(built.operating("SR", "trains").game(), "SR")
    assert {(train, source) for train, source, *_ in deals} == {("8", "bank"), ("6", "TC")}


def test_salvage_option_pays_for_3_trains() -> None:
    for options, paid in (([], 0), (["salvage_3"], 100)):
        built = position(options=options).phase("5").depot(t5=0).start("SR", 90, a=60).start("TC", 90, b=60)
        built.trains("TC", "3", "3").treasury("SR", 600).treasury("TC", 10)
        game = built.operating("SR", "trains").game()
        buy(game, "SR", "6", 600)
        assert company(game, "TC").trains == []
        assert company(game, "TC").cash == 10 + paid


def forced(profile: str = "rulebook") -> Position:
    """SR must buy: a route, no train, $157; its president a has $316 and shares of TC and GMO."""
    built = position(profile=profile).phase("8").start("SR", 90, a=60)
    built.start("TC", 70, at=(3, 7), b=40, a=20).start("GMO", 70, at=(3, 5), b=40, a=20, c=20)
    return bristol_lines(built).treasury("SR", 157).cash(a=316)


def test_president_adds_what_is_missing() -> None:
    """R-TN-170, R-TN-171, R-TN-172, worked example 21 (4.2.5.2)."""
    game = forced().operating("SR", "trains").game()
    assert set(kinds(game)) == {"sell_shares"}
    sell(game, "a", "TC", 2)
    sell(game, "a", "GMO", 1)
    assert cash(game)["a"] == 316 + 200 + 80
    assert kinds(game) == ["buy_train"]
    buy(game, "SR", "8", 700)
    assert cash(game)["a"] == 53
    assert company(game, "SR").cash == 0


def test_president_pays_for_bank_trains_only() -> None:
    """R-TN-171, D-TN-8 (4.2.5.2)."""
    for profile, highest in (("rulebook", 157), ("18xx.games", 473)):
        built = forced(profile).start("IC", 70, c=60).trains("IC", "8")
        game = built.operating("SR", "trains").game()
        deals = {source: high for _, source, _, _, high in train_deals(game, "SR")}
        assert deals["IC"] == highest


def test_bankruptcy_follows_all_allowed_sales() -> None:
    """R-TN-173, R-TN-212, R-TN-213 (4.2.5.2, 6(c))."""
    built = position().phase("8").start("SR", 65, a=60).start("TC", 70, at=(3, 7), b=40, a=20)
    game = bristol_lines(built).treasury("SR", 0).cash(a=10).operating("SR", "trains").game()
    refused(game, "4.2.5", "pass", "SR")
    do(game, "declare_bankruptcy", "SR")
    assert game.over
    assert cash(game)["a"] == 0
    assert company(game, "TC").percent("a") == 0


def test_nobody_must_buy_without_a_train_left() -> None:
    """R-TN-170 (4.2.5.2)"""
    game = forced().depot(t8=0).operating("SR", "trains").game()
    assert game.table.operating.turn is None or game.table.turn.company != "SR"


def test_first_round_sells_privates_at_face() -> None:
    """R-TN-180, worked example 19 (4.2.6): one to each company, one of each player; later in phase 2 none."""
    built = position().start("SR", 90, a=60).start("TC", 90, b=60)
    game = built.owns("b", "OWR", "TCC").owns("c", "MCR").operating("SR", set=1).game()
    for wrong in (99, 101):
        refused(game, "4.2.6, Table III", "buy_private", "SR", private="OWR", price=wrong)
    do(game, "buy_private", "SR", private="OWR", price=100)
    do(game, "answer", "b", reply="agree")
    assert owner(game, "OWR") == "SR"
    lay(game, "OWR", "E16", "9", 0)
    assert company(game, "SR").cash == 800
    assert not offered(game, "buy_private", "SR")
    passes(game, "SR", "SR")
    assert game.table.turn.company == "TC"
    assert values(game, "buy_private", "TC", "private") == ["MCR"]
    game = position().start("SR", 90, a=60).owns("b", "OWR").operating("SR", set=2).game()
    assert not offered(game, "buy_private", "SR")


def test_private_costs_around_face_value() -> None:
    """R-TN-181, worked example 20 (4.2.6)."""
    game = position().phase("3").start("SR", 90, a=60).owns("b", "MCR").operating("SR").game()
    domain = Cursor(find(game, "buy_private", "SR")).take({"private": "MCR"}).domain
    assert [price for price in (34, 35, 105, 106) if price in domain] == [35, 105]


def test_option_sells_privates_in_phase_2() -> None:
    built = position(options=["phase2_private_purchase"]).start("SR", 90, a=60).owns("a", "OWR", "MCR")
    game = built.depot(t2=4).operating("SR", set=2).game()
    domain = Cursor(find(game, "buy_private", "SR")).take({"private": "MCR"}).domain
    assert [price for price in (0, 1, 70, 71) if price in domain] == [1, 70]
    do(game, "buy_private", "SR", private="MCR", price=1)
    do(game, "buy_private", "SR", private="OWR", price=100)
    before = position(options=["phase2_private_purchase"]).start("SR", 90, a=60).owns("a", "OWR")
    game = before.operating("SR", set=1).game()
    assert [
        choice.value
        for choice in Cursor(find(game, "buy_private", "SR")).take({"private": "OWR"}).domain.choices()
    ] == [100]


def test_privates_close_with_first_5() -> None:
    """R-TN-005 (Table I)"""
    built = position().phase("4").depot(t4=0).start("SR", 90, a=60).owns("SR", "OWR").owns("b", "TCC")
    game = built.operating("SR", "trains").game()
    buy(game, "SR", "5", 450)
    assert all(private.closed for private in game.table.state.privates.values())


def test_upgrade_waits_for_its_colour() -> None:
    """R-TN-112 (Table I)"""
    game = position().start("GMO", 80, a=60).operating("GMO").game()
    refusal = refused(game, "Table I", "lay_tile", "GMO", hex="G6", tile="14", rotation=0)
    assert "The next tile in G6 is green; phase 2 has yellow" in refusal


@pytest.mark.parametrize(("from_log", "asked"), [(0, False), (10**9, True)])
def test_log_waits_for_a_private_without_hex(from_log: int, asked: bool) -> None:
    built = position(profile="18xx.games", from_log=from_log).phase("3").start("SR", 90, a=60)
    built.owns("a", "ETWCR").tile("F17", "57", 1).tile("F19", "9", 1).trains("SR", "2")
    game = built.operating("SR", laid=["upgrade"]).game()
    assert (step(game) == "track") is asked
    free = position(profile="18xx.games", from_log=from_log).phase("3").start("SR", 90, a=60)
    free.owns("a", "ETWCR").tile("F17", "57", 1).trains("SR", "2")
    assert step(free.operating("SR", laid=["upgrade"]).game()) == "track"


@pytest.mark.parametrize(("profile", "asked"), [("rulebook", True), ("18xx.games", False)])
def test_first_round_purchases_hold_the_turn(profile: str, asked: bool) -> None:
    """R-TN-180, D-TN-2: under the other profile they may be made, but nothing waits for them."""
    built = position(profile=profile).start("SR", 90, a=60).owns("a", "OWR").trains("SR", "2", "2", "2", "2")
    game = built.operating("SR", "trains", set=1).game()
    assert (game.table.state.round.kind == "operating" and step(game) == "last_chance") is asked


def test_price_that_stays_keeps_its_place_in_18tn() -> None:
    built = position().start("SR", 90, at=(7, 1), a=60).start("TC", 90, at=(7, 1), b=60)
    game = built.operating("SR", "dividend", revenue=50).game()
    do(game, "dividend", "SR", option="withhold")
    assert [one.id for one in operating_order(game.table)] == ["SR", "TC"]
