"""18C2C: buying privates, and what they bring: discounts, tokens on cities, stations, markers."""

from typing import Any

import pytest

from engine.board.upgrades import possible_upgrades
from engine.core.state import ExtraTokens, MarkerSupply
from engine.play.closing_liquidation_bankruptcy import close_company
from engine.play.private_markers import remove_all_markers_of, usable_marker_powers
from engine.play.trains.phases import take_train_from_bank
from tests.titles.builders import Position, TitleGame
from tests.titles.t18c2c.merging import prr

FULL = "18c2c-full"


def buyable(game: TitleGame) -> list[str]:
    name = game.table.turn.company
    return game.values("buy_private", name, "private") if game.offered("buy_private") else []


def prices(game: TitleGame, private: str) -> tuple[int, int]:
    found = game.values("buy_private", game.table.turn.company, "price", private=private)
    return found[0], found[-1]


def held(game: TitleGame, name: str) -> int:
    return game.company(name).held.get("Engineer", 0)


EIGHT = ("KTC", "AZF", "ACM", "GML", "GSC", "TBC", "ACE", "EPP")


@pytest.mark.parametrize("phase", ["3", "4"])
def test_privates_cost_50_to_200_percent(phase: str) -> None:
    """R-C2C-140."""
    game = prr(phase).owns("a", *EIGHT).game()
    assert buyable(game) == list(EIGHT)
    assert (prices(game, "KTC"), prices(game, "EPP")) == ((20, 80), (50, 200))


def test_phase_2_sells_some_privates() -> None:
    """R-C2C-141: CP is not based in the East."""
    game = prr("2").owns("a", *EIGHT).game()
    assert buyable(game) == ["KTC", "ACE", "EPP"]
    assert [prices(game, name) for name in ("KTC", "ACE", "EPP")] == [(20, 80), (45, 45), (50, 50)]
    assert "phase" in game.refused("7", "buy_private", "PRR", private="AZF", price=25)
    cp = Position(title="18c2c").start("CP", 82, a=60).operating("CP").owns("a", "KTC", "ACE").game()
    assert buyable(cp) == ["ACE"]
    assert "based in the east" in cp.refused("7", "buy_private", "CP", private="KTC", price=20)


@pytest.mark.parametrize(("name", "sold"), [("SSW", True), ("PRR", False)])
def test_bridge_is_sold_early_on_the_river(name: str, sold: bool) -> None:
    """R-C2C-141: ⊘ for 50 to 100 percent."""
    game = Position(title=FULL).start(name, 82, a=60).operating(name).owns("a", "MRB").game()
    assert (buyable(game) == ["MRB"]) is sold
    assert not sold or prices(game, "MRB") == (20, 40)


@pytest.mark.parametrize(
    ("private", "cash", "waits"), [("EPP", 50, True), ("KTC", 25, True), ("KTC", 19, False)]
)
def test_track_waits_for_a_paying_private(private: str, cash: int, waits: bool) -> None:
    """R-C2C-091, R-C2C-141: L71 costs 60; without that much a purchase comes first, and then the tile."""
    position = prr("2", cash=cash).owns("a", private)
    now = position.game().table.turn
    assert (now.company == "PRR" and "track" not in now.done) is waits


def test_prospectors_of_phase_2_pay_for_this_turn() -> None:
    """R-C2C-152, example 8: half the price, L71 costs nothing; unused they close with the track, and are not
    for sale after it."""
    game = prr("2").owns("a", "EPP").game()
    game.do("buy_private", "PRR", private="EPP", price=50)
    assert not game.offered("place_marker"), "the other option is not for phase 2"
    game.do("close_private", "EPP")
    game.lay("PRR", "L71", "9", 1)
    assert (game.company("PRR").cash, game.table.turn.purses) == (450, {"EPP": 80})
    game = prr("2").owns("a", "EPP").trains("PRR", "2").game()
    game.do("buy_private", "PRR", private="EPP", price=50)
    game.do("pass", "PRR")
    assert game.table.state.privates["EPP"].closed
    game = prr("2", "trains").owns("a", "EPP", "ACE").game()
    assert buyable(game) == ["ACE"]
    assert "finished laying track" in game.refused("7", "buy_private", "PRR", private="EPP", price=50)
    assert buyable(prr("3", "trains").owns("a", "EPP").game()) == ["EPP"]


