"""18Chesapeake: order of operating, tokens, purchases of privates (rulebook 7.1, 11)."""

import pytest

from engine.board import upgrades
from engine.board.network import network_of
from engine.core.events import IncomePaid, ProposalEnded, RoundStarted
from engine.core.facts import fact
from engine.play.operating_order import operating_order
from tests.titles.builders import Position


def test_privates_pay_in_every_operating_round() -> None:
    """R-CH-080 (11, 11.2): players and companies, from the bank, when the round has begun."""
    position = Position().phase("3").start("LV", 95, a=60).owns("a", "D&R", "CV").owns("LV", "C-P")
    game = position.owns("b", "B&OR").stock().cash(a=100, b=100, c=0).game()
    bank = game.table.state.bank
    game.passes("a")
    happened = [type(event) for event in game.do("pass", "b")]
    assert happened.index(RoundStarted) < happened.index(IncomePaid)
    assert game.round_name() == "OR 2.1"
    assert game.cash() == {"a": 135, "b": 100, "c": 0}
    assert (game.company("LV").cash, game.table.state.bank) == (960, bank - 45)


def test_operating_order() -> None:
    """R-CH-081 (11), worked example 12: the price, then further right, then further up."""
    position = Position().start("LV", 95, at=(1, 4), a=60).start("PRR", 80, at=(2, 5), b=60)
    position.start("SRR", 70, at=(1, 5), c=60)
    assert [c.id for c in operating_order(position.game().table)] == ["SRR", "PRR", "LV"]
    for first, second in (("LV", "PRR"), ("PRR", "LV")):
        position = Position().start(first, 95, at=(1, 4), a=60).start(second, 80, at=(1, 4), b=60)
        assert [c.id for c in operating_order(position.game().table)] == [first, second]


def test_rounds_of_a_set() -> None:
    """R-CH-009, R-CH-081 (11): each company operates once in each; a phase that starts in the set changes the
    next one."""
    position = Position().phase("3").start("LV", 95, at=(1, 4), a=60).start("N&W", 80, at=(1, 3), b=60)
    game = position.trains("LV", "3").trains("N&W", "3").game()
    game.passes("a", "b", "c")
    seen: list[tuple[str, str]] = []
    while game.round_name().startswith("OR"):
        turn = (game.round_name(), game.table.turn.company)
        seen += [turn] if turn not in seen else []
        game.passes(turn[1])
    assert seen == [("OR 2.1", "LV"), ("OR 2.1", "N&W"), ("OR 2.2", "LV"), ("OR 2.2", "N&W")]
    position = Position().phase("2").depot(t2=0).start("LV", 95, a=60).tile("J2", "57", 1)
    game = position.operating("LV", "trains").game()
    game.buy("LV", "3", 180)
    assert game.table.state.phase == "3"
    while game.round_name() == "OR 2.1":
        game.passes("LV")
    assert game.round_name() == "SR 3"
    game.passes("a", "b", "c")
    assert game.table.operating_round.of == 2


def test_turn_has_its_order() -> None:
    """R-CH-082 (11): what is over does not come back, and one press ends the turn."""
    position = Position().phase("3").start("LV", 95, a=60).trains("LV", "2").tile("J2", "15", 4)
    game = position.operating("LV").game()
    seen = []
    while game.table.state.round.kind == "operating":
        seen.append(game.step_name())
        if game.step_name() == "run":
            game.do("run_routes", "LV", routes=("2:J2.a-4 K1.1-a",))
        elif game.step_name() == "dividend":
            game.do("dividend", "LV", option="withhold")
        else:
            game.passes("LV")
    assert seen == ["track", "token", "run", "dividend", "trains"]
    assert game.table.state.round.kind == "stock"


def stations() -> Position:
    """LV's green home leads to the northern city of Philadelphia."""
    position = Position().phase("3").start("LV", 95, a=60).trains("LV", "2").tile("J2", "15", 4)
    return position.operating("LV", "token")


