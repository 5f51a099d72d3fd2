"""What a step is: one decision."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, Final

from engine.core.offers import Offer
from engine.play.table import Table


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


STEP_OF: Final = {
    "lay_tile": ("track", "Laying track"),
    "place_token": ("token", "Placing a token"),
    "run_routes": ("run", "Running trains"),
    "dividend": ("dividend", "The dividend"),
    "buy_train": ("trains", "Buying trains"),
}
"""The step of a company's turn in which each kind of action belongs, and how a sentence about it begins (11)."""


class CompanyStep(Step):
    """A decision in the operating company's turn; once over it does not come back in that turn."""

    def why_not_this(self, t: Table, action: Any) -> str | None:
        """The order of a turn, for what belongs into another step of it (11)."""
        step, doing = STEP_OF.get(action.kind, (self.name, ""))
        if step == self.name:
            return self.why_not(t, action.kind)
        when = "is over" if step in t.turn.done else "comes later"
        return f"{doing} {when} in the turn of {t.turn.company} (11)."

    def skip(self, t: Table) -> None:
        """Nothing to decide: the step is over."""
        self.over(t)

    def over(self, t: Table) -> None:
        """Mark the step as over."""
        if self.name not in t.turn.done:
            t.turn.done.append(self.name)
