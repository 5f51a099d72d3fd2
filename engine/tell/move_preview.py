"""Previews of moves: a move is made on a copy of the table, and its summary, effects and events are shown.

All random draws are made openly during set-up, so a preview reveals none. If money is secret, a preview could reveal
players' cash, because the course of the game depends on it. In a draft, a preview could reveal other players' cards.
"""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import singledispatch
from typing import TypeVar

from engine.board.hexes import EDGE_NAMES
from engine.core import actions as a
from engine.core import events as e
from engine.core.events import Event
from engine.core.facts import Fact, fact
from engine.core.ids import REMOVED, PlayerId
from engine.core.offers import Offer, OfferCursor
from engine.core.state import Auction, Operating
from engine.game import Game
from engine.play.privates.auction import free_cash
from engine.play.steps.place_token import city_label
from engine.play.table import Table
from engine.tell.differences import money_changes, own_run_change
from engine.tell.narrate import seller_fact, sentences_of_table
from engine.tell.teller import teller_of
from engine.tell.words import PLAIN_STYLE, Style

EventType = TypeVar("EventType", bound=Event)


@dataclass(frozen=True, slots=True)
class Preview:
    """The preview of a complete move: a short and a full description, and the lines that would be posted."""

    summary: str
    """The move with its cost, such as `Lay #57 in G5, track SW-NE, $40`."""
    full_text: str
    """The summary and the effects, such as `: treasury $480 → $440`."""
    lines: tuple[str, ...]


def preview(game: Game, cursor: OfferCursor, style: Style = PLAIN_STYLE) -> Preview:
    """The preview of a move whose choices are complete."""
    table_after, teller = game.table_after(cursor), teller_of(game)
    summary_fact, changes = (
        summary(cursor, table_after),
        tuple(_money_changes(game.table, table_after, cursor)),
    )
    full_fact = (
        fact("summary.with_changes", summary=summary_fact, changes=changes) if changes else summary_fact
    )
    lines = [] if has_hidden_cards(game) else sentences_of_table(table_after, table_after.events, style)
    run_change = (
        own_run_change(game.table, table_after) if cursor.offer.kind in ROUTE_CHANGING_KINDS else None
    )
    if run_change is not None:
        lines.append(f"{teller.say(run_change)}.")
    return Preview(teller.say(summary_fact), teller.say(full_fact), tuple(lines))


def funds_fact(game: Game, offer: Offer) -> Fact:
    """The money for a move, as a message: the player's cash, their cash not committed to bids, and the treasury."""
    t = game.table
    cash, free_dollars = t.cash(offer.actor), free_cash(t, offer.actor) if t.is_selling_privates else None
    company = _acting_company(t, offer.entity)
    if company is not None and not t.state.companies[company].closed:
        return fact("funds.of_both", company=company, treasury=t.cash(company), player=offer.actor, cash=cash)
    if free_dollars is not None and free_dollars != cash:
        return fact("funds.free", player=offer.actor, cash=cash, free=free_dollars)
    return fact("funds.of_player", player=offer.actor, cash=cash)


ROUTE_CHANGING_KINDS = frozenset({"lay_tile", "place_token"})
"""Kinds of action that change track or tokens and so can change a company's routes, such as laying a tile."""


def _money_changes(table_before: Table, table_after: Table, cursor: OfferCursor) -> Iterator[Fact]:
    company_id = _acting_company(table_before, cursor.offer.entity)
    if company_id is not None and not table_after.state.companies[company_id].closed:
        yield from money_changes(table_before, table_after, company_id)
    yield from money_changes(table_before, table_after, cursor.offer.actor)


def _acting_company(t: Table, entity: str) -> str | None:
    """The company that acts, even if it uses one of its privates; None if a player acts."""
    if entity in t.state.companies:
        return entity
    current_round = t.state.round
    is_operating = (
        isinstance(current_round, Operating) and current_round.turn is not None and entity in t.state.privates
    )
    return t.turn.company if is_operating else None


@dataclass(frozen=True, slots=True)
class TriedMove:
    """A move made on a copy of the game: its events, and the game after it."""

    events: tuple[Event, ...]
    game: Game
    may_continue: bool
    """True if the game has gone on to the next decision; False if it stopped right after the move."""


def may_try_moves(game: Game, viewer: PlayerId | None) -> bool:
    """True if the viewer (None: a spectator) may try out moves on a copy of the game.

    In a draft of hidden cards, nobody may. If money is secret, only the player whose turn it is may, and
    not while a proposal waits for an answer: the result of an answer depends on the proposer's money.
    """
    if has_hidden_cards(game):
        return False
    return not _is_money_secret(game.table) or (game.actors() == (viewer,) and game.proposal is None)


def only_player_of_tried_moves(game: Game, viewer: PlayerId | None) -> PlayerId | None:
    """The only player whose moves the viewer may try out on a copy; None: every player's moves.

    If money or cards are secret, this is the viewer.
    """
    return viewer if _is_money_secret(game.table) or has_hidden_cards(game) else None


def has_hidden_cards(game: Game) -> bool:
    """True during a draft of hidden cards, in which players see only the cards offered to them."""
    return isinstance(game.table.state.round, Auction) and bool(game.table.auction.deck)


def try_move(game: Game, cursor: OfferCursor, viewer: PlayerId | None) -> TriedMove:
    """Make a move in `game`, which must be a copy; `viewer` is the player who tries it out.

    Raises IllegalAction, and changes nothing, if the move is illegal.
    """
    if not _is_money_secret(game.table):
        return TriedMove(game.apply_cursor(cursor), game, may_continue=True)
    table_after_move = game.table_after(cursor)
    events = game.apply_cursor(cursor)
    if game.actors() == (viewer,) and _turn_key(game.table) == _turn_key(table_after_move):
        return TriedMove(events, game, may_continue=True)
    visible_game = copy(game)
    visible_game.table = table_after_move
    # The events of the end reveal all holdings, so they are not shown beforehand.
    return TriedMove(
        () if table_after_move.state.over else tuple(table_after_move.events),
        visible_game,
        may_continue=False,
    )


