"""Privates change hands: companies buy them from players, and players trade them in stock rounds (18Chesapeake 7.1)."""

from collections.abc import Iterator
from typing import Any

from engine.core.actions import BuyPrivate, SellPrivate
from engine.core.events import PrivateSold
from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId, PrivateId
from engine.core.offers import Choice, Choices, Filtered, IntRange, Offer, Slot, Suggestion
from engine.core.state import Player, Stock
from engine.play.privates.pending_powers import awaited_purchases
from engine.play.privates.private_purchases import (
    buy_private,
    owner_of,
    private_prices,
    purchasable_privates,
    why_no_private,
    why_not_price,
    why_not_private,
)
from engine.play.shares import stock_turn
from engine.play.shares.limits import why_no_room
from engine.play.steps.agreements import propose
from engine.play.steps.base import AnytimeStep, Request
from engine.play.table import Table


class BuyPrivateStep(AnytimeStep):
    """At any moment of its turn, in the phases that allow it, from any player who agrees."""

    name = "buy_private"
    kinds = frozenset({"buy_private"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """Privates of players whose lowest price the treasury can pay."""
        names = purchasable_privates(t)
        if not names:
            return
        yield t.offer(
            "buy_private",
            t.company.id,
            fact("offer.buy_private"),
            Slot(
                "private",
                lambda _: Filtered(names, lambda _n: True, lambda p: _owned(t, p, for_company=True)),
                lambda _, p: why_not_private(t, p),
            ),
            Slot(
                "price",
                lambda c: private_prices(t, c["private"]),
                lambda c, price: why_not_price(t, c["private"], price),
            ),
            suggest=lambda: [_at_most(t, p) for p in names],
            blocking=False,
        )

    def holds(self, t: Table) -> bool:
        """True if a private can be bought for which the turn waits."""
        return bool(awaited_purchases(t))

    def apply(self, t: Table, action: BuyPrivate) -> None:
        owner = owner_of(t, action.private)
        if owner == action.actor or t.rules.flag("consent_is_implied"):
            buy_private(t, action)
        else:
            propose(t, action, owner)

    def agreed(self, t: Table, action: BuyPrivate) -> None:
        buy_private(t, action)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        """Why the private that was named, or any at all, cannot be bought; None where that is not the trouble."""
        if purchasable_privates(t):
            return None
        named = request.given.get("private")
        return (why_not_private(t, named) if named else None) or why_no_private(t)


def _at_most(t: Table, private: PrivateId) -> Suggestion:
    price = private_prices(t, private).high
    return Suggestion(
        fact("choice.buy_private", private=private, price=price), {"private": private, "price": price}
    )


def trade_private(t: Table, action: BuyPrivate | SellPrivate) -> None:
    """Ask the other side; where consent is taken for granted, or both are the same person, do it at once.

    Rules: R-AL-049, R-C2C-038, R-TN-047.
    """
    if t.rules.flag("consent_is_implied"):
        carry_out_trade(t, action)
    else:
        propose(t, action, action.buyer if isinstance(action, SellPrivate) else owner_of(t, action.private))


def carry_out_trade(t: Table, action: BuyPrivate | SellPrivate) -> None:
    """The price goes from player to player; where it counts, a buyer has made their purchase, a seller has acted."""
    private = t.state.privates[action.private]
    buyer = action.actor if isinstance(action, BuyPrivate) else action.buyer
    seller = owner_of(t, private.id)
    t.pay(buyer, seller, action.price)
    private.owner = buyer
    t.emit(PrivateSold(buyer, private.id, seller, action.price))
    if not t.spec.private_trade_counts:
        return
    if isinstance(action, BuyPrivate):
        stock_turn.note_purchase(t, "private")
    elif isinstance(t.state.round, Stock):
        stock_turn.note_private_sale(t)


def private_purchase(t: Table, player: PlayerId) -> Offer | None:
    """For a whole number of dollars, agreed with the owner: the purchase of this turn, where it counts."""
    if not t.spec.private_trades or not _may_still_buy(t):
        return None
    names = _privates_of(t, {other.id for other in t.state.players} - {player})
    if not names or _why_not_buyer(t, player):
        return None
    return t.offer(
        "buy_private",
        player,
        fact("offer.buy_private_of_player"),
        Slot(
            "private",
            lambda _: Filtered(names, lambda _n: True, lambda p: _owned(t, p)),
            lambda _, p: fact("private_trade.of_no_other", private=p),
        ),
        Slot(
            "price",
            lambda c: _prices(t, t.cash(player), c["private"]),
            lambda _, price: _why_not_for(t, player, price, t.cash(player)),
        ),
    )


def private_sale(t: Table, player: PlayerId) -> Offer | None:
    """To a player with the money and room for it; no purchase of the seller's."""
    if _why_no_sale_now(t) is not None:
        return None
    names = _privates_of(t, {player})
    if not names:
        return None
    buyers = [p for p in t.state.players if p.id != player and not _why_not_buyer(t, p.id)]
    if not buyers:
        return None
    others = [Choice(p.id, _buyer(t, p)) for p in buyers]
    return t.offer(
        "sell_private",
        player,
        fact("offer.sell_private_to_player"),
        Slot(
            "private",
            lambda _: Filtered(names, lambda _n: True, lambda p: _owned(t, p)),
            lambda _, p: fact("private_trade.not_yours", player=player, private=p),
        ),
        Slot("buyer", lambda _: Choices(others), lambda _, b: _why_not_to(t, player, b)),
        Slot(
            "price",
            lambda c: _prices(t, _most(t, c["buyer"]), c["private"]),
            lambda c, price: _why_not_for(t, c["buyer"], price, _most(t, c["buyer"])),
        ),
    )


def deal_obstacle(t: Table, action: BuyPrivate | SellPrivate) -> Fact | None:
    """Why the buyer cannot agree: where cash is secret, they may be asked for more than they have."""
    if isinstance(action, BuyPrivate) or action.price <= t.cash(action.buyer):
        return None
    return _too_dear(t, action.buyer, action.price)


def why_no_private_purchase(t: Table, player: PlayerId) -> Fact:
    """Why the player on turn can buy no private of another player."""
    if not t.spec.private_trades:
        return fact("private_trade.never")
    if not _may_still_buy(t):
        return fact("stock.purchase_made", player=player)
    return _why_not_buyer(t, player) or fact("private_trade.nobody_has_any")


def why_no_private_sale(t: Table, player: PlayerId) -> Fact:
    """Why the player on turn can sell no private to another player."""
    now = _why_no_sale_now(t)
    if now is not None:
        return now
    if not _privates_of(t, {player}):
        return fact("private_trade.none_of_yours", player=player)
    return fact("private_trade.no_buyer")


def _least(t: Table) -> int:
    return 1 if t.spec.private_trade_counts else 0


def _may_still_buy(t: Table) -> bool:
    return not t.spec.private_trade_counts or stock_turn.may_buy(t)


def _privates_of(t: Table, players: set[PlayerId]) -> list[PrivateId]:
    return [p.id for p in t.state.privates.values() if not p.closed and p.owner in players]


def _why_not_buyer(t: Table, player: PlayerId) -> Fact | None:
    """Why a player can take no private: no money, or no room under the certificate limit."""
    if t.cash(player) < _least(t):
        return fact("private_trade.no_money", player=player)
    return None if t.rules.flag("private_trade_ignores_cert_limit") else why_no_room(t, player)


def _why_no_sale_now(t: Table) -> Fact | None:
    """Why no private is sold to a player now; a forced purchase knows no order of the stock turn."""
    if not t.spec.private_trades:
        return fact("private_trade.never")
    if t.rules.flag("only_buyers_trade_privates"):
        return fact("private_trade.on_buyers_turn")
    counts = isinstance(t.state.round, Stock) and t.spec.private_trade_counts
    late = counts and not stock_turn.in_order(t)
    return stock_turn.why_no_sale_after(t) if late else None


def _why_not_to(t: Table, player: PlayerId, buyer: Any) -> Fact | None:
    if buyer == player or not t.state.is_player(buyer):
        return fact("private_trade.no_such_player", buyer=buyer)
    return _why_not_buyer(t, buyer)


def _why_not_for(t: Table, buyer: PlayerId, price: Any, most: int) -> Fact:
    if not isinstance(price, int) or price <= most:
        return fact("private_trade.whole_dollars", least=_least(t))
    return _too_dear(t, buyer, price)


def _too_dear(t: Table, buyer: PlayerId, price: int) -> Fact:
    return fact("private_trade.too_dear", player=buyer, cash=t.cash(buyer), price=price)


def _buyer(t: Table, buyer: Player) -> Fact:
    if t.spec.secret_cash:
        return fact("choice.player", player=buyer.id)
    return fact("choice.buyer", player=buyer.id, cash=buyer.cash)


def _most(t: Table, buyer: PlayerId) -> int:
    """The highest price that may be asked: all the money there is, where nobody knows what others have."""
    return t.spec.bank if t.spec.secret_cash else t.cash(buyer)


def _prices(t: Table, most: int, private: PrivateId) -> IntRange:
    return IntRange(_least(t), most, face=t.spec.privates[private].value)


def _owned(t: Table, private: PrivateId, *, for_company: bool = False) -> Fact:
    spec = t.spec.privates[private]
    name = "choice.private_of" if for_company else "choice.owned_private"
    return fact(name, private=private, name=spec.name, value=spec.value, owner=owner_of(t, private))
