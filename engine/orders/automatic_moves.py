"""Automatic moves: forced moves, which leave no choice, and the moves of orders."""

from dataclasses import dataclass
from typing import Final

from engine.core.offers import Offer, OfferCursor
from engine.game import Game

NEVER_AUTOMATIC: Final = frozenset({"declare_bankruptcy", "liquidate"})
"""Kinds of moves that are never automatic, even without an alternative."""
END_GAME_KIND: Final = "end_game"
"""Kind of the vote to end the game. All players always have it, so it does not count as an alternative."""


@dataclass(frozen=True, slots=True)
class AutomaticMove:
    """An automatic move as a cursor, and the number of its order (None: a forced move)."""

    cursor: OfferCursor
    order: int | None = None


def forced_move(game: Game) -> AutomaticMove | None:
    """The only legal move of the only player to act; None if there is a choice."""
    actors = game.actors()
    # a player who waits for an answer may move instead
    if len(actors) != 1 or game.proposal is not None:
        return None
    offers = [offer for offer in game.offers(actors[0]) if offer.kind != END_GAME_KIND]
    if len(offers) != 1 or offers[0].kind in NEVER_AUTOMATIC:
        return None
    cursor = _only_filling(offers[0])
    return None if cursor is None else AutomaticMove(cursor)


def _only_filling(offer: Offer) -> OfferCursor | None:
    cursor = OfferCursor(offer)
    while cursor.slot is not None:
        only_value = cursor.domain.only_value()
        if only_value is None:
            return None
        cursor = cursor.pick(only_value)
    return cursor
