"""What stands on a turn message: the one-click moves and the menus of everybody who acts. Slow: runs the route search."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.live import Live
from bot.moves import ASIDE, offer_key, quick_fillings
from engine.ids import PlayerId
from engine.offers import Offer

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
    actors = live.game.actors()
    found: dict[str, Entry] = {}
    for player in actors:
        # Two people may act at once; then each button says whose it is.
        whose = f"{live.name_of(player)}: " if len(actors) > 1 else ""
        for offer in _in_question(live, player):
            for entry in _entries(offer, whose):
                found.setdefault(entry.key, entry)
    return tuple(found.values())[:MOST]


def _in_question(live: Live, player: PlayerId) -> Iterator[Offer]:
    return (offer for offer in live.game.offers(player) if offer.kind not in ASIDE)


def _entries(offer: Offer, whose: str) -> Iterator[Entry]:
    for quick in quick_fillings(offer):
        yield Entry(quick.key, whose + quick.label, offer.kind, menu=False)
    if offer.slots:
        yield Entry(offer_key(offer), f"{whose}{offer.label} …", offer.kind, menu=True)
