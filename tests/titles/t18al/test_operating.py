"""18AL: track, tokens, routes and the powers of the privates (rulebook 4.2, Table III)."""

from typing import Any

import pytest

from engine.core.events import MarkerLost, ObjectiveReached
from engine.play.privates.pending_powers import purchase_would_open_step
from tests.titles.builders import TitleGame
from tests.titles.t18al.alabama import Alabama, best


def test_one_tile_is_laid_in_a_turn() -> None:
    """R-AL-110 (4.2(b))"""
    game = Alabama().start("TAG", 60, a=60).operating("TAG").game()
    game.lay("TAG", "C6", "3", 0)
    assert not game.offered("lay_tile", "TAG")


@pytest.mark.parametrize(("coord", "tile", "second"), [("C6", "3", True), ("E6", "14", False)])
def test_first_turn_may_have_two_yellow_tiles(coord: str, tile: str, second: bool) -> None:
    position = Alabama(options=("double_yellow_first_or",)).start("TAG", 60, a=60)
    game = position.operating("TAG", first=True).phase("3").game()
    game.lay("TAG", coord, tile, 0)
    assert game.offered("lay_tile", "TAG") is second
    assert not second or "E6" not in game.values("lay_tile", "TAG", "hex")


def test_birmingham_and_montgomery_tiles() -> None:
    """R-AL-011, R-AL-111, R-AL-116, R-AL-118 (4.2.1(c), (g), (i), Table I): and the side between B3 and D3 is
    closed; gray Birmingham comes with the 4D."""
    position = Alabama().start("ABC", 60, a=60).tiles(G6=("57", 1)).phase("4D")
    game = position.operating("ABC").treasury("ABC", 500).game()
    assert game.tiles_in("ABC", "G4") == ["441a"]
    assert (game.table.map.may_track_cross("B3", 0), game.table.map.may_track_cross("D3", 3)) == (
        False,
        False,
    )
    position = Alabama().start("WRA", 60, a=60).tiles(L5=("57", 1)).phase("4D").operating("WRA")
    assert position.game().tiles_in("WRA", "L5") == ["443a"]
    position.tile("L5", "443a", 1).tile("L5", "444m", 1)
    assert "L5" not in position.game().values("lay_tile", "WRA", "hex")

    def birmingham(phase: str) -> Alabama:
        position = Alabama().start("ABC", 60, a=60).tiles(G6=("57", 1), G4=("441a", 5))
        return position.tile("G4", "442a", 5).tile("G4", "444b", 5).phase(phase).operating("ABC")

    assert birmingham("4D").game().values("lay_tile", "ABC", "tile", hex="G4") == ["446"]
    assert "G4" not in birmingham("7").game().values("lay_tile", "ABC", "hex")


@pytest.mark.parametrize(("profile", "legal"), [("rulebook", True), ("18xx.games", False)])
def test_new_track_is_reached_at_any_point(profile: str, legal: bool) -> None:
    """R-AL-119, D-AL-25 (4.2.1(j)): the way to the new curve in J1 has used the side to which it leads."""
    position = Alabama(profile=profile).start("ABC", 60, a=60).phase("6").operating("ABC")
    position.tiles(G4=("446", 0), G2=("23", 4), F3=("40", 1), H1=("41", 3), J1=("24", 3), K2=("63", 0))
    game = position.tile("G6", "63").game()
    assert ("42" in game.values("lay_tile", "ABC", "tile", hex="J1")) is legal


def test_lumber_terminal_is_laid_by_its_private() -> None:
    """R-AL-112, R-AL-171 (Table III): free, in an empty swamp, in addition to the normal tile, never replaced."""
    position = Alabama().start("TAG", 60, a=60).owns("TAG", "BLC").treasury("TAG", 20)
    game = position.operating("TAG").game()
    assert "445" not in game.tiles_in("TAG", "C6")
    assert game.values("lay_tile", "BLC", "hex") == ["G2", "M2", "N5", "O4", "P5"]
    game.refused("4.2.6, Table III", "lay_tile", "BLC", hex="C6", tile="445", rotation=0)
    game.lay("BLC", "N5", "445", 0)
    assert (game.table.state.privates["BLC"].closed, game.company("TAG").cash) == (False, 20)
    assert game.offered("lay_tile", "TAG")
    assert not game.offered("lay_tile", "BLC")
    assert "N5" not in game.values("lay_tile", "TAG", "hex")


def test_objective_brings_a_hundred_dollars() -> None:
    """R-AL-135 (4.2.2.1), example 17."""

    def montgomery(treasury: int) -> Alabama:
        position = Alabama().start("WRA", 60, a=60).tiles(L5=("57", 1), K6=("9", 1), J7=("57", 1))
        return position.operating("WRA", "token").treasury("WRA", treasury)

    game = montgomery(40).game()
    assert "J7" in game.values("place_token", "WRA", "hex")
    happened = game.do("place_token", "WRA", hex="J7", city=0)
    assert ObjectiveReached("WRA", "J7", 100) in happened
    assert game.company("WRA").cash == 100
    assert not montgomery(39).game().offered("place_token", "WRA")


