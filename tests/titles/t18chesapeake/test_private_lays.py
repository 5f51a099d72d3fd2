"""18Chesapeake: privates that lay track (rulebook 7.1)."""

import pytest

from engine.core.facts import fact
from tests.titles.builders import Position, TitleGame


def lehigh(private: str, owner: str = "LV") -> Position:
    """LV operates: its home leads by K1 to K3, and to I3."""
    position = Position().phase("3").start("LV", 95, a=60, b=10).tile("J2", "57", 1)
    return position.owns(owner, private).operating("LV", "track")


@pytest.mark.parametrize(("private", "first", "second"), [("C-P", "H2", "I3"), ("B&S", "F4", "G5")])
def test_pair_is_laid_on_top_of_normal_tile(private: str, first: str, second: str) -> None:
    """R-CH-100, R-CH-101, R-CH-102 (7.1): joined, far from any route, without money."""
    position = Position().phase("3").start("N&W", 70, a=60).tile("C13", "57", 1).treasury("N&W", 0)
    game = position.owns("N&W", private).operating("N&W").game()
    assert game.values("lay_tile", private, "hex") == [first, second]
    assert game.tiles_in(private, first) == ["8", "9"]
    game.refused("7.1", "lay_tile", private, hex=first, tile="7", rotation=0)
    game.refused("7.1", "lay_tile", private, hex="D12", tile="57", rotation=0)
    for rotation in (0, 1, 3, 4):
        game.refused("7.1", "lay_tile", private, hex=first, tile="9", rotation=rotation)
    game.lay(private, first, "9", 2)
    assert game.kinds() == ["lay_tile"]
    assert game.values("lay_tile", private, "hex") == [second]
    game.refused("7.1", "pass", "N&W")
    game.refused("7.1", "lay_tile", "N&W", hex="D12", tile="57", rotation=1)
    game.refused("7.1", "lay_tile", private, hex=second, tile="9", rotation=0)
    game.lay(private, second, "9", 2)
    assert (game.company("N&W").cash, game.table.turn.laid) == (0, [])
    game.refused("7.1", "lay_tile", private, hex=first, tile="9", rotation=2)
    game.lay("N&W", "D12", "57", 1)


def test_pair_may_follow_normal_tile() -> None:
    """R-CH-100, R-CH-102 (7.1): or wait."""
    game = lehigh("B&S").game()
    game.lay("LV", "K3", "55")
    assert [o.entity for o in game.offers() if o.kind == "lay_tile"] == ["B&S"]
    game.lay("B&S", "G5", "8")
    game.lay("B&S", "F4", "8")
    assert game.table.state.privates["B&S"].power_used
    game = lehigh("B&S").game()
    game.passes("LV")
    assert not game.table.state.privates["B&S"].power_used


def test_other_tile_in_its_hexes_ends_the_power() -> None:
    """R-CH-100 (7.1): even one of the owning company; and the last tile of its kind is not laid alone."""
    game = lehigh("C-P").game()
    game.lay("LV", "I3", "9", 1)
    assert not game.offered("lay_tile")
    position = lehigh("B&S")
    position.t.map.supply.update({"8": 1, "9": 0})
    assert not position.game().offered("lay_tile", "B&S")


@pytest.mark.parametrize(("private", "owner"), [("B&S", "a"), ("B&S", "PRR"), ("D&R", "LV")])
def test_power_is_for_the_owning_company(private: str, owner: str) -> None:
    """R-CH-100, R-CH-104 (7.1): and some privates have none."""
    game = lehigh(private, owner).start("PRR", 80, a=60).game()
    game.refused("7.1", "lay_tile", private, hex="F4", tile="9", rotation=2)


def test_half_a_pair_stands_in_old_logs() -> None:
    """R-CH-100, D-CH-20 (7.1): that site wants both tiles today."""
    for from_log in (99, 0):
        position = Position(profile="18xx.games", from_log=from_log).phase("3").start("LV", 95, a=60)
        game = position.tile("J2", "57", 1).owns("LV", "B&S").operating("LV").game()
        game.lay("B&S", "F4", "9", 2)
        if from_log:
            game.passes("LV")
        else:
            game.refused("7.1", "pass", "LV")


def canal(treasury: int = 100) -> Position:
    """N&W owns the canal, far from D2."""
    position = Position().phase("3").start("N&W", 70, a=60).tile("C13", "57", 1).treasury("N&W", treasury)
    return position.owns("N&W", "C&OC").operating("N&W")


def test_canal_lays_city_and_free_token() -> None:
    """R-CH-103 (7.1), worked example 14: declined, it leaves the normal one."""
    game = canal().game()
    assert game.tiles_in("C&OC", "D2") == ["57"]
    game.refused("7.1", "lay_tile", "C&OC", hex="D2", tile="9", rotation=0)
    game.refused("7.1", "lay_tile", "C&OC", hex="C5", tile="57", rotation=0)
    game.lay("C&OC", "D2", "57")
    assert game.company("N&W").cash == 20
    assert {o.entity for o in game.offers() if o.blocking} == {"C&OC"}
    game.do("place_token", "C&OC", hex="D2", city=0)
    assert (game.company("N&W").cash, game.company("N&W").tokens) == (20, [60])
    assert game.table.map.token_stops_of("N&W") == [("C13", 0), ("D2", 0)]
    assert {"track", "token"} <= set(game.table.turn.done)
    assert not game.offered("lay_tile")
    game = canal(200).tile("D12", "57", 1).game()
    game.lay("C&OC", "D2", "57")
    game.passes("C&OC")
    assert not game.offered("lay_tile")
    assert game.values("place_token", "N&W", "hex") == ["D12"]
    game.do("place_token", "N&W", hex="D12", city=0)
    assert game.company("N&W").cash == 200 - 80 - 40


def lays_nothing(game: TitleGame) -> None:
    game.refused("7.1", "lay_tile", "C&OC", hex="D2", tile="57", rotation=0)


def test_canal_is_the_normal_tile() -> None:
    """R-CH-103 (7.1): in an empty hex, with its terrain; without a token left it is laid alone."""
    game = canal().owns("N&W", "B&S").game()
    game.lay("N&W", "D12", "57", 1)
    lays_nothing(game)
    lays_nothing(canal(79).game())
    lays_nothing(canal().tile("D2", "57", 0).game())
    position = canal()
    position.state.companies["N&W"].tokens = []
    game = position.game()
    game.lay("C&OC", "D2", "57")
    assert not game.offered("place_token")


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
    allowed = game.domain("buy_private", "C&O", "price", private="C&OC").allowed()
    assert allowed == fact("allowed.range", low=40, high=120, step=1)
    game.do("buy_private", "C&O", private="C&OC", price=40)
    assert game.offered("lay_tile", "C&OC")
