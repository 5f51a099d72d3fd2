"""Privates change hands between players in stock rounds, at any price both agree on (18TN 3.2)."""

from collections.abc import Iterator
from typing import Any

from engine.actions import BuyPrivate, SellPrivate
from engine.events import PrivateSold
from engine.ids import PlayerId, PrivateId
from engine.market import shares
from engine.offers import Among, Between, Choice, Chosen, Offer, Those
from engine.steps import stock_turn
from engine.steps.consent import propose
from engine.table import Table


def offers(t: Table, player: PlayerId) -> Iterator[Offer]:
    """To buy one from another player as the purchase of the turn; to sell one, which is no purchase."""
    if t.spec.private_trades:
        yield from (offer for offer in (_buy_offer(t, player), _sell_offer(t, player)) if offer)


def ask(t: Table, action: BuyPrivate | SellPrivate) -> None:
    """The other side is asked, unless its consent is implied."""
    buyer, seller = _sides(t, action)
    other = seller if action.actor == buyer else buyer
    if t.rules.flag("consent_is_implied"):
        trade(t, action)
        return
    names = t.state.player(buyer).name, t.state.player(seller).name
    propose(t, action, other, f"{names[0]} buys {action.private} from {names[1]} for ${action.price}")


def trade(t: Table, action: BuyPrivate | SellPrivate) -> None:
    """Money and private change hands; the buyer's turn has had its purchase."""
    buyer, seller = _sides(t, action)
    t.pay(buyer, seller, action.price)
    t.state.privates[action.private].owner = buyer
    t.emit(PrivateSold(buyer, action.private, seller, action.price))
    if action.actor == buyer:
        stock_turn.note_purchase(t, "private")
    else:
        stock_turn.note_private_sale(t)


def _sides(t: Table, action: BuyPrivate | SellPrivate) -> tuple[PlayerId, PlayerId]:
    """Buyer and seller."""
    if isinstance(action, SellPrivate):
        return action.buyer, action.actor
    owner = t.state.privates[action.private].owner
    assert owner is not None
    return action.actor, owner


def _has_room(t: Table, player: PlayerId) -> bool:
    """At the certificate limit nobody takes a private (3.3)."""
    if t.rules.flag("private_trade_ignores_cert_limit"):
        return True
    return shares.certificates(t, player) < shares.limit(t)


def _buy_offer(t: Table, player: PlayerId) -> Offer | None:
    cash = t.cash(player)
    owned = [p.id for p in t.state.privates.values() if t.state.is_player(p.owner) and p.owner != player]
    if not owned or not cash or not stock_turn.may_buy(t) or not _has_room(t, player):
        return None
    return t.offer(
        "buy_private",
        player,
        "Buy a private of another player",
        t.slot(
            "private",
            lambda _: Those(owned, lambda _p: True, lambda p: _label(t, p)),
            lambda _, p: f"{p} is no private of another player.",
        ),
        t.slot(
            "price",
            lambda _: Between(1, cash),
            lambda c, p: (
                f"${p} is no possible price: whole dollars, and {t.state.player(player).name} has ${cash}."
            ),
        ),
    )


def _sell_offer(t: Table, player: PlayerId) -> Offer | None:
    owned = [p.id for p in t.state.privates.values() if p.owner == player]
    buyers = [p for p in t.state.players if p.id != player and p.cash and _has_room(t, p.id)]
    closed = t.rules.flag("privates_sold_on_the_buyers_turn_only") or not stock_turn.may_sell(t)
    if not owned or not buyers or closed:
        return None

    def price(c: Chosen) -> Between:
        return Between(1, t.cash(c["buyer"]))

    def why_not_buyer(buyer: Any) -> str:
        return f"{buyer} cannot buy a private: no cash, at the certificate limit, or not in the game."

    return t.offer(
        "sell_private",
        player,
        "Sell a private to another player",
        t.slot(
            "private",
            lambda _: Those(owned, lambda _p: True, lambda p: _label(t, p)),
            lambda _, p: f"{t.state.player(player).name} does not own {p}.",
        ),
        t.slot(
            "buyer",
            lambda _: Among([Choice(p.id, p.name) for p in buyers]),
            lambda _, b: why_not_buyer(b),
        ),
        t.slot("price", price, lambda c, p: f"${p} is more than {c['buyer']} has, or no price at all."),
    )


def _label(t: Table, private: PrivateId) -> str:
    owner = t.state.privates[private].owner
    assert owner is not None
    spec = t.spec.privates[private]
    return f"{private} {spec.name} of {t.state.player(owner).name}, face ${spec.value}"