def ran(game: TitleGame, entity: str, text: str) -> int:
    game.do("run_routes", entity, routes=game.read_routes(text))
    return game.table.turn.revenue


def test_coal_token_pays_in_a_run() -> None:
    """R-AL-147, R-AL-170, R-AL-171, example 14: 30 + 30 + 10, and 20 + 30 + 20 + 30 + 10 with a free town."""
    position = Alabama().start("ATN", 60, a=60).phase("3").trains("ATN", "2", "3")
    position.tiles(G4=("441a", 5), E4=("9", 0), C4=("57", 0), F3=("8", 5), G2=("445", 2))
    position.tile("G4", "442a", 5).token("ATN", "G4").marker("ATN", "Warrior Coal Field", "G4")
    game = position.operating("ATN", "run").game()
    assert best(game) == 190  # Nashville-Decatur-Birmingham, and Birmingham-Tupelo for the 2-train
    assert ran(game, "ATN", "2: H5-G4; 3: C4-G4-G2-F1") == 180


def _atlanta(phase: str) -> Alabama:
    """Track from Atlanta over Anniston to Birmingham; the company has the Robert E. Lee."""
    position = Alabama().start("ABC", 60, a=60).phase(phase).marker("ABC", "Robert E. Lee")
    position.tiles(H7=("8", 2), G6=("57", 2), F5=("8", 5), G4=("441a", 4))
    return position.tile("G6", "14", 1).tile("G4", "442a", 0).tile("G4", "444b", 0)


def test_what_pays_in_a_run() -> None:
    """R-AL-147, R-AL-151, R-AL-172 (4.2.3(i), 4.2.3.1), examples 15, 16: 70 + 30 + 50, coal 10 and Robert E.
    Lee 20. A 4D doubles neither bonuses, 2 x 180 + 20, nor towns, 2 x 200 + 10. A 2-train runs from a town
    through a city and a town to another, 10 + 20 + 10 + 30."""
    position = _atlanta("5").trains("ABC", "3").marker("ABC", "Warrior Coal Field", "G4")
    game = position.operating("ABC", "run").game()
    assert best(game) == 180
    assert ran(game, "ABC", "G8-G6-G4") == 180
    position = _atlanta("4D").tile("G6", "63", 0).tile("G4", "446", 0).trains("ABC", "4D")
    assert ran(position.operating("ABC", "run").game(), "ABC", "G8-G6-G4") == 380
    position = Alabama().start("TAG", 60, a=60).phase("4D").trains("TAG", "4D")
    position.tiles(C6=("58", 4), E6=("14", 0), G6=("57", 2), H7=("8", 2)).tile("E6", "63", 0)
    game = position.tile("G6", "14", 1).tile("G6", "63", 0).operating("TAG", "run").game()
    assert best(game) == 410
    assert ran(game, "TAG", "B7-C6-E6-G6-G8") == 410
    position = Alabama().start("TAG", 60, a=60).tiles(C6=("58", 4)).phase("3")
    game = position.trains("TAG", "2").operating("TAG", "run").game()
    assert best(game) == 70


def test_offboard_values_change_with_first_5() -> None:
    """R-AL-009, R-AL-150 (4.2.3.1), D-AL-21: Corinth 40, then 30."""
    for phase, corinth, atlanta in (("2", 40, 40), ("4", 40, 40), ("5", 30, 70), ("4D", 30, 70)):
        game = Alabama().start("TAG", 60, a=60).phase(phase).operating("TAG").game()
        route_rules = game.rules.route_rules(game.table)
        assert route_rules.value(game.table.map, "TAG", ("B1", 0), "5") == corinth
        assert route_rules.value(game.table.map, "TAG", ("G8", 0), "5") == atlanta


@pytest.mark.parametrize(("profile", "kept"), [("rulebook", False), ("18xx.games", True)])
def test_new_president_runs_no_named_trains(profile: str, kept: bool) -> None:
    """R-AL-172, D-AL-11."""
    position = Alabama(profile=profile).start("TAG", 60, a=40, b=30).marker("TAG", "Pan American")
    game = position.game()
    happened = game.sell("a", "TAG", 2)
    assert game.company("TAG").president == "b"
    assert ("Pan American" in game.company("TAG").markers) is kept
    assert (MarkerLost("TAG", "Pan American") in happened) is not kept


