"""1882: operating rounds, privates and the rebellion (4 to 7)."""

import pytest

from engine.core.state import Operating
from engine.play.trains.forced_purchase import must_buy_train
from tests.titles.builders import TitleGame
from tests.titles.t1882.assiniboia import Assiniboia


def cpr(step: str = "track", phase: str = "3") -> Assiniboia:
    """The CPR at home in I5, with track to the north and south."""
    return Assiniboia().start("CPR", 100, a=60).phase(phase).tile("I5", "57").operating("CPR", step)


def test_qll_chooses_its_city() -> None:
    """R-1882-030 (4): before anything else in its first turn."""
    position = Assiniboia().start("QLL", 100, b=60)
    position.state.round = Operating(set=2)
    game = position.game()
    game.refused("4", "pass", "QLL")
    game.do("place_token", "QLL", hex="J10", city=1)
    assert game.table.map.token_stops_of("QLL") == [("J10", 1)]


def test_second_yellow_tile_costs_20() -> None:
    """R-1882-031 (4): and follows no upgrade."""
    game = cpr().game()
    game.lay("CPR", "K5", "9", 0)
    assert game.company("CPR").cash == 1000
    game.lay("CPR", "M5", "8")
    assert game.company("CPR").cash == 980
    upgraded = cpr().game()
    upgraded.lay("CPR", "I5", "14", 0)
    assert upgraded.step_name() != "track"


def test_a_river_is_paid_when_track_meets() -> None:
    """R-1882-033, R-1882-053 (4): once, by the company that joins it; the owner of the TB gets $10 for each."""
    game = cpr().owns("c", "TB").cash(c=0).game()
    game.lay("CPR", "G5", "8", 0)
    assert (game.company("CPR").cash, game.cash()["c"]) == (960, 10)
    game.lay("CPR", "K5", "9", 0)
    assert (game.company("CPR").cash, game.cash()["c"]) == (940, 10)


def test_a_river_must_be_payable() -> None:
    """R-1882-033 (4): on top of the cost of a second tile."""
    game = cpr().treasury("CPR", 39).game()
    assert "$40" in game.refused("4", "lay_tile", "CPR", hex="G5", tile="8", rotation=0)
    game.lay("CPR", "K5", "9", 0)
    assert game.company("CPR").cash == 39


def test_a_yellow_tile_of_the_rebellion_earns_20() -> None:
    """R-1882-034 (4)"""
    game = Assiniboia().start("CNR", 100, a=60).tile("E7", "8", 2).operating("CNR").game()
    game.lay("CNR", "D6", "57", 2)
    assert game.company("CNR").cash == 1020


def test_neutral_token_is_the_token_of_the_turn() -> None:
    """R-1882-035 (4): free, where a route leads, and a station of the CN."""
    position = Assiniboia().start("HBR", 100, a=60).tile("G11", "57", 1).tile("H10", "9", 1)
    game = position.tile("I9", "9", 1).tile("J8", "57", 1).operating("HBR", "token").game()
    assert game.values("place_token", "CN", "hex") == ["J8"]
    game.do("place_token", "CN", actor="a", hex="J8", city=0)
    assert game.company("HBR").cash == 1000
    assert game.company("HBR").held == {}
    assert game.table.map.token_stops_of("CN") == [("J8", 0)]
    assert game.step_name() != "token"


def test_neutral_token_blocks_nobody() -> None:
    """R-1882-036 (4): whatever other tokens lie in the city."""
    board = Assiniboia().neutral("G7").sc("G3").t.map
    assert not board.blocks_routes_of("G7", 0, "CPR")
    assert board.blocks_routes_of("G3", 0, "CPR")
    assert ("G7", 0) not in board.blocking_stops("CPR")


def at_the_fish() -> Assiniboia:
    """The CNR has a station in D6, from where track leads to the fish alone."""
    return Assiniboia().start("CNR", 100, a=60).tile("D6", "57", 0).token("CNR", "D6")


def test_fish_uses_up_no_stop() -> None:
    """R-1882-039 (4): but ends the run."""
    position = at_the_fish().tile("F6", "8", 3).tile("G7", "57", 2).trains("CNR", "2")
    game = position.operating("CNR", "run").game()
    assert game.table.map.is_terminal("B6")
    game.do("run_routes", "CNR", routes=("2:B6.a-0 D6.3-a D6.a-0 F6.3-5 G7.2-a",))
    assert game.table.turn.revenue == 60


def test_fish_alone_obliges_to_no_train() -> None:
    """R-1882-040 (4): a run of one city and the fish is legal, and the president may pay for a train."""
    game = at_the_fish().treasury("CNR", 0).cash(a=80).operating("CNR", "trains").game()
    assert not must_buy_train(game.table)
    game.buy("CNR", "2", 80)
    assert game.cash()["a"] == 0


def test_hudson_bay_earns_100_more() -> None:
    """R-1882-038 (4): for each train from there to the west."""
    route_rules = cpr().game().table.rules.route_rules(cpr().t)
    assert {(bonus.hexes, bonus.value, bonus.is_for_each_train) for bonus in route_rules.bonuses} == {
        (frozenset({"B12", "B2"}), 100, True),
        (frozenset({"B12", "I1"}), 100, True),
    }


def with_nwr() -> TitleGame:
    """The HBR owns the NWR, and has moved its home to E5."""
    position = Assiniboia().start("HBR", 100, a=60).phase("3").tile("G11", "57", 1).owns("HBR", "NWR")
    game = position.operating("HBR").game()
    game.do("return_token", "NWR", hex="G11", city=0)
    game.do("place_token", "NWR", hex="E5", city=1)
    return game


