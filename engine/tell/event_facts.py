"""The facts that the lines about events of auctions, stock rounds and companies' turns need.

An event is described in the words of its own name, `event.bid_placed`, and its own values; here stands what else there
is to say of some, and which words fit where there are several. Those of trains and of the table stand in `narrate`.
"""

import re
from collections.abc import Sequence
from dataclasses import fields
from functools import singledispatch
from typing import Any

from engine.core import events as e
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, MARKET, REISSUED, PrivateId
from engine.play.table import Table
from engine.routes.legal_routes import sum_text


@singledispatch
def event_fact(event: e.Event, t: Table) -> Fact | None:
    """The facts of an event's line; None for an event that is not worth a line."""
    return fact_of(event)


def fact_of(event: e.Event, words: str | None = None, /, **more: Any) -> Fact:
    """The event by its values and some more, in words of its own name or of another."""
    values = {field.name: getattr(event, field.name) for field in fields(event)}
    return Fact(words or own_name(type(event)), values | more)


def own_name(event: type) -> str:
    """The key of an event in the book of words: `BidPlaced` is `event.bid_placed`."""
    return "event." + re.sub(r"(?<!^)(?=[A-Z])", "_", event.__name__).lower()


# --- auction and shares ----------------------------------------------------------------------------------------


@event_fact.register
def _(event: e.Drawn, t: Table) -> Fact:
    return fact_of(event, "opening.certificate_drawn" if event.president else "opening.share_drawn")


@event_fact.register
def _(event: e.PrivateBought, t: Table) -> Fact:
    named = _in_full(t, event.private)
    return (
        fact_of(event, named=named)
        if event.price
        else fact_of(event, "event.private_for_nothing", named=named)
    )


@event_fact.register
def _(event: e.PriceReduced, t: Table) -> Fact:
    return fact_of(event, named=_in_full(t, event.private))


def _in_full(t: Table, private: PrivateId) -> Fact:
    """The printed name of a private with its letters: `Cornelius Vanderbilt (CV)`."""
    return fact("event.private_named", name=t.spec.privates[private].name, private=private)


@event_fact.register
def _(event: e.ShareReceived, t: Table) -> Fact:
    return fact_of(event, "event.certificate_received") if event.president else fact_of(event)


@event_fact.register
def _(event: e.Parred, t: Table) -> Fact:
    return fact_of(event) if event.paid else fact_of(event, "event.par_set")


@event_fact.register
def _(event: e.ShareBought, t: Table) -> Fact:
    if event.source == event.company:
        return fact_of(event, "event.treasury_share_bought")
    if event.source == REISSUED:
        return fact_of(event, "event.reissued_share_bought")
    if event.income not in (0, event.price):
        return fact_of(event, "event.share_bought_and_par_paid")
    return fact_of(event, "event.market_share_bought") if event.source == MARKET else fact_of(event)


@event_fact.register
def _(event: e.Redeemed, t: Table) -> Fact:
    return fact_of(event) if event.source == MARKET else fact_of(event, "event.redeemed_from_player")


@event_fact.register
def _(event: e.TokensBought, t: Table) -> Fact:
    if not event.prices:
        return fact_of(event, "event.no_tokens_bought")
    bull = fact("event.and_a_bull") if event.bulls else None
    return fact_of(event, tokens=_tokens(event.prices), bull=bull)


@event_fact.register
def _(event: e.TokensReceived, t: Table) -> Fact:
    destination = fact("event.one_for_destination") if event.reserved else None
    return fact_of(event, tokens=_tokens(event.prices), destination=destination)


def _tokens(prices: Sequence[int]) -> Fact:
    return fact("event.tokens_at", prices=tuple(fact("choice.dollars", amount=price) for price in prices))


@event_fact.register
def _(event: e.SharesSold, t: Table) -> Fact:
    return fact_of(event, sum=event.shares * event.each, price=_price(event))


@event_fact.register
def _(event: e.Floated, t: Table) -> Fact:
    return fact_of(
        event, rest=fact("event.rest_to_market", percent=event.to_market) if event.to_market else None
    )


# --- a company's turn ------------------------------------------------------------------------------------------


