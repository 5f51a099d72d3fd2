"""18AL: track, tokens, routes and the powers of the privates (rulebook 4.2, Table III)."""

from typing import Any

import pytest

from engine.core.events import MarkerLost, ObjectiveReached
from engine.game import Game
from engine.play.operating_order import operating_order
from engine.play.privates.pending_powers import would_open
from tests.titles.builders import company, do, find, kinds, label, offered, passes, refused, values
from tests.titles.t18al.alabama import Alabama, best


def test_one_tile_a_turn() -> None:
    """R-AL-110 (4.2(b))"""
    game = Alabama().start("TAG", 60, a=60).operating("TAG").game()
    do(game, "lay_tile", "TAG", hex="C6", tile="3", rotation=0)
    assert not offered(game, "lay_tile", "TAG")


def test_two_yellow_tiles_in_the_first_turn_by_option() -> None:
    """Section 7: two yellow tiles or one upgrade."""
    position = Alabama(options=("double_yellow_first_or",)).start("TAG", 60, a=60)
    game = position.operating("TAG", first=True).phase("3").game()
    do(game, "lay_tile", "TAG", hex="C6", tile="3", rotation=0)
    assert values(game, "lay_tile", "TAG", "hex")
    assert "E6" not in values(game, "lay_tile", "TAG", "hex")
    position = Alabama(options=("double_yellow_first_or",)).start("TAG", 60, a=60)
    game = position.operating("TAG", first=True).phase("3").game()
    do(game, "lay_tile", "TAG", hex="E6", tile="14", rotation=0)
    assert not offered(game, "lay_tile", "TAG")


def test_birmingham_and_montgomery_have_tiles_of_their_own() -> None:
    """R-AL-116 (4.2.1(g))"""
    position = Alabama().start("ABC", 60, a=60).tiles(G6=("57", 1)).phase("4D")
    game = position.operating("ABC").treasury("ABC", 500).game()
    assert values(game, "lay_tile", "ABC", "tile", hex="G4") == ["441a"]
    game = Alabama().start("WRA", 60, a=60).tiles(L5=("57", 1)).phase("4D").operating("WRA").game()
    assert values(game, "lay_tile", "WRA", "tile", hex="L5") == ["443a"]
    last = Alabama().start("WRA", 60, a=60).tiles(L5=("57", 1)).tile("L5", "443a", 1).tile("L5", "444m", 1)
    assert "L5" not in values(last.phase("4D").operating("WRA").game(), "lay_tile", "WRA", "hex")


def test_gray_birmingham_comes_with_the_first_4d() -> None:
    """R-AL-111 (4.2.1(c), Table I)"""

    def birmingham(phase: str) -> Alabama:
        position = Alabama().start("ABC", 60, a=60).tiles(G6=("57", 1), G4=("441a", 5))
        return position.tile("G4", "442a", 5).tile("G4", "444b", 5).phase(phase).operating("ABC")

    assert values(birmingham("4D").game(), "lay_tile", "ABC", "tile", hex="G4") == ["446"]
    assert "G4" not in values(birmingham("7").game(), "lay_tile", "ABC", "hex")


@pytest.mark.parametrize(("profile", "legal"), [("rulebook", True), ("18xx.games", False)])
def test_new_track_is_reached_at_any_point_of_it(profile: str, legal: bool) -> None:
    """R-AL-119, D-AL-25 (4.2.1(j)): the way to the new curve in J1 has used the side to which it leads."""
    position = Alabama(profile=profile).start("ABC", 60, a=60).phase("6").operating("ABC")
    position.tiles(G4=("446", 0), G2=("23", 4), F3=("40", 1), H1=("41", 3), J1=("24", 3), K2=("63", 0))
    game = position.tile("G6", "63").game()
    assert ("42" in values(game, "lay_tile", "ABC", "tile", hex="J1")) is legal


def test_an_impassable_side() -> None:
    """R-AL-011, R-AL-118 (4.2.1(i)): between B3 and D3."""
    position = Alabama().start("L&N", 60, a=60).phase("3").tiles(C4=("57", 1)).operating("L&N")
    board = position.game().table.map
    assert not board.usable("B3", 0)
    assert not board.usable("D3", 3)


def test_new_track_may_be_reached_from_either_end() -> None:
    """R-AL-119 (4.2.1(j)): the way may begin anywhere on the new track, here next to the stem it then runs over."""
    position = Alabama().start("WRA", 60, a=60).phase("3").tiles(L5=("57", 1), M4=("9", 1))
    game = position.tiles(N3=("7", 3), L3=("7", 5)).operating("WRA").game()
    do(game, "lay_tile", "WRA", hex="M4", tile="27", rotation=1)