def test_one_token_is_placed_in_a_turn() -> None:
    """R-CH-112 (11.4): for $40, $60, $80; it needs money, and a hex without one of the company, two cities of
    a hex included."""
    game = stations().game()
    assert game.values("place_token", "LV", "hex") == ["J4"]
    for coord in ("H6", "J2", "K3"):
        game.refused("11.4", "place_token", "LV", hex=coord, city=0)
    game.refused("", "place_token", "LV", hex="Z1", city=0)
    for city in (0, -1, 5):
        game.refused("11.4", "place_token", "LV", hex="J4", city=city)
    game.do("place_token", "LV", hex="J4", city=1)
    assert game.company("LV").cash == 910
    assert not game.offered("place_token")
    position = Position().phase("3").start("PRR", 95, a=60).tile("F2", "57", 1).tile("E3", "57", 1)
    game = position.tile("D12", "57", 1).token("PRR", "D12").operating("PRR", "token").game()
    assert game.label(game.find("place_token")) == "Place a token for $60"
    game.do("place_token", "PRR", hex="E3", city=0)
    assert (game.company("PRR").tokens, game.company("PRR").cash) == ([80], 890)
    position = stations().tile("J4", "X3", 0)
    position.t.map.place_token("J4", 1, "LV")
    assert not position.game().offered("place_token")
    game = stations().treasury("LV", 39).game()
    why = game.refused("11.4", "place_token", "LV", hex="J4", city=1)
    assert "The next token of LV costs $40; it has $39" in why
    game = stations().game()
    assert "already has a token in J2" in game.refused("11.4", "place_token", "LV", hex="J2", city=0)
    why = game.refused("11.4", "place_token", "LV", hex="J4", city=0)
    assert "LV cannot place a token in city 1 of J4" in why
    why = game.refused("11.4", "place_token", "LV", hex="J4", city=2)
    assert "J4 has no city with this number: its 2 stops are numbered from 1" in why
    position = stations()
    position.state.companies["LV"].tokens = []
    why = position.game().refused("11.4", "place_token", "LV", hex="J4", city=1)
    assert "LV has no token left" in why


def test_home_is_reserved_and_free() -> None:
    """R-CH-113, R-CH-114 (11.4): until its company operates; in the brown tile of Baltimore it is one of two.
    The home token leaves the turn's token."""
    position = Position().phase("3").start("C&A", 70, a=60).tile("J6", "57", 0).tile("J4", "X4", 0)
    game = position.tile("I5", "4", 1).operating("C&A", "token").game()
    board = game.table.map
    assert not board.has_space_for("H6", 0, "C&A")
    assert (board.has_space_for("H6", 1, "C&A"), board.has_space_for("H6", 0, "B&O")) == (True, True)
    assert ("H6", 1) in network_of(board, "C&A").stops
    game.do("place_token", "C&A", hex="H6", city=1)
    assert board.has_space_for("H6", 0, "B&O")
    board = Position().phase("5").t.map
    for tile in ("X3", "X7"):
        board.lay("H6", tile, upgrades.rotations(board, "H6", tile)[0])
    assert board.has_space_for("H6", 0, "PRR")
    board.place_token("H6", 0, "PRR")
    assert (board.has_space_for("H6", 0, "SRR"), board.has_space_for("H6", 0, "B&O")) == (False, True)
    game = Position().phase("3").start("LV", 95, a=60).tile("J2", "15", 4).stock().game()
    game.passes("a", "b", "c")
    assert (game.table.map.token_stops_of("LV"), game.company("LV").cash) == ([("J2", 0)], 950)
    game.passes("LV")
    game.do("place_token", "LV", hex="J4", city=1)


def buyer(phase: str, treasury: int = 500, step: str = "track") -> Position:
    """LV in its turn; Ann, its president, owns everything."""
    position = Position().phase(phase).start("LV", 95, a=60).treasury("LV", treasury).tile("J2", "57", 1)
    position.owns("a", "D&R", "C-P", "B&S", "C&OC", "B&OR", "CV").trains("LV", "2")
    return position.operating("LV", step)


@pytest.mark.parametrize("phase", ["3", "4"])
def test_privates_cost_half_to_double_face_value(phase: str) -> None:
    """R-CH-108 (7.1, 11), worked example 15."""
    game = buyer(phase).game()
    ranges = {}
    for name in game.values("buy_private", "LV", "private"):
        prices = game.values("buy_private", "LV", "price", private=name)
        ranges[name] = (prices[0], prices[-1])
    halves = {"D&R": 10, "C-P": 20, "B&S": 25, "C&OC": 40, "B&OR": 50}
    assert ranges == {name: (half, 4 * half) for name, half in halves.items()}
    allowed = game.domain("buy_private", "LV", "price", private="D&R").allowed()
    assert allowed == fact("allowed.range", low=10, high=40, step=1)
    assert "can never buy CV" in game.refused("7.1", "buy_private", "LV", private="CV", price=200)
    for wrong in (9, 41, 0, -10):
        game.refused("7.1", "buy_private", "LV", private="D&R", price=wrong)
    game.refused("", "buy_private", "LV", private="XX", price=20)
    assert {offer.actor for offer in game.offers() if offer.kind != "end_game"} == {"a"}


