"""What a step is: one decision."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar

from engine.offers import Offer
from engine.table import Table


class Step(ABC):
    """One decision: what is offered, and what a chosen action does. Stateless."""

    name: ClassVar[str]
    words: ClassVar[str]
    """What the step is about, for lists of a turn: `track`."""
    exclusive: ClassVar[bool] = False
    """Whether nothing else may be done beside it."""
    silent: ClassVar[bool] = False
    """Whether lists of a turn leave it out, because nobody ever decides there."""

    @abstractmethod
    def offers(self, t: Table) -> Iterator[Offer]:
        """What is possible now; nothing when the step does not apply."""

    @abstractmethod
    def apply(self, t: Table, action: Any) -> None:
        """Do what an accepted action says; never refuses."""

    def skip(self, t: Table) -> None:  # noqa: B027 - most steps have nothing to do here
        """Called instead of asking when the step has nothing to offer."""

    def why_not(self, t: Table, kind: str) -> str | None:
        """Why no action of this kind is offered: a sentence with the rulebook section, or None."""
        return None

    def why_not_this(self, t: Table, action: Any) -> str | None:
        """Why this very action is not offered to the player on turn; what `why_not` says where nothing is closer."""
        return self.why_not(t, action.kind)


class CompanyStep(Step):
    """A decision in the operating company's turn; once over it does not come back in that turn."""

    def skip(self, t: Table) -> None:
        """Nothing to decide: the step is over."""
        self.over(t)

    def over(self, t: Table) -> None:
        """Mark the step as over."""
        if self.name not in t.turn.done:
            t.turn.done.append(self.name)
