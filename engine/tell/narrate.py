"""Events as public sentences. An event is told by the words of its own name, `event.bid_placed`, and its own values;
here stands what else there is to say of some, and which words fit where there are several.
"""

import re
from collections.abc import Iterable
from dataclasses import fields
from functools import singledispatch
from typing import Any

from engine.core import events as e
from engine.core.actions import Action
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, MARKET, POOL, CompanyId
from engine.game import Game
from engine.play.table import Table
from engine.routes.check import sum_text
from engine.tell.phase_changes import phase_changes
from engine.tell.teller import Teller
from engine.tell.words import PLAIN, Style


def sentences(events: Iterable[e.Event], game: Game, style: Style = PLAIN) -> list[str]:
    """One line for each event worth telling, in order, with the emphasis of the style."""
    return sentences_at(game.table, events, style)


def sentences_at(t: Table, events: Iterable[e.Event], style: Style = PLAIN) -> list[str]:
    """The same for events after which a table stands so."""
    facts = (event_fact(event, t) for event in events)
    teller = Teller(t.spec, t.state, style=style)
    return [teller.say(told) for told in facts if told is not None]


@singledispatch
def event_fact(event: e.Event, t: Table) -> Fact | None:
    """What an event is told by; None for one that is not worth a line."""
    return _told(event)


def _told(event: e.Event, words: str | None = None, /, **more: Any) -> Fact:
    """The event by its values and some more, in words of its own name or of another."""
    values = {field.name: getattr(event, field.name) for field in fields(event)}
    return Fact(words or own_name(type(event)), values | more)


def own_name(event: type) -> str:
    """What an event is called in the book of words: `BidPlaced` is `event.bid_placed`."""
    return "event." + re.sub(r"(?<!^)(?=[A-Z])", "_", event.__name__).lower()


# --- auction and shares ----------------------------------------------------------------------------------------


@event_fact.register
def _(event: e.Drawn, t: Table) -> Fact:
    return _told(event, "opening.certificate_drawn" if event.president else "opening.share_drawn")


@event_fact.register
def _(event: e.PrivateBought, t: Table) -> Fact:
    return _told(event) if event.price else _told(event, "event.private_for_nothing")


@event_fact.register
def _(event: e.ShareReceived, t: Table) -> Fact:
    return _told(event, "event.certificate_received") if event.president else _told(event)


@event_fact.register
def _(event: e.Parred, t: Table) -> Fact:
    return _told(event) if event.paid else _told(event, "event.par_set")


@event_fact.register
def _(event: e.ShareBought, t: Table) -> Fact:
    if event.source == event.company:
        return _told(event, "event.treasury_share_bought")
    if event.income not in (0, event.price):
        return _told(event, "event.share_bought_and_par_paid")
    return _told(event, "event.market_share_bought") if event.source == MARKET else _told(event)


@event_fact.register
def _(event: e.SharesSold, t: Table) -> Fact:
    return _told(event, sum=event.shares * event.each)


@event_fact.register
def _(event: e.Floated, t: Table) -> Fact:
    return _told(
        event, rest=fact("event.rest_to_market", percent=event.to_market) if event.to_market else None
    )


# --- a company's turn ------------------------------------------------------------------------------------------


@event_fact.register
def _(event: e.TileLaid, t: Table) -> Fact:
    before = event.treasury + event.cost
    terrain = fact("event.terrain_paid", cost=event.cost, before=before, treasury=event.treasury)
    return _told(
        event,
        power=fact("event.by_private", private=event.private) if event.private else None,
        terrain=terrain if event.cost else None,
    )


@event_fact.register
def _(event: e.TokenPlaced, t: Table) -> Fact:
    if not event.cost:
        return _told(event, "event.free_token_placed")
    return _told(event, before=event.treasury + event.cost)


@event_fact.register
def _(event: e.Ran, t: Table) -> Fact:
    if not event.runs:
        return _told(event, "event.ran_nothing")
    runs = tuple(
        fact("event.run", train=train, route="-".join(stops), values=sum_text(values), sum=sum(values))
        for train, stops, values in event.runs
    )
    return _told(event, runs=runs)


@event_fact.register
def _(event: e.Paid, t: Table) -> Fact:
    if event.per_share:
        return _told(event, rest=fact("event.rest_kept", amount=event.kept) if event.kept else None)
    return _told(event, "event.withheld" if event.revenue else "event.earned_nothing")


@event_fact.register
def _(event: e.MarkersGiven, t: Table) -> Fact:
    return _told(event) if event.companies else _told(event, "event.nobody_marked")


