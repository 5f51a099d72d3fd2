"""The caretaker's choice of a move, and its strengths, by the names that players choose."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from engine.caretaker import auctions, deals, privates, stock_rounds, track, trains
from engine.caretaker.ideas import Idea, Views, complete_fillings
from engine.core.actions import Action
from engine.core.chance import Chance
from engine.core.ids import PlayerId
from engine.core.offers import Cursor, Offer
from engine.game import Game
from engine.seat import SeatedPlayer

CONDUCTOR: Final[Views] = {
    "bid": auctions.bids,
    "par": stock_rounds.starts,
    "reserve": stock_rounds.reservations,
    "start_minor": stock_rounds.minor_starts,
    "buy_share": stock_rounds.share_purchases,
    "sell_shares": stock_rounds.share_sales,
    "lay_tile": track.lay_ideas,
    "place_token": track.station_ideas,
    "return_token": track.moved_station_ideas,
    "run_routes": trains.suggested_runs,
    "dividend": trains.dividends,
    "buy_train": deals.train_purchases,
    "liquidate": trains.liquidations,
    "discard_train": trains.discards,
    "answer": deals.answer_ideas,
    "buy_private": deals.private_purchases,
    "sell_private": deals.private_sales,
    "merge": deals.mergers,
    "convert": deals.mergers,
    "propose_merger": deals.any_gain,
    "exchange_private": deals.any_gain,
    "prove_run": deals.any_gain,
    "place_marker": track.marker_ideas,
    "give_marker": track.marker_ideas,
    "buy_marker": track.marker_ideas,
    "place_bull": track.marker_ideas,
    "issue": deals.issues,
    "redeem": deals.any_gain,
    "redeem_share": deals.any_gain,
    "reissue": deals.any_gain,
    "privatize": deals.any_gain,
}
"""How the Conductor values moves, by kind of action; of other kinds it passes, or takes the first possible move."""
APPRENTICE: Final[Views] = {
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
SUPERINTENDENT: Final[Views] = {**CONDUCTOR, "lay_tile": track.lays_ahead}
"""The Superintendent also considers the lay after the next one."""

STRENGTHS: Final[Mapping[str, Views]] = {
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


def weighed_moves(game: Game, player: PlayerId, strength: str = STRONGEST) -> list[Idea]:
    """The moves considered, at least one, each with its value; raises as `choose` does."""
    views = STRENGTHS[strength]
    seat = SeatedPlayer(game, player)
    if not seat.offers:
        raise ValueError(f"nothing is offered to {player}")
    ideas = [idea for offer in seat.offers for idea in _ideas_for(seat, offer, views)]
    return ideas or [idea for offer in seat.offers for idea in _last_resort(seat, offer)]


def best_move(ideas: Sequence[Idea], random_seed: int) -> Action:
    """The idea of the highest value; chance picks among equal ones."""
    highest_worth = max(idea.worth for idea in ideas)
    best_fillings = [idea.walk for idea in ideas if idea.worth == highest_worth]
    return best_fillings[Chance(random_seed).draw(len(best_fillings))].action()


def _ideas_for(seat: SeatedPlayer, offer: Offer, views: Views) -> Iterator[Idea]:
    if offer.kind == "pass":
        yield Idea(0.0, Cursor(offer))
    elif offer.kind in views and (offer.kind != "lay_tile" or track.lays_for_own_company(seat)):
        yield from views[offer.kind](seat, offer)


def _last_resort(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """The first way to fill the offer, as a last resort; never a proposal, which could be refused for ever."""
    move_value = (
        RUIN_VALUE if offer.kind in RUINOUS_KINDS else UNWEIGHED_MOVE_VALUE * (1 if offer.blocking else 2)
    )
    fillings = list(islice(complete_fillings(offer), MAX_FILLINGS_TRIED))
    without_consent = (walk for walk in fillings if seat.game.table_after(walk).state.proposal is None)
    first_filling = next(without_consent, None)
    if fillings:
        yield (
            Idea(move_value, first_filling)
            if first_filling is not None
            else Idea(RUIN_VALUE * 2, fillings[0])
        )