def test_the_lumber_terminal_is_laid_by_its_private_alone() -> None:
    """R-AL-171 (Table III): free, anywhere in an empty swamp, in addition to the normal tile, never replaced."""
    position = Alabama().start("TAG", 60, a=60).owns("TAG", "BLC").treasury("TAG", 20)
    game = position.operating("TAG").game()
    assert values(game, "lay_tile", "BLC", "hex") == ["G2", "M2", "N5", "O4", "P5"]
    refused(game, "4.2.6, Table III", "lay_tile", "BLC", hex="C6", tile="445", rotation=0)
    do(game, "lay_tile", "BLC", hex="N5", tile="445", rotation=0)
    assert not game.table.state.privates["BLC"].closed
    assert company(game, "TAG").cash == 20
    assert offered(game, "lay_tile", "TAG")
    assert not offered(game, "lay_tile", "BLC")
    assert "N5" not in values(game, "lay_tile", "TAG", "hex")


def test_nobody_else_lays_the_lumber_terminal_not_even_on_a_town() -> None:
    """R-AL-112, R-AL-171."""
    game = Alabama().start("TAG", 60, a=60).operating("TAG").game()
    assert "445" not in values(game, "lay_tile", "TAG", "tile", hex="C6")


def test_an_objective_brings_a_hundred_dollars_after_the_token_is_paid() -> None:
    """R-AL-135 (4.2.2.1), example 17."""

    def montgomery(treasury: int) -> Alabama:
        position = Alabama().start("WRA", 60, a=60).tiles(L5=("57", 1), K6=("9", 1), J7=("57", 1))
        return position.operating("WRA", "token").treasury("WRA", treasury)

    game = montgomery(40).game()
    assert "J7" in values(game, "place_token", "WRA", "hex")
    happened = do(game, "place_token", "WRA", hex="J7", city=0)
    assert ObjectiveReached("WRA", "J7", 100) in happened
    assert company(game, "WRA").cash == 100
    assert not offered(montgomery(39).game(), "place_token", "WRA")


# --- routes ------------------------------------------------------------------------------------------------------


def ran(game: Game, entity: str, text: str) -> int:
    """What the company earns by running along these stops."""
    do(game, "run_routes", entity, routes=game.read_routes(text))
    return game.table.turn.revenue


def test_coal_and_two_trains() -> None:
    """R-AL-147, R-AL-170, R-AL-171, example 14: 30 + 30 + 10, and 20 + 30 + 20 + 30 + 10 with a free town."""
    position = Alabama().start("ATN", 60, a=60).phase("3").trains("ATN", "2", "3")
    position.tiles(G4=("441a", 5), E4=("9", 0), C4=("57", 0), F3=("8", 5), G2=("445", 2)).tile(
        "G4", "442a", 5
    )
    position.token("ATN", "G4").marker("ATN", "Warrior Coal Field", "G4")
    game = position.operating("ATN", "run").game()
    assert best(game) == 190  # Nashville-Decatur-Birmingham, and Birmingham-Tupelo for the 2-train
    assert ran(game, "ATN", "2: H5-G4; 3: C4-G4-G2-F1") == 180


def _atlanta(phase: str) -> Alabama:
    """Track from Atlanta over Anniston to Birmingham; the company has the Robert E. Lee."""
    position = Alabama().start("ABC", 60, a=60).phase(phase).marker("ABC", "Robert E. Lee")
    position.tiles(H7=("8", 2), G6=("57", 2), F5=("8", 5), G4=("441a", 4))
    return position.tile("G6", "14", 1).tile("G4", "442a", 0).tile("G4", "444b", 0)


def test_a_named_train() -> None:
    """R-AL-172, example 15: 70 + 30 + 50, coal 10 and Robert E. Lee 20."""
    position = _atlanta("5").trains("ABC", "3").marker("ABC", "Warrior Coal Field", "G4")
    game = position.operating("ABC", "run").game()
    assert best(game) == 180
    assert ran(game, "ABC", "G8-G6-G4") == 180


def test_a_4d_doubles_cities_but_neither_towns_nor_bonuses() -> None:
    """R-AL-151 (4.2.3.1), example 16: 2 x 180 + 20."""
    position = _atlanta("4D").tile("G6", "63", 0).tile("G4", "446", 0).trains("ABC", "4D")
    game = position.operating("ABC", "run").game()
    assert ran(game, "ABC", "G8-G6-G4") == 380