@event_fact.register
def _(event: e.TileLaid, t: Table) -> Fact:
    terrain = fact("event.terrain_paid", cost=event.cost, treasury=event.treasury)
    return fact_of(
        event,
        power=fact("event.by_private", private=event.private) if event.private else None,
        terrain=terrain if event.cost else None,
    )


@event_fact.register
def _(event: e.TokenPlaced, t: Table) -> Fact:
    return fact_of(event) if event.cost else fact_of(event, "event.free_token_placed")


@event_fact.register
def _(event: e.Ran, t: Table) -> Fact:
    if not event.runs:
        return fact_of(event, "event.ran_nothing")
    runs = tuple(
        fact("event.run", train=train, route=_route(t, stops), values=sum_text(values), sum=sum(values))
        for train, stops, values in event.runs
    )
    return fact_of(event, runs=runs)


def _route(t: Table, stops: Sequence[str]) -> str:
    """The places of a route, and their hexes: `Columbia-Harrisburg (G3-F2)`."""
    names = [_name(t, stop) for stop in stops]
    hexes = "-".join(stops)
    return hexes if names == list(stops) else f"{'-'.join(names)} ({hexes})"


def _name(t: Table, stop: str) -> str:
    printed = t.spec.map.all_hexes.get(stop)
    return printed.name if printed is not None and printed.name else stop


@event_fact.register
def _(event: e.DestinationReached, t: Table) -> Fact:
    if event.spared:
        return fact_of(event, "event.destination_reached_spared")
    return fact_of(event, "event.destination_reached_beside") if event.beside else fact_of(event)


@event_fact.register
def _(event: e.Paid, t: Table) -> Fact:
    if event.per_share:
        return fact_of(
            event,
            total=event.per_share * 100 // t.state.companies[event.company].share,
            shared=_shared_out(event, t),
            rest=fact("event.rest_kept", amount=event.kept) if event.kept else None,
            price=_price(event),
        )
    if not event.revenue:
        return fact_of(event, "event.earned_nothing", price=_price(event))
    treasury = t.state.companies[event.company].cash
    return fact_of(event, "event.withheld", treasury=treasury, price=_price(event))


@event_fact.register
def _(event: e.HalfPaid, t: Table) -> Fact:
    return fact_of(event, kept=event.revenue - event.amount)


def _price(event: e.Paid | e.SharesSold) -> Fact:
    """Where the share price went; where it stayed, no arrow."""
    name = "event.price_stays" if event.old == event.new else "event.price_from_to"
    return fact(name, old=event.old, new=event.new)


def _shared_out(event: e.Paid, t: Table) -> Fact | None:
    """What each player received, in seating order."""
    company = t.state.companies[event.company]
    amounts = {
        player.id: event.per_share * company.percent(player.id) // company.share for player in t.state.players
    }
    payments = tuple(
        fact("event.payment", owner=owner, amount=amount) for owner, amount in amounts.items() if amount
    )
    return fact("event.shared_out", payments=payments) if payments else None


@event_fact.register
def _(event: e.MarkersGiven, t: Table) -> Fact:
    return fact_of(event) if event.companies else fact_of(event, "event.nobody_marked")


@event_fact.register
def _(event: e.MarkerBought, t: Table) -> Fact:
    bank = event.source == BANK
    return fact_of(
        event, seller=fact("event.from_bank") if bank else fact("event.from_company", company=event.source)
    )


@event_fact.register
def _(event: e.BullPlaced, t: Table) -> Fact:
    return fact_of(
        event,
        space=fact("event.bull_beside") if event.beside else None,
        rest=fact("event.bull_forfeits", count=event.lost) if event.lost else None,
    )


@event_fact.register
def _(event: e.GivenUp, t: Table) -> Fact:
    return fact_of(event) if event.dollars else fact_of(event, "event.given_up_for_its_token")


@event_fact.register
def _(event: e.MarkerReceived, t: Table) -> Fact:
    return fact_of(event, "event.marker_placed") if event.hex else fact_of(event)


@event_fact.register
def _(event: e.IncomePaid, t: Table) -> Fact:
    payments = tuple(
        fact("event.income_of", owner=owner, amount=amount, private=private)
        for owner, private, amount in event.payments
    )
    return fact_of(event, payments=payments)
