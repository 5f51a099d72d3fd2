"""18Chesapeake: privates that lay track (rulebook 7.1)."""

import pytest

from engine.core.facts import fact
from engine.game import Game
from tests.titles.builders import (
    Position,
    company,
    do,
    domain,
    kinds,
    lay,
    offered,
    passes,
    refused,
    tiles_in,
    values,
)


def lehigh(private: str, owner: str = "LV") -> Position:
    """LV operates: its home leads by K1 to K3, and to I3."""
    position = Position().phase("3").start("LV", 95, a=60, b=10).tile("J2", "57", 1)
    return position.owns(owner, private).operating("LV", "track")


@pytest.mark.parametrize(("private", "first", "second"), [("C-P", "H2", "I3"), ("B&S", "F4", "G5")])
def test_pair_is_laid_on_top_of_normal_tile(private: str, first: str, second: str) -> None:
    """R-CH-100, R-CH-101, R-CH-102 (7.1): joined, far from any route, without money."""
    position = Position().phase("3").start("N&W", 70, a=60).tile("C13", "57", 1).treasury("N&W", 0)
    game = position.owns("N&W", private).operating("N&W").game()
    assert values(game, "lay_tile", private, "hex") == [first, second]
    assert tiles_in(game, private, first) == ["8", "9"]
    refused(game, "7.1", "lay_tile", private, hex=first, tile="7", rotation=0)
    refused(game, "7.1", "lay_tile", private, hex="D12", tile="57", rotation=0)
    for rotation in (0, 1, 3, 4):
        refused(game, "7.1", "lay_tile", private, hex=first, tile="9", rotation=rotation)
    lay(game, private, first, "9", 2)
    assert kinds(game) == ["lay_tile"]
    assert values(game, "lay_tile", private, "hex") == [second]
    refused(game, "7.1", "pass", "N&W")
    refused(game, "7.1", "lay_tile", "N&W", hex="D12", tile="57", rotation=1)
    refused(game, "7.1", "lay_tile", private, hex=second, tile="9", rotation=0)
    lay(game, private, second, "9", 2)
    assert (company(game, "N&W").cash, game.table.turn.laid) == (0, [])
    refused(game, "7.1", "lay_tile", private, hex=first, tile="9", rotation=2)
    lay(game, "N&W", "D12", "57", 1)


def test_pair_may_follow_normal_tile() -> None:
    """R-CH-100, R-CH-102 (7.1): or wait."""
    game = lehigh("B&S").game()
    lay(game, "LV", "K3", "55")
    assert [o.entity for o in game.offers() if o.kind == "lay_tile"] == ["B&S"]
    lay(game, "B&S", "G5", "8")
    lay(game, "B&S", "F4", "8")
    assert game.table.state.privates["B&S"].power_used
    game = lehigh("B&S").game()
    passes(game, "LV")
    assert not game.table.state.privates["B&S"].power_used


def test_other_tile_in_its_hexes_ends_the_power() -> None:
    """R-CH-100 (7.1): even one of the owning company."""
    game = lehigh("C-P").game()
    lay(game, "LV", "I3", "9", 1)
    assert not offered(game, "lay_tile")


def test_pair_needs_two_tiles_left() -> None:
    """R-CH-100 (7.1): the last tile of its kind is not laid alone."""
    position = lehigh("B&S")
    position.t.map.supply.update({"8": 1, "9": 0})
    assert not offered(position.game(), "lay_tile", "B&S")


@pytest.mark.parametrize(("private", "owner"), [("B&S", "a"), ("B&S", "PRR"), ("D&R", "LV")])
def test_power_is_for_the_owning_company(private: str, owner: str) -> None:
    """R-CH-100, R-CH-104 (7.1): and some privates have none."""
    game = lehigh(private, owner).start("PRR", 80, a=60).game()
    refused(game, "7.1", "lay_tile", private, hex="F4", tile="9", rotation=2)


