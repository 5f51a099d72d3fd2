"""The passes that end a company's turn."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from engine.core.actions import Action
from engine.core.ids import CompanyId, EntityId, PlayerId
from engine.core.offers import Offer
from engine.play.rounds import Round
from engine.play.steps.agreements import do_action
from engine.play.steps.base import Step
from engine.play.table import Table

PASS_KIND: Final = "pass"
"""The kind of action that passes; it ends a step (one decision of a turn)."""


class TurnEndingPasses(NamedTuple):
    """The passes that would end a company's turn, in order."""

    passes: tuple[Action, ...]
    has_action_between: bool
    """True if the first of the passes opens another action before the turn ends."""


def passes_to_end_turn(t: Table, round_: Round, player: PlayerId) -> TurnEndingPasses | None:
    """The passes that would end the turn of the player's company.

    None if passing is not enough, or if it would close the company. The passes are played on `t`, which must be a copy.
    """
    company, passes, possible_moves = t.company.id, list[Action](), list[set[tuple[str, EntityId]]]()
    while (step_with_offers := _waiting_step_with_offers(t, round_)) is not None:
        step, offers = step_with_offers
        offer = _pass_offer(offers, company, player)
        if offer is None or t.state.proposal is not None:
            return None
        anytime_offers = (
            offer for anytime_step in round_.anytime_steps(t) for offer in anytime_step.offers(t)
        )
        possible_moves.append(
            {(offer.kind, offer.entity) for offer in (*offers, *anytime_offers) if offer.kind != PASS_KIND}
        )
        passes.append(offer.fill())
        do_action(t, step, passes[-1])
    if not passes or t.state.companies[company].closed:
        return None
    return TurnEndingPasses(tuple(passes), len(passes) > 1 and not possible_moves[1] <= possible_moves[0])


def _waiting_step_with_offers(t: Table, round_: Round) -> tuple[Step, Sequence[Offer]] | None:
    for step in _open_steps(t, round_):
        offers = tuple(step.offers(t))
        if offers:
            return step, offers
        step.skip(t)
    return None


def _open_steps(t: Table, round_: Round) -> Iterator[Step]:
    for step in round_.open_steps(t):
        if t.state.over:
            return
        yield step


def _pass_offer(offers: Sequence[Offer], company: CompanyId, player: PlayerId) -> Offer | None:
    blocking_offers = [offer for offer in offers if offer.blocking]
    if any(offer.actor != player for offer in blocking_offers):
        return None
    pass_offers = (offer for offer in blocking_offers if offer.kind == PASS_KIND and offer.entity == company)
    return next((offer for offer in pass_offers if not offer.slots and not offer.confirm), None)
