"""Events as public sentences: which events get a line, in which order, and with which values.

The text key of an event is its class name, such as `event.bid_placed`; the text uses the event's fields. For some
events, this module adds values or chooses between several texts.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from functools import singledispatch
from itertools import groupby
from typing import Any

from engine.core import events as e
from engine.core.actions import Action
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, MARKET, POOL, REISSUED, CompanyId, PrivateId, TrainName
from engine.game import Game
from engine.play.table import Table
from engine.play.trains.phases import train_limit
from engine.routes.legal_routes import sum_text
from engine.tell.teller import Teller, numbered_round_fact
from engine.tell.title_facts import phase_changes
from engine.tell.words import PLAIN_STYLE, Style


def sentences(events: Iterable[e.Event], game: Game, style: Style = PLAIN_STYLE) -> list[str]:
    """One line for each event that has a text; causes come before effects. `game` is the game after the events."""
    return sentences_of_table(game.table, events, style)


def sentences_of_table(t: Table, events: Iterable[e.Event], style: Style = PLAIN_STYLE) -> list[str]:
    """One line for each event that has a text; causes come before effects. `t` is the table after the events."""
    facts = (_fact_of_group(group, t) for group in sentence_groups(events_with_causes_first(events)))
    teller = Teller(t.spec, t.state, style=style)
    return [teller.say(fact) for fact in facts if fact is not None]


def sentence_groups(events: Iterable[e.Event]) -> Iterator[tuple[e.Event, ...]]:
    """Events grouped into sentences.

    Consecutive closings of privates share a sentence; each other event has a separate one.
    """
    for is_closing, group in groupby(events, lambda event: isinstance(event, e.PrivateClosed)):
        group_events = tuple(group)
        yield from [group_events] if is_closing else ((event,) for event in group_events)


def _fact_of_group(group: tuple[e.Event, ...], t: Table) -> Fact | None:
    if len(group) == 1:
        return event_fact(group[0], t)
    return fact(
        "event.privates_closed",
        privates=tuple(event.private for event in group if isinstance(event, e.PrivateClosed)),
    )


def events_with_causes_first(events: Iterable[e.Event]) -> list[e.Event]:
    """The events reordered so that causes come before their effects."""
    ordered_events = list(events)
    for event in [
        event for event in ordered_events if isinstance(event, e.EndTriggered | e.PresidentChanged)
    ]:
        index = next(n for n, other_event in enumerate(ordered_events) if other_event is event)
        causes = [
            n
            for n, other_event in enumerate(ordered_events)
            if n > index and _is_cause_of(other_event, event)
        ]
        if causes:
            ordered_events.insert(causes[-1] + 1, event)
            del ordered_events[index]
    return ordered_events


def _is_cause_of(cause: e.Event, event: e.Event) -> bool:
    """True if `cause` led to `event`: for example, the sale of shares that changed a presidency."""
    if isinstance(event, e.PresidentChanged):
        return isinstance(cause, e.SharesSold) and cause.company == event.company
    return isinstance(event, e.EndTriggered) and isinstance(cause, e.DividendDecided | e.HalfPaid)


@singledispatch
def event_fact(event: e.Event, t: Table) -> Fact | None:
    """The message for an event's line; None if the event has no line."""
    match event:
        case e.CertificateDrawn(is_president_certificate=True):
            return fact_from_event(event, "opening.certificate_drawn")
        case e.CertificateDrawn():
            return fact_from_event(event, "opening.share_drawn")
        case e.EventTrainDrawn():
            return fact_from_event(event, "opening.event_train_drawn")
        case e.TilesTakenBack() if not event.hexes:
            return fact_from_event(event, "event.no_tiles_taken_back")
        case e.LayRewarded():
            power = fact("event.by_private", private=event.private) if event.private else None
            return fact_from_event(event, power=power)
        case e.PriceReduced():
            return fact_from_event(event, named=_full_private_name(t, event.private))
        case e.ShareReceived(is_president_certificate=True):
            return fact_from_event(event, "event.certificate_received")
        case e.Parred() if not event.dollars_paid:
            return fact_from_event(event, "event.par_set")
        case e.SharesRedeemed() if event.source != MARKET:
            return fact_from_event(event, "event.redeemed_from_player")
        case e.PlayerEliminated() if event.receiver != BANK:
            return fact_from_event(event, "event.player_eliminated_for_company")
        case e.SharesIssued() if not event.offering_shares:
            return fact_from_event(event, "event.issued_from_treasury")
        case e.PriceMoved() if event.new_price < event.old_price:
            return fact_from_event(event, "event.price_fell")
        case e.RandomlyRemoved():
            between = fact("event.randomly_removed_between") if event.companies and event.privates else None
            return fact_from_event(event, between=between)
        case e.TookOver():
            name = "event.took_over_trains" if event.trains else "event.took_over_no_trains"
            return fact_from_event(event, trains=fact(name, trains=_train_facts(event.trains)))
        case e.SharesSold():
            proceeds = event.shares * event.price_per_share
            return fact_from_event(event, sum=proceeds, price=_price_change_fact(event))
        case e.TokenPlaced() if not event.cost:
            return fact_from_event(event, "event.free_token_placed")
        case e.DestinationReached(keeps_reserved_token=True):
            return fact_from_event(event, "event.destination_reached_spared")
        case e.DestinationReached(takes_no_space=True):
            return fact_from_event(event, "event.destination_reached_beside")
        case e.HalfPaid():
            return fact_from_event(event, kept=event.revenue - event.amount)
        case e.MarkersGiven() if not event.companies:
            return fact_from_event(event, "event.nobody_marked")
        case e.MarkerReceived() if event.hex:
            return fact_from_event(event, "event.marker_placed")
        case e.MarkerBought() | e.TrainPurchaseAgreed():
            return fact_from_event(event, seller=seller_fact(event.source))
        case e.PrivateGivenUp() if not event.dollars:
            return fact_from_event(event, "event.private_given_up_for_its_token")
        case e.ObsoleteTrainsRemoved():
            return fact_from_event(event, trains=_train_facts(event.trains))
        case e.StepSkipped():
            return fact_from_event(event, what=fact(f"skipped.{event.step}"))
        case e.Proposed():
            return fact_from_event(event, proposal=_proposal_fact(event.action))
    return fact_from_event(event)


