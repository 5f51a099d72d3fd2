"""Sealed maximum bids: as much as is needed, never more than was said, and nothing of it known before."""

from collections.abc import Sequence

from engine.core.cursor import Cursor
from engine.core.errors import IllegalAction
from engine.core.events import Event, IncomePaid, PriceReduced, RoundStarted
from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId, PrivateId
from engine.orders.kinds import BidUpTo, Seal, Standing
from engine.orders.moment import Moment
from engine.play.privates.auction import RAISE, free_cash, high_bid, is_bought, on_sale
from engine.play.steps.auction.bid import BidStep
from engine.play.table import Table


def bid_up_to(
    here: Moment, standing: Standing, order: BidUpTo, others: Sequence[Standing]
) -> Cursor | Fact | None:
    """To buy, or to bid as little as is possible up to the limit; else to pass, or to ask the player."""
    step = here.game.step()
    if step is None or step.name != BidStep.name or order.private not in on_sale(here.table):
        return None
    leading = leads(here.table, here.player, order.private)
    raised = None if leading else least(here, order.private)
    if raised is not None and raised.chosen["amount"] <= limit_of(
        here.table, standing, order.private, others
    ):
        return raised
    if order.then == "pass":
        return here.decline()
    return None if leading else fact("order.beyond", private=order.private, most=order.most)


def bid_up_to_ends(here: Moment, order: BidUpTo, events: Sequence[Event]) -> Fact | None:
    """The private is sold or gone; or all have passed, so that nothing would be sold if all orders went on passing."""
    private = here.table.state.privates[order.private]
    if private.closed:
        return fact("order.private_gone", private=private.id)
    if private.owner is not None:
        return fact("order.private_sold", private=private.id, owner=private.owner)
    all_passed = any(isinstance(event, PriceReduced | IncomePaid | RoundStarted) for event in events)
    return fact("order.all_passed") if all_passed and order.then == "pass" else None


def limit_of(t: Table, standing: Standing, private: PrivateId, others: Sequence[Standing]) -> int:
    """Dollars up to which an order bids: a raise less where an earlier one of somebody else goes as high.

    What lies on top takes no bids: the player who comes first by turn buys it.
    """
    most = _reach(t, standing, private)
    if most is None or is_bought(t, private):
        return most or 0
    return most - RAISE if any(_ties(t, standing, private, other, others) for other in others) else most


def maximum(standing: Standing, private: PrivateId) -> int | None:
    """What an order would give for a private at most, in dollars; None where it is about something else."""
    match standing.order:
        case BidUpTo(private=named, most=most):
            return most if named == private else None
        case Seal(maxima=maxima):
            return maxima.get(private)
        case _:
            return None


def leads(t: Table, player: PlayerId, private: PrivateId) -> bool:
    """Whether the highest bid on a private is the player's."""
    bids = t.auction.bids.get(private, {})
    return bool(bids) and max(bids, key=lambda bidder: bids[bidder]) == player


def least(here: Moment, private: PrivateId) -> Cursor | None:
    """The lowest bid, or the purchase at its price; None where the player can pay neither."""
    offer = here.offered("bid")
    if offer is None:
        return None
    try:
        walk = Cursor(offer).take({"private": private})
    except IllegalAction:
        return None
    return next((further for _, further in walk.ways()), None)


def all_sealed(t: Table, orders: Sequence[Standing]) -> bool:
    """Whether everybody who is in the game has sealed."""
    return {player.id for player in t.state.in_game()} <= {one.player for one in seals(orders)}


def seals(orders: Sequence[Standing]) -> list[Standing]:
    """The sealed ones among orders."""
    return [one for one in orders if isinstance(one.order, Seal)]


def _ties(
    t: Table, standing: Standing, private: PrivateId, other: Standing, others: Sequence[Standing]
) -> bool:
    most, own = _reach(t, other, private), _reach(t, standing, private)
    earlier = other.number < standing.number and other.player != standing.player
    if not earlier or most is None or own is None or _raises(t, private, most) != _raises(t, private, own):
        return False
    # Who has left the bidding ties with nobody, nor does a seal that does nothing yet.
    left = t.auction.contested == private and other.player not in t.auction.bids[private]
    return not left and (not isinstance(other.order, Seal) or all_sealed(t, others))


def _reach(t: Table, standing: Standing, private: PrivateId) -> int | None:
    """The maximum, as far as its player has the money."""
    most = maximum(standing, private)
    return None if most is None else min(most, free_cash(t, standing.player, private))


def _raises(t: Table, private: PrivateId, most: int) -> int:
    """How many raises a maximum allows above the bids that lie: maxima between two of them are equal.

    Printed values are whole raises, so without a bid it is the same to count from $0.
    """
    return (most - high_bid(t, private)) // RAISE
