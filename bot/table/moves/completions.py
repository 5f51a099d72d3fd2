"""Completions: what autocomplete lists for a slot as it is typed, the best match first."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple

from bot.table.markdown import plain
from bot.table.moves.slot_values import NOTHING, Given, offers_of, walked
from engine import Game, IllegalAction, Offer, PlayerId, Teller
from engine import offers as game_offers

MOST: Final = 25
"""Discord shows at most this many choices."""
LONGEST: Final = 100
"""Discord refuses a longer label or value, and shows nothing at all then."""


class Item(NamedTuple):
    """One entry of a list or a menu: the value, and its label."""

    value: str | int
    label: str


def items(words: Teller, domain: game_offers.Domain) -> Iterator[Item]:
    """The values of a domain that are worth listing."""
    return _items(words, domain.choices())


def _items(words: Teller, choices: Iterable[game_offers.Choice]) -> Iterator[Item]:
    return (Item(choice.value, words.label(choice)) for choice in choices)


def slot_items(
    game: Game, player: PlayerId, kind: str, slot: str, given: Given, typed: str, entity: str | None = None
) -> list[Item]:
    """The legal values of a slot that fit what is typed, at most 25."""
    return ranked(_values(game, offers_of(game, player, kind, entity), slot, given, typed), typed)


def entity_items(game: Game, player: PlayerId, kind: str, typed: str) -> list[Item]:
    """Companies and players for whom an action of this kind is possible."""
    words = plain(game)
    offers = offers_of(game, player, kind)
    return ranked(
        (Item(offer.entity, f"{offer.entity}: {words.say(offer.label)}") for offer in offers), typed
    )


def ranked(found: Iterable[Item], typed: str) -> list[Item]:
    """At most 25 different items that fit what is typed, cut to the length Discord takes, best first.

    Exact matches come before prefixes, words that begin so, and the rest; within each the order stays, since the first
    one is what Enter chooses.
    """
    wanted = typed.strip().casefold()
    different = _different(found)
    if not wanted:
        return list(islice(different, MOST))
    fitting: tuple[list[Item], ...] = ([], [], [], [])
    for item in different:
        rank = _rank(item, wanted)
        if rank is not None:
            fitting[rank].append(item)
    return [item for items_ in fitting for item in items_][:MOST]


def _different(found: Iterable[Item]) -> Iterator[Item]:
    """Each value once, as Discord takes it; the empty one by its word."""
    seen: set[str | int] = set()
    for value, label in found:
        if value not in seen and len(str(value)) <= LONGEST:
            seen.add(value)
            yield Item(NOTHING if value == "" else value, label[:LONGEST] or NOTHING)


def _rank(item: Item, wanted: str) -> int | None:
    """0 for an exact match, of value or label; 1 for a prefix, 2 for that of a word, 3 for any part; None: no match."""
    texts = str(item.value).casefold(), item.label.casefold()
    if wanted in texts:
        return 0
    if any(text.startswith(wanted) for text in texts):
        return 1
    if not any(wanted in text for text in texts):
        return None
    begins = re.compile(rf"(?:\b|_){re.escape(wanted)}")
    return 2 if any(begins.search(text) for text in texts) else 3


def _values(game: Game, offers: Iterable[Offer], slot: str, given: Given, typed: str) -> Iterator[Item]:
    words = plain(game)
    for offer in offers:
        try:
            here = walked(game, offer, given, upto=slot)
        except IllegalAction:
            continue  # what is typed before makes no sense for this offer
        if here.slot is not None and here.slot.name == slot:
            yield from _items(words, _choices(here.domain, typed))


def _choices(domain: game_offers.Domain, typed: str) -> Iterable[game_offers.Choice]:
    """All choices, but of a range only those that `ranked` might list: thousands are too many for every key."""
    if not isinstance(domain, game_offers.IntRange):
        return domain.choices()
    return map(domain.choice, _likely(domain.numbers(), typed.strip().removeprefix("$")))


def _likely(numbers: range, digits: str) -> list[int]:
    """The best 25 of the numbers with these digits, and maybe a few more; a number is labelled `$` and its digits."""
    having = [number for number in numbers if digits in str(number)]
    beginning = [number for number in having if str(number).startswith(digits)]
    return [*beginning[:MOST], *having[:MOST]]