def _train_facts(trains: Iterable[str]) -> tuple[Fact, ...]:
    return tuple(fact("choice.train", train=train) for train in trains)


def fact_from_event(event: e.Event, fact_key: str | None = None, /, **more_values: Any) -> Fact:
    """The message for an event: the event's fields and `more_values`, under the event's text key or `fact_key`."""
    values = {field.name: getattr(event, field.name) for field in fields(event)}
    return Fact(fact_key or event_fact_key(type(event)), values | more_values)


def event_fact_key(event: type) -> str:
    """The event's text key: `BidPlaced` becomes `event.bid_placed`."""
    return "event." + re.sub(r"(?<!^)(?=[A-Z])", "_", event.__name__).lower()


# --- auction and shares ----------------------------------------------------------------------------------------


@event_fact.register
def _(event: e.PrivateBought, t: Table) -> Fact:
    fact_key = "event.private_bought" if event.price else "event.private_for_nothing"
    return fact_from_event(event, fact_key, named=_full_private_name(t, event.private))


def _full_private_name(t: Table, private: PrivateId) -> Fact:
    """The printed name of a private with its abbreviation, such as `Cornelius Vanderbilt (CV)`."""
    return fact("event.private_named", name=t.spec.privates[private].name, private=private)


@event_fact.register
def _(event: e.ShareBought, t: Table) -> Fact:
    if event.source == event.company:
        return fact_from_event(event, "event.treasury_share_bought")
    if event.source == REISSUED:
        return fact_from_event(event, "event.reissued_share_bought")
    if event.income not in (0, event.price):
        return fact_from_event(event, "event.share_bought_and_par_paid")
    return (
        fact_from_event(event, "event.market_share_bought")
        if event.source == MARKET
        else fact_from_event(event)
    )


@event_fact.register
def _(event: e.TokensBought, t: Table) -> Fact:
    if not event.prices:
        return fact_from_event(event, "event.no_tokens_bought")
    bull_fact = fact("event.and_a_bull") if event.bull_count else None
    return fact_from_event(event, tokens=_token_prices_fact(event.prices), bull=bull_fact)


@event_fact.register
def _(event: e.TokensReceived, t: Table) -> Fact:
    destination_fact = fact("event.one_for_destination") if event.reserved_count else None
    return fact_from_event(event, tokens=_token_prices_fact(event.prices), destination=destination_fact)


def _token_prices_fact(prices: Sequence[int]) -> Fact:
    return fact("event.tokens_at", prices=tuple(fact("choice.dollars", amount=price) for price in prices))


@event_fact.register
def _(event: e.Floated, t: Table) -> Fact:
    market_shares_fact = (
        fact("event.rest_to_market", percent=event.percent_to_market) if event.percent_to_market else None
    )
    return fact_from_event(event, rest=market_shares_fact)


