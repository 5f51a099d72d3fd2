"""A company's turn that ends by passing alone: which passes those are."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from engine.core.actions import Action
from engine.core.ids import CompanyId, EntityId, PlayerId
from engine.core.offers import Offer
from engine.play.rounds import Round
from engine.play.steps.agreements import act
from engine.play.steps.base import Step
from engine.play.table import Table

PASS: Final = "pass"
"""The kind that ends a step."""


class EndOfTurn(NamedTuple):
    """The passes with which a turn ends, in order, and whether the first of them opens anything."""

    passes: tuple[Action, ...]
    opens: bool
    """True if something else may be done after it that could not before."""


def passes_to_end(t: Table, here: Round, player: PlayerId) -> EndOfTurn | None:
    """The end of the turn of the player's company; None where a step is no pass, or the company would close.

    `t` is a copy of the table, which passes through the turn.
    """
    company, passes, possible = t.company.id, list[Action](), list[set[tuple[str, EntityId]]]()
    while (waiting := _waiting(t, here)) is not None:
        step, offers = waiting
        offer = _pass_in(offers, company, player)
        if offer is None or t.state.proposal is not None:
            return None
        beside = (offer for other in here.anytime(t) for offer in other.offers(t))
        possible.append({(offer.kind, offer.entity) for offer in (*offers, *beside) if offer.kind != PASS})
        passes.append(offer.fill())
        act(t, step, passes[-1])
    if not passes or t.state.companies[company].closed:
        return None
    return EndOfTurn(tuple(passes), len(passes) > 1 and not possible[1] <= possible[0])


def _waiting(t: Table, here: Round) -> tuple[Step, Sequence[Offer]] | None:
    """The step of the turn that waits, with its offers; None where the turn is over."""
    for step in _steps(t, here):
        offers = tuple(step.offers(t))
        if offers:
            return step, offers
        step.skip(t)
    return None


def _steps(t: Table, here: Round) -> Iterator[Step]:
    for step in here.steps(t):
        if t.state.over:
            return
        yield step


def _pass_in(offers: Sequence[Offer], company: CompanyId, player: PlayerId) -> Offer | None:
    """The offer to pass for the company, where the player decides alone and nobody asks again about it."""
    blocking = [offer for offer in offers if offer.blocking]
    if any(offer.actor != player for offer in blocking):
        return None
    passes = (offer for offer in blocking if offer.kind == PASS and offer.entity == company)
    return next((offer for offer in passes if not offer.slots and not offer.confirm), None)
