"""Trying a move on a copy of a game: what happens then, as far as the player who tries may know it.

Chance draws at set-up alone and tells what it drew, so no move brings it out. What may come out is money, where it is
secret: what others can do, and what becomes of them on their own, depends on theirs.
"""

from copy import copy
from dataclasses import dataclass

from engine.core.cursor import Cursor
from engine.core.events import Event
from engine.core.ids import PlayerId
from engine.core.state import Operating
from engine.game import Game
from engine.play.table import Table


@dataclass(frozen=True, slots=True)
class Tried:
    """What was seen of a move: what happened, and the game as it stood then."""

    events: tuple[Event, ...]
    game: Game
    continues: bool
    """Whether the game stands at the next decision; else what follows was not looked at."""


def may_try(game: Game, looker: PlayerId | None) -> bool:
    """Whether somebody (None: an onlooker) may try what comes next.

    Where money is secret that is only who acts alone, and no answer: what it leads to depends on who made the offer.
    """
    return not _secret(game.table) or (game.actors() == (looker,) and game.proposal is None)


def shown_to(game: Game, looker: PlayerId | None) -> PlayerId | None:
    """Whose offers may be tried: where money is secret, those of who looks; None: everybody's."""
    return looker if _secret(game.table) else None


def tried(game: Game, walk: Cursor, looker: PlayerId | None) -> Tried:
    """Make a move in a copy of a game, which is changed by it. Raises IllegalAction, and changes nothing then."""
    if not _secret(game.table):
        return Tried(game.play(walk), game, continues=True)
    alone = game.after(walk)
    events = game.play(walk)
    if game.actors() == (looker,) and _turn(game.table) == _turn(alone):
        return Tried(events, game, continues=True)
    seen = copy(game)
    seen.table = alone
    # At the end everybody's holdings are shown: nothing to be known before.
    return Tried(() if alone.state.over else tuple(alone.events), seen, continues=False)


def _secret(t: Table) -> bool:
    return t.spec.secret_cash and not t.state.over


def _turn(t: Table) -> tuple[object, ...]:
    """Whose turn it is: as long as it is the same, nobody else was asked, or passed over."""
    now = t.state.round
    if isinstance(now, Operating):
        return now.set, now.number, now.done, now.turn and now.turn.company
    return now, t.state.auction
