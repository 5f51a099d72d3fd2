"""Privates change hands between players in a stock round: on the buyer's turn as his purchase, or on the seller's."""

from typing import Any

from engine.core.actions import BuyPrivate, SellPrivate
from engine.core.events import PrivateSold
from engine.core.ids import PlayerId, PrivateId
from engine.core.offers import Among, Between, Choice, Chosen, Offer, Those
from engine.core.state import Stock
from engine.play.shares import holdings, stock_turn
from engine.play.steps.consent import propose
from engine.play.table import Table


def private_offers(t: Table, player: PlayerId) -> list[Offer]:
    """What the player on turn may propose: to buy a private of another player, or to sell one of his own."""
    if not t.spec.private_trades:
        return []
    return [offer for offer in (_buy_offer(t, player), private_sale(t, player)) if offer]


def trade_private(t: Table, action: BuyPrivate | SellPrivate) -> None:
    """Ask the other side; where consent is taken for granted, or both are the same person, do it at once."""
    if t.rules.flag("consent_is_implied"):
        carry_out(t, action)
        return
    propose(t, action, _asked(t, action))


def carry_out(t: Table, action: BuyPrivate | SellPrivate) -> None:
    """The price goes from player to player; a buyer has made his purchase, a seller has acted."""
    private = t.state.privates[action.private]
    buyer = action.actor if isinstance(action, BuyPrivate) else action.buyer
    seller = private.owner
    assert seller is not None
    t.pay(buyer, seller, action.price)
    private.owner = buyer
    t.emit(PrivateSold(buyer, private.id, seller, action.price))
    if isinstance(action, BuyPrivate):
        stock_turn.note_purchase(t, "private")
    elif isinstance(t.state.round, Stock):
        stock_turn.note_private_sale(t)


def _asked(t: Table, action: BuyPrivate | SellPrivate) -> PlayerId:
    if isinstance(action, SellPrivate):
        return action.buyer
    owner = t.state.privates[action.private].owner
    assert owner is not None
    return owner


def _has_room(t: Table, player: PlayerId) -> bool:
    """Whether the certificate limit lets a player take one more private."""
    free = t.rules.flag("private_trade_ignores_cert_limit")
    return free or holdings.certificates(t, player) < holdings.limit(t)


def _tradable(t: Table, private: PrivateId) -> bool:
    state = t.state.privates[private]
    return not state.closed and t.state.is_player(state.owner)


def _buy_offer(t: Table, player: PlayerId) -> Offer | None:
    """A whole number of dollars, agreed with the owner: the purchase of this turn."""
    cash = t.cash(player)
    if not stock_turn.may_buy(t) or cash < 1 or not _has_room(t, player):
        return None
    names = [p.id for p in t.state.privates.values() if _tradable(t, p.id) and p.owner != player]
    if not names:
        return None
    return t.offer(
        "buy_private",
        player,
        "Buy a private from a player",
        t.slot(
            "private",
            lambda _: Those(names, lambda _n: True, lambda p: _label(t, p)),
            lambda _, p: f"{p} belongs to no other player.",
        ),
        t.slot("price", lambda _: Between(1, cash), lambda _, p: f"You have ${cash}, not ${p}."),
    )


def private_sale(t: Table, player: PlayerId) -> Offer | None:
    """To a player with the money and room for it; no purchase of the seller's."""
    own = [p.id for p in t.state.privates.values() if _tradable(t, p.id) and p.owner == player]
    buyers = [p for p in t.state.players if p.id != player and p.cash >= 1 and _has_room(t, p.id)]
    late = isinstance(t.state.round, Stock) and not stock_turn.may_sell(t)
    if not own or not buyers or late or t.rules.flag("only_buyers_trade_privates"):
        return None
    others = [Choice(p.id, f"{p.name}, ${p.cash}") for p in buyers]

    def dear(c: Chosen, price: Any) -> str:
        return f"{t.state.player(c['buyer']).name} has ${t.cash(c['buyer'])}, not ${price}."

    return t.offer(
        "sell_private",
        player,
        "Sell a private to a player",
        t.slot(
            "private",
            lambda _: Those(own, lambda _n: True, lambda p: _label(t, p)),
            lambda _, p: f"{t.state.player(player).name} does not own {p}.",
        ),
        t.slot(
            "buyer",
            lambda _: Among(others),
            lambda _, b: f"{b} has no money or no room under the certificate limit.",
        ),
        t.slot("price", lambda c: Between(1, t.cash(c["buyer"])), dear),
    )


def _label(t: Table, private: PrivateId) -> str:
    owner = t.state.privates[private].owner
    assert owner is not None
    spec = t.spec.privates[private]
    return f"{private} {spec.name}, ${spec.value}, owned by {t.state.player(owner).name}"
