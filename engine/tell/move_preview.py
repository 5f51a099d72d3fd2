"""What a move would do, said before it is made: it is made on a copy of the table, and the two are compared."""

from collections.abc import Iterator
from dataclasses import dataclass

from engine.core.cursor import Cursor
from engine.core.facts import Fact, fact
from engine.core.offers import Offer
from engine.core.state import Operating
from engine.game import Game
from engine.play.privates.bid_amounts import free_cash
from engine.play.table import Table
from engine.tell.differences import money, own_run
from engine.tell.move_summary import summary
from engine.tell.narrate import sentences_at
from engine.tell.teller import tell
from engine.tell.words import PLAIN, Style


@dataclass(frozen=True, slots=True)
class Preview:
    """A whole move: what it is and costs, in short and in full, and the lines that would be posted."""

    summary: str
    """`Lay #57 in G5, track SW-NE, $40`."""
    full: str
    """The same, and `: treasury $480 → $440`."""
    lines: tuple[str, ...]


def preview(game: Game, walk: Cursor, style: Style = PLAIN) -> Preview:
    """What a whole walk through one of the present offers would do."""
    after, words = game.after(walk), tell(game)
    what, changes = summary(walk, after), tuple(_changes(game.table, after, walk))
    full = fact("summary.with_changes", summary=what, changes=changes) if changes else what
    lines = sentences_at(after, after.events, style)
    better = own_run(game.table, after) if walk.offer.kind in TRACK else None
    if better is not None:
        lines.append(f"{words.say(better)}.")
    return Preview(words.say(what), words.say(full), tuple(lines))


def funds(game: Game, offer: Offer) -> Fact:
    """Dollars at hand for an offer: of the player, what bids leave free, and of the company that acts."""
    t = game.table
    cash, free = t.cash(offer.actor), free_cash(t, offer.actor) if t.selling_privates else None
    company = _company(t, offer.entity)
    if company is not None and not t.state.companies[company].closed:
        return fact("funds.of_both", company=company, treasury=t.cash(company), player=offer.actor, cash=cash)
    if free is not None and free != cash:
        return fact("funds.free", player=offer.actor, cash=cash, free=free)
    return fact("funds.of_player", player=offer.actor, cash=cash)


TRACK = frozenset({"lay_tile", "place_token"})
"""Kinds of action by which a company gets other routes."""


def _changes(before: Table, after: Table, walk: Cursor) -> Iterator[Fact]:
    """What the move costs or brings the company that acts, and the player."""
    company = _company(before, walk.offer.entity)
    if company is not None and not after.state.companies[company].closed:
        yield from money(before, after, company)
    yield from money(before, after, walk.offer.actor)


def _company(t: Table, entity: str) -> str | None:
    """The company for which something is done: it may act by a private of its own."""
    if entity in t.state.companies:
        return entity
    now = t.state.round
    operating = isinstance(now, Operating) and now.turn is not None and entity in t.state.privates
    return t.turn.company if operating else None
