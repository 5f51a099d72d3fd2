"""Plays the games kept in tests/golden anew, one per way to end; run it when a mended rule changes them on purpose.

`python tests/support/make_golden.py tests/golden`
"""

import sys
from collections.abc import Callable
from pathlib import Path

from random_play import RandomPlayer
from steady_player import SteadyPlayer

from engine.core.actions import Action, EndGame
from engine.game import Game
from engine.record import record, write_record

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Fay")


def main(folder: Path) -> None:
    """Write every golden game into the folder."""
    steady, chance = SteadyPlayer(3), RandomPlayer(3000)
    games = {
        "18chesapeake-bank-4p": _play(_table(4, 3), steady.choose),
        "18chesapeake-bankruptcy-3p": _play(_table(3, 0), chance.choose),
        "18chesapeake-agreement-2p": _agree(_play(_table(2, 2), RandomPlayer(2002).choose, 120)),
        "18al-price-3p": _play(_table(3, 0, "18al"), SteadyPlayer(0).choose),
        "18al-bankruptcy-3p": _play(_table(3, 7, "18al"), RandomPlayer(7).choose),
        "18tn-bankruptcy-3p": _play(_table(3, 7, "18tn"), RandomPlayer(7).choose),
        "18tn-bank-3p": _play(_table(3, 2, "18tn"), RandomPlayer(2).choose),
    }
    for name, game in games.items():
        (folder / f"{name}.json").write_text(write_record(record(game)), "utf-8")


def _table(players: int, seed: int, title: str = "18chesapeake") -> Game:
    return Game(title, [(f"p{i}", name) for i, name in enumerate(NAMES[:players], 1)], seed)


def _play(game: Game, choose: Callable[[Game], Action], most: int = 5000) -> Game:
    while not game.over and game.seq < most:
        game.apply(choose(game))
    return game


def _agree(game: Game) -> Game:
    for player, _ in game.players:
        game.apply(EndGame(actor=player, entity=player))
    return game


if __name__ == "__main__":
    main(Path(sys.argv[1]))