# --- a company's turn ------------------------------------------------------------------------------------------


@event_fact.register
def _(event: e.TileLaid, t: Table) -> Fact:
    terrain_fact = fact("event.terrain_paid", cost=event.cost, treasury=event.treasury)
    return fact_from_event(
        event,
        power=fact("event.by_private", private=event.private) if event.private else None,
        terrain=terrain_fact if event.cost else None,
    )


@event_fact.register
def _(event: e.TrainsRan, t: Table) -> Fact:
    if not event.runs:
        return fact_from_event(event, "event.trains_ran_nothing")
    runs = tuple(
        fact("event.run", train=train, route=_route_text(t, stops), values=sum_text(values), sum=sum(values))
        for train, stops, values in event.runs
    )
    return fact_from_event(event, runs=runs)


def _route_text(t: Table, stops: Sequence[str]) -> str:
    """The places of a route and their hexes, such as `Columbia-Harrisburg (G3-F2)`."""
    names = [_hex_name(t, stop) for stop in stops]
    hexes = "-".join(stops)
    return hexes if names == list(stops) else f"{'-'.join(names)} ({hexes})"


def _hex_name(t: Table, stop: str) -> str:
    hex_spec = t.spec.map.all_hexes.get(stop)
    return hex_spec.name if hex_spec is not None and hex_spec.name else stop


@event_fact.register
def _(event: e.DividendDecided, t: Table) -> Fact:
    if event.dividend_per_share:
        return fact_from_event(
            event,
            total=event.dividend_per_share * 100 // t.state.companies[event.company].share,
            shared=_payments_fact(event, t),
            rest=fact("event.rest_kept", amount=event.dollars_withheld) if event.dollars_withheld else None,
            price=_price_change_fact(event),
        )
    if not event.revenue:
        return fact_from_event(event, "event.earned_nothing", price=_price_change_fact(event))
    treasury = t.state.companies[event.company].cash
    return fact_from_event(event, "event.withheld", treasury=treasury, price=_price_change_fact(event))


def _price_change_fact(event: e.DividendDecided | e.SharesSold) -> Fact:
    name = "event.price_stays" if event.old_price == event.new_price else "event.price_from_to"
    return fact(name, old_price=event.old_price, new_price=event.new_price)


def _payments_fact(event: e.DividendDecided, t: Table) -> Fact | None:
    company = t.state.companies[event.company]
    dollars_by_player = {
        player.id: event.dividend_per_share * company.percent(player.id) // company.share
        for player in t.state.players
    }
    payment_facts = tuple(
        fact("event.payment", owner=owner, amount=amount)
        for owner, amount in dollars_by_player.items()
        if amount
    )
    return fact("event.shared_out", payments=payment_facts) if payment_facts else None


@event_fact.register
def _(event: e.BullPlaced, t: Table) -> Fact:
    return fact_from_event(
        event,
        space=fact("event.bull_beside") if event.takes_no_space else None,
        rest=fact("event.bull_forfeits", count=event.lost_token_count) if event.lost_token_count else None,
    )


@event_fact.register
def _(event: e.IncomePaid, t: Table) -> Fact:
    payment_facts = tuple(
        fact("event.income_of", owner=owner, amount=amount, private=private)
        for owner, private, amount in event.payments
    )
    return fact_from_event(event, payments=payment_facts)


# --- trains ----------------------------------------------------------------------------------------------------


@event_fact.register
def _(event: e.TrainBought, t: Table) -> Fact:
    return fact_from_event(
        event,
        seller=seller_fact(event.source),
        handed_in=fact("event.handing_in", train=event.traded_in_train) if event.traded_in_train else None,
        help=_president_contribution_fact(event, t) if event.contribution else None,
    )


def _president_contribution_fact(event: e.TrainBought, t: Table) -> Fact:
    president = t.state.companies[event.company].president or event.company
    return fact("event.president_adds", president=president, amount=event.contribution)


@event_fact.register
def _(event: e.TrainDiscarded, t: Table) -> Fact:
    name = "event.obsolete_train_discarded" if event.is_obsolete else "event.train_discarded"
    return fact_from_event(event, name, limit=train_limit(t, t.state.companies[event.company]))


@event_fact.register
def _(event: e.TrainExported, t: Table) -> Fact:
    count = t.state.depot[event.train]
    trains_left_fact = fact("event.exported_left", count=count) if count else fact("event.exported_last")
    return fact_from_event(event, left=None if count is None else trains_left_fact)


