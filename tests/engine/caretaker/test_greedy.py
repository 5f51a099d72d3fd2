"""The greedy player against which the caretaker is measured: what gains it most now, and nothing beyond that."""

import pytest

from benchmarks.caretaker import play
from benchmarks.greedy import Greedy
from engine.core.actions import Action
from engine.game import Game
from tests.engine.caretaker.positions import lehigh


def chosen(game: Game) -> Action:
    return Greedy().choose(game)


def test_greedy_lays_what_raises_its_income() -> None:
    game = lehigh("3", step="track").phase("3").game()
    before = game.best_run().revenue
    game.apply(chosen(game))
    assert game.best_run().revenue > before


def test_greedy_pays_out() -> None:
    game = lehigh("2", step="dividend", revenue=50).game()
    game.apply(chosen(game))
    assert game.table.cash("a") == 30


def test_greedy_buys_no_useless_train() -> None:
    assert chosen(lehigh("2").game()).kind == "pass"


def test_greedy_asks_nobody() -> None:
    """Bob would have to agree to the sale of B&O's train."""
    place = lehigh("2").start("B&O", 80, b=60).trains("B&O", "3", "3").operated("LV")
    assert chosen(place.game()).chosen().get("source") != "B&O"


@pytest.mark.long
def test_game_against_greedy_is_measured() -> None:
    played = play("18al", 3, 1, "greedy", "Apprentice")
    assert played.ended in {"bank", "price", "bankruptcy"}
    assert 0 < played.worth < 1
    assert played.raised == 0
