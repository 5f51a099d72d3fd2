"""What stands on a turn message: one-click moves and menus. Slow, since it searches the best routes."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.table.live import Live
from bot.table.moves import ASIDE, offer_key, quick_fillings
from bot.table.style import plain
from engine.core.offers import Offer
from engine.tell.teller import Teller

MOST: Final = 24
"""Buttons on a turn message, of the 25 that Discord takes; the last place is for taking back."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One button: a move of one click, or (menu) the way into an offer that has slots."""

    key: str
    label: str
    kind: str
    menu: bool


def offered(live: Live) -> tuple[Entry, ...]:
    """The buttons of the moment, in the order of the offers."""
    words, actors = plain(live.game), live.game.actors()
    found: dict[str, Entry] = {}
    for offer in live.game.offers():
        if offer.kind in ASIDE:
            continue
        # Where it is not plain whose a button is, it says so.
        whose = "" if actors == (offer.actor,) else f"{live.name_of(offer.actor)}: "
        for entry in _entries(words, offer, whose):
            found.setdefault(entry.key, entry)
    return tuple(found.values())[:MOST]


def _entries(words: Teller, offer: Offer, whose: str) -> Iterator[Entry]:
    for quick in quick_fillings(words, offer):
        yield Entry(quick.key, whose + quick.label, offer.kind, menu=False)
    if offer.slots:
        yield Entry(offer_key(offer), f"{whose}{words.say(offer.label)} …", offer.kind, menu=True)
