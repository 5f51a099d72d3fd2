"""The golden games, each read once for all tests, and their positions, each played to once."""

from functools import cache
from pathlib import Path
from typing import Final

from engine.game import Game
from engine.record import Record, read_record

FOLDER: Final = Path(__file__).parent


@cache
def golden(name: str) -> Record:
    return read_record((FOLDER / f"{name}.json").read_text("utf-8"))


def golden_at(name: str, actions: int) -> Game:
    """A golden game after N actions, for one test alone."""
    return Game.load(_saved(name, actions))


@cache
def _saved(name: str, actions: int) -> str:
    return golden(name).play(actions).dump()
