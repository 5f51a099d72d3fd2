"""Offers: the legal actions of the moment, and cursors that fill in an offer's slots (parameters) one by one.

Menus, buttons and typed commands use them, and every action is checked against them.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Self, TypeAlias

from engine.core.actions import Action, build_action
from engine.core.errors import BadChoice, IllegalAction
from engine.core.facts import Fact, fact
from engine.core.ids import EntityId, PlayerId
from engine.core.memory import LazySequence

PickedValues: TypeAlias = Mapping[str, Any]
"""The values picked so far, by slot (parameter) name."""
ObstacleFunction: TypeAlias = Callable[[Any], Fact | None]
"""Function that finds the obstacle to a value: the most specific rule that forbids it; None if it is legal."""
MAX_CHOICES_LISTED: Final = 12
"""Maximum number of choices (legal values) that an error message lists."""


class Choice:
    """One legal value of a slot (action parameter). `label` is for menus, `short_label` for sentences."""

    __slots__ = ("label", "short_label", "value")

    def __init__(self, value: str | int, label: Fact | None = None, short_label: Fact | None = None) -> None:
        self.value = value
        self.label = fact("choice.value", value=value) if label is None else label
        self.short_label = self.label if short_label is None else short_label


class Domain(ABC):
    """The legal values of one slot (action parameter)."""

    @abstractmethod
    def choices(self) -> Iterator[Choice]:
        """The legal values to list in a menu, with labels, in a fixed order."""

    @abstractmethod
    def __contains__(self, value: object) -> bool:
        """True if the value is legal."""

    def values(self) -> Iterator[Any]:
        """The legal values to list in a menu, without labels."""
        return (choice.value for choice in self.choices())

    def __bool__(self) -> bool:
        return next(self.choices(), None) is not None

    def only_value(self) -> str | int | None:
        """The value, if the menu would list exactly one; else None."""
        first_choices = list(islice(self.choices(), 2))
        return first_choices[0].value if len(first_choices) == 1 else None

    def obstacle(self, value: object) -> Fact | None:
        """The most specific rule that forbids the value; None if the value is legal or no specific rule is known."""
        return None

    def allowed(self) -> Fact | None:
        """The legal values as text for an error message; None if there are none."""
        short_labels = [choice.short_label for choice in islice(self.choices(), MAX_CHOICES_LISTED + 1)]
        if not short_labels:
            return None
        fact_name = "allowed.some" if len(short_labels) > MAX_CHOICES_LISTED else "allowed.these"
        return fact(fact_name, choices=tuple(short_labels[:MAX_CHOICES_LISTED]))


def no_obstacle(value: object) -> None:
    """The obstacle check of a domain (set of allowed values) without rules of its own: always None."""
    del value


class Choices(Domain):
    """A domain with a fixed list of legal values; `obstacle` gives the rule that forbids any other value."""

    def __init__(self, choices: Sequence[Choice], obstacle: ObstacleFunction = no_obstacle) -> None:
        self._choices = tuple(choices)
        self._obstacle = obstacle

    def obstacle(self, value: object) -> Fact | None:
        return None if value in self else self._obstacle(value)

    def choices(self) -> Iterator[Choice]:
        return iter(self._choices)

    def __contains__(self, value: object) -> bool:
        return any(choice.value == value for choice in self._choices)


class FilteredChoices(Domain):
    """A domain of the candidates that no rule forbids. A candidate is checked only when iteration reaches it."""

    def __init__(
        self,
        candidates: Sequence[str | int] | LazySequence[str],
        obstacle: ObstacleFunction,
        label: Callable[[Any], Fact] | None = None,
        short_label: Callable[[Any], Fact] | None = None,
    ) -> None:
        """`label` makes the label of a value in a menu, `short_label` its label in a sentence that lists values."""
        self._candidates = candidates
        self._obstacle = obstacle
        self._label = label
        self._short_label = short_label

    def obstacle(self, value: object) -> Fact | None:
        return self._obstacle(value)

    def choices(self) -> Iterator[Choice]:
        label, short_label = self._label, self._short_label
        for value in self.values():
            yield Choice(value, label and label(value), short_label and short_label(value))

    def values(self) -> Iterator[str | int]:
        return (value for value in self._candidates if self._obstacle(value) is None)

    def __bool__(self) -> bool:
        return any(self._obstacle(value) is None for value in self._candidates)

    def __contains__(self, value: object) -> bool:
        return value in self._candidates and self._obstacle(value) is None


class UnlistedChoices(FilteredChoices):
    """A domain of all values that no rule forbids; menus list only the candidates."""

    def __contains__(self, value: object) -> bool:
        return self._obstacle(value) is None


class IntRange(Domain):
    """A domain of whole dollars from low to high in steps of `step`, counted from low.

    `face_value` is the printed price, which need not be legal. `obstacle` gives the rule that forbids another number.
    """

    def __init__(
        self,
        low: int,
        high: int,
        step: int = 1,
        *,
        face_value: int | None = None,
        obstacle: ObstacleFunction = no_obstacle,
    ) -> None:
        self.low = low
        self.high = high
        self.step = step
        self.face_value = face_value
        self._obstacle = obstacle

    def obstacle(self, value: object) -> Fact | None:
        return None if value in self else self._obstacle(value)

    def choices(self) -> Iterator[Choice]:
        return map(self.choice, self.values())

    def choice(self, number: int) -> Choice:
        """The number as a menu choice, labelled in dollars."""
        return Choice(number, fact("choice.dollars", amount=number))

    def values(self) -> Iterator[int]:
        return iter(self.numbers())

    def numbers(self) -> range:
        """The legal numbers as a Python range."""
        return range(self.low, self.high + 1, self.step)

    def __contains__(self, value: object) -> bool:
        """True for an integer in the range; False for bools."""
        is_whole_number = isinstance(value, int) and not isinstance(value, bool)
        return is_whole_number and self.low <= value <= self.high and (value - self.low) % self.step == 0  # type: ignore[operator]

    def allowed(self) -> Fact | None:
        if self.low > self.high:
            return None
        if self.low == self.high:
            return fact("choice.dollars", amount=self.low)
        name = "allowed.steps" if self.step > 1 else "allowed.range"
        return fact(name, low=self.low, high=self.high, step=self.step)


class Routes(Domain):
    """The domain of legal sets of routes for these trains. `check_routes` raises IllegalAction for a set that breaks a
    rule.

    `find_suggestions` returns complete sets of routes, the best first; this search may take long.
    """

    def __init__(
        self,
        trains: Sequence[str],
        check_routes: Callable[[Any], object],
        find_suggestions: Callable[[], Sequence["Suggestion"]] = tuple,
    ) -> None:
        self.trains = tuple(trains)
        self.find_suggestions = find_suggestions
        self._check_routes = check_routes

    def choices(self) -> Iterator[Choice]:
        """Always empty: routes are suggested or typed, not listed in a menu."""
        return iter(())

    def __bool__(self) -> bool:
        """True: running no train is always possible."""
        return True

    def __contains__(self, value: object) -> bool:
        return self.obstacle(value) is None

    def obstacle(self, value: object) -> Fact | None:
        try:
            self._check_routes(value)
        except IllegalAction as problem:
            return problem.reason
        return None

    def allowed(self) -> Fact:
        return fact("allowed.routes", trains=self.trains)


class Slot(NamedTuple):
    """One parameter of an offered action: its field name, and its legal values given the values already picked.

    Only earlier slots decide what is legal. For a more specific error message, the domain also receives the requested
    values of later slots, as far as known.
    """

    name: str
    domain: Callable[[PickedValues], Domain]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A complete set of values for an offer's slots, shown as a button."""

    label: Fact
    chosen: Mapping[str, Any]


