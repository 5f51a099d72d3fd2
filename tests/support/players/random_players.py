"""Who plays a title by chance so that its games come to their end."""

from collections.abc import Callable, Mapping

from tests.support.players.c2c_player import Magnate
from tests.support.players.newengland_player import Speculator
from tests.support.players.random_play import RandomPlayer

PLAYERS: Mapping[str, Callable[[int], RandomPlayer]] = {
    "18c2c": Magnate,
    "18c2c-full": Magnate,
    "18newengland": Speculator,
}
"""Players of titles in which anybody else gets nowhere, by what their chance is drawn from."""


def player_of(title: str, seed: int) -> RandomPlayer:
    """A random player for all seats of a game of the title."""
    return PLAYERS.get(title, RandomPlayer)(seed)
