"""Facts to be said: a key of the book of words, and the values its words need. No sentence is made here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Fact:
    """Something to be said: for a refusal the rule that stops it, for a label what is offered.

    `name` has a topic before its dot (`selling.pool_limit`): titles say by it where their rulebook has the rule.
    Values are ids, numbers, facts, or tuples of them; players by their ids. Nobody changes one; it is not frozen
    because a search for what is legal makes one for all that is not, and a frozen one takes three times as long.
    """

    name: str
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def topic(self) -> str:
        """The part of the name before the dot."""
        return self.name.partition(".")[0]

    def __str__(self) -> str:
        """The fact for logs and developers; users read the words of `engine.tell`."""
        values = ", ".join(f"{name}={value}" for name, value in self.values.items())
        return f"{self.name}({values})"


def fact(name: str, /, **values: Any) -> Fact:
    """A fact with these values."""
    return Fact(name, values)
