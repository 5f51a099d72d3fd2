"""Facts: a key of the book of words, and the values that its sentence needs. No text is made here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Fact:
    """A statement for people, as key and values: a refusal's rule, an offer's label.

    `name` has a topic before its dot (`selling.pool_limit`), by which titles cite their rulebook's section.
    Values are ids, numbers, facts, or tuples of them. Never changed; it is not frozen because the search
    for legal choices makes many, and a frozen one takes three times as long.
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