@event_fact.register
def _(event: e.MarkerReceived, t: Table) -> Fact:
    return _told(event, "event.marker_placed") if event.hex else _told(event)


@event_fact.register
def _(event: e.IncomePaid, t: Table) -> Fact:
    payments = tuple(
        fact("event.income_of", owner=owner, amount=amount, private=private)
        for owner, private, amount in event.payments
    )
    return _told(event, payments=payments)


# --- trains ----------------------------------------------------------------------------------------------------


@event_fact.register
def _(event: e.TrainBought, t: Table) -> Fact:
    return _told(
        event,
        seller=seller(event.source),
        handed_in=fact("event.handing_in", train=event.traded) if event.traded else None,
        help=fact("event.president_adds", amount=event.contribution) if event.contribution else None,
    )


@event_fact.register
def _(event: e.TrainAgreed, t: Table) -> Fact:
    return _told(event, seller=seller(event.source))


def seller(source: str) -> Fact:
    """Who sells a train: the bank, its pool or a company."""
    if source == BANK:
        return fact("event.from_bank")
    return fact("event.from_pool") if source == POOL else fact("event.from_company", company=source)


@event_fact.register
def _(event: e.PhaseStarted, t: Table) -> Fact:
    changes = tuple(phase_changes(t.spec, event.phase))
    told = fact("event.phase_changes", changes=changes) if changes else None
    return _told(event, name=fact("event.phase", phase=event.phase), changes=told)


@event_fact.register
def _(event: e.Rusted, t: Table) -> Fact:
    if not event.owners:
        return _told(event, "event.rusted_unowned")
    owners = tuple(fact("event.rusted_of", count=count, company=company) for company, count in event.owners)
    return _told(event, owners=owners)


@event_fact.register
def _(event: e.MadeObsolete, t: Table) -> Fact:
    kept = fact("event.obsolete_kept", companies=event.kept) if event.kept else None
    return _told(event, kept=kept, lost=_lost(event.lost))


def _lost(companies: tuple[CompanyId, ...]) -> Fact | None:
    if len(companies) > 1:
        return fact("event.obsolete_lost_by_several", companies=companies)
    return fact("event.obsolete_lost", company=companies[0]) if companies else None


@event_fact.register
def _(event: e.ObsoleteGone, t: Table) -> Fact:
    return _told(event, trains=tuple(fact("choice.train", train=train) for train in event.trains))


@event_fact.register
def _(event: e.Formed, t: Table) -> Fact:
    trains = fact("sheet.trains", trains=" ".join(event.trains)) if event.trains else fact("sheet.no_trains")
    return _told(event, "event.merged" if len(event.minors) > 1 else "event.converted", trains=trains)


# --- the table -------------------------------------------------------------------------------------------------


@event_fact.register
def _(event: e.RoundStarted, t: Table) -> Fact:
    if event.kind in {"operating", "merger"}:
        return _told(event, round=fact(f"round.{event.kind}", set=event.set, number=event.number))
    name = "event.round_started" if event.first is None else "event.stock_round_started"
    return _told(event, name, round=fact("round.stock", number=event.set))


@event_fact.register
def _(event: e.Passed, t: Table) -> Fact | None:
    if event.declined is None:
        return None if event.entity in t.state.companies else _told(event)
    left = event.declined.name == "declined.auction"
    return _told(event, "event.left" if left else "event.declined")


@event_fact.register
def _(event: e.Skipped, t: Table) -> Fact:
    return _told(event, what=fact(f"skipped.{event.step}"))


@event_fact.register
def _(event: e.Proposed, t: Table) -> Fact:
    return _told(event, proposal=_proposal(event.action))


@event_fact.register
def _(event: e.ProposalEnded, t: Table) -> Fact:
    name = "event.proposal_withdrawn" if event.withdrawn else "event.proposal_refused"
    return _told(event, name, proposal=_proposal(event.action))


def _proposal(action: Action) -> Fact:
    return fact(f"proposal.{action.kind}", actor=action.actor, entity=action.entity, **action.chosen())


@event_fact.register
def _(event: e.EndTriggered, t: Table) -> Fact:
    rest = fact(f"remaining.{event.during}_{event.after}", more=event.more)
    return _told(event, reason=fact(f"ending.{event.reason}"), rest=rest)


@event_fact.register
def _(event: e.GameOver, t: Table) -> Fact:
    scores = tuple(fact("event.score", player=player, total=total) for player, total in event.scores)
    return _told(event, heading=fact("game.over"), reason=fact(f"ending.{event.reason}"), scores=scores)
