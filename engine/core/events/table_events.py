"""The table as a whole: rounds, passes, proposals, the end. Money in dollars."""

from dataclasses import dataclass
from typing import Literal

from engine.core.actions import Action
from engine.core.facts import Fact
from engine.core.ids import CompanyId, EndReason, EntityId, PlayerId


@dataclass(frozen=True, slots=True)
class Passed:
    """Somebody passed; `declined` is what was not done (None: nothing to speak of)."""

    entity: EntityId
    declined: Fact | None = None


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A round begins; `number` counts the operating rounds of the set, `first` acts first."""

    kind: Literal["stock", "operating", "merger"]
    set: int
    number: int = 1
    first: PlayerId | None = None


@dataclass(frozen=True, slots=True)
class Proposed:
    """A purchase waits for another president's or owner's consent."""

    proposer: EntityId
    asked: PlayerId
    action: Action


@dataclass(frozen=True, slots=True)
class ProposalEnded:
    """A proposal was refused or withdrawn."""

    by: PlayerId
    action: Action
    withdrawn: bool


@dataclass(frozen=True, slots=True)
class WentBankrupt:
    """A president could not pay for a train."""

    player: PlayerId
    company: CompanyId


@dataclass(frozen=True, slots=True)
class EndTriggered:
    """The end is near: why, the current round, whether it is the last, and what is played after it.

    `more` counts operating rounds after the present one; from a stock round `after` says what follows it.
    """

    reason: EndReason
    during: Literal["stock", "operating", "merger"]
    after: Literal["nothing", "round", "set"]
    more: int = 0


@dataclass(frozen=True, slots=True)
class EndVoted:
    """A player agreed to end the game here."""

    player: PlayerId
    agreed: int
    needed: int


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game has ended."""

    reason: EndReason
    scores: tuple[tuple[PlayerId, int], ...]
