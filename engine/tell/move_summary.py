"""A whole move in the words of its player, with what it costs: what a button says before it is clicked."""

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

from engine.board.hexes import SIDE_NAMES
from engine.core import actions as a
from engine.core import events as e
from engine.core.cursor import Cursor
from engine.core.facts import Fact, fact
from engine.core.ids import REMOVED
from engine.play.steps.tokens.token import spot
from engine.play.table import Table
from engine.tell.narrate import seller


def summary(walk: Cursor, after: Table) -> Fact:
    """What a whole walk does, given the table on which it was tried."""
    said = _summary(walk.action(), walk, after)
    asked = _first(e.Proposed, after.events)
    return said if asked is None else fact("summary.ask", player=asked.asked, summary=said)


@singledispatch
def _summary(action: a.Action, walk: Cursor, after: Table) -> Fact:
    """The offer's own words, and what was picked."""
    picks = tuple(walk.labels())
    return fact("summary.filled", offer=walk.offer.label, picks=picks) if picks else walk.offer.label


@_summary.register
def _(action: a.Dividend, walk: Cursor, after: Table) -> Fact:
    return next(walk.labels())


@_summary.register
def _(action: a.Answer, walk: Cursor, after: Table) -> Fact:
    return next(walk.labels())


@_summary.register
def _(action: a.Bid, walk: Cursor, after: Table) -> Fact:
    bid = _first(e.BidPlaced, after.events)
    name = "choice.buy_at_price" if bid is None else "choice.bid_on"
    return fact(name, private=action.private, amount=action.amount)


@_summary.register
def _(action: a.Par, walk: Cursor, after: Table) -> Fact:
    started = _first(e.Parred, after.events)
    name = "summary.par" if started is not None and started.paid else "summary.set_par"
    return fact(name, company=action.company, price=action.price)


@_summary.register
def _(action: a.BuyShare, walk: Cursor, after: Table) -> Fact:
    bought = _first(e.ShareBought, after.events)
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
def _(action: a.SellShares, walk: Cursor, after: Table) -> Fact:
    sold = _first(e.SharesSold, after.events)
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
def _(action: a.LayTile, walk: Cursor, after: Table) -> Fact:
    laid = _first(e.TileLaid, after.events)
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
def _(action: a.PlaceToken, walk: Cursor, after: Table) -> Fact:
    placed = _first(e.TokenPlaced, after.events)
    assert placed is not None
    return fact("choice.token", spot=spot(after, action.hex, action.city), price=placed.cost)


@_summary.register
def _(action: a.PlaceBull, walk: Cursor, after: Table) -> Fact:
    placed = _first(e.BullPlaced, after.events)
    assert placed is not None
    forfeits = fact("choice.forfeits_tokens", count=placed.lost) if placed.lost else None
    return fact("choice.bull_token", spot=spot(after, action.hex, action.city), forfeits=forfeits)


@_summary.register
def _(action: a.RunRoutes, walk: Cursor, after: Table) -> Fact:
    return fact("summary.run", revenue=after.turn.revenue)


@_summary.register
def _(action: a.BuyTrain, walk: Cursor, after: Table) -> Fact:
    handed_in = fact("event.handing_in", train=action.trade_in) if action.trade_in else None
    return fact(
        "summary.buy_train",
        train=action.train,
        seller=seller(action.source),
        price=action.price,
        handed_in=handed_in,
    )


@_summary.register
def _(action: a.BuyPrivate, walk: Cursor, after: Table) -> Fact:
    return fact("choice.buy_private", private=action.private, price=action.price)


@_summary.register
def _(action: a.SellPrivate, walk: Cursor, after: Table) -> Fact:
    return fact("summary.sell_private", private=action.private, buyer=action.buyer, price=action.price)


@_summary.register
def _(action: a.Merge, walk: Cursor, after: Table) -> Fact:
    return fact(
        "summary.merge", company=action.entity, partner=action.partner, major=action.major, par=_par(after)
    )


@_summary.register
def _(action: a.Convert, walk: Cursor, after: Table) -> Fact:
    return fact("summary.convert", company=action.entity, major=action.major, par=_par(after))


def _par(after: Table) -> int:
    formed = _first(e.Formed, after.events)
    assert formed is not None
    return int(formed.par)


def _first(kind: type[e.Event], events: Sequence[e.Event]) -> Any:
    """The first event of a kind, None where there is none."""
    return next((event for event in events if isinstance(event, kind)), None)
