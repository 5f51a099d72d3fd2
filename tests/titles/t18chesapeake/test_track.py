"""18Chesapeake: laying track, and the privates that lay it (rulebook 7.1, 11.3)."""

import pytest

from engine.board import upgrades
from engine.core.facts import fact
from engine.core.spec import Colour
from engine.game import Game
from tests.titles.builders import Position, company, do, domain, kinds, offered, passes, refused, values

ALL: tuple[Colour, ...] = ("yellow", "green", "brown", "gray")


def lay(game: Game, entity: str, hex: str, tile: str, rotation: int) -> None:
    """Lay a tile that must be legal."""
    do(game, "lay_tile", entity, hex=hex, tile=tile, rotation=rotation)


def lehigh(phase: str = "2", **privates: str) -> Position:
    """LV operates: its home leads by K1 to K3, and to I3."""
    position = Position().phase(phase).start("LV", 95, a=60, b=10).tile("J2", "57", 1)
    for private, owner in privates.items():
        position.owns(owner, private)
    return position.operating("LV", "track")


# --- the company's own tile ----------------------------------------------------------------------------------------


def test_one_tile_is_laid_in_a_turn() -> None:
    """R-CH-085 (11.3)"""
    game = lehigh().game()
    lay(game, "LV", "I3", "9", 1)
    assert game.step().name == "trains"  # type: ignore[union-attr]
    assert game.table.turn.laid
    assert not offered(game, "lay_tile")
    refused(game, "11", "lay_tile", "LV", hex="K3", tile="55", rotation=0)


def test_laying_nothing_is_allowed() -> None:
    """R-CH-085 (11.3)"""
    game = lehigh().game()
    passes(game, "LV")
    assert not game.table.turn.laid
    assert not offered(game, "lay_tile")


@pytest.mark.parametrize(
    ("phase", "colours"),
    [("2", ALL[:1]), ("3", ALL[:2]), ("4", ALL[:2]), ("5", ALL[:3]), ("6", ALL[:3]), ("D", ALL)],
)
def test_colours_come_with_the_phases(phase: str, colours: tuple[Colour, ...]) -> None:
    """R-CH-085, R-CH-008 (8, 11.3)"""
    game = lehigh(phase).game()
    tiles = game.title.spec.tiles
    laid = {
        tiles[tile].colour for h in values(game, "lay_tile", "LV", "hex") for tile in tiles_in(game, "LV", h)
    }
    assert laid <= set(colours)
    assert ("green" in laid) == (phase != "2")
    if phase == "2":
        assert "phase 2 has yellow" in refused(game, "8", "lay_tile", "LV", hex="I3", tile="23", rotation=0)
    for tile, rotation in (("15", 1), ("611", 0), ("915", 0)):
        if tiles[tile].colour in colours:
            assert tile in upgrades.candidates(game.table.map, "J2", colours)
            game.table.map.lay("J2", tile, rotation)
        else:
            assert tile not in upgrades.candidates(game.table.map, "J2", colours)


def tiles_in(game: Game, entity: str, coord: str) -> list[str]:
    """Tiles on offer for a hex."""
    return values(game, "lay_tile", entity, "tile", hex=coord)


def test_no_step_of_colour_is_left_out() -> None:
    """R-CH-085 (11.3): neither green on an empty hex nor brown on yellow."""
    game = lehigh("5").game()
    assert "cannot follow" in refused(game, "11.3", "lay_tile", "LV", hex="I3", tile="23", rotation=0)
    assert "cannot follow" in refused(game, "11.3", "lay_tile", "LV", hex="J2", tile="611", rotation=0)


