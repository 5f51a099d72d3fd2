"""Standing orders: what a player has asked to be done in their name, and moves that leave nothing to choose."""

from engine.orders.automatic_moves import Move, forced_move
from engine.orders.kinds import Order, Standing, read_order, same_subject, write_order
from engine.orders.order_moves import Stopped, stopped, would_do

__all__ = [
    "Move",
    "Order",
    "Standing",
    "Stopped",
    "forced_move",
    "read_order",
    "same_subject",
    "stopped",
    "would_do",
    "write_order",
]
