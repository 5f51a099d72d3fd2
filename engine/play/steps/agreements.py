"""Agreements between players: consent to proposals (18Chesapeake 7.1, 11.7), and the vote to end the game early."""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.core.actions import Action, Answer, EndGame, read_action
from engine.core.events import EndVoted, ProposalEnded, Proposed
from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId
from engine.core.offers import Choice, Choices, Offer, Slot, Suggestion
from engine.core.state import Ending, Proposal, Stock
from engine.play.end_and_scores import finish_game
from engine.play.steps.base import Request, Step
from engine.play.table import Table

REFUSAL_KEY_SUFFIX_BY_KIND: Final = {"buy_train": "", "propose_merger": "_for_merger"}
"""Suffixes of the keys of refusals, such as `_for_merger`, by the kind of the proposed action."""


class ConsentStep(Step):
    """The asked player accepts or refuses a proposal.

    The proposer can withdraw it, or make another move, which also withdraws it.
    """

    name = "consent"
    kinds = frozenset({"answer"})
    is_exclusive = True
    is_agreement = True

    def __init__(self, proposing_steps: Sequence[Step]) -> None:
        """`proposing_steps` are the steps that make the round's proposals and carry out accepted ones."""
        self._proposing_steps = tuple(proposing_steps)

    def offers(self, t: Table) -> Iterator[Offer]:
        proposal = t.state.proposal
        if proposal is None:
            return
        proposed_action = read_action(proposal.action)
        question = _proposal_fact(proposed_action)
        obstacle = self._proposing_step(proposed_action).acceptance_obstacle(t, proposed_action)
        replies = ("agree", "refuse") if obstacle is None else ("refuse",)
        yield self._offer(t, proposal.asked, question, *replies, obstacle=obstacle, blocking=True)
        yield self._offer(t, proposal.by, question, "withdraw", blocking=False)

    def _offer(
        self,
        t: Table,
        player: PlayerId,
        question: Fact,
        *replies: str,
        obstacle: Fact | None = None,
        blocking: bool,
    ) -> Offer:
        def reply_choices() -> list[Choice]:
            return [Choice(reply, fact(f"reply.{reply}")) for reply in replies]

        return t.offer(
            "answer",
            player,
            question,
            Slot(
                "reply",
                lambda _: Choices(
                    reply_choices(),
                    lambda reply: (
                        (obstacle if reply == "agree" else None)
                        or fact(f"consent.not_your_reply{_refusal_key_suffix(t)}", reply=reply)
                    ),
                ),
            ),
            suggest=lambda: [Suggestion(c.label, {"reply": c.value}) for c in reply_choices()],
            blocking=blocking,
        )

    def apply(self, t: Table, action: Answer) -> None:
        proposal = t.state.proposal
        assert proposal is not None
        t.state.proposal = None
        proposed_action = read_action(proposal.action)
        proposing_step = self._proposing_step(proposed_action)
        if action.reply == "agree":
            proposing_step.carry_out_proposal(t, proposed_action)
            return
        t.emit(ProposalEnded(action.actor, proposed_action, action.reply == "withdraw"))
        if action.reply == "refuse":
            proposing_step.handle_refusal(t, proposed_action)

    def _proposing_step(self, proposed_action: Action) -> Step:
        return next(step for step in self._proposing_steps if proposed_action.kind in step.kinds)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        if t.state.proposal is None:
            return fact("consent.nothing_proposed")
        question = _proposal_fact(read_action(t.state.proposal.action))
        return fact(
            f"consent.asked_first{_refusal_key_suffix(t)}", player=t.state.proposal.asked, what=question
        )


def propose(t: Table, action: Action, asked_player: PlayerId) -> None:
    """Store the action as a proposal, which then waits for the answer of the asked player."""
    t.state.proposal = Proposal(action.actor, asked_player, action.model_dump_json())
    asked_kinds = t.state.asked.setdefault(action.actor, [])
    if action.kind not in asked_kinds:
        asked_kinds.append(action.kind)
    t.emit(Proposed(action.entity, asked_player, action))


def do_action(t: Table, step: Step, action: Action) -> None:
    """Carry out one action of a step. `t.events` then contains only the events of this action."""
    t.events, t.payments = [], []
    if not step.is_agreement:
        expire_proposal(t)
    step.apply(t, action)


def expire_proposal(t: Table) -> None:
    """Withdraw a proposal because its proposer makes another move instead of waiting."""
    proposal = t.state.proposal
    if proposal is not None:
        t.state.proposal = None
        t.emit(ProposalEnded(proposal.by, read_action(proposal.action), is_withdrawn=True))


def _refusal_key_suffix(t: Table) -> str:
    assert t.state.proposal is not None
    kind = read_action(t.state.proposal.action).kind
    if kind in REFUSAL_KEY_SUFFIX_BY_KIND:
        return REFUSAL_KEY_SUFFIX_BY_KIND[kind]
    return "_in_trade" if isinstance(t.state.round, Stock) else "_for_private"


def _proposal_fact(action: Action) -> Fact:
    return fact(f"proposal.{action.kind}", actor=action.actor, entity=action.entity, **action.chosen())


class EndVoteStep(Step):
    """A vote to end the game now. Once all players agree, current net worth decides."""

    name = "end_vote"
    kinds = frozenset({"end_game"})
    is_agreement = True

    def offers(self, t: Table) -> Iterator[Offer]:
        """A vote to end the game, for each player who has not voted yet."""
        for player in t.state.players_in_game():
            if player.id not in t.state.end_votes:
                yield t.offer("end_game", player.id, fact("offer.end_game"), blocking=False, confirm=True)

    def apply(self, t: Table, action: EndGame) -> None:
        """Record the vote; the last one ends the game."""
        t.state.end_votes.append(action.actor)
        needed_votes = 1 if t.rules.has_flag("one_vote_ends") else len(t.state.players_in_game())
        t.emit(EndVoted(action.actor, len(t.state.end_votes), needed_votes))
        if len(t.state.end_votes) >= needed_votes:
            finish_game(t, Ending("agreement"))

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        """The error message for a player who has already voted."""
        has_voted = request.actor in t.state.end_votes
        return fact("end_game.agreed_already", player=request.actor) if has_voted else None
