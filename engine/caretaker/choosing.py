"""The caretaker's choice of a move, and its strengths, by the names that players choose."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from engine.caretaker import deals, privates, stock_rounds, track, trains
from engine.caretaker.ideas import Idea, Views, complete_fillings
from engine.core.actions import Action
from engine.core.chance import Chance
from engine.core.ids import PlayerId
from engine.core.offers import Cursor, Offer
from engine.game import Game
from engine.seat import SeatedPlayer

CONDUCTOR: Final[Views] = {
    "bid": privates.bids,
    "par": stock_rounds.starts,
    "reserve": stock_rounds.reservations,
    "start_minor": stock_rounds.small_starts,
    "buy_share": stock_rounds.share_purchases,
    "sell_shares": stock_rounds.share_sales,
    "lay_tile": track.lay_ideas,
    "place_token": track.stations,
    "run_routes": trains.runs,
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
    "place_marker": track.markers,
    "buy_marker": track.markers,
    "place_bull": track.markers,
    "issue": deals.issues,
    "redeem": deals.any_gain,
    "redeem_share": deals.any_gain,
    "reissue": deals.any_gain,
    "privatize": deals.any_gain,
}
"""Its habits; of everything else it does nothing, or the first thing, as harmless."""
APPRENTICE: Final[Views] = {
    **{
        kind: view
        for kind, view in CONDUCTOR.items()
        if kind not in {"place_token", "buy_private", "sell_private"}
    },
    "lay_tile": track.first_sight,
    "sell_shares": stock_rounds.forced_share_sales,
    "dividend": trains.forced_dividends,
    "buy_train": trains.needed_purchases,
}
"""It lays what looks promising, sells and buys trains only where it must, pays what is earned, and places no token."""
SUPERINTENDENT: Final[Views] = {**CONDUCTOR, "lay_tile": track.lays_ahead}
"""It looks at the lay after the next, too."""

STRENGTHS: Final[Mapping[str, Views]] = {
    "Apprentice": APPRENTICE,
    "Conductor": CONDUCTOR,
    "Superintendent": SUPERINTENDENT,
}
"""By name, the weakest first."""
STRONGEST: Final = "Superintendent"
"""Strength where nobody has chosen."""

RUIN: Final = -1e9
"""Value of giving up."""
NO_VIEW: Final = -1e6
"""Value of a move that is not weighed: less than any other except ruin."""
TRIED: Final = 20
"""Number of ways tried for one that needs nobody's consent."""
RUINOUS: Final = frozenset({"declare_bankruptcy"})
"""Moves made only where nothing else is possible."""


def choose(game: Game, player: PlayerId, seed: int, strength: str = STRONGEST) -> Action:
    """A sensible player's action in this position; position, seed and strength determine it.

    Raises ValueError where nothing is offered to the player, KeyError where no strength has this name.
    """
    return best(weighed_moves(game, player, strength), seed + game.seq)


def weighed_moves(game: Game, player: PlayerId, strength: str = STRONGEST) -> list[Idea]:
    """The moves considered, at least one, each with its value; raises as `choose` does."""
    views = STRENGTHS[strength]
    seat = SeatedPlayer(game, player)
    if not seat.offers:
        raise ValueError(f"nothing is offered to {player}")
    ideas = [idea for offer in seat.offers for idea in _ideas(seat, offer, views)]
    return ideas or [idea for offer in seat.offers for idea in _at_worst(seat, offer)]


def best(ideas: Sequence[Idea], chance: int) -> Action:
    """The idea of the highest value; chance picks among equal ones."""
    most = max(idea.worth for idea in ideas)
    equal = [idea.walk for idea in ideas if idea.worth == most]
    return equal[Chance(chance).draw(len(equal))].action()


def _ideas(seat: SeatedPlayer, offer: Offer, views: Views) -> Iterator[Idea]:
    if offer.kind == "pass":
        yield Idea(0.0, Cursor(offer))
    elif offer.kind in views:
        yield from views[offer.kind](seat, offer)


def _at_worst(seat: SeatedPlayer, offer: Offer) -> Iterator[Idea]:
    """The first way to fill the offer, as a last resort; never a proposal, which could be refused for ever."""
    worth = RUIN if offer.kind in RUINOUS else NO_VIEW * (1 if offer.blocking else 2)
    walks = list(islice(complete_fillings(offer), TRIED))
    alone = (walk for walk in walks if seat.game.after(walk).state.proposal is None)
    first = next(alone, None)
    if walks:
        yield Idea(worth, first) if first is not None else Idea(RUIN * 2, walks[0])
