"""What a move would do, told before it is made: it is made on a copy of the table, and the two are compared."""

from collections.abc import Iterator
from dataclasses import dataclass

from engine.core.cursor import Cursor
from engine.core.facts import Fact, fact
from engine.core.state import Operating
from engine.game import Game
from engine.play.privates.auction import free_cash
from engine.play.steps.revenue.run import best_run
from engine.play.table import Table
from engine.tell.deeds import deed
from engine.tell.narrate import sentences_at
from engine.tell.teller import tell
from engine.tell.words import PLAIN, Style


@dataclass(frozen=True, slots=True)
class Foretold:
    """A whole move: what it is and costs, in short and in full, and the lines that would tell of it."""

    deed: str
    """`Lay #57 in G5, track SW-NE, $40`."""
    full: str
    """The same, and `: treasury 480 → 440`."""
    lines: tuple[str, ...]


def foretell(game: Game, walk: Cursor, style: Style = PLAIN) -> Foretold:
    """What a whole walk through one of the present offers would do."""
    after, words = game.trial(walk), tell(game)
    what, changes = deed(walk, after), tuple(_changes(game.table, after, walk))
    full = fact("deed.with_changes", deed=what, changes=changes) if changes else what
    lines = sentences_at(after, after.events, style)
    better = best_run_change(game.table, after) if walk.offer.kind in TRACK else None
    if better is not None:
        lines.append(f"{words.say(better)}.")
    return Foretold(words.say(what), words.say(full), tuple(lines))


TRACK = frozenset({"lay_tile", "place_token"})
"""Kinds of action by which a company comes to other routes."""


def best_run_change(before: Table, after: Table) -> Fact | None:
    """What the operating company would earn at best before and after; None where that is the same."""
    old, new = best_run(before).revenue, best_run(after).revenue
    return None if old == new else fact("deed.best_run", old=old, new=new)


def _changes(before: Table, after: Table, walk: Cursor) -> Iterator[Fact]:
    """What the move takes from, or brings to, whoever makes it."""
    company = _company(before, walk.offer.entity)
    if company is not None and not after.state.companies[company].closed:
        old, new = before.state.companies[company].cash, after.state.companies[company].cash
        if old != new:
            yield fact("deed.treasury", old=old, new=new)
    player = walk.offer.actor
    old, new = before.cash(player), after.cash(player)
    if old != new:
        yield fact("deed.cash", old=old, new=new)
    elif before.selling_privates and after.selling_privates:
        old, new = free_cash(before, player), free_cash(after, player)
        if old != new:
            yield fact("deed.free_cash", old=old, new=new)


def _company(t: Table, entity: str) -> str | None:
    """The company for which something is done: it may act by a private of its own."""
    if entity in t.state.companies:
        return entity
    now = t.state.round
    operating = isinstance(now, Operating) and now.turn is not None and entity in t.state.privates
    return t.turn.company if operating else None