def test_a_company_without_track_at_home_lays_only_there() -> None:
    """R-CH-086, R-CH-091, R-CH-094 (11.3), worked example 13."""
    game = Position().start("N&W", 70, a=60).operating("N&W").game()
    assert values(game, "lay_tile", "N&W", "hex") == ["C13"]
    assert "home C13" in refused(game, "11.3", "lay_tile", "N&W", hex="D12", tile="57", rotation=1)
    assert tiles_in(game, "N&W", "C13") == ["57"]
    refused(game, "11.3", "lay_tile", "N&W", hex="C13", tile="57", rotation=0)
    refused(game, "11.3", "lay_tile", "N&W", hex="C13", tile="57", rotation=7)
    lay(game, "N&W", "C13", "57", 1)
    assert company(game, "N&W").cash == 620


@pytest.mark.parametrize(("profile", "elsewhere"), [("rulebook", False), ("18xx.games", True)])
def test_a_station_elsewhere_does_not_make_up_for_a_home_without_track(profile: str, elsewhere: bool) -> None:
    """R-CH-086 (11.3), D-CH-13: the canal's tile is a special right, further tiles there are not."""
    position = (
        Position(profile=profile).phase("3").start("N&W", 70, a=60).tile("D2", "57", 0).token("N&W", "D2")
    )
    game = position.operating("N&W").game()
    assert ("C13" in values(game, "lay_tile", "N&W", "hex")) is True
    assert ("D4" in values(game, "lay_tile", "N&W", "hex")) is elsewhere


@pytest.mark.parametrize("profile", ["rulebook", "18xx.games"])
def test_tiles_of_privates_need_no_track_at_home(profile: str) -> None:
    """R-CH-086, R-CH-100, D-CH-13 (7.1, 11.3): the special right goes before the general rule."""
    position = Position(profile=profile).phase("3").start("N&W", 70, a=60).owns("N&W", "B&S", "C&OC")
    game = position.operating("N&W").game()
    assert {o.entity for o in game.offers() if o.kind == "lay_tile"} == {"N&W", "B&S", "C&OC"}


def test_a_first_tile_prolongs_a_route() -> None:
    """R-CH-087, R-CH-089 (11.3)"""
    game = lehigh().game()
    assert values(game, "lay_tile", "LV", "hex") == ["I3", "K3"]
    assert "reaches G7" in refused(game, "11.3", "lay_tile", "LV", hex="G7", tile="9", rotation=0)
    refused(game, "11.3", "lay_tile", "LV", hex="I3", tile="9", rotation=0)
    refused(game, "", "lay_tile", "LV", hex="Z9", tile="9", rotation=0)
    refused(game, "", "lay_tile", "LV", hex="I3", tile="999", rotation=0)
    for bad in (-1, 6, 10**20):
        assert "0 to 5" in refused(game, "11.3", "lay_tile", "LV", hex="I3", tile="9", rotation=bad)
    lay(
        game,
        "LV",
        "K3",
        "56",
        0 if 0 in values(game, "lay_tile", "LV", "rotation", hex="K3", tile="56") else 1,
    )


def test_a_plain_upgrade_needs_new_track_on_a_route() -> None:
    """R-CH-088, R-CH-090 (11.3): LV reaches I3 by its edges 1 and 4; the crossing adds nothing to that."""
    game = lehigh("3").tile("I3", "9", 1).game()
    assert "on no route" in refused(game, "11.3", "lay_tile", "LV", hex="I3", tile="20", rotation=1)
    for tile in tiles_in(game, "LV", "I3"):
        for rotation in values(game, "lay_tile", "LV", "rotation", hex="I3", tile=tile):
            pieces = {
                frozenset(p.ends()) for p in game.title.spec.tiles[tile].topology.turned(rotation).pieces
            }
            assert frozenset({1, 4}) in pieces
            assert any(piece & {1, 4} for piece in pieces - {frozenset({1, 4})})


def test_a_city_upgrade_needs_any_of_its_track_on_a_route() -> None:
    """R-CH-088 (11.3): the new exits may lead anywhere; LV comes to Philadelphia from the north."""
    game = lehigh("3").tile("J2", "15", 4).game()
    philadelphia = tiles_in(game, "LV", "J4")
    assert set(philadelphia) <= {"X3", "X4", "X5"}
    assert philadelphia
    assert "J6" not in values(game, "lay_tile", "LV", "hex")


