"""Automatic moves without an order: forced moves, which leave nothing to choose."""

from dataclasses import dataclass
from typing import Final

from engine.core.offers import Cursor, Offer
from engine.game import Game

NEVER_AUTOMATIC: Final = frozenset({"declare_bankruptcy", "liquidate"})
"""Moves that are never automatic, even without an alternative."""
END_GAME_KIND: Final = "end_game"
"""Kind of the vote to end the game, which everybody always has, so that it is no alternative to a move."""


@dataclass(frozen=True, slots=True)
class AutomaticMove:
    """An automatic move as a cursor, and the number of its order (None: forced)."""

    walk: Cursor
    order: int | None = None


def forced_move(game: Game) -> AutomaticMove | None:
    """The only legal move of the only player on turn; None where there is a choice."""
    actors = game.actors()
    # A player who waits for an answer may still move instead.
    if len(actors) != 1 or game.proposal is not None:
        return None
    offers = [offer for offer in game.offers(actors[0]) if offer.kind != END_GAME_KIND]
    if len(offers) != 1 or offers[0].kind in NEVER_AUTOMATIC:
        return None
    walk = _only_filling(offers[0])
    return None if walk is None else AutomaticMove(walk)


def _only_filling(offer: Offer) -> Cursor | None:
    walk = Cursor(offer)
    while walk.slot is not None:
        only_value = walk.domain.only_value()
        if only_value is None:
            return None
        walk = walk.pick(only_value)
    return walk