def test_a_4d_pays_towns_once() -> None:
    """R-AL-151, example 16: 2 x 200 + 10."""
    position = Alabama().start("TAG", 60, a=60).phase("4D").trains("TAG", "4D")
    position.tiles(C6=("58", 4), E6=("14", 0), G6=("57", 2), H7=("8", 2)).tile("E6", "63", 0)
    game = position.tile("G6", "14", 1).tile("G6", "63", 0).operating("TAG", "run").game()
    assert best(game) == 410
    assert ran(game, "TAG", "B7-C6-E6-G6-G8") == 410


def test_a_4d_over_two_towns() -> None:
    """R-AL-151, R-AL-171, example 16: 2 x 170 + 30."""
    position = Alabama().start("WRA", 60, a=60).phase("4D").trains("WRA", "4D")
    position.tiles(O6=("4", 2), N5=("445", 3), L5=("57", 0), K4=("14", 1), L3=("8", 2), K2=("57", 2))
    position.tile("L5", "443a", 0).tile("L5", "444m", 0).tile("K4", "63", 0)
    game = position.tile("K2", "14", 1).tile("K2", "63", 0).operating("WRA", "run").game()
    assert ran(game, "WRA", "P7-O6-N5-L5-K4-K2") == 370


def test_towns_do_not_count_and_pay() -> None:
    """R-AL-147 (4.2.3(i)): a 2-train runs from a town through a city and a town to another, 10 + 20 + 10 + 30."""
    position = Alabama().start("TAG", 60, a=60).tiles(C6=("58", 4)).phase("3")
    game = position.trains("TAG", "2").operating("TAG", "run").game()
    assert best(game) == 70


def test_offboard_values_change_with_the_first_5_train_and_corinth_falls() -> None:
    """R-AL-009, R-AL-150 (4.2.3.1), D-AL-21: Corinth 40, then 30."""
    for phase, corinth, atlanta in (("2", 40, 40), ("4", 40, 40), ("5", 30, 70), ("4D", 30, 70)):
        game = Alabama().start("TAG", 60, a=60).phase(phase).operating("TAG").game()
        terms = game.rules.terms(game.table)
        assert terms.value(game.table.map, "TAG", ("B1", 0), "5") == corinth
        assert terms.value(game.table.map, "TAG", ("G8", 0), "5") == atlanta


# --- markers -----------------------------------------------------------------------------------------------------


def test_named_trains_come_with_the_private_and_leave_with_the_president() -> None:
    """R-AL-172 (Table III)"""
    position = Alabama().start("TAG", 60, a=40, b=30).owns("b", "M&C").phase("3")
    game = position.treasury("TAG", 200).operating("TAG").game()
    do(game, "buy_private", "TAG", private="M&C", price=100)
    do(game, "answer", "b", reply="agree")
    assert company(game, "TAG").markers == {"Robert E. Lee": "", "Pan American": ""}


@pytest.mark.parametrize(("profile", "kept"), [("rulebook", False), ("18xx.games", True)])
def test_a_new_president_runs_no_named_trains(profile: str, kept: bool) -> None:
    """R-AL-172, D-AL-11."""
    position = Alabama(profile=profile).start("TAG", 60, a=40, b=30).marker("TAG", "Pan American")
    game = position.game()
    happened = do(game, "sell_shares", "a", company="TAG", shares=2)
    assert company(game, "TAG").president == "b"
    assert ("Pan American" in company(game, "TAG").markers) is kept
    assert (MarkerLost("TAG", "Pan American") in happened) is not kept


def test_the_coal_token_goes_where_a_train_can_run() -> None:
    """R-AL-170 (Table III), D-AL-12: not without a train, not out of its range, once."""

    def anniston(*trains: str, profile: str = "rulebook") -> Alabama:
        """Anniston, with Oxmoor beside it and Birmingham behind that."""
        position = Alabama(profile=profile).start("ABC", 60, a=60).phase("3").owns("ABC", "SNAR")
        return position.tiles(G6=("57", 1), G4=("441a", 5)).trains("ABC", *trains).operating("ABC")

    assert not offered(anniston().game(), "place_marker")
    assert values(anniston("2").game(), "place_marker", "SNAR", "hex") == ["G6", "H5"]
    assert values(anniston("2", profile="18xx.games").game(), "place_marker", "SNAR", "hex") == [
        "G4",
        "G6",
        "H5",
    ]
    game = anniston("3").game()
    refused(game, "", "place_marker", "SNAR", hex="H3")
    do(game, "place_marker", "SNAR", hex="G4")
    assert company(game, "ABC").markers == {"Warrior Coal Field": "G4"}
    assert not offered(game, "place_marker")
    assert not game.table.state.privates["SNAR"].closed


