"""Standing orders (moves that players request in advance), forced moves, and moves after a timeout."""

from engine.orders.auction_orders import sealed_orders
from engine.orders.automatic_moves import AutomaticMove, forced_move
from engine.orders.new_orders import (
    bid_up_to_order,
    buy_shares_order,
    done_after_order,
    have_all_players_sealed,
    have_same_subject,
    pass_merger_order,
    pass_stock_order,
    presided_companies,
    privates_to_bid_on,
    replaced_order_numbers,
    require_not_ended_at_once,
    run_best_order,
    seal_bids_order,
    skip_step_order,
    skip_step_orders,
    suggested_orders,
)
from engine.orders.order_kinds import (
    BidUpTo,
    BuyShares,
    DoneAfter,
    Order,
    PassStock,
    RunBest,
    SealBids,
    SkippableStep,
    SkipStep,
    StandingOrder,
    end_condition,
    order_adapter,
    order_description,
    read_order,
    write_order,
)
from engine.orders.order_moves import StoppedOrder, next_order_move, stopped_orders
from engine.orders.timeout_moves import may_have_timeout_move, timeout_move