def test_coal_token_goes_where_a_train_can_run() -> None:
    """R-AL-170, R-AL-174 (Table III), D-AL-12: in the turn of the company that owns it, once; it leaves with
    the first 6."""

    def where(*trains: str, profile: str = "rulebook", owner: str = "ABC") -> TitleGame:
        return anniston(*trains, profile=profile).owns(owner, "SNAR").operating("ABC").game()

    section = "4.2.6, Table III"
    assert not where().offered("place_marker")
    assert where("2").values("place_marker", "SNAR", "hex") == ["G6", "H5"]
    assert where("2", profile="18xx.games").values("place_marker", "SNAR", "hex") == ["G4", "G6", "H5"]
    why = where("2", owner="a").refused(section, "place_marker", "SNAR", actor="a", hex="G6")
    assert "Only the company that owns SNAR can place its token" in why
    game = where("3")
    assert "must go to" in game.refused(section, "place_marker", "SNAR", hex="J7")
    game.do("place_marker", "SNAR", hex="G4")
    assert game.company("ABC").markers == {"Warrior Coal Field": "G4"}
    assert "already placed" in game.refused(section, "place_marker", "SNAR", hex="G6")
    assert not game.table.state.privates["SNAR"].closed
    position = Alabama().start("TAG", 60, a=60).phase("5").marker("TAG", "Warrior Coal Field", "E6")
    game = position.treasury("TAG", 2000).depot(t5=0).operating("TAG", "trains").game()
    assert game.rules.route_rules(game.table).extra_dollars_by_hex == {"E6": 10}
    happened = game.buy("TAG", "6", 630)
    assert MarkerLost("TAG", "Warrior Coal Field") in happened
    assert game.table.state.companies["TAG"].markers == {}


@pytest.mark.parametrize(
    ("phase", "left", "train", "price"), [("3", 9, "3", 90), ("4", 9, "4", 150), ("4", 0, "5", 225)]
)
def test_new_decatur_yards_halves_a_price(phase: str, left: int, train: str, price: int) -> None:
    """R-AL-173 (Table III), example 24: once, which closes the private; the first 5, too."""
    position = Alabama().start("TAG", 60, a=60).owns("TAG", "NDY").phase(phase).treasury("TAG", price)
    game = position.depot(t4=left).operating("TAG", "trains").game()
    game.buy("NDY", train, price)
    assert (game.company("TAG").trains, game.company("TAG").cash) == ([train], 0)
    assert game.table.state.privates["NDY"].closed


@pytest.mark.parametrize(("profile", "possible"), [("rulebook", False), ("18xx.games", True)])
def test_cheaper_train_is_the_bank_train(profile: str, possible: bool) -> None:
    """R-AL-173, R-AL-181, D-AL-10."""
    position = Alabama(profile=profile).start("TAG", 60, a=60).owns("TAG", "NDY").phase("3")
    game = position.treasury("TAG", 500).operating("TAG", "trains").game()
    game.buy("TAG", "3", 180)
    assert game.offered("buy_train", "NDY") is possible


def anniston(*trains: str, profile: str = "rulebook") -> Alabama:
    position = Alabama(profile=profile).start("ABC", 60, a=60).phase("3")
    return position.tiles(G6=("57", 1), G4=("441a", 5)).trains("ABC", *trains)


def test_private_is_used_at_the_end_of_a_step() -> None:
    """R-AL-102, R-AL-170, R-AL-171, R-AL-200 (4.2, 4.2.6), D-AL-12: the coal token after the last train, but
    that site does not ask; the lumber company may be bought to lay, its tile is extra and free."""
    game = anniston().owns("ABC", "SNAR").treasury("ABC", 180).operating("ABC", "trains").game()
    game.buy("ABC", "3", 180)
    assert game.step_name() == "last_chance"
    game.do("place_marker", "SNAR", hex="G4")
    assert game.table.state.round.kind == "stock"
    game = anniston("2").owns("a", "SNAR").treasury("ABC", 60).operating("ABC", "trains").game()
    game.do("buy_private", "ABC", private="SNAR", price=60)
    assert game.offered("place_marker", "SNAR")
    game.passes("ABC")
    position = anniston("2", profile="18xx.games").owns("ABC", "SNAR").treasury("ABC", 60)
    assert position.operating("ABC", "trains").game().table.state.round.kind == "stock"
    position = Alabama().start("TAG", 60, a=60).owns("a", "BLC").phase("3").treasury("TAG", 35)
    game = position.operating("TAG", laid=["tile"]).game()
    assert game.kinds() == ["pass"]
    assert game.label(game.find("pass")) == "Done with track"
    game.do("buy_private", "TAG", private="BLC", price=35)
    game.lay("BLC", "N5", "445", 0)
    assert game.step_name() != "track"


@pytest.mark.parametrize(
    ("facts", "useful"),
    [
        ({"treasury": 150}, True),
        ({"treasury": 149}, False),
        ({"treasury": 150, "trains": ("2", "2", "2", "2")}, False),
        ({"treasury": 600, "bought_from_bank": 1}, False),
        ({"treasury": 600, "phase": "2"}, False),
    ],
)
def test_half_price_train_keeps_step_open(facts: dict[str, Any], useful: bool) -> None:
    """R-AL-102, R-AL-173, R-AL-200: $60 for New Decatur Yards, then $90, with room and a bank train left."""
    position = Alabama().start("TAG", 60, a=60).owns("a", "NDY").phase(facts.get("phase", "3"))
    position.treasury("TAG", facts["treasury"]).trains("TAG", *facts.get("trains", ("2",)))
    game = position.operating("TAG", "trains", bought_from_bank=facts.get("bought_from_bank", 0)).game()
    assert purchase_would_open_step(game.table, "trains") is useful