def _is_money_secret(t: Table) -> bool:
    return t.spec.secret_cash and not t.state.over


def _turn_key(t: Table) -> tuple[object, ...]:
    """A key that changes when the game asks another player or skips one."""
    current_round = t.state.round
    if isinstance(current_round, Operating):
        return (
            current_round.set,
            current_round.number,
            current_round.done,
            current_round.turn and current_round.turn.company,
        )
    return current_round, t.state.auction


def summary(cursor: OfferCursor, table_after: Table) -> Fact:
    """A complete move with its cost, as players say it; `table_after` is the table after the move."""
    summary_fact = _action_summary(cursor.action(), cursor, table_after)
    proposal_event = _first_event(e.Proposed, table_after.events)
    return (
        summary_fact
        if proposal_event is None
        else fact("summary.ask", player=proposal_event.asked_player, summary=summary_fact)
    )


@singledispatch
def _action_summary(action: a.Action, cursor: OfferCursor, table_after: Table) -> Fact:
    """The summary of an action; for kinds without special words, the offer's label with the chosen values."""
    match action:
        case a.Dividend() | a.Answer():
            return next(cursor.labels())
        case a.RunRoutes():
            return fact("summary.run", revenue=table_after.turn.revenue)
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
                par=_par_of_formed_company(table_after),
            )
        case a.Convert():
            return fact(
                "summary.convert",
                company=action.entity,
                major=action.major,
                par=_par_of_formed_company(table_after),
            )
    pick_labels = tuple(cursor.labels())
    return (
        fact("summary.filled", offer=cursor.offer.label, picks=pick_labels)
        if pick_labels
        else cursor.offer.label
    )


@_action_summary.register
def _(action: a.Bid, cursor: OfferCursor, table_after: Table) -> Fact:
    bid_event = _first_event(e.BidPlaced, table_after.events)
    name = "choice.buy_at_price" if bid_event is None else "choice.bid_on"
    return fact(name, private=action.private, amount=action.amount)


@_action_summary.register
def _(action: a.Par, cursor: OfferCursor, table_after: Table) -> Fact:
    par_event = _first_event(e.Parred, table_after.events)
    name = "summary.par" if par_event is not None and par_event.dollars_paid else "summary.set_par"
    return fact(name, company=action.company, price=action.price)


@_action_summary.register
def _(action: a.BuyShare, cursor: OfferCursor, table_after: Table) -> Fact:
    purchase_event = _first_event(e.ShareBought, table_after.events)
    if purchase_event is None:
        name = "choice.share_named" if action.source == REMOVED else "choice.share_removed_only"
        return fact(name, company=action.company)
    return fact(
        "summary.buy_share",
        percent=purchase_event.percent,
        company=action.company,
        source=purchase_event.source,
        price=purchase_event.price,
    )


@_action_summary.register
def _(action: a.SellShares, cursor: OfferCursor, table_after: Table) -> Fact:
    sale_event = _first_event(e.SharesSold, table_after.events)
    assert sale_event is not None
    return fact(
        "summary.sell_shares",
        shares=sale_event.shares,
        company=sale_event.company,
        price_per_share=sale_event.price_per_share,
        old_price=sale_event.old_price,
        new_price=sale_event.new_price,
    )


@_action_summary.register
def _(action: a.LayTile, cursor: OfferCursor, table_after: Table) -> Fact:
    lay_event = _first_event(e.TileLaid, table_after.events)
    assert lay_event is not None
    side_names = EDGE_NAMES[table_after.spec.map.layout]
    edges = sorted(table_after.map.topology(lay_event.hex).edges)
    return fact(
        "summary.lay_tile",
        tile=lay_event.tile,
        hex=lay_event.hex,
        power=fact("event.by_private", private=lay_event.private) if lay_event.private else None,
        sides="-".join(side_names[edge] for edge in edges),
        terrain=fact("summary.terrain", cost=lay_event.cost) if lay_event.cost else None,
    )


@_action_summary.register
def _(action: a.PlaceToken, cursor: OfferCursor, table_after: Table) -> Fact:
    token_event = _first_event(e.TokenPlaced, table_after.events)
    assert token_event is not None
    return fact("choice.token", spot=city_label(table_after, action.hex, action.city), price=token_event.cost)


@_action_summary.register
def _(action: a.PlaceBull, cursor: OfferCursor, table_after: Table) -> Fact:
    token_event = _first_event(e.BullPlaced, table_after.events)
    assert token_event is not None
    forfeit_fact = (
        fact("choice.forfeits_tokens", count=token_event.lost_token_count)
        if token_event.lost_token_count
        else None
    )
    return fact(
        "choice.bull_token", spot=city_label(table_after, action.hex, action.city), forfeits=forfeit_fact
    )


@_action_summary.register
def _(action: a.BuyTrain, cursor: OfferCursor, table_after: Table) -> Fact:
    traded_in_fact = fact("event.handing_in", train=action.trade_in) if action.trade_in else None
    return fact(
        "summary.buy_train",
        train=action.train,
        seller=seller_fact(action.source),
        price=action.price,
        handed_in=traded_in_fact,
    )


def _par_of_formed_company(table_after: Table) -> int:
    formed_event = _first_event(e.MajorFormed, table_after.events)
    assert formed_event is not None
    return formed_event.par


def _first_event(kind: type[EventType], events: Sequence[e.Event]) -> EventType | None:
    return next((event for event in events if isinstance(event, kind)), None)
