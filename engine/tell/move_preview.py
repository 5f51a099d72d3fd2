"""Previews of moves: made on a copy of the table, with their summary, effects and events.

Chance draws at set-up alone and tells what it drew, so no move brings it out. What may come out is money,
where it is secret: what others can do, and what becomes of them on their own, depends on theirs.
"""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

from engine.board.hexes import SIDE_NAMES
from engine.core import actions as a
from engine.core import events as e
from engine.core.events import Event
from engine.core.facts import Fact, fact
from engine.core.ids import REMOVED, PlayerId
from engine.core.offers import Cursor, Offer
from engine.core.state import Operating
from engine.game import Game
from engine.play.privates.auction import free_cash
from engine.play.steps.place_token import spot
from engine.play.table import Table
from engine.tell.differences import money_change, own_run_change
from engine.tell.narrate import seller, sentences_at
from engine.tell.teller import teller_of
from engine.tell.words import PLAIN, Style


@dataclass(frozen=True, slots=True)
class Preview:
    """A complete move: short and full description with its cost, and the lines that would be posted."""

    summary: str
    """`Lay #57 in G5, track SW-NE, $40`."""
    full: str
    """The same, and `: treasury $480 → $440`."""
    lines: tuple[str, ...]


def preview(game: Game, cursor: Cursor, style: Style = PLAIN) -> Preview:
    """The preview of a complete move."""
    after, words = game.after(cursor), teller_of(game)
    what, changes = summary(cursor, after), tuple(_changes(game.table, after, cursor))
    full = fact("summary.with_changes", summary=what, changes=changes) if changes else what
    lines = sentences_at(after, after.events, style)
    better = own_run_change(game.table, after) if cursor.offer.kind in TRACK else None
    if better is not None:
        lines.append(f"{words.say(better)}.")
    return Preview(words.say(what), words.say(full), tuple(lines))


def funds(game: Game, offer: Offer) -> Fact:
    """Available dollars for an offer: the player's, those free of bids, and the acting company's."""
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


def _changes(before: Table, after: Table, cursor: Cursor) -> Iterator[Fact]:
    """Cost or gain for the acting company and the player."""
    company = _company(before, cursor.offer.entity)
    if company is not None and not after.state.companies[company].closed:
        yield from money_change(before, after, company)
    yield from money_change(before, after, cursor.offer.actor)


def _company(t: Table, entity: str) -> str | None:
    """The acting company, also where one of its privates acts."""
    if entity in t.state.companies:
        return entity
    now = t.state.round
    operating = isinstance(now, Operating) and now.turn is not None and entity in t.state.privates
    return t.turn.company if operating else None


@dataclass(frozen=True, slots=True)
class TriedMove:
    """A move made on a copy: its events, and the game after it."""

    events: tuple[Event, ...]
    game: Game
    continues: bool
    """True if the game stands at the next decision; else the rest was not looked at."""


def may_try(game: Game, viewer: PlayerId | None) -> bool:
    """True if the viewer (None: a spectator) may try moves.

    Where money is secret that is only the player on turn alone, and no answer: what it leads to depends on
    who made the offer.
    """
    return not _secret(game.table) or (game.actors() == (viewer,) and game.proposal is None)


def trial_player(game: Game, viewer: PlayerId | None) -> PlayerId | None:
    """The player whose offers the viewer may try, where money is secret; None: everybody's."""
    return viewer if _secret(game.table) else None


def try_move(game: Game, cursor: Cursor, viewer: PlayerId | None) -> TriedMove:
    """Make a move on a copy of a game, which is changed by it.

    Raises IllegalAction, and changes nothing then.
    """
    if not _secret(game.table):
        return TriedMove(game.play(cursor), game, continues=True)
    alone = game.after(cursor)
    events = game.play(cursor)
    if game.actors() == (viewer,) and _turn_key(game.table) == _turn_key(alone):
        return TriedMove(events, game, continues=True)
    seen = copy(game)
    seen.table = alone
    # At the end everybody's holdings are shown: nothing to be known before.
    return TriedMove(() if alone.state.over else tuple(alone.events), seen, continues=False)


def _secret(t: Table) -> bool:
    return t.spec.secret_cash and not t.state.over


def _turn_key(t: Table) -> tuple[object, ...]:
    """A key of the turn; while it is unchanged nobody else was asked or skipped."""
    now = t.state.round
    if isinstance(now, Operating):
        return now.set, now.number, now.done, now.turn and now.turn.company
    return now, t.state.auction


