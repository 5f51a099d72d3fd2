"""Events as public sentences, in Discord's markdown: rulebook words, with numbers that let people check them."""

from collections.abc import Iterable
from functools import singledispatch
from typing import TYPE_CHECKING

from engine.core import events as e
from engine.core.actions import Action
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, MARKET, POOL
from engine.core.state import State
from engine.routes.check import sum_text
from engine.tell.words import Names, Words, english

if TYPE_CHECKING:
    from engine.game import Game


def sentences(events: "Iterable[e.Event]", game: "Game") -> list[str]:
    """One line for each fact worth telling, in order."""
    lines = (_say(event, game.table.state) for event in events)
    return [line for line in lines if line]


def _who(state: State, entity: str) -> str:
    """`**PRR** (Ann)` for a company with a president, `**Bob**` for a player."""
    if state.is_player(entity):
        return f"**{state.player(entity).name}**"
    company = state.companies.get(entity)
    if company is not None and company.president:
        return f"**{entity}** ({state.player(company.president).name})"
    return f"**{entity}**"


def _seller(source: str) -> str:
    return {BANK: "the bank", POOL: "the bank pool"}.get(source, f"**{source}**")


def _words(state: State) -> Words:
    def name(entity: str) -> str:
        return state.player(entity).name if state.is_player(entity) else entity

    return Words(english(), Names(name))


def _proposal(state: State, action: Action) -> str:
    values = {"actor": action.actor, "entity": action.entity, **action.chosen()}
    return _words(state).say(Fact(f"proposal.{action.kind}", values))


@singledispatch
def _say(event: object, state: State) -> str:
    raise TypeError(f"no sentence for {event!r}")


@_say.register
def _(event: e.BidPlaced, state: State) -> str:
    return f"{_who(state, event.player)} bids ${event.amount} on {event.private}."


@_say.register
def _(event: e.Passed, state: State) -> str:
    if event.declined is None:
        return "" if event.entity in state.companies else f"{_who(state, event.entity)} passes."
    what = _words(state).say(event.declined)
    verb = "leaves" if event.declined.name == "declined.auction" else "declines"
    return f"{_who(state, event.entity)} {verb} {what}."


@_say.register
def _(event: e.PrivateBought, state: State) -> str:
    price = f"for ${event.price}" if event.price else "for nothing"
    return f"{_who(state, event.player)} gets {event.private} {price}."


@_say.register
def _(event: e.PriceReduced, state: State) -> str:
    return f"Nobody wants {event.private}: its price falls to ${event.price}."


@_say.register
def _(event: e.IncomePaid, state: State) -> str:
    parts = [f"{_who(state, owner)} ${amount} ({private})" for owner, private, amount in event.payments]
    return f"Privates pay {', '.join(parts)}."


@_say.register
def _(event: e.ShareReceived, state: State) -> str:
    what = "the president's certificate" if event.president else f"{event.percent} %"
    return f"{_who(state, event.player)} receives {what} of **{event.company}**."


@_say.register
def _(event: e.Parred, state: State) -> str:
    if event.paid:
        paid = f", paying ${event.paid} for {event.percent} %"
        return f"{_who(state, event.player)} starts **{event.company}** at ${event.price}{paid}."
    return f"{_who(state, event.player)} sets the par price of **{event.company}** at ${event.price}."


@_say.register
def _(event: e.ShareBought, state: State) -> str:
    source = "the market" if event.source == MARKET else "the offering"
    who = _who(state, event.player)
    return f"{who} buys {event.percent} % of **{event.company}** from {source} for ${event.price}."


@_say.register
def _(event: e.ShareRemoved, state: State) -> str:
    return f"A market share of **{event.company}** leaves the game."


@_say.register
def _(event: e.SharesSold, state: State) -> str:
    sold = f"{event.shares} **{event.company}** at {event.each} for ${event.shares * event.each}"
    return f"{_who(state, event.player)} sells {sold}: {event.old} → {event.new}."


@_say.register
def _(event: e.PresidentChanged, state: State) -> str:
    return f"{_who(state, event.new)} is president of **{event.company}**."


@_say.register
def _(event: e.Floated, state: State) -> str:
    rest = f"; {event.to_market} % go to the market" if event.to_market else ""
    return f"**{event.company}** floats with ${event.capital}{rest}."


@_say.register
def _(event: e.PriceMoved, state: State) -> str:
    return f"**{event.company}** is sold out: {event.old} → {event.new}."


@_say.register
def _(event: e.RoundStarted, state: State) -> str:
    first = f" {state.player(event.first).name} has the priority deal." if event.first else ""
    name = f"SR {event.set}" if event.kind == "stock" else f"OR {event.set}.{event.number}"
    return f"__{name}__ begins.{first}"


@_say.register
def _(event: e.HomePlaced, state: State) -> str:
    return f"{_who(state, event.company)} places its home token in {event.hex}."


@_say.register
def _(event: e.TileLaid, state: State) -> str:
    power = f" by {event.private}" if event.private else ""
    cost = f", ${event.cost} for the terrain, treasury {event.treasury + event.cost} → {event.treasury}"
    return (
        f"{_who(state, event.company)} lays #{event.tile} in {event.hex}{power}{cost if event.cost else ''}."
    )


@_say.register
def _(event: e.TokenPlaced, state: State) -> str:
    before = event.treasury + event.cost
    cost = f" for ${event.cost}, treasury {before} → {event.treasury}" if event.cost else ", free"
    return f"{_who(state, event.company)} places a token in {event.hex}{cost}."