def test_half_a_pair_stands_in_old_logs() -> None:
    """R-CH-100, D-CH-20 (7.1): that site wants both tiles today."""
    for from_log in (99, 0):
        position = Position(profile="18xx.games", from_log=from_log).phase("3").start("LV", 95, a=60)
        game = position.tile("J2", "57", 1).owns("LV", "B&S").operating("LV").game()
        lay(game, "B&S", "F4", "9", 2)
        if from_log:
            passes(game, "LV")
        else:
            refused(game, "7.1", "pass", "LV")


def canal(treasury: int = 100) -> Position:
    """N&W owns the canal, far from D2."""
    position = Position().phase("3").start("N&W", 70, a=60).tile("C13", "57", 1).treasury("N&W", treasury)
    return position.owns("N&W", "C&OC").operating("N&W")


def test_canal_lays_city_and_free_token() -> None:
    """R-CH-103 (7.1), worked example 14."""
    game = canal().game()
    assert tiles_in(game, "C&OC", "D2") == ["57"]
    refused(game, "7.1", "lay_tile", "C&OC", hex="D2", tile="9", rotation=0)
    refused(game, "7.1", "lay_tile", "C&OC", hex="C5", tile="57", rotation=0)
    lay(game, "C&OC", "D2", "57")
    assert company(game, "N&W").cash == 20
    assert {o.entity for o in game.offers() if o.blocking} == {"C&OC"}
    do(game, "place_token", "C&OC", hex="D2", city=0)
    assert (company(game, "N&W").cash, company(game, "N&W").tokens) == (20, [60])
    assert game.table.map.tokens_of("N&W") == [("C13", 0), ("D2", 0)]
    assert {"track", "token"} <= set(game.table.turn.done)
    assert not offered(game, "lay_tile")


def test_declined_free_token_leaves_normal_one() -> None:
    """R-CH-103 (7.1)"""
    game = canal(200).tile("D12", "57", 1).game()
    lay(game, "C&OC", "D2", "57")
    passes(game, "C&OC")
    assert not offered(game, "lay_tile")
    assert values(game, "place_token", "N&W", "hex") == ["D12"]
    do(game, "place_token", "N&W", hex="D12", city=0)
    assert company(game, "N&W").cash == 200 - 80 - 40


def lays_nothing(game: Game) -> None:
    refused(game, "7.1", "lay_tile", "C&OC", hex="D2", tile="57", rotation=0)


def test_canal_is_the_normal_tile() -> None:
    """R-CH-103 (7.1): in an empty hex, with its terrain; without a token left it is laid alone."""
    game = canal().owns("N&W", "B&S").game()
    lay(game, "N&W", "D12", "57", 1)
    lays_nothing(game)
    lays_nothing(canal(79).game())
    lays_nothing(canal().tile("D2", "57", 0).game())
    position = canal()
    position.state.companies["N&W"].tokens = []
    game = position.game()
    lay(game, "C&OC", "D2", "57")
    assert not offered(game, "place_token")


def buyer(treasury: int, laid: list[str]) -> Position:
    """C&O can lay nothing; its president owns the canal."""
    position = Position().phase("3").start("C&O", 70, a=60).owns("a", "C&OC").treasury("C&O", treasury)
    position.tile("G13", "57", 2).trains("C&O", "2", "2", "2", "2")
    position.t.map.supply.update({"14": 0, "15": 0, "7": 0, "8": 0, "9": 0})
    return position.operating("C&O", laid=laid)


def test_canal_may_be_bought_to_lay() -> None:
    """R-CH-082, R-CH-103, R-CH-108 (7.1, 11): $40 for the canal and $80 for the hill, before any tile."""
    for treasury, laid, asked in ((120, [], True), (119, [], False), (120, ["tile"], False)):
        assert ("track" not in buyer(treasury, laid).game().table.turn.done) is asked
    game = buyer(120, []).game()
    allowed = domain(game, "buy_private", "C&O", "price", private="C&OC").allowed()
    assert allowed == fact("allowed.range", low=40, high=120, step=1)
    do(game, "buy_private", "C&O", private="C&OC", price=40)
    assert offered(game, "lay_tile", "C&OC")
