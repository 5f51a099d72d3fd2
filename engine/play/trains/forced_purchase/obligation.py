"""The forced purchase of a train, and when the president's money must pay for it (18Chesapeake 11.7, 11.8)."""

from engine.board.network import has_route
from engine.core.ids import TrainName
from engine.core.spec import MustOwn
from engine.play.table import Table
from engine.play.trains.phases import trains_for_sale
from engine.play.trains.prices import Purchase, by_private


def must_buy(t: Table) -> bool:
    """A company without a train must buy one, if there is any (18NewEngland 11.7); mostly only if it has a
    route (18Chesapeake 11.7).

    One that is liquidated otherwise is helped to a train in the same way (18NewEngland 11.7).

    Rules: R-AL-190, R-C2C-212, R-CH-146, R-NE-102, R-TN-170.
    """
    if t.company.trains or cheapest_price(t) is None:
        return False
    rule = _obligation(t)
    return rule in {"always", "or_liquidated"} or (rule == "with_route" and has_route(t.map, t.company.id))


def liquidated(t: Table) -> bool:
    """Whether the company leaves the game if it buys no train now (18NewEngland 11.9)."""
    return not t.company.trains and ruins_nobody(t)


def ruins_nobody(t: Table) -> bool:
    """Whether the company is one that leaves the game rather than bankrupting its president
    (18NewEngland 11.7, 11.9).
    """
    return _obligation(t) == "or_liquidated"


def _obligation(t: Table) -> MustOwn:
    """When a company of this kind must own a train (R-C2C-247)."""
    return t.spec.must_own.get(t.kind(t.company), "with_route")


def cheapest_price(t: Table) -> int | None:
    """The lowest price in dollars for which the company could have a train of bank or pool, by a private too."""
    prices = [t.spec.train(train).price for train in (*trains_for_sale(t), *t.state.pool)]
    if not t.rules.flag("forced_at_face_value"):
        prices += [purchase.low for options in by_private(t).values() for purchase in options]
    return min(prices, default=None)


def emergency(t: Table) -> bool:
    """Whether the president's money is needed: forced, and the treasury can pay no train of bank or pool
    (18Chesapeake 11.8).

    Rules: R-AL-191, R-C2C-213, R-CH-150, R-NE-110, R-TN-171.
    """
    if t.company.trains:
        return False
    price = cheapest_price(t)
    return price is not None and t.company.cash < price and must_buy(t)


def funds(t: Table) -> int:
    """Treasury and president's cash in dollars."""
    return t.company.cash + t.president(t.company.id).cash


def payable(t: Table, purchase: Purchase) -> bool:
    """Whether the treasury pays a fixed price, or in an emergency the president adds what the cheapest lacks
    (18Chesapeake 11.8).

    Rules: R-AL-191, R-AL-192, R-C2C-213, R-CH-147, R-CH-151, R-NE-102, R-TN-171.
    """
    if purchase.low <= t.company.cash:
        return True
    cheapest = cheapest_price(t)
    return cheapest is not None and purchase.low <= min(cheapest, funds(t)) and emergency(t)


def may_contribute(t: Table, train: TrainName) -> bool:
    """Whether the president may help to pay another company's train (18Chesapeake 11.8).

    Rules: R-AL-192, R-C2C-213, R-CH-151.
    """
    if not t.spec.president_pays_companies:
        return False
    helps = t.rules.flag("president_helps_although_bank_train_affordable")
    return emergency(t) or (helps and must_buy(t) and t.company.cash < t.spec.train(train).price)
