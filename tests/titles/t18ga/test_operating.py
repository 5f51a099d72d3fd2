"""18GA: track, tokens, routes and the powers of privates (4)."""

import pytest

from engine.board.upgrades import upgrade_candidates
from engine.interchange.log_ids import TrainIds
from engine.play.steps.run_trains import best_run
from engine.play.trains.phases import salable_trains
from tests.titles.builders import TitleGame
from tests.titles.t18ga.georgia import Georgia

MONTGOMERY = "D4:451a:0 E3:8:1"
"""Atlanta to Montgomery."""


@pytest.mark.parametrize(
    ("place", "company", "token", "tiles", "values"),
    [
        ("Jacksonville", "ACL", "", "I11:57:2", (50, 80)),
        ("Chattanooga", "CoG", "C3", "C3:57:2 B2:8:3", (50, 80)),
        ("Greeneville", "GA", "", "D10:57:2 C9:8:3", (50, 60)),
        ("Montgomery", "W&A", "", MONTGOMERY, (60, 70)),
        ("Tallahassee", "G&F", "", "H4:57:2 I5:8:0", (40, 70)),
    ],
)
def test_places_with_two_values(
    place: str, company: str, token: str, tiles: str, values: tuple[int, int]
) -> None:
    """R-GA-007, R-GA-072 (1): the second from the first 5-train on; with the other end of the run."""
    for phase, value in zip(("4", "5"), values, strict=True):
        built = Georgia().phase(phase).tiles(tiles).start(company, 90, a=60).trains(company, "4")
        if token:
            built.token(company, token)
        assert best_run(built.operating(company, "run").game().table).revenue == value, place


def test_montgomery_takes_no_token() -> None:
    """R-GA-005 (1): everybody may run through."""
    built = Georgia().tiles(MONTGOMERY + " D2:9:0 C3:57:0").start("W&A", 90, a=60).trains("W&A", "3")
    game = built.operating("W&A", "token").game()
    assert "No slot in E1 is free" in game.refused("4", "place_token", "W&A", hex="E1", city=0)
    game.passes("W&A")
    assert best_run(game.table).revenue == 30 + 30 + 20


def test_jacksonville_is_full_from_the_start() -> None:
    """R-GA-006 (1): the token of the ACL, which has not started; others may end a route there."""
    built = Georgia().tiles("I11:57:2 J10:9:1").start("SAL", 90, a=60).trains("SAL", "3")
    game = built.token("SAL", "I11").operating("SAL", "token").game()
    assert game.table.map.token_stops_of("ACL") == [("J12", 0)]
    game.refused("4", "place_token", "SAL", hex="J12", city=0)
    assert not game.offered("place_token", "SAL")
    assert best_run(game.table).revenue == 20 + 30
    assert game.table.map.blocks_routes_of("J12", 0, "SAL")
    assert not game.table.map.blocks_routes_of("J12", 0, "ACL")


def test_terrain_is_paid_with_the_first_tile() -> None:
    """R-GA-008 (1)"""
    game = Georgia().phase("3").tiles("F6:57:1").start("CoG", 90, a=60).operating("CoG").game()
    game.lay("CoG", "F8", "9", 1)
    assert game.company("CoG").cash == 900 - 20
    assert game.table.map.cost("F8") == 0


@pytest.mark.parametrize(
    ("coord", "under", "next_tiles"),
    [
        ("D4", "", "451a"),
        ("D4", "451a:0", "452a"),
        ("D4", "451a:0 452a:0", "455a"),
        ("D10", "", "5 6 57"),
        ("D10", "57:2", "453a"),
        ("D10", "57:2 453a:0", "456a"),
        ("G13", "6:0", "454a"),
        ("G13", "6:0 454a:1", "459a"),
        ("I11", "57:0", "14 15"),
        ("I11", "57:0 14:0", "457a"),
        ("F6", "57:0 14:0", "458a"),
        ("C3", "57:0 14:0", "63"),
        ("C3", "57:0 14:0 63:0", ""),
        ("E7", "58:0", "141 142 143"),
    ],
)
def test_tiles_of_cities_and_towns(coord: str, under: str, next_tiles: str) -> None:
    """R-GA-052, R-GA-053 (4)"""
    built = Georgia().phase("8").tiles(" ".join(f"{coord}:{tile}" for tile in under.split()))
    assert upgrade_candidates(built.t.map, coord, built.t.phase.tile_colours) == tuple(next_tiles.split())


@pytest.mark.parametrize(("first", "lays"), [(True, 2), (False, 1)])
def test_first_turn_may_have_two_yellow_tiles(first: bool, lays: int) -> None:
    """R-GA-050, R-GA-110 (4, 6)"""
    built = Georgia(options=("double_yellow_first_or",)).start("CoG", 90, a=60)
    game = built.operating("CoG", first=first).game()
    game.lay("CoG", "F6", "57", 1)
    if lays == 2:
        game.lay("CoG", "F8", "9", 1)
    assert not game.offered("lay_tile", "CoG")


