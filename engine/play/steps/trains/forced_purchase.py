"""What the president sells for a forced purchase (18Chesapeake 11.8): in the train step, or for a train agreed on."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from engine.core.actions import SellShares
from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, PlayerId
from engine.core.offers import Among, Chosen, Offer, Slot, Those
from engine.play.shares import holdings
from engine.play.shares.selling import sell, sell_label, why_not_so_many
from engine.play.steps.base import Step, Wish
from engine.play.steps.stock.private_trade import private_sale
from engine.play.table import Table
from engine.play.trains.buying import pay_deal
from engine.play.trains.overselling import private_prices
from engine.play.trains.prices import seller
from engine.play.trains.raising import (
    Aim,
    block_that_pays,
    blocks,
    deal_aim,
    deal_blocks,
    moves_presidency,
    note_sale,
    sellable,
)

Blocks: TypeAlias = Mapping[CompanyId, Sequence[int]]
"""Numbers of shares that may be sold together, by company."""


class DealStep(Step):
    """Another company's train has been agreed on: the president sells for it until it can be paid, nothing
    else (18Chesapeake 11.8).

    So nobody sells shares for a train that they are refused, and the player who has agreed gets what was agreed.
    """

    name = "deal"
    kinds = frozenset({"sell_shares"})
    exclusive = True

    def offers(self, t: Table) -> Iterator[Offer]:
        """The president's sales."""
        aim = deal_aim(t)
        if aim is not None:
            yield from sale_offers(t, aim, deal_blocks(t, aim))

    def apply(self, t: Table, action: SellShares) -> None:
        """Sell; the train is bought with the last sale that it needs."""
        sell_for_train(t, action)
        pay_deal(t)

    def why_not(self, t: Table, wish: Wish) -> Fact | None:
        """What must come first."""
        aim, deal = deal_aim(t), t.turn.deal
        if aim is None or deal is None:
            return None
        values = {"train": deal.train, "seller": seller(deal.source), "price": deal.price}
        return fact("forced.agreed_first", missing=aim.missing(t), company=t.company.id, **values)


def sell_for_train(t: Table, action: SellShares) -> None:
    """Sell a block for a train."""
    company = t.state.companies[action.company]
    note_sale(t, company, action.shares)
    sell(t, action.actor, company, action.shares)


def bank_sale_offers(t: Table, aim: Aim) -> Iterator[Offer]:
    """Sales for the cheapest train of bank and pool."""
    yield from sale_offers(t, aim, blocks(t, aim))


def sale_offers(t: Table, aim: Aim, found: Blocks) -> Iterator[Offer]:
    """The president's sales, if these blocks leave any."""
    names = [name for name, counts in found.items() if counts]
    if not names:
        return
    yield t.offer(
        "sell_shares",
        t.president(t.company.id).id,
        fact("offer.sell_shares_for_train", company=t.company.id),
        t.slot("company", lambda _: Those(names, lambda _n: True), lambda _, name: _why_not(t, aim, name, 1)),
        t.slot(
            "shares",
            lambda c: _counts(t, c["company"], found),
            lambda c, n: _why_not(t, aim, c["company"], n),
        ),
    )


def _counts(t: Table, name: CompanyId, found: Blocks) -> Those:
    player, company = t.president(t.company.id).id, t.state.companies[name]
    return Those(found[name], lambda _n: True, lambda n: sell_label(t, player, company, n))


def _why_not(t: Table, aim: Aim, name: Any, count: Any) -> Fact | None:
    """Why N shares of a company are not sold for a train."""
    company = t.state.companies.get(name)
    if company is None:
        return fact("choice.no_company", company=name)
    player = t.president(t.company.id).id
    if count in holdings.sellable(t, player, company):
        return _why_not_for_train(t, aim, name, count)
    return why_not_so_many(t, player, company, count)


