"""A forced purchase: the obligation to buy a train, and what the president pays and sells for it (18Chesapeake 11.8).

1. *Must the company buy?* It has no train, and the bank or the pool has one: `must_buy_train`. The title's
`must_own_train` gives the condition for each kind of company: with a route, always, or else it is liquidated. 2.
*Whose money?* The treasury's. If it can pay for no train of the bank or the pool, the president adds the missing
dollars for the cheapest one: `is_emergency`, `can_pay`. The title's `president_pays_companies` says if presidents also
help to pay for another company's train: `president_may_help`, up to `highest_price`. 3. *Sales.* Presidents without
enough cash sell shares by the usual rules: `bank_train_target` is the price to reach, `bank_train_blocks` are the
blocks they may sell. The title's `forced_sales` limits these sales, and `forced_sale_limits` computes the limits. In
some titles privates may be sold, too (`forced_private_sales`). `record_forced_sale` records the obligations that come
with a sale. A president above the certificate limit must sell more afterwards: `SellDownToLimitStep`. 4. *A train of
another company* that treasury and cash cannot pay for is agreed on first: `apply_purchase.buy_now_or_agree_to_buy`.
After that the president can only sell for it (`ForcedPurchaseStep`), and only so that it stays affordable:
`blocks_for_deal`. The last sale buys it: `buy_agreed_train`. 5. *The purchase*, `apply_purchase.buy_train`: the
president pays the difference, the train changes hands, and the records of sales are cleared. 6. *If no sales are
enough*: `is_train_unaffordable`. The president goes bankrupt, which ends the game or eliminates them. A company whose
president cannot be bankrupted is liquidated instead: `engine/play/closing_liquidation_bankruptcy.py`.

`engine/play/steps/forced_sales.py` offers all these decisions, and says why one is not offered.
"""

from collections.abc import Set
from dataclasses import dataclass

from engine.board.network import has_route
from engine.core.ids import CompanyId, TrainName
from engine.core.spec import TrainObligation
from engine.core.state import Company
from engine.play.shares import selling
from engine.play.table import Table
from engine.play.trains.forced_sale_limits import blocks_leaving_enough_sales, fitting_blocks, needed_blocks
from engine.play.trains.phases import trains_for_sale
from engine.play.trains.train_prices import Purchase, purchases_by_private


def must_buy_train(t: Table) -> bool:
    """True if a company without a train must buy one: always (18NewEngland 11.7), or if it has a route (18Chesapeake
    11.7).

    This includes a company that would otherwise be liquidated (18NewEngland 11.7).

    Rules: R-AL-190, R-C2C-212, R-CH-146, R-NE-102, R-TN-170.
    """
    return _lacks_train(t, must_reach_counted_stop=True)


def _lacks_train(t: Table, *, must_reach_counted_stop: bool) -> bool:
    """True if the company has no train but needs one, and a train is for sale.

    With `must_reach_counted_stop`, its route must lead to a stop that counts against a train's limit. Other routes do
    not oblige the company to buy, but the president may still help.

    Rules: R-1882-040.
    """
    if t.company.trains or not (t.state.pool or trains_for_sale(t)):
        return False
    train_obligation = _train_obligation(t)
    return train_obligation in {"always", "or_liquidated"} or (
        train_obligation == "with_route"
        and has_route(t.map, t.company.id, to_counted_stops=must_reach_counted_stop)
    )


def faces_liquidation(t: Table) -> bool:
    """True if the company will be liquidated unless it buys a train in this step (18NewEngland 11.9)."""
    return not t.company.trains and is_liquidated_without_train(t)


def is_liquidated_without_train(t: Table) -> bool:
    """True for kinds of company that are liquidated if they cannot get a train (18NewEngland 11.7, 11.9)."""
    return _train_obligation(t) == "or_liquidated"