def test_nwr_moves_a_home() -> None:
    """R-1882-051 (5): a neutral token takes its place; no other step is used up, and it happens once."""
    game = with_nwr()
    assert game.table.map.token_stops_of("CN") == [("G11", 0)]
    assert game.company("HBR").tokens == [40, 100]
    game.do("pass", "NWR")
    assert game.table.turn.done == []
    game.refused("5", "return_token", "NWR", hex="E5", city=1)


def test_a_moved_station_chooses_its_city_again() -> None:
    """R-1882-052 (5): when the hex gets its first track."""
    game = with_nwr()
    game.lay("NWR", "E5", "59", 0)
    assert game.company("HBR").tokens == [0, 40, 100]
    game.do("place_token", "HBR", hex="E5", city=0)
    assert game.table.map.token_stops_of("HBR") == [("E5", 0)]
    assert game.table.turn.laid == []


def test_nwr_waits_while_a_dividend_is_due() -> None:
    """R-1882-051 (5)"""
    position = cpr("dividend").owns("CPR", "NWR").tile("K5", "9")
    position.t.turn.revenue = 50
    position.game().refused("5", "return_token", "NWR", hex="I5", city=0)


def test_rebellion_takes_yellow_tiles_back() -> None:
    """R-1882-060 (6): green ones and tokens stay; rivers cost again."""
    position = at_the_fish().tile("C5", "7").tile("E5", "59").rebellion("4").phase("3").depot(t3=0)
    game = position.operating("CNR", "trains").game()
    game.buy("CNR", "4", 300)
    board = game.table.map
    assert [board.tile(coord) for coord in ("C5", "D6", "E5")] == [None, None, "59"]
    assert board.token_stops_of("CNR") == [("D6", 0), ("D8", 0)]
    assert board.supply["57"] == 4


def test_traded_and_discarded_trains_are_gone() -> None:
    """R-1882-007 (1)"""
    game = cpr("trains", "6").trains("CPR", "4", "5").game()
    game.buy("CPR", "D", 800, trade_in="4")
    assert game.table.state.pool == []
    full = cpr("trains", "5").depot(t5=0).trains("CPR", "5", "5").game()
    full.buy("CPR", "6", 630)
    full.do("discard_train", "CPR", train="5")
    assert full.table.state.pool == []


def test_sc_stays_when_privates_close() -> None:
    """R-1882-055, R-1882-054 (5)"""
    position = cpr("trains", "4").depot(t4=0).owns("a", "HB", "CP").owns("b", "SCP")
    game = position.game()
    game.buy("CPR", "5", 450)
    assert [name for name, private in game.table.state.privates.items() if not private.closed] == ["SCP"]


def test_an_upgrade_needs_no_new_track_on_a_route() -> None:
    """R-1882-032 (4): the new track of tile 23 leads nowhere, but its old track is on a route."""
    game = cpr().tile("K5", "9").game()
    game.lay("CPR", "K5", "23", 0)
    assert game.table.map.tile("K5") == "23"


def test_dividends_and_trains_of_others() -> None:
    """R-1882-041 (4): shares in the market pay the company; a train of another company costs $1 or more."""
    built = cpr("dividend").start("CPR", 100, market=20, a=60).treasury("CPR", 100).cash(a=0)
    built.start("GT", 100, b=60).trains("GT", "3").t.turn.revenue = 80
    game = built.game()
    game.do("dividend", "CPR", option="pay")
    assert (game.company("CPR").cash, game.cash()["a"]) == (116, 48)
    assert ("3", "GT", "", 1, 116) in list(game.train_deals("CPR"))


@pytest.mark.parametrize(("private", "coord"), [("HB", "C11"), ("SCP", "H4"), ("TB", "G9")])
def test_privates_of_players_block_hexes(private: str, coord: str) -> None:
    """R-1882-050 (5)"""
    for owner, blocks in (("b", True), ("CPR", False)):
        sentence = (
            cpr().owns(owner, private).game().refused("", "lay_tile", "CPR", hex=coord, tile="9", rotation=0)
        )
        assert (private in sentence) is blocks


def forced(cash: int) -> TitleGame:
    """The CPR has a route and no train; its president has shares of the GT, and a D costs $1100."""
    built = (
        Assiniboia()
        .start("CPR", 100, a=30, b=30)
        .phase("D")
        .tile("I5", "57", 1)
        .tile("J4", "9", 1)
        .tile("K3", "57", 1)
    )
    built.start("GT", 100, a=30, b=30).trains("GT", "5").operated("GT").treasury("CPR", 0).cash(a=cash)
    return built.depot(t6=0).operating("CPR", "trains").game()


def test_president_pays_others_up_to_face_value() -> None:
    """R-1882-070, D-1882-2 (7)"""
    deals = {(train, source): (low, high) for train, source, _, low, high in forced(2000).train_deals("CPR")}
    assert deals == {("D", "bank"): (1100, 1100), ("5", "GT"): (1, 450)}


def test_sales_keep_this_presidency_alone() -> None:
    """R-1882-070 (7): that of another company may go; what is not enough is bankruptcy."""
    game = forced(900)
    game.refused("7", "sell_shares", "a", company="CPR", shares=1)
    game.sell("a", "GT", 2)
    assert (game.company("GT").president, game.cash()["a"]) == ("b", 1100)
    ruined = forced(0)
    ruined.do("declare_bankruptcy", "CPR")
    assert ruined.is_over


def test_score_is_cash_shares_and_privates() -> None:
    """R-1882-072 (7)"""
    game = cpr().owns("a", "HB", "SCP").owns("CPR", "NWR").cash(a=10).game()
    assert game.scores()["a"] == 10 + 6 * 100 + 20 + 50