@pytest.mark.parametrize(
    ("private", "coord", "company", "track"),
    [
        ("MRC", "F12", "SAL", "G13:6:0"),
        ("OSR", "G7", "CoG", "F6:57:2"),
        ("M&BR", "F4", "CoG", "F6:57:1"),
    ],
)
def test_private_of_a_player_blocks(private: str, coord: str, company: str, track: str) -> None:
    """R-GA-051 (4)"""
    for owner, open_ in (("b", False), (company, True)):
        built = Georgia().phase("3").start(company, 90, a=60).owns(owner, private).tiles(track)
        game = built.operating(company).game()
        assert (coord in game.values("lay_tile", company, "hex")) is open_


# --- Atlanta -------------------------------------------------------------------------------------------------------


def test_home_in_atlanta_is_chosen_with_its_tile() -> None:
    """R-GA-061 (4): by the company that lays it, before anything else."""
    for layer in ("W&A", "CoG"):
        built = Georgia().start("W&A", 90, b=60).start("CoG", 90, a=60).tiles("C3:57:2").operated("W&A")
        game = built.token("CoG", "C3").operating(layer).game()
        game.lay(layer, "D4", "451a")
        game.refused("4", "pass", layer)
        assert game.values("place_token", layer, "city", hex="D4") == [0, 1, 2]
        game.do("place_token", layer, hex="D4", city=2)
        assert game.table.map.token_stops_of("W&A") == [("D4", 2)]
        assert (game.company("W&A").tokens, game.company("CoG").tokens) == ([40], [100, 100])


def test_one_city_of_atlanta_stays_free() -> None:
    """R-GA-060, R-GA-062 (4): any of them, until the W&A has chosen; and a company has one token there."""
    board = Georgia().tiles("D4:451a:0").token("CoG", "D4").t.map
    assert board.has_space_for("D4", 1, "ACL")
    board.place_token("D4", 1, "ACL")
    assert not board.has_space_for("D4", 2, "SAL")
    assert board.has_space_for("D4", 2, "W&A")


def test_cities_of_atlanta_are_stops_of_one_train() -> None:
    """R-GA-071 (4)"""
    built = Georgia().tiles("D4:451a:0 E3:7:2 D2:8:3 C3:5:5").start("W&A", 90, a=60).trains("W&A", "3")
    assert best_run(built.operating("W&A", "run").game().table).revenue == 30 + 20 + 30


# --- privates ------------------------------------------------------------------------------------------------------


def owner(*privates: str, phase: str = "3", step: str = "track") -> TitleGame:
    """GA has these privates."""
    return Georgia().phase(phase).start("GA", 90, a=60).owns("GA", *privates).operating("GA", step).game()


def test_midland_lays_free_and_extra() -> None:
    """R-GA-080 (4): without connection; a player owns it no more."""
    game = owner("MRC")
    assert game.values("lay_tile", "MRC", "hex") == ["F12"]
    assert game.tiles_in("MRC", "F12") == ["7", "8", "9"]
    game.lay("MRC", "F12", "9")
    game.lay("GA", "D10", "57")
    assert game.company("GA").cash == 900


def test_waycross_token_is_that_of_the_turn() -> None:
    """R-GA-081, D-GA-5 (4): free, without connection, before there is a tile."""
    game = owner("W&SR", step="token")
    game.refused("4", "place_token", "W&SR", hex="F6", city=0)
    game.do("place_token", "W&SR", hex="I9", city=0)
    assert game.company("GA").cash == 900
    assert game.company("GA").tokens == [100, 100]
    assert game.step_name() != "token"


@pytest.mark.parametrize(("phase", "held", "received"), [("3", 0, True), ("3", 4, False), ("4", 1, False)])
def test_ocilla_brings_a_train(phase: str, held: int, received: bool) -> None:
    """R-GA-082 (4): before the first 4 and below the limit; other companies cannot buy it."""
    train = "2" if phase == "3" else "3"
    built = Georgia().phase(phase).start("GA", 90, a=60).start("CoG", 70, a=60).owns("a", "OSR")
    game = built.trains("GA", *[train] * held).operating("GA", "trains").game()
    game.do("buy_private", "GA", private="OSR", price=50)
    assert len(game.company("GA").trains) == held + received
    assert salable_trains(game.company("GA")) == [train] * bool(held)
    assert game.offered("buy_train", "GA") is (held < 4)


def test_log_numbers_the_train_of_a_private() -> None:
    """R-GA-082 (4): it is the last of its kind, and what may be sold comes before it."""
    built = Georgia().phase("3").depot(t2=1).start("GA", 90, a=60).owns("a", "OSR").pool("2")
    game = built.operating("GA", "trains").game()
    numbered = TrainIds(game.table.spec, game.table.state)
    numbered.assign_ids(game.do("buy_private", "GA", private="OSR", price=50))
    numbered.assign_ids(game.buy("GA", "2", 100, "pool"))
    assert numbered.train_ids_of("GA", "2") == ["2-0", "2-5"]
