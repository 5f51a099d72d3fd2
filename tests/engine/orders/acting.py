"""What orders do in a position, and how they end, in short."""

from collections.abc import Sequence

from engine.core.actions import Action, Bid
from engine.core.events import Event
from engine.game import Game
from engine.orders import AutomaticMove, StandingOrder, StoppedOrder, next_order_move, stopped_orders
from engine.orders.new_orders import seal_bids_order
from engine.orders.order_kinds import BidUpTo, Order

SHOWN = ("private", "amount", "company", "source", "option", "reply")


def standing(*orders: tuple[str, Order]) -> list[StandingOrder]:
    """Orders of these players, given one after the other before anything was done."""
    return [
        StandingOrder(number, player, order, -1) for number, (player, order) in enumerate(orders, start=1)
    ]


def in_short(found: AutomaticMove | StoppedOrder | None) -> str:
    """`bid CV 210`; `! beyond` where an order stops; nothing where the player decides."""
    if found is None:
        return ""
    if isinstance(found, StoppedOrder):
        return f"! {found.reason.name.removeprefix('order.')}"
    chosen = found.cursor.chosen
    return " ".join([found.cursor.offer.kind, *(str(chosen[name]) for name in SHOWN if name in chosen)])


def does(game: Game, player: str, *orders: Order) -> str:
    return in_short(next_order_move(game, player, standing(*((player, order) for order in orders))))


def ends(game: Game, player: str, order: Order, *events: Event) -> str:
    """Why it ends now; nothing where it stands."""
    found = stopped_orders(game, [StandingOrder(1, player, order, 0)], events)
    return " ".join(one.reason.name.removeprefix("order.") for one in found)


def up_to(private: str, most: int, then: str = "pass") -> BidUpTo:
    return BidUpTo(private=private, most=most, then=then)  # type: ignore[arg-type]


def sealed(game: Game, **maxima: dict[str, int]) -> list[StandingOrder]:
    return [
        StandingOrder(n, who, seal_bids_order(game, most), 0)
        for n, (who, most) in enumerate(maxima.items(), start=1)
    ]


def run(game: Game, orders: Sequence[StandingOrder]) -> list[Action]:
    """Let orders act until somebody has to decide; what was done."""
    made: list[Action] = []
    events: tuple[Event, ...] = ()
    while len(made) < 500:
        ended = {one.order_number for one in stopped_orders(game, orders, events)}
        orders = [one for one in orders if one.number not in ended]
        moves = (next_order_move(game, player, orders) for player in game.actors())
        move = next((one for one in moves if isinstance(one, AutomaticMove)), None)
        if move is None:
            return made
        made.append(move.cursor.action())
        events = game.apply_cursor(move.cursor)
    raise AssertionError("the orders do not end")


def owners(game: Game) -> dict[str, str]:
    return {p.id: p.owner for p in game.table.state.privates.values() if p.owner is not None}


def paid(made: list[Action], private: str) -> int:
    return max(one.amount for one in made if isinstance(one, Bid) and one.private == private)
