"""Maximum bids of orders: how far each one goes, and who wins a tie."""

from collections.abc import Sequence

from engine.core.ids import PrivateId
from engine.orders.kinds import BidUpTo, Seal, Standing
from engine.play.privates.auction import RAISE, free_cash, high_bid, is_bought
from engine.play.table import Table


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
