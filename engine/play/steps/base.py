"""Base classes of steps; a step is one decision."""

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
    """A requested action: kind, actor, entity (None: not given), and slot values as far as given."""

    kind: str
    actor: PlayerId
    entity: EntityId | None = None
    given_values: Mapping[str, Any] = MappingProxyType({})

    @classmethod
    def of_action(cls, action: Action) -> "Request":
        """The request for this action."""
        given_values = dict(vars(action))
        return cls(
            given_values.pop("kind"), given_values.pop("actor"), given_values.pop("entity"), given_values
        )

    def matches(self, offer: Offer) -> bool:
        """True if the request can mean this offer."""
        return offer.kind == self.kind and offer.actor == self.actor and self.entity in (None, offer.entity)

    def other_entities(self, same_kind_offers: Sequence[Offer]) -> Fact:
        """The refusal that names the other players or entities that have an offer of this kind now."""
        if not same_kind_offers:
            return fact("game.not_possible")
        entities = tuple(dict.fromkeys(offer.entity for offer in same_kind_offers))
        other_actors = tuple(
            dict.fromkeys(o.actor for o in same_kind_offers if self.entity in {None, o.entity})
        )
        if other_actors:
            name = "game.other_actor" if self.entity is None else "game.other_actor_for"
            return fact(name, players=other_actors, entity=self.entity)
        return fact("game.other_entity", entities=entities, entity=self.entity)


class Step(ABC):
    """One decision: its offers and their effects. Steps have no state."""

    name: ClassVar[str]
    kinds: ClassVar[frozenset[str]]
    """The kinds of action in the step."""
    is_exclusive: ClassVar[bool] = False
    """True if no other action is possible while the step waits."""
    is_agreement: ClassVar[bool] = False
    """True if the step is about an agreement of players: it is available at any time and does not end a proposal."""
    is_silent: ClassVar[bool] = False
    """True if the step has no decision of its own; lists of a turn's steps omit it."""

    @abstractmethod
    def offers(self, t: Table) -> Iterator[Offer]:
        """The offers possible now; none if the step has no decision to make."""

    @abstractmethod
    def apply(self, t: Table, action: Any) -> None:
        """Carry out a legal action; never refuses."""

    def stop_offer(self, t: Table) -> Offer | None:
        """The offer to end the step, if it can be made without computing the other offers; else None."""
        return None

    def skip(self, t: Table) -> None:  # noqa: B027 - most steps have nothing to do here
        """Close the step, because it has no offers. By default, do nothing."""

    def carry_out_proposal(self, t: Table, action: Any) -> None:
        """Carry out this step's proposal after the asked player has accepted it."""
        raise AssertionError(f"{self.name} proposes nothing, yet {action!r} was agreed to")

    def handle_refusal(self, t: Table, action: Any) -> None:  # noqa: B027 - most proposals just end
        """Handle the refusal of this step's proposal."""

    def deal_obstacle(self, t: Table, action: Any) -> Fact | None:
        """The reason why the asked player cannot accept this step's proposal; None if they can."""
        return None

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        """The reason why this step does not offer the requested action; None if no reason is known."""
        return None


class CompanyStep(Step):
    """A step of the operating company's turn. Once closed, it stays closed for the turn."""

    def skip(self, t: Table) -> None:
        """Close the step, and emit the reason for skipping if players should read it."""
        reason = self.skip_reason(t)
        if reason is not None:
            t.emit(Skipped(t.company.id, self.name, reason))
        self.close(t)

    def skip_reason(self, t: Table) -> Fact | None:
        """The reason for skipping the step, if players should read it."""
        return None

    def close(self, t: Table) -> None:
        done_steps = t.turn.done
        if self.name not in done_steps:
            done_steps.append(self.name)

    def misplaced_obstacle(self, t: Table, request: Request) -> Fact:
        """The refusal of an action of this step in another part of the turn."""
        name = "turn.step_is_over" if self.name in t.turn.done else "turn.step_comes_later"
        return fact(name, step=fact(f"doing.{self.name}"), company=t.turn.company)


class AutomaticStep(CompanyStep):
    """A step without decisions: `skip` does its work."""

    kinds = frozenset[str]()
    is_silent = True

    def offers(self, t: Table) -> Iterator[Offer]:
        return iter(())

    def apply(self, t: Table, action: object) -> None:
        raise AssertionError(f"{self.name} offers nothing, yet {action!r} was applied")


class AnytimeStep(Step):
    """A step available at any time of a turn."""

    def keeps_turn_open(self, t: Table) -> bool:
        """True if the turn must not end while this step has offers."""
        return any(True for _ in self.offers(t))
