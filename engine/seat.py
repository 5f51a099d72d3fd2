"""A position as one player sees it: what is offered to them, and what is theirs."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.core.errors import IllegalAction
from engine.core.facts import Fact
from engine.core.ids import EntityId, PlayerId
from engine.core.offers import Cursor, Offer
from engine.game import Game
from engine.play.steps.base import Request
from engine.play.table import Table


@dataclass(frozen=True)
class SeatedPlayer:
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
        """Their possible moves; a vote to stop the game is for people only."""
        return tuple(offer for offer in self.game.offers(self.player) if offer.kind != "end_game")

    @cached_property
    def asked(self) -> tuple[Offer, ...]:
        """Offers of the waiting step to the player: none, if it waits for another one."""
        return tuple(offer for offer in self.game.offers(self.player) if offer.blocking)

    def offered(self, kind: str) -> Offer | None:
        """Offers of a kind of action."""
        return next((offer for offer in self.asked if offer.kind == kind), None)

    def walk(self, kind: str, given: Mapping[str, Any]) -> Cursor | Fact:
        """The move of a kind with all these values, or the rule that stops it."""
        try:
            return self.game.walk(Request(kind, self.player, None, given))
        except IllegalAction as problem:
            return problem.reason

    def decline(self) -> Cursor | None:
        """Pass, where that is offered."""
        offer = self.offered("pass")
        return None if offer is None else Cursor(offer)

    def presides(self, company: EntityId) -> bool:
        """True if the player is president of a company."""
        held = self.table.state.companies.get(company)
        return held is not None and held.president == self.player

    def shares(self, company: EntityId) -> int:
        """Number of the player's shares of a company."""
        held = self.table.state.companies[company]
        return held.percent(self.player) // held.share
