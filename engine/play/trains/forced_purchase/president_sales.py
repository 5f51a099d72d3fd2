"""What the president may sell to pay for a train, and whether that is enough (18Chesapeake 11.8)."""

from collections.abc import Set
from dataclasses import dataclass

from engine.core.ids import CompanyId, PrivateId
from engine.core.state import Company
from engine.play.shares import block_sales, presidency
from engine.play.table import Table
from engine.play.trains.forced_purchase.emergency_share_limits import fitting, left_in_reach, needed
from engine.play.trains.forced_purchase.obligation import (
    cheapest_price,
    emergency,
    funds,
    liquidated,
    may_contribute,
    must_buy,
)
from engine.play.trains.prices import reduced_by


@dataclass(frozen=True, slots=True)
class Aim:
    """What is sold for: a price in dollars, and the companies whose presidency may not move meanwhile
    (18Chesapeake 11.8).
    """

    price: int
    keeps: frozenset[CompanyId]

    def missing(self, t: Table) -> int:
        """Dollars that treasury and president's cash lack."""
        return self.price - funds(t)


def bank_aim(t: Table) -> Aim | None:
    """The cheapest train of bank and pool, where the president may sell for it now: their cash comes first
    (18Chesapeake 11.8).

    Rules: R-CH-152, R-NE-110.
    """
    price = cheapest_price(t)
    if price is None or funds(t) >= price:
        return None
    if not must_buy(t) and not t.rules.flag("sells_in_any_train_step"):
        return None
    return Aim(price, frozenset({t.company.id}))


def blocks(t: Table, aim: Aim) -> dict[CompanyId, list[int]]:
    """Blocks the president may sell for a train of the bank: no more than needed (18Chesapeake 11.8).

    Rules: R-AL-194, R-C2C-214, R-CH-152, R-NE-110, R-TN-172.
    """
    found, missing = sellable(t, aim.keeps), aim.missing(t)
    if t.rules.flag("sells_more_than_needed"):
        return found
    if t.spec.forced_sales == "smallest_share" and not t.rules.flag("sells_for_the_cheapest_train_only"):
        return fitting(t, missing, found)
    some = needed(t, missing, found)
    if t.spec.forced_sales != "in_reach" or t.rules.flag("forced_sales_bind_to_nothing"):
        return some
    safe = left_in_reach(t, missing, found, some)
    return safe if any(safe.values()) else some


def block_that_pays(t: Table, aim: Aim) -> tuple[CompanyId, int] | None:
    """The smallest single sale that pays for the train; None where several are needed (18Chesapeake 11.8)."""
    missing = aim.missing(t)
    enough = [
        (count, name)
        for name, counts in blocks(t, aim).items()
        for count in counts
        if count * t.price(t.state.companies[name]) >= missing
    ]
    return next(((name, count) for count, name in sorted(enough)), None)


def sellable(t: Table, keeps: Set[CompanyId]) -> dict[CompanyId, list[int]]:
    """Blocks the president may sell by the normal rules, with the presidencies kept that must be
    (18Chesapeake 10.2, 11.8).

    Rules: R-AL-193, R-C2C-214, R-CH-152, R-CH-153, R-NE-110, R-TN-172.
    """
    player = t.president(t.company.id).id
    found = {}
    for company in t.state.companies.values():
        counts = block_sales.sellable(t, player, company)
        if company.id in keeps:
            counts = [n for n in counts if not moves_presidency(t, company, n)]
        if counts:
            found[company.id] = counts
    return found


def moves_presidency(t: Table, company: Company, count: int) -> bool:
    """Whether selling N shares makes another player president of a company that the seller presides over."""
    seller = t.president(t.company.id).id
    own = company.president == seller
    return own and presidency.successor(t, company, count * company.share) is not None


def raisable(t: Table, keeps: Set[CompanyId]) -> int:
    """Dollars that every legal sale together would bring."""
    found = sellable(t, keeps)
    return sum(max(counts) * t.price(t.state.companies[name]) for name, counts in found.items())


def reach(t: Table, seller: CompanyId) -> int:
    """Dollars that could be put together for a train of this company: funds, and what may be sold for it
    (18Chesapeake 11.8).
    """
    if not emergency(t) or t.rules.flag("sells_for_the_cheapest_train_only"):
        return funds(t)
    return funds(t) + raisable(t, {t.company.id, seller})


def highest_price(t: Table, seller: Company, train: str) -> int:
    """The most for a train of another company: the treasury, or up to face value with the president's help
    (18Chesapeake 11.8).

    Rules: R-CH-151.
    """
    treasury = t.company.cash
    if not may_contribute(t, train):
        return treasury
    return max(treasury, min(t.spec.train(train).price, reach(t, seller.id)))


def note_sale(t: Table, company: Company, count: int) -> None:
    """Remember what was there before the last share of a block (18Chesapeake 11.8), and the least for one
    (18AL 4.2.5.2).
    """
    price = t.price(company)
    t.turn.funds_before_last_share = funds(t) + (count - 1) * price
    t.turn.last_share_price = price if t.rules.flag("share_sales_bind_other_companies_trains") else None
    _note_amount(t, price)


def note_private_sale(t: Table, amount: int) -> None:
    """The same for a private that has been sold to another player (18AL 4.2.5.2)."""
    t.turn.funds_before_last_share = funds(t) - amount
    _note_amount(t, amount)


def _note_amount(t: Table, amount: int) -> None:
    """Remember the smallest amount that a certificate sold for the train has brought (18AL 4.2.5.2)."""
    before = t.turn.smallest_sale
    t.turn.smallest_sale = amount if before is None else min(before, amount)


def leaves_too_much(t: Table, private: PrivateId, spent: int) -> bool:
    """Whether the company would, with this private, keep too much of what was sold for a train (18AL 4.2.5.2)."""
    smallest, cheapest = t.turn.smallest_sale, cheapest_price(t)
    reduced = [purchase.low for purchase in reduced_by(t, private)]
    if smallest is None or cheapest is None or not reduced or t.rules.flag("forced_at_face_value"):
        return False
    return funds(t) - spent - min(cheapest, *reduced) >= smallest


def hopeless(t: Table) -> bool:
    """Whether treasury, cash and all sales together do not pay the cheapest train (18Chesapeake 11.8).

    Rules: R-AL-197, R-C2C-215, R-CH-154, R-NE-112, R-TN-173.
    """
    price = cheapest_price(t)
    missing = 0 if price is None else price - funds(t)
    return missing > 0 and raisable(t, {t.company.id}) < missing


def in_vain(t: Table) -> bool:
    """Whether no sales could save the company from liquidation: then nothing is sold for it (18NewEngland 11.9)."""
    return liquidated(t) and hopeless(t) and not t.rules.flag("sells_in_any_train_step")
