"""Standing orders for private auctions: a maximum bid for one private, or sealed bids for all.

Sealed bids are used once every player has sealed theirs. First, each player bids the minimum on every private that they
want and that takes bids, cheapest first, so that they can compete for it later. After that, the private on top of the
packet, which takes no bids, is sold to the first player (counted from the priority deal) whose maximum covers its
price. If several players bid for a private, the highest maximum wins it, at the smallest raise above the second
highest.
"""

from collections.abc import Sequence
from typing import Final

from engine.core.errors import IllegalAction
from engine.core.events import Event, IncomePaid, PriceReduced, RoundStarted
from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId, PrivateId
from engine.core.offers import OfferCursor
from engine.core.state import Auction, Stock
from engine.orders.order_kinds import BidUpTo, SealBids, StandingOrder
from engine.play.privates.auction import (
    MIN_RAISE_DOLLARS,
    free_cash,
    has_fixed_price,
    high_bid,
    minimum_bid,
    private_asking_price,
    privates_at_asking_price,
    privates_on_sale,
    privates_priced_at_zero,
    unsold_privates,
)
from engine.play.steps.bid import BidStep
from engine.play.table import Table
from engine.seat import SeatedPlayer

ALL_PASSED_EVENTS: Final = (IncomePaid, RoundStarted)
"""Types of events that happen when all players have passed.

If one happens and no private becomes cheaper, sealed bids end.
"""


def maximum_bid_move(
    seat: SeatedPlayer, standing_order: StandingOrder, order: BidUpTo, other_orders: Sequence[StandingOrder]
) -> OfferCursor | Fact | None:
    """The next move of a maximum-bid order; None if the order makes no move now, a Fact if it ends.

    The order buys the private or makes the smallest bid up to the maximum. Otherwise it passes or asks the player, as
    the player chose.
    """
    step = seat.game.step()
    if step is None or step.name != BidStep.name or order.private not in privates_on_sale(seat.table):
        return None
    is_leading = _is_high_bidder(seat.table, seat.player, order.private)
    raised_bid = None if is_leading else _raised_bid(seat, standing_order, order.private, other_orders)
    if raised_bid is not None:
        return raised_bid
    if order.then == "pass":
        return seat.pass_move()
    return None if is_leading else fact("order.beyond", private=order.private, most=order.most)


def bid_up_to_end_reason(seat: SeatedPlayer, order: BidUpTo, events: Sequence[Event]) -> Fact | None:
    """The reason why a maximum-bid order ends; None if it continues.

    It ends when the private is sold or removed, or when all players have passed.
    """
    private = seat.table.state.privates[order.private]
    if private.closed:
        return fact("order.private_gone", private=private.id)
    if private.owner is not None:
        return fact("order.private_sold", private=private.id, owner=private.owner)
    have_all_passed = any(isinstance(event, (PriceReduced, *ALL_PASSED_EVENTS)) for event in events)
    return fact("order.all_passed") if have_all_passed and order.then == "pass" else None


def sealed_bid_move(
    seat: SeatedPlayer, standing_order: StandingOrder, other_orders: Sequence[StandingOrder]
) -> OfferCursor | None:
    """The next move of a player's sealed bids; None until all players have sealed theirs."""
    step, t = seat.game.step(), seat.table
    if step is None or step.name != BidStep.name or not have_all_sealed(t, other_orders):
        return None
    if t.auction.contested is not None:
        return _raised_bid(seat, standing_order, t.auction.contested, other_orders) or seat.pass_move()
    private_to_bid_on = next(iter(_privates_to_bid_on(t, standing_order, other_orders)), None)
    if private_to_bid_on is not None:
        return _lowest_bid(seat, private_to_bid_on)
    private_to_buy = next(
        (
            top_private
            for top_private in privates_at_asking_price(t)
            if _is_first_buyer(t, standing_order, top_private, other_orders)
        ),
        None,
    )
    if private_to_buy is not None:
        return _lowest_bid(seat, private_to_buy)
    # A private at $0 must be taken, so no pass is offered.
    return seat.pass_move() or _lowest_bid(seat, privates_priced_at_zero(t)[0])


def seal_end_reason(seat: SeatedPlayer, events: Sequence[Event]) -> Fact | None:
    """The reason why sealed bids end; None if they continue.

    They end when all privates are sold, when the round is over, or when all players passed and no price fell.
    """
    t = seat.table
    if not unsold_privates(t):
        return fact("order.all_sold")
    if not _is_selling_privates(t):
        return fact("order.round_over")
    is_standstill = any(isinstance(event, ALL_PASSED_EVENTS) for event in events)
    is_any_private_cheaper = any(isinstance(event, PriceReduced) for event in events)
    return fact("order.nobody_bids") if is_standstill and not is_any_private_cheaper else None


def unsold_auction_privates(t: Table) -> list[PrivateId]:
    """Unsold privates of the auction; empty outside an auction or while privates are being removed from the game."""
    is_sale_ready = _is_selling_privates(t) and t.auction.eliminated >= t.spec.auction.eliminations
    return unsold_privates(t) if is_sale_ready else []


def _lowest_bid(seat: SeatedPlayer, private: PrivateId) -> OfferCursor | None:
    offer = seat.offer_of_kind("bid")
    if offer is None:
        return None
    try:
        cursor = OfferCursor(offer).pick_all({"private": private})
    except IllegalAction:
        return None
    return next((next_cursor for _, next_cursor in cursor.choices_and_cursors()), None)