def test_prospectors_make_a_p_city() -> None:
    """R-C2C-150, R-C2C-152, R-C2C-153, example 8: Albany gets brown 170 and gray 587, and the private stays
    open; not B, not Canada, not a brown one. Unused they are lost."""
    game = prr().owns("PRR", "EPP").game()
    game.do("place_marker", "EPP", hex="I78")
    board, private = game.table.map, game.table.state.privates["EPP"]
    assert (board.label("I78"), private.closed, private.power_used) == ("P", False, True)
    assert not game.offered("place_marker")
    assert "closed" not in game.refused("7", "close_private", "EPP")
    for tile in ("57", "14"):
        board.lay("I78", tile, 0)
    assert [n for n in board.spec.tiles if n in possible_upgrades(board, "I78")] == ["170"]
    board.lay("I78", "170", 0)
    assert [n for n in board.spec.tiles if n in possible_upgrades(board, "I78")] == ["587"]

    position = prr("4").owns("PRR", "EPP").tile("M62", "57", 0).tile("M62", "14", 0)
    found = position.game().values("place_marker", "EPP", "hex")
    assert {"I78", "M62", "L69", "J63"} <= set(found)
    assert not {"M74", "D63", "K78", "J65", "L71", "I70"} & set(found)
    position.t.map.lay("M62", "63", 0)
    assert "M62" not in position.game().values("place_marker", "EPP", "hex")
    assert "too advanced" in position.game().refused("7", "place_marker", "EPP", hex="M62")
    assert "P city" in position.game().refused("7", "place_marker", "EPP", hex="D63")
    position = prr("4").owns("PRR", "EPP").depot(t4=0)
    take_train_from_bank(position.t, "5")
    assert position.state.privates["EPP"].closed
    assert not position.game().offered("place_marker")


@pytest.mark.parametrize(
    ("private", "icon", "coord", "dollars"),
    [
        ("AZF", "fish", "I82", 10),
        ("ACM", "coal", "L69", 10),
        ("GML", "lumber", "E62", 10),
        ("GSC", "port", "W54", 20),
    ],
)
def test_bonus_token_lies_on_its_icon(private: str, icon: str, coord: str, dollars: int) -> None:
    """R-C2C-142: once, and it is not moved."""
    game = prr().owns("PRR", private).game()
    assert coord in game.values("place_marker", private, "hex")
    icons = {c: game.table.map.hexes[c].icons for c in game.values("place_marker", private, "hex")}
    assert all(icon in here for here in icons.values())
    game.do("place_marker", private, hex=coord)
    assert game.company("PRR").markers == {icon: coord}
    assert game.table.rules.route_rules(game.table).extra_dollars_by_hex == {coord: dollars}
    assert not game.offered("place_marker")


def _extra_of(game: TitleGame, name: str) -> dict[str, int]:
    now = game.table.turn.company
    game.table.turn.company = name
    extra = dict(game.table.rules.route_rules(game.table).extra_dollars_by_hex)
    game.table.turn.company = now
    return extra


def test_port_brings_others_10_until_3d() -> None:
    """R-C2C-142, R-C2C-143: without the private it is its owner's alone; the privates close with the first 5,
    tokens stay."""
    position = prr().owns("PRR", "GSC")
    game = position.game()
    assert not game.offered("close_private")
    game.do("place_marker", "GSC", hex="W54")
    assert _extra_of(game, "B&O") == {"W54": 10}
    game.do("close_private", "GSC")
    assert game.table.state.privates["GSC"].closed
    assert _extra_of(game, "B&O") in ({}, {"W54": 0})
    assert game.table.rules.route_rules(game.table).extra_dollars_by_hex == {"W54": 20}

    position = prr("4", "trains", cash=5000).owns("PRR", "GSC").depot(t4=0)
    position.state.companies["PRR"].markers["port"] = "W54"
    position.state.privates["GSC"].power_used = True
    take_train_from_bank(position.t, "5")
    assert position.state.companies["PRR"].markers == {"port": "W54"}
    assert position.t.rules.route_rules(position.t).extra_dollars_by_hex == {"W54": 20}
    position.depot(t5=0)
    take_train_from_bank(position.t, "3D")
    assert position.state.companies["PRR"].markers == {}


