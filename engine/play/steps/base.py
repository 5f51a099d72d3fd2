"""Steps: one decision each."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from engine.core.actions import Action
from engine.core.events import Skipped
from engine.core.facts import Fact, fact
from engine.core.ids import EntityId, PlayerId
from engine.core.offers import Offer
from engine.play.table import Table


class Request(NamedTuple):
    """A request to act: the kind of action, who, for whom (None: left open), and values as far as given."""

    kind: str
    actor: PlayerId
    entity: EntityId | None = None
    given: Mapping[str, Any] = MappingProxyType({})

    @classmethod
    def of(cls, action: Action) -> "Request":
        """The action that asks for this step."""
        given = dict(vars(action))
        return cls(given.pop("kind"), given.pop("actor"), given.pop("entity"), given)

    def means(self, offer: Offer) -> bool:
        """True if an offer could be meant."""
        return offer.kind == self.kind and offer.actor == self.actor and self.entity in (None, offer.entity)

    def elsewhere(self, same: Sequence[Offer]) -> Fact:
        """Players or companies to whom it is offered now: by these offers of its kind."""
        if not same:
            return fact("game.not_possible")
        entities = tuple(dict.fromkeys(offer.entity for offer in same))
        others = tuple(dict.fromkeys(o.actor for o in same if self.entity in {None, o.entity}))
        if others:
            name = "game.other_actor" if self.entity is None else "game.other_actor_for"
            return fact(name, players=others, entity=self.entity)
        return fact("game.other_entity", entities=entities, entity=self.entity)


class Step(ABC):
    """One decision: what is offered, and what a chosen action does. Stateless."""

    name: ClassVar[str]
    kinds: ClassVar[frozenset[str]]
    """The kinds of action it may take."""
    exclusive: ClassVar[bool] = False
    """True if nothing else may be done while it waits."""
    agreement: ClassVar[bool] = False
    """True if it settles something between players: it may be taken at any time, and ends no proposal."""
    silent: ClassVar[bool] = False
    """True if lists of a turn leave it out, because nobody ever decides there."""

    @abstractmethod
    def offers(self, t: Table) -> Iterator[Offer]:
        """The offers of the moment; none when the step does not apply."""

    @abstractmethod
    def apply(self, t: Table, action: Any) -> None:
        """Do what an accepted action says; never refuses."""

    def stop(self, t: Table) -> Offer | None:
        """The offer to stop while there is anything to offer, where the step knows it without the rest; else None."""
        return None

    def skip(self, t: Table) -> None:  # noqa: B027 - most steps have nothing to do here
        """Called instead of asking when the step has nothing to offer."""

    def agreed(self, t: Table, action: Any) -> None:
        """Do what this step proposed and the player asked has agreed to."""
        raise AssertionError(f"{self.name} proposes nothing, yet {action!r} was agreed to")

    def refused(self, t: Table, action: Any) -> None:  # noqa: B027 - most proposals just end
        """Do what follows when the player asked has refused what this step proposed."""

    def deal_obstacle(self, t: Table, action: Any) -> Fact | None:
        """Why the player asked cannot agree to what this step proposed; None if they can."""
        return None

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        """Why nothing of the kind is offered while this step waits, as far as the step knows."""
        return None


class CompanyStep(Step):
    """A decision in the operating company's turn; once over it does not come back in that turn."""

    def skip(self, t: Table) -> None:
        """Nothing to decide: the step is over; it says why where somebody could wonder."""
        reason = self.skipped_for(t)
        if reason is not None:
            t.emit(Skipped(t.company.id, self.name, reason))
        self.over(t)

    def skipped_for(self, t: Table) -> Fact | None:
        """Why nobody is asked, where that is worth a line."""
        return None

    def over(self, t: Table) -> None:
        done = t.turn.done
        if self.name not in done:
            done.append(self.name)

    def misplaced(self, t: Table, request: Request) -> Fact:
        """Why what belongs into this step is not possible at another place of the turn."""
        name = "turn.step_is_over" if self.name in t.turn.done else "turn.step_comes_later"
        return fact(name, step=fact(f"doing.{self.name}"), company=t.turn.company)


class AutomaticStep(CompanyStep):
    """Nothing to decide: `skip` does what is due at its place in the turn."""

    kinds = frozenset[str]()
    silent = True

    def offers(self, t: Table) -> Iterator[Offer]:
        return iter(())

    def apply(self, t: Table, action: object) -> None:
        raise AssertionError(f"{self.name} offers nothing, yet {action!r} was applied")


class AnytimeStep(Step):
    """A decision that may be taken at any time of a turn, in addition to its other steps."""

    def holds(self, t: Table) -> bool:
        """True if the turn must not end before somebody was asked: there is something to be done here."""
        return any(True for _ in self.offers(t))
