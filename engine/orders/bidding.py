"""Sealed maximum bids: as much as is needed, never more than was said, and nothing of it known before."""

from collections.abc import Sequence

from engine.core.cursor import Cursor
from engine.core.errors import IllegalAction
from engine.core.events import Event
from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId, PrivateId
from engine.orders.kinds import BidUpTo, Standing
from engine.orders.moment import Moment
from engine.play.privates.auction import free_cash, on_sale
from engine.play.steps.bid import BidStep
from engine.play.table import Table


def bid_up_to(
    here: Moment, standing: Standing, order: BidUpTo, others: Sequence[Standing]
) -> Cursor | Fact | None:
    """To buy, or to bid as little as is possible up to the limit; else to pass, or to ask the player."""
    step = here.game.step()
    if step is None or step.name != BidStep.name or order.private not in on_sale(here.table):
        return None
    leading = leads(here.table, here.player, order.private)
    raised = None if leading else _least(here, order.private)
    if raised is not None and raised.chosen["amount"] <= limit_of(here.table, standing, order, others):
        return raised
    if order.then == "pass":
        return here.decline()
    return None if leading else fact("order.beyond", private=order.private, most=order.most)


def bid_up_to_ends(here: Moment, order: BidUpTo, events: Sequence[Event]) -> Fact | None:
    """The private is sold or gone."""
    private = here.table.state.privates[order.private]
    if private.closed:
        return fact("order.private_gone", private=private.id)
    if private.owner is not None:
        return fact("order.private_sold", private=private.id, owner=private.owner)
    return None


def limit_of(t: Table, standing: Standing, order: BidUpTo, others: Sequence[Standing]) -> int:
    """Dollars up to which an order bids: less than its maximum where an earlier one of somebody else is as high."""
    tied = any(_ties(t, standing, order, other) for other in others)
    return order.most - 1 if tied else order.most


def leads(t: Table, player: PlayerId, private: PrivateId) -> bool:
    """Whether the highest bid on a private is the player's."""
    bids = t.auction.bids.get(private, {})
    return bool(bids) and max(bids, key=lambda bidder: bids[bidder]) == player


def _ties(t: Table, standing: Standing, order: BidUpTo, other: Standing) -> bool:
    earlier, bid = other.number < standing.number and other.player != standing.player, other.order
    if not (earlier and isinstance(bid, BidUpTo) and (bid.private, bid.most) == (order.private, order.most)):
        return False
    # Who has left the bidding, or cannot pay, ties with nobody.
    left = t.auction.contested == order.private and other.player not in t.auction.bids[order.private]
    return not left and free_cash(t, other.player, order.private) >= order.most


def _least(here: Moment, private: PrivateId) -> Cursor | None:
    """The lowest bid, or the purchase at its price; None where the player can pay neither."""
    offer = here.offered("bid")
    if offer is None:
        return None
    try:
        walk = Cursor(offer).take({"private": private})
    except IllegalAction:
        return None
    return next((further for _, further in walk.ways()), None)
