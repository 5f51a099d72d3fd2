"""Which positions are kept on the way of a game, in the transaction of the moves that lead there."""

from collections.abc import Sequence
from typing import Final

from engine.game import Game
from storage.log import NOTHING, Entry, Row, SideEffects
from storage.positions import EVERY, OFTEN, AddPosition, DropPositions

LARGE: Final = 200
"""Hexes of a map on which moves take long to make again; both of 18C2C have more, all others fewer than 100."""


def spacing(game: Game) -> int:
    """Rows from one kept position of a game to the next: the same at all times."""
    return OFTEN if len(game.title.spec.map.all_hexes) > LARGE else EVERY


def positions_to_store(
    counting: Sequence[Row], entries: Sequence[Entry], state: str, every: int
) -> SideEffects:
    """What becomes of kept positions with the rows that come next, after those that count; `state` is that after them.

    An undo drops the positions that it undoes; of every `every` moves the last is kept, or the last that is
    stored with it.
    """
    last = entries[-1]
    if last.kind == "undo":
        return DropPositions(counting[-1].seq)
    made = len(counting)
    if (made + len(entries)) // every == made // every:
        return NOTHING
    return AddPosition(last.digest, state)
