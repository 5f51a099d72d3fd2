"""18MS: track, tokens, routes, and the privates for them (4)."""

import pytest

from engine.board.upgrades import upgrade_candidates
from engine.play.steps.run_trains import best_run
from tests.titles.builders import TitleGame
from tests.titles.t18ms.mississippi import TO_NEW_ORLEANS, Mississippi, run_best


@pytest.mark.parametrize(
    ("place", "company", "token", "tiles", "values"),
    [
        ("Memphis", "IC", "", "B2:58:2", (50, 60)),
        ("Memphis by A3", "IC", "C7", "C7:57:2 B6:8:5 B4:8:2", (60, 70)),
        ("Chattanooga", "L&N", "", "C9:57:0 B10:8:4", (60, 80)),
        ("Jackson", "Fr", "", "E3:9:1 E5:57:1", (50, 80)),
        ("Atlanta", "WRA", "", "E11:57:1", (60, 70)),
        ("Tallahassee", "GMO", "", "H6:57:1 H8:4:1", (60, 80)),
    ],
)
def test_places_with_two_values(
    place: str, company: str, token: str, tiles: str, values: tuple[int, int]
) -> None:
    """R-MS-008, R-MS-009 (1): the second from the first 6-train on; with the other end of the run."""
    for phase, value in zip(("3", "6"), values, strict=True):
        built = Mississippi().phase(phase).tiles(tiles).start(company, 90, a=60).trains(company, "3+")
        if token:
            built.token(company, token)
        assert best_run(built.operating(company, "run").game().table).revenue == value, place


def test_first_turn_has_two_tiles() -> None:
    """R-MS-041 (4): one of them an upgrade at most, in any order."""
    for first, lays in ((True, 2), (False, 1)):
        built = Mississippi().phase("3").tiles("H6:57:1").start("GMO", 90, a=60)
        game = built.operating("GMO", first=first).game()
        game.lay("GMO", "H6", "15")
        assert game.offered("lay_tile", "GMO") is (lays == 2)
        if lays == 2:
            assert "H6" not in game.values("lay_tile", "GMO", "hex")
            game.lay("GMO", "H4", "4")
            assert not game.offered("lay_tile", "GMO")


@pytest.mark.parametrize(
    ("coord", "under", "next_tiles"),
    [
        ("H6", "", "5 6 57"),
        ("H6", "57:1", "14 15 619"),
        ("H6", "57:1 15:1", "X31b"),
        ("H6", "57:1 14:1", ""),
        ("H6", "57:1 619:1", ""),
        ("C9", "57:0 14:0", "63"),
        ("E11", "57:0 14:0 63:0", "446"),
        ("E9", "57:0 14:0 63:0", ""),
        ("C5", "58:0", "87 88 143 204"),
    ],
)
def test_tiles_of_cities_and_towns(coord: str, under: str, next_tiles: str) -> None:
    """R-MS-042 (4)"""
    built = Mississippi().phase("D").tiles(" ".join(f"{coord}:{tile}" for tile in under.split()))
    assert upgrade_candidates(built.t.map, coord, built.t.phase.tile_colours) == tuple(next_tiles.split())


# --- Chattanooga and New Orleans ------------------------------------------------------------------------------------


def test_first_way_to_chattanooga_pays() -> None:
    """R-MS-043 (4): once in the game, for the company that lays in B10."""
    built = Mississippi().phase("3").tiles("C9:57:0").start("L&N", 90, a=60).start("IC", 90, b=60)
    game = built.operating("L&N").game()
    game.lay("L&N", "B10", "8", 4)
    assert game.company("L&N").cash == 950
    built = Mississippi().phase("3").tiles("C9:57:0 B10:8:4").start("L&N", 90, a=60).start("IC", 90, b=60)
    built.state.companies["IC"].markers["Chattanooga"] = "B12"
    game = built.operating("L&N").game()
    game.lay("L&N", "B10", "28")
    assert game.company("L&N").cash == 900


def token_in_new_orleans(phase: str, train: str) -> TitleGame:
    """GMO has just placed a token in New Orleans."""
    built = Mississippi().phase(phase).tiles(TO_NEW_ORLEANS).start("GMO", 90, a=60).trains("GMO", train)
    game = built.operating("GMO", "token").game()
    game.do("place_token", "GMO", hex="I1", city=0)
    return game


@pytest.mark.parametrize(
    ("phase", "train", "revenue"), [("3", "2+", 100), ("6", "5", 120), ("D", "5", 130), ("D", "5D", 250)]
)
def test_token_in_new_orleans_pays(phase: str, train: str, revenue: int) -> None:
    """R-MS-044, R-MS-050, D-MS-2 (4): $100 at once; $10 on each route before phase 6 and there in phase D."""
    game = token_in_new_orleans(phase, train)
    assert game.company("GMO").cash == 900 - 40 + 100
    assert best_run(game.table).revenue == revenue


