"""Trains come and go, and phases with them. Money in dollars."""

from dataclasses import dataclass

from engine.core.ids import CompanyId, PhaseName, TrainName


@dataclass(frozen=True, slots=True)
class TrainBought:
    """A train was bought; `contribution` is the president's money, `traded` the train handed in or empty."""

    company: CompanyId
    train: TrainName
    source: str
    price: int
    contribution: int
    traded: str
    treasury: int


@dataclass(frozen=True, slots=True)
class TrainAgreed:
    """Another company's train was agreed on; the president must sell shares for the dollars that are missing."""

    company: CompanyId
    train: TrainName
    source: CompanyId
    price: int
    missing: int


@dataclass(frozen=True, slots=True)
class PhaseStarted:
    """A new phase is in force."""

    phase: PhaseName


@dataclass(frozen=True, slots=True)
class Rusted:
    """All trains of a type left the game: owners and how many each."""

    train: TrainName
    owners: tuple[tuple[CompanyId, int], ...]


@dataclass(frozen=True, slots=True)
class MadeObsolete:
    """Trains of a type run once more for `kept`; those of `lost` are gone at once."""

    train: TrainName
    kept: tuple[CompanyId, ...]
    lost: tuple[CompanyId, ...]


@dataclass(frozen=True, slots=True)
class ObsoleteGone:
    """A company's obsolete trains have run for the last time."""

    company: CompanyId
    trains: tuple[TrainName, ...]


@dataclass(frozen=True, slots=True)
class Compensated:
    """The bank pays a company for trains it lost."""

    company: CompanyId
    train: TrainName
    amount: int


@dataclass(frozen=True, slots=True)
class TrainDiscarded:
    """A company gave up a train above its limit."""

    company: CompanyId
    train: TrainName
    obsolete: bool = False
    """It leaves the game; any other goes to the bank pool."""


@dataclass(frozen=True, slots=True)
class TrainExported:
    """The next new train left the game."""

    train: TrainName
