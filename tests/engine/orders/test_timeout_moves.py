"""What is done for a player whose time is up: never a tile, station, train, share, bid, nor anything that costs."""

from typing import Any

import pytest

from engine.core.actions import Answer
from engine.core.state import Auction, LastRun
from engine.game import Game
from engine.orders.timeout_moves import TIMEOUT_MOVE_KINDS, may_have_timeout_move, timeout_move
from engine.play.table import Table
from engine.titles import TITLES
from tests.golden.positions import golden
from tests.support.long_runs import VARIED_TITLES, some_named
from tests.support.players.random_players import player_of
from tests.titles.builders import Position, do, kinds, new_game

FAR, NEAR = 900, 500
"""This many random moves into each game: in long runs, and otherwise."""
EVERY = 4
"""At every Nth position what it would do is tried."""


def what_is_held(table: Table, player: str) -> dict[str, Any]:
    own = {name: company for name, company in table.state.companies.items() if company.president == player}
    return {
        "tiles": [(table.map.tile(at), table.map.rotation(at)) for at in table.map.coords],
        "shares": {name: dict(company.shares) for name, company in table.state.companies.items()},
        "trains": {name: tuple(company.trains) for name, company in own.items()},
        # The first station comes automatically, where the rules want it.
        "stations": {name: table.map.token_stops_of(name)[1:] for name in own},
        "pars": {name: company.par for name, company in table.state.companies.items()},
    }


@pytest.mark.parametrize("title", some_named(VARIED_TITLES, TITLES))
def test_timeout_moves_of_random_games(title: str, whole_games: bool) -> None:
    count = sorted(TITLES[title].spec.players)[-1 if title != "18c2c-full" else 1]
    game = Game(title, [(f"p{number}", f"P{number}") for number in range(count)], 7)
    chance = player_of(title, 7)
    seen: set[str] = set()
    while not game.is_over and game.seq < (FAR if whole_games else NEAR):
        for player in game.actors() if game.seq % EVERY == 0 else ():
            seen |= tried(game, player)
        game.apply(chance.choose(game))
    assert "pass" in seen
    assert seen <= TIMEOUT_MOVE_KINDS


def tried(game: Game, player: str) -> set[str]:
    """The kind of move that would be made for a player, after a look at what it changes."""
    cursor = timeout_move(game, player)
    assert may_have_timeout_move(game, player) or cursor is None
    if cursor is None:
        return set()
    before, after = game.table, game.table_after(cursor)
    assert cursor.offer.actor == player
    if not isinstance(before.state.round, Auction):
        # In an auction a pass may end it: what somebody has bid is paid then.
        assert what_is_held(after, player) == what_is_held(before, player)
        assert after.state.player(player).cash >= before.state.player(player).cash
    return {cursor.offer.kind}


def test_who_has_no_timeout_move() -> None:
    """In a forced purchase, not even a bankruptcy; nor who does not act."""
    place = Position().cash(a=50).phase("5").start("LV", 95, a=60).tile("J2", "57", 1)
    game = place.treasury("LV", 30).operating("LV", "trains").game()
    assert "pass" not in kinds(game)
    assert timeout_move(game, "a") is None
    assert not may_have_timeout_move(game, "a")
    game = new_game(3)
    assert timeout_move(game, "b") is None
    assert not may_have_timeout_move(game, "b")
    found = timeout_move(game, "a")
    assert found is not None
    assert found.offer.kind == "pass"


def test_timeout_refuses_runs_and_pays() -> None:
    """Both are at the table: the one who was asked refuses, and nothing of theirs is sold. The best routes
    are run, and paid where half is impossible."""
    place = Position().phase("3").cash(a=500).start("LV", 80, a=60).treasury("LV", 500).owns("b", "D&R")
    game = place.operating("LV", "trains").game()
    do(game, "buy_private", "LV", private="D&R", price=40)
    found = timeout_move(game, "b")
    assert found is not None
    assert found.action() == Answer(actor="b", entity=found.offer.entity, reply="refuse")
    assert timeout_move(game, "a") is None
    written = golden("18chesapeake-bank-4p")
    running = written.play([action.kind for action in written.actions].index("run_routes"))
    most, player = running.best_run(), running.actors()[0]
    found = timeout_move(running, player)
    assert found is not None
    running.apply_cursor(found)
    assert running.table.turn.revenue == most.revenue
    place = Position().start("LV", 80, a=60).operating("LV", "dividend", revenue=80)
    place.state.companies["LV"].last_run = LastRun((), (), 80, "half")
    found = timeout_move(place.game(), "a")
    assert found is not None
    assert found.chosen == {"option": "pay"}