def test_old_track_and_stations_stay() -> None:
    """R-CH-090 (11.3)"""
    game = lehigh("3").game()
    for rotation in values(game, "lay_tile", "LV", "rotation", hex="J2", tile="15"):
        assert game.title.spec.tiles["15"].topology.turned(rotation).edges >= {1, 4}
    rotation = values(game, "lay_tile", "LV", "rotation", hex="J2", tile="15")[0]
    lay(game, "LV", "J2", "15", rotation)
    assert game.table.map.slots("J2", 0) == ("LV", None)
    assert game.table.map.supply["57"] == 7


def test_no_track_leads_off_the_map_or_into_a_blank_side() -> None:
    """R-CH-091 (11.3)"""
    game = lehigh().game()
    board = game.table.map
    for coord in ("C13", "G13", "J2", "F2", "D2"):
        for rotation in upgrades.rotations(board, coord, "57" if coord != "J2" else "15"):
            number = "57" if coord != "J2" else "15"
            edges = game.title.spec.tiles[number].topology.turned(rotation).edges
            assert all(board.usable(coord, edge) for edge in edges)
    assert not board.usable("C13", 0)  # the border
    assert not board.usable("H12", 0)  # the blank side of Norfolk


@pytest.mark.parametrize(
    ("coord", "yellow"),
    [
        ("D12", {"57"}),
        ("F8", {"X1"}),
        ("G3", {"3", "4", "58"}),
        ("B4", {"1", "2", "55", "56", "69"}),
        ("G7", {"7", "8", "9"}),
        ("H6", set()),
        ("J4", set()),
        ("A7", set()),
        ("K1", set()),
    ],
)
def test_the_hex_decides_the_kind_of_tile(coord: str, yellow: set[str]) -> None:
    """R-CH-092 (11.3)"""
    board = lehigh().game().table.map
    assert (
        set(upgrades.candidates(board, coord, ALL))
        & {number for number, tile in board.spec.tiles.items() if tile.colour == "yellow"}
        == yellow
    )


def test_lettered_cities_have_tiles_of_their_own() -> None:
    """R-CH-092, R-CH-093 (11.3, 18)"""
    board = lehigh().game().table.map
    assert set(upgrades.candidates(board, "H6", ALL)) <= {"X3", "X4", "X5"}
    board.lay("H6", "X3", next(iter(upgrades.rotations(board, "H6", "X3"))))
    assert upgrades.candidates(board, "H6", ALL) == ("X7",)
    board.lay("H6", "X7", upgrades.rotations(board, "H6", "X7")[0])
    assert upgrades.candidates(board, "H6", ALL) == ("X9",)
    for tile in ("X1", "X2", "X6", "X8"):
        assert upgrades.candidates(board, "F8", ALL) == (tile,)
        board.lay("F8", tile, upgrades.rotations(board, "F8", tile)[0])
    assert upgrades.candidates(board, "F8", ALL) == ()


def test_towns_stay_yellow() -> None:
    """R-CH-092 (11.3)"""
    board = lehigh().game().table.map
    board.lay("G3", "58", 0)
    board.lay("B4", "1", 0)
    assert upgrades.candidates(board, "G3", ALL) == ()
    assert upgrades.candidates(board, "B4", ALL) == ()


def test_a_tile_used_up_cannot_be_laid_until_it_comes_back() -> None:
    """R-CH-011 (11.3)"""
    position = lehigh("3").tile("B4", "1", 0)
    assert position.t.map.supply["1"] == 0
    game = position.game()
    assert "used up" in refused(game, "11.3", "lay_tile", "LV", hex="K3", tile="1", rotation=0)


