"""A president's sales to pay for a train, bankruptcy and liquidation (18Chesapeake 11.8).

`engine/play/trains/forced_purchase.py` describes forced purchases as a whole.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from engine.core.actions import DeclareBankruptcy, SellShares
from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, PlayerId
from engine.core.offers import Choices, FilteredChoices, Offer, PickedValues, Slot
from engine.core.state import Company
from engine.play.closing_liquidation_bankruptcy import bankruptcy_obstacle, go_bankrupt, is_buying_trains
from engine.play.shares import holdings
from engine.play.shares.certificate_and_holding_limits import (
    certificate_excess_rule,
    certificate_limit,
    certificates_lost,
)
from engine.play.shares.selling import block_obstacle, sale_label, sell_shares
from engine.play.steps.base import Request, Step
from engine.play.steps.private_sales import private_sale_offer
from engine.play.table import Table
from engine.play.trains.apply_purchase import blocks_for_deal, buy_agreed_train, deal_sales_target
from engine.play.trains.forced_purchase import (
    SalesTarget,
    bank_train_blocks,
    bank_train_target,
    block_that_pays,
    blocks_keeping_presidencies,
    cheapest_train_price,
    faces_liquidation,
    is_emergency,
    is_liquidated_without_train,
    is_train_unaffordable,
    kept_presidencies,
    loses_presidency_by_selling,
    must_buy_train,
    record_forced_sale,
    sales_cannot_prevent_liquidation,
)
from engine.play.trains.forced_sale_limits import forced_private_prices
from engine.play.trains.train_prices import seller_name

BlocksByCompany: TypeAlias = Mapping[CompanyId, Sequence[int]]
"""By company, the numbers of shares that can be sold in one block."""


class ForcedPurchaseStep(Step):
    """The president's sales of shares for another company's train, until the agreed price is paid (18Chesapeake 11.8).

    The two presidents agree first, so that nobody sells shares for a train whose owner then refuses.
    """

    name = "deal"
    kinds = frozenset({"sell_shares"})
    is_exclusive = True

    def offers(self, t: Table) -> Iterator[Offer]:
        sales_target = deal_sales_target(t)
        if sales_target is not None:
            yield from _sale_offers(t, sales_target, blocks_for_deal(t, sales_target))

    def apply(self, t: Table, action: SellShares) -> None:
        """Sell the president's shares. The sale that brings in enough money also buys the agreed train."""
        sell_for_train(t, action)
        buy_agreed_train(t)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        sales_target, deal = deal_sales_target(t), t.turn.deal
        if sales_target is None or deal is None:
            return None
        values = {"train": deal.train, "seller": seller_name(deal.source), "price": deal.price}
        return fact(
            "forced.agreed_first", missing=sales_target.missing_dollars(t), company=t.company.id, **values
        )


class SellDownToLimitStep(Step):
    """Sales that a president above the certificate limit must make once the train is affordable (18NewEngland 10.6).

    Rules: R-NE-046.
    """

    name = "excess"
    kinds = frozenset({"sell_shares"})
    is_exclusive = True

    def offers(self, t: Table) -> Iterator[Offer]:
        """Legal sales that reduce the president's certificate count; no block is larger than needed."""
        sales_target = _certificate_limit_target(t)
        if sales_target is not None:
            yield from _sale_offers(t, sales_target, _certificate_limit_blocks(t, sales_target))

    def apply(self, t: Table, action: SellShares) -> None:
        sell_shares(t, action.actor, t.state.companies[action.company], action.shares)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return certificate_excess_rule(t, t.president(t.company.id).id)


