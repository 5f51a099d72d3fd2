"""Sales of privates: companies buy them from players, and players trade them in stock rounds (18Chesapeake 7.1)."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from engine.core.actions import BuyPrivate, SellPrivate
from engine.core.events import PrivateSold
from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId, PrivateId
from engine.core.offers import (
    Choice,
    Choices,
    FilteredChoices,
    IntRange,
    ObstacleFunction,
    Offer,
    Slot,
    Suggestion,
)
from engine.core.state import Stock
from engine.play.privates.pending_powers import privates_holding_turn_open
from engine.play.privates.private_purchases import (
    buy_private,
    no_private_reason,
    player_owning_private,
    private_obstacle,
    private_prices,
    privates_of_players,
    purchasable_privates,
)
from engine.play.shares import stock_turn
from engine.play.shares.certificate_and_holding_limits import certificate_limit_obstacle
from engine.play.steps.agreements import propose
from engine.play.steps.base import AnytimeStep, Request
from engine.play.table import Table

MAX_SUGGESTED_PRIVATES: Final = 4
"""If at most this many privates are for sale, each gets a button that buys it at its highest price.

If more are for sale, only the president's own privates get buttons.
"""


class BuyPrivateStep(AnytimeStep):
    """A company buys privates from players, at any time of its turn, in phases that allow it."""

    name = "buy_private"
    kinds = frozenset({"buy_private"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """The legal purchases of players' privates whose lowest price the treasury can pay."""
        permitted_privates = FilteredChoices(
            privates_of_players(t),
            partial(private_obstacle, t),
            partial(_private_label, t, is_for_company=True),
        )
        if permitted_privates:
            yield t.offer(
                "buy_private",
                t.company.id,
                fact("offer.buy_private"),
                Slot("private", lambda _: permitted_privates),
                Slot("price", lambda c: private_prices(t, c["private"])),
                suggest=lambda: [
                    _suggestion_at_highest_price(t, private)
                    for private in _privates_with_button(t, list(map(str, permitted_privates.values())))
                ],
                blocking=False,
            )

    def keeps_turn_open(self, t: Table) -> bool:
        """True if the turn must wait, because the company could buy a private."""
        return bool(privates_holding_turn_open(t))

    def apply(self, t: Table, action: BuyPrivate) -> None:
        owner = player_owning_private(t, action.private)
        if owner == action.actor or t.rules.has_flag("consent_is_implied"):
            buy_private(t, action)
        else:
            propose(t, action, owner)

    def carry_out_proposal(self, t: Table, action: BuyPrivate) -> None:
        buy_private(t, action)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        """The reason why the company cannot buy the named private; without a name, why it cannot buy any."""
        if purchasable_privates(t):
            return None
        named_private = request.given_values.get("private")
        return (private_obstacle(t, named_private) if named_private else None) or no_private_reason(t)


def _privates_with_button(t: Table, privates: list[PrivateId]) -> list[PrivateId]:
    own_privates = [
        private for private in privates if player_owning_private(t, private) == t.president(t.company.id).id
    ]
    return privates if len(privates) <= MAX_SUGGESTED_PRIVATES else own_privates


def _suggestion_at_highest_price(t: Table, private: PrivateId) -> Suggestion:
    price = private_prices(t, private).high
    return Suggestion(
        fact("choice.buy_private", private=private, price=price), {"private": private, "price": price}
    )


def trade_private(t: Table, action: BuyPrivate | SellPrivate) -> None:
    """Propose a trade of a private between two players; carry it out at once if consent is not needed.

    Rules: R-AL-049, R-C2C-038, R-TN-047.
    """
    if t.rules.has_flag("consent_is_implied"):
        carry_out_trade(t, action)
    else:
        propose(
            t,
            action,
            action.buyer if isinstance(action, SellPrivate) else player_owning_private(t, action.private),
        )


def carry_out_trade(t: Table, action: BuyPrivate | SellPrivate) -> None:
    """Carry out a trade of a private between players.

    If trades count as stock actions, record it as the turn's purchase or as a sale.
    """
    private = t.state.privates[action.private]
    buyer = action.actor if isinstance(action, BuyPrivate) else action.buyer
    seller = player_owning_private(t, private.id)
    t.pay(buyer, seller, action.price)
    private.owner = buyer
    t.emit(PrivateSold(buyer, private.id, seller, action.price))
    if not t.spec.private_trade_counts:
        return
    if isinstance(action, BuyPrivate):
        stock_turn.record_purchase(t, stock_turn.PRIVATE_BOUGHT)
    elif isinstance(t.state.round, Stock):
        stock_turn.record_private_sale(t)


def private_purchase_offer(t: Table, player: PlayerId) -> Offer | None:
    """The player's legal action of buying a private from another player at an agreed price; None if there is none."""
    if private_purchase_obstacle(t, player):
        return None
    private_names = _privates_to_buy(t, player)
    return t.offer(
        "buy_private",
        player,
        fact("offer.buy_private_of_player"),
        Slot(
            "private",
            lambda _: _private_choices(t, private_names, lambda p: _not_for_sale_refusal(t, p)),
        ),
        Slot("price", lambda c: _price_range(t, player, t.cash(player), c["private"])),
    )