def test_terrain_is_paid_with_the_yellow_tile() -> None:
    """R-CH-094 (11.3), worked example 13: SRR at home pays 40; upgrades cost nothing."""
    game = Position().phase("3").start("SRR", 80, a=60).operating("SRR").game()
    lay(game, "SRR", "H4", "57", 2)
    assert company(game, "SRR").cash == 760
    game = Position().phase("3").start("SRR", 80, a=60).tile("H4", "57", 2).operating("SRR").game()
    lay(game, "SRR", "H4", "15", values(game, "lay_tile", "SRR", "rotation", hex="H4", tile="15")[0])
    assert company(game, "SRR").cash == 800


def test_baltimore_pays_its_terrain_with_the_green_tile() -> None:
    """R-CH-094 (11.3), worked example 13: 40 for green, nothing for brown, nothing in Philadelphia."""
    game = Position().phase("5").start("B&O", 80, a=60).operating("B&O").game()
    tile = tiles_in(game, "B&O", "H6")[0]
    lay(game, "B&O", "H6", tile, values(game, "lay_tile", "B&O", "rotation", hex="H6", tile=tile)[0])
    assert company(game, "B&O").cash == 760
    assert game.table.map.cost("H6") == 0
    assert game.table.map.cost("J4") == 0


def test_without_the_money_no_tile_is_laid_in_terrain() -> None:
    """R-CH-094 (11.3)"""
    game = Position().start("N&W", 70, a=60).treasury("N&W", 79).owns("a", "D&R").operating("N&W").game()
    assert not offered(game, "lay_tile", "N&W")
    position = Position().phase("3").start("C&A", 70, a=60).tile("J6", "57", 0).tile("J4", "X4", 0)
    game = position.treasury("C&A", 39).operating("C&A").game()
    hexes = values(game, "lay_tile", "C&A", "hex")
    assert "I5" not in hexes
    assert "I5 costs $40, C&A has $39" in refused(
        game, "11.3", "lay_tile", "C&A", hex="I5", tile="3", rotation=1
    )


@pytest.mark.parametrize(("owner", "blocked"), [("b", True), ("LV", False), ("PRR", False)])
def test_a_private_blocks_its_hexes_only_for_a_player(owner: str, blocked: bool) -> None:
    """R-CH-095 (7.1, 11.3)"""
    game = lehigh("3", **{"D&R": owner}).game()
    assert ("K3" in values(game, "lay_tile", "LV", "hex")) is not blocked
    if blocked:
        assert "owns D&R" in refused(game, "7.1", "lay_tile", "LV", hex="K3", tile="1", rotation=0)


# --- the pairs of tiles --------------------------------------------------------------------------------------------

PAIRS = [("C-P", "H2", "I3", 5), ("B&S", "F4", "G5", 5)]


@pytest.mark.parametrize(("private", "first", "second", "edge"), PAIRS)
def test_a_private_lays_two_joined_tiles_on_top_of_the_normal_one(
    private: str, first: str, second: str, edge: int
) -> None:
    """R-CH-100, R-CH-101, R-CH-102 (7.1): far from any route, without money, and the normal tile after it."""
    position = Position().phase("3").start("N&W", 70, a=60).tile("C13", "57", 1).treasury("N&W", 0)
    game = position.owns("N&W", private).operating("N&W").game()
    assert values(game, "lay_tile", private, "hex") == [first, second]
    assert values(game, "lay_tile", private, "tile", hex=first) == ["8", "9"]
    refused(game, "7.1", "lay_tile", private, hex=first, tile="7", rotation=0)
    refused(game, "7.1", "lay_tile", private, hex="D12", tile="57", rotation=0)
    topology = game.title.spec.tiles["9"].topology
    for rotation in range(6):
        joined = edge in topology.turned(rotation).edges
        if not joined:
            refused(game, "7.1", "lay_tile", private, hex=first, tile="9", rotation=rotation)
    lay(game, private, first, "9", edge % 3)
    assert kinds(game) == ["lay_tile"]
    assert values(game, "lay_tile", private, "hex") == [second]
    refused(game, "7.1", "pass", "N&W")
    refused(game, "7.1", "lay_tile", "N&W", hex="D12", tile="57", rotation=1)
    refused(game, "7.1", "lay_tile", private, hex=second, tile="9", rotation=(edge + 1) % 3)
    lay(game, private, second, "9", (edge + 3) % 3)
    assert company(game, "N&W").cash == 0
    assert not game.table.turn.laid
    refused(game, "7.1", "lay_tile", private, hex=first, tile="9", rotation=edge % 3)
    lay(game, "N&W", "D12", "57", 1)


