"""What the caretaker looks at when it is asked, and what it thinks of it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from engine.core.cursor import Cursor
from engine.core.ids import PlayerId
from engine.core.offers import Between, Offer, Routes
from engine.game import Game
from engine.play.table import Table

MOST_WAYS: Final = 1000
"""How many ways to fill an offer are looked at, at most."""


class Idea(NamedTuple):
    """A whole move, and how many dollars more it seems worth to the player than doing nothing."""

    worth: float
    walk: Cursor


@dataclass(frozen=True)
class Seat:
    """A player in a position, with everything that they are offered."""

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
        """What they may do; a vote to stop the game is for people only."""
        return tuple(offer for offer in self.game.offers(self.player) if offer.kind != "end_game")


View: TypeAlias = Callable[[Seat, Offer], Iterator[Idea]]
"""What is thought of an offer: some ways to take it; those left out are not worth taking."""
Views: TypeAlias = Mapping[str, View]
"""By kind of action."""


def ways(offer: Offer) -> Iterator[Cursor]:
    """Whole walks through an offer, as menus list them; of amounts the lowest, of routes first the suggested."""
    return islice(_filled(Cursor(offer)), MOST_WAYS)


def _filled(walk: Cursor) -> Iterator[Cursor]:
    if walk.slot is None:
        yield walk
        return
    for further in _next(walk):
        yield from _filled(further)


def _next(walk: Cursor) -> Iterator[Cursor]:
    """The walk after each value of the next slot that is looked at."""
    domain = walk.domain
    if isinstance(domain, Between):
        yield walk.pick(domain.low)
    elif isinstance(domain, Routes):
        suggested = [one.chosen["routes"] for one in walk.offer.suggest()]
        yield from (walk.pick(routes) for routes in (*suggested, ()) if routes in domain)
    else:
        yield from walk.onward()
