"""Companies that become others, or leave the game with their players. Money in dollars."""

from dataclasses import dataclass

from engine.core.ids import CompanyId, Coord, PlayerId, TrainName


@dataclass(frozen=True, slots=True)
class Formed:
    """Minors became a major: what its president paid for it, and what it begins with."""

    player: PlayerId
    company: CompanyId
    minors: tuple[CompanyId, ...]
    par: int
    percent: int
    paid: int
    treasury: int
    trains: tuple[TrainName, ...]
    tokens: tuple[Coord, ...]


@dataclass(frozen=True, slots=True)
class TokenReturned:
    """A token went back to the charter."""

    company: CompanyId
    hex: Coord
    price: int


@dataclass(frozen=True, slots=True)
class Liquidated:
    """A company without a train leaves the game; its treasury goes to the bank."""

    company: CompanyId
    treasury: int


@dataclass(frozen=True, slots=True)
class Eliminated:
    """A bankrupt player is out of the game; his cash goes to the bank."""

    player: PlayerId
    cash: int
