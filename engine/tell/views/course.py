"""The course of a game ready to show: what everybody was worth and what shares cost, round by round."""

from dataclasses import dataclass

from engine.tell.views.badge import Badge


@dataclass(frozen=True, slots=True)
class MomentView:
    """How things stood when a round began or the game ended: net worths and prices in dollars (None: not started)."""

    name: str
    """`OR 2.1`."""
    worth: tuple[int, ...]
    prices: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class CourseView:
    """The course so far: players (none where their worth is secret), companies as the figures of each moment."""

    title: str
    caption: str
    players: tuple[str, ...]
    companies: tuple[Badge, ...]
    moments: tuple[MomentView, ...]
