"""Buying trains, forced purchases included (rulebook 11.7, 11.8)."""

from collections.abc import Iterator
from typing import Any

from engine.core.actions import BuyTrain, DeclareBankruptcy, Pass, SellPrivate, SellShares
from engine.core.events import Passed, TrainBought
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, POOL, CompanyId, EntityId
from engine.core.offers import Among, Between, Choice, Chosen, Offer, Suggestion
from engine.core.spec import ClosesOnTrainPower
from engine.play.shares.selling import sell
from engine.play.steps.base import CompanyStep, Wish
from engine.play.steps.consent import propose
from engine.play.steps.forced_sale import sale_offer
from engine.play.steps.private_trade import carry_out, private_sale, trade_private
from engine.play.table import Table
from engine.play.trains.emergency import (
    cheapest_price,
    emergency,
    go_bankrupt,
    hopeless,
    must_buy,
    note_sale,
    raises_money,
)
from engine.play.trains.phases import close_private, counted_trains, take_from_bank, trains_for_sale
from engine.play.trains.purchases import Purchase, bank_is_closed, discounts, purchases

KEYS = ("train", "source", "trade_in")
"""The slots that single out a purchase; the price comes after them."""


class TrainsStep(CompanyStep):
    """Any number of trains within the limit; a company without a train but with a route must buy one."""

    name = "trains"
    kinds = frozenset({"buy_train", "sell_shares", "sell_private", "declare_bankruptcy", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """Trains the company may buy; in a forced purchase also the president's sales, or bankruptcy."""
        found = purchases(t)
        sale = sale_offer(t)
        must = must_buy(t)
        reduced = discounts(t)
        if found:
            yield _buy_offer(t, found, t.company.id, "Buy a train")
        for private, options in reduced.items():
            yield _buy_offer(t, options, private, f"Buy a train by {private}")
        if sale is not None and (found or must):
            yield sale
        if must and t.spec.forced_private_sales and raises_money(t):
            own = private_sale(t, t.president(t.company.id).id)
            yield from [own] if own else []
        if must and hopeless(t) and not reduced:
            yield t.offer("declare_bankruptcy", t.company.id, "Declare bankruptcy")
        if not must and (found or reduced or _still_asked(t)):
            yield t.offer("pass", t.company.id, "Done with trains")

    def apply(self, t: Table, action: BuyTrain | SellShares | SellPrivate | DeclareBankruptcy | Pass) -> None:
        """Buy (or ask the other side), sell a share or a private for it, give up, or stop."""
        if isinstance(action, DeclareBankruptcy):
            go_bankrupt(t, action.actor)
        elif isinstance(action, SellPrivate):
            trade_private(t, action)
        elif isinstance(action, Pass):
            t.emit(Passed(action.entity, None if t.turn.bought else fact("declined.trains")))
            self.over(t)
        elif isinstance(action, SellShares):
            note_sale(t, action)
            sell(t, action.actor, t.state.companies[action.company], action.shares)
        elif _needs_consent(t, action):
            propose(t, action, t.president(action.source).id)
        else:
            buy_train(t, action)

    def agreed(self, t: Table, action: BuyTrain | SellPrivate) -> None:
        """The other side agrees."""
        if isinstance(action, BuyTrain):
            buy_train(t, action)
        else:
            carry_out(t, action)

    def why_not(self, t: Table, wish: Wish) -> Fact | str | None:
        """Why no train at all is on offer, seen from the train that was named."""
        company = t.company.id
        if wish.kind == "buy_train" and "train" in wish.given:
            return _why_not_train(t, wish.given["train"])
        if wish.kind == "sell_shares":
            return fact("forced.sales_only_for_a_train", company=company)
        if wish.kind == "declare_bankruptcy":
            return fact("forced.bankruptcy_only_for_a_train", company=company)
        if wish.kind == "pass" and must_buy(t):
            return f"{company} has a route and no train: it has to buy one (11.7)."
        return f"{company} buys trains now (11.7)."

    def why_not_now(self, t: Table, wish: Wish) -> Fact | str:
        """Sales and bankruptcy are for a forced purchase only."""
        forced = wish.kind in {"sell_shares", "declare_bankruptcy"}
        return self.why_not(t, wish) or "" if forced else super().why_not_now(t, wish)


def _still_asked(t: Table) -> bool:
    """Under its flag: after a train from another company the question comes once more, even with the bank closed."""
    if not t.rules.flag("asks_when_nothing_is_legal") or t.turn.last_seller not in t.state.companies:
        return False
    room = counted_trains(t, t.company) < t.phase.train_limit
    return room and bank_is_closed(t) and t.company.cash >= (cheapest_price(t) or 0)


def _buy_offer(t: Table, found: list[Purchase], entity: EntityId, title: str) -> Offer:
    def fitting(c: Chosen) -> list[Purchase]:
        return [p for p in found if all(getattr(p, name) == c[name] for name in KEYS if name in c)]

    def listed(name: str, c: Chosen) -> Among:
        values = dict.fromkeys(getattr(p, name) for p in fitting(c))
        return Among([Choice(value, _word(name, value, fitting({**c, name: value}))) for value in values])

    def price(c: Chosen) -> Between:
        options = fitting(c)
        return Between(options[0].low, options[0].high)

    return t.offer(
        "buy_train",
        entity,
        title,
        t.slot("train", lambda c: listed("train", c), lambda _, train: _why_not_train(t, train)),
        t.slot(
            "source",
            lambda c: listed("source", c),
            lambda c, s: f"{t.company.id} cannot buy a {c['train']}-train from {s or 'nobody'} (11.7).",
        ),
        t.slot(
            "trade_in",
            lambda c: listed("trade_in", c),
            lambda _, x: (
                f"{x}-train cannot be handed in for this one (11.7)."
                if x
                else "This train is only to be had by handing one in (11.7)."
            ),
        ),
        t.slot("price", price, lambda c, p: _why_not_price(t, c, p)),
        suggest=lambda: [
            Suggestion(
                p.label(), {"train": p.train, "source": p.source, "trade_in": p.trade_in, "price": p.low}
            )
            for p in found
            if p.low == p.high and p.source in {BANK, POOL}
        ],
    )


def _word(name: str, value: Any, options: list[Purchase]) -> str:
    if name == "trade_in":
        return f"hand in a {value}-train" if value else "hand in nothing"
    if len(options) == 1:
        return options[0].label()
    return f"{value}-train" if name == "train" else f"from {value}"


def _why_not_train(t: Table, train: Any) -> str:
    company = t.company
    if train not in t.state.depot:
        return f"There is no {train}-train in this game."
    if counted_trains(t, company) >= t.phase.train_limit:
        return f"{company.id} is at the limit of {t.phase.train_limit} trains (11.7)."
    if emergency(t):
        return (
            "With the president's money only the cheapest train, or another company's, may be bought (11.8)."
        )
    if bank_is_closed(t):
        return f"{company.id} has bought its train from the bank this turn (11.7)."
    if train in trains_for_sale(t) or train in t.state.pool:
        return f"A {train}-train costs ${t.spec.train(train).price}; {company.id} has ${company.cash} (11.7)."
    return f"No {train}-train is for sale; the bank sells {', '.join(trains_for_sale(t))} (11.7)."


def _why_not_price(t: Table, chosen: Chosen, price: Any) -> str:
    if chosen["source"] in {BANK, POOL}:
        return f"A {chosen['train']}-train from the {chosen['source']} has a fixed price (11.7)."
    return f"${price} is not possible for a train of {chosen['source']}; {t.company.id} has ${t.company.cash} (11.7)."


def _needs_consent(t: Table, action: BuyTrain) -> bool:
    if action.source in {BANK, POOL} or t.rules.flag("consent_is_implied"):
        return False
    return t.president(action.source).id != action.actor


def buy_train(t: Table, action: BuyTrain) -> None:
    """Pay, with the president's help where he has to, hand over the train, and let the phase follow (8)."""
    company = t.company
    missing = max(0, action.price - company.cash)
    if missing:
        t.pay(t.president(company.id).id, company.id, missing)
    seller = BANK if action.source in {BANK, POOL} else action.source
    t.pay(company.id, seller, action.price)
    if action.trade_in:
        company.trains.remove(action.trade_in)
        t.state.pool.append(action.trade_in)
    _take(t, action.source, action.train)
    company.trains.append(action.train)
    t.turn.bought += 1
    t.turn.last_seller = action.source
    t.turn.bought_from_bank += action.source in {BANK, POOL}
    t.turn.funds_before_last_share = t.turn.smallest_sale = None
    t.emit(
        TrainBought(
            company.id, action.train, action.source, action.price, missing, action.trade_in, company.cash
        )
    )
    if action.source == BANK:
        take_from_bank(t, action.train)
    _close_linked(t, company.id)
    if action.entity in t.state.privates:
        close_private(t, action.entity)
    company.trains_bought += 1


def _take(t: Table, source: str, train: str) -> None:
    if source == POOL:
        t.state.pool.remove(train)
    elif source != BANK:
        t.state.companies[source].trains.remove(train)


def _close_linked(t: Table, company: CompanyId) -> None:
    """A private that waits for its company's first train closes now (7.1)."""
    if t.state.companies[company].trains_bought:
        return
    for private in t.state.privates.values():
        closes = any(isinstance(power, ClosesOnTrainPower) for power in t.spec.privates[private.id].powers)
        if closes and private.linked == company:
            close_private(t, private.id)
