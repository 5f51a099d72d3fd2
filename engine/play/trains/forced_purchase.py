"""A forced purchase: the obligation to buy a train, and what the president pays and sells for it (18Chesapeake 11.8).

1. *Must the company buy?* It has no train, and bank or pool have one: `must_buy`. For each kind of company the
   title's `must_own` says when: with a route, always, or else it is liquidated.
2. *Whose money?* The treasury's. Where it pays no train of bank or pool, the president adds what is missing for the
   cheapest one: `emergency`, `payable`. Whether presidents may help to pay a train of another company, and how much:
   `may_contribute`, `highest_price` (`president_pays_companies`).
3. *Sales.* Where their cash is not enough either, presidents sell shares by the usual rules: `bank_aim` is what for,
   `blocks` which. The title's `forced_sales` says what would be too much; `forced_sale_limits` works it out. In some
   titles privates may be sold, too (`forced_private_sales`). `note_sale` remembers what a sale obliges to. Above the
   certificate limit sales continue after that: `OverLimitStep`.
4. *A train of another company* that cash does not pay is agreed on first: `apply_purchase.buy_or_agree`. Then nothing
   but sales for it is possible (`ForcedPurchaseStep`), such that it can still be paid: `deal_blocks`. The last one
   buys it: `pay_deal`.
5. *The purchase*, `apply_purchase.buy_train`: the president pays the difference, the train changes hands, and what was
   remembered of sales is dropped.
6. *No sales would be enough*: `hopeless`. The president goes bankrupt, which ends the game or eliminates them. A
   company that ruins nobody is liquidated instead: `engine/play/closing_liquidation_bankruptcy.py`.

`engine/play/steps/forced_sales.py` offers all these decisions, and says why one is not offered.
"""

from collections.abc import Set
from dataclasses import dataclass

from engine.board.network import has_route
from engine.core.ids import CompanyId, TrainName
from engine.core.spec import MustOwn
from engine.core.state import Company
from engine.play.shares import selling
from engine.play.table import Table
from engine.play.trains.forced_sale_limits import fitting_blocks, left_in_reach, needed_blocks
from engine.play.trains.phases import trains_for_sale
from engine.play.trains.train_prices import Purchase, by_private


def must_buy(t: Table) -> bool:
    """True if a company without a train must buy one: always (18NewEngland 11.7), or if it has a route
    (18Chesapeake 11.7).

    One that is liquidated otherwise is helped to a train in the same way (18NewEngland 11.7).

    Rules: R-AL-190, R-C2C-212, R-CH-146, R-NE-102, R-TN-170.
    """
    if t.company.trains or not (t.state.pool or trains_for_sale(t)):
        return False
    rule = _obligation(t)
    return rule in {"always", "or_liquidated"} or (rule == "with_route" and has_route(t.map, t.company.id))


def faces_liquidation(t: Table) -> bool:
    """True if the company is liquidated unless it buys a train now (18NewEngland 11.9)."""
    return not t.company.trains and ruins_nobody(t)


def ruins_nobody(t: Table) -> bool:
    """True if the company would be liquidated rather than its president go bankrupt (18NewEngland 11.7, 11.9)."""
    return _obligation(t) == "or_liquidated"


def _obligation(t: Table) -> MustOwn:
    """The title's condition under which a company of this kind must own a train (R-C2C-247)."""
    return t.spec.must_own.get(t.kind_name(t.company), "with_route")


def cheapest_price(t: Table) -> int | None:
    """Lowest price of a train from bank or pool, private discounts included."""
    prices = [t.spec.train(train).price for train in (*trains_for_sale(t), *t.state.pool)]
    if not t.rules.flag("forced_at_face_value"):
        prices += [purchase.lowest_price for options in by_private(t).values() for purchase in options]
    return min(prices, default=None)


def in_emergency(t: Table) -> bool:
    """True if the company must buy a train and its treasury can pay none of bank or pool (18Chesapeake 11.8).

    Rules: R-AL-191, R-C2C-213, R-CH-150, R-NE-110, R-TN-171.
    """
    if t.company.trains:
        return False
    price = cheapest_price(t)
    return price is not None and t.company.cash < price and must_buy(t)


def funds(t: Table) -> int:
    """Treasury and president's cash in dollars."""
    return t.company.cash + t.president(t.company.id).cash


def can_pay(t: Table, price: int) -> bool:
    """True if the treasury, in an emergency with the president's cash, pays a fixed price (18Chesapeake 11.8).

    Rules: R-AL-191, R-AL-192, R-C2C-213, R-CH-147, R-CH-151, R-NE-102, R-TN-171.
    """
    if price <= t.company.cash:
        return True
    cheapest = cheapest_price(t) if price <= funds(t) and in_emergency(t) else None
    return cheapest is not None and price <= cheapest


def may_contribute(t: Table, train: TrainName) -> bool:
    """True if the president may help to pay another company's train (18Chesapeake 11.8).

    Rules: R-AL-192, R-C2C-213, R-CH-151.
    """
    if not t.spec.president_pays_companies:
        return False
    helps = t.rules.flag("president_helps_although_bank_train_affordable")
    return in_emergency(t) or (helps and must_buy(t) and t.company.cash < t.spec.train(train).price)


@dataclass(frozen=True, slots=True)
class Aim:
    """A price to reach by sales, and the companies whose presidents must stay (18Chesapeake 11.8)."""

    price: int
    keeps: frozenset[CompanyId]

    def missing_dollars(self, t: Table) -> int:
        """Dollars that treasury and president's cash lack."""
        return self.price - funds(t)


