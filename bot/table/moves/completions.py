"""Autocomplete for a slot, with the best match first."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple

from bot.table.markdown import plain_teller
from bot.table.moves.slot_values import EMPTY_VALUE, GivenValues, filled_cursor, offers_of
from engine import Game, IllegalAction, Offer, PlayerId, Teller
from engine import offers as game_offers

MAX_ITEMS: Final = 25
"""The most choices that Discord shows."""
MAX_ITEM_LABEL_LENGTH: Final = 100
"""The most characters of a label or value; Discord shows no choices at all if one is longer."""


class MenuItem(NamedTuple):
    """An entry of a list or menu: its value and label."""

    value: str | int
    label: str


def domain_items(teller: Teller, domain: game_offers.Domain) -> Iterator[MenuItem]:
    """The values of a domain, if they can be listed."""
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
    """The legal values of a slot that match the typed text, up to MAX_ITEMS."""
    return ranked_items(
        _slot_values(game, offers_of(game, player, kind, entity), slot, given_values, typed_text), typed_text
    )


def entity_items(game: Game, player: PlayerId, kind: str, typed_text: str) -> list[MenuItem]:
    """Companies and players for which the player can take an action of this kind, up to MAX_ITEMS."""
    teller = plain_teller(game)
    offers = offers_of(game, player, kind)
    return ranked_items(
        (MenuItem(offer.entity, f"{offer.entity}: {teller.say(offer.label)}") for offer in offers), typed_text
    )


def ranked_items(domain_items: Iterable[MenuItem], typed_text: str) -> list[MenuItem]:
    """Distinct items that match the typed text, best first, up to MAX_ITEMS and cut to Discord's length.

    Exact matches come first, then prefixes, then words that begin so, then the rest; ties keep their order. Enter picks
    the first one.
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
    return [item for items_ in items_by_rank for item in items_][:MAX_ITEMS]


def _distinct_items(domain_items: Iterable[MenuItem]) -> Iterator[MenuItem]:
    """Distinct items; the empty value is shown as a word."""
    seen_values: set[str | int] = set()
    for value, label in domain_items:
        if value not in seen_values and len(str(value)) <= MAX_ITEM_LABEL_LENGTH:
            seen_values.add(value)
            yield MenuItem(
                EMPTY_VALUE if value == "" else value, label[:MAX_ITEM_LABEL_LENGTH] or EMPTY_VALUE
            )


def _match_rank(item: MenuItem, search_text: str) -> int | None:
    """The rank of a match: 0 exact, 1 prefix, 2 prefix of a word, 3 any part; None: no match."""
    texts = str(item.value).casefold(), item.label.casefold()
    if search_text in texts:
        return 0
    if any(text.startswith(search_text) for text in texts):
        return 1
    if not any(search_text in text for text in texts):
        return None
    word_start = re.compile(rf"(?:\b|_){re.escape(search_text)}")
    return 2 if any(word_start.search(text) for text in texts) else 3


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
    """The choices of a domain; of a range, only numbers that match the typed digits, since thousands are too many."""
    if not isinstance(domain, game_offers.IntRange):
        return domain.choices()
    return map(domain.choice, _likely_numbers(domain.numbers(), digits))


def _likely_numbers(numbers: range, digits: str) -> list[int]:
    """Numbers that begin with the typed digits, then those that contain them."""
    containing = [number for number in numbers if digits in str(number)]
    starting = [number for number in containing if str(number).startswith(digits)]
    return [*starting[:MAX_ITEMS], *containing[:MAX_ITEMS]]
