"""Base classes of steps. A step is one decision of a turn, such as laying track."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from engine.core.actions import Action
from engine.core.events import StepSkipped
from engine.core.facts import Fact, fact
from engine.core.ids import EntityId, PlayerId
from engine.core.offers import Offer
from engine.play.table import Table


class Request(NamedTuple):
    """A requested action: kind, actor, entity (None: not given), and the slot values (parameters) given so far."""

    kind: str
    actor: PlayerId
    entity: EntityId | None = None
    given_values: Mapping[str, Any] = MappingProxyType({})

    @classmethod
    def of_action(cls, action: Action) -> "Request":
        """The request that asks for exactly this action."""
        given_values = dict(vars(action))
        return cls(
            given_values.pop("kind"), given_values.pop("actor"), given_values.pop("entity"), given_values
        )

    def matches(self, offer: Offer) -> bool:
        """True if the request can mean this offer (legal action)."""
        return offer.kind == self.kind and offer.actor == self.actor and self.entity in (None, offer.entity)

    def wrong_entity_refusal(self, same_kind_offers: Sequence[Offer]) -> Fact:
        """The error message for a request that names a wrong entity, or none.

        It names the players, companies or privates that can take this kind of action.
        """
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
    """One decision of a turn or round, such as laying track: its legal actions and their effects.

    Steps are stateless; all state is in the table.
    """

    name: ClassVar[str]
    kinds: ClassVar[frozenset[str]]
    """The kinds of action that belong to the step."""
    is_exclusive: ClassVar[bool] = False
    """True if the step is exclusive: no other action is possible while it waits."""
    is_agreement: ClassVar[bool] = False
    """True if the step is an agreement between players: possible at any time, and it withdraws no open proposal."""
    is_unlisted: ClassVar[bool] = False
    """True if the step is silent: it has no decision for players, and lists of a turn's steps leave it out."""

    @abstractmethod
    def offers(self, t: Table) -> Iterator[Offer]:
        """The legal actions of the step now; none if there is nothing to decide."""

    @abstractmethod
    def apply(self, t: Table, action: Any) -> None:
        """Carry out an action that has been checked; never refuses."""

    def end_step_offer(self, t: Table) -> Offer | None:
        """The legal action that ends the step; None if it is not known without computing the step's other actions."""
        return None

    def skip(self, t: Table) -> None:  # noqa: B027 - most steps have nothing to do here
        """Close the step because it has no legal action. By default, do nothing."""

    def carry_out_proposal(self, t: Table, action: Any) -> None:
        """Carry out a proposal that this step made, after the asked player has accepted it."""
        raise AssertionError(f"{self.name} proposes nothing, yet {action!r} was agreed to")

    def handle_refusal(self, t: Table, action: Any) -> None:  # noqa: B027 - most proposals just end
        """React to the refusal of a proposal that this step made."""

    def acceptance_obstacle(self, t: Table, action: Any) -> Fact | None:
        """The rule that prevents the asked player from accepting a proposal of this step; None if they can."""
        return None

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        """The reason why this step does not allow the requested action; None if no reason is known."""
        return None


class CompanyStep(Step):
    """A step (decision) in a company's operating turn. Once closed, it stays closed for that turn."""

    def skip(self, t: Table) -> None:
        """Close the step because no action is possible, and emit the reason if players should read it."""
        reason = self.skip_reason(t)
        if reason is not None:
            t.emit(StepSkipped(t.company.id, self.name, reason))
        self.close(t)

    def skip_reason(self, t: Table) -> Fact | None:
        """The reason for skipping the step, if players should read it; else None."""
        return None

    def close(self, t: Table) -> None:
        done_steps = t.turn.done
        if self.name not in done_steps:
            done_steps.append(self.name)

    def misplaced_obstacle(self, t: Table, request: Request) -> Fact:
        """The error message for an action of this step in another part of the turn."""
        name = "turn.step_is_over" if self.name in t.turn.done else "turn.step_comes_later"
        return fact(name, step=fact(f"doing.{self.name}"), company=t.turn.company)


class AutomaticStep(CompanyStep):
    """A step without a decision; `skip` does its work."""

    kinds = frozenset[str]()
    is_unlisted = True

    def offers(self, t: Table) -> Iterator[Offer]:
        return iter(())

    def apply(self, t: Table, action: object) -> None:
        raise AssertionError(f"{self.name} offers nothing, yet {action!r} was applied")


class AnytimeStep(Step):
    """A step whose actions are possible at any time of a turn."""

    def keeps_turn_open(self, t: Table) -> bool:
        """True if the turn must not end while this step has legal actions."""
        return any(True for _ in self.offers(t))
