"""Agreements: consent of another player (18Chesapeake 7.1, 11.7), and the vote to end the game early."""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.core.actions import Action, Answer, EndGame, read_action
from engine.core.events import EndVoted, ProposalEnded, Proposed
from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId
from engine.core.offers import Choice, Choices, Offer, Slot, Suggestion
from engine.core.state import Ending, Proposal, Stock
from engine.play.end_and_scores import finish
from engine.play.steps.base import Request, Step
from engine.play.table import Table

ABOUT: Final = {"buy_train": "", "propose_merger": "_for_merger"}
"""Endings of the names of refusals about a proposal, by the kind of action that was proposed."""


class ConsentStep(Step):
    """The asked player accepts or refuses; the proposer may withdraw, or continue, which ends the proposal."""

    name = "consent"
    kinds = frozenset({"answer"})
    exclusive = True
    agreement = True

    def __init__(self, proposers: Sequence[Step]) -> None:
        """`proposers` are the round's steps that make proposals; the one that takes the action carries it out."""
        self._proposers = tuple(proposers)

    def offers(self, t: Table) -> Iterator[Offer]:
        proposal = t.state.proposal
        if proposal is None:
            return
        proposed = read_action(proposal.action)
        what, deal = _proposal_fact(proposed), self._proposer(proposed).deal_obstacle(t, proposed)
        able = ("agree", "refuse") if deal is None else ("refuse",)
        yield self._offer(t, proposal.asked, what, *able, deal=deal, blocking=True)
        yield self._offer(t, proposal.by, what, "withdraw", blocking=False)

    def _offer(
        self, t: Table, player: PlayerId, what: Fact, *replies: str, deal: Fact | None = None, blocking: bool
    ) -> Offer:
        """`deal` is the reason why the proposal cannot be accepted; None if it can."""

        def choices() -> list[Choice]:
            return [Choice(reply, fact(f"reply.{reply}")) for reply in replies]

        return t.offer(
            "answer",
            player,
            what,
            Slot(
                "reply",
                lambda _: Choices(
                    choices(),
                    lambda reply: (
                        (deal if reply == "agree" else None)
                        or fact(f"consent.not_your_reply{_topic(t)}", reply=reply)
                    ),
                ),
            ),
            suggest=lambda: [Suggestion(c.label, {"reply": c.value}) for c in choices()],
            blocking=blocking,
        )

    def apply(self, t: Table, action: Answer) -> None:
        proposal = t.state.proposal
        assert proposal is not None
        t.state.proposal = None
        proposed = read_action(proposal.action)
        proposer = self._proposer(proposed)
        if action.reply == "agree":
            proposer.agreed(t, proposed)
            return
        t.emit(ProposalEnded(action.actor, proposed, action.reply == "withdraw"))
        if action.reply == "refuse":
            proposer.refused(t, proposed)

    def _proposer(self, proposed: Action) -> Step:
        return next(step for step in self._proposers if proposed.kind in step.kinds)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        if t.state.proposal is None:
            return fact("consent.nothing_proposed")
        what = _proposal_fact(read_action(t.state.proposal.action))
        return fact(f"consent.asked_first{_topic(t)}", player=t.state.proposal.asked, what=what)


def propose(t: Table, action: Action, asked_player: PlayerId) -> None:
    """Keep the action until the asked player has answered."""
    t.state.proposal = Proposal(action.actor, asked_player, action.model_dump_json())
    made = t.state.asked.setdefault(action.actor, [])
    if action.kind not in made:
        made.append(action.kind)
    t.emit(Proposed(action.entity, asked_player, action))


def do_action(t: Table, step: Step, action: Action) -> None:
    """Do an action of a step alone; its events are added to the table's."""
    t.events, t.payments = [], []
    if not step.agreement:
        expire_proposal(t)
    step.apply(t, action)


def expire_proposal(t: Table) -> None:
    """Drop a proposal whose maker continues the turn instead of waiting."""
    proposal = t.state.proposal
    if proposal is not None:
        t.state.proposal = None
        t.emit(ProposalEnded(proposal.by, read_action(proposal.action), withdrawn=True))


def _topic(t: Table) -> str:
    """The topic of the proposal's refusals: trains, privates bought by companies or players, mergers."""
    assert t.state.proposal is not None
    kind = read_action(t.state.proposal.action).kind
    if kind in ABOUT:
        return ABOUT[kind]
    return "_in_trade" if isinstance(t.state.round, Stock) else "_for_private"


def _proposal_fact(action: Action) -> Fact:
    return fact(f"proposal.{action.kind}", actor=action.actor, entity=action.entity, **action.chosen())


class EndVoteStep(Step):
    """A vote to stop; once all players agree, present net worth is the result."""

    name = "end_vote"
    kinds = frozenset({"end_game"})
    agreement = True

    def offers(self, t: Table) -> Iterator[Offer]:
        """The players who have not agreed yet."""
        for player in t.state.in_game():
            if player.id not in t.state.end_votes:
                yield t.offer("end_game", player.id, fact("offer.end_game"), blocking=False, confirm=True)

    def apply(self, t: Table, action: EndGame) -> None:
        """Note the vote; the last one ends the game."""
        t.state.end_votes.append(action.actor)
        needed = 1 if t.rules.flag("one_vote_ends") else len(t.state.in_game())
        t.emit(EndVoted(action.actor, len(t.state.end_votes), needed))
        if len(t.state.end_votes) >= needed:
            finish(t, Ending("agreement"))

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        """A player who has agreed need not do it again."""
        voted = request.actor in t.state.end_votes
        return fact("end_game.agreed_already", player=request.actor) if voted else None