def tokens_after(private: str, bought: list[int], *, title: str = "18c2c", **extra: Any) -> ExtraTokens:
    """PRR's extra tokens when it buys the private, having bought tokens of these prices at float."""
    position = Position(title=title).start("PRR", 82, a=60).phase("3").operating("PRR").owns("a", private)
    position.state.companies["PRR"].extra = ExtraTokens(bought=list(bought), **extra)
    game = position.game()
    game.do("buy_private", "PRR", private=private, price=80)
    found = game.company("PRR").extra
    assert found is not None
    return found


def test_privates_bring_tokens() -> None:
    """R-C2C-154, R-C2C-155, R-C2C-156, example 9: none bought gets 40 and 60, one of them reserved; 40 bought
    gets 60. ⊘ The architects' are dear, the cheap ones may still come. None is reserved after the destination
    run, a lost one again."""
    none = tokens_after("TBC", [])
    assert (sorted(none.bought), none.reserved) == ([40, 60], ["PRR"])
    one = tokens_after("TBC", [40], reserved=["PRR"])
    assert (sorted(one.bought), one.reserved) == ([40, 60], ["PRR"])
    assert tokens_after("TBC", [40, 60, 80], reserved=["PRR"]).bought == [40, 60, 80]
    assert sorted(tokens_after("FWA", [40], title=FULL, reserved=["PRR"]).bought) == [40, 80, 100]
    assert sorted(tokens_after("FWA", [80, 100], title=FULL, reserved=["PRR"]).bought) == [40, 60, 80, 100]
    assert tokens_after("TBC", [], reached=["PRR"]).reserved == []
    assert tokens_after("TBC", [80], placed=["K78"]).reserved == ["PRR"]


BALTIMORE_TO_CINCINNATI = [
    ("M74", "592", 0),
    ("L73", "7", 5),
    ("M72", "8", 1),
    *((coord, "9", 1) for coord in ("M70", "M68", "M66", "M64")),
    ("M62", "57", 1),
]


@pytest.mark.parametrize(("tiles", "reserved"), [(BALTIMORE_TO_CINCINNATI, []), ([], ["B&O"])])
def test_no_token_reserved_within_reach(tiles: list[tuple[str, str, int]], reserved: list[str]) -> None:
    """R-C2C-156, example 9: a train of B&O could run to Cincinnati, but for the token."""
    position = Position(title="18c2c").start("B&O", 68, a=60).phase("3").trains("B&O", "2")
    position.operating("B&O").owns("a", "TBC")
    for tile in tiles:
        position.tile(*tile)
    game = position.game()
    game.do("buy_private", "B&O", private="TBC", price=80)
    extra = game.company("B&O").extra
    assert extra is not None
    assert extra.reserved == reserved