def test_the_coal_token_raises_runs_and_leaves_with_the_first_6_train() -> None:
    """R-AL-170 (Table III)"""
    position = Alabama().start("TAG", 60, a=60).phase("5").marker("TAG", "Warrior Coal Field", "E6")
    game = position.treasury("TAG", 2000).depot(t5=0).operating("TAG", "trains").game()
    assert game.rules.terms(game.table).extra == {"E6": 10}
    happened = do(game, "buy_train", "TAG", train="6", source="bank", trade_in="", price=630)
    assert MarkerLost("TAG", "Warrior Coal Field") in happened
    assert game.table.state.companies["TAG"].markers == {}


# --- privates ----------------------------------------------------------------------------------------------------


def test_companies_buy_privates_for_half_to_one_and_a_half_times_par() -> None:
    """R-AL-200 (4.2.6), example 24."""
    position = Alabama().start("TAG", 60, a=60).owns("a", "NDY").phase("3").treasury("TAG", 600)
    game = position.operating("TAG").game()
    prices = values(game, "buy_private", "TAG", "price", private="NDY")
    assert (prices[0], prices[-1]) == (60, 180)
    early = Alabama().start("TAG", 60, a=60).owns("a", "NDY").treasury("TAG", 600).operating("TAG")
    assert not offered(early.game(), "buy_private")


@pytest.mark.parametrize(("phase", "train", "price"), [("3", "3", 90), ("4", "4", 150)])
def test_new_decatur_yards_sells_a_train_for_half(phase: str, train: str, price: int) -> None:
    """R-AL-173 (Table III), example 24: once, which closes the private."""
    position = Alabama().start("TAG", 60, a=60).owns("TAG", "NDY").phase(phase).treasury("TAG", price)
    game = position.operating("TAG", "trains").game()
    do(game, "buy_train", "NDY", train=train, source="bank", trade_in="", price=price)
    assert company(game, "TAG").trains == [train]
    assert company(game, "TAG").cash == 0
    assert game.table.state.privates["NDY"].closed


def test_the_first_5_train_may_be_had_for_half() -> None:
    """R-AL-173: the price is fixed before the phase closes the privates."""
    position = Alabama().start("TAG", 60, a=60).owns("TAG", "NDY").phase("4").depot(t4=0)
    game = position.treasury("TAG", 225).operating("TAG", "trains").game()
    do(game, "buy_train", "NDY", train="5", source="bank", trade_in="", price=225)
    assert (game.table.state.phase, company(game, "TAG").trains) == ("5", ["5"])


@pytest.mark.parametrize(("profile", "possible"), [("rulebook", False), ("18xx.games", True)])
def test_the_cheaper_train_is_the_one_bank_train_of_the_turn(profile: str, possible: bool) -> None:
    """R-AL-173, R-AL-181, D-AL-10."""
    position = Alabama(profile=profile).start("TAG", 60, a=60).owns("TAG", "NDY").phase("3")
    game = position.treasury("TAG", 500).operating("TAG", "trains").game()
    do(game, "buy_train", "TAG", train="3", source="bank", trade_in="", price=180)
    assert offered(game, "buy_train", "NDY") is possible


def test_powers_need_a_company_that_owns_the_private() -> None:
    """R-AL-174 (1.3.1)"""
    position = Alabama().start("TAG", 60, a=60).owns("a", "NDY", "BLC", "SNAR").phase("3")
    game = position.trains("TAG", "2").treasury("TAG", 500).operating("TAG").game()
    assert not offered(game, "lay_tile", "BLC")
    assert not offered(game, "place_marker", "SNAR")
    passes(game, "TAG")
    while not offered(game, "buy_train", "TAG"):
        do(game, "run_routes", "TAG", routes=()) if offered(game, "run_routes") else passes(game, "TAG")
    assert not offered(game, "buy_train", "NDY")


# --- a turn ends when nothing is left, or the company says so --------------------------------------------------------


def step(game: Game) -> str:
    """The name of the step that waits."""
    found = game.step()
    assert found is not None
    return found.name


