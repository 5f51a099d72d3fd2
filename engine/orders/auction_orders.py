"""Orders in an auction: maximum bids for one private, and sealed bids for all, used once every player has sealed
theirs.

Once all bids are sealed, each player first bids the minimum on each private that they want and that is not on top, from
the cheapest on, so that all players who want it take part in the contest. Only then is a top private bought, by the
first player, counted from the priority deal, who wants it at its price. So a private with several bidders goes to the
highest maximum, at the smallest raise above the next one; a top private takes no bids by the rules, and goes to the
first in turn.
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
    asking_price,
    free_cash,
    has_fixed_price,
    high_bid,
    least_bid,
    privates_on_sale,
    privates_to_take,
    top_privates,
    unsold_privates,
)
from engine.play.steps.bid import BidStep
from engine.play.table import Table
from engine.seat import SeatedPlayer

STANDSTILL_EVENTS: Final = (IncomePaid, RoundStarted)
"""Events that follow when all players pass and no private gets cheaper."""


def bid_up_to(
    seat: SeatedPlayer, standing_order: StandingOrder, order: BidUpTo, other_orders: Sequence[StandingOrder]
) -> OfferCursor | Fact | None:
    """The purchase, or the smallest bid, up to the maximum; beyond it, a pass or a question, as ordered."""
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


def bid_up_to_ends(seat: SeatedPlayer, order: BidUpTo, events: Sequence[Event]) -> Fact | None:
    """The reason why a bid order ends: the private is sold or gone, or all passed and more passes sell nothing."""
    private = seat.table.state.privates[order.private]
    if private.closed:
        return fact("order.private_gone", private=private.id)
    if private.owner is not None:
        return fact("order.private_sold", private=private.id, owner=private.owner)
    have_all_passed = any(isinstance(event, (PriceReduced, *STANDSTILL_EVENTS)) for event in events)
    return fact("order.all_passed") if have_all_passed and order.then == "pass" else None


def seal(
    seat: SeatedPlayer, standing_order: StandingOrder, other_orders: Sequence[StandingOrder]
) -> OfferCursor | None:
    """The move of a sealed order when its player acts; None until every player has sealed their bids."""
    step, t = seat.game.step(), seat.table
    if step is None or step.name != BidStep.name or not all_sealed(t, other_orders):
        return None
    if t.auction.contested is not None:
        return _raised_bid(seat, standing_order, t.auction.contested, other_orders) or seat.pass_move()
    private_to_bid_on = next(iter(_privates_to_bid_on(t, standing_order, other_orders)), None)
    if private_to_bid_on is not None:
        return _least_bid(seat, private_to_bid_on)
    private_to_buy = next(
        (
            top_private
            for top_private in top_privates(t)
            if _is_first_buyer(t, standing_order, top_private, other_orders)
        ),
        None,
    )
    if private_to_buy is not None:
        return _least_bid(seat, private_to_buy)
    # A private at $0 must be taken, so no pass is offered.
    return seat.pass_move() or _least_bid(seat, privates_to_take(t)[0])


def seal_ends(seat: SeatedPlayer, events: Sequence[Event]) -> Fact | None:
    """The reason why sealed bids end: nothing left to bid on, the round is over, or all passed at unchanged prices."""
    t = seat.table
    if not unsold_privates(t):
        return fact("order.all_sold")
    if not _is_selling_privates(t):
        return fact("order.round_over")
    is_standstill = any(isinstance(event, STANDSTILL_EVENTS) for event in events)
    is_cheaper = any(isinstance(event, PriceReduced) for event in events)
    return fact("order.nobody_bids") if is_standstill and not is_cheaper else None


def privates_for_sale(t: Table) -> list[PrivateId]:
    """The privates that are or will be for sale; empty while privates are still to be removed from the packet."""
    is_ready = _is_selling_privates(t) and t.auction.eliminated >= t.spec.auction.eliminations
    return unsold_privates(t) if is_ready else []


def _least_bid(seat: SeatedPlayer, private: PrivateId) -> OfferCursor | None:
    """The lowest bid, or the purchase at the asking price; None if the player cannot pay for it."""
    offer = seat.offer_of_kind("bid")
    if offer is None:
        return None
    try:
        cursor = OfferCursor(offer).take({"private": private})
    except IllegalAction:
        return None
    return next((next_cursor for _, next_cursor in cursor.choices_and_cursors()), None)


def _is_high_bidder(t: Table, player: PlayerId, private: PrivateId) -> bool:
    bids = t.auction.bids.get(private, {})
    return bool(bids) and max(bids, key=lambda bidder: bids[bidder]) == player


def _is_selling_privates(t: Table) -> bool:
    is_open = t.is_selling_privates and isinstance(t.state.round, Auction | Stock)
    return is_open and not t.spec.auction.drafted


def _raised_bid(
    seat: SeatedPlayer,
    standing_order: StandingOrder,
    private: PrivateId,
    other_orders: Sequence[StandingOrder],
) -> OfferCursor | None:
    cursor = _least_bid(seat, private)
    is_within_limit = cursor is not None and cursor.chosen["amount"] <= order_limit(
        seat.table, standing_order, private, other_orders
    )
    return cursor if is_within_limit else None


def _privates_to_bid_on(
    t: Table, standing_order: StandingOrder, other_orders: Sequence[StandingOrder]
) -> list[PrivateId]:
    """Privates that the player still bids on before any is bought, from the cheapest on."""
    return [
        private
        for private in privates_on_sale(t)
        if not has_fixed_price(t, private)
        and standing_order.player not in t.auction.bids.get(private, {})
        and least_bid(t, private) <= order_limit(t, standing_order, private, other_orders)
    ]


def _is_first_buyer(
    t: Table, standing_order: StandingOrder, private: PrivateId, other_orders: Sequence[StandingOrder]
) -> bool:
    """True if the player buys the top private: no sealed bids on others are left, and they are first in turn."""
    if any(_privates_to_bid_on(t, seal, other_orders) for seal in sealed_orders(other_orders)):
        return False
    price = asking_price(t, private)
    willing_players = {
        seal.player
        for seal in sealed_orders(other_orders)
        if price <= order_limit(t, seal, private, other_orders)
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
    """The highest bid of an order in dollars; one raise less if another player's earlier order goes as high.

    The top private takes no bids, so there the first player in turn buys it, and there is no tie.
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
    """The maximum of an order for a private in dollars; None if the order does not concern it."""
    match standing_order.order:
        case BidUpTo(private=order_private, most=most):
            return most if order_private == private else None
        case SealBids(maxima=maxima):
            return maxima.get(private)
        case _:
            return None


def all_sealed(t: Table, orders: Sequence[StandingOrder]) -> bool:
    """True once all players in the game have sealed their bids."""
    return {player.id for player in t.state.players_in_game()} <= {
        seal.player for seal in sealed_orders(orders)
    }


def sealed_orders(orders: Sequence[StandingOrder]) -> list[StandingOrder]:
    """The sealed orders."""
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
    has_left = t.auction.contested == private and other_order.player not in t.auction.bids[private]
    return not has_left and (not isinstance(other_order.order, SealBids) or all_sealed(t, other_orders))


def _highest_reachable_bid(t: Table, standing_order: StandingOrder, private: PrivateId) -> int | None:
    maximum = order_maximum(standing_order, private)
    return None if maximum is None else min(maximum, free_cash(t, standing_order.player, private))


def _raise_count(t: Table, private: PrivateId, maximum: int) -> int:
    """Number of raises that a maximum allows above the highest bid; maxima with equal numbers are equal.

    Face values are whole multiples of the raise, so without a bid it makes no difference that this counts from $0.
    """
    return (maximum - high_bid(t, private)) // MIN_RAISE_DOLLARS
