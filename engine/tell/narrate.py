"""Events as public sentences; here stand those of trains and of the table, too."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from engine.core import events as e
from engine.core.actions import Action
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, POOL, CompanyId, TrainName
from engine.game import Game
from engine.play.table import Table
from engine.play.trains.phases import train_limit
from engine.tell.event_facts import event_fact, fact_of
from engine.tell.teller import Teller, numbered_round
from engine.tell.title_facts import phase_changes
from engine.tell.words import PLAIN, Style


def sentences(events: Iterable[e.Event], game: Game, style: Style = PLAIN) -> list[str]:
    """One line for each event worth telling, in order, with the emphasis of the style."""
    return sentences_at(game.table, events, style)


def sentences_at(t: Table, events: Iterable[e.Event], style: Style = PLAIN) -> list[str]:
    """The same for events after which a table stands so."""
    facts = (_fact(group, t) for group in grouped(in_order(events)))
    teller = Teller(t.spec, t.state, style=style)
    return [teller.say(one) for one in facts if one is not None]


def grouped(events: Iterable[e.Event]) -> Iterator[tuple[e.Event, ...]]:
    """Events with one sentence: privates that close one after the other; each other event alone."""
    for closes, run in groupby(events, lambda event: isinstance(event, e.PrivateClosed)):
        found = tuple(run)
        yield from [found] if closes else ((event,) for event in found)


def _fact(group: tuple[e.Event, ...], t: Table) -> Fact | None:
    if len(group) == 1:
        return event_fact(group[0], t)
    return fact(
        "event.privates_closed",
        privates=tuple(one.private for one in group if isinstance(one, e.PrivateClosed)),
    )


def in_order(events: Iterable[e.Event]) -> list[e.Event]:
    """Events in the order of their sentences: what brings something about comes before it."""
    found = list(events)
    for event in [one for one in found if isinstance(one, e.EndTriggered | e.PresidentChanged)]:
        number = next(n for n, one in enumerate(found) if one is event)
        causes = [n for n, one in enumerate(found) if n > number and _brings_about(one, event)]
        if causes:
            found.insert(causes[-1] + 1, event)
            del found[number]
    return found


def _brings_about(cause: e.Event, event: e.Event) -> bool:
    """Whether a payment ends the game, or a sale changes a presidency."""
    if isinstance(event, e.PresidentChanged):
        return isinstance(cause, e.SharesSold) and cause.company == event.company
    return isinstance(event, e.EndTriggered) and isinstance(cause, e.Paid | e.HalfPaid)


# --- trains ----------------------------------------------------------------------------------------------------


@event_fact.register
def _(event: e.TrainBought, t: Table) -> Fact:
    return fact_of(
        event,
        seller=seller(event.source),
        handed_in=fact("event.handing_in", train=event.traded) if event.traded else None,
        help=_help(event, t) if event.contribution else None,
    )


def _help(event: e.TrainBought, t: Table) -> Fact:
    president = t.state.companies[event.company].president or event.company
    return fact("event.president_adds", president=president, amount=event.contribution)


@event_fact.register
def _(event: e.TrainDiscarded, t: Table) -> Fact:
    name = "event.obsolete_train_discarded" if event.obsolete else "event.train_discarded"
    return fact_of(event, name, limit=train_limit(t, t.state.companies[event.company]))


@event_fact.register
def _(event: e.TrainExported, t: Table) -> Fact:
    count = t.state.depot[event.train]
    left = fact("event.exported_left", count=count) if count else fact("event.exported_last")
    return fact_of(event, left=None if count is None else left)


@event_fact.register
def _(event: e.TrainAgreed, t: Table) -> Fact:
    return fact_of(event, seller=seller(event.source))


def seller(source: str) -> Fact:
    """Who sells a train: the bank, its pool or a company."""
    if source == BANK:
        return fact("event.from_bank")
    return fact("event.from_pool") if source == POOL else fact("event.from_company", company=source)


@event_fact.register
def _(event: e.PhaseStarted, t: Table) -> Fact:
    found = tuple(phase_changes(t.spec, event.phase))
    changes = fact("event.phase_changes", changes=found) if found else None
    return fact_of(event, name=fact("event.phase", phase=event.phase), changes=changes)


@event_fact.register
def _(event: e.Rusted, t: Table) -> Fact:
    if not event.owners:
        return fact_of(event, "event.rusted_unowned")
    owners = tuple(fact("event.rusted_of", count=count, company=company) for company, count in event.owners)
    return fact_of(event, owners=owners)


@event_fact.register
def _(event: e.MadeObsolete, t: Table) -> Fact:
    kept = fact("event.obsolete_kept", companies=event.kept) if event.kept else None
    return fact_of(event, kept=kept, lost=_lost(event.lost))


def _lost(companies: tuple[CompanyId, ...]) -> Fact | None:
    if len(companies) > 1:
        return fact("event.obsolete_lost_by_several", companies=companies)
    return fact("event.obsolete_lost", company=companies[0]) if companies else None


@event_fact.register
def _(event: e.ObsoleteGone, t: Table) -> Fact:
    return fact_of(event, trains=tuple(fact("choice.train", train=train) for train in event.trains))


@event_fact.register
def _(event: e.United, t: Table) -> Fact:
    tokens = fact("event.tokens_given_back", hexes=event.given_back) if event.given_back else None
    return fact_of(event, trains=_trains(event.trains), tokens=tokens)


@event_fact.register
def _(event: e.SharesExchanged, t: Table) -> Fact:
    players = tuple(
        fact(
            "event.shares_exchanged_for",
            player=player,
            shares=shares,
            paid=fact("event.odd_share_paid", amount=paid) if paid else None,
        )
        for player, shares, paid in event.players
    )
    return fact_of(event, players=players)


def _trains(trains: tuple[TrainName, ...]) -> Fact:
    return fact("sheet.trains", trains=" ".join(trains)) if trains else fact("sheet.no_trains")


@event_fact.register
def _(event: e.Formed, t: Table) -> Fact:
    name = "event.merged" if len(event.minors) > 1 else "event.converted"
    return fact_of(event, name, trains=_trains(event.trains))


# --- the table -------------------------------------------------------------------------------------------------


@event_fact.register
def _(event: e.RoundStarted, t: Table) -> Fact:
    if event.kind in {"operating", "merger"}:
        return fact_of(event, round=numbered_round(event.kind, event.set, event.number))
    name = "event.round_started" if event.first is None else "event.stock_round_started"
    return fact_of(event, name, round=fact("round.stock", number=event.set))


@event_fact.register
def _(event: e.Passed, t: Table) -> Fact | None:
    if event.declined is None:
        return None if event.entity in t.state.companies else fact_of(event)
    left = event.declined.name == "declined.auction"
    return fact_of(event, "event.left" if left else "event.declined")


@event_fact.register
def _(event: e.Skipped, t: Table) -> Fact:
    return fact_of(event, what=fact(f"skipped.{event.step}"))


@event_fact.register
def _(event: e.Proposed, t: Table) -> Fact:
    return fact_of(event, proposal=_proposal(event.action))


@event_fact.register
def _(event: e.ProposalEnded, t: Table) -> Fact:
    name = "event.proposal_withdrawn" if event.withdrawn else "event.proposal_refused"
    return fact_of(event, name, proposal=_proposal(event.action))


def _proposal(action: Action) -> Fact:
    return fact(f"proposal.{action.kind}", actor=action.actor, entity=action.entity, **action.chosen())


@event_fact.register
def _(event: e.EndTriggered, t: Table) -> Fact:
    rest = fact(f"remaining.{event.during}_{event.after}", more=event.more)
    return fact_of(event, reason=fact(f"ending.{event.reason}"), rest=rest)


@event_fact.register
def _(event: e.GameOver, t: Table) -> Fact:
    scores = tuple(fact("event.score", player=player, total=total) for player, total in event.scores)
    return fact_of(event, heading=fact("game.over"), reason=fact(f"ending.{event.reason}"), scores=scores)