class Offer(NamedTuple):
    """A legal action of the moment with its open parameters (slots). Without slots it takes one click.

    Only `blocking` offers decide whose turn it is; the others are optional. If `confirm` is set, the action gives
    something up for good and the player must confirm it: the label says what is lost, and each possible action has its
    own button (a suggestion). If `secret` is set, only the actor sees the choices.
    """

    kind: str
    actor: PlayerId
    entity: EntityId
    label: Fact
    slots: tuple[Slot, ...] = ()
    suggest: Callable[[], Sequence[Suggestion]] = tuple
    blocking: bool = True
    confirm: bool = False
    secret: bool = False

    def fill(self, **chosen: Any) -> Action:
        """The action with these values, not checked for legality.

        Raises Unreadable if a value is missing or has the wrong type.
        """
        return build_action(self.kind, self.actor, self.entity, **chosen)


class OfferCursor:
    """A partially filled offer: legal values have been picked for its first slots (parameters).

    Typed commands, autocomplete, menus and buttons all use cursors.
    """

    __slots__ = ("_domain", "chosen", "offer", "slot")

    def __init__(self, offer: Offer, chosen: PickedValues | None = None) -> None:
        self.offer = offer
        self.chosen: PickedValues = chosen or {}
        picked_count = len(self.chosen)
        self.slot: Slot | None = offer.slots[picked_count] if picked_count < len(offer.slots) else None
        """The slot (parameter) to fill next; None when all slots are filled."""
        self._domain: Domain | None = None

    @property
    def domain(self) -> Domain:
        """The legal values of the next slot (parameter); cached."""
        if self._domain is None:
            slot = self.slot
            assert slot is not None
            self._domain = slot.domain(self.chosen)
        return self._domain

    def pick(self, value: Any, requested_values: PickedValues = MappingProxyType({})) -> Self:
        """A cursor with `value` in the next slot. Raises BadChoice, with the rule, if the value is illegal.

        `requested_values` are the requested values of later slots, if known; with them, the refusal can name a more
        specific rule.
        """
        slot = self.slot
        assert slot is not None
        if value not in self.domain:
            reason = self._obstacle(slot, value, {**requested_values, **self.chosen})
            raise BadChoice(reason, self.domain.allowed(), slot.name, value)
        return type(self)(self.offer, {**self.chosen, slot.name: value})

    def choices_and_cursors(self) -> Iterator[tuple[Choice, Self]]:
        """(choice, cursor after picking it) for each value that a menu lists for the next slot.

        The values are not checked again.
        """
        slot = self.slot
        assert slot is not None
        for choice in self.domain.choices():
            yield choice, type(self)(self.offer, {**self.chosen, slot.name: choice.value})

    def next_cursors(self) -> Iterator[Self]:
        """The cursors after picking each value that a menu lists for the next slot.

        The values are not checked again.
        """
        slot = self.slot
        assert slot is not None
        for value in self.domain.values():
            yield type(self)(self.offer, {**self.chosen, slot.name: value})

    def labels(self) -> Iterator[Fact]:
        """The menu labels of the values picked so far, except routes, which have no labels."""
        cursor = type(self)(self.offer)
        for slot, value in zip(self.offer.slots, self.chosen.values(), strict=False):
            yield from (choice.label for choice in cursor.domain.choices() if choice.value == value)
            cursor = type(self)(self.offer, {**cursor.chosen, slot.name: value})

    def pick_all(self, values_by_slot: PickedValues) -> Self:
        """A cursor with the next slots filled from `values_by_slot`. Raises BadChoice at an illegal value."""
        cursor = self
        while (slot := cursor.slot) is not None and slot.name in values_by_slot:
            cursor = cursor.pick(values_by_slot[slot.name], values_by_slot)
        return cursor

    def action(self) -> Action:
        """The action, if all slots are filled. Raises Unreadable if one is empty."""
        return self.offer.fill(**self.chosen)

    def _obstacle(self, slot: Slot, value: Any, requested_values: PickedValues) -> Fact:
        reason = slot.domain(requested_values).obstacle(value)
        general_refusal = fact("choice.not_legal", slot=fact(f"slot.{slot.name}"), value=value)
        return reason or general_refusal
