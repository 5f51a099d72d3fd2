"""Random games by the rules of 18xx.games, exported: that site loads them, move by move, and ends them alike."""

import json

import pytest

from engine.core.actions import Action
from engine.game import Game
from engine.interchange import read_log, replay
from engine.interchange.log_reader import PROFILE_OF_18XX_GAMES
from engine.interchange.writer import refusal_on_18xx_games, write_log
from engine.titles import TITLES
from tests.support.long_runs import some_named
from tests.support.players.random_play import RandomPlayer

THERE = [known for known in TITLES.values() if known.spec.is_on_18xx_games]
TABLES = [
    f"{known.id} {players}"
    for known in THERE
    for players in known.spec.players
    if players >= known.spec.min_players_on_18xx_games
]
EVERY_RUN = ("18chesapeake 5", "18newengland 3", "18tn 4")
MAX_ACTIONS = 400


@pytest.mark.parametrize("table", some_named(EVERY_RUN, TABLES))
def test_exported_games_are_read_there(table: str, game_seed: int, whole_games: bool) -> None:
    """With every answer that it asks for; three tables, in long runs each title with each number of players."""
    title, players = table.split()
    log = exported(title, int(players), game_seed, None if whole_games else MAX_ACTIONS)
    assert refusal_on_18xx_games(log) is None


def test_bankruptcies_as_there() -> None:
    """Shares are sold in the train step only: what that site asks before it is answered first (D-CH-23). It
    would keep the routes of a company that must still run; here that has run as before."""
    log = exported("18chesapeake", 6, 9, None)
    before, last = json.loads(log)["actions"][-2:]
    assert (last["type"], before["type"], "asked_there" in before) == ("bankrupt", "pass", True)
    assert refusal_on_18xx_games(log) is None
    log = exported("18newengland", 3, 2, 306)
    bankrupt = json.loads(log)["actions"][-1]
    assert [raw["type"] for raw in bankrupt["here"]] == ["run_routes", "bankrupt"]
    runs = [raw for raw in json.loads(log)["actions"][-5:] if raw["entity"] == bankrupt["entity"]]
    assert "run_routes" not in [raw["type"] for raw in runs]
    assert refusal_on_18xx_games(log) is None
    made = replay(read_log(log)).applied_actions
    assert [action.kind for action in made[-2:]] == ["run_routes", "declare_bankruptcy"]


def exported(title: str, players: int, seed: int, most: int | None) -> str:
    """A random game as a log, to its end (None) or so far."""
    seats = [(str(number), f"Player {number}") for number in range(1, players + 1)]
    game, player, actions = (
        Game(title, seats, seed, PROFILE_OF_18XX_GAMES),
        RandomPlayer(seed),
        list[Action](),
    )
    while not game.is_over and game.seq != most:
        actions.append(player.choose(game))
        game.apply(actions[-1])
    return write_log(Game(title, seats, seed, PROFILE_OF_18XX_GAMES), actions)
