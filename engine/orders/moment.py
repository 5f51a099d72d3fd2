"""A position as one player's orders look at it: what is offered, and where the game is."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.core.cursor import Cursor
from engine.core.errors import IllegalAction
from engine.core.facts import Fact
from engine.core.ids import EntityId, PlayerId
from engine.core.offers import Offer
from engine.core.state import Auction, Draft, Merger, Operating, Round
from engine.game import Game
from engine.play.steps.base import Request
from engine.play.table import Table


@dataclass(frozen=True)
class Moment:
    """A player in a position."""

    game: Game
    player: PlayerId

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self.game.table

    @cached_property
    def asked(self) -> tuple[Offer, ...]:
        """What the step that waits offers to the player: none, if it waits for another one."""
        return tuple(offer for offer in self.game.offers(self.player) if offer.blocking)

    def offered(self, kind: str) -> Offer | None:
        """What is offered of a kind of action."""
        return next((offer for offer in self.asked if offer.kind == kind), None)

    def walk(self, kind: str, given: Mapping[str, Any]) -> Cursor | Fact:
        """The move of a kind with all these values, or the rule that stops it."""
        try:
            return self.game.walk(Request(kind, self.player, None, given))
        except IllegalAction as problem:
            return problem.reason

    def decline(self) -> Cursor | None:
        """To pass, where that is offered."""
        offer = self.offered("pass")
        return None if offer is None else Cursor(offer)

    def presides(self, company: EntityId) -> bool:
        """Whether the player is president of a company."""
        found = self.table.state.companies.get(company)
        return found is not None and found.president == self.player

    def shares(self, company: EntityId) -> int:
        """How many shares of a company the player has."""
        found = self.table.state.companies[company]
        return found.percent(self.player) // found.share


def when(round_: Round) -> tuple[int, int]:
    """Set and number of a round: stock rounds have 0, and a draft is the first of them."""
    if isinstance(round_, Operating | Merger):
        return round_.set, round_.number
    if isinstance(round_, Auction):
        return 0, 0
    return (1 if isinstance(round_, Draft) else round_.number), 0
