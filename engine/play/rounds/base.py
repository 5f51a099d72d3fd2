"""What a round is: an order of steps, and what happens when nobody has anything left to do."""

from abc import ABC, abstractmethod
from collections.abc import Iterator

from engine.play.steps.base import Step
from engine.play.table import Table


class Round(ABC):
    """Stateless; where the round stands is in `state.round`."""

    @abstractmethod
    def name(self, t: Table) -> str:
        """As players call it: `SR 2`, `OR 2.1`."""

    @abstractmethod
    def steps(self, t: Table) -> Iterator[Step]:
        """The steps that are not over yet, in order; the first with something to offer blocks the game."""

    def anytime(self, t: Table) -> Iterator[Step]:
        """Steps that may be taken beside the blocking one."""
        return iter(())

    @abstractmethod
    def advance(self, t: Table) -> None:
        """No step has anything to offer: go on to the next turn or round."""
