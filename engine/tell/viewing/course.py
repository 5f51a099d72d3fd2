"""The view of the course of a game, put together from moments on its way."""

from collections.abc import Sequence
from dataclasses import replace

from engine.game import Game
from engine.play.shares import holdings
from engine.tell.teller import tell
from engine.tell.viewing.parts import badge, caption
from engine.tell.viewing.purses import may_see
from engine.tell.views import CourseView, MomentView


def moment_view(game: Game) -> MomentView:
    """How things stand now."""
    t = game.table
    return MomentView(
        tell(game).round_name(),
        tuple(holdings.net_worth(t, player) for player in t.state.players),
        tuple(t.price(company) or None for company in t.state.companies.values()),
    )


def course_view(game: Game, moments: Sequence[MomentView]) -> CourseView:
    """The course up to now as everybody may see it: while money is secret, so is what players are worth."""
    t = game.table
    known = [player.name for player in t.state.players if may_see(t, player.id, None)]
    return CourseView(
        t.spec.name,
        caption(game),
        tuple(known),
        tuple(badge(t, company) for company in t.state.companies),
        tuple(moments if known else (replace(moment, worth=()) for moment in moments)),
    )
