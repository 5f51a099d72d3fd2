"""Whole games of the caretaker: alone among random players, and at a table of its own kind.

How often it wins is measured by `python -m benchmarks.caretaker`.
"""

from collections.abc import Iterable
from statistics import median

import pytest

from engine.caretaker import choose_move
from engine.core.ids import PlayerId
from engine.core.state import Operating
from engine.game import Game
from engine.titles import TITLES
from tests.support.players.random_players import player_of

LONG = "18c2c-full"
"""A title whose games are too long for many of them."""
TABLES = [
    (name, count)
    for name, title in TITLES.items()
    if name != LONG
    for count in sorted(title.spec.players, reverse=True)  # of few players games are longer
]
MAX_ACTIONS = 8_000
MAX_ROUNDS = 60
"""Operating rounds; most tables take about twenty, where the bank is large and rounds are short some more."""


@pytest.mark.long
def test_caretakers_finish_a_game_in_time(game_seed: int) -> None:
    """Another title or number of players with each seed."""
    game = _table(game_seed)
    rounds = _play(game, {player for player, _ in game.players}, game_seed)
    assert game.is_over
    assert rounds <= MAX_ROUNDS


def test_caretaker_beats_random_players(game_seed: int) -> None:
    """With as many seeds as there are tables, each of them comes once."""
    game = _table(game_seed)
    own = game.players[game_seed % len(game.players)][0]
    _play(game, {own}, game_seed)
    assert game.is_over
    assert game.scores()[own] >= median(game.scores().values())


def _table(game_seed: int) -> Game:
    title, count = TABLES[game_seed % len(TABLES)]
    return Game(title, [(f"p{number}", f"Player {number}") for number in range(count)], game_seed)


def _play(game: Game, cared: Iterable[PlayerId], seed: int) -> int:
    """Play to the end; returns how many operating rounds there were."""
    others, rounds = player_of(game.title.id, seed), set()
    while not game.is_over and game.seq < MAX_ACTIONS:
        player, now = game.actors()[0], game.table.state.round
        action = choose_move(game, player, seed) if player in cared else others.choose(game)
        if player in cared or action.actor not in cared:
            game.apply(action)
        if isinstance(now, Operating):
            rounds.add((now.set, now.number))
    return len(rounds)
