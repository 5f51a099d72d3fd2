"""From what a person typed or picked to values of an offer's slots, by the walk that the gate takes, too."""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from bot.table.style import plain
from bot.table.verbs import SLOTS
from engine.core.cursor import Cursor
from engine.core.facts import fact
from engine.core.ids import PlayerId
from engine.core.offers import Domain, Offer, Routes
from engine.game import Game
from engine.tell.teller import Teller

Given: TypeAlias = Mapping[str, str | int | None]
"""What was typed or picked by slot; None: left open."""
UNREAD: Final = (int, tuple[str, ...])
"""Types of slots whose values are no ids."""
NOTHING: Final = "none"
"""What stands for the empty value in commands and menus, where Discord takes no empty text."""


def offers_of(game: Game, player: PlayerId, kind: str, entity: str | None = None) -> list[Offer]:
    """The player's offers of a kind, for one company or private if named."""
    return [
        offer
        for offer in game.offers(player)
        if offer.kind == kind and (entity is None or offer.entity.casefold() == entity.casefold())
    ]


def walked(game: Game, offer: Offer, given: Given, upto: str | None = None) -> Cursor:
    """The offer with its slots filled as given, or with the only value left: up to one that is open, or to `upto`.

    Raises IllegalAction at the first value that is not legal or cannot be read.
    """
    here = Cursor(offer)
    while (slot := here.slot) is not None and slot.name != upto:
        value = _value(game, here, given.get(slot.name))
        if value is None:
            break
        here = here.pick(value)
    return here


def matched(words: Teller, domain: Domain, given: str | int) -> str | int:
    """The legal value that the text means, by value or label in any case; the text itself if none."""
    if given in domain:
        return given
    wanted = str(given).strip().casefold()
    if wanted == NOTHING and "" in domain:
        return ""
    choices = list(domain.choices())
    by_value = (choice.value for choice in choices if str(choice.value).casefold() == wanted)
    by_label = (choice.value for choice in choices if words.label(choice).casefold() == wanted)
    value = next(by_value, None)
    return next(by_label, given) if value is None else value


def read_alone(game: Game, kind: str, given: Given) -> dict[str, str | int]:
    """The values where no offer says what is legal: ids as the game writes them, without what cannot be read."""
    texts = {name: str(value).strip() for name, value in given.items() if value is not None}
    types = SLOTS[kind]
    numbers = {name: int(text) for name, text in texts.items() if types[name] is int and text.isdecimal()}
    others = {name: as_written(game, text) for name, text in texts.items() if types[name] not in UNREAD}
    return others | numbers


def as_written(game: Game, text: str) -> str:
    """A company, private, train or hex as the game writes it; any other text as it is."""
    spec = game.rules.spec
    ids = (*spec.companies, *spec.privates, *(train.name for train in spec.trains), *spec.map.all_hexes)
    return next((one for one in ids if one.casefold() == text.strip().casefold()), text)


def open_slot(game: Game, here: Cursor) -> str:
    """What has to be said next, and what it may be."""
    assert here.slot is not None
    words = plain(game)
    name, allowed = words.say(fact(f"slot.{here.slot.name}")), here.domain.allowed()
    return f"Say which {name}: {words.say(allowed)}." if allowed else f"There is no legal {name} here."


def _value(game: Game, here: Cursor, given: str | int | None) -> Any:
    """The value of the next slot, None where it is open."""
    domain = here.domain
    if isinstance(domain, Routes):
        return _best_routes(here.offer) if given is None else _typed_routes(game, str(given))
    return domain.only() if given is None else matched(plain(game), domain, given)


def _typed_routes(game: Game, text: str) -> tuple[str, ...]:
    return () if text.strip().casefold() == NOTHING else game.read_routes(text)


def _best_routes(offer: Offer) -> Any:
    return next((best.chosen["routes"] for best in offer.suggest()), ())
