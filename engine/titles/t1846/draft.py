"""The draft of the privates: a card in secret each turn, and payment at the end (2)."""

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from engine.core.actions import Bid, Pass
from engine.core.chance import MODULUS, Chance
from engine.core.events import CardTaken, DraftRoundEnded, Passed, PriceReduced, PrivateBought
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, PlayerId, PrivateId
from engine.core.offers import Choice, Choices, FilteredChoices, IntRange, Offer, Slot, Suggestion
from engine.play.privates.auction import bidder_on_turn
from engine.play.steps.base import Request, Step
from engine.play.table import Table
from engine.play.turn_order import start_next_round
from engine.titles.t1846.independents import INDEPENDENTS, start_independent

MORE_CARDS: Final = 2
"""Cards that a player sees beyond the number of players (2): R-1846-021."""
REDUCTION_DOLLARS: Final = 10
"""Dollars by which the last private gets cheaper after a pass (2): R-1846-023."""
MAX_IN_A_LOG: Final = 1_000_000
"""More dollars than any log has for a card: its price is read but does not count."""


class DraftStep(Step):
    """Take one of the top cards, in secret; the last private of all is seen by all, and may be passed.

    Rules: R-1846-021, R-1846-023.
    """

    name = "draft"
    kinds = frozenset({"bid", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """The top cards; for the last private also a pass, until it costs no less."""
        player, is_last = bidder_on_turn(t), is_last_private(t)
        cards = FilteredChoices(
            list(cards_on_offer(t)),
            partial(_card_obstacle, t, player),
            partial(_label, t, "choice.private_to_buy"),
        )
        if cards:
            yield t.offer(
                "bid",
                player,
                fact("offer.draft_private" if is_last else "offer.draft_card"),
                Slot("private", lambda _: cards),
                Slot("amount", lambda c: _price_choices(t, c["private"])),
                suggest=lambda: [_suggestion(t, str(card)) for card in cards.values()],
            )._replace(secret=not is_last)
        if not cards or (is_last and card_price(t, t.auction.deck[0]) > _lowest_price(t, t.auction.deck[0])):
            yield t.offer("pass", player, fact("offer.pass_draft_turn"))

    def apply(self, t: Table, action: Bid | Pass) -> None:
        auction, is_last = t.auction, is_last_private(t)
        if isinstance(action, Pass):
            t.emit(Passed(action.actor))
            if is_last:
                private = auction.deck[0]
                auction.discounts[private] = auction.discounts.get(private, 0) + REDUCTION_DOLLARS
                t.emit(PriceReduced(private, card_price(t, private)))
        else:
            auction.chosen.setdefault(action.actor, []).append(action.private)
            if not is_last:
                t.emit(CardTaken(action.actor))
            _take_card(t, action.private)
        if auction.turn == 0 and not is_last:
            t.emit(DraftRoundEnded(max(map(len, auction.chosen.values()), default=0)))
        auction.turn = (auction.turn - 1) % len(t.state.players)
        if _is_over(t):
            _pay_for_cards(t)
            start_next_round(t)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        if request.kind == "bid":
            return None
        return fact("midwest.must_draft", player=bidder_on_turn(t))


def cards_on_offer(t: Table) -> list[PrivateId]:
    """The top cards of the deck, which the player on turn sees."""
    return t.auction.deck[: len(t.state.players) + MORE_CARDS]


def is_last_private(t: Table) -> bool:
    """True if a single private is left."""
    return len(t.auction.deck) == 1 and t.auction.deck[0] in t.state.privates


def card_price(t: Table, card: PrivateId) -> int:
    """Dollars for a card; 0 for one that brings nothing."""
    if card not in t.state.privates:
        return 0
    spec = t.spec.privates[card]
    return (spec.draft_price or spec.value) - t.auction.discounts.get(card, 0)


def dollars_owed(t: Table, player: PlayerId) -> int:
    """Dollars that a player pays at the end for the cards taken so far."""
    return sum(card_price(t, card) for card in t.auction.chosen.get(player, []))


def _lowest_price(t: Table, card: PrivateId) -> int:
    """The lowest price of the last private: nothing, but for an independent the money that comes with it."""
    spec = t.spec.privates[card]
    return (spec.draft_price or spec.value) - spec.value


def _card_obstacle(t: Table, player: PlayerId, card: Any) -> Fact | None:
    """The rule against taking a card: it is not on offer, or not to be paid together with the others.

    Rules: R-1846-025, D-1846-4.
    """
    if card not in cards_on_offer(t):
        return fact("auction.not_up", private=card)
    price, owed = card_price(t, card), dollars_owed(t, player)
    if not price or price + owed <= t.cash(player):
        return None
    return fact("midwest.card_too_dear", private=card, price=price, owed=owed, cash=t.cash(player))


def _price_choices(t: Table, card: PrivateId) -> Choices | IntRange:
    price = card_price(t, card)
    if t.rules.flag("face_price_unchecked"):
        return IntRange(0, MAX_IN_A_LOG)
    obstacle = fact("auction.at_draft_price", private=card, price=price)
    return Choices([Choice(price, fact("choice.dollars", amount=price))], lambda _: obstacle)


def _label(t: Table, name: str, card: PrivateId) -> Fact:
    if card not in t.state.privates:
        return fact("choice.pass_card")
    spec = t.spec.privates[card]
    return fact(name, private=card, name=spec.name, value=spec.value, amount=card_price(t, card))


def _suggestion(t: Table, card: PrivateId) -> Suggestion:
    return Suggestion(_label(t, "choice.buy_named", card), {"private": card, "amount": card_price(t, card)})


def _take_card(t: Table, card: PrivateId) -> None:
    """Take the card out of the deck, and put the others that were on offer at its bottom, shuffled.

    Rules: R-1846-009, R-1846-021.
    """
    auction, chance = t.auction, Chance(t.auction.chance)
    on_offer = cards_on_offer(t)
    numbers = {other: chance.draw(MODULUS) for other in on_offer}
    other_cards = sorted((other for other in on_offer if other != card), key=numbers.__getitem__)
    auction.deck = auction.deck[len(on_offer) :] + other_cards
    auction.chance = chance.last
    t.state.draws += chance.draws


def _is_over(t: Table) -> bool:
    """True if no card is left, or too few, and only cards that bring nothing.

    Rules: R-1846-022.
    """
    deck = t.auction.deck
    is_short = len(deck) < len(t.state.players) + MORE_CARDS
    return not deck or (is_short and not any(card in t.state.privates for card in deck))


def _pay_for_cards(t: Table) -> None:
    """Show and pay all privates; the independents get their money.

    Rules: R-1846-024, R-1846-026.
    """
    for player in t.state.players:
        for card in t.auction.chosen.get(player.id, []):
            if card in t.state.privates:
                price = card_price(t, card)
                t.pay(player.id, BANK, price)
                t.state.privates[card].owner = player.id
                t.emit(PrivateBought(player.id, card, price))
                if card in INDEPENDENTS:
                    start_independent(t, card)
