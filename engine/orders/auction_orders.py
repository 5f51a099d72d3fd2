"""Orders of an auction: maximum bids, and sealed ones, by which it runs once every player has sealed.

Everybody first bids the least on each private that they want and that lies below another one, from the cheapest on, so
that every player who wants it takes part when it is fought for. Only then is the top one bought: by the one who comes
first, counted from the priority deal, of those who want it at its price. So what has several bidders goes to the
highest maximum, at the least raise above the next one; what lies on top takes no bids by the rules, and goes by turn.
"""

from collections.abc import Sequence
from typing import Final

from engine.core.errors import IllegalAction
from engine.core.events import Event, IncomePaid, PriceReduced, RoundStarted
from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId, PrivateId
from engine.core.offers import Cursor
from engine.core.state import Auction, Stock
from engine.orders.order_kinds import BidUpTo, Seal, Standing
from engine.play.privates.auction import (
    RAISE,
    asking_price,
    free_cash,
    high_bid,
    is_bought,
    least_bid,
    must_be_taken,
    on_sale,
    top_privates,
    unsold,
)
from engine.play.steps.bid import BidStep
from engine.play.table import Table
from engine.seat import SeatedPlayer

STANDSTILL: Final = (IncomePaid, RoundStarted)
"""Events when all have passed and no private gets cheaper by it."""


def bid_up_to(
    seat: SeatedPlayer, standing: Standing, order: BidUpTo, other_orders: Sequence[Standing]
) -> Cursor | Fact | None:
    """Buy, or bid as little as possible up to the limit; otherwise pass or ask the player."""
    step = seat.game.step()
    if step is None or step.name != BidStep.name or order.private not in on_sale(seat.table):
        return None
    leading = _leads(seat.table, seat.player, order.private)
    raised = None if leading else _raised(seat, standing, order.private, other_orders)
    if raised is not None:
        return raised
    if order.then == "pass":
        return seat.pass_move()
    return None if leading else fact("order.beyond", private=order.private, most=order.most)


def bid_up_to_ends(seat: SeatedPlayer, order: BidUpTo, events: Sequence[Event]) -> Fact | None:
    """The end of a bid order: the private is sold or gone, or all passed, so that passing on would sell nothing."""
    private = seat.table.state.privates[order.private]
    if private.closed:
        return fact("order.private_gone", private=private.id)
    if private.owner is not None:
        return fact("order.private_sold", private=private.id, owner=private.owner)
    all_passed = any(isinstance(event, (PriceReduced, *STANDSTILL)) for event in events)
    return fact("order.all_passed") if all_passed and order.then == "pass" else None


def seal(seat: SeatedPlayer, standing: Standing, other_orders: Sequence[Standing]) -> Cursor | None:
    """The move of a sealed order when its player acts; none until every player has sealed."""
    step, t = seat.game.step(), seat.table
    if step is None or step.name != BidStep.name or not all_sealed(t, other_orders):
        return None
    if t.auction.contested is not None:
        return _raised(seat, standing, t.auction.contested, other_orders) or seat.pass_move()
    found = next(iter(_joins(t, standing, other_orders)), None)
    if found is not None:
        return _least_bid(seat, found)
    bought = next((top for top in top_privates(t) if _buys(t, standing, top, other_orders)), None)
    if bought is not None:
        return _least_bid(seat, bought)
    # What costs nothing any more must be taken: then no pass is offered.
    return seat.pass_move() or _least_bid(seat, must_be_taken(t)[0])


def seal_ends(seat: SeatedPlayer, events: Sequence[Event]) -> Fact | None:
    """The end of a sealed order: nothing left to bid on, another round, or a round of passes that made nothing
    cheaper.
    """
    t = seat.table
    if not unsold(t):
        return fact("order.all_sold")
    if not _bidding(t):
        return fact("order.round_over")
    still = any(isinstance(event, STANDSTILL) for event in events)
    cheaper = any(isinstance(event, PriceReduced) for event in events)
    return fact("order.nobody_bids") if still and not cheaper else None


def sellable(t: Table) -> list[PrivateId]:
    """The privates that are or will be on sale; none before some have been removed from the packet."""
    ready = _bidding(t) and t.auction.eliminated >= t.spec.auction.eliminations
    return unsold(t) if ready else []


