"""Builders for the view of a proposal between players; its effects are computed on a copy of the table."""

from collections.abc import Iterator

from engine.core import actions as a
from engine.core.facts import Fact, fact
from engine.core.ids import EntityId
from engine.core.offers import OfferCursor
from engine.game import Game
from engine.play.table import Table
from engine.tell.differences import holdings_changes, money_changes
from engine.tell.narrate import sentences_of_table
from engine.tell.teller import teller_of
from engine.tell.view_builders.view_parts import may_see_cash
from engine.tell.views import PartyView, ProposedDealView


def proposed_deal_view(game: Game) -> ProposedDealView | None:
    """View of the proposal that waits for an answer; None if there is none."""
    t, say, proposal = game.table, teller_of(game).say, game.proposal
    if proposal is None:
        return None
    answer_offer = next(offer for offer in game.offers(proposal.asked) if offer.kind == "answer")
    cursor = OfferCursor(answer_offer)
    # If money is secret, only the asked player learns that they cannot pay for the deal.
    table_after = game.table_after(cursor.pick("agree")) if "agree" in cursor.domain else None
    party_views = () if table_after is None else tuple(_party_views(game, table_after))
    return ProposedDealView(
        proposer=game.name(proposal.by),
        asked_player=game.name(proposal.asked),
        deal_text=say(_deal_terms(a.read_action(proposal.action), t, answer_offer.label)),
        parties=party_views,
        lines=()
        if party_views or table_after is None
        else tuple(sentences_of_table(table_after, table_after.events)),
    )


def _deal_terms(action: a.Action, t: Table, label: Fact) -> Fact:
    """A proposed deal in words: payer, receiver, price and object; for other proposals, the label of the action."""
    match action:
        case a.BuyTrain():
            handed_in_fact = fact("event.handing_in", train=action.trade_in) if action.trade_in else None
            return fact(
                "pays.for_train",
                buyer=action.entity,
                seller=action.source,
                price=action.price,
                train=action.train,
                handed_in=handed_in_fact,
            )
        case a.BuyPrivate():
            return _private_deal_terms(t, action.private, action.entity, action.price)
        case a.SellPrivate():
            return _private_deal_terms(t, action.private, action.buyer, action.price)
    return label


def _private_deal_terms(t: Table, private: str, buyer: EntityId, price: int) -> Fact:
    spec = t.spec.privates[private]
    seller = t.state.privates[private].owner
    return fact(
        "pays.for_private",
        buyer=buyer,
        seller=seller,
        price=price,
        private=private,
        name=spec.name,
        value=spec.face_value,
    )


def _party_views(game: Game, table_after: Table) -> Iterator[PartyView]:
    say = teller_of(game).say
    for entity in (*(player.id for player in game.table.state.players), *game.table.state.companies):
        changes = tuple(_entity_changes(game.table, table_after, entity))
        if changes:
            yield PartyView(say(fact("pays.party", entity=entity)), tuple(map(say, changes)))


def _entity_changes(table_before: Table, table_after: Table, entity: EntityId) -> Iterator[Fact]:
    if may_see_cash(table_before, entity, None):
        yield from money_changes(table_before, table_after, entity)
    yield from holdings_changes(table_before, table_after, entity)
