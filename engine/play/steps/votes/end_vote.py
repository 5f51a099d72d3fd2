"""Agreeing to stop a game before its end."""

from collections.abc import Iterator

from engine.core.actions import EndGame
from engine.core.events import EndVoted
from engine.core.facts import Fact, fact
from engine.core.offers import Offer
from engine.core.state import Ending
from engine.play.ending import finish
from engine.play.steps.base import Request, Step
from engine.play.table import Table


class EndVoteStep(Step):
    """Every player may agree to stop; when all have, present net worth is the result."""

    name = "end_vote"
    kinds = frozenset({"end_game"})
    agreement = True

    def offers(self, t: Table) -> Iterator[Offer]:
        """The players who have not agreed yet."""
        for player in t.state.in_game():
            if player.id not in t.state.end_votes:
                yield t.offer("end_game", player.id, fact("offer.end_game"), blocking=False, confirm=True)

    def apply(self, t: Table, action: EndGame) -> None:
        """Note the vote; the last one ends the game."""
        t.state.end_votes.append(action.actor)
        needed = 1 if t.rules.flag("one_vote_ends") else len(t.state.in_game())
        t.emit(EndVoted(action.actor, len(t.state.end_votes), needed))
        if len(t.state.end_votes) >= needed:
            finish(t, Ending("agreement"))

    def why_not(self, t: Table, request: Request) -> Fact | None:
        """A player who has agreed need not do it again."""
        voted = request.actor in t.state.end_votes
        return fact("end_game.agreed_already", player=request.actor) if voted else None