def _least_bid(seat: SeatedPlayer, private: PrivateId) -> Cursor | None:
    """The lowest bid, or the purchase at its price; None where the player can pay neither."""
    offer = seat.offers_of_kind("bid")
    if offer is None:
        return None
    try:
        walk = Cursor(offer).take({"private": private})
    except IllegalAction:
        return None
    return next((further for _, further in walk.choices_and_walks()), None)


def _leads(t: Table, player: PlayerId, private: PrivateId) -> bool:
    bids = t.auction.bids.get(private, {})
    return bool(bids) and max(bids, key=lambda bidder: bids[bidder]) == player


def _bidding(t: Table) -> bool:
    return t.selling_privates and isinstance(t.state.round, Auction | Stock)


def _raised(
    seat: SeatedPlayer, standing: Standing, private: PrivateId, other_orders: Sequence[Standing]
) -> Cursor | None:
    walk = _least_bid(seat, private)
    within = walk is not None and walk.chosen["amount"] <= order_limit(
        seat.table, standing, private, other_orders
    )
    return walk if within else None


def _joins(t: Table, standing: Standing, other_orders: Sequence[Standing]) -> list[PrivateId]:
    """Privates that a player still bids on before any is bought, from the cheapest on."""
    return [
        private
        for private in on_sale(t)
        if not is_bought(t, private)
        and standing.player not in t.auction.bids.get(private, {})
        and least_bid(t, private) <= order_limit(t, standing, private, other_orders)
    ]


def _buys(t: Table, standing: Standing, private: PrivateId, other_orders: Sequence[Standing]) -> bool:
    """True if a player buys the top private: nobody wants to bid elsewhere first, and they come first by turn."""
    if any(_joins(t, seal, other_orders) for seal in seals(other_orders)):
        return False
    price = asking_price(t, private)
    wanting = {
        seal.player for seal in seals(other_orders) if price <= order_limit(t, seal, private, other_orders)
    }
    return next((player for player in _in_turn(t) if player in wanting), None) == standing.player


def _in_turn(t: Table) -> list[PlayerId]:
    first = t.state.priority
    return [player.id for player in (*t.state.players[first:], *t.state.players[:first])]


def order_limit(t: Table, standing: Standing, private: PrivateId, other_orders: Sequence[Standing]) -> int:
    """The highest bid of an order in dollars: one raise less if an earlier order of another player goes as high.

    The top private takes no bids: the player who comes first by turn buys it.
    """
    most = _highest_reachable_bid(t, standing, private)
    if most is None or is_bought(t, private):
        return most or 0
    return (
        most - RAISE
        if any(_ties(t, standing, private, other, other_orders) for other in other_orders)
        else most
    )


def order_maximum(standing: Standing, private: PrivateId) -> int | None:
    """The most that an order gives for a private, in dollars; None for an order about something else."""
    match standing.order:
        case BidUpTo(private=named, most=most):
            return most if named == private else None
        case Seal(maxima=maxima):
            return maxima.get(private)
        case _:
            return None


def all_sealed(t: Table, orders: Sequence[Standing]) -> bool:
    """True once everybody who is in the game has sealed."""
    return {player.id for player in t.state.in_game()} <= {seal.player for seal in seals(orders)}


def seals(orders: Sequence[Standing]) -> list[Standing]:
    """The sealed orders."""
    return [order for order in orders if isinstance(order.order, Seal)]


def _ties(
    t: Table, standing: Standing, private: PrivateId, other: Standing, other_orders: Sequence[Standing]
) -> bool:
    most, own = _highest_reachable_bid(t, other, private), _highest_reachable_bid(t, standing, private)
    earlier = other.number < standing.number and other.player != standing.player
    if not earlier or most is None or own is None or _raises(t, private, most) != _raises(t, private, own):
        return False
    # Who has left the bidding ties with nobody, nor does a seal that does nothing yet.
    left = t.auction.contested == private and other.player not in t.auction.bids[private]
    return not left and (not isinstance(other.order, Seal) or all_sealed(t, other_orders))


def _highest_reachable_bid(t: Table, standing: Standing, private: PrivateId) -> int | None:
    most = order_maximum(standing, private)
    return None if most is None else min(most, free_cash(t, standing.player, private))


def _raises(t: Table, private: PrivateId, maximum: int) -> int:
    """Number of raises that a maximum allows above the standing bids; maxima between two of them are equal.

    Printed values are whole raises, so without a bid it is the same to count from $0.
    """
    return (maximum - high_bid(t, private)) // RAISE
