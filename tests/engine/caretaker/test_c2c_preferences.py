"""Preferences of the caretaker in 18C2C."""

from engine.caretaker.railway import lay_count_to_run
from tests.engine.caretaker.test_preferences import chosen
from tests.titles.builders import Position, new_game


def test_dear_terrain_is_built_for_a_first_route() -> None:
    """B&O leaves Baltimore only over terrain at $80, for which little is to be had at once."""
    position = Position(title="18c2c").start("B&O", 90, at=(5, 1), a=60).trains("B&O", "2")
    game = position.operating("B&O").game()
    assert not game.best_run().revenue
    assert chosen(game).kind == "lay_tile"


def test_privates_do_not_wait_for_a_stock_round() -> None:
    """Nobody can float a company alone, but those who act later count on the players who have passed."""
    game = new_game(players=6, title="18c2c")
    while chosen(game).kind in {"remove_private", "pass"}:
        game.apply(chosen(game))
    assert (chosen(game).kind, game.table.stock_round.number) == ("bid", 1)


def test_lays_before_the_first_run() -> None:
    """The CP is near a red place, the PRR in the middle of the land."""
    board = new_game(title="18c2c").table.map
    homes = {name: board.spec.companies[name].home for name in ("CP", "PRR")}
    found = {
        name: lay_count_to_run(board, (home.hex, home.stop), frozenset())
        for name, home in homes.items()
        if home
    }
    assert found == {"CP": 1, "PRR": 3}