@_say.register
def _(event: e.Ran, state: State) -> str:
    if not event.runs:
        return f"{_who(state, event.company)} runs nothing."
    runs = [
        f"{train}-train {'-'.join(stops)} {sum_text(values)}={sum(values)}"
        for train, stops, values in event.runs
    ]
    return f"{_who(state, event.company)} runs ${event.revenue}: {'; '.join(runs)}."


@_say.register
def _(event: e.Paid, state: State) -> str:
    move = f"{event.old} → {event.new}"
    if event.per_share:
        kept = f", ${event.kept} to the treasury" if event.kept else ""
        return f"{_who(state, event.company)} pays ${event.per_share} a share{kept}: {move}."
    what = f"withholds ${event.revenue}" if event.revenue else "earns nothing"
    return f"{_who(state, event.company)} {what}: {move}."


@_say.register
def _(event: e.TrainBought, state: State) -> str:
    traded = f", handing in a {event.traded}-train" if event.traded else ""
    helped = f"; the president adds ${event.contribution}" if event.contribution else ""
    return (
        f"{_who(state, event.company)} buys a {event.train}-train from {_seller(event.source)} for "
        f"${event.price}{traded}{helped}, treasury ${event.treasury}."
    )


@_say.register
def _(event: e.TrainAgreed, state: State) -> str:
    what = f"a {event.train}-train from {_seller(event.source)} for ${event.price}"
    return f"{_who(state, event.company)} is to buy {what}; ${event.missing} is still missing."


@_say.register
def _(event: e.PhaseStarted, state: State) -> str:
    return f"**Phase {event.phase}** begins."


@_say.register
def _(event: e.Rusted, state: State) -> str:
    owners = ", ".join(f"{count} of **{company}**" for company, count in event.owners)
    return f"All {event.train}-trains rust{': ' + owners if owners else ''}."


@_say.register
def _(event: e.MadeObsolete, state: State) -> str:
    kept = f": {', '.join(f'**{company}**' for company in event.kept)} may run theirs once more"
    lost = f"; {', '.join(f'**{company}**' for company in event.lost)} loses them at once"
    return f"All {event.train}-trains are obsolete{kept if event.kept else ''}{lost if event.lost else ''}."


@_say.register
def _(event: e.ObsoleteGone, state: State) -> str:
    trains = ", ".join(f"{train}-train" for train in event.trains)
    return f"{_who(state, event.company)} gives up its obsolete {trains}."


@_say.register
def _(event: e.MarkersGiven, state: State) -> str:
    companies = ", ".join(f"**{company}**" for company in event.companies) or "no company"
    return f"**{event.marker[0].upper()}{event.marker[1:]}**: {companies} marked."


@_say.register
def _(event: e.IncomeLost, state: State) -> str:
    return f"{_who(state, event.company)} loses ${event.amount} to the {event.marker}; its price stays."


@_say.register
def _(event: e.Compensated, state: State) -> str:
    return f"{_who(state, event.company)} receives ${event.amount} for its {event.train}-trains."


@_say.register
def _(event: e.TrainDiscarded, state: State) -> str:
    return f"{_who(state, event.company)} gives up a {event.train}-train to the bank pool."


@_say.register
def _(event: e.TrainExported, state: State) -> str:
    return f"A {event.train}-train is exported and leaves the game."


@_say.register
def _(event: e.PrivateClosed, state: State) -> str:
    return f"{event.private} closes."


@_say.register
def _(event: e.MarkerReceived, state: State) -> str:
    if event.hex:
        return f"{_who(state, event.company)} puts the {event.name} token in {event.hex}."
    return f"{_who(state, event.company)} gets the {event.name} marker."


@_say.register
def _(event: e.MarkerLost, state: State) -> str:
    return f"The {event.name} of {_who(state, event.company)} leaves the game."


@_say.register
def _(event: e.ObjectiveReached, state: State) -> str:
    return f"{_who(state, event.company)} reaches its historical objective in {event.hex} and gets ${event.bonus}."


@_say.register
def _(event: e.PrivateSold, state: State) -> str:
    seller = state.player(event.seller).name
    return f"{_who(state, event.buyer)} buys {event.private} from {seller} for ${event.price}."


@_say.register
def _(event: e.Proposed, state: State) -> str:
    return f"{_who(state, event.asked)} is asked: {_proposal(state, event.action)}."


@_say.register
def _(event: e.ProposalEnded, state: State) -> str:
    verb = "withdraws" if event.withdrawn else "refuses"
    return f"{_who(state, event.by)} {verb}: {_proposal(state, event.action)}."


@_say.register
def _(event: e.WentBankrupt, state: State) -> str:
    return f"{_who(state, event.player)} is bankrupt: no train can be paid for **{event.company}**."


@_say.register
def _(event: e.EndTriggered, state: State) -> str:
    reason = _words(state).say(fact(f"ending.{event.reason}"))
    after = _words(state).say(fact(f"remaining.{event.during}_{event.after}", more=event.more))
    return f"**{reason[0].upper()}{reason[1:]}**: {after}."


@_say.register
def _(event: e.EndVoted, state: State) -> str:
    return f"{_who(state, event.player)} agrees to end the game here ({event.agreed} of {event.needed})."


@_say.register
def _(event: e.GameOver, state: State) -> str:
    table = ", ".join(f"{state.player(player).name} ${total}" for player, total in event.scores)
    reason = _words(state).say(fact(f"ending.{event.reason}"))
    return f"**The game is over**: {reason}. {table}."
