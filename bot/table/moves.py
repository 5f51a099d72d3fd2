"""Moves as people make them: typed, or by one click."""

import hashlib
from dataclasses import dataclass, field
from typing import Final

from bot.table.errors import Refused
from bot.table.style import plain
from bot.table.walk import Given, as_written, offers_of, open_slot, read_alone, walked
from engine.core.actions import Action
from engine.core.cursor import Cursor
from engine.core.errors import IllegalAction
from engine.core.ids import PlayerId
from engine.core.offers import Chosen, Offer
from engine.game import Game
from engine.play.steps.base import Wish
from engine.tell.teller import Teller

ASIDE: Final = frozenset({"end_game"})
"""Kinds that are always possible and never what the moment is about."""
IRREVOCABLE: Final = frozenset({"declare_bankruptcy", "end_game", "liquidate"})
"""Kinds that are confirmed before they are made."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A move as typed: kind, values by slot, and whom it is for, if said."""

    kind: str
    given: Given = field(default_factory=dict)
    entity: str | None = None

    def __call__(self, game: Game, player: PlayerId) -> Cursor:
        """The whole walk that is meant; raises IllegalAction, or Refused where something is left open."""
        cursor = self.walk(game, player)
        if cursor.slot is not None:
            raise Refused(open_slot(game, cursor))
        return cursor

    def walk(self, game: Game, player: PlayerId) -> Cursor:
        """The walk as far as typed, a whole one if there is any; raises IllegalAction where nothing fits."""
        problems, partial = [], []
        for offer in self.offers(game, player):
            try:
                cursor = walked(game, offer, self.given)
            except IllegalAction as problem:
                problems.append(problem)
                continue
            if cursor.slot is None:
                return cursor
            partial.append(cursor)
        if not partial:
            raise problems[0]
        return partial[0]

    def offers(self, game: Game, player: PlayerId) -> list[Offer]:
        """The offers that may be meant, at least one; raises IllegalAction with the reason why there is none."""
        found = offers_of(game, player, self.kind, self.entity)
        if not found:
            entity = None if self.entity is None else as_written(game, self.entity)
            given = read_alone(game, self.kind, self.given)
            problem = game.why_not(Wish(self.kind, player, entity, given))
            assert problem is not None, self
            raise problem
        return found


@dataclass(frozen=True, slots=True)
class Quick:
    """A move of one click: what the button says, the offer, and the values of its slots."""

    label: str
    offer: Offer
    chosen: Chosen

    @classmethod
    def of(cls, words: Teller, walk: Cursor) -> "Quick":
        """A whole walk as a move of one click."""
        return cls(words.say(walk.offer.label), walk.offer, walk.chosen)

    @property
    def key(self) -> str:
        """Eight hex digits that name the move on a button."""
        return move_key(self.offer.fill(**self.chosen))

    @property
    def confirm(self) -> bool:
        """Whether to ask again before making it."""
        return self.offer.kind in IRREVOCABLE

    def __call__(self, game: Game, player: PlayerId) -> Cursor:
        """The walk to be taken; raises IllegalAction."""
        del game, player
        return Cursor(self.offer).take(self.chosen)


def quick_moves(game: Game, player: PlayerId) -> tuple[Quick, ...]:
    """The player's one-click moves in the order of the offers: those without slots, and suggestions."""
    words = plain(game)
    return tuple(quick for offer in game.offers(player) for quick in quick_fillings(words, offer))


def quick_fillings(words: Teller, offer: Offer) -> tuple[Quick, ...]:
    """The one-click moves of one offer."""
    if not offer.slots:
        return (Quick(words.say(offer.label), offer, {}),)
    return tuple(Quick(words.say(ready.label), offer, ready.chosen) for ready in offer.suggest())


def move_key(action: Action) -> str:
    """Eight hex digits that name a move on a button."""
    return _digits(action.model_dump_json())


def offer_key(offer: Offer) -> str:
    """Eight hex digits that name an offer on a menu."""
    return _digits(f"{offer.kind} {offer.actor} {offer.entity}")


def _digits(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]
