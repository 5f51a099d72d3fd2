"""Privates change hands: companies buy them from players, and players trade them in stock rounds (18Chesapeake 7.1)."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from engine.core.actions import BuyPrivate, SellPrivate
from engine.core.events import PrivateSold
from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId, PrivateId
from engine.core.offers import Choice, Choices, IntRange, Obstacle, Offer, Permitted, Slot, Suggestion
from engine.core.state import Stock
from engine.play.privates.pending_powers import awaited_purchases
from engine.play.privates.private_purchases import (
    buy_private,
    no_private_reason,
    owner_of,
    private_obstacle,
    private_prices,
    privates_of_players,
    purchasable_privates,
)
from engine.play.shares import stock_turn
from engine.play.shares.certificate_and_holding_limits import limit_reached
from engine.play.steps.agreements import propose
from engine.play.steps.base import AnytimeStep, Request
from engine.play.table import Table


class BuyPrivateStep(AnytimeStep):
    """A company buys privates from players at any time of its turn, in the phases that allow it."""

    name = "buy_private"
    kinds = frozenset({"buy_private"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """Privates of players whose lowest price the treasury can pay."""
        able = Permitted(
            privates_of_players(t), partial(private_obstacle, t), partial(_owned, t, to_company=True)
        )
        if able:
            yield t.offer(
                "buy_private",
                t.company.id,
                fact("offer.buy_private"),
                Slot("private", lambda _: able),
                Slot("price", lambda c: private_prices(t, c["private"])),
                suggest=lambda: [_at_most(t, str(private)) for private in able.values()],
                blocking=False,
            )

    def holds_turn(self, t: Table) -> bool:
        """True if the turn waits for a private that can be bought."""
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
        """The reason why the named private, or any, cannot be bought."""
        if purchasable_privates(t):
            return None
        named = request.given.get("private")
        return (private_obstacle(t, named) if named else None) or no_private_reason(t)


def _at_most(t: Table, private: PrivateId) -> Suggestion:
    price = private_prices(t, private).high
    return Suggestion(
        fact("choice.buy_private", private=private, price=price), {"private": private, "price": price}
    )


def trade_private(t: Table, action: BuyPrivate | SellPrivate) -> None:
    """Propose the trade; do it at once if consent is implied or both are the same player.

    Rules: R-AL-049, R-C2C-038, R-TN-047.
    """
    if t.rules.flag("consent_is_implied"):
        carry_out_trade(t, action)
    else:
        propose(t, action, action.buyer if isinstance(action, SellPrivate) else owner_of(t, action.private))


def carry_out_trade(t: Table, action: BuyPrivate | SellPrivate) -> None:
    """Pay the price; where it counts, the buyer has made this turn's purchase, and the seller has acted."""
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
    """Purchase of a private from another player, at a price agreed; it may count as this turn's purchase."""
    if private_purchase_obstacle(t, player):
        return None
    names = _privates_of_others(t, player)
    return t.offer(
        "buy_private",
        player,
        fact("offer.buy_private_of_player"),
        Slot(
            "private", lambda _: _privates(t, names, lambda p: fact("private_trade.of_no_other", private=p))
        ),
        Slot("price", lambda c: _prices(t, player, t.cash(player), c["private"])),
    )


def private_sale(t: Table, player: PlayerId) -> Offer | None:
    """Sale of a private to a player who can take it; no purchase of the seller's."""
    if private_sale_obstacle(t, player):
        return None
    names = _privates_of(t, player)
    able = Permitted([p.id for p in t.state.players], partial(_buyer_obstacle, t, player), partial(_buyer, t))
    return t.offer(
        "sell_private",
        player,
        fact("offer.sell_private_to_player"),
        Slot(
            "private",
            lambda _: _privates(
                t, names, lambda p: fact("private_trade.not_yours", player=player, private=p)
            ),
        ),
        Slot("buyer", lambda _: able),
        Slot("price", lambda c: _prices(t, c["buyer"], _highest_price(t, c["buyer"]), c["private"])),
    )


