"""Moves made for a player who has run out of time: pass, refuse, run the best routes, or pay out."""

from collections.abc import Callable
from typing import Final

from engine.core.ids import PlayerId
from engine.core.offers import OfferCursor
from engine.game import Game
from engine.seat import SeatedPlayer

TIMEOUT_MOVE_KINDS: Final = frozenset({"pass", "answer", "run_routes", "dividend"})
"""Kinds of moves made after a timeout. Tiles, stations, trains, shares, bids and prices are left to the player."""


def timeout_move(game: Game, player: PlayerId) -> OfferCursor | None:
    """The move to make for a player who has run out of time; None if the decision needs the player."""
    if player not in game.actors():
        return None
    seat = SeatedPlayer(game, player)
    return next(
        (cursor for find_move in _TIMEOUT_MOVE_FUNCTIONS if (cursor := find_move(seat)) is not None), None
    )


def may_have_timeout_move(game: Game, player: PlayerId) -> bool:
    """True if `timeout_move` may return a move. This quick check does not search for routes."""
    if player not in game.actors():
        return False
    return any(offer.kind in TIMEOUT_MOVE_KINDS for offer in SeatedPlayer(game, player).offers_of_step)


def _refusal_move(seat: SeatedPlayer) -> OfferCursor | None:
    return _move_with_value(seat, "answer", "reply", "refuse")


def _best_run_move(seat: SeatedPlayer) -> OfferCursor | None:
    offer = seat.offer_of_kind("run_routes")
    if offer is None:
        return None
    best_suggestion, *_ = offer.suggest()
    return OfferCursor(offer).pick_all(best_suggestion.chosen)


def _pay_out_move(seat: SeatedPlayer) -> OfferCursor | None:
    """The dividend: half pay if the company paid half last time, else full pay. Never withholds."""
    offer = seat.offer_of_kind("dividend")
    company = None if offer is None else seat.table.state.companies.get(offer.entity)
    last_run = None if company is None else company.last_run
    half_pay_move = (
        _move_with_value(seat, "dividend", "option", "half")
        if last_run is not None and last_run.outcome == "half"
        else None
    )
    return half_pay_move or _move_with_value(seat, "dividend", "option", "pay")


def _move_with_value(seat: SeatedPlayer, kind: str, slot: str, value: str) -> OfferCursor | None:
    offer = seat.offer_of_kind(kind)
    if offer is None or value not in OfferCursor(offer).domain:
        return None
    return OfferCursor(offer).pick(value)


_TIMEOUT_MOVE_FUNCTIONS: Final[tuple[Callable[[SeatedPlayer], OfferCursor | None], ...]] = (
    SeatedPlayer.pass_move,
    _refusal_move,
    _best_run_move,
    _pay_out_move,
)
"""Functions that return a timeout move, or None; the first move found is made."""
