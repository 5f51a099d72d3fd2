"""The view of the course of a game, put together from moments on its way."""

from collections.abc import Sequence

from engine.game import Game
from engine.play.shares import holdings
from engine.tell.teller import tell
from engine.tell.viewing.parts import badge, caption
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
    """The course of the game up to now."""
    t = game.table
    return CourseView(
        t.spec.name,
        caption(game),
        tuple(player.name for player in t.state.players),
        tuple(badge(t, company) for company in t.state.companies),
        tuple(moments),
    )
