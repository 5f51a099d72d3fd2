"""Sealed maximum bids: as much as is needed, never more than was said, and nothing of it known before."""

from collections.abc import Sequence

from engine.core.cursor import Cursor
from engine.core.errors import IllegalAction
from engine.core.events import Event, IncomePaid, PriceReduced, RoundStarted
from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId, PrivateId
from engine.orders.kinds import BidUpTo, Standing
from engine.orders.maxima import limit_of
from engine.play.privates.auction import on_sale
from engine.play.steps.auction.bid import BidStep
from engine.play.table import Table
from engine.seat import Seat


def bid_up_to(
    here: Seat, standing: Standing, order: BidUpTo, others: Sequence[Standing]
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


def bid_up_to_ends(here: Seat, order: BidUpTo, events: Sequence[Event]) -> Fact | None:
    """The private is sold or gone; or all have passed, so that nothing would be sold if all orders went on passing."""
    private = here.table.state.privates[order.private]
    if private.closed:
        return fact("order.private_gone", private=private.id)
    if private.owner is not None:
        return fact("order.private_sold", private=private.id, owner=private.owner)
    all_passed = any(isinstance(event, PriceReduced | IncomePaid | RoundStarted) for event in events)
    return fact("order.all_passed") if all_passed and order.then == "pass" else None


def leads(t: Table, player: PlayerId, private: PrivateId) -> bool:
    """Whether the highest bid on a private is the player's."""
    bids = t.auction.bids.get(private, {})
    return bool(bids) and max(bids, key=lambda bidder: bids[bidder]) == player


def least(here: Seat, private: PrivateId) -> Cursor | None:
    """The lowest bid, or the purchase at its price; None where the player can pay neither."""
    offer = here.offered("bid")
    if offer is None:
        return None
    try:
        walk = Cursor(offer).take({"private": private})
    except IllegalAction:
        return None
    return next((further for _, further in walk.ways()), None)
