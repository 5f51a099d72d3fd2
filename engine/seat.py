"""A position as one player sees it: their legal moves and their holdings."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.core.errors import IllegalAction
from engine.core.facts import Fact
from engine.core.ids import EntityId, PlayerId
from engine.core.offers import Offer, OfferCursor
from engine.game import Game
from engine.play.steps.base import Request
from engine.play.table import Table


@dataclass(frozen=True)
class SeatedPlayer:
    """One player in a position, with their legal moves and holdings."""

    game: Game
    player: PlayerId

    @property
    def table(self) -> Table:
        return self.game.table

    @property
    def cash(self) -> int:
        """The player's cash in dollars."""
        return self.table.cash(self.player)

    @cached_property
    def offers(self) -> tuple[Offer, ...]:
        """The player's legal moves, without the vote to end the game."""
        return tuple(offer for offer in self.game.offers(self.player) if offer.kind != "end_game")

    @cached_property
    def offers_of_step(self) -> tuple[Offer, ...]:
        """The player's legal moves in the step (decision) that waits now."""
        return tuple(offer for offer in self.game.offers(self.player) if offer.blocking)

    def offer_of_kind(self, kind: str) -> Offer | None:
        """The player's legal move of this kind in the step that waits now; None if there is none."""
        return next((offer for offer in self.offers_of_step if offer.kind == kind), None)

    def cursor_for(self, kind: str, values_by_slot: Mapping[str, Any]) -> OfferCursor | Fact:
        """The move of this kind with these values, as a partially filled offer; or the rule that forbids it."""
        try:
            return self.game.cursor_for(Request(kind, self.player, None, values_by_slot))
        except IllegalAction as problem:
            return problem.reason

    def pass_move(self) -> OfferCursor | None:
        """The move to pass; None if the player cannot pass."""
        offer = self.offer_of_kind("pass")
        return None if offer is None else OfferCursor(offer)

    def is_president_of(self, company: EntityId) -> bool:
        """True if the player is the company's president."""
        company_state = self.table.state.companies.get(company)
        return company_state is not None and company_state.president == self.player

    def shares(self, company: EntityId) -> int:
        """Number of shares of the company that the player holds."""
        company_state = self.table.state.companies[company]
        return company_state.percent(self.player) // company_state.share
