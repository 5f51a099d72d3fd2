"""The private draft of 1846: players secretly take one card a turn, and all pay for their cards at the end (§2)."""

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from engine.core.actions import Bid, Pass
from engine.core.chance import MODULUS, Chance
from engine.core.events import CardDrafted, DraftRoundEnded, Passed, PriceReduced, PrivateBought
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, PlayerId, PrivateId
from engine.core.offers import Choice, Choices, FilteredChoices, IntRange, Offer, Slot, Suggestion
from engine.play.privates.auction import current_bidder
from engine.play.steps.base import Request, Step
from engine.play.table import Table
from engine.play.turn_order import start_next_round
from engine.titles.t1846.independents import INDEPENDENTS, start_independent

EXTRA_CARDS_TO_CHOOSE: Final = 2
"""A player chooses from two cards more than there are players, such as 6 cards with 4 players (§2, R-1846-021)."""
PRICE_CUT_FOR_PASS: Final = 10
"""Price cut in dollars of the last private each time that a player passes on it (§2, R-1846-023)."""
MAX_CARD_PRICE_IN_LOG: Final = 1_000_000
"""Highest card price in dollars that an imported 18xx.games log may contain. The price itself is ignored."""


class DraftStep(Step):
    """Draft step: secretly take one of the top cards. The last private is drafted openly, and players can pass it.

    Rules: R-1846-021, R-1846-023.
    """

    name = "draft"
    kinds = frozenset({"bid", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """The offer of the top cards. For the last private, also a pass as long as its price can fall."""
        player, is_last_card = current_bidder(t), is_last_private(t)
        cards = FilteredChoices(
            list(cards_on_offer(t)),
            partial(_card_obstacle, t, player),
            partial(_card_label, t, "choice.private_to_buy"),
        )
        if cards:
            yield t.offer(
                "bid",
                player,
                fact("offer.draft_private" if is_last_card else "offer.draft_card"),
                Slot("private", lambda _: cards),
                Slot("amount", lambda c: _price_choices(t, c["private"])),
                suggest=lambda: [_card_suggestion(t, str(card)) for card in cards.values()],
            )._replace(secret=not is_last_card)
        if not cards or (
            is_last_card and card_price(t, t.auction.deck[0]) > _lowest_card_price(t, t.auction.deck[0])
        ):
            yield t.offer("pass", player, fact("offer.pass_draft_turn"))

    def apply(self, t: Table, action: Bid | Pass) -> None:
        auction, is_last_card = t.auction, is_last_private(t)
        if isinstance(action, Pass):
            t.emit(Passed(action.actor))
            if is_last_card:
                private = auction.deck[0]
                auction.discounts[private] = auction.discounts.get(private, 0) + PRICE_CUT_FOR_PASS
                t.emit(PriceReduced(private, card_price(t, private)))
        else:
            auction.chosen.setdefault(action.actor, []).append(action.private)
            if not is_last_card:
                t.emit(CardDrafted(action.actor))
            _take_card(t, action.private)
        if auction.turn == 0 and not is_last_card:
            t.emit(DraftRoundEnded(max(map(len, auction.chosen.values()), default=0)))
        auction.turn = (auction.turn - 1) % len(t.state.players)
        if _is_draft_over(t):
            _pay_for_cards(t)
            start_next_round(t)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        if request.kind == "bid":
            return None
        return fact("midwest.must_draft", player=current_bidder(t))


def cards_on_offer(t: Table) -> list[PrivateId]:
    """The top cards of the deck, from which the current player chooses."""
    return t.auction.deck[: len(t.state.players) + EXTRA_CARDS_TO_CHOOSE]


def is_last_private(t: Table) -> bool:
    """True if a single card is left in the deck and it is a private."""
    return len(t.auction.deck) == 1 and t.auction.deck[0] in t.state.privates


def card_price(t: Table, card: PrivateId) -> int:
    """Price of a card in dollars; 0 for a pass card."""
    if card not in t.state.privates:
        return 0
    spec = t.spec.privates[card]
    return (spec.draft_price or spec.face_value) - t.auction.discounts.get(card, 0)


def dollars_owed(t: Table, player: PlayerId) -> int:
    """Total price in dollars of the cards that a player has drafted so far. Players pay at the end of the draft."""
    return sum(card_price(t, card) for card in t.auction.chosen.get(player, []))


def _lowest_card_price(t: Table, card: PrivateId) -> int:
    """Lowest price in dollars that a private can reach: $0, or an independent's starting treasury."""
    spec = t.spec.privates[card]
    return (spec.draft_price or spec.face_value) - spec.face_value


def _card_obstacle(t: Table, player: PlayerId, card: Any) -> Fact | None:
    """The reason why the player cannot take a card; None if they can.

    The player can take only one of the top cards, and must have enough cash for it and all cards drafted before.

    Rules: R-1846-025, D-1846-4.
    """
    if card not in cards_on_offer(t):
        return fact("auction.not_up", private=card)
    price, owed_dollars = card_price(t, card), dollars_owed(t, player)
    if not price or price + owed_dollars <= t.cash(player):
        return None
    return fact("midwest.card_too_dear", private=card, price=price, owed=owed_dollars, cash=t.cash(player))


def _price_choices(t: Table, card: PrivateId) -> Choices | IntRange:
    price = card_price(t, card)
    if t.rules.has_flag("face_price_unchecked"):
        return IntRange(0, MAX_CARD_PRICE_IN_LOG)
    obstacle = fact("auction.at_draft_price", private=card, price=price)
    return Choices([Choice(price, fact("choice.dollars", amount=price))], lambda _: obstacle)


def _card_label(t: Table, name: str, card: PrivateId) -> Fact:
    if card not in t.state.privates:
        return fact("choice.pass_card")
    spec = t.spec.privates[card]
    return fact(name, private=card, name=spec.name, value=spec.face_value, amount=card_price(t, card))


def _card_suggestion(t: Table, card: PrivateId) -> Suggestion:
    return Suggestion(
        _card_label(t, "choice.buy_named", card), {"private": card, "amount": card_price(t, card)}
    )


def _take_card(t: Table, card: PrivateId) -> None:
    """Remove the card from the deck; shuffle the other top cards and put them at the bottom.

    Rules: R-1846-009, R-1846-021.
    """
    auction, chance = t.auction, Chance(t.auction.chance)
    cards_to_choose_from = cards_on_offer(t)
    random_number_by_card = {other_card: chance.draw(MODULUS) for other_card in cards_to_choose_from}
    other_cards = sorted(
        (other_card for other_card in cards_to_choose_from if other_card != card),
        key=random_number_by_card.__getitem__,
    )
    auction.deck = auction.deck[len(cards_to_choose_from) :] + other_cards
    auction.chance = chance.last_number
    t.state.draws += chance.draw_count


def _is_draft_over(t: Table) -> bool:
    """True if the deck is empty, or if it has only pass cards and fewer cards than a player chooses from.

    Rules: R-1846-022.
    """
    deck = t.auction.deck
    is_too_short_to_choose = len(deck) < len(t.state.players) + EXTRA_CARDS_TO_CHOOSE
    return not deck or (is_too_short_to_choose and not any(card in t.state.privates for card in deck))


def _pay_for_cards(t: Table) -> None:
    """End the draft: reveal all privates, let the players pay for them, and fund the independents.

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