@pytest.mark.parametrize(("phase", "words"), [("2", "cannot buy privates now"), ("5", "phases 3, 4")])
def test_privates_are_sold_in_phases_3_and_4(phase: str, words: str) -> None:
    """R-CH-108 (7.1), worked example 15."""
    assert words in buyer(phase).game().refused("7.1", "buy_private", "LV", private="D&R", price=20)


def test_treasury_pays_for_a_private() -> None:
    """R-CH-108 (7.1, 11): to a player; companies sell none."""
    game = buyer("3", treasury=60).game()
    game.refused("7.1", "buy_private", "LV", private="B&OR", price=61)
    game.do("buy_private", "LV", private="B&OR", price=60)
    assert (game.company("LV").cash, game.cash()["a"], game.owner("B&OR")) == (0, 860, "LV")
    game = buyer("3", treasury=9).owns("PRR", "C-P").start("PRR", 80, b=60).game()
    why = game.refused("7.1", "buy_private", "LV", private="C-P", price=20)
    assert "No player owns C-P" in why
    why = game.refused("7.1", "buy_private", "LV", private="D&R", price=10)
    assert "D&R costs at least $10; LV has $9" in why


def test_privates_are_bought_all_turn_long() -> None:
    """R-CH-082, R-CH-108, D-CH-14 (7.1, 11): any number, by one too poor for a train, too; being done with
    trains does not end the turn while there are some, and what comes too late lays no tile."""
    game = buyer("3").game()
    game.do("buy_private", "LV", private="D&R", price=10)
    game.passes("LV")
    game.do("buy_private", "LV", private="C-P", price=20)
    game.do("run_routes", "LV", routes=())
    game.do("buy_private", "LV", private="B&S", price=25)
    assert not game.offered("lay_tile")
    game.passes("LV")
    assert (game.step_name(), game.label(game.find("pass"))) == ("last_chance", "End the turn")
    game.do("buy_private", "LV", private="C&OC", price=40)
    assert game.kinds() == ["pass"]
    game.do("buy_private", "LV", private="B&OR", price=50)
    assert (game.table.state.round.kind, game.company("LV").cash) == ("stock", 500 - 145)
    game = buyer("3", 10, "trains").game()
    assert game.step_name() == "last_chance"
    assert game.offered("buy_private", "LV")


def test_private_of_another_player_needs_consent() -> None:
    """R-CH-108, D-CH-17 (7.1, 11): a log implies it; the proposer need not wait, and going on ends the
    proposal."""
    game = buyer("3").owns("b", "D&R").game()
    game.do("buy_private", "LV", private="D&R", price=40)
    assert (game.owner("D&R"), game.actors()) == ("b", ("b",))
    assert [o.actor for o in game.offers() if o.kind == "answer"] == ["b", "a"]
    assert {o.kind for o in game.offers("b")} == {"answer", "end_game"}
    game.refused("7.1", "answer", "b", reply="withdraw")
    game.refused("7.1", "answer", "a", reply="agree")
    game.do("answer", "b", reply="refuse")
    assert (game.owner("D&R"), game.on_turn()) == ("b", "a")
    game.do("buy_private", "LV", private="D&R", price=40)
    game.do("answer", "a", reply="withdraw")
    game.do("buy_private", "LV", private="D&R", price=40)
    game.do("answer", "b", reply="agree")
    assert (game.owner("D&R"), game.cash()["b"]) == ("LV", 840)
    position = Position(profile="18xx.games", from_log=10**9).phase("3").start("LV", 95, a=60)
    game = position.owns("b", "D&R").operating("LV").game()
    game.do("buy_private", "LV", private="D&R", price=40)
    assert game.owner("D&R") == "LV"
    game = buyer("3").owns("b", "D&R").game()
    game.do("buy_private", "LV", private="D&R", price=40)
    happened = game.do("pass", "LV")
    assert any(isinstance(event, ProposalEnded) and event.is_withdrawn for event in happened)
    assert (game.table.state.proposal, game.owner("D&R"), game.on_turn()) == (None, "b", "a")
    game.refused("", "answer", "b", reply="agree")
