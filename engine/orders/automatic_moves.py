"""Automatic moves: forced moves, which have no alternative, and moves made by standing orders."""

from dataclasses import dataclass
from typing import Final

from engine.core.offers import Offer, OfferCursor
from engine.game import Game

NEVER_AUTOMATIC_KINDS: Final = frozenset({"declare_bankruptcy", "liquidate"})
"""Kinds of moves that are never automatic, even without an alternative."""
END_GAME_KIND: Final = "end_game"
"""Kind of the vote to end the game. It is always available, so forced moves ignore it."""


@dataclass(frozen=True, slots=True)
class AutomaticMove:
    """A move made for a player, with the number of the standing order that makes it (None: a forced move)."""

    cursor: OfferCursor
    order_number: int | None = None


def forced_move(game: Game) -> AutomaticMove | None:
    """The only legal move in the game, if only one player must act; otherwise None."""
    actors = game.actors()
    # a player who waits for an answer may move instead
    if len(actors) != 1 or game.proposal is not None:
        return None
    offers = [offer for offer in game.offers(actors[0]) if offer.kind != END_GAME_KIND]
    if len(offers) != 1 or offers[0].kind in NEVER_AUTOMATIC_KINDS:
        return None
    cursor = _only_complete_move(offers[0])
    return None if cursor is None else AutomaticMove(cursor)


def _only_complete_move(offer: Offer) -> OfferCursor | None:
    cursor = OfferCursor(offer)
    while cursor.slot is not None:
        only_value = cursor.domain.only_value()
        if only_value is None:
            return None
        cursor = cursor.pick(only_value)
    return cursor
