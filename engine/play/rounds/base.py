"""What a round is: an order of steps, and what happens when nobody has anything left to do."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence, Set

from engine.core.facts import Fact
from engine.core.ids import PlayerId
from engine.play.steps.agreements import ConsentStep, EndVoteStep
from engine.play.steps.base import Request, Step
from engine.play.steps.trains.discard import DiscardStep
from engine.play.table import Table


class Round(ABC):
    """Stateless; where the round stands is in `state.round`.

    In every round what others must settle comes first: consent to a proposal, trains above the limit.
    """

    def __init__(self, steps: Sequence[Step]) -> None:
        """`steps` are all that may be taken in it; those that propose something are asked when it is agreed to."""
        self._all = tuple(steps)
        self._settle = (ConsentStep(self._all), DiscardStep())
        self._votes = EndVoteStep()

    def steps(self, t: Table) -> Iterator[Step]:
        """The steps that are not over yet, in order; the first with something to offer blocks the game."""
        yield from self._settle
        yield from self.own(t)

    @abstractmethod
    def own(self, t: Table) -> Iterator[Step]:
        """The steps of the present turn that are not over yet, in order."""

    def anytime(self, t: Table) -> Iterator[Step]:
        """Steps that may be taken while the blocking one waits."""
        yield self._votes

    @abstractmethod
    def advance(self, t: Table) -> None:
        """No step has anything to offer: continue to the next turn or round."""

    def hand_to(self, t: Table, player: PlayerId, kind: str) -> bool:
        """Make it this player's turn to do a kind of action, all else as it stands; False where there is none."""
        del t, player, kind
        return False

    @property
    def kinds(self) -> Set[str]:
        """The kinds of action that its steps take."""
        return {kind for step in (*self._all, *self._settle, self._votes) for kind in step.kinds}

    def why_not(self, t: Table, waiting: Step, request: Request) -> Fact | None:
        """Why the action is not possible while this step waits: the step it belongs to knows best."""
        here = request.kind in waiting.kinds
        reason = waiting.why_not(t, request) if here or waiting.exclusive else None
        if reason is not None or waiting.exclusive:
            return reason
        for step in (*self._settle, *self.anytime(t)):
            if request.kind in step.kinds:
                return step.why_not(t, request)
        return None if here else self.out_of_place(t, request) or waiting.why_not(t, request)

    def may_mean(self, t: Table, request: Request) -> bool:
        """Whether an action that is offered not for the entity it names, but for another one, may be meant so."""
        return True

    def out_of_place(self, t: Table, request: Request) -> Fact | None:
        """Why the action does not belong where the turn stands; None where the round knows of no place for it."""
        return None
