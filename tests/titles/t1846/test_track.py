"""1846: the cost of tiles, tokens, and privates on the map (4)."""

from typing import Any

import pytest

from engine.core.ids import PlayerId
from tests.titles.builders import TitleGame
from tests.titles.t1846.midwest import Midwest

EAST = "E19:8:1 E17:291:3"
"""Track from Erie to Cleveland."""


def running(
    company: str = "NYC", *privates: str, tiles: str = "", phase: str = "I", treasury: int = 500
) -> Midwest:
    """Ann's company at its track step, with these privates."""
    built = Midwest().start(company, 100, a=40).phase(phase).treasury(company, treasury)
    return built.owns(company, *privates).tiles(tiles).operating(company)


def paid(game: TitleGame, company: str, coord: str, tile: str, rotation: int, by: str = "") -> int:
    """Dollars that a lay costs the company."""
    before = game.company(company).cash
    game.lay(by or company, coord, tile, rotation)
    return before - game.company(company).cash


@pytest.mark.parametrize(
    ("company", "privates", "tiles", "lay", "cost"),
    [
        ("NYC", (), "", ("E19", "8", 1), 20),
        ("GT", (), "", ("B16", "6", 4), 60),
        ("GT", ("TBC",), "", ("B16", "6", 4), 40),
        ("PRR", (), "", ("E19", "8", 3), 60),
        ("PRR", ("TBC",), "", ("E19", "8", 3), 40),
        ("PRR", (), "G19:14:2", ("F18", "8", 4), 40),
        ("PRR", (), "G19:14:2", ("F18", "7", 4), 80),
        ("GT", (), "B16:6:4", ("C15", "294", 0), 100),
        ("C&O", (), "", ("H14", "9", 2), 60),
        ("C&O", ("TBC",), "", ("H14", "9", 2), 40),
        ("IC", (), "", ("J4", "9", 0), 0),
        ("IC", (), "J6:9:1", ("J4", "8", 4), 40),
    ],
)
def test_cost_of_a_tile(
    company: str, privates: tuple[str, ...], tiles: str, lay: tuple[Any, ...], cost: int
) -> None:
    """R-1846-071, R-1846-072, R-1846-073 (4): $20 or the terrain, and sides that it joins."""
    phase = "II" if lay[1] == "294" else "I"
    game = running(company, *privates, tiles=tiles, phase=phase).game()
    assert paid(game, company, *lay) == cost


def test_lays_of_a_turn() -> None:
    """R-1846-070, R-1846-074, R-1846-075, D-1846-6 (4): a tile and its upgrade in one hex; Z has tiles of its own."""
    game = running(tiles="E19:8:1", phase="II").game()
    assert set(game.tiles_in("NYC", "E17")) == {"291", "292", "293"}
    assert "D16" not in game.values("lay_tile", "NYC", "hex")
    game.lay("NYC", "E17", "291", 3)
    assert set(game.tiles_in("NYC", "E17")) == {"294", "295", "296"}
    game.lay("NYC", "E17", "294")
    assert "lay_tile" not in game.kinds()


def test_independents_only_lay_and_run() -> None:
    """R-1846-076, R-1846-103 (4): from their own money; half of the revenue is theirs."""
    built = Midwest().owns("a", "MSP").treasury("MS", 60).cash(a=0).trains("MS", "2").tiles("B16:6:4")
    built.state.companies["MS"].floated = True
    game = built.operating("MS").game()
    assert paid(game, "MS", "C13", "7", 3) == 20
    assert not {"place_token", "issue", "redeem", "buy_private"} & {offer.kind for offer in game.offers()}
    game.passes("MS")
    game.do("run_routes", "MS", routes=game.best_run().routes)
    assert (game.company("MS").cash, game.cash()["a"]) == (70, 30)


@pytest.mark.parametrize(
    ("company", "phase", "tiles", "spot", "price"),
    [
        ("NYC", "I", EAST, ("E17", 0), 80),
        ("NYC", "I", "", ("E17", 0), None),
        ("PRR", "I", "", ("E11", 0), 60),
        ("B&O", "I", "", ("H12", 0), 100),
        ("ERIE", "I", "E19:7:3", ("D20", 0), 40),
        ("PRR", "I", "E19:8:3", ("D20", 0), None),
        ("IC", "I", "J4:9:0", ("I5", 0), 40),
        ("PRR", "IV", "", ("E11", 0), 60),
    ],
)
def test_price_of_a_token(
    company: str, phase: str, tiles: str, spot: tuple[str, int], price: int | None
) -> None:
    """R-1846-080, R-1846-081 (4): $80; reserved ones cost less with a connection, some may do without."""
    game = running(company, tiles=tiles, phase=phase).game()
    if price is None:
        game.refused("4", "place_token", company, hex=spot[0], city=spot[1])
        return
    game.do("place_token", company, hex=spot[0], city=spot[1])
    assert game.company(company).cash == 500 - price


def test_extra_token_in_chicago() -> None:
    """R-1846-082, R-1846-083 (4): free, once, and only where the company has none in the hex."""
    built = running("NYC", "C&WI")
    built.t.map.release_spaces("C&WI")
    game = built.game()
    game.do("place_token", "C&WI", hex="D6", city=3)
    assert (game.company("NYC").cash, len(game.company("NYC").tokens)) == (500, 3)
    game.refused("4", "place_token", "C&WI", hex="D6", city=3)


def test_second_tile_of_a_private_joins_the_first() -> None:
    """R-1846-151 (4): free, without connection; or it is given up."""
    game = running("NYC", "MC").game()
    assert paid(game, "NYC", "B10", "8", 4, by="MC") == 0
    assert set(game.values("lay_tile", "MC", "hex")) == {"B12"}
    game.passes("MC")
    assert not [offer for offer in game.offers() if offer.entity == "MC"]


def test_lake_shore_upgrades_a_city_free() -> None:
    """R-1846-151 (4): without a connection, and beside the two lays."""
    game = running("NYC", "LSL", tiles="D14:57:0", phase="II").game()
    assert paid(game, "NYC", "D14", "14", 2, by="LSL") == 0
    assert game.table.turn.laid == []


def test_little_miami_joins_two_cities() -> None:
    """R-1846-152 (4): a tile in each; only the river costs money."""
    game = running("NYC", "LM").game()
    assert paid(game, "NYC", "H12", "291", 3, by="LM") == 0
    assert game.kinds() == ["lay_tile"]
    game.lay("LM", "G13", "57", 0)
    assert not [offer for offer in game.offers() if offer.entity == "LM"]


def steamer(owner: PlayerId | str) -> Midwest:
    """The SC with its owner, before the round for a player; GT and NYC have started."""
    return running("NYC").start("GT", 80, b=20).owns(owner, "SC")


def test_steamboat_of_a_player() -> None:
    """R-1846-153, R-1846-154 (4): a port and a company before the round, until phase III."""
    built = steamer("a")
    built.t.operating_round.turn = None
    game = built.game()
    game.do("place_marker", "SC", actor="a", hex="B8")
    game.do("give_marker", "SC", actor="a", company="GT")
    assert game.company("GT").markers == {"steamboat": "B8"}
    assert game.step_name() == "track"


def test_steamboat_of_a_company() -> None:
    """R-1846-153 (4): one move a round, before it has run."""
    game = steamer("a").game()
    game.do("buy_private", "NYC", private="SC", price=1)
    game.do("place_marker", "SC", hex="C5")
    game.refused("4", "place_marker", "SC", hex="B8")
    assert game.company("NYC").markers == {"steamboat": "C5"}