def _train_obligation(t: Table) -> TrainObligation:
    """When a company of the operating company's kind must own a train (R-C2C-247)."""
    return t.spec.must_own_train.get(t.kind_name(t.company), "with_route")


def cheapest_train_price(t: Table) -> int | None:
    """Lowest price in dollars of a train from bank or pool, private discounts included; None if there is no train."""
    prices = [t.spec.train(train).price for train in (*trains_for_sale(t), *t.state.pool)]
    if not t.rules.has_flag("forced_at_face_value"):
        prices += [
            purchase.lowest_price for options in purchases_by_private(t).values() for purchase in options
        ]
    return min(prices, default=None)


def price_of_dearer_card_side(t: Table) -> int | None:
    """Price in dollars of the more expensive side of the cheapest two-sided train card in bank or pool.

    None if there is no train.
    """
    trains = [*trains_for_sale(t), *t.state.pool]
    cheapest_train = min(trains, key=lambda train: t.spec.train(train).price, default=None)
    prices = [t.spec.train(train).price for train in trains if cheapest_train in t.spec.faces(train)]
    return max(prices, default=None)


def is_emergency(t: Table) -> bool:
    """True if the company must buy a train and its treasury cannot pay for any train from bank or pool (18Chesapeake
    11.8).

    Rules: R-AL-191, R-C2C-213, R-CH-150, R-NE-110, R-TN-171.
    """
    if t.company.trains:
        return False
    price = cheapest_train_price(t)
    return price is not None and t.company.cash < price and _lacks_train(t, must_reach_counted_stop=False)


def funds(t: Table) -> int:
    """Treasury plus president's cash in dollars. A president in debt adds nothing."""
    return t.company.cash + max(0, t.president(t.company.id).cash)


def can_pay(t: Table, price: int) -> bool:
    """True if the company can pay this fixed price: from its treasury, or in an emergency also from the president's
    cash.

    See 18Chesapeake 11.8.

    Rules: R-AL-191, R-AL-192, R-C2C-213, R-CH-147, R-CH-151, R-NE-102, R-TN-171.
    """
    if t.spec.forced_trains == "faces":
        return _can_pay_for_card_side(t, price)
    if price <= t.company.cash:
        return True
    if t.spec.forced_trains == "any":
        return price <= funds(t) and not t.company.trains and must_buy_train(t)
    lowest_price = cheapest_train_price(t) if price <= funds(t) and is_emergency(t) else None
    return lowest_price is not None and price <= lowest_price


def _can_pay_for_card_side(t: Table, price: int) -> bool:
    """True if the company can pay this price for one side of a two-sided train card.

    The president's cash counts only if the treasury can pay for neither side. The cheap side is refused if it was
    affordable before the last share was sold or issued, and the expensive side is affordable now.

    Rules: R-1846-122.
    """
    dollars = funds(t) if is_emergency(t) and not t.rules.emergency_issue_dollars(t) else t.company.cash
    funds_before_last_share, dearest_price = t.turn.funds_before_last_share, price_of_dearer_card_side(t)
    leaves_raised_money_unused = (
        funds_before_last_share is not None
        and dearest_price is not None
        and price <= funds_before_last_share < dearest_price <= dollars
    )
    return price <= dollars and not leaves_raised_money_unused


def president_may_help(t: Table, train: TrainName) -> bool:
    """True if the president may add money to the price of another company's train (18Chesapeake 11.8).

    Rules: R-AL-192, R-C2C-213, R-CH-151.
    """
    if not t.spec.president_pays_companies:
        return False
    may_always_help = t.rules.has_flag("president_helps_although_bank_train_affordable")
    return is_emergency(t) or (
        may_always_help
        and _lacks_train(t, must_reach_counted_stop=False)
        and t.company.cash < t.spec.train(train).price
    )


