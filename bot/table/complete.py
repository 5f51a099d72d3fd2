"""Autocomplete: what a slot may be, given what is typed already. Reads live games in memory only."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from bot.table.style import plain
from bot.table.walk import Given, offers_of, walked
from engine.core.errors import IllegalAction
from engine.core.ids import PlayerId
from engine.core.offers import Domain, Offer
from engine.game import Game
from engine.tell.teller import Teller

MOST: Final = 25
"""Discord shows at most this many choices."""
LONGEST: Final = 100
"""Discord refuses a longer label or value, and shows nothing at all then."""


class Item(NamedTuple):
    """One entry of a list or a menu: the value, and what it is called."""

    value: str | int
    label: str


def items(words: Teller, domain: Domain) -> Iterator[Item]:
    """The values of a domain that are worth listing."""
    return (Item(choice.value, words.label(choice)) for choice in domain.choices())


def slot_items(
    game: Game, player: PlayerId, kind: str, slot: str, given: Given, typed: str, entity: str | None = None
) -> list[Item]:
    """The legal values of a slot that fit what is typed, at most 25."""
    return first_fitting(_values(game, offers_of(game, player, kind, entity), slot, given), typed)


def entity_items(game: Game, player: PlayerId, kind: str, typed: str) -> list[Item]:
    """For whom an action of this kind is possible."""
    words = plain(game)
    offers = offers_of(game, player, kind)
    return first_fitting(
        (Item(offer.entity, f"{offer.entity}: {words.say(offer.label)}") for offer in offers), typed
    )


def first_fitting(found: Iterable[Item], typed: str) -> list[Item]:
    """The first 25 different ones that fit what is typed, cut to the length Discord takes."""
    wanted = typed.strip().casefold()
    fitting: dict[str | int, Item] = {}
    for value, label in found:
        if len(fitting) == MOST:
            break
        if value not in fitting and _fits(str(value), label, wanted):
            fitting[value] = Item(value, label[:LONGEST])
    return list(fitting.values())


def _fits(value: str, label: str, wanted: str) -> bool:
    return len(value) <= LONGEST and (value.casefold().startswith(wanted) or wanted in label.casefold())


def _values(game: Game, offers: Iterable[Offer], slot: str, given: Given) -> Iterator[Item]:
    words = plain(game)
    for offer in offers:
        try:
            here = walked(game, offer, given, upto=slot)
        except IllegalAction:
            continue  # what is typed before makes no sense for this offer
        if here.slot is not None and here.slot.name == slot:
            yield from items(words, here.domain)
