"""Facts: structured messages for players, as a text key and values. `engine.tell` turns them into sentences."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Fact:
    """A message for players as key and values, such as the rule behind a refusal or the label of a button.

    The part of `name` before the dot is its topic (`selling` in `selling.pool_limit`); titles cite a section of the
    rulebook for each topic. Values are ids, numbers, facts, or tuples of these. A fact never changes. The class is not
    frozen because the search for legal choices makes many facts, and creating a frozen one takes three times as long.
    """

    name: str
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def topic(self) -> str:
        """The part of `name` before the dot, such as `selling` in `selling.pool_limit`."""
        return self.name.partition(".")[0]

    def __str__(self) -> str:
        """The message as raw text for logs and developers. Players read the sentences made by `engine.tell`."""
        values = ", ".join(f"{name}={value}" for name, value in self.values.items())
        return f"{self.name}({values})"


def fact(name: str, /, **values: Any) -> Fact:
    """Create a Fact from its name and its values (keyword arguments)."""
    return Fact(name, values)
