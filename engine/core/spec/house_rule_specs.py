"""House rules: decisions on questions that the rulebook leaves open."""

from collections.abc import Collection, Iterable
from itertools import pairwise
from typing import Literal, Self, TypeAlias

from pydantic import Field, TypeAdapter, ValidationError, model_validator

from engine.core.spec.component_specs import Spec

HouseRuleValue: TypeAlias = bool | int | str | tuple[int, ...] | dict[str, tuple[int, ...]] | dict[str, str]
"""Type of a house rule's value: bool, number, word, list of numbers, or a table of lists or words by name."""


class HouseRule(Spec):
    """A house rule, which answers a question that the rulebook leaves open: value, reason and other possible values."""

    value: HouseRuleValue
    """The default value of the house rule."""
    reason: str
    """The reason for the house rule's default value, in one sentence."""
    choices: tuple[HouseRuleValue, ...] = ()
    """The possible values of the house rule; with only one, it cannot be changed.

    Empty: any value of the same type within `bounds`.
    """
    bounds: tuple[tuple[int, int, int], ...] = ()
    """(lower bound, upper bound, step) for each number of a list value; the last entry also applies to all further
    numbers.

    Empty: any number is possible.
    """
    list_form: Literal["alike", "range", "rising"] = "alike"
    """Form of a list value.

    `alike`: as many numbers as in `value`. `range`: two numbers, from and to. `rising`: one or more rising numbers.
    """
    value_by_option: dict[str, HouseRuleValue] = Field(default_factory=dict)
    """Values of the house rule that game options set, by the name of the option."""

    @model_validator(mode="after")
    def _check_own_value(self) -> Self:
        for value in (self.value, *self.value_by_option.values()):
            self._check(value)
        return self

    @property
    def is_fixed(self) -> bool:
        """True if the rule has no other possible value."""
        return len(self.choices) == 1

    def under_options(self, options: Collection[str]) -> Self:
        """The rule with the value that one of the chosen game options sets; unchanged if none does."""
        option_values = [value for name, value in self.value_by_option.items() if name in options]
        return self.model_copy(update={"value": option_values[0]}) if option_values else self

    def with_value(self, value: object) -> Self:
        """The rule with another value. Raises ValueError, naming the allowed values, if this one is not allowed."""
        try:
            typed_value = TypeAdapter(HouseRuleValue).validate_python(value)
        except ValidationError:
            typed_value = None
        if typed_value is None or type(typed_value) is not type(self.value):
            raise ValueError(f"{value!r} must have the form of {self.value!r}")
        self._check(typed_value)
        return self.model_copy(update={"value": typed_value})

    def _check(self, value: HouseRuleValue) -> None:
        if self.choices and value not in self.choices:
            if self.is_fixed:
                raise ValueError(
                    f"this rule cannot be changed: only {self.value!r} is possible, not {value!r}"
                )
            raise ValueError(
                f"{value!r} is not possible; the choices are {', '.join(map(repr, self.choices))}"
            )
        if isinstance(value, int) and not isinstance(value, bool):
            self._check_numbers([value], "")
        elif isinstance(value, tuple):
            self._check_list(value, len(self.value) if isinstance(self.value, tuple) else 0, "")
        elif isinstance(value, dict):
            self._check_table(value)

    def _check_table(self, table: dict[str, tuple[int, ...]] | dict[str, str]) -> None:
        """Raise ValueError unless `table` has the same rows as the rule's own value, each with a valid list."""
        expected_rows = {name: row for name, row in dict(self.value).items() if isinstance(row, tuple)}  # type: ignore[arg-type]
        if not expected_rows:
            return
        if missing_rows := expected_rows.keys() - table.keys():
            raise ValueError(
                f"the row {', '.join(sorted(missing_rows))} is missing; the rows are {', '.join(expected_rows)}"
            )
        if unknown_rows := table.keys() - expected_rows.keys():
            raise ValueError(
                f"there is no row {', '.join(sorted(unknown_rows))}; the rows are {', '.join(expected_rows)}"
            )
        for name, row in table.items():
            if not isinstance(row, tuple):
                raise ValueError(f"{name}: {row!r} must have the form of {list(expected_rows[name])}")
            self._check_list(row, len(expected_rows[name]), f"{name}: ")

    def _check_list(self, list_values: tuple[int, ...], list_length: int, error_prefix: str) -> None:
        if self.list_form == "rising":
            if not list_values or any(number >= next_number for number, next_number in pairwise(list_values)):
                raise ValueError(
                    f"{error_prefix}{list(list_values)} must have at least one number, and "
                    "each number must be above the one before"
                )
        elif len(list_values) != list_length:
            raise ValueError(
                f"{error_prefix}{list(list_values)} must have {list_length} numbers, not {len(list_values)}"
            )
        elif self.list_form == "range" and list_values[0] > list_values[1]:
            raise ValueError(
                f"{error_prefix}{list(list_values)} is in the wrong order: the smaller number comes first"
            )
        self._check_numbers(list_values, error_prefix)

    def _check_numbers(self, numbers: Iterable[int], error_prefix: str) -> None:
        for index, number in enumerate(numbers):
            minimum, maximum, step = (
                self.bounds[min(index, len(self.bounds) - 1)] if self.bounds else (number, number, 1)
            )
            if not minimum <= number <= maximum or (number - minimum) % step:
                steps = f" in steps of {step}" if step > 1 else ""
                raise ValueError(
                    f"{error_prefix}{number} is not possible; allowed are {minimum} to {maximum}{steps}"
                )
