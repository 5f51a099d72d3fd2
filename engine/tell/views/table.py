"""The whole table ready to show: companies, players, and the trains to come; and the phases."""

from dataclasses import dataclass

from engine.core.ids import PhaseName, TrainName
from engine.tell.views.sheets import CompanyView, PlayerView


@dataclass(frozen=True, slots=True)
class ComingView:
    """Trains of one kind in the bank: how many (None: any number), price in dollars, what buying them changes."""

    train: TrainName
    left: int | None
    price: int
    brings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PhaseView:
    """A line of the phase chart."""

    name: PhaseName
    started_by: str
    """`first 3-train`; empty for the phase in which the game begins."""
    tiles: tuple[str, ...]
    train_limit: int
    operating_rounds: int
    changes: tuple[str, ...]
    """What happens at its start, and what it allows."""
    reached: bool
    current: bool


@dataclass(frozen=True, slots=True)
class PhasesView:
    """The phase chart of a title, with where the game stands."""

    title: str
    caption: str
    phases: tuple[PhaseView, ...]


@dataclass(frozen=True, slots=True)
class TableView:
    """Everybody's holdings and every company in one: companies in operating order, then those not started."""

    title: str
    caption: str
    companies: tuple[CompanyView, ...]
    players: tuple[PlayerView, ...]
    actors: tuple[str, ...]
    """Players who must act now."""
    trains: tuple[ComingView, ...]
    pool: tuple[tuple[TrainName, int], ...]
    """Trains of the bank pool, with prices in dollars."""
    train_limit: int
    train_limits: tuple[tuple[str, int], ...] = ()
    """Kinds of companies with another limit."""
