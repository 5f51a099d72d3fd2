"""The table as a whole: rounds, passes, proposals, the end. Money in dollars."""

from dataclasses import dataclass

from engine.core.ids import CompanyId, EntityId, PlayerId


@dataclass(frozen=True, slots=True)
class Passed:
    """Somebody passed; `what` is what was declined."""

    entity: EntityId
    what: str


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A round begins: `SR 2`, `OR 2.1`."""

    name: str
    first: EntityId


@dataclass(frozen=True, slots=True)
class Proposed:
    """A purchase waits for another president's or owner's consent."""

    proposer: EntityId
    asked: PlayerId
    what: str


@dataclass(frozen=True, slots=True)
class ProposalEnded:
    """A proposal was refused or withdrawn."""

    by: PlayerId
    what: str
    withdrawn: bool


@dataclass(frozen=True, slots=True)
class WentBankrupt:
    """A president could not pay for a train."""

    player: PlayerId
    company: CompanyId


@dataclass(frozen=True, slots=True)
class EndTriggered:
    """The end is near: why, and what is still to be played."""

    reason: str
    remaining: str


@dataclass(frozen=True, slots=True)
class EndVoted:
    """A player agreed to end the game here."""

    player: PlayerId
    agreed: int
    needed: int


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game has ended."""

    reason: str
    scores: tuple[tuple[PlayerId, int], ...]