def _why_not_for_train(t: Table, aim: Aim, name: CompanyId, count: int) -> Fact:
    """Why a block that could be sold in a stock round is not sold now."""
    company = t.state.companies[name]
    if name in aim.keeps and moves_presidency(t, company, count):
        rule = "presidency" if name == t.company.id else "presidency_of_seller"
        return fact(f"forced.{rule}", company=name)
    missing = aim.missing(t)
    if (count - 1) * t.price(company) >= missing:
        return fact("forced.more_than_needed", missing=missing)
    if t.turn.deal is not None:
        return fact("forced.no_longer_in_reach", missing=missing, price=aim.price)
    if t.spec.forced_sales == "in_reach":
        return _why_out_of_reach(t, aim)
    if count * t.price(company) >= missing:
        return fact("forced.too_much_left", missing=missing)
    return fact("forced.none_can_follow", missing=missing)


def _why_out_of_reach(t: Table, aim: Aim) -> Fact:
    """The sale would lower the price so far that the train could not be paid any more; what would pay for it."""
    missing, paying = aim.missing(t), block_that_pays(t, aim)
    if paying is None:
        return fact("forced.train_out_of_reach", missing=missing)
    name, count = paying
    amount = count * t.price(t.state.companies[name])
    return fact("forced.sold_together", missing=missing, company=name, count=count, amount=amount)


# --- privates ----------------------------------------------------------------------------------------------------


def private_sale_offers(t: Table, aim: Aim) -> Iterator[Offer]:
    """A private may be sold to another player, at a price that leaves no more than is allowed (18AL 4.2.5.2)."""
    player = t.president(t.company.id).id
    offer = private_sale(t, player)
    if offer is None:
        return
    private, buyer, price = offer.slots
    buyers = list(buyer.domain({}).choices())
    purses = {str(choice.value): t.cash(str(choice.value)) for choice in buyers}
    legal = {name: _private_prices(t, aim, player, name, purses) for name in purses}
    able = [name for name in purses if any(prices.start <= purses[name] for prices in legal[name])]
    if able:
        to = buyer._replace(
            domain=lambda _: Among([choice for choice in buyers if choice.value in able]),
            why=lambda c, name: _why_not_to(t, aim, buyer, c, name),
        )
        yield offer._replace(slots=(private, to, _just_enough(t, aim, price, legal)))


def _why_not_to(t: Table, aim: Aim, buyer: Slot, c: Chosen, name: Any) -> Fact | None:
    """Why a player buys no private now: whatever they can pay, too much would be left in the end."""
    if any(choice.value == name for choice in buyer.domain({}).choices()):
        return fact("forced.none_can_follow", missing=aim.missing(t))
    return buyer.why(c, name) if buyer.why else None


def _private_prices(
    t: Table, aim: Aim, player: PlayerId, buyer: PlayerId, purses: Mapping[PlayerId, int]
) -> list[range]:
    """What one private may bring; what is due after that and after shares, further privates may bring exactly."""
    found = private_prices(t, aim.missing(t), sellable(t, aim.keeps))
    more = sum(private.owner == player for private in t.state.privates.values()) - 1
    if more:
        rest = sorted((cash for name, cash in purses.items() if name != buyer), reverse=True)
        others, together = sum(rest[:more]), purses[buyer] + sum(rest[: more - 1])
        dues = [prices.start for prices in found]
        found += [range(1 if due <= together else max(1, due - others), due) for due in dues]
    return [prices for prices in found if prices]


def _just_enough(t: Table, aim: Aim, price: Slot, legal: Mapping[PlayerId, Sequence[range]]) -> Slot:
    """The price of a private, within what the buyer has and the rule allows."""
    return price._replace(
        domain=lambda c: Those(
            range(1, t.cash(c["buyer"]) + 1),
            lambda amount: any(amount in prices for prices in legal[c["buyer"]]),
            lambda amount: fact("choice.dollars", amount=amount),
        ),
        why=lambda c, amount: _why_not_for(t, aim, price, c, amount),
    )


def _why_not_for(t: Table, aim: Aim, price: Slot, c: Chosen, amount: Any) -> Fact | None:
    if isinstance(amount, int) and 1 <= amount <= t.cash(c["buyer"]):
        missing = aim.missing(t)
        return fact(
            "forced.too_much_left" if amount >= missing else "forced.none_can_follow", missing=missing
        )
    return price.why(c, amount) if price.why else None
