"""Golden games followed once, with the ledger and the story that are written on the way."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from engine.core.actions import Action
from engine.core.events import Event
from engine.core.facts import Fact
from engine.game import Game
from engine.tell.ledger import Payment, ledger
from engine.tell.teller import teller_of
from engine.tell.turning_points import GameStory
from tests.golden.positions import FOLDER, golden

ALL = sorted(path.stem for path in FOLDER.glob("*.json") if "full" not in path.stem)
"""Without the game of the whole board, which takes longer than all others together."""


class Followed(NamedTuple):
    """A game at its end, all its events with the round after the move, its story, and its ledger."""

    game: Game
    events: tuple[tuple[str, Event], ...]
    story: tuple[Fact, ...]
    payments: tuple[Payment, ...]


@cache
def followed(name: str) -> Followed:
    record = golden(name)
    game, events = record.initial_game(), list[tuple[str, Event]]()
    story = GameStory.starting_at(game)

    def one_by_one() -> Iterator[Action]:
        """The ledger asks for the next action when the one before is done."""
        for number, action in enumerate(record.actions, 1):
            yield action
            story.add_events(game, game.table.events, number)
            events.extend((teller_of(game).round_name(), event) for event in game.table.events)

    payments = tuple(ledger(game, one_by_one()))
    return Followed(game, tuple(events), story.turning_points(game), payments)
