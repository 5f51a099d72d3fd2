"""Walking an offer by menus: which question comes next, and the action once every slot is filled."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from bot.table.errors import NotYours, Refused
from bot.table.live import Live
from bot.table.moves import offer_key, only_value
from engine.core.actions import Action
from engine.core.ids import PlayerId
from engine.core.offers import Choice, Domain, Offer, Routes

PAGE: Final = 25
"""A select menu holds this many options."""


@dataclass(frozen=True, slots=True)
class Question:
    """The next slot to fill: its choices on this page, whether there are pages before and after."""

    offer: Offer
    slot: str
    picked: tuple[str, ...]
    """Values picked so far, one per slot before this one, as text."""
    choices: tuple[Choice, ...]
    page: int
    more: bool


def offer_named(live: Live, player: PlayerId, key: str) -> Offer:
    """The offer a menu names; raises NotYours for somebody else's, Refused for nobody's."""
    for offer in live.game.offers(player):
        if offer_key(offer) == key:
            return offer
    for other in live.game.actors():
        if any(offer_key(offer) == key for offer in live.game.offers(other)):
            raise NotYours(f"It is {live.name_of(other)}'s turn.")
    raise Refused("That is not possible any more.")


def next_step(offer: Offer, picked: Sequence[str], page: int = 0) -> Question | Action:
    """The question after these picks, or the action when there is none left.

    A slot with one legal value fills itself. Raises Refused for a pick that is not legal.
    """
    chosen: dict[str, Any] = {}
    answers = list(picked)
    for number, slot in enumerate(offer.slots):
        domain = slot.domain(chosen)
        if number < len(answers):
            chosen[slot.name] = _read(domain, slot.name, answers[number])
            continue
        if isinstance(domain, Routes):
            chosen[slot.name] = _best_routes(offer)
            continue
        only = only_value(domain)
        if only is None:
            return _question(offer, slot.name, answers, domain, page)
        chosen[slot.name] = only
        answers.append(str(only))
    return offer.fill(**chosen)


def _best_routes(offer: Offer) -> Any:
    best = next(iter(offer.suggest()), None)
    return best.chosen["routes"] if best else ()


def _read(domain: Domain, slot: str, text: str) -> str | int:
    for choice in domain.choices():
        if str(choice.value) == text:
            return choice.value
    raise Refused(f"{text} is not a legal {slot.replace('_', ' ')} any more.")


def _question(offer: Offer, slot: str, picked: Sequence[str], domain: Domain, page: int) -> Question:
    shown = list(islice(domain.choices(), page * PAGE, (page + 1) * PAGE + 1))
    if not shown:
        raise Refused(f"There is no legal {slot.replace('_', ' ')} for this.")
    return Question(offer, slot, tuple(picked), tuple(shown[:PAGE]), page, len(shown) > PAGE)
