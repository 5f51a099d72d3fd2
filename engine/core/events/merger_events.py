"""Companies that become others, or leave the game with their players. Money in dollars."""

from dataclasses import dataclass

from engine.core.facts import Fact
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
class United:
    """A company went into another one, at the dollars of a new price; where tokens lay that went to the charter."""

    company: CompanyId
    other: CompanyId
    president: PlayerId
    price: int
    treasury: int
    trains: tuple[TrainName, ...]
    given_back: tuple[Coord, ...]


@dataclass(frozen=True, slots=True)
class NationalFormed:
    """A national took companies over, at the dollars of its first price; `percent` is that of a share."""

    company: CompanyId
    parts: tuple[CompanyId, ...]
    president: PlayerId
    price: int
    percent: int
    treasury: int
    placed: int
    """Tokens on the map, and below those on its charter."""
    left: int


@dataclass(frozen=True, slots=True)
class NoNational:
    """A national does not form: companies have lost their last train, but no player would have two shares of it."""

    company: CompanyId
    parts: tuple[CompanyId, ...]


@dataclass(frozen=True, slots=True)
class SharesExchanged:
    """Shares of companies became those of another one: player, shares, dollars for an odd one."""

    company: CompanyId
    players: tuple[tuple[PlayerId, int, int], ...]


@dataclass(frozen=True, slots=True)
class Shuffled:
    """A company has shared out its trains between its shells."""

    company: CompanyId
    shells: Fact


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
    """A bankrupt player is out of the game; their cash goes to the bank."""

    player: PlayerId
    cash: int