def test_the_pair_may_follow_the_normal_tile() -> None:
    """R-CH-102 (7.1)"""
    game = lehigh("3", **{"B&S": "LV"}).game()
    lay(game, "LV", "K3", "55", values(game, "lay_tile", "LV", "rotation", hex="K3", tile="55")[0])
    assert [o.entity for o in game.offers() if o.kind == "lay_tile"] == ["B&S"]
    lay(game, "B&S", "G5", "8", values(game, "lay_tile", "B&S", "rotation", hex="G5", tile="8")[0])
    lay(game, "B&S", "F4", "8", values(game, "lay_tile", "B&S", "rotation", hex="F4", tile="8")[0])
    assert game.table.state.privates["B&S"].power_used


def test_the_pair_may_be_left_for_later() -> None:
    """R-CH-100 (7.1)"""
    game = lehigh("3", **{"B&S": "LV"}).game()
    passes(game, "LV")
    assert not game.table.state.privates["B&S"].power_used


def test_any_other_tile_in_its_hexes_ends_the_power() -> None:
    """R-CH-100 (7.1): even one of the owning company."""
    game = lehigh("3", **{"C-P": "LV"}).game()
    lay(game, "LV", "I3", "9", 1)
    assert not offered(game, "lay_tile")
    game = lehigh("3", **{"C-P": "LV"}).tile("I3", "9", 1).game()
    assert "already" in refused(game, "7.1", "lay_tile", "C-P", hex="H2", tile="9", rotation=2)


@pytest.mark.parametrize("owner", ["a", "PRR"])
def test_only_the_owning_company_uses_a_private(owner: str) -> None:
    """R-CH-100 (7.1)"""
    game = lehigh("3", **{"B&S": owner}).start("PRR", 80, a=60).game()
    sentence = refused(game, "7.1", "lay_tile", "B&S", hex="F4", tile="9", rotation=2)
    assert "does not" in sentence


def test_privates_without_a_power_lay_nothing() -> None:
    """R-CH-104 (7.1)"""
    game = lehigh("3", **{"D&R": "LV"}).game()
    refused(game, "7.1", "lay_tile", "D&R", hex="K3", tile="55", rotation=0)


def half_a_pair(from_log: int) -> Game:
    """LV has laid the first tile of the B&S, on 18xx.games."""
    position = (
        Position(profile="18xx.games", from_log=from_log).phase("3").start("LV", 95, a=60).tile("J2", "57", 1)
    )
    game = position.owns("LV", "B&S").operating("LV").game()
    lay(game, "B&S", "F4", "9", 2)
    return game


def test_in_an_old_log_one_tile_of_a_pair_may_stand() -> None:
    """R-CH-100, D-CH-20: recorded games have it."""
    passes(half_a_pair(from_log=99), "LV")


def test_that_site_wants_both_tiles_of_a_pair_today() -> None:
    """R-CH-100, D-CH-20 (7.1)"""
    refused(half_a_pair(from_log=0), "7.1", "pass", "LV")


# --- the canal -----------------------------------------------------------------------------------------------------


def canal(treasury: int = 100) -> Position:
    """N&W owns the canal, far from D2."""
    position = Position().phase("3").start("N&W", 70, a=60).tile("C13", "57", 1).treasury("N&W", treasury)
    return position.owns("N&W", "C&OC").operating("N&W")


