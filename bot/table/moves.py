"""From what a person typed or pressed to an action, matched against the offers."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, get_args

from bot.table.errors import Refused
from engine.core.actions import Action, build_action
from engine.core.errors import IllegalAction, NotOffered, NotYourTurn
from engine.core.ids import PlayerId
from engine.core.offers import Domain, Offer, Routes, Slot
from engine.game import Game

ASIDE: Final = frozenset({"end_game"})
"""Kinds that are always possible and never what the moment is about."""
IRREVOCABLE: Final = frozenset({"declare_bankruptcy", "end_game"})
"""Kinds that are confirmed before they are made."""

SLOTS: Final[Mapping[str, tuple[str, ...]]] = {
    kind.model_fields["kind"].default: tuple(name for name in kind.model_fields if name not in kind.HEAD)
    for kind in get_args(Action)
}
"""The slots of every kind of action, in order."""
ANY: Final[Mapping[str, Any]] = {
    "amount": 0,
    "price": 0,
    "shares": 0,
    "rotation": 0,
    "city": 0,
    "routes": (),
    "option": "pay",
    "reply": "agree",
}
"""A value of the right type for the slots that are no text."""
NOTHING: Final = "none"
"""What stands for the empty value in commands and menus, where Discord takes no empty text."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A move as typed: kind, slots by name (None: left open), and whom it is for, if said."""

    kind: str
    given: Mapping[str, str | int | None] = field(default_factory=dict)
    entity: str | None = None

    def __call__(self, game: Game, player: PlayerId) -> Action:
        """The action meant; raises IllegalAction or Refused with what is allowed."""
        offers = offers_of(game, player, self.kind, self.entity)
        if not offers:
            raise self._not_offered(game, player)
        problems: list[IllegalAction | Refused] = []
        for offer in offers:
            try:
                return self._filled(game, offer)
            except (IllegalAction, Refused) as problem:
                problems.append(problem)
        raise problems[0]

    def _filled(self, game: Game, offer: Offer) -> Action:
        chosen: dict[str, Any] = {}
        for slot in offer.slots:
            domain = slot.domain(chosen)
            chosen[slot.name] = self._value(game, offer, slot, domain)
            # A later domain need not make sense after an illegal value: refuse that one first.
            if not isinstance(domain, Routes) and chosen[slot.name] not in domain:
                offer.check(chosen)
        offer.check(chosen)
        return offer.fill(**chosen)

    def _value(self, game: Game, offer: Offer, slot: Slot, domain: Domain) -> Any:
        given = self.given.get(slot.name)
        if isinstance(domain, Routes):
            return _routes(game, offer, given)
        if given is not None:
            return matched(domain, given)
        only = only_value(domain)
        if only is None:
            raise Refused(_open_slot(slot, domain))
        return only

    def _not_offered(self, game: Game, player: PlayerId) -> IllegalAction:
        entities = [self.entity] if self.entity else [offer.entity for offer in game.offers(player)]
        for entity in dict.fromkeys([*entities, player]):
            reason = self._refusal(game, player, entity)
            if reason:
                return NotOffered(reason) if player in game.actors() else NotYourTurn(reason)
        return NotOffered(f"That is not possible now. You can: {possible(game, player)}.")

    def _refusal(self, game: Game, player: PlayerId, entity: str) -> str | None:
        # What is not offered at all is refused before its values are looked at, so any will do.
        values = {name: ANY.get(name, "") for name in SLOTS[self.kind]}
        return game.refusal(build_action(self.kind, player, entity, **values))


@dataclass(frozen=True, slots=True)
class Quick:
    """A move of one click: what the button says, and the action it makes."""

    label: str
    action: Action

    @property
    def key(self) -> str:
        """Eight hex digits that name the action on a button."""
        return hashlib.sha256(self.action.model_dump_json().encode()).hexdigest()[:8]

    @property
    def confirm(self) -> bool:
        """Whether to ask again before making it."""
        return self.action.kind in IRREVOCABLE


def quick_moves(game: Game, player: PlayerId) -> tuple[Quick, ...]:
    """The player's one-click moves in the order of the offers: those without slots, and suggestions."""
    return tuple(quick for offer in game.offers(player) for quick in quick_fillings(offer))


def quick_fillings(offer: Offer) -> tuple[Quick, ...]:
    """The one-click moves of one offer."""
    if not offer.slots:
        return (Quick(offer.label, offer.fill()),)
    return tuple(Quick(ready.label, offer.fill(**ready.chosen)) for ready in offer.suggest())


def offer_key(offer: Offer) -> str:
    """Eight hex digits that name an offer on a menu."""
    return hashlib.sha256(f"{offer.kind} {offer.actor} {offer.entity}".encode()).hexdigest()[:8]


def offers_of(game: Game, player: PlayerId, kind: str, entity: str | None = None) -> list[Offer]:
    """The player's offers of a kind, for one company or private if named."""
    return [
        offer
        for offer in game.offers(player)
        if offer.kind == kind and (entity is None or offer.entity.casefold() == entity.casefold())
    ]


def possible(game: Game, player: PlayerId) -> str:
    """What the player can do now, in words."""
    labels = dict.fromkeys(offer.label for offer in game.offers(player) if offer.kind not in ASIDE)
    return ", ".join(labels) or "nothing; it is not your turn"


def matched(domain: Domain, given: str | int) -> Any:
    """The legal value that the text means, by value or label in any case; the text itself if none."""
    if given in domain:
        return given
    wanted = str(given).strip().casefold()
    choices = list(domain.choices())
    if wanted == NOTHING and "" in domain:
        return ""
    for choice in choices:
        if str(choice.value).casefold() == wanted:
            return choice.value
    for choice in choices:
        if choice.label.casefold() == wanted:
            return choice.value
    return given


def only_value(domain: Domain) -> str | int | None:
    """The value of a domain that has just one, else None."""
    first = list(islice(domain.choices(), 2))
    return first[0].value if len(first) == 1 else None


def earlier_picks(offer: Offer, upto: str, given: Mapping[str, Any]) -> dict[str, Any] | None:
    """Values of the slots before `upto`, as given or as the only one left; None while one of them is open."""
    chosen: dict[str, Any] = {}
    for slot in offer.slots:
        if slot.name == upto:
            return chosen
        domain = slot.domain(chosen)
        typed = given.get(slot.name)
        value = only_value(domain) if typed is None else matched(domain, typed)
        if value is None or value not in domain:
            return None
        chosen[slot.name] = value
    return None


def _routes(game: Game, offer: Offer, given: str | int | None) -> Any:
    if given is not None:
        nothing = str(given).strip().casefold() == NOTHING
        return () if nothing else game.read_routes(str(given))
    best = next(iter(offer.suggest()), None)
    return best.chosen["routes"] if best else ()


def _open_slot(slot: Slot, domain: Domain) -> str:
    name = slot.name.replace("_", " ")
    allowed = domain.allowed()
    return f"Say which {name}: {allowed}." if allowed else f"There is no legal {name} here."


def sentence_list(items: Iterable[str]) -> str:
    """`a, b and c`."""
    words = list(items)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""
