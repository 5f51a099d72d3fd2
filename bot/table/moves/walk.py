"""From what a user typed or picked to values of an offer's slots, by the same walk that checks actions."""

import re
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from bot.table.moves.runs import numbered_routes
from bot.table.moves.verbs import SLOTS
from bot.table.style import plain
from engine.core.errors import BadChoice
from engine.core.facts import fact
from engine.core.ids import POOL, PlayerId
from engine.core.offers import Cursor, Domain, Offer, Routes, Slot
from engine.game import Game

Given: TypeAlias = Mapping[str, str | int | None]
"""What was typed or picked by slot; None: left open."""

NOTHING: Final = "none"
"""What stands for the empty value in commands and menus, where Discord takes no empty text."""

OTHER_WORDS: Final[Mapping[tuple[str, str], Mapping[str, str]]] = {
    ("buy_train", "source"): {"market": POOL, "bank pool": POOL}
}
"""Words for values of a slot that players use, too, by kind of move and slot."""

_NUMBER: Final = re.compile(r"-?[0-9]{1,15}")
"""A typed number; longer ones are no amount of anything."""


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
        value = _value(game, here, slot, given.get(slot.name))
        if value is None:
            break
        here = here.pick(value)
    return here


def read_alone(game: Game, kind: str, given: Given) -> dict[str, str | int]:
    """The values where no offer says what is legal, without those that cannot be read."""
    found = {name: as_read(game, kind, name, value) for name, value in given.items() if value is not None}
    return {name: value for name, value in found.items() if _readable(kind, name, value)}


def as_read(game: Game, kind: str, slot: str, given: str | int) -> str | int:
    """A number for a slot of numbers, else an id as the game writes it; any other text as it is."""
    text = str(given).strip()
    if SLOTS[kind].get(slot) is int:
        return int(text) if _NUMBER.fullmatch(text) else text
    return as_written(game, OTHER_WORDS.get((kind, slot), {}).get(text.casefold(), text))


def as_written(game: Game, text: str) -> str:
    """A company, private, train or hex as the game writes it; any other text as it is."""
    spec = game.rules.spec
    ids = (*spec.companies, *spec.privates, *(train.name for train in spec.trains), *spec.map.all_hexes)
    return next((one for one in ids if one.casefold() == text.strip().casefold()), text)


def matched(game: Game, domain: Domain, read: str | int) -> str | int:
    """The legal value that is meant, by value or label in any case; what was read itself if none."""
    if read in domain:
        return read
    wanted = str(read).casefold()
    if wanted == NOTHING and "" in domain:
        return ""
    words, choices = plain(game), list(domain.choices())
    for text_of in (lambda choice: str(choice.value), words.label):
        for choice in choices:
            if text_of(choice).casefold() == wanted:
                return choice.value
    return read


def open_slot(game: Game, here: Cursor) -> str:
    """The next value needed, and its choices."""
    assert here.slot is not None
    words = plain(game)
    name, allowed = words.say(fact(f"slot.{here.slot.name}")), here.domain.allowed()
    return f"Say which {name}: {words.say(allowed)}." if allowed else f"There is no legal {name} here."


def _value(game: Game, here: Cursor, slot: Slot, given: str | int | None) -> Any:
    """The value of the next slot, None where it is open."""
    domain = here.domain
    if isinstance(domain, Routes):
        return _best_routes(here.offer) if given is None else _typed_routes(game, domain, str(given).strip())
    if given is None:
        return domain.only()
    kind = here.offer.kind
    value = matched(game, domain, as_read(game, kind, slot.name, given))
    if not _readable(kind, slot.name, value):
        reason = fact("choice.not_legal", slot=fact(f"slot.{slot.name}"), value=value)
        raise BadChoice(reason, domain.allowed(), slot.name, value)
    return value


def _readable(kind: str, slot: str, value: str | int) -> bool:
    wanted = SLOTS[kind].get(slot)
    return wanted != tuple[str, ...] and (wanted is not int or isinstance(value, int))


def _typed_routes(game: Game, domain: Routes, text: str) -> tuple[str, ...]:
    if text.casefold() == NOTHING:
        return ()
    numbered = numbered_routes(domain, text)
    return game.read_routes(text) if numbered is None else numbered


def _best_routes(offer: Offer) -> Any:
    return next((best.chosen["routes"] for best in offer.suggest()), ())
