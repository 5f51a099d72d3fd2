"""Offers: the one statement of what is legal. Menus are filled from them, and every action is checked against them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from engine.core.actions import Action, build_action
from engine.core.errors import BadChoice, IllegalAction
from engine.core.ids import EntityId, PlayerId

Chosen: TypeAlias = Mapping[str, Any]
"""The values picked so far, by slot name."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal value of a slot, and how it is called in a menu."""

    value: str | int
    label: str


class Domain(ABC):
    """The legal values of a slot."""

    @abstractmethod
    def choices(self) -> Iterator[Choice]:
        """The values worth listing in a menu, in a fixed order."""

    @abstractmethod
    def __contains__(self, value: object) -> bool:
        """Whether the value is legal."""

    def __bool__(self) -> bool:
        """Whether there is any legal value."""
        return next(self.choices(), None) is not None

    def refuse(self, value: object) -> str | None:
        """Why the value is not legal, where the domain itself knows; else None."""
        return None

    def allowed(self) -> str:
        """What is legal, in words for a refusal."""
        labels = [choice.label for _, choice in zip(range(13), self.choices(), strict=False)]
        more = ", ..." if len(labels) == 13 else ""
        return ", ".join(labels[:12]) + more


class Among(Domain):
    """A list of choices."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        self._choices = tuple(choices)

    def choices(self) -> Iterator[Choice]:
        """All of them, in the order given."""
        return iter(self._choices)

    def __contains__(self, value: object) -> bool:
        """Whether one of the choices has this value."""
        return any(choice.value == value for choice in self._choices)


class Those(Domain):
    """Those of the candidates that pass a test; the test runs only for what is looked at."""

    def __init__(
        self,
        candidates: Sequence[str | int],
        test: Callable[[Any], bool],
        label: Callable[[Any], str] = str,
    ) -> None:
        self._candidates = candidates
        self._test = test
        self._label = label

    def choices(self) -> Iterator[Choice]:
        """The candidates that pass, in their order."""
        return (Choice(value, self._label(value)) for value in self._candidates if self._test(value))

    def __contains__(self, value: object) -> bool:
        """Whether the value is a candidate and passes."""
        return value in self._candidates and self._test(value)


class Between(Domain):
    """Whole numbers from low to high in steps of `step`, counted from low."""

    def __init__(self, low: int, high: int, step: int = 1, unit: str = "$") -> None:
        self.low = low
        self.high = high
        self.step = step
        self._unit = unit

    def choices(self) -> Iterator[Choice]:
        """Every number, rising."""
        return (
            Choice(number, f"{self._unit}{number}") for number in range(self.low, self.high + 1, self.step)
        )

    def __contains__(self, value: object) -> bool:
        """Whether it is one of the numbers (True and False are not)."""
        whole = isinstance(value, int) and not isinstance(value, bool)
        return whole and self.low <= value <= self.high and (value - self.low) % self.step == 0  # type: ignore[operator]

    def allowed(self) -> str:
        """The range in words."""
        if self.low > self.high:
            return ""
        if self.low == self.high:
            return f"{self._unit}{self.low}"
        steps = f" in steps of {self.step}" if self.step > 1 else ""
        return f"{self._unit}{self.low} to {self._unit}{self.high}{steps}"


class Routes(Domain):
    """Sets of routes for these trains; `judge` raises IllegalAction with the rule a set breaks."""

    def __init__(self, trains: Sequence[str], judge: Callable[[Any], object]) -> None:
        self.trains = tuple(trains)
        self._judge = judge

    def choices(self) -> Iterator[Choice]:
        """None: routes are suggested or typed, not listed."""
        return iter(())

    def __bool__(self) -> bool:
        """Running nothing is always possible."""
        return True

    def __contains__(self, value: object) -> bool:
        """Whether the set of routes is legal."""
        return self.refuse(value) is None

    def refuse(self, value: object) -> str | None:
        """The rule that the set of routes breaks."""
        try:
            self._judge(value)
        except IllegalAction as problem:
            return str(problem)
        return None

    def allowed(self) -> str:
        """The trains in words."""
        return "routes for the trains " + ", ".join(self.trains)


@dataclass(frozen=True, slots=True)
class Slot:
    """One choice of an action: the field it fills and its legal values, given the earlier picks.

    `why` explains a value that is not legal: one sentence with the rulebook section, or None.
    """

    name: str
    domain: Callable[[Chosen], Domain]
    why: Callable[[Chosen, Any], str | None] | None = None


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A ready filling of an offer, worth a button."""

    label: str
    chosen: Mapping[str, Any]


def _nothing() -> Sequence[Suggestion]:
    return ()


@dataclass(frozen=True, slots=True)
class Offer:
    """An action that is possible now. Without slots it is a one-click move.

    `blocking` offers say whose turn it is; the others may be taken meanwhile.
    """

    kind: str
    actor: PlayerId
    entity: EntityId
    label: str
    slots: tuple[Slot, ...] = ()
    suggest: Callable[[], Sequence[Suggestion]] = _nothing
    blocking: bool = True

    def fill(self, **chosen: Any) -> Action:
        """The action with these choices (not yet checked); raises Unreadable."""
        return build_action(self.kind, self.actor, self.entity, **chosen)

    def domain(self, name: str, chosen: Chosen) -> Domain:
        """Legal values of one slot, given the earlier picks; raises KeyError for an unknown slot."""
        for slot in self.slots:
            if slot.name == name:
                return slot.domain(chosen)
        raise KeyError(name)

    def check(self, chosen: Chosen) -> None:
        """Walk the slots in order; raises BadChoice at the first value that is not legal."""
        picked: dict[str, Any] = {}
        for slot in self.slots:
            value = chosen[slot.name]
            domain = slot.domain(picked)
            if value not in domain:
                raise self._bad_choice(slot, picked, value, domain)
            picked[slot.name] = value

    def _bad_choice(self, slot: Slot, picked: Chosen, value: Any, domain: Domain) -> BadChoice:
        reason = slot.why(picked, value) if slot.why else None
        reason = (
            reason or domain.refuse(value) or f"{value} is not a legal {slot.name.replace('_', ' ')} here."
        )
        allowed = domain.allowed()
        sentence = f"{reason} Allowed: {allowed}." if allowed else reason
        return BadChoice(
            sentence, slot.name, value, [c.label for _, c in zip(range(25), domain.choices(), strict=False)]
        )
