"""The president's sales for a train, bankruptcy and liquidation (18Chesapeake 11.8).

`engine/play/trains/forced_purchase.py` describes forced purchases as a whole.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from engine.core.actions import DeclareBankruptcy, SellShares
from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, PlayerId
from engine.core.offers import Choices, Chosen, Offer, Permitted, Slot
from engine.core.state import Company
from engine.play.closing_liquidation_bankruptcy import bankruptcy_obstacle, go_bankrupt, in_train_step
from engine.play.shares import holdings
from engine.play.shares.certificate_and_holding_limits import certificate_limit, certificates_shed, too_many
from engine.play.shares.selling import block_obstacle, sell_label, sell_shares
from engine.play.steps.base import Request, Step
from engine.play.steps.private_sales import private_sale
from engine.play.table import Table
from engine.play.trains.apply_purchase import deal_aim, deal_blocks, pay_deal
from engine.play.trains.forced_purchase import (
    Aim,
    bank_aim,
    block_that_pays,
    blocks,
    cheapest_price,
    faces_liquidation,
    in_emergency,
    is_hopeless,
    moves_presidency,
    must_buy,
    note_forced_sale,
    ruins_nobody,
    sales_in_vain,
    sellable_keeping,
)
from engine.play.trains.forced_sale_limits import forced_private_prices
from engine.play.trains.train_prices import seller_name

Blocks: TypeAlias = Mapping[CompanyId, Sequence[int]]
"""Numbers of shares that may be sold together, by company."""


class ForcedPurchaseStep(Step):
    """After a deal for another company's train, the president sells until it can be paid (18Chesapeake 11.8).

    So nobody sells shares for a train that they are refused, and the player who has agreed gets the price.
    """

    name = "deal"
    kinds = frozenset({"sell_shares"})
    exclusive = True

    def offers(self, t: Table) -> Iterator[Offer]:
        aim = deal_aim(t)
        if aim is not None:
            yield from _sale_offers(t, aim, deal_blocks(t, aim))

    def apply(self, t: Table, action: SellShares) -> None:
        """Sell; the train is bought with the last sale that it needs."""
        sell_for_train(t, action)
        pay_deal(t)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        aim, deal = deal_aim(t), t.turn.deal
        if aim is None or deal is None:
            return None
        values = {"train": deal.train, "seller": seller_name(deal.source), "price": deal.price}
        return fact("forced.agreed_first", missing=aim.missing_dollars(t), company=t.company.id, **values)


class OverLimitStep(Step):
    """After the train is affordable, sales continue until the president is within the limits (18NewEngland 10.6).

    Rules: R-NE-046.
    """

    name = "excess"
    kinds = frozenset({"sell_shares"})
    exclusive = True

    def offers(self, t: Table) -> Iterator[Offer]:
        """Blocks that reduce the president's certificates, no larger than needed."""
        aim = _limit_aim(t)
        if aim is not None:
            yield from _sale_offers(t, aim, _limit_blocks(t, aim))

    def apply(self, t: Table, action: SellShares) -> None:
        sell_shares(t, action.actor, t.state.companies[action.company], action.shares)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return too_many(t, t.president(t.company.id).id)


