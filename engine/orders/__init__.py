"""Standing orders: what a player has asked to be done in their name, and moves that leave nothing to choose."""

from engine.orders.auction_orders import seals
from engine.orders.automatic_moves import Move, forced_move, may_have_timeout_move, timeout_move
from engine.orders.kinds import (
    BidUpTo,
    BuyShares,
    DoneAfter,
    Order,
    PassStock,
    RunBest,
    Seal,
    Skipped,
    SkipStep,
    Standing,
    description,
    ends_when,
    outdated,
    read_order,
    same_subject,
    write_order,
)
from engine.orders.new_orders import (
    biddable,
    everybody_has_sealed,
    presided,
    require_lasting,
    skippable,
    usual_orders,
)
from engine.orders.order_moves import Stopped, stopped, would_do

__all__ = [
    "BidUpTo",
    "BuyShares",
    "DoneAfter",
    "Move",
    "Order",
    "PassStock",
    "RunBest",
    "Seal",
    "SkipStep",
    "Skipped",
    "Standing",
    "Stopped",
    "biddable",
    "description",
    "ends_when",
    "everybody_has_sealed",
    "forced_move",
    "may_have_timeout_move",
    "outdated",
    "presided",
    "read_order",
    "require_lasting",
    "same_subject",
    "seals",
    "skippable",
    "stopped",
    "timeout_move",
    "usual_orders",
    "would_do",
    "write_order",
]
