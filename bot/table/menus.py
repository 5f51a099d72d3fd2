"""Menus: the question that comes next in the walk through an offer."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from bot.table.complete import Item, items
from bot.table.errors import NotYours, Refused
from bot.table.live import Live
from bot.table.moves import offer_key
from bot.table.style import plain
from bot.table.walk import open_slot, walked
from engine.core.cursor import Cursor
from engine.core.facts import fact
from engine.core.ids import PlayerId
from engine.core.offers import Offer
from engine.game import Game

PAGE: Final = 25
"""A select menu holds this many options."""


@dataclass(frozen=True, slots=True)
class Question:
    """The next slot to fill: its choices on this page, and whether there is a page after."""

    offer: str
    """What the offer is called."""
    slot: str
    """What the slot is called."""
    picked: tuple[str, ...]
    """Values picked so far, one per slot before this one, as text."""
    choices: tuple[Item, ...]
    page: int
    more: bool


def offer_named(live: Live, player: PlayerId, key: str) -> Offer:
    """The offer a menu names; raises NotYours for somebody else's, Refused for nobody's."""
    for offer in live.game.offers():
        if offer_key(offer) == key:
            if offer.actor != player:
                raise NotYours(f"It is {live.name_of(offer.actor)}'s turn.")
            return offer
    raise Refused("That is not possible any more.")


def next_step(game: Game, offer: Offer, picked: Sequence[str], page: int = 0) -> Question | Cursor:
    """The question after these picks, or the whole walk when there is none left.

    A slot with one legal value fills itself. Raises IllegalAction for a pick that is not legal.
    """
    names = (slot.name for slot in offer.slots)
    here = walked(game, offer, dict(zip(names, picked, strict=False)))
    return here if here.slot is None else _question(game, here, page)


def _question(game: Game, here: Cursor, page: int) -> Question:
    words = plain(game)
    assert here.slot is not None
    shown = list(islice(items(words, here.domain), page * PAGE, (page + 1) * PAGE + 1))
    if not shown:
        raise Refused(open_slot(game, here))
    picked = tuple(map(str, here.chosen.values()))
    slot = words.say(fact(f"slot.{here.slot.name}"))
    return Question(words.say(here.offer.label), slot, picked, tuple(shown[:PAGE]), page, len(shown) > PAGE)