def _is_high_bidder(t: Table, player: PlayerId, private: PrivateId) -> bool:
    bids = t.auction.bids.get(private, {})
    return bool(bids) and max(bids, key=lambda bidder: bids[bidder]) == player


def _is_selling_privates(t: Table) -> bool:
    is_auction_open = t.is_selling_privates and isinstance(t.state.round, Auction | Stock)
    return is_auction_open and not t.spec.auction.is_drafted


def _raised_bid(
    seat: SeatedPlayer,
    standing_order: StandingOrder,
    private: PrivateId,
    other_orders: Sequence[StandingOrder],
) -> OfferCursor | None:
    cursor = _lowest_bid(seat, private)
    is_within_limit = cursor is not None and cursor.chosen["amount"] <= order_limit(
        seat.table, standing_order, private, other_orders
    )
    return cursor if is_within_limit else None


def _privates_to_bid_on(
    t: Table, standing_order: StandingOrder, other_orders: Sequence[StandingOrder]
) -> list[PrivateId]:
    """Privates on which a player's order with sealed bids has yet to make its first bid, cheapest first."""
    return [
        private
        for private in privates_on_sale(t)
        if not has_fixed_price(t, private)
        and standing_order.player not in t.auction.bids.get(private, {})
        and minimum_bid(t, private) <= order_limit(t, standing_order, private, other_orders)
    ]


def _is_first_buyer(
    t: Table, standing_order: StandingOrder, private: PrivateId, other_orders: Sequence[StandingOrder]
) -> bool:
    """True if this player's sealed bids buy the top private next.

    All first bids must have been made, and the player must be the first in turn order whose maximum covers the price.
    """
    if any(
        _privates_to_bid_on(t, sealed_order, other_orders) for sealed_order in sealed_orders(other_orders)
    ):
        return False
    price = private_asking_price(t, private)
    willing_players = {
        sealed_order.player
        for sealed_order in sealed_orders(other_orders)
        if price <= order_limit(t, sealed_order, private, other_orders)
    }
    return (
        next((player for player in _players_in_turn(t) if player in willing_players), None)
        == standing_order.player
    )


def _players_in_turn(t: Table) -> list[PlayerId]:
    first_seat = t.state.priority
    return [player.id for player in (*t.state.players[first_seat:], *t.state.players[:first_seat])]


def order_limit(
    t: Table, standing_order: StandingOrder, private: PrivateId, other_orders: Sequence[StandingOrder]
) -> int:
    """The highest amount in dollars that an order can bid on a private, as the player's cash allows.

    The limit is one raise less if another player gave an equal maximum earlier, unless the private has a
    fixed price.
    """
    highest_bid = _highest_reachable_bid(t, standing_order, private)
    if highest_bid is None or has_fixed_price(t, private):
        return highest_bid or 0
    return (
        highest_bid - MIN_RAISE_DOLLARS
        if any(_is_tie(t, standing_order, private, other_order, other_orders) for other_order in other_orders)
        else highest_bid
    )


def order_maximum(standing_order: StandingOrder, private: PrivateId) -> int | None:
    """The order's maximum for the private, in dollars; None if the order has no maximum for it."""
    match standing_order.order:
        case BidUpTo(private=order_private, most=most):
            return most if order_private == private else None
        case SealBids(maxima=maxima):
            return maxima.get(private)
        case _:
            return None


def have_all_sealed(t: Table, orders: Sequence[StandingOrder]) -> bool:
    """True if every player in the game has sealed their bids."""
    return {player.id for player in t.state.players_in_game()} <= {
        sealed_order.player for sealed_order in sealed_orders(orders)
    }


def sealed_orders(orders: Sequence[StandingOrder]) -> list[StandingOrder]:
    """The orders that are sealed bids."""
    return [order for order in orders if isinstance(order.order, SealBids)]


def _is_tie(
    t: Table,
    standing_order: StandingOrder,
    private: PrivateId,
    other_order: StandingOrder,
    other_orders: Sequence[StandingOrder],
) -> bool:
    other_limit, own_limit = (
        _highest_reachable_bid(t, other_order, private),
        _highest_reachable_bid(t, standing_order, private),
    )
    is_earlier = other_order.number < standing_order.number and other_order.player != standing_order.player
    if (
        not is_earlier
        or other_limit is None
        or own_limit is None
        or _raise_count(t, private, other_limit) != _raise_count(t, private, own_limit)
    ):
        return False
    # A player who has left the contest does not tie, and neither do sealed bids before all are sealed.
    has_left_contest = t.auction.contested == private and other_order.player not in t.auction.bids[private]
    return not has_left_contest and (
        not isinstance(other_order.order, SealBids) or have_all_sealed(t, other_orders)
    )


def _highest_reachable_bid(t: Table, standing_order: StandingOrder, private: PrivateId) -> int | None:
    maximum = order_maximum(standing_order, private)
    return None if maximum is None else min(maximum, free_cash(t, standing_order.player, private))


def _raise_count(t: Table, private: PrivateId, maximum: int) -> int:
    """Number of raises between the highest bid and a maximum; two maxima with the same number are tied.

    Without a bid, the raises count from $0, which gives the same ties, because face values are multiples of the raise.
    """
    return (maximum - high_bid(t, private)) // MIN_RAISE_DOLLARS
