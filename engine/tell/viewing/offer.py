"""The view of an offer between players: what it would change is tried on a copy of the table."""

from collections.abc import Iterator, Sequence
from functools import singledispatch

from engine.core import actions as a
from engine.core.cursor import Cursor
from engine.core.facts import Fact, fact
from engine.core.ids import EntityId
from engine.game import Game
from engine.play.table import Table
from engine.tell.narrate import sentences_at
from engine.tell.teller import tell
from engine.tell.viewing.purses import may_see
from engine.tell.views import OfferView, PartyView


def offer_view(game: Game) -> OfferView | None:
    """The offer that waits for an answer; None where none does."""
    t, say, proposal = game.table, tell(game).say, game.proposal
    if proposal is None:
        return None
    answer = next(offer for offer in game.offers(proposal.asked) if offer.kind == "answer")
    walk = Cursor(answer)
    # Where money is secret, only the one asked learns that the deal cannot be paid.
    after = game.trial(walk.pick("agree")) if "agree" in walk.domain else None
    parties = () if after is None else tuple(_parties(game, after))
    return OfferView(
        asker=game.name(proposal.by),
        asked=game.name(proposal.asked),
        what=say(_what(a.read_action(proposal.action), t, answer.label)),
        parties=parties,
        lines=() if parties or after is None else tuple(sentences_at(after, after.events)),
    )


@singledispatch
def _what(action: a.Action, t: Table, label: Fact) -> Fact:
    """Who pays whom what for what; of other actions what they are called."""
    return label


@_what.register
def _(action: a.BuyTrain, t: Table, label: Fact) -> Fact:
    handed_in = fact("event.handing_in", train=action.trade_in) if action.trade_in else None
    return fact(
        "pays.for_train",
        buyer=action.entity,
        seller=action.source,
        price=action.price,
        train=action.train,
        handed_in=handed_in,
    )


@_what.register
def _(action: a.BuyPrivate, t: Table, label: Fact) -> Fact:
    return _for_private(t, action.private, action.entity, action.price)


@_what.register
def _(action: a.SellPrivate, t: Table, label: Fact) -> Fact:
    return _for_private(t, action.private, action.buyer, action.price)


def _for_private(t: Table, private: str, buyer: EntityId, price: int) -> Fact:
    spec = t.spec.privates[private]
    seller = t.state.privates[private].owner
    return fact(
        "pays.for_private",
        buyer=buyer,
        seller=seller,
        price=price,
        private=private,
        name=spec.name,
        value=spec.value,
    )


def _parties(game: Game, after: Table) -> Iterator[PartyView]:
    """Players and companies that have something else afterwards."""
    say = tell(game).say
    for entity in (*(player.id for player in game.table.state.players), *game.table.state.companies):
        changes = tuple(_changes(game.table, after, entity))
        if changes:
            yield PartyView(say(fact("pays.party", entity=entity)), tuple(map(say, changes)))


def _changes(before: Table, after: Table, entity: EntityId) -> Iterator[Fact]:
    """Money, trains, privates and shares, as far as they are others afterwards."""
    company = entity in before.state.companies
    if may_see(before, entity, None) and _money(before, entity) != _money(after, entity):
        name = "deed.treasury" if company else "deed.cash"
        yield fact(name, old=_money(before, entity), new=_money(after, entity))
    if company and _trains(before, entity) != _trains(after, entity):
        yield fact("pays.trains", old=_some(_trains(before, entity)), new=_some(_trains(after, entity)))
    if _privates(before, entity) != _privates(after, entity):
        yield fact("pays.privates", old=_some(_privates(before, entity)), new=_some(_privates(after, entity)))
    for held in before.state.companies.values():
        old, new = held.percent(entity), after.state.companies[held.id].percent(entity)
        if old != new:
            yield fact("pays.shares", company=held.id, old=old, new=new)


def _money(t: Table, entity: EntityId) -> int:
    return t.state.companies[entity].cash if entity in t.state.companies else t.cash(entity)


def _trains(t: Table, company: EntityId) -> Sequence[str]:
    return t.state.companies[company].trains


def _privates(t: Table, owner: EntityId) -> Sequence[str]:
    return [private.id for private in t.state.privates.values() if private.owner == owner]


def _some(names: Sequence[str]) -> Fact:
    return fact("pays.some", names=tuple(names)) if names else fact("pays.none")
