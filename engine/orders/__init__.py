"""Standing orders, which are moves that players ask for in advance, and forced moves."""

from engine.orders.auction_orders import sealed_orders
from engine.orders.automatic_moves import AutomaticMove, forced_move
from engine.orders.new_orders import (
    bid_up_to,
    buy_shares,
    concern_same_thing,
    done_after,
    everybody_has_sealed,
    pass_merger,
    pass_stock,
    presided_companies,
    privates_to_bid_on,
    replaced_orders,
    require_not_ended_at_once,
    run_best,
    seal,
    skip_step,
    skippable_steps,
    usual_orders,
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
    description,
    end_condition,
    order_adapter,
    read_order,
    write_order,
)
from engine.orders.order_moves import StoppedOrder, next_order_move, stopped_orders
from engine.orders.timeout_moves import may_have_timeout_move, timeout_move