def anniston(*trains: str, profile: str = "rulebook") -> Alabama:
    """ABC with track from Anniston, its home, to Birmingham."""
    position = Alabama(profile=profile).start("ABC", 60, a=60).phase("3")
    return position.tiles(G6=("57", 1), G4=("441a", 5)).trains("ABC", *trains)


def test_after_its_last_train_a_company_is_asked_for_the_coal_token() -> None:
    """R-AL-102, R-AL-170 (4.2, Table III): at any time of its turn, so after buying the train that can reach coal."""
    game = anniston().owns("ABC", "SNAR").treasury("ABC", 180).operating("ABC", "trains").game()
    do(game, "buy_train", "ABC", train="3", source="bank", trade_in="", price=180)
    assert step(game) == "last_chance"
    do(game, "place_marker", "SNAR", hex="G4")
    assert game.table.state.round.kind == "stock"


def test_after_buying_its_private_at_the_end_a_company_is_asked_for_the_coal_token() -> None:
    """R-AL-102, R-AL-170, R-AL-200 (4.2.6)"""
    position = anniston("2").owns("a", "SNAR").treasury("ABC", 60).operating("ABC", "trains")
    game = position.game()
    assert step(game) == "last_chance"
    do(game, "buy_private", "ABC", private="SNAR", price=60)
    assert offered(game, "place_marker", "SNAR")
    passes(game, "ABC")
    assert game.table.state.round.kind == "stock"


def test_under_the_other_profile_the_coal_token_holds_no_turn() -> None:
    """D-AL-12: it may as well be placed in the turn of another company."""
    position = anniston("2", profile="18xx.games").owns("ABC", "SNAR").treasury("ABC", 60)
    game = position.operating("ABC", "trains").game()
    assert game.table.state.round.kind == "stock"


def test_a_company_that_has_laid_its_tile_may_still_buy_the_lumber_company_and_lay() -> None:
    """R-AL-102, R-AL-171, R-AL-200: its tile is extra and free."""
    position = Alabama().start("TAG", 60, a=60).owns("a", "BLC").phase("3").treasury("TAG", 35)
    game = position.operating("TAG", laid=["tile"]).game()
    assert kinds(game) == ["pass"]
    assert label(game, find(game, "pass")) == "Done with track"
    do(game, "buy_private", "TAG", private="BLC", price=35)
    do(game, "lay_tile", "BLC", hex="N5", tile="445", rotation=0)
    assert step(game) != "track"


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
def test_a_half_price_train_of_a_private_bought_now_keeps_the_train_step_open(
    facts: dict[str, Any], useful: bool
) -> None:
    """R-AL-102, R-AL-173, R-AL-200: $60 for New Decatur Yards, then $90, with room and a bank train left."""
    position = Alabama().start("TAG", 60, a=60).owns("a", "NDY").phase(facts.get("phase", "3"))
    position.treasury("TAG", facts["treasury"]).trains("TAG", *facts.get("trains", ("2",)))
    game = position.operating("TAG", "trains", bought_from_bank=facts.get("bought_from_bank", 0)).game()
    assert would_open(game.table, "trains") is useful


def test_a_price_that_does_not_move_keeps_its_place_in_the_stack() -> None:
    """Settled for 4(b): TAG withholds at the lower left and stays above the WRA."""
    position = Alabama().start("TAG", 60, at=(7, 1), a=60).start("WRA", 60, at=(7, 1), b=60)
    game = position.operating("TAG", "dividend", revenue=50).game()
    do(game, "dividend", "TAG", option="withhold")
    assert [one.id for one in operating_order(game.table)] == ["TAG", "WRA"]


def test_what_stops_the_coal_token_is_said() -> None:
    """R-AL-170, R-AL-174 (Table III): the owner, a train, its reach, and once only."""
    section = "4.2.6, Table III"
    game = anniston("2").owns("a", "SNAR").operating("ABC").game()
    refusal = refused(game, section, "place_marker", "SNAR", actor="a", hex="G6")
    assert "only in the turn of a company that owns it" in refusal
    game = anniston().owns("ABC", "SNAR").operating("ABC").game()
    assert "and it has none" in refused(game, section, "place_marker", "SNAR", hex="G6")
    game = anniston("2").owns("ABC", "SNAR").operating("ABC").game()
    assert "goes to" in refused(game, section, "place_marker", "SNAR", hex="J7")
    assert "No train of ABC can run to G4" in refused(game, section, "place_marker", "SNAR", hex="G4")
    do(game, "place_marker", "SNAR", hex="H5")
    assert "placed already" in refused(game, section, "place_marker", "SNAR", hex="G6")
