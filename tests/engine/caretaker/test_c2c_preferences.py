"""What the caretaker prefers in 18C2C."""

from engine.caretaker.railway import lays_to_run
from tests.engine.caretaker.test_preferences import chosen
from tests.titles.builders import Position, new_game


def test_a_company_without_a_route_builds_over_dear_terrain() -> None:
    """18C2C: B&O leaves Baltimore only over terrain at $80, for which little is to be had at once."""
    position = Position(title="18c2c").start("B&O", 90, at=(5, 1), a=60).trains("B&O", "2")
    game = position.operating("B&O").game()
    assert not game.best_run().revenue
    assert chosen(game).kind == "lay_tile"


def test_a_company_that_needs_help_is_started_though_its_first_run_is_far() -> None:
    """18C2C: all companies but the CP lay two tiles or more before they can run."""
    game = Position(title="18c2c").cash(a=290, b=0, c=0).stock().game()
    assert chosen(game).kind == "par"


def test_no_money_is_reserved_for_a_company_where_shares_are_sold_with_privates() -> None:
    """18C2C: no company starts with what would be left beyond it, and the privates would wait for ever."""
    game = new_game(players=6, title="18c2c")
    while chosen(game).kind == "remove_private":
        game.apply(chosen(game))
    assert chosen(game).kind == "bid"


def test_how_far_away_the_first_run_of_a_corporation_is() -> None:
    """The CP is near a red place, the PRR in the middle of the land."""
    board = new_game(title="18c2c").table.map
    homes = {name: board.spec.companies[name].home for name in ("CP", "PRR")}
    found = {
        name: lays_to_run(board, (home.hex, home.stop), frozenset()) for name, home in homes.items() if home
    }
    assert found == {"CP": 1, "PRR": 3}