def deal_obstacle(t: Table, action: BuyPrivate | SellPrivate) -> Fact | None:
    """The reason why the buyer cannot accept: with secret cash they may be asked for more than they have."""
    if isinstance(action, BuyPrivate) or action.price <= t.cash(action.buyer):
        return None
    return _too_dear(t, action.buyer, action.price)


def private_purchase_obstacle(t: Table, player: PlayerId) -> Fact | None:
    """The rule that keeps the player on turn from buying any private of another player."""
    if not t.spec.private_trades:
        return fact("private_trade.never")
    made = stock_turn.purchase_made(t) if t.spec.private_trade_counts else None
    if rule := made or _no_room(t, player):
        return rule
    return None if _privates_of_others(t, player) else fact("private_trade.nobody_has_any")


def private_sale_obstacle(t: Table, player: PlayerId) -> Fact | None:
    """The rule against selling any private to another player.

    A forced purchase ignores the order of the stock turn.
    """
    if not t.spec.private_trades:
        return fact("private_trade.never")
    if t.rules.flag("only_buyers_trade_privates"):
        return fact("private_trade.on_buyers_turn")
    counts = isinstance(t.state.round, Stock) and t.spec.private_trade_counts
    if rule := stock_turn.sold_before_purchase(t) if counts else None:
        return rule
    if not _privates_of(t, player):
        return fact("private_trade.none_of_yours", player=player)
    able = any(_buyer_obstacle(t, player, other.id) is None for other in t.state.players)
    return None if able else fact("private_trade.no_buyer")


def _buyer_obstacle(t: Table, player: PlayerId, buyer: Any) -> Fact | None:
    if buyer == player or not t.state.is_player(buyer):
        return fact("private_trade.no_such_player", buyer=buyer)
    return _no_room(t, buyer)


def _no_room(t: Table, player: PlayerId) -> Fact | None:
    """The reason why a player can take no private: money, or the certificate limit."""
    if t.cash(player) < _lowest_price(t):
        return fact("private_trade.no_money", player=player)
    return None if t.rules.flag("private_trade_ignores_cert_limit") else limit_reached(t, player)


def _lowest_price(t: Table) -> int:
    return 1 if t.spec.private_trade_counts else 0


def _privates_of(t: Table, *players: PlayerId) -> list[PrivateId]:
    return [p.id for p in t.state.privates.values() if not p.closed and p.owner in players]


def _privates_of_others(t: Table, player: PlayerId) -> list[PrivateId]:
    return _privates_of(t, *(other.id for other in t.state.players if other.id != player))


def _too_dear(t: Table, buyer: PlayerId, price: int) -> Fact:
    return fact("private_trade.too_dear", player=buyer, cash=t.cash(buyer), price=price)


def _buyer(t: Table, buyer: PlayerId) -> Fact:
    if t.spec.secret_cash:
        return fact("choice.player", player=buyer)
    return fact("choice.buyer", player=buyer, cash=t.cash(buyer))


def _highest_price(t: Table, buyer: PlayerId) -> int:
    """The highest price to ask; with secret cash, all the money in the game."""
    return t.spec.bank if t.spec.secret_cash else t.cash(buyer)


def _prices(t: Table, buyer: PlayerId, maximum: int, private: PrivateId) -> IntRange:
    def obstacle(price: Any) -> Fact:
        if isinstance(price, int) and price > maximum:
            return _too_dear(t, buyer, price)
        return fact("private_trade.whole_dollars", least=_lowest_price(t))

    return IntRange(_lowest_price(t), maximum, face=t.spec.privates[private].value, obstacle=obstacle)


def _privates(t: Table, names: Sequence[PrivateId], obstacle: Obstacle) -> Choices:
    return Choices([Choice(private, _owned(t, private)) for private in names], obstacle)


def _owned(t: Table, private: PrivateId, *, to_company: bool = False) -> Fact:
    spec = t.spec.privates[private]
    about = {"name": spec.name, "value": spec.value, "owner": owner_of(t, private)}
    return fact("choice.private_of" if to_company else "choice.owned_private", private=private, **about)