def seller_fact(source: str) -> Fact:
    """The seller of a train in words: the bank, its pool or a company."""
    if source == BANK:
        return fact("event.from_bank")
    return fact("event.from_pool") if source == POOL else fact("event.from_company", company=source)


@event_fact.register
def _(event: e.PhaseStarted, t: Table) -> Fact:
    phase_change_facts = tuple(phase_changes(t.spec, event.phase))
    changes = fact("event.phase_changes", changes=phase_change_facts) if phase_change_facts else None
    return fact_from_event(event, name=fact("event.phase", phase=event.phase), changes=changes)


@event_fact.register
def _(event: e.TrainsRusted, t: Table) -> Fact:
    if not event.owners:
        return fact_from_event(event, "event.rusted_unowned")
    owner_facts = tuple(
        fact("event.rusted_of", count=count, company=company) for company, count in event.owners
    )
    return fact_from_event(event, owners=owner_facts)


@event_fact.register
def _(event: e.TrainsMadeObsolete, t: Table) -> Fact:
    kept_fact = fact("event.obsolete_kept", companies=event.kept_by) if event.kept_by else None
    return fact_from_event(event, kept=kept_fact, lost=_lost_trains_fact(event.lost_by))


def _lost_trains_fact(companies: tuple[CompanyId, ...]) -> Fact | None:
    if len(companies) > 1:
        return fact("event.obsolete_lost_by_several", companies=companies)
    return fact("event.obsolete_lost", company=companies[0]) if companies else None


@event_fact.register
def _(event: e.CompaniesUnited, t: Table) -> Fact:
    tokens_fact = (
        fact("event.tokens_given_back", hexes=event.returned_token_hexes)
        if event.returned_token_hexes
        else None
    )
    return fact_from_event(event, trains=_train_list_fact(event.trains), tokens=tokens_fact)


@event_fact.register
def _(event: e.SharesExchanged, t: Table) -> Fact:
    player_facts = tuple(
        fact(
            "event.shares_exchanged_for",
            player=player,
            shares=shares,
            paid=fact("event.odd_share_paid", amount=paid) if paid else None,
        )
        for player, shares, paid in event.players
    )
    return fact_from_event(event, players=player_facts)


def _train_list_fact(trains: tuple[TrainName, ...]) -> Fact:
    return fact("sheet.trains", trains=" ".join(trains)) if trains else fact("sheet.no_trains")


@event_fact.register
def _(event: e.MajorFormed, t: Table) -> Fact:
    name = "event.merged" if len(event.minors) > 1 else "event.converted"
    return fact_from_event(event, name, trains=_train_list_fact(event.trains))


# --- the table -------------------------------------------------------------------------------------------------


@event_fact.register
def _(event: e.RoundStarted, t: Table) -> Fact:
    if event.kind in {"operating", "merger"}:
        return fact_from_event(
            event, round=numbered_round_fact(event.kind, event.set_number, event.round_number)
        )
    name = "event.round_started" if event.first_player is None else "event.stock_round_started"
    return fact_from_event(event, name, round=fact("round.stock", number=event.set_number))


@event_fact.register
def _(event: e.Passed, t: Table) -> Fact | None:
    if event.declined is None:
        return None if event.entity in t.state.companies else fact_from_event(event)
    has_left_auction = event.declined.name == "declined.auction"
    return fact_from_event(event, "event.left" if has_left_auction else "event.declined")


@event_fact.register
def _(event: e.ProposalEnded, t: Table) -> Fact:
    name = "event.proposal_withdrawn" if event.is_withdrawn else "event.proposal_refused"
    return fact_from_event(event, name, proposal=_proposal_fact(event.action))


def _proposal_fact(action: Action) -> Fact:
    return fact(f"proposal.{action.kind}", actor=action.actor, entity=action.entity, **action.chosen())


@event_fact.register
def _(event: e.EndTriggered, t: Table) -> Fact:
    market_shares_fact = fact(
        f"remaining.{event.current_round}_{event.what_follows}", further_round_count=event.further_round_count
    )
    return fact_from_event(event, reason=fact(f"ending.{event.reason}"), rest=market_shares_fact)


@event_fact.register
def _(event: e.GameOver, t: Table) -> Fact:
    score_facts = tuple(fact("event.score", player=player, total=total) for player, total in event.scores)
    return fact_from_event(
        event, heading=fact("game.over"), reason=fact(f"ending.{event.reason}"), scores=score_facts
    )