def private_sale_offer(t: Table, player: PlayerId) -> Offer | None:
    """The player's legal action of selling a private to another player at an agreed price; None if there is none."""
    if private_sale_obstacle(t, player):
        return None
    private_names = _tradable_privates_of(t, player)
    buyers = FilteredChoices(
        [p.id for p in t.state.players], partial(_buyer_obstacle, t, player), partial(_buyer_label, t)
    )
    return t.offer(
        "sell_private",
        player,
        fact("offer.sell_private_to_player"),
        Slot(
            "private",
            lambda _: _private_choices(
                t, private_names, lambda p: fact("private_trade.not_yours", player=player, private=p)
            ),
        ),
        Slot("buyer", lambda _: buyers),
        Slot("price", lambda c: _price_range(t, c["buyer"], _highest_price(t, c["buyer"]), c["private"])),
    )


def acceptance_obstacle(t: Table, action: BuyPrivate | SellPrivate) -> Fact | None:
    """The reason why the buyer cannot accept a proposed trade; None if they can.

    With secret cash, the price may exceed the buyer's cash.
    """
    if isinstance(action, BuyPrivate) or action.price <= t.cash(action.buyer):
        return None
    return _too_dear_refusal(t, action.buyer, action.price)


def private_purchase_obstacle(t: Table, player: PlayerId) -> Fact | None:
    """The rule that forbids the current player to buy any private from another player; None if they can."""
    if closed_obstacle := _trades_closed_obstacle(t):
        return closed_obstacle
    obstacle = stock_turn.purchase_made_obstacle(t) if t.spec.private_trade_counts else None
    if refusal := obstacle or _no_private_purchase_reason(t, player):
        return refusal
    return None if _privates_to_buy(t, player) else fact("private_trade.nobody_has_any")


def private_sale_obstacle(t: Table, player: PlayerId) -> Fact | None:
    """The rule that forbids the player to sell any private to another player; None if they can.

    Outside stock rounds, for example in a forced purchase, a purchase made before does not matter.
    """
    if closed_obstacle := _trades_closed_obstacle(t):
        return closed_obstacle
    if t.rules.has_flag("only_buyers_trade_privates"):
        return fact("private_trade.on_buyers_turn")
    counts_as_trade = isinstance(t.state.round, Stock) and t.spec.private_trade_counts
    if refusal := stock_turn.late_sale_obstacle(t) if counts_as_trade else None:
        return refusal
    if not _tradable_privates_of(t, player):
        return fact("private_trade.none_of_yours", player=player)
    some_player_can_buy = any(_buyer_obstacle(t, player, other.id) is None for other in t.state.players)
    return None if some_player_can_buy else fact("private_trade.no_buyer")


def _trades_closed_obstacle(t: Table) -> Fact | None:
    if not t.spec.private_trades:
        return fact("private_trade.never")
    first_trade_round = t.spec.private_trades_from
    is_too_early = isinstance(t.state.round, Stock) and t.stock_round.number < first_trade_round
    return fact("private_trade.not_yet", number=first_trade_round) if is_too_early else None


def _buyer_obstacle(t: Table, player: PlayerId, buyer: Any) -> Fact | None:
    if buyer == player or not t.state.is_player(buyer):
        return fact("private_trade.no_such_player", buyer=buyer)
    return _no_private_purchase_reason(t, buyer)


def _no_private_purchase_reason(t: Table, player: PlayerId) -> Fact | None:
    if t.cash(player) < _least_price(t):
        return fact("private_trade.no_money", player=player)
    return (
        None
        if t.rules.has_flag("private_trade_ignores_cert_limit")
        else certificate_limit_obstacle(t, player)
    )


def _least_price(t: Table) -> int:
    return 1 if t.spec.private_trade_counts else 0


def _tradable_privates_of(t: Table, *players: PlayerId) -> list[PrivateId]:
    return [
        p.id
        for p in t.state.privates.values()
        if not p.closed and p.owner in players and t.spec.privates[p.id].sold_to_players
    ]


def _privates_to_buy(t: Table, player: PlayerId) -> list[PrivateId]:
    return _tradable_privates_of(t, *(other.id for other in t.state.players if other.id != player))


def _too_dear_refusal(t: Table, buyer: PlayerId, price: int) -> Fact:
    return fact("private_trade.too_dear", player=buyer, cash=t.cash(buyer), price=price)


def _buyer_label(t: Table, buyer: PlayerId) -> Fact:
    if t.spec.secret_cash:
        return fact("choice.player", player=buyer)
    return fact("choice.buyer", player=buyer, cash=t.cash(buyer))


def _highest_price(t: Table, buyer: PlayerId) -> int:
    return t.spec.bank if t.spec.secret_cash else t.cash(buyer)


def _not_for_sale_refusal(t: Table, private: Any) -> Fact:
    private_spec = t.spec.privates.get(private)
    is_never_sold = private_spec is not None and not private_spec.sold_to_players
    return fact("private_trade.never_this" if is_never_sold else "private_trade.of_no_other", private=private)


def _price_range(t: Table, buyer: PlayerId, max_price: int, private: PrivateId) -> IntRange:
    def obstacle(price: Any) -> Fact:
        if isinstance(price, int) and price > max_price:
            return _too_dear_refusal(t, buyer, price)
        return fact("private_trade.whole_dollars", least=_least_price(t))

    return IntRange(
        _least_price(t), max_price, face_value=t.spec.privates[private].face_value, obstacle=obstacle
    )


def _private_choices(t: Table, private_names: Sequence[PrivateId], obstacle: ObstacleFunction) -> Choices:
    return Choices([Choice(private, _private_label(t, private)) for private in private_names], obstacle)


def _private_label(t: Table, private: PrivateId, *, is_for_company: bool = False) -> Fact:
    spec = t.spec.privates[private]
    values = {"name": spec.name, "value": spec.face_value, "owner": player_owning_private(t, private)}
    return fact("choice.private_of" if is_for_company else "choice.owned_private", private=private, **values)