@dataclass(frozen=True, slots=True)
class SalesTarget:
    """The goal of a president's forced sales.

    It has the price to reach, and the companies whose presidency must not change (18Chesapeake 11.8).
    """

    price: int
    kept_presidencies: frozenset[CompanyId]

    def missing_dollars(self, t: Table) -> int:
        """Dollars that treasury and president's cash lack for the price."""
        return self.price - funds(t)


def kept_presidencies(t: Table, *sellers: CompanyId) -> frozenset[CompanyId]:
    """Companies whose presidency must not change in forced sales.

    These are the buyer and `sellers`, or in some titles all companies.
    """
    if t.spec.forced_sales_keep == "all":
        return frozenset(t.state.companies)
    return frozenset({t.company.id, *sellers})


def bank_train_target(t: Table) -> SalesTarget | None:
    """The price of the cheapest train from bank or pool, if the president may sell shares for it; else None.

    See 18Chesapeake 11.8.

    Rules: R-CH-152, R-NE-110.
    """
    price = price_of_dearer_card_side(t) if t.spec.forced_trains == "faces" else cheapest_train_price(t)
    if (
        price is None
        or (funds(t) >= price and t.spec.forced_trains != "any")
        or t.rules.emergency_issue_dollars(t)
    ):
        return None
    if not _lacks_train(t, must_reach_counted_stop=False) and not t.rules.has_flag("sells_in_any_train_step"):
        return None
    if t.spec.forced_trains == "faces" and not (t.company.trains or is_emergency(t)):
        return None  # The president does not help, and the company sells nothing.
    return SalesTarget(price, kept_presidencies(t))


def bank_train_blocks(t: Table, sales_target: SalesTarget) -> dict[CompanyId, list[int]]:
    """Blocks the president can sell for a train from bank or pool, none larger than needed (18Chesapeake 11.8).

    Rules: R-AL-194, R-C2C-214, R-CH-152, R-NE-110, R-TN-172.
    """
    legal_blocks = blocks_keeping_presidencies(t, sales_target.kept_presidencies)
    missing_dollars = sales_target.missing_dollars(t)
    if t.rules.has_flag("sells_more_than_needed") or t.spec.forced_trains == "any":
        return legal_blocks
    if t.spec.forced_sales == "smallest_share" and not t.rules.has_flag("sells_for_the_cheapest_train_only"):
        return fitting_blocks(t, missing_dollars, legal_blocks)
    needed_sales = needed_blocks(t, missing_dollars, legal_blocks)
    if t.spec.forced_sales != "in_reach" or t.rules.has_flag("forced_sales_bind_to_nothing"):
        return needed_sales
    blocks_with_enough_left = blocks_leaving_enough_sales(t, missing_dollars, legal_blocks, needed_sales)
    return blocks_with_enough_left if any(blocks_with_enough_left.values()) else needed_sales


def block_that_pays(t: Table, sales_target: SalesTarget) -> tuple[CompanyId, int] | None:
    """The smallest single sale that pays for the train, as company and number of shares (18Chesapeake 11.8).

    None if no single sale does.
    """
    missing_dollars = sales_target.missing_dollars(t)
    blocks_that_pay = [
        (count, name)
        for name, counts in bank_train_blocks(t, sales_target).items()
        for count in counts
        if count * t.price(t.state.companies[name]) >= missing_dollars
    ]
    return next(((name, count) for count, name in sorted(blocks_that_pay)), None)


def blocks_keeping_presidencies(t: Table, kept_presidencies: Set[CompanyId]) -> dict[CompanyId, list[int]]:
    """Blocks the president can sell without changing these presidencies (18Chesapeake 10.2, 11.8).

    Rules: R-AL-193, R-C2C-214, R-CH-152, R-CH-153, R-NE-110, R-TN-172.
    """
    player = t.president(t.company.id).id
    blocks = {}
    for company in t.state.companies.values():
        counts = selling.sellable_blocks(t, player, company)
        if company.id in kept_presidencies:
            counts = [
                n
                for n in counts
                if not (loses_presidency_by_selling(t, company, n) or _would_close(t, company, n))
            ]
        if counts:
            blocks[company.id] = counts
    return blocks