def summary(cursor: Cursor, after: Table) -> Fact:
    """A complete move in its player's words, with its cost, given the table after it."""
    said = _summary(cursor.action(), cursor, after)
    asked = _first_event(e.Proposed, after.events)
    return said if asked is None else fact("summary.ask", player=asked.asked, summary=said)


@singledispatch
def _summary(action: a.Action, cursor: Cursor, after: Table) -> Fact:
    """The action's own summary, else the offer's words with the picked values."""
    match action:
        case a.Dividend() | a.Answer():
            return next(cursor.labels())
        case a.RunRoutes():
            return fact("summary.run", revenue=after.turn.revenue)
        case a.BuyPrivate():
            return fact("choice.buy_private", private=action.private, price=action.price)
        case a.SellPrivate():
            return fact(
                "summary.sell_private", private=action.private, buyer=action.buyer, price=action.price
            )
        case a.Merge():
            return fact(
                "summary.merge",
                company=action.entity,
                partner=action.partner,
                major=action.major,
                par=_par(after),
            )
        case a.Convert():
            return fact("summary.convert", company=action.entity, major=action.major, par=_par(after))
    picks = tuple(cursor.labels())
    return fact("summary.filled", offer=cursor.offer.label, picks=picks) if picks else cursor.offer.label


@_summary.register
def _(action: a.Bid, cursor: Cursor, after: Table) -> Fact:
    bid = _first_event(e.BidPlaced, after.events)
    name = "choice.buy_at_price" if bid is None else "choice.bid_on"
    return fact(name, private=action.private, amount=action.amount)


@_summary.register
def _(action: a.Par, cursor: Cursor, after: Table) -> Fact:
    started = _first_event(e.Parred, after.events)
    name = "summary.par" if started is not None and started.paid else "summary.set_par"
    return fact(name, company=action.company, price=action.price)


@_summary.register
def _(action: a.BuyShare, cursor: Cursor, after: Table) -> Fact:
    bought = _first_event(e.ShareBought, after.events)
    if bought is None:
        name = "choice.share_named" if action.source == REMOVED else "choice.share_removed_only"
        return fact(name, company=action.company)
    return fact(
        "summary.buy_share",
        percent=bought.percent,
        company=action.company,
        source=bought.source,
        price=bought.price,
    )


@_summary.register
def _(action: a.SellShares, cursor: Cursor, after: Table) -> Fact:
    sold = _first_event(e.SharesSold, after.events)
    assert sold is not None
    return fact(
        "summary.sell_shares",
        shares=sold.shares,
        company=sold.company,
        each=sold.each,
        old=sold.old,
        new=sold.new,
    )


@_summary.register
def _(action: a.LayTile, cursor: Cursor, after: Table) -> Fact:
    laid = _first_event(e.TileLaid, after.events)
    assert laid is not None
    sides = SIDE_NAMES[after.spec.map.layout]
    edges = sorted(after.map.topology(laid.hex).edges)
    return fact(
        "summary.lay_tile",
        tile=laid.tile,
        hex=laid.hex,
        power=fact("event.by_private", private=laid.private) if laid.private else None,
        sides="-".join(sides[edge] for edge in edges),
        terrain=fact("summary.terrain", cost=laid.cost) if laid.cost else None,
    )


@_summary.register
def _(action: a.PlaceToken, cursor: Cursor, after: Table) -> Fact:
    placed = _first_event(e.TokenPlaced, after.events)
    assert placed is not None
    return fact("choice.token", spot=spot(after, action.hex, action.city), price=placed.cost)


@_summary.register
def _(action: a.PlaceBull, cursor: Cursor, after: Table) -> Fact:
    placed = _first_event(e.BullPlaced, after.events)
    assert placed is not None
    forfeits = fact("choice.forfeits_tokens", count=placed.lost) if placed.lost else None
    return fact("choice.bull_token", spot=spot(after, action.hex, action.city), forfeits=forfeits)


@_summary.register
def _(action: a.BuyTrain, cursor: Cursor, after: Table) -> Fact:
    handed_in = fact("event.handing_in", train=action.trade_in) if action.trade_in else None
    return fact(
        "summary.buy_train",
        train=action.train,
        seller=seller(action.source),
        price=action.price,
        handed_in=handed_in,
    )


def _par(after: Table) -> int:
    formed = _first_event(e.Formed, after.events)
    assert formed is not None
    return int(formed.par)


def _first_event(kind: type[e.Event], events: Sequence[e.Event]) -> Any:
    return next((event for event in events if isinstance(event, kind)), None)
