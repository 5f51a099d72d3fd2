"""The greedy player against which the caretaker is measured: what gains it most now, and nothing beyond that."""

import pytest

from benchmarks.caretaker import play
from benchmarks.greedy import Greedy
from engine.core.actions import Action
from engine.game import Game
from tests.titles.builders import Position


def chosen(game: Game) -> Action:
    return Greedy().choose(game)


def railway() -> Position:
    """LV has track from its home to Easton and $950; Ann presides."""
    return Position().start("LV", 95, a=60).cash(a=0, b=0, c=0).operated("LV").tile("J2", "57", 1)


def test_it_makes_the_lay_that_raises_its_income_most() -> None:
    game = railway().phase("3").trains("LV", "3").operating("LV").game()
    before = game.best_run().revenue
    game.apply(chosen(game))
    assert game.best_run().revenue > before


def test_it_pays_out_and_leaves_a_train_that_earns_nothing_more() -> None:
    game = railway().trains("LV", "2").operating("LV", "dividend", revenue=50).game()
    game.apply(chosen(game))
    assert game.table.state.companies["LV"].last_run is not None
    assert game.table.cash("a") == 30
    game = railway().trains("LV", "2").operating("LV", "trains").game()
    assert chosen(game).kind == "pass"


def test_it_does_not_ask_anybody() -> None:
    """Bob would have to agree to the sale of B&O's train."""
    position = railway().trains("LV", "2").start("B&O", 80, b=60).trains("B&O", "3", "3")
    assert chosen(position.operating("LV", "trains").game()).chosen().get("source") != "B&O"


@pytest.mark.long
def test_a_game_against_it_comes_to_its_end_and_is_measured() -> None:
    played = play("18al", 3, 1, "greedy", "Apprentice")
    assert played.ended in {"bank", "price", "bankruptcy"}
    assert 0 < played.worth < 1
    assert played.raised == 0