class BankruptcyStep(Step):
    """Bankruptcy in any step of the company's turn, if a flag allows it; else only the train step allows bankruptcy."""

    name = "bankruptcy"
    kinds = frozenset({"declare_bankruptcy"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """Bankruptcy as a legal action, if treasury, president's cash and all sales cannot pay for a train."""
        is_forced_purchase = is_buying_trains(t) and must_buy_train(
            t
        )  # in this case the train step offers it
        if not is_forced_purchase and bankruptcy_obstacle(t, can_sell=False) is None:
            label = fact("offer.declare_bankruptcy")
            yield t.offer("declare_bankruptcy", t.company.id, label, blocking=False, confirm=True)

    def apply(self, t: Table, action: DeclareBankruptcy) -> None:
        go_bankrupt(t, action.actor)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return bankruptcy_obstacle(t)


# --- offers of the train step ------------------------------------------------------------------------------------


def forced_purchase_offers(t: Table, can_buy: bool) -> Iterator[Offer]:
    """The president's legal sales for a train, and bankruptcy or liquidation.

    `can_buy`: the company can also buy a train now.
    """
    sale_offers = list(money_raising_offers(t))
    yield from sale_offers
    if can_buy or sale_offers or _president_must_decide(t):
        yield from _bankruptcy_and_liquidation_offers(t, bool(sale_offers))


def money_raising_offers(t: Table) -> Iterator[Offer]:
    """The president's legal sales of shares and privates to pay for the cheapest train."""
    sales_target = bank_train_target(t)
    if sales_target is None or sales_cannot_prevent_liquidation(t):
        return
    yield from _sale_offers(t, sales_target, bank_train_blocks(t, sales_target))
    if not private_sales_obstacle(t):
        yield from _private_sale_offers(t, sales_target)


def _bankruptcy_and_liquidation_offers(t: Table, can_sell: bool) -> Iterator[Offer]:
    if liquidation_obstacle(t) is None:
        label = fact("offer.liquidate", company=t.company.id)
        yield t.offer("liquidate", t.company.id, label, confirm=True)
    elif bankruptcy_obstacle(t, can_sell=can_sell) is None:
        yield t.offer("declare_bankruptcy", t.company.id, fact("offer.declare_bankruptcy"), confirm=True)


def must_buy_after_share_sales(t: Table) -> bool:
    """True if shares were sold for a train that is affordable now.

    The company must then buy it (18NewEngland 11.7, 11.8).

    Rules: R-NE-103.
    """
    has_binding_sale = t.turn.smallest_sale is not None and not t.rules.has_flag(
        "forced_sales_bind_to_nothing"
    )
    return has_binding_sale and not is_train_unaffordable(t)


def _president_must_decide(t: Table) -> bool:
    return not faces_liquidation(t) or t.rules.has_flag("asks_when_nothing_is_legal")


# --- shares ------------------------------------------------------------------------------------------------------


def sell_for_train(t: Table, action: SellShares) -> None:
    """Sell a block of the president's shares to pay for a train.

    Rules: R-AL-196.
    """
    company = t.state.companies[action.company]
    record_forced_sale(t, company, action.shares)
    sell_shares(t, action.actor, company, action.shares)


def _sale_offers(t: Table, sales_target: SalesTarget, legal_blocks: BlocksByCompany) -> Iterator[Offer]:
    player, companies = t.president(t.company.id).id, t.state.companies
    company_choices = FilteredChoices(
        list(legal_blocks),
        lambda name: None if legal_blocks.get(name) else _sale_refusal(t, sales_target, name, 1),
    )

    def count_choices(slot_values: PickedValues) -> FilteredChoices:
        name = slot_values["company"]
        return FilteredChoices(
            legal_blocks[name],
            lambda count: (
                None if count in legal_blocks[name] else _sale_refusal(t, sales_target, name, count)
            ),
            partial(sale_label, t, player, companies[name]),
        )

    if company_choices:
        yield t.offer(
            "sell_shares",
            player,
            fact("offer.sell_shares_for_train", company=t.company.id),
            Slot("company", lambda _: company_choices),
            Slot("shares", count_choices),
        )


def _sale_refusal(t: Table, sales_target: SalesTarget, name: Any, count: Any) -> Fact:
    company = t.state.companies.get(name)
    if company is None:
        return fact("choice.no_company", company=name)
    if refusal := block_obstacle(t, t.president(t.company.id).id, company, count):
        return refusal
    if name in sales_target.kept_presidencies and loses_presidency_by_selling(t, company, count):
        fact_key = "presidency" if name == t.company.id else "presidency_of_seller"
        return fact(f"forced.{fact_key}", company=name)
    missing_dollars = sales_target.missing_dollars(t)
    if (count - 1) * t.price(company) >= missing_dollars:
        return fact("forced.more_than_needed", missing=missing_dollars)
    if t.turn.deal is not None:
        return fact("forced.no_longer_in_reach", missing=missing_dollars, price=sales_target.price)
    if t.spec.forced_sales == "in_reach":
        return _train_unaffordable_refusal(t, sales_target)
    pays_for_train = count * t.price(company) >= missing_dollars
    return fact(
        "forced.too_much_left" if pays_for_train else "forced.none_can_follow", missing=missing_dollars
    )


def _train_unaffordable_refusal(t: Table, sales_target: SalesTarget) -> Fact:
    missing_dollars, paying_block = sales_target.missing_dollars(t), block_that_pays(t, sales_target)
    if paying_block is None:
        return fact("forced.train_out_of_reach", missing=missing_dollars)
    name, count = paying_block
    amount = count * t.price(t.state.companies[name])
    return fact("forced.sold_together", missing=missing_dollars, company=name, count=count, amount=amount)


# --- privates ----------------------------------------------------------------------------------------------------


def _private_sale_offers(t: Table, sales_target: SalesTarget) -> Iterator[Offer]:
    """The president's legal action of selling a private to another player for the train.

    The price must not leave too much money over (18AL 4.2.5.2).

    Rules: R-AL-195.
    """
    player = t.president(t.company.id).id
    offer = private_sale_offer(t, player)
    if offer is None:
        return
    private_slot, buyer_slot, price_slot = offer.slots
    buyer_choices = buyer_slot.domain({})
    cash_by_buyer = {str(name): t.cash(str(name)) for name in buyer_choices.values()}
    legal_prices_by_buyer = {
        name: _legal_private_prices(t, sales_target, player, name, cash_by_buyer) for name in cash_by_buyer
    }
    missing_dollars = sales_target.missing_dollars(t)

    def buyer_obstacle(name: Any) -> Fact | None:
        if any(prices.start <= cash_by_buyer[name] for prices in legal_prices_by_buyer.get(name, ())):
            return None
        return buyer_choices.obstacle(name) or fact("forced.none_can_follow", missing=missing_dollars)

    def price_choices(slot_values: PickedValues) -> FilteredChoices:
        def obstacle(amount: Any) -> Fact | None:
            if refusal := price_slot.domain(slot_values).obstacle(amount):
                return refusal
            if any(amount in prices for prices in legal_prices_by_buyer[slot_values["buyer"]]):
                return None
            name = "forced.too_much_left" if amount >= missing_dollars else "forced.none_can_follow"
            return fact(name, missing=missing_dollars)

        possible_prices = range(1, t.cash(slot_values["buyer"]) + 1)
        return FilteredChoices(
            possible_prices, obstacle, lambda amount: fact("choice.dollars", amount=amount)
        )

    legal_buyers = [choice for choice in buyer_choices.choices() if buyer_obstacle(choice.value) is None]
    if legal_buyers:
        legal_buyer_slot = Slot("buyer", lambda _: Choices(legal_buyers, buyer_obstacle))
        yield offer._replace(slots=(private_slot, legal_buyer_slot, Slot("price", price_choices)))


def _legal_private_prices(
    t: Table,
    sales_target: SalesTarget,
    player: PlayerId,
    buyer: PlayerId,
    cash_by_buyer: Mapping[PlayerId, int],
) -> list[range]:
    price_ranges = forced_private_prices(
        t, sales_target.missing_dollars(t), blocks_keeping_presidencies(t, sales_target.kept_presidencies)
    )
    other_private_count = sum(private.owner == player for private in t.state.privates.values()) - 1
    if other_private_count:
        other_cash = sorted((cash for name, cash in cash_by_buyer.items() if name != buyer), reverse=True)
        max_other_proceeds = sum(other_cash[:other_private_count])
        total_cash = cash_by_buyer[buyer] + sum(other_cash[: other_private_count - 1])
        lowest_prices = [prices.start for prices in price_ranges]
        price_ranges += [
            range(
                1 if lowest_price <= total_cash else max(1, lowest_price - max_other_proceeds), lowest_price
            )
            for lowest_price in lowest_prices
        ]
    return [prices for prices in price_ranges if prices]


# --- certificates above the limit --------------------------------------------------------------------------------


def _certificate_limit_target(t: Table) -> SalesTarget | None:
    if t.turn.smallest_sale is None or t.rules.has_flag("forced_sales_ignore_cert_limit"):
        return None
    price = cheapest_train_price(t)
    sales_target = None if price is None else SalesTarget(price, kept_presidencies(t))
    return (
        sales_target
        if sales_target is not None
        and sales_target.missing_dollars(t) <= 0
        and certificate_excess_rule(t, t.president(t.company.id).id)
        else None
    )


def _certificate_limit_blocks(t: Table, sales_target: SalesTarget) -> dict[CompanyId, list[int]]:
    player = t.president(t.company.id).id
    excess_certificates = holdings.certificate_count(t, player) - certificate_limit(t)

    def is_block_needed(company: Company, count: int) -> bool:
        certificates_lost_before = certificates_lost(t, player, company, count - 1) if count > 1 else 0
        return (
            certificates_lost_before < excess_certificates
            and certificates_lost(t, player, company, count) > 0
        )

    companies = t.state.companies
    needed_blocks = {
        name: [n for n in counts if is_block_needed(companies[name], n)]
        for name, counts in blocks_keeping_presidencies(t, sales_target.kept_presidencies).items()
    }
    return {name: counts for name, counts in needed_blocks.items() if counts}


# --- obstacles ---------------------------------------------------------------------------------------------------


def sales_obstacle(t: Table) -> Fact | None:
    """The rule that forbids the president to sell shares for a train now; None if they can."""
    company, player = t.company.id, t.president(t.company.id)
    if sales_cannot_prevent_liquidation(t):
        return fact("liquidation.sales_cannot_prevent_liquidation", company=company, player=player.id)
    if bank_train_target(t) is not None:
        return None
    if not must_buy_train(t):
        return fact("forced.sales_only_for_a_train", company=company)
    if not is_emergency(t):
        return fact("forced.treasury_pays", company=company, player=player.id)
    return fact("forced.cash_comes_first", company=company, player=player.id, cash=player.cash)


def private_sales_obstacle(t: Table) -> Fact | None:
    """The rule that forbids the president to sell privates for a train now; None if they can (18AL 4.2.5.2)."""
    if not t.spec.forced_private_sales:
        return fact("forced.no_privates")
    if not must_buy_train(t):
        return fact("forced.privates_only_for_a_train", company=t.company.id)
    return sales_obstacle(t)


def liquidation_obstacle(t: Table) -> Fact | None:
    """The rule that forbids liquidating the operating company; None if it can be liquidated (18NewEngland 11.9)."""
    if not is_liquidated_without_train(t):
        return fact("liquidation.never", company=t.company.id)
    if t.company.trains:
        return fact("liquidation.has_train", company=t.company.id)
    return (
        fact("liquidation.sold_for_a_train", company=t.company.id) if must_buy_after_share_sales(t) else None
    )