def test_first_6_ends_the_bonus_of_routes() -> None:
    """R-MS-044 (4)"""
    built = Mississippi().phase("3").depot(**{"t2+": 0, "t3+": 0, "t4+": 0, "t5": 0}).start("GMO", 90, a=60)
    built.state.companies["GMO"].markers["New Orleans"] = "I1"
    game = built.operating("GMO", "trains").game()
    game.buy("GMO", "6", 550)
    assert game.company("GMO").markers == {}


def test_new_orleans_and_its_town() -> None:
    """R-MS-045 (4): both alone are a route."""
    game = token_in_new_orleans("3", "2+")
    built = Mississippi().phase("3").start("IC", 90, a=60).trains("IC", "2+").token("IC", "I1")
    assert best_run(built.operating("IC", "run").game().table).revenue == 60
    run_best(game, "GMO")
    assert [len(route.split()) for route in game.table.turn.runs]


def test_what_pays_in_a_run() -> None:
    """R-MS-050 (4): with a plus towns are free; others count them, and D-trains double them."""
    for train, revenue in (("2+", 50 + 10 + 10 + 20), ("2D", 2 * (80 + 10)), ("4D", 2 * (80 + 10 + 10 + 20))):
        phase = "D" if train.endswith("D") else "3"
        built = Mississippi().phase(phase).tiles(TO_NEW_ORLEANS).start("GMO", 90, a=60).token("GMO", "I1")
        assert best_run(built.trains("GMO", train).operating("GMO", "run").game().table).revenue == revenue


# --- privates ------------------------------------------------------------------------------------------------------


def test_president_sells_privates() -> None:
    """R-MS-060, D-MS-6 (4)"""
    built = Mississippi().phase("3").start("GMO", 90, a=60).owns("a", "BS").owns("b", "M&M")
    game = built.operating("GMO").game()
    prices = game.values("buy_private", "GMO", "price", private="BS")
    assert (prices[0], prices[-1]) == (20, 60)
    assert "only if Ann, its president, owned it" in game.refused(
        "4", "buy_private", "GMO", private="M&M", price=50
    )


def test_first_round_prices() -> None:
    """R-MS-060 (4)"""
    built = Mississippi().start("GMO", 90, a=60).owns("a", "AGS", "M&M")
    game = built.operating("GMO", set=1, of=2).game()
    assert game.values("buy_private", "GMO", "private") == ["AGS"]
    assert game.values("buy_private", "GMO", "price", private="AGS") == [30]
    game.refused("4", "buy_private", "GMO", private="M&M", price=50)


def test_tiles_of_privates_are_extra_and_free() -> None:
    """R-MS-061, D-MS-1 (4): AGS lays at any moment, BS in the track step; upgrades, too."""
    built = Mississippi().phase("3").tiles("H6:57:1 H4:4:1").start("GMO", 90, a=60).owns("GMO", "AGS", "BS")
    game = built.trains("GMO", "2+").operating("GMO").game()
    game.lay("GMO", "H6", "15")
    game.lay("BS", "H2", "8", 4)
    game.passes("GMO")
    game.refused("4", "lay_tile", "BS", hex="H8", tile="4", rotation=1)
    assert "H4" in game.values("lay_tile", "AGS", "hex")
    game.lay("AGS", "H8", "4", 1)
    assert game.company("GMO").cash == 900
    assert not game.offered("lay_tile")


def test_bs_lays_in_one_turn() -> None:
    """R-MS-061 (4): one or two tiles, and none in a later turn."""
    for used, offered in ((False, True), (True, False)):
        built = Mississippi().phase("3").tiles("H6:57:1").start("GMO", 90, a=60).owns("GMO", "BS", used=used)
        game = built.operating("GMO").game()
        assert game.offered("lay_tile", "BS") is offered
    game = Mississippi().tiles("H6:57:1").start("GMO", 90, a=60).owns("GMO", "BS").operating("GMO").game()
    game.lay("BS", "H4", "4", 1)
    game.lay("BS", "H2", "8", 4)
    assert not game.offered("lay_tile", "BS")


def test_track_step_waits_for_bs() -> None:
    """R-MS-060, R-MS-061 (4): while the president owns it, and not in the first operating round."""
    for number, waits in ((2, True), (1, False)):
        built = Mississippi().phase("3" if waits else "2").start("GMO", 90, a=60).owns("a", "BS")
        game = built.operating("GMO", set=number, of=2).game()
        game.lay("GMO", "H6", "57", 1)
        assert (game.step_name() == "track") is waits


def test_token_of_mm_costs_half() -> None:
    """R-MS-062 (4): it is the token of the turn."""
    built = Mississippi().phase("3").tiles(TO_NEW_ORLEANS).start("GMO", 90, a=60).owns("GMO", "M&M")
    game = built.operating("GMO", "token").game()
    game.do("place_token", "M&M", hex="I1", city=0)
    assert game.company("GMO").cash == 900 - 20 + 100
    assert game.company("GMO").tokens == [100, 100]
    assert game.step_name() != "token"
