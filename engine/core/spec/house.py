"""House rules: what was decided where no rulebook is at hand."""

from collections.abc import Collection
from typing import Self, TypeAlias

from pydantic import Field, model_validator

from engine.core.spec.base import Spec

HouseValue: TypeAlias = bool | int | str | tuple[int, ...] | dict[str, tuple[int, ...]] | dict[str, str]
"""A house rule: whether, how many, which way, or one of these by name."""


class HouseRule(Spec):
    """What was decided without a rulebook: the value taken, why, and the values that may be put in its place."""

    value: HouseValue
    reason: str
    choices: tuple[HouseValue, ...] = ()
    """None: any value of its kind."""
    options: dict[str, HouseValue] = Field(default_factory=dict)
    """Values that a table may agree on, by the name of the option."""

    @model_validator(mode="after")
    def _is_a_choice(self) -> Self:
        for value in (self.value, *self.options.values()):
            if self.choices and value not in self.choices:
                raise ValueError(f"{value!r} is none of {', '.join(map(repr, self.choices))}")
        return self

    def agreed(self, options: Collection[str]) -> Self:
        """The rule as a table has it that agreed on these options."""
        chosen = [value for name, value in self.options.items() if name in options]
        return self.model_copy(update={"value": chosen[0]}) if chosen else self

    def corrected(self, value: object) -> Self:
        """The rule with the value that an owner of the printed game has found; raises ValueError for another kind."""
        found = type(self).model_validate({**self.model_dump(), "value": value})
        if type(found.value) is not type(self.value):
            raise ValueError(f"{value!r} is not like {self.value!r}")
        return found
