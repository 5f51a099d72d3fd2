"""What the standing orders of a game do in a position, and which of them end there."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.core.events import Event
from engine.core.facts import Fact
from engine.core.ids import PlayerId
from engine.core.offers import Cursor
from engine.game import Game
from engine.orders import order_moves, sealing
from engine.orders.forced_move import Move
from engine.orders.kinds import (
    BidUpTo,
    BuyShares,
    DoneAfter,
    Order,
    PassMerger,
    PassStock,
    RunBest,
    Seal,
    SkipStep,
    Standing,
)
from engine.seat import Seat


@dataclass(frozen=True, slots=True)
class Stopped:
    """An order that ends, by its number, and why."""

    order: int
    why: Fact


def would_do(game: Game, player: PlayerId, orders: Sequence[Standing]) -> Move | Stopped | None:
    """What a player's orders (of all those of the game) do now: whatever does something comes before a pass.

    An order that cannot continue stops; of several the earlier one counts. None: the player decides.
    """
    if game.proposal is not None or player not in game.actors():
        return None
    here = Seat(game, player)
    mine = sorted(one for one in orders if one.player == player)
    found = [_outcome(here, one, orders) for one in mine]
    moves = [one for one in found if isinstance(one, Move)]
    acts = (one for one in moves if one.walk.offer.kind != "pass")
    stops = (one for one in found if isinstance(one, Stopped))
    return next(acts, None) or next(stops, None) or next(iter(moves), None)


def stopped(game: Game, orders: Iterable[Standing], events: Sequence[Event]) -> tuple[Stopped, ...]:
    """The orders that end with what has just happened, no matter who acts now."""
    ended = ((one.number, end_of(Seat(game, one.player), one.order, events)) for one in orders)
    return tuple(Stopped(number, why) for number, why in ended if why is not None)


def end_of(here: Seat, order: Order, events: Sequence[Event]) -> Fact | None:
    """Why an order ends with what has just happened; None: it stands."""
    match order:
        case PassStock():
            return order_moves.pass_stock_ends(here, order, events)
        case BuyShares():
            return order_moves.buy_shares_ends(here, order, events)
        case BidUpTo():
            return order_moves.bid_up_to_ends(here, order, events)
        case Seal():
            return sealing.sealed_ends(here, events)
        case RunBest():
            return order_moves.run_best_ends(here, order, events)
        case SkipStep():
            return order_moves.skip_step_ends(here, order)
        case PassMerger():
            return order_moves.pass_merger_ends(here, order, events)
        case DoneAfter():
            return order_moves.done_after_ends(here, order, events)


def _outcome(here: Seat, one: Standing, orders: Sequence[Standing]) -> Move | Stopped | None:
    found = _does(here, one, orders)
    if found is None:
        return None
    return Stopped(one.number, found) if isinstance(found, Fact) else Move(found, one.number)


def _does(here: Seat, one: Standing, orders: Sequence[Standing]) -> Cursor | Fact | None:
    match one.order:
        case PassStock() as order:
            return order_moves.pass_stock(here, order)
        case BuyShares() as order:
            return order_moves.buy_shares(here, order)
        case BidUpTo() as order:
            return order_moves.bid_up_to(here, one, order, orders)
        case Seal():
            return sealing.sealed(here, one, orders)
        case RunBest() as order:
            return order_moves.run_best(here, order)
        case SkipStep() as order:
            return order_moves.skip_step(here, order)
        case PassMerger() as order:
            return order_moves.pass_merger(here, order)
        case DoneAfter() as order:
            return order_moves.done_after(here, order) if here.game.seq > one.since else None
