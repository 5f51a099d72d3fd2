"""Passes of a log that end nothing here are passed over and counted; whatever was played differently is still found."""

from collections.abc import Sequence
from typing import Any

import pytest

from engine.core.actions import Pass, build_action
from engine.core.errors import IllegalAction
from engine.core.state import Operating, Stock
from engine.game import Game
from engine.interchange.implied_passes import Moment, _seats, is_over, moment
from engine.interchange.importer import Importer
from tests.engine.interchange.logs import Raw, buys, outcome, pars, passes
from tests.titles.builders import Position, on_turn

# --- players ---------------------------------------------------------------------------------------------------


def test_a_player_may_pass_after_a_purchase_that_ended_their_turn() -> None:
    """There the player is asked once more; here nothing is left to ask."""
    found = outcome(pars(1, "N&W", 80), passes(1), passes(2))
    assert found.problem is None
    assert (found.actions, found.skipped_passes) == (10, 1)
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
def test_no_other_pass_of_a_player_is_passed_over(actions: Sequence[Raw], stopped_at: int) -> None:
    """A pass that counts is one of a game that went another way."""
    found = outcome(*actions)
    assert found.problem is not None
    assert getattr(found.problem, "seq", None) == stopped_at


def test_in_an_auction_every_pass_counts() -> None:
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


def test_a_company_may_pass_where_its_turn_has_ended() -> None:
    """There it is asked for trains and for privates although it can buy none."""
    importer = two_companies("track")
    for entity in ("PRR", "PRR", "PRR", "SRR"):
        importer.apply(passes(entity))
    assert importer.skipped_passes == 2
    assert importer.game.seq == 2


def test_a_company_may_pass_where_the_step_is_over() -> None:
    """There it is asked for a token; here its dividend is due, which nobody can pass."""
    importer = two_companies("dividend", revenue=50)
    importer.apply(passes("PRR"))
    assert importer.skipped_passes == 1
    importer.apply({"type": "dividend", "entity": "PRR", "kind": "withhold"})
    assert importer.game.table.turn.company == "SRR"


def test_what_a_company_really_leaves_out_is_found_in_the_next_action() -> None:
    """It passes what cannot be passed; the next company cannot continue."""
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
def test_no_other_pass_of_a_company_is_passed_over(log: Sequence[Raw]) -> None:
    """Only that of the company that operates or has just operated."""
    importer = two_companies("track")
    *before, last = log
    for action in before:
        importer.apply(action)
    with pytest.raises(IllegalAction):
        importer.apply(last)


def test_a_pass_that_is_offered_is_a_pass() -> None:
    """Nothing is passed over that can be done."""
    importer = two_companies("track")
    importer.apply(passes("PRR"))
    assert (importer.skipped_passes, importer.game.seq) == (0, 1)


def test_what_is_no_pass_is_never_passed_over() -> None:
    """A purchase after the turn is refused."""
    importer = two_companies("track")
    importer.apply(passes("PRR"))
    with pytest.raises(IllegalAction):
        importer.apply({"type": "dividend", "entity": "PRR", "kind": "payout"})


def test_a_company_with_nothing_to_do_may_pass_when_the_round_has_begun() -> None:
    """Its turn was over before anybody else did anything."""
    game = Position().start("PRR", 80, a=60).start("SRR", 70, b=60).operated("PRR").operating("SRR").game()
    game.table.operating.done.append("PRR")
    before = Moment(Stock(), 0)
    assert is_over(game, "PRR", before, None)
    assert not is_over(game, "LV", before, None)
    assert not is_over(game, "PRR", moment(game.table.state), None)


def test_a_player_with_nothing_to_do_may_pass_when_the_round_has_begun() -> None:
    """The holder of the priority deal can neither buy nor sell."""
    game = Position().start("PRR", 80, a=60).stock("b").game()
    game.table.state.priority = 0
    before = Moment(Operating(), 0)
    assert is_over(game, "a", before, None)
    assert not is_over(game, "c", before, None)
    assert not is_over(game, "a", moment(game.table.state), None)


def test_seats_that_were_passed_over_are_those_from_the_first_up_to_the_one_on_turn() -> None:
    """Around the table; none where the turn has not moved."""
    assert [_seats(*place, 3) for place in ((1, 2), (2, 1), (1, 1))] == [{1}, {2, 0}, set()]


def test_where_one_stock_round_follows_another_turns_of_both_have_ended() -> None:
    """18AL sells privates in stock rounds: Ann ended one, and Bob, who has the priority deal, can do nothing."""
    game = Position().cash(c=500).start("PRR", 80, a=60).stock("c").game()
    game.table.state.priority = 1
    before = Moment(Stock(turn=1), 0)
    assert [is_over(game, player, before, None) for player in "abc"] == [True, True, False]


def test_a_pass_of_a_player_counts_where_only_companies_have_had_turns() -> None:
    game = Position().start("PRR", 80, a=60).operating("PRR").game()
    assert not is_over(game, "a", Moment(Operating(), 0), None)


def test_a_second_pass_of_a_player_is_one_too_many_and_that_of_another_is_not() -> None:
    game = Position().cash(c=500).start("PRR", 80, a=60).stock("c").game()
    before = Moment(Stock(turn=2), 0)
    assert is_over(game, "b", before, Pass(actor="a", entity="a"))
    assert not is_over(game, "a", before, Pass(actor="a", entity="a"))
    assert is_over(game, "a", before, build_action("sell_shares", "a", "a", company="PRR", shares=1))


def test_companies_whose_turns_have_ended_since_may_pass_when_the_round_is_over() -> None:
    """The PRR operated before the last action, the LV did with it."""
    game = Position().start("PRR", 80, a=60).start("LV", 70, b=60).stock("a").game()
    before = Moment(Operating(done=["PRR", "LV"]), 1)
    assert [is_over(game, name, before, None) for name in ("PRR", "LV", "SRR")] == [False, True, False]


def test_a_private_passes_for_its_company_but_between_its_two_tiles() -> None:
    """And not for itself where nobody owns it."""
    place = Position().start("PRR", 80, a=60).owns("PRR", "B&S").operating("PRR")
    game = place.game()
    before = moment(game.table.state)
    assert is_over(game, "B&S", before, None)
    assert not is_over(game, "C&OC", before, None)
    game.table.turn.pair = ("B&S", "F4")
    assert not is_over(game, "B&S", before, None)
