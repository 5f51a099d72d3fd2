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
    """A requested action: kind, actor, entity (None: not given), and values as far as given."""

    kind: str
    actor: PlayerId
    entity: EntityId | None = None
    given: Mapping[str, Any] = MappingProxyType({})

    @classmethod
    def of_action(cls, action: Action) -> "Request":
        """The action that asks for this step."""
        given = dict(vars(action))
        return cls(given.pop("kind"), given.pop("actor"), given.pop("entity"), given)

    def matches(self, offer: Offer) -> bool:
        """True if the request may mean this offer."""
        return offer.kind == self.kind and offer.actor == self.actor and self.entity in (None, offer.entity)

    def other_entities(self, same: Sequence[Offer]) -> Fact:
        """The players or companies to whom the action is offered now, by these offers of its kind."""
        if not same:
            return fact("game.not_possible")
        entities = tuple(dict.fromkeys(offer.entity for offer in same))
        others = tuple(dict.fromkeys(o.actor for o in same if self.entity in {None, o.entity}))
        if others:
            name = "game.other_actor" if self.entity is None else "game.other_actor_for"
            return fact(name, players=others, entity=self.entity)
        return fact("game.other_entity", entities=entities, entity=self.entity)


class Step(ABC):
    """One decision: its offers and their effects. Stateless."""

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

    def stop_offer(self, t: Table) -> Offer | None:
        """The offer to stop, if the step can give it without computing its other offers; else None."""
        return None

    def skip(self, t: Table) -> None:  # noqa: B027 - most steps have nothing to do here
        """Do nothing and close the step, since it has no offers."""

    def agreed(self, t: Table, action: Any) -> None:
        """Carry out this step's proposal, which the asked player accepted."""
        raise AssertionError(f"{self.name} proposes nothing, yet {action!r} was agreed to")

    def refused(self, t: Table, action: Any) -> None:  # noqa: B027 - most proposals just end
        """Follow up on the refusal of this step's proposal."""

    def deal_obstacle(self, t: Table, action: Any) -> Fact | None:
        """The reason why the asked player cannot accept this step's proposal; None if they can."""
        return None

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        """The reason why this step offers no such action."""
        return None


class CompanyStep(Step):
    """A step of the operating company's turn; once closed it stays closed for the turn."""

    def skip(self, t: Table) -> None:
        """Close the step, with a line if players could wonder why."""
        reason = self.skip_reason(t)
        if reason is not None:
            t.emit(Skipped(t.company.id, self.name, reason))
        self.close(t)

    def skip_reason(self, t: Table) -> Fact | None:
        """The reason for skipping, if worth a line."""
        return None

    def close(self, t: Table) -> None:
        done = t.turn.done
        if self.name not in done:
            done.append(self.name)

    def misplaced_obstacle(self, t: Table, request: Request) -> Fact:
        """The refusal of an action of this step elsewhere in the turn."""
        name = "turn.step_is_over" if self.name in t.turn.done else "turn.step_comes_later"
        return fact(name, step=fact(f"doing.{self.name}"), company=t.turn.company)


class AutomaticStep(CompanyStep):
    """A step without decisions; `skip` does its work."""

    kinds = frozenset[str]()
    silent = True

    def offers(self, t: Table) -> Iterator[Offer]:
        return iter(())

    def apply(self, t: Table, action: object) -> None:
        raise AssertionError(f"{self.name} offers nothing, yet {action!r} was applied")


class AnytimeStep(Step):
    """A step available at any time of a turn."""

    def holds_turn(self, t: Table) -> bool:
        """True if the turn must not end before this step was offered."""
        return any(True for _ in self.offers(t))