def loses_presidency_by_selling(t: Table, company: Company, count: int) -> bool:
    """True if the president would lose the presidency of this company by selling `count` shares."""
    seller = t.president(t.company.id).id
    is_president = company.president == seller
    return is_president and selling.next_president(t, company, count * company.share) is not None


def _would_close(t: Table, company: Company, count: int) -> bool:
    seller = t.president(t.company.id).id
    return company.cell is not None and t.grid.closes_company(
        selling.cell_after_sale(t, seller, company, count)
    )


def proceeds_of_all_sales(t: Table, kept_presidencies: Set[CompanyId]) -> int:
    """Dollars that the president would get by making every legal sale."""
    blocks = blocks_keeping_presidencies(t, kept_presidencies)
    return sum(max(counts) * t.price(t.state.companies[name]) for name, counts in blocks.items())


def obtainable_funds(t: Table, seller: CompanyId) -> int:
    """Dollars available for this seller's train: treasury, president's cash and possible sales (18Chesapeake 11.8)."""
    if not is_emergency(t) or t.rules.has_flag("sells_for_the_cheapest_train_only"):
        return funds(t)
    return funds(t) + proceeds_of_all_sales(t, kept_presidencies(t, seller))


def highest_price(t: Table, purchase: Purchase) -> int:
    """Highest legal price for another company's train.

    It is the treasury or, with the president's help, at most the face value (18Chesapeake 11.8).

    Rules: R-CH-151.
    """
    if purchase.source not in t.state.companies:
        return purchase.lowest_price
    treasury_cash = t.company.cash
    if not president_may_help(t, purchase.train):
        return treasury_cash + t.rules.president_help_dollars(t, purchase.train)
    return max(treasury_cash, min(t.spec.train(purchase.train).price, obtainable_funds(t, purchase.source)))


def record_forced_sale(t: Table, company: Company, count: int) -> None:
    """Record what the limits on forced sales need: funds before this sale's last share, and the smallest sale so far.

    See 18Chesapeake 11.8, 18AL 4.2.5.2.
    """
    price = t.price(company)
    t.turn.funds_before_last_share = funds(t) + (count - 1) * price
    t.turn.last_share_price = price if t.rules.has_flag("share_sales_bind_other_companies_trains") else None
    _record_smallest_sale(t, price)


def record_forced_private_sale(t: Table, amount: int) -> None:
    """Record what the limits on forced sales need: funds before a private's sale, and the smallest sale so far.

    See 18AL 4.2.5.2.
    """
    t.turn.funds_before_last_share = funds(t) - amount
    _record_smallest_sale(t, amount)


def _record_smallest_sale(t: Table, amount: int) -> None:
    previous_smallest_sale = t.turn.smallest_sale
    t.turn.smallest_sale = amount if previous_smallest_sale is None else min(previous_smallest_sale, amount)


def is_train_unaffordable(t: Table) -> bool:
    """True if treasury, president's cash and all sales together cannot pay for the cheapest train (18Chesapeake 11.8).

    Rules: R-AL-197, R-C2C-215, R-CH-154, R-NE-112, R-TN-173.
    """
    price = cheapest_train_price(t)
    missing_dollars = 0 if price is None else price - funds(t)
    obtainable_dollars = proceeds_of_all_sales(t, kept_presidencies(t)) + t.rules.emergency_issue_dollars(t)
    return missing_dollars > 0 and obtainable_dollars < missing_dollars


def sales_cannot_prevent_liquidation(t: Table) -> bool:
    """True if no sales could prevent the company's liquidation; sales are then forbidden (18NewEngland 11.9)."""
    return (
        faces_liquidation(t) and is_train_unaffordable(t) and not t.rules.has_flag("sells_in_any_train_step")
    )
