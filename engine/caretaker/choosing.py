"""The caretaker's choice of a move, and its strengths, by the names that players choose."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from engine.caretaker import auctions, deals, privates, stock_rounds, track, trains
from engine.caretaker.weighed_move import WeighedMove, WeighersByKind, complete_fillings
from engine.core.actions import Action
from engine.core.chance import Chance
from engine.core.ids import PlayerId
from engine.core.offers import Offer, OfferCursor
from engine.game import Game
from engine.seat import SeatedPlayer

CONDUCTOR: Final[WeighersByKind] = {
    "bid": auctions.bids,
    "par": stock_rounds.weigh_company_starts,
    "reserve": stock_rounds.reservations,
    "start_minor": stock_rounds.minor_starts,
    "buy_share": stock_rounds.share_purchases,
    "sell_shares": stock_rounds.share_sales,
    "lay_tile": track.weigh_lays,
    "place_token": track.weigh_stations,
    "return_token": track.weigh_moved_stations,
    "run_routes": trains.suggested_runs,
    "dividend": trains.dividends,
    "buy_train": deals.train_purchases,
    "liquidate": trains.liquidations,
    "discard_train": trains.discards,
    "answer": deals.weigh_answers,
    "buy_private": deals.private_purchases,
    "sell_private": deals.private_sales,
    "merge": deals.mergers,
    "convert": deals.mergers,
    "propose_merger": deals.weigh_any_gain,
    "exchange_private": deals.weigh_any_gain,
    "prove_run": deals.weigh_any_gain,
    "place_marker": track.weigh_markers,
    "give_marker": track.weigh_markers,
    "buy_marker": track.weigh_markers,
    "place_bull": track.weigh_markers,
    "issue": deals.issues,
    "redeem": deals.weigh_any_gain,
    "redeem_share": deals.weigh_any_gain,
    "reissue": deals.weigh_any_gain,
    "privatize": deals.weigh_any_gain,
}
"""How the Conductor values moves, by kind of action; of other kinds it passes, or takes the first possible move."""
APPRENTICE: Final[WeighersByKind] = {
    **{
        kind: view
        for kind, view in CONDUCTOR.items()
        if kind not in {"place_token", "return_token", "sell_private"}
    },
    "lay_tile": track.first_sight_lay,
    "sell_shares": stock_rounds.forced_share_sales,
    "dividend": trains.forced_dividends,
    "buy_train": trains.treasury_purchases,
    "buy_private": privates.own_private_purchases,
}
"""The Apprentice lays promising track, buys trains that its treasury pays and its president's privates, sells no share
unless forced, and places no token.
"""
SUPERINTENDENT: Final[WeighersByKind] = {**CONDUCTOR, "lay_tile": track.lays_ahead}
"""The Superintendent also considers the lay after the next one."""

STRENGTHS: Final[Mapping[str, WeighersByKind]] = {
    "Apprentice": APPRENTICE,
    "Conductor": CONDUCTOR,
    "Superintendent": SUPERINTENDENT,
}
"""Views of each strength by its name, weakest first."""
STRONGEST: Final = "Superintendent"
"""The default strength."""

RUIN_VALUE: Final = -1e9
"""Value of a move that ruins the player."""
UNWEIGHED_MOVE_VALUE: Final = -1e6
"""Value of a move that no view judges: less than any other except ruin."""
MAX_FILLINGS_TRIED: Final = 20
"""Fillings of an offer that are tried to find one that needs nobody's consent."""
RUINOUS_KINDS: Final = frozenset({"declare_bankruptcy"})
"""Kinds of moves made only where nothing else is possible."""


def choose(game: Game, player: PlayerId, seed: int, strength: str = STRONGEST) -> Action:
    """A sensible player's action in this position; position, seed and strength determine it.

    Raises ValueError where nothing is offered to the player, KeyError where no strength has this name.
    """
    return best_move(weighed_moves(game, player, strength), seed + game.seq)


def weighed_moves(game: Game, player: PlayerId, strength: str = STRONGEST) -> list[WeighedMove]:
    """The moves considered, at least one, each with its value; raises as `choose` does."""
    weighers = STRENGTHS[strength]
    seat = SeatedPlayer(game, player)
    if not seat.offers:
        raise ValueError(f"nothing is offered to {player}")
    candidate_moves = [
        weighed_move for offer in seat.offers for weighed_move in _weigh_offer(seat, offer, weighers)
    ]
    return candidate_moves or [
        weighed_move for offer in seat.offers for weighed_move in _last_resort(seat, offer)
    ]


def best_move(candidate_moves: Sequence[WeighedMove], random_seed: int) -> Action:
    """The weighed move of the highest value; chance picks among equal ones."""
    highest_worth = max(weighed_move.worth for weighed_move in candidate_moves)
    best_fillings = [
        weighed_move.cursor for weighed_move in candidate_moves if weighed_move.worth == highest_worth
    ]
    return best_fillings[Chance(random_seed).draw(len(best_fillings))].action()


def _weigh_offer(seat: SeatedPlayer, offer: Offer, weighers: WeighersByKind) -> Iterator[WeighedMove]:
    if offer.kind == "pass":
        yield WeighedMove(0.0, OfferCursor(offer))
    elif offer.kind in weighers and (offer.kind != "lay_tile" or track.lays_for_own_company(seat)):
        yield from weighers[offer.kind](seat, offer)


def _last_resort(seat: SeatedPlayer, offer: Offer) -> Iterator[WeighedMove]:
    """The first way to fill the offer, as a last resort; never a proposal, which could be refused for ever."""
    move_value = (
        RUIN_VALUE if offer.kind in RUINOUS_KINDS else UNWEIGHED_MOVE_VALUE * (1 if offer.blocking else 2)
    )
    fillings = list(islice(complete_fillings(offer), MAX_FILLINGS_TRIED))
    without_consent = (cursor for cursor in fillings if seat.game.table_after(cursor).state.proposal is None)
    first_filling = next(without_consent, None)
    if fillings:
        yield (
            WeighedMove(move_value, first_filling)
            if first_filling is not None
            else WeighedMove(RUIN_VALUE * 2, fillings[0])
        )