def test_engineers_markers_are_sold() -> None:
    """R-C2C-160, R-C2C-161, R-C2C-164: the first sales, for $50, from the corporation that bought the
    private; one at second hand waits, its holder agrees to part with their only one. One is enough, also for
    who buys the private later."""
    game = prr("2").owns("a", "ACE").game()
    game.do("buy_private", "PRR", private="ACE", price=45)
    assert held(game, "PRR") == 1
    assert game.table.state.supplies == {"Engineer": MarkerSupply(4, "PRR")}
    position = prr()
    position.state.supplies["Engineer"] = MarkerSupply(4, "B&O")
    position.state.companies["B&O"].held["Engineer"] = 1
    game = position.game()
    assert game.values("buy_marker", "PRR", "source", private="ACE") == ["B&O"]
    game.do("buy_marker", "PRR", private="ACE", source="B&O")
    assert (held(game, "PRR"), game.company("PRR").cash) == (1, 450)
    assert game.table.state.supplies["Engineer"].left == 3
    assert [power.name for power in usable_marker_powers(game.table, game.table.company)] == ["Engineer"]
    position = prr().start("SOU", 72, c=60)
    position.state.supplies["Engineer"] = MarkerSupply(0, "B&O")
    position.state.companies["SOU"].held["Engineer"] = 1
    game = position.game()
    assert game.values("buy_marker", "PRR", "source", private="ACE") == ["SOU"]
    game.do("buy_marker", "PRR", private="ACE", source="SOU")
    assert held(game, "PRR") == 0
    game.do("answer", "c", reply="agree", actor="c")
    assert (held(game, "PRR"), held(game, "SOU"), game.company("SOU").cash) == (1, 0, 770)
    t = game.table
    assert usable_marker_powers(t, t.company) == []
    t.operating_round.resold.clear()
    assert [power.name for power in usable_marker_powers(t, t.company)] == ["Engineer"]
    position = prr("4").owns("a", "ACE")
    position.state.companies["PRR"].held["Engineer"] = 1
    position.state.supplies["Engineer"] = MarkerSupply(3)
    game = position.game()
    assert not game.offered("buy_marker")
    assert "cannot buy another" in game.refused("7", "buy_marker", "PRR", private="ACE", source="bank")
    game.do("buy_private", "PRR", private="ACE", price=90)
    assert (held(game, "PRR"), game.table.state.supplies["Engineer"]) == (1, MarkerSupply(3, "PRR"))


@pytest.mark.parametrize(
    ("phase", "owner", "seller", "sources"),
    [
        ("3", "b", "", []),
        ("4", "b", "", ["bank"]),
        ("4", None, "", ["bank"]),
        ("5", None, "", ["bank"]),
        ("5", None, "B&O", ["B&O"]),
    ],
)
def test_markers_are_sold_from_phase_4(
    phase: str, owner: str | None, seller: str, sources: list[str]
) -> None:
    """R-C2C-162, R-C2C-163: by the bank while ACE is a player's or unsold, after the first 5 by the private's buyer, if
    there is one."""
    position = prr(phase)
    private = position.state.privates["ACE"]
    private.closed, private.owner = phase == "5", owner
    if seller:
        position.state.supplies["Engineer"] = MarkerSupply(2, seller)
    game = position.game()
    assert game.offered("buy_marker") is bool(sources)
    if sources:
        assert game.values("buy_marker", "PRR", "source", private="ACE") == sources
        game.do("buy_marker", "PRR", private="ACE", source=sources[0])
        assert game.table.state.supplies["Engineer"].left == (1 if seller else 4)


def test_markers_change_hands_or_leave() -> None:
    """R-C2C-053, R-C2C-103, R-C2C-143, R-C2C-160, R-C2C-162: a later buyer takes them over; those of a closed
    corporation are gone, those it has not sold, too. ⊘ Central Pacific's leave with the first 3D, the
    engineers' stay."""
    position = prr("4").owns("a", "ACE")
    position.state.supplies["Engineer"] = MarkerSupply(2)
    game = position.game()
    game.do("buy_private", "PRR", private="ACE", price=90)
    assert (held(game, "PRR"), game.table.state.supplies["Engineer"]) == (1, MarkerSupply(1, "PRR"))
    position = prr("5")
    position.state.supplies["Engineer"] = MarkerSupply(2, "B&O")
    position.state.companies["B&O"].held["Engineer"] = 1
    close_company(position.t, position.state.companies["B&O"])
    assert position.state.supplies["Engineer"].left == 0
    assert not position.game().offered("buy_marker")
    remove_all_markers_of(position.t, "PRR")
    assert position.state.companies["PRR"].held == {}
    position = Position(title=FULL).start("UP", 82, a=60).phase("5").operating("UP").depot(t5=0)
    position.state.companies["UP"].held = {"Central Pacific": 1, "Engineer": 1}
    take_train_from_bank(position.t, "3D")
    assert position.state.companies["UP"].held == {"Engineer": 1}
    assert position.state.supplies["Central Pacific"].left == 0
