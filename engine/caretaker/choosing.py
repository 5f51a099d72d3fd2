"""The computer player's choice of a move, and its three strengths: Apprentice, Conductor and Superintendent."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from engine.caretaker import auctions, deals, privates, stock_rounds, track, trains
from engine.caretaker.weighed_move import WeighedMove, WeighersByKind, completed_moves
from engine.core.actions import Action
from engine.core.chance import Chance
from engine.core.ids import PlayerId
from engine.core.offers import Offer, OfferCursor
from engine.game import Game
from engine.seat import SeatedPlayer

CONDUCTOR_WEIGHERS: Final[WeighersByKind] = {
    "bid": auctions.weigh_bids,
    "par": stock_rounds.weigh_company_starts,
    "reserve": stock_rounds.weigh_reservations,
    "start_minor": stock_rounds.weigh_minor_starts,
    "buy_share": stock_rounds.share_purchases,
    "sell_shares": stock_rounds.weigh_share_sales,
    "lay_tile": track.weigh_lays,
    "place_token": track.weigh_stations,
    "return_token": track.weigh_moved_stations,
    "run_routes": trains.weigh_suggested_runs,
    "dividend": trains.weigh_dividends,
    "buy_train": deals.weigh_train_purchases,
    "liquidate": trains.weigh_liquidations,
    "discard_train": trains.weigh_discards,
    "answer": deals.weigh_answers,
    "buy_private": deals.private_purchases,
    "sell_private": deals.weigh_private_sales,
    "merge": deals.weigh_mergers,
    "convert": deals.weigh_mergers,
    "propose_merger": deals.weigh_any_gain,
    "exchange_private": deals.weigh_any_gain,
    "prove_run": deals.weigh_any_gain,
    "place_marker": track.weigh_markers,
    "give_marker": track.weigh_markers,
    "buy_marker": track.weigh_markers,
    "place_bull": track.weigh_markers,
    "issue": deals.weigh_issues,
    "redeem": deals.weigh_any_gain,
    "redeem_share": deals.weigh_any_gain,
    "reissue": deals.weigh_any_gain,
    "privatize": deals.weigh_any_gain,
}
"""The Conductor's rating function for each kind of action. For other kinds, it passes or makes the first move."""
APPRENTICE_WEIGHERS: Final[WeighersByKind] = {
    **{
        kind: weigher
        for kind, weigher in CONDUCTOR_WEIGHERS.items()
        if kind not in {"place_token", "return_token", "sell_private"}
    },
    "lay_tile": track.weigh_most_promising_lay,
    "sell_shares": stock_rounds.weigh_forced_share_sales,
    "dividend": trains.weigh_forced_dividends,
    "buy_train": trains.weigh_treasury_purchases,
    "buy_private": privates.weigh_own_private_purchases,
}
"""The rating function for each kind of action of the Apprentice, the weakest strength.

It lays promising track and places no tokens. For its companies it buys trains that the treasury can pay
for, and its own privates. It sells shares only if forced.
"""
SUPERINTENDENT_WEIGHERS: Final[WeighersByKind] = {
    **CONDUCTOR_WEIGHERS,
    "lay_tile": track.weigh_lays_with_next_lay,
}
"""The Superintendent's rating functions: the Conductor's, but a tile lay is rated with the best lay after it."""

STRENGTHS: Final[Mapping[str, WeighersByKind]] = {
    "Apprentice": APPRENTICE_WEIGHERS,
    "Conductor": CONDUCTOR_WEIGHERS,
    "Superintendent": SUPERINTENDENT_WEIGHERS,
}
"""The rating functions for each strength of the computer player; the weakest strength comes first."""
DEFAULT_STRENGTH: Final = "Superintendent"
"""Name of the default strength."""

RUIN_VALUE: Final = -1e9
"""Value of a move that ruins (bankrupts) the player."""
FALLBACK_MOVE_VALUE: Final = -1e6
"""Value of an unweighed (fallback) move: lower than any rated move, higher than a move that bankrupts the player."""
MAX_FALLBACK_MOVES: Final = 20
"""Maximum number of fallback moves that are tried to find one that needs no other player's consent."""
RUINOUS_KINDS: Final = frozenset({"declare_bankruptcy"})
"""Kinds of moves that ruin the player, such as bankruptcy; made only if no other move is possible."""


def choose_move(game: Game, player: PlayerId, seed: int, strength: str = DEFAULT_STRENGTH) -> Action:
    """The computer player's move in this position; the same position, seed and strength give the same move.

    Raises ValueError if the player has no legal move, KeyError if the strength does not exist.
    """
    return best_move(weighed_moves(game, player, strength), seed + game.seq)


def weighed_moves(game: Game, player: PlayerId, strength: str = DEFAULT_STRENGTH) -> list[WeighedMove]:
    """The moves that the computer player considers, at least one, each with its value.

    Raises ValueError if the player has no legal move, KeyError if the strength does not exist.
    """
    weigher_by_kind = STRENGTHS[strength]
    seat = SeatedPlayer(game, player)
    if not seat.offers:
        raise ValueError(f"nothing is offered to {player}")
    candidate_moves = [
        weighed_move for offer in seat.offers for weighed_move in _weigh_offer(seat, offer, weigher_by_kind)
    ]
    return candidate_moves or [
        weighed_move for offer in seat.offers for weighed_move in _fallback_moves(seat, offer)
    ]


def best_move(candidate_moves: Sequence[WeighedMove], random_seed: int) -> Action:
    """The move of the highest value; `random_seed` decides between moves of equal value."""
    highest_worth = max(weighed_move.worth for weighed_move in candidate_moves)
    best_moves = [
        weighed_move.cursor for weighed_move in candidate_moves if weighed_move.worth == highest_worth
    ]
    return best_moves[Chance(random_seed).draw(len(best_moves))].action()


def _weigh_offer(seat: SeatedPlayer, offer: Offer, weigher_by_kind: WeighersByKind) -> Iterator[WeighedMove]:
    if offer.kind == "pass":
        yield WeighedMove(0.0, OfferCursor(offer))
    elif offer.kind in weigher_by_kind and (offer.kind != "lay_tile" or track.is_own_company_operating(seat)):
        yield from weigher_by_kind[offer.kind](seat, offer)


def _fallback_moves(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """The fallback for an offer if no move is rated: its first complete move.

    A move that needs no other player's consent is preferred.
    """
    move_value = (
        RUIN_VALUE if offer.kind in RUINOUS_KINDS else FALLBACK_MOVE_VALUE * (1 if offer.blocking else 2)
    )
    complete_moves = list(islice(completed_moves(offer), MAX_FALLBACK_MOVES))
    moves_without_consent = (
        cursor for cursor in complete_moves if seat.game.table_after(cursor).state.proposal is None
    )
    first_without_consent = next(moves_without_consent, None)
    if complete_moves:
        yield (
            WeighedMove(move_value, first_without_consent)
            if first_without_consent is not None
            else WeighedMove(RUIN_VALUE * 2, complete_moves[0])
        )
