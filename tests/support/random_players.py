"""Who plays a title by chance so that its games come to their end."""

from c2c_player import Magnate
from newengland_player import Speculator
from random_play import RandomPlayer


def player_of(title: str, seed: int) -> RandomPlayer:
    """A random player for all seats of a game of the title."""
    if title.startswith("18c2c"):
        return Magnate(seed)
    return Speculator(seed) if title == "18newengland" else RandomPlayer(seed)