def test_the_canal_lays_its_city_and_a_free_station() -> None:
    """R-CH-103 (7.1), worked example 14."""
    game = canal().game()
    assert tiles_in(game, "C&OC", "D2") == ["57"]
    refused(game, "7.1", "lay_tile", "C&OC", hex="D2", tile="9", rotation=0)
    refused(game, "7.1", "lay_tile", "C&OC", hex="C5", tile="57", rotation=0)
    lay(game, "C&OC", "D2", "57", values(game, "lay_tile", "C&OC", "rotation", hex="D2", tile="57")[0])
    assert company(game, "N&W").cash == 20
    assert {o.entity for o in game.offers() if o.blocking} == {"C&OC"}
    refused(game, "7.1", "lay_tile", "N&W", hex="D12", tile="57", rotation=1)
    refused(game, "7.1", "place_token", "C&OC", hex="C13", city=0)
    do(game, "place_token", "C&OC", hex="D2", city=0)
    nw = company(game, "N&W")
    assert (nw.cash, nw.tokens) == (20, [60])
    assert game.table.map.tokens_of("N&W") == [("C13", 0), ("D2", 0)]
    assert {"track", "token"} <= set(game.table.turn.done)
    assert not offered(game, "lay_tile")


def test_declining_the_free_station_keeps_the_normal_one() -> None:
    """R-CH-103 (7.1)"""
    game = canal(200).tile("D12", "57", 1).game()
    lay(game, "C&OC", "D2", "57", values(game, "lay_tile", "C&OC", "rotation", hex="D2", tile="57")[0])
    passes(game, "C&OC")
    assert not offered(game, "lay_tile")
    assert values(game, "place_token", "N&W", "hex") == ["D12"]
    do(game, "place_token", "N&W", hex="D12", city=0)
    assert company(game, "N&W").cash == 200 - 80 - 40


def test_the_canal_takes_the_place_of_the_normal_tile() -> None:
    """R-CH-103 (7.1)"""
    game = canal().owns("N&W", "B&S").game()
    lay(game, "N&W", "D12", "57", 1)
    assert "takes the place" in refused(game, "7.1", "lay_tile", "C&OC", hex="D2", tile="57", rotation=0)


def test_without_its_terrain_or_its_empty_hex_the_canal_lays_nothing() -> None:
    """R-CH-103 (7.1)"""
    game = canal(79).game()
    refused(game, "7.1", "lay_tile", "C&OC", hex="D2", tile="57", rotation=0)
    game = canal().tile("D2", "57", 0).game()
    refused(game, "7.1", "lay_tile", "C&OC", hex="D2", tile="57", rotation=0)


def test_the_canal_of_a_company_without_a_station_left_lays_its_tile_only() -> None:
    """R-CH-103 (7.1)"""
    position = canal()
    position.state.companies["N&W"].tokens = []
    game = position.game()
    lay(game, "C&OC", "D2", "57", values(game, "lay_tile", "C&OC", "rotation", hex="D2", tile="57")[0])
    assert not offered(game, "place_token")


def test_a_company_that_can_lay_nothing_may_still_buy_the_canal_and_lay_its_tile() -> None:
    """R-CH-082, R-CH-103 (7.1, 11): privates are bought at any moment of the turn."""
    position = Position().phase("3").start("C&O", 70, a=60).owns("a", "C&OC").treasury("C&O", 120)
    position.tile("G13", "57", 2)
    position.t.map.supply.update({"14": 0, "15": 0, "7": 0, "8": 0, "9": 0})
    game = position.operating("C&O").game()
    assert domain(game, "buy_private", "C&O", "price", private="C&OC").allowed() == fact(
        "allowed.range", low=40, high=120, step=1
    )
    do(game, "buy_private", "C&O", private="C&OC", price=40)
    assert offered(game, "lay_tile", "C&OC")


