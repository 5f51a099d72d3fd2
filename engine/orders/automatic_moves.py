"""Automatic moves without an order: forced moves, which leave nothing to choose."""

from dataclasses import dataclass
from typing import Final

from engine.core.offers import Cursor, Offer
from engine.game import Game

ENDS_A_SEAT: Final = frozenset({"declare_bankruptcy", "liquidate"})
"""Moves that are never automatic, even without an alternative."""
VOTE: Final = "end_game"
"""The action that everybody has at any time: it leaves nothing to choose in the game."""


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
    offers = [offer for offer in game.offers(actors[0]) if offer.kind != VOTE]
    if len(offers) != 1 or offers[0].kind in ENDS_A_SEAT:
        return None
    walk = _only_way(offers[0])
    return None if walk is None else AutomaticMove(walk)


def _only_way(offer: Offer) -> Cursor | None:
    walk = Cursor(offer)
    while walk.slot is not None:
        only = walk.domain.only_value()
        if only is None:
            return None
        walk = walk.pick(only)
    return walk
