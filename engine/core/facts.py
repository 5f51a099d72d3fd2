"""Facts: a key of the texts in `engine.tell`, and the values that its sentence needs. No text is made here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Fact:
    """A statement for players, as key and values: the rule behind a refusal, or the label of an offer.

    The part of `name` before the dot is its topic (`selling` in `selling.pool_limit`); titles cite a section of the
    rulebook for each topic. Values are ids, numbers, facts, or tuples of these. A fact never changes. The class is not
    frozen because the search for legal choices makes many facts, and creating a frozen one takes three times as long.
    """

    name: str
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def topic(self) -> str:
        """The part of the name before the dot."""
        return self.name.partition(".")[0]

    def __str__(self) -> str:
        """The fact as text for logs and developers; players read the sentences of `engine.tell`."""
        values = ", ".join(f"{name}={value}" for name, value in self.values.items())
        return f"{self.name}({values})"


def fact(name: str, /, **values: Any) -> Fact:
    """A fact with these values."""
    return Fact(name, values)
