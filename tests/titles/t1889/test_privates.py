"""1889: the powers of privates (5)."""

from typing import Any

import pytest

from tests.titles.t1889.shikoku import Shikoku

FERRY: dict[str, Any] = {"hex": "B11", "tile": "437", "rotation": 2}


@pytest.mark.parametrize(("private", "coord"), [("TE", "K4"), ("ER", "C4")])
def test_blocked_while_a_player_owns(private: str, coord: str) -> None:
    """R-1889-050 (5)"""
    position = Shikoku().phase("3").start("KO", 65, a=60).start("UR", 65, a=60)
    position.tiles(B5=("8", 4)).owns("a", private)
    name = "KO" if coord == "K4" else "UR"
    assert coord not in position.operating(name).game().values("lay_tile", name, "hex")
    position.owns("KO", private)
    assert coord in position.operating(name).game().values("lay_tile", name, "hex")


# --- Mitsubishi Ferry --------------------------------------------------------------------------------------------


def test_ferry_is_laid_in_the_turn_of_another() -> None:
    """R-1889-051, R-1889-027 (5, 3): free; neither turn nor priority moves, and the private stays for sale."""
    game = Shikoku().owns("b", "MF").cash(b=50).stock("a").game()
    game.do("lay_tile", "MF", **FERRY)
    assert (game.on_turn(), game.table.state.priority, game.cash()["b"]) == ("a", 0, 50)
    assert not game.table.state.privates["MF"].closed
    game.refused("5", "lay_tile", "MF", **(FERRY | {"hex": "J9"}))


@pytest.mark.parametrize(("president", "laid", "from_log", "legal"), [
    ("a", False, 0, True), ("b", False, 0, True), ("a", True, 9, False), ("b", True, 9, True), ("b", True, 0, True),
])  # fmt: skip
def test_ferry_is_laid_between_turns(president: str, laid: bool, from_log: int, legal: bool) -> None:
    """R-1889-051, R-1889-051a (5): or in the track step of the owner's company, which waits for it."""
    held: dict[str, Any] = {president: 60}
    position = Shikoku(from_log=from_log).owns("b", "MF").start("KO", 65, **held)
    game = position.operating("KO").game()
    if laid:
        game.lay("KO", "J5", "3")
    assert game.offered("lay_tile", "MF") is legal
    if not legal:
        why = game.refused("5", "lay_tile", "MF", actor="b", **FERRY)
        assert "between two companies' turns" in why


def test_ferry_serves_no_company() -> None:
    """R-1889-051 (5): and its tile is for nobody else."""
    game = Shikoku().start("KU", 65, a=60).owns("KU", "MF").tiles(C10=("5", 0)).operating("KU").game()
    game.refused("5", "lay_tile", "MF", **FERRY)
    assert "B11" not in game.values("lay_tile", "KU", "hex") or "437" not in game.tiles_in("KU", "B11")


# --- Ehime Railway -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lays", [True, False])
def test_seller_of_ehime_lays_in_ohzu(lays: bool) -> None:
    """R-1889-052 (5): green, free and unconnected, before the company goes on; or not."""
    game = Shikoku().phase("3").start("TR", 65, b=60).owns("b", "ER").operating("TR").game()
    game.do("buy_private", "TR", private="ER", price=80)
    assert game.values("lay_tile", "ER", "hex") == ["C4"]
    why = game.refused("", "lay_tile", "TR", hex="F7", tile="8", rotation=0)
    assert "Bob has just sold ER" in why
    if lays:
        game.do("lay_tile", "ER", actor="b", hex="C4", tile="14", rotation=1)
    else:
        game.do("pass", "ER", actor="b")
    assert game.table.map.tile("C4") == ("14" if lays else None)
    assert (game.offered("lay_tile", "TR"), game.company("TR").cash) == (True, 570)


# --- Sumitomo Mines and Dougo ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("coord", "cost"), [("E4", 0), ("H5", 80)])
def test_mines_free_mountains(coord: str, cost: int) -> None:
    """R-1889-053 (5): but not where water is, too."""
    name = "IR" if coord == "E4" else "SR"
    position = Shikoku().start(name, 65, a=60).owns(name, "SMR").treasury(name, 100)
    game = position.tiles(E2=("57", 0), I2=("57", 0), I4=("438", 1)).operating(name).game()
    game.lay(name, coord, "8")
    assert game.company(name).cash == 100 - cost


def test_dougo_is_exchanged_in_others_turns() -> None:
    """R-1889-054, R-1889-027 (5, 3): for a share of a company that nobody has started."""
    game = Shikoku().owns("b", "DR").stock("a").game()
    game.do("exchange_private", "DR", source="offering")
    assert (game.company("IR").percent("b"), game.company("IR").president) == (10, None)
    assert game.table.state.privates["DR"].closed
    assert (game.on_turn(), game.table.state.priority) == ("a", 0)
    game.passes("a")
    game.refused("3", "sell_shares", "b", company="IR", shares=1)


@pytest.mark.parametrize(("held", "others", "legal"), [(50, 40, True), (60, 10, False), (50, 50, False)])
def test_dougo_needs_room_and_a_share(held: int, others: int, legal: bool) -> None:
    """R-1889-054 (5): up to 60%; the market's shares are not exchanged; the share helps to float."""
    position = Shikoku().owns("b", "DR").start("IR", 65, b=held, a=others)
    game = position.start("KO", 65, a=60).operating("KO").game()
    assert game.offered("exchange_private", "DR") is legal
    if not legal:
        game.refused("", "exchange_private", "DR", source="offering")


def test_dougo_floats_for_the_next_round() -> None:
    """R-1889-030, R-1889-054 (4, 5): without a home token it does not operate in the round that has begun."""
    position = Shikoku().owns("b", "DR").start("IR", 65, b=20, a=20).treasury("IR", 0)
    game = position.start("KO", 65, a=60).operating("KO", "trains").game()
    game.do("exchange_private", "DR", source="offering")
    assert (game.company("IR").floated, game.company("IR").cash) == (True, 650)
    game.passes("KO")
    assert game.round_name() == "SR 3"


# --- what the first 5-train closes ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("owner", "closed"), [("b", False), ("KO", True)])
def test_ferry_of_uno_stays_with_a_player(owner: str, closed: bool) -> None:
    """R-1889-055, R-1889-056 (5): it then pays $50; all others close."""
    position = Shikoku(4).phase("4").depot(t4=0).start("KO", 65, a=60).treasury("KO", 450)
    game = position.owns(owner, "UTF").owns("b", "SIR").operating("KO", "trains").game()
    assert game.table.income("UTF") == 30
    game.buy("KO", "5", 450)
    privates = game.table.state.privates
    assert (privates["UTF"].closed, privates["SIR"].closed) == (closed, True)
    assert game.table.income("UTF") == 50
