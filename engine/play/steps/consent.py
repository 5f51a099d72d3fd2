"""Consent: trains and privates change hands only if the other side agrees (rulebook 7.1, 11.7)."""

from collections.abc import Iterator

from engine.core.actions import Action, Answer, BuyPrivate, BuyTrain, SellPrivate, read_action
from engine.core.events import ProposalEnded, Proposed
from engine.core.ids import PlayerId
from engine.core.offers import Among, Choice, Offer, Suggestion
from engine.core.state import Operating, Proposal
from engine.play.steps.base import Step
from engine.play.table import Table


class ConsentStep(Step):
    """The owner agrees or refuses; whoever proposed may withdraw, or go on with his turn, which ends the proposal."""

    name = "consent"
    words = "consent"
    exclusive = True

    def offers(self, t: Table) -> Iterator[Offer]:
        """The answers to a proposal."""
        proposal = t.state.proposal
        if proposal is None:
            return
        yield self._offer(t, proposal.asked, proposal.what, "agree", "refuse", blocking=True)
        yield self._offer(t, proposal.by, proposal.what, "withdraw", blocking=False)

    def _offer(self, t: Table, player: PlayerId, what: str, *replies: str, blocking: bool) -> Offer:
        choices = [Choice(reply, reply.capitalize()) for reply in replies]
        return t.offer(
            "answer",
            player,
            what,
            t.slot(
                "reply",
                lambda _: Among(choices),
                lambda _, r: (
                    f"The asked player agrees or refuses, the asking one may withdraw; {r} is not for you (11.7)."
                ),
            ),
            suggest=lambda: [Suggestion(f"{c.label}: {what}", {"reply": c.value}) for c in choices],
            blocking=blocking,
        )

    def apply(self, t: Table, action: Answer) -> None:
        """Do what was proposed, or drop it."""
        proposal = t.state.proposal
        assert proposal is not None
        t.state.proposal = None
        if action.reply == "agree":
            _carry_out(t, read_action(proposal.action))
            return
        now = t.state.round
        train = isinstance(read_action(proposal.action), BuyTrain)
        if train and action.reply == "refuse" and isinstance(now, Operating) and now.turn is not None:
            now.turn.refused = True
        t.emit(ProposalEnded(action.actor, proposal.what, action.reply == "withdraw"))

    def why_not(self, t: Table, kind: str) -> str | None:
        """What has to come first."""
        proposal = t.state.proposal
        if proposal is None:
            return None
        return f"{t.state.player(proposal.asked).name} is asked first: {proposal.what}."


def propose(t: Table, action: BuyTrain | BuyPrivate | SellPrivate, asked: PlayerId, what: str) -> None:
    """Keep the purchase until the other side has answered."""
    t.state.proposal = Proposal(action.actor, asked, what, action.model_dump_json())
    t.emit(Proposed(action.entity, asked, what))


def expire(t: Table) -> None:
    """Drop a proposal whose maker goes on with his turn instead of waiting for the answer."""
    proposal = t.state.proposal
    if proposal is not None:
        t.state.proposal = None
        t.emit(ProposalEnded(proposal.by, proposal.what, withdrawn=True))


def _carry_out(t: Table, action: Action) -> None:
    from engine.play.steps.companies import buy_private
    from engine.play.steps.private_trade import carry_out
    from engine.play.steps.trains import buy_train

    if isinstance(action, BuyTrain):
        buy_train(t, action)
    elif isinstance(action, BuyPrivate) and action.entity in t.state.companies:
        buy_private(t, action)
    elif isinstance(action, BuyPrivate | SellPrivate):
        carry_out(t, action)