def test_what_stops_a_lay_is_said() -> None:
    """R-CH-085, R-CH-092 (11.3): a hex that is full, tiles used up, tiles that fit in no way."""
    game = lehigh("3").tile("K3", "1", 0).game()
    refusal = refused(game, "11.3", "lay_tile", "LV", hex="K3", tile="2", rotation=0)
    assert "No tile of this game may follow what lies in K3" in refusal
    assert "No tile is ever laid in K1" in refused(
        game, "11.3", "lay_tile", "LV", hex="K1", tile="57", rotation=0
    )
    position = lehigh("3")
    position.t.map.supply.update({"7": 0, "8": 0, "9": 0})
    refusal = refused(position.game(), "11.3", "lay_tile", "LV", hex="I3", tile="7", rotation=0)
    assert "No tile that may follow what lies in I3 is left" in refusal
    game = lehigh("2").game()
    assert "The next tile in J2 is green; phase 2 has yellow" in refused(
        game, "8", "lay_tile", "LV", hex="J2", tile="15", rotation=0
    )


def test_no_hex_is_said_to_wait_for_a_colour_that_has_no_tile_for_it() -> None:
    """R-CH-085 (8, 11.3): gray tiles are for labelled hexes only, so that plain ones end at brown in every phase."""
    position = lehigh("5").tile("I3", "9", 1).tile("I3", "23", 1)
    brown = upgrades.may_follow(position.t.map, "I3")[0]
    position.tile("I3", brown, upgrades.rotations(position.t.map, "I3", brown)[0])
    refusal = refused(position.game(), "11.3", "lay_tile", "LV", hex="I3", tile="X8", rotation=0)
    assert "No tile of this game may follow what lies in I3" in refusal


def test_tiles_that_would_point_off_the_map_are_not_said_to_be_used_up() -> None:
    """R-CH-092 (11.3): J10 has two sides on the map, and every green tile has three or more."""
    position = lehigh("3").tile("J10", "7", 2)
    position.t.map.supply.update({"26": 0, "27": 0, "28": 0, "29": 0})
    refusal = refused(position.game(), "11.3", "lay_tile", "LV", hex="J10", tile="26", rotation=0)
    assert "No tile of this game may follow what lies in J10" in refusal


def test_a_pair_needs_two_tiles_that_are_left() -> None:
    """R-CH-100 (7.1): both or none, so the last tile of its kind is not laid alone."""
    position = lehigh("3", **{"B&S": "LV"})
    position.t.map.supply.update({"8": 1, "9": 0})
    game = position.game()
    assert not offered(game, "lay_tile", "B&S")
    assert "B&S needs 2 tiles" in refused(game, "7.1", "lay_tile", "B&S", hex="F4", tile="8", rotation=2)


def test_the_canal_keeps_the_track_step_open_only_while_it_can_be_paid_for() -> None:
    """R-CH-082, R-CH-103, R-CH-108 (7.1, 11): $40 for the canal and $80 for the hill, before any tile is laid."""
    for treasury, laid, asked in ((120, [], True), (119, [], False), (120, ["tile"], False)):
        position = Position().phase("3").start("C&O", 70, a=60).owns("a", "C&OC").treasury("C&O", treasury)
        position.tile("G13", "57", 2).trains("C&O", "2", "2", "2", "2")
        position.t.map.supply.update({"14": 0, "15": 0, "7": 0, "8": 0, "9": 0})
        game = position.operating("C&O", laid=laid).game()
        assert ("track" not in game.table.turn.done) is asked


@pytest.mark.parametrize(("treasury", "asked"), [(10, True), (9, False)])
def test_a_blocked_hex_waits_for_the_private_that_blocks_it(treasury: int, asked: bool) -> None:
    """R-CH-095, R-CH-108 (7.1): K3 is the only hex left for LV, and buying the D&R opens it."""
    position = lehigh("3").owns("b", "D&R").treasury("LV", treasury).trains("LV", "2")
    position.t.map.supply.update({"7": 0, "8": 0, "9": 0, "14": 0, "15": 0, "X3": 0, "X4": 0, "X5": 0})
    game = position.game()
    assert not offered(game, "lay_tile", "LV")
    assert ("track" not in game.table.turn.done) is asked
    if asked:
        do(game, "buy_private", "LV", private="D&R", price=10)
        do(game, "answer", "b", reply="agree")
        assert values(game, "lay_tile", "LV", "hex") == ["K3"]
