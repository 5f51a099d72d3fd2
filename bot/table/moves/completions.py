"""Autocomplete for the values of a move, such as its hex or tile; the best match comes first."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple

from bot.table.markdown import plain_teller
from bot.table.moves.slot_values import EMPTY_VALUE_WORD, GivenValues, filled_cursor, offers_of
from engine import Game, IllegalAction, Offer, PlayerId, Teller
from engine import offers as game_offers

MAX_ITEMS: Final = 25
"""Maximum number of autocomplete choices (items) that Discord shows."""
MAX_ITEM_LABEL_LENGTH: Final = 100
"""Maximum length of a choice's label or value. If one is longer, Discord shows no choices at all."""


class MenuItem(NamedTuple):
    """A choice in a menu or in autocomplete: its value (such as a hex), and its label."""

    value: str | int
    label: str


def domain_items(teller: Teller, domain: game_offers.Domain) -> Iterator[MenuItem]:
    """The legal values for one choice in a move, such as its hex or tile, as menu items."""
    return _choice_items(teller, domain.choices())


def _choice_items(teller: Teller, choices: Iterable[game_offers.Choice]) -> Iterator[MenuItem]:
    return (MenuItem(choice.value, teller.label(choice)) for choice in choices)


def slot_items(
    game: Game,
    player: PlayerId,
    kind: str,
    slot: str,
    given_values: GivenValues,
    typed_text: str,
    entity: str | None = None,
) -> list[MenuItem]:
    """Autocomplete for one value of a move: legal values that match the typed text, at most MAX_ITEMS.

    `slot` names the value, such as `hex`; `given_values` are values typed so far.
    """
    return ranked_items(
        _slot_values(game, offers_of(game, player, kind, entity), slot, given_values, typed_text), typed_text
    )


def acting_entity_items(game: Game, player: PlayerId, kind: str, typed_text: str) -> list[MenuItem]:
    """Autocomplete for the company or player that acts in a move of this kind: those that can, at most MAX_ITEMS."""
    teller = plain_teller(game)
    offers = offers_of(game, player, kind)
    return ranked_items(
        (MenuItem(offer.entity, f"{offer.entity}: {teller.say(offer.label)}") for offer in offers), typed_text
    )


def ranked_items(domain_items: Iterable[MenuItem], typed_text: str) -> list[MenuItem]:
    """Distinct items that match the typed text, best match first, at most MAX_ITEMS.

    Exact matches come first, then labels that start with the text, then labels with a word that starts with it, then
    all others that contain it. Discord picks the first one when the user presses Enter. Labels are cut to Discord's
    maximum length.
    """
    search_text = typed_text.strip().casefold()
    distinct_items = _distinct_items(domain_items)
    if not search_text:
        return list(islice(distinct_items, MAX_ITEMS))
    items_by_rank: tuple[list[MenuItem], ...] = ([], [], [], [])
    for item in distinct_items:
        rank = _match_rank(item, search_text)
        if rank is not None:
            items_by_rank[rank].append(item)
    return [item for items_of_rank in items_by_rank for item in items_of_rank][:MAX_ITEMS]


def _distinct_items(domain_items: Iterable[MenuItem]) -> Iterator[MenuItem]:
    seen_values: set[str | int] = set()
    for value, label in domain_items:
        if value not in seen_values and len(str(value)) <= MAX_ITEM_LABEL_LENGTH:
            seen_values.add(value)
            yield MenuItem(
                EMPTY_VALUE_WORD if value == "" else value, label[:MAX_ITEM_LABEL_LENGTH] or EMPTY_VALUE_WORD
            )


def _match_rank(item: MenuItem, search_text: str) -> int | None:
    item_texts = str(item.value).casefold(), item.label.casefold()
    if search_text in item_texts:
        return 0
    if any(text.startswith(search_text) for text in item_texts):
        return 1
    if not any(search_text in text for text in item_texts):
        return None
    word_start = re.compile(rf"(?:\b|_){re.escape(search_text)}")
    return 2 if any(word_start.search(text) for text in item_texts) else 3


def _slot_values(
    game: Game, offers: Iterable[Offer], slot: str, given_values: GivenValues, typed_text: str
) -> Iterator[MenuItem]:
    teller = plain_teller(game)
    for offer in offers:
        try:
            cursor = filled_cursor(game, offer, given_values, last_slot=slot)
        except IllegalAction:
            continue  # the values typed so far do not fit this offer
        if cursor.slot is not None and cursor.slot.name == slot:
            yield from _choice_items(
                teller,
                _likely_choices(cursor.domain, typed_text.strip().removeprefix(game.rules.spec.currency)),
            )


def _likely_choices(domain: game_offers.Domain, digits: str) -> Iterable[game_offers.Choice]:
    """The legal choices for a value; of numbers, only the first ones that contain the typed digits.

    There can be thousands of legal numbers, such as amounts in dollars.
    """
    if not isinstance(domain, game_offers.IntRange):
        return domain.choices()
    return map(domain.choice, _likely_numbers(domain.numbers(), digits))


def _likely_numbers(numbers: range, digits: str) -> list[int]:
    numbers_with_digits = [number for number in numbers if digits in str(number)]
    numbers_starting_with_digits = [
        number for number in numbers_with_digits if str(number).startswith(digits)
    ]
    return [*numbers_starting_with_digits[:MAX_ITEMS], *numbers_with_digits[:MAX_ITEMS]]