class BankruptcyStep(Step):
    """Bankruptcy in any step of the company's turn, under a flag; otherwise only in the train step."""

    name = "bankruptcy"
    kinds = frozenset({"declare_bankruptcy"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """Bankruptcy, if treasury, cash and all sales cannot pay the cheapest train."""
        offered = in_train_step(t) and must_buy(t)  # then the train step offers it
        if not offered and bankruptcy_obstacle(t, can_sell=False) is None:
            label = fact("offer.declare_bankruptcy")
            yield t.offer("declare_bankruptcy", t.company.id, label, blocking=False, confirm=True)

    def apply(self, t: Table, action: DeclareBankruptcy) -> None:
        go_bankrupt(t, action.actor)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return bankruptcy_obstacle(t)


# --- what the train step offers ----------------------------------------------------------------------------------


def forced_offers(t: Table, purchases: bool) -> Iterator[Offer]:
    """The president's sales, and the ways to give up, in addition to possible purchases."""
    raising = list(raising_offers(t))
    yield from raising
    if purchases or raising or _asked_anyway(t):
        yield from _ways_out(t, bool(raising))


def raising_offers(t: Table) -> Iterator[Offer]:
    """The president's sales for the cheapest train."""
    aim = bank_aim(t)
    if aim is None or sales_in_vain(t):
        return
    yield from _sale_offers(t, aim, blocks(t, aim))
    if not private_sales_obstacle(t):
        yield from _private_sale_offers(t, aim)


def _ways_out(t: Table, selling: bool) -> Iterator[Offer]:
    """Liquidation, or bankruptcy if the train cannot be paid (18NewEngland 11.8, 11.9)."""
    if liquidation_obstacle(t) is None:
        label = fact("offer.liquidate", company=t.company.id)
        yield t.offer("liquidate", t.company.id, label, confirm=True)
    elif bankruptcy_obstacle(t, can_sell=selling) is None:
        yield t.offer("declare_bankruptcy", t.company.id, fact("offer.declare_bankruptcy"), confirm=True)


def sold_for_train(t: Table) -> bool:
    """True if shares were sold for a train that is now affordable: it must be bought (18NewEngland 11.7, 11.8).

    Rules: R-NE-103.
    """
    sold = t.turn.smallest_sale is not None and not t.rules.flag("forced_sales_bind_to_nothing")
    return sold and not is_hopeless(t)


def _asked_anyway(t: Table) -> bool:
    """True if the president is asked although nothing can avert the liquidation."""
    return not faces_liquidation(t) or t.rules.flag("asks_when_nothing_is_legal")


# --- shares ------------------------------------------------------------------------------------------------------


def sell_for_train(t: Table, action: SellShares) -> None:
    """Sell a block for a train.

    Rules: R-AL-196.
    """
    company = t.state.companies[action.company]
    note_forced_sale(t, company, action.shares)
    sell_shares(t, action.actor, company, action.shares)


def _sale_offers(t: Table, aim_price: Aim, found: Blocks) -> Iterator[Offer]:
    """Offers of these blocks to the president, if there are any."""
    player, companies = t.president(t.company.id).id, t.state.companies
    able = Permitted(list(found), lambda name: None if found.get(name) else _not_sold(t, aim_price, name, 1))

    def counts(chosen: Chosen) -> Permitted:
        name = chosen["company"]
        return Permitted(
            found[name],
            lambda count: None if count in found[name] else _not_sold(t, aim_price, name, count),
            partial(sell_label, t, player, companies[name]),
        )

    if able:
        yield t.offer(
            "sell_shares",
            player,
            fact("offer.sell_shares_for_train", company=t.company.id),
            Slot("company", lambda _: able),
            Slot("shares", counts),
        )


def _not_sold(t: Table, aim_price: Aim, name: Any, count: Any) -> Fact:
    """The reason why a block may not be sold for the train."""
    company = t.state.companies.get(name)
    if company is None:
        return fact("choice.no_company", company=name)
    if rule := block_obstacle(t, t.president(t.company.id).id, company, count):
        return rule
    if name in aim_price.keeps and moves_presidency(t, company, count):
        whose = "presidency" if name == t.company.id else "presidency_of_seller"
        return fact(f"forced.{whose}", company=name)
    missing = aim_price.missing_dollars(t)
    if (count - 1) * t.price(company) >= missing:
        return fact("forced.more_than_needed", missing=missing)
    if t.turn.deal is not None:
        return fact("forced.no_longer_in_reach", missing=missing, price=aim_price.price)
    if t.spec.forced_sales == "in_reach":
        return _out_of_reach(t, aim_price)
    enough = count * t.price(company) >= missing
    return fact("forced.too_much_left" if enough else "forced.none_can_follow", missing=missing)


def _out_of_reach(t: Table, aim_price: Aim) -> Fact:
    """The refusal of a sale whose price fall would put the train out of reach, with the blocks that would do."""
    missing, paying = aim_price.missing_dollars(t), block_that_pays(t, aim_price)
    if paying is None:
        return fact("forced.train_out_of_reach", missing=missing)
    name, count = paying
    amount = count * t.price(t.state.companies[name])
    return fact("forced.sold_together", missing=missing, company=name, count=count, amount=amount)


# --- privates ----------------------------------------------------------------------------------------------------


def _private_sale_offers(t: Table, aim_price: Aim) -> Iterator[Offer]:
    """Sales of a private to another player, at prices that leave no more than allowed (18AL 4.2.5.2).

    Rules: R-AL-195.
    """
    player = t.president(t.company.id).id
    offer = private_sale(t, player)
    if offer is None:
        return
    private, buyer, price = offer.slots
    buyers = buyer.domain({})
    purses = {str(name): t.cash(str(name)) for name in buyers.values()}
    legal = {name: _private_prices(t, aim_price, player, name, purses) for name in purses}
    missing = aim_price.missing_dollars(t)

    def buyer_obstacle(name: Any) -> Fact | None:
        """The refusal of a buyer who would leave too much at any price."""
        able = any(prices.start <= purses[name] for prices in legal.get(name, ()))
        return None if able else buyers.obstacle(name) or fact("forced.none_can_follow", missing=missing)

    def prices(chosen: Chosen) -> Permitted:
        def obstacle(amount: Any) -> Fact | None:
            if rule := price.domain(chosen).obstacle(amount):
                return rule
            if any(amount in prices for prices in legal[chosen["buyer"]]):
                return None
            name = "forced.too_much_left" if amount >= missing else "forced.none_can_follow"
            return fact(name, missing=missing)

        amounts = range(1, t.cash(chosen["buyer"]) + 1)
        return Permitted(amounts, obstacle, lambda amount: fact("choice.dollars", amount=amount))

    able = [choice for choice in buyers.choices() if buyer_obstacle(choice.value) is None]
    if able:
        to = Slot("buyer", lambda _: Choices(able, buyer_obstacle))
        yield offer._replace(slots=(private, to, Slot("price", prices)))


def _private_prices(
    t: Table, aim_price: Aim, player: PlayerId, buyer: PlayerId, purses: Mapping[PlayerId, int]
) -> list[range]:
    """Legal prices of a private; others may bring exactly the rest."""
    found = forced_private_prices(t, aim_price.missing_dollars(t), sellable_keeping(t, aim_price.keeps))
    more = sum(private.owner == player for private in t.state.privates.values()) - 1
    if more:
        rest = sorted((cash for name, cash in purses.items() if name != buyer), reverse=True)
        others, together = sum(rest[:more]), purses[buyer] + sum(rest[: more - 1])
        dues = [prices.start for prices in found]
        found += [range(1 if due <= together else max(1, due - others), due) for due in dues]
    return [prices for prices in found if prices]


# --- certificates above the limit --------------------------------------------------------------------------------


def _limit_aim(t: Table) -> Aim | None:
    """The aim of sales above the certificate limit, once the train is affordable."""
    if t.turn.smallest_sale is None or t.rules.flag("forced_sales_ignore_cert_limit"):
        return None
    price = cheapest_price(t)
    aim = None if price is None else Aim(price, frozenset({t.company.id}))
    return (
        aim
        if aim is not None and aim.missing_dollars(t) <= 0 and too_many(t, t.president(t.company.id).id)
        else None
    )


def _limit_blocks(t: Table, aim_price: Aim) -> dict[CompanyId, list[int]]:
    """Blocks without whose last share the president would stay above the limit."""
    player = t.president(t.company.id).id
    over = holdings.certificates(t, player) - certificate_limit(t)

    def needed(company: Company, count: int) -> bool:
        before = certificates_shed(t, player, company, count - 1) if count > 1 else 0
        return before < over and certificates_shed(t, player, company, count) > 0

    companies = t.state.companies
    found = {
        name: [n for n in counts if needed(companies[name], n)]
        for name, counts in sellable_keeping(t, aim_price.keeps).items()
    }
    return {name: counts for name, counts in found.items() if counts}


# --- what stops it -----------------------------------------------------------------------------------------------


def sales_obstacle(t: Table) -> Fact | None:
    """The rule that keeps the president from selling shares for a train now."""
    company, player = t.company.id, t.president(t.company.id)
    if sales_in_vain(t):
        return fact("liquidation.sales_in_vain", company=company, player=player.id)
    if bank_aim(t) is not None:
        return None
    if not must_buy(t):
        return fact("forced.sales_only_for_a_train", company=company)
    if not in_emergency(t):
        return fact("forced.treasury_pays", company=company, player=player.id)
    return fact("forced.cash_comes_first", company=company, player=player.id, cash=player.cash)


def private_sales_obstacle(t: Table) -> Fact | None:
    """The rule that keeps the president from selling privates for a train now (18AL 4.2.5.2)."""
    if not t.spec.forced_private_sales:
        return fact("forced.no_privates")
    if not must_buy(t):
        return fact("forced.privates_only_for_a_train", company=t.company.id)
    return sales_obstacle(t)


def liquidation_obstacle(t: Table) -> Fact | None:
    """The rule that keeps the company from leaving the game for want of a train (18NewEngland 11.9)."""
    if not ruins_nobody(t):
        return fact("liquidation.never", company=t.company.id)
    if t.company.trains:
        return fact("liquidation.has_train", company=t.company.id)
    return fact("liquidation.sold_for_a_train", company=t.company.id) if sold_for_train(t) else None
