"""Passes of a log that end nothing here are passed over and counted; whatever was played differently is still found."""

from collections.abc import Sequence
from typing import Any

import pytest

from engine.core.actions import Action, Pass, build_action
from engine.core.errors import IllegalAction
from engine.core.state import Operating, Stock
from engine.game import Game
from engine.interchange.implied_passes import TurnSnapshot, is_implied_pass, turn_snapshot
from engine.interchange.importer import Importer
from tests.engine.interchange.logs import RawAction, buys, outcome, pars, passes
from tests.titles.builders import Position, on_turn

# --- players ---------------------------------------------------------------------------------------------------


def test_player_may_pass_after_a_purchase() -> None:
    """There the player is asked once more; here nothing is left to ask."""
    found = outcome(pars(1, "N&W", 80), passes(1), passes(2))
    assert found.problem is None
    assert (found.last_action_number, found.skipped_passes) == (10, 1)
    assert found.game is not None
    assert (found.game.seq, on_turn(found.game)) == (9, "3")


@pytest.mark.parametrize(
    ("actions", "stopped_at"),
    [
        ((pars(1, "N&W", 80), passes(1), passes(1)), 10),
        ((passes(1), passes(1)), 9),
        ((pars(1, "N&W", 80), passes(3)), 9),
        ((pars(1, "N&W", 80), passes(2), passes(1)), 10),
    ],
    ids=["twice", "after a pass", "not his turn yet", "his turn is long over"],
)
def test_other_passes_of_players_count(actions: Sequence[RawAction], stopped_at: int) -> None:
    """A pass that counts is one of a game that went another way."""
    found = outcome(*actions)
    assert found.problem is not None
    assert getattr(found.problem, "seq", None) == stopped_at


def test_every_pass_counts_in_an_auction() -> None:
    """Its passes in a row change prices."""
    game = Game("18chesapeake", [("1", "Ann"), ("2", "Bob"), ("3", "Cy")], 3, "18xx.games", from_log=10**9)
    importer = Importer(game)
    importer.apply(buys(1, "D&R", 20))
    with pytest.raises(IllegalAction):
        importer.apply(passes(1))
    assert importer.skipped_passes == 0


# --- companies -------------------------------------------------------------------------------------------------


def two_companies(step: str, **facts: Any) -> Importer:
    """The PRR is at this step of its turn and has no money for a train; the SRR operates after it."""
    position = Position().start("PRR", 80, a=60).start("SRR", 70, b=60).operated("PRR", "SRR")
    position.trains("PRR", "2").treasury("PRR", 0).operating("PRR", step, **facts)
    return Importer(position.game())


def test_company_may_pass_after_turn_or_step() -> None:
    """There it is asked for trains, privates and tokens although it can buy none. What cannot be passed, such
    as a dividend, is found: the next company cannot continue."""
    importer = two_companies("track")
    for entity in ("PRR", "PRR", "PRR", "SRR"):
        importer.apply(passes(entity))
    assert importer.skipped_passes == 2
    assert importer.game.seq == 2
    importer = two_companies("dividend", revenue=50)
    importer.apply(passes("PRR"))
    assert importer.skipped_passes == 1
    importer.apply({"type": "dividend", "entity": "PRR", "kind": "withhold"})
    assert importer.game.table.turn.company == "SRR"
    importer = two_companies("dividend", revenue=50)
    importer.apply(passes("PRR"))
    with pytest.raises(IllegalAction):
        importer.apply(passes("SRR"))
    assert importer.game.seq == 0


@pytest.mark.parametrize(
    "log",
    [(passes("SRR"),), (passes("PRR"), passes("SRR"), passes("PRR"))],
    ids=["not its turn yet", "its turn is long over"],
)
def test_other_passes_of_companies_count(log: Sequence[RawAction]) -> None:
    """Only that of the company that operates or has just operated."""
    importer = two_companies("track")
    *before, last = log
    for action in before:
        importer.apply(action)
    with pytest.raises(IllegalAction):
        importer.apply(last)


def at(place: Position, priority: int | None = None) -> Game:
    game = place.game()
    if priority is not None:
        game.table.state.priority = priority
    return game


def railways(*done: str) -> Game:
    """The SRR is to lay track; these have operated before it."""
    place = Position().start("PRR", 80, a=60).start("SRR", 70, b=60).operated("PRR").operating("SRR")
    place.t.operating_round.done += done
    return place.game()


STOCK, OPERATING = TurnSnapshot(Stock(), 0), TurnSnapshot(Operating(), 0)
SOLD = build_action("sell_shares", "a", "a", company="PRR", shares=1)


def investors(turn: str) -> Position:
    return Position().cash(c=500).start("PRR", 80, a=60).stock(turn)


@pytest.mark.parametrize(
    ("game", "before", "last", "over"),
    [
        # a new round has begun, in which these had nothing to do
        (railways("PRR"), STOCK, None, {"PRR": True, "LV": False}),
        (at(investors("b"), 0), OPERATING, None, {"a": True, "c": False}),
        (railways(), OPERATING, None, {"a": False}),  # only companies have had turns
        # the round is over: one company operated before the last action, one with it
        (
            at(investors("a")),
            TurnSnapshot(Operating(done=["PRR", "LV"]), 1),
            None,
            {"PRR": False, "LV": True, "SRR": False},
        ),
        # in 18AL one stock round follows another: Ann ended one, and Bob, who has priority, can do nothing
        (at(investors("c"), 1), TurnSnapshot(Stock(turn=1), 0), None, {"a": True, "b": True, "c": False}),
        # a second pass of a player is one too many, and that of another is not
        (
            at(investors("c")),
            TurnSnapshot(Stock(turn=2), 0),
            Pass(actor="a", entity="a"),
            {"a": False, "b": True},
        ),
        (at(investors("c")), TurnSnapshot(Stock(turn=2), 0), SOLD, {"a": True}),
    ],
)
def test_turn_is_over(game: Game, before: TurnSnapshot, last: Action | None, over: dict[str, bool]) -> None:
    assert {entity: is_implied_pass(game, entity, before, last) for entity in over} == over


def test_turn_is_over_for_none_of_these() -> None:
    """Nothing has happened; or a private passes for its company, but not between its two tiles, nor for
    itself where nobody owns it."""
    for game, entity in ((railways("PRR"), "PRR"), (at(investors("b"), 0), "a")):
        assert not is_implied_pass(game, entity, turn_snapshot(game.table.state), None)
    game = Position().start("PRR", 80, a=60).owns("PRR", "B&S").operating("PRR").game()
    before = turn_snapshot(game.table.state)
    assert is_implied_pass(game, "B&S", before, None)
    assert not is_implied_pass(game, "C&OC", before, None)
    game.table.turn.pair = ("B&S", "F4")
    assert not is_implied_pass(game, "B&S", before, None)
