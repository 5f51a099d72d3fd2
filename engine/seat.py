"""A position from the view of one player: their offers and holdings."""

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
    """A player in a position, with their offers."""

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
        """The player's possible moves, without the vote to end the game."""
        return tuple(offer for offer in self.game.offers(self.player) if offer.kind != "end_game")

    @cached_property
    def offers_of_step(self) -> tuple[Offer, ...]:
        """The player's offers in the waiting step."""
        return tuple(offer for offer in self.game.offers(self.player) if offer.blocking)

    def offer_of_kind(self, kind: str) -> Offer | None:
        """The player's offer of this kind in the waiting step; None if there is none."""
        return next((offer for offer in self.offers_of_step if offer.kind == kind), None)

    def cursor_for(self, kind: str, values_by_slot: Mapping[str, Any]) -> OfferCursor | Fact:
        """The cursor of a move of this kind with these values, or the rule against the move."""
        try:
            return self.game.cursor_for(Request(kind, self.player, None, values_by_slot))
        except IllegalAction as problem:
            return problem.reason

    def pass_move(self) -> OfferCursor | None:
        """The move to pass; None if it is not offered."""
        offer = self.offer_of_kind("pass")
        return None if offer is None else OfferCursor(offer)

    def presides(self, company: EntityId) -> bool:
        """True if the player is president of the company."""
        company_state = self.table.state.companies.get(company)
        return company_state is not None and company_state.president == self.player

    def shares(self, company: EntityId) -> int:
        """Number of shares of the company that the player holds."""
        company_state = self.table.state.companies[company]
        return company_state.percent(self.player) // company_state.share
