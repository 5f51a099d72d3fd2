"""The one walk through an offer: the values picked so far, and the question that comes next."""

from collections.abc import Iterator
from types import MappingProxyType
from typing import Any, Self

from engine.core.actions import Action
from engine.core.errors import BadChoice
from engine.core.facts import Fact, fact
from engine.core.offers import Choice, Chosen, Domain, Offer, Slot


class Cursor:
    """An offer and legal values for its first slots. Gate, typing, autocomplete, menus and buttons all walk by it."""

    __slots__ = ("_domain", "chosen", "offer")

    def __init__(self, offer: Offer, chosen: Chosen | None = None) -> None:
        self.offer = offer
        self.chosen: Chosen = chosen or {}
        self._domain: Domain | None = None

    @property
    def slot(self) -> Slot | None:
        """The slot to be filled next, None when all are."""
        slots = self.offer.slots
        return slots[len(self.chosen)] if len(self.chosen) < len(slots) else None

    @property
    def domain(self) -> Domain:
        """Legal values of the next slot, worked out once."""
        if self._domain is None:
            slot = self.slot
            assert slot is not None
            self._domain = slot.domain(self.chosen)
        return self._domain

    def pick(self, value: Any, asked: Chosen = MappingProxyType({})) -> Self:
        """Fill the next slot; raises BadChoice with the rule where the value is not legal.

        `asked` are values for later slots, too, where they are known: what they single out has a rule of its own.
        """
        slot = self.slot
        assert slot is not None
        if value not in self.domain:
            reason = self._why_not(slot, value, {**asked, **self.chosen})
            raise BadChoice(reason, self.domain.allowed(), slot.name, value)
        return type(self)(self.offer, {**self.chosen, slot.name: value})

    def ways(self) -> Iterator[tuple[Choice, Self]]:
        """Each value worth listing for the next slot, with the walk after it: what is listed is not checked again."""
        slot = self.slot
        assert slot is not None
        for choice in self.domain.choices():
            yield choice, type(self)(self.offer, {**self.chosen, slot.name: choice.value})

    def onward(self) -> Iterator[Self]:
        """The walk after each value worth listing for the next slot: what is listed is not checked again."""
        slot = self.slot
        assert slot is not None
        for value in self.domain.values():
            yield type(self)(self.offer, {**self.chosen, slot.name: value})

    def labels(self) -> Iterator[Fact]:
        """What the picks are named where they are listed; routes have no names."""
        here = type(self)(self.offer)
        for slot, value in zip(self.offer.slots, self.chosen.values(), strict=False):
            yield from (choice.label for choice in here.domain.choices() if choice.value == value)
            here = type(self)(self.offer, {**here.chosen, slot.name: value})

    def take(self, given: Chosen) -> Self:
        """Fill slots in order as far as values are given; raises BadChoice at the first that is not legal."""
        here = self
        while (slot := here.slot) is not None and slot.name in given:
            here = here.pick(given[slot.name], given)
        return here

    def action(self) -> Action:
        """The action, once every slot is filled; raises Unreadable before."""
        return self.offer.fill(**self.chosen)

    def _why_not(self, slot: Slot, value: Any, asked: Chosen) -> Fact:
        reason = slot.why(asked, value) if slot.why else None
        plain = fact("choice.not_legal", slot=fact(f"slot.{slot.name}"), value=value)
        return reason or self.domain.refuse(value) or plain