def bank_aim(t: Table) -> Aim | None:
    """The price of the cheapest train of bank and pool, if the president may sell for it (18Chesapeake 11.8).

    Rules: R-CH-152, R-NE-110.
    """
    price = cheapest_price(t)
    if price is None or funds(t) >= price:
        return None
    if not must_buy(t) and not t.rules.flag("sells_in_any_train_step"):
        return None
    return Aim(price, frozenset({t.company.id}))


def blocks(t: Table, aim_price: Aim) -> dict[CompanyId, list[int]]:
    """Blocks that the president may sell for a train of the bank, no larger than needed (18Chesapeake 11.8).

    Rules: R-AL-194, R-C2C-214, R-CH-152, R-NE-110, R-TN-172.
    """
    counts, missing = sellable_keeping(t, aim_price.keeps), aim_price.missing_dollars(t)
    if t.rules.flag("sells_more_than_needed"):
        return counts
    if t.spec.forced_sales == "smallest_share" and not t.rules.flag("sells_for_the_cheapest_train_only"):
        return fitting_blocks(t, missing, counts)
    some = needed_blocks(t, missing, counts)
    if t.spec.forced_sales != "in_reach" or t.rules.flag("forced_sales_bind_to_nothing"):
        return some
    safe = left_in_reach(t, missing, counts, some)
    return safe if any(safe.values()) else some


def block_that_pays(t: Table, aim_price: Aim) -> tuple[CompanyId, int] | None:
    """The smallest single sale that pays for the train; None if it takes several (18Chesapeake 11.8)."""
    missing = aim_price.missing_dollars(t)
    enough = [
        (count, name)
        for name, counts in blocks(t, aim_price).items()
        for count in counts
        if count * t.price(t.state.companies[name]) >= missing
    ]
    return next(((name, count) for count, name in sorted(enough)), None)


def sellable_keeping(t: Table, keeps: Set[CompanyId]) -> dict[CompanyId, list[int]]:
    """Blocks that the president may sell without changing these presidencies (18Chesapeake 10.2, 11.8).

    Rules: R-AL-193, R-C2C-214, R-CH-152, R-CH-153, R-NE-110, R-TN-172.
    """
    player = t.president(t.company.id).id
    found = {}
    for company in t.state.companies.values():
        counts = selling.sellable_blocks(t, player, company)
        if company.id in keeps:
            counts = [n for n in counts if not moves_presidency(t, company, n)]
        if counts:
            found[company.id] = counts
    return found


def moves_presidency(t: Table, company: Company, count: int) -> bool:
    """True if selling N shares ends a presidency of the seller."""
    seller = t.president(t.company.id).id
    own = company.president == seller
    return own and selling.successor(t, company, count * company.share) is not None


def proceeds_of_all_sales(t: Table, keeps: Set[CompanyId]) -> int:
    """Dollars that every legal sale together would bring."""
    found = sellable_keeping(t, keeps)
    return sum(max(counts) * t.price(t.state.companies[name]) for name, counts in found.items())


def reachable_funds(t: Table, seller: CompanyId) -> int:
    """Dollars available for the company's train: funds and possible sales (18Chesapeake 11.8)."""
    if not in_emergency(t) or t.rules.flag("sells_for_the_cheapest_train_only"):
        return funds(t)
    return funds(t) + proceeds_of_all_sales(t, {t.company.id, seller})


def highest_price(t: Table, purchase: Purchase) -> int:
    """Highest price for another company's train: the treasury, or face value with the president's help
    (18Chesapeake 11.8).

    Rules: R-CH-151.
    """
    if purchase.source not in t.state.companies:
        return purchase.lowest_price
    treasury = t.company.cash
    if not may_contribute(t, purchase.train):
        return treasury
    return max(treasury, min(t.spec.train(purchase.train).price, reachable_funds(t, purchase.source)))


def note_forced_sale(t: Table, company: Company, count: int) -> None:
    """Remember the funds before the last share (18Chesapeake 11.8), and the least proceeds (18AL 4.2.5.2)."""
    price = t.price(company)
    t.turn.funds_before_last_share = funds(t) + (count - 1) * price
    t.turn.last_share_price = price if t.rules.flag("share_sales_bind_other_companies_trains") else None
    _note_amount(t, price)


def note_forced_private_sale(t: Table, amount: int) -> None:
    """Remember the same for a private sold to another player (18AL 4.2.5.2)."""
    t.turn.funds_before_last_share = funds(t) - amount
    _note_amount(t, amount)


def _note_amount(t: Table, amount: int) -> None:
    """Remember the smallest proceeds of a certificate sold for the train (18AL 4.2.5.2)."""
    before = t.turn.smallest_sale
    t.turn.smallest_sale = amount if before is None else min(before, amount)


def is_hopeless(t: Table) -> bool:
    """True if treasury, cash and all sales together cannot pay the cheapest train (18Chesapeake 11.8).

    Rules: R-AL-197, R-C2C-215, R-CH-154, R-NE-112, R-TN-173.
    """
    price = cheapest_price(t)
    missing = 0 if price is None else price - funds(t)
    return missing > 0 and proceeds_of_all_sales(t, {t.company.id}) < missing


def sales_in_vain(t: Table) -> bool:
    """True if no sales could avert liquidation, so that nothing may be sold (18NewEngland 11.9)."""
    return faces_liquidation(t) and is_hopeless(t) and not t.rules.flag("sells_in_any_train_step")
