"""Questions about a position, answered by a worker: the game crosses as text, so nobody has to wait for its lock."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final, TypeVar

from bot.table.live import LiveGame
from bot.table.style import in_words
from bot.workers.workers import Priority, Queue, Workers
from engine.game import Game

T = TypeVar("T")

KEPT: Final = 4
"""Positions that a worker keeps: buttons and menus ask about the same one several times."""
_games: OrderedDict[str, Game] = OrderedDict()
"""In a worker: the games asked about last, by their text."""


async def ask(workers: Workers, queue: Queue, position: str, function: Callable[..., T], *args: Any) -> T:
    """What a function of a game, which changes nothing, makes of a position (as `Game.dump` writes it).

    Raises Refused for what the rules refuse, in words, and NotDone.
    """
    return await workers.run(queue, _answered, position, function, args)


async def ask_for(live: LiveGame, game: Game, function: Callable[..., T], *args: Any) -> T:
    """The same for a move of a game that is being written, and whose lock is held meanwhile."""
    return await ask(live.workers, for_move(live), game.dump(), function, *args)


def for_move(live: LiveGame) -> Queue:
    """The queue for what a move of this game waits for."""
    return Queue(Priority.SEARCH, live.row.guild_id)


def _answered(text: str, function: Callable[..., T], args: tuple[Any, ...]) -> T:
    # Taken out meanwhile: threads, where they do the work, do not share a game.
    game = _games.pop(text, None) or Game.load(text)
    try:
        with in_words(game):
            return function(game, *args)
    finally:
        _games[text] = game
        if len(_games) > KEPT:
            _games.popitem(last=False)
