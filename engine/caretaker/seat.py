"""What the caretaker looks at when it is asked, and what it thinks of it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

from engine.core.cursor import Cursor
from engine.core.ids import PlayerId
from engine.core.offers import Between, Offer, Routes
from engine.game import Game
from engine.play.table import Table

MOST_WAYS: Final = 400
"""How many ways to fill an offer are looked at, at most."""


class Idea(NamedTuple):
    """A whole move, and how many dollars it seems worth to the player beside doing nothing."""

    worth: float
    walk: Cursor


@dataclass(frozen=True)
class Seat:
    """A player in a position, with everything that he is offered."""

    game: Game
    player: PlayerId

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self.game.table

    @property
    def cash(self) -> int:
        """The player's dollars."""
        return self.table.cash(self.player)

    @cached_property
    def offers(self) -> tuple[Offer, ...]:
        """What he may do; a vote to stop the game is for people only."""
        return tuple(offer for offer in self.game.offers(self.player) if offer.kind != "end_game")


View: TypeAlias = Callable[[Seat, Offer], Iterator[Idea]]
"""What is thought of an offer: some ways to take it; those left out are not worth taking."""
Views: TypeAlias = Mapping[str, View]
"""By kind of action."""


def ways(offer: Offer) -> Iterator[Cursor]:
    """Whole walks through an offer, as menus list them; of amounts the lowest, of routes the suggested."""
    found = _suggested(offer) if offer.slots and _is_routes(offer) else _filled(Cursor(offer))
    for _, walk in zip(range(MOST_WAYS), found, strict=False):
        yield walk


def _is_routes(offer: Offer) -> bool:
    return offer.slots[0].name == "routes"


def _suggested(offer: Offer) -> Iterator[Cursor]:
    for suggestion in offer.suggest():
        yield Cursor(offer, suggestion.chosen)


def _filled(walk: Cursor) -> Iterator[Cursor]:
    if walk.slot is None:
        yield walk
        return
    domain = walk.domain
    if isinstance(domain, Between):
        yield from _filled(walk.pick(domain.low))
    elif isinstance(domain, Routes):
        yield from _filled(walk.pick(()))
    else:
        for _, further in walk.ways():
            yield from _filled(further)
