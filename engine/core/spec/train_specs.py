"""The trains, and the phases that they start."""

from functools import cached_property
from typing import Literal

from pydantic import Field, field_validator

from engine.core.ids import PhaseName, TrainName
from engine.core.spec.base import Spec
from engine.core.spec.map_specs import Colour


class TradeIn(Spec):
    """Price in dollars when one of these trains is handed in."""

    accepts: tuple[TrainName, ...]
    """Which trains."""
    price: int
    """Dollars."""


class TrainSpec(Spec):
    """A train type: how many (None: unlimited), price, stops it may count (None: any number)."""

    name: TrainName
    """Its name."""
    price: int
    """Dollars."""
    count: int | None = None
    """How many there are; `unlimited`: any number."""
    stops: int | None = None
    """Stops it may count; none: any number."""
    towns: Literal["counted", "free", "optional"] = "counted"
    """Whether towns use up stops, pay without using one, or may be skipped."""
    factor: int = 1
    """Multiplier for the stops that count."""
    token_factor: int = 1
    """Another multiplier for stops with a token of the company."""
    unfolds: int | None = None
    """Stops it counts unfolded, without doubling anything, where that is allowed."""
    joins: bool = False
    """Whether all such trains of a company run as one, the shortest, which earns that many times as much."""
    rusts_on: PhaseName | None = None
    """Phase whose start rusts them."""
    obsolete_on: PhaseName | None = None
    """Phase whose start makes them obsolete: they run once more."""
    available_from: PhaseName | None = None
    """Phase from which it is for sale while cheaper trains are left."""
    trade_in: TradeIn | None = None
    """None: no trade-in."""

    @field_validator("count", mode="before")
    @classmethod
    def _unlimited(cls, count: object) -> object:
        return None if count == "unlimited" else count


class PhaseSpec(Spec):
    """A phase: starts when the `nth` new `train` leaves the bank; `operating_rounds` count from the next set on."""

    name: PhaseName
    """The phase, named after the train that starts it."""
    tiles: tuple[Colour, ...]
    """Colours of tiles that may be laid."""
    train_limit: int
    """Trains a company may have."""
    train_limits: dict[str, int] = Field(default_factory=dict)
    """Limits of other kinds of companies, by kind."""
    operating_rounds: int
    """Operating rounds of a set."""
    revenue_step: int
    """Current column of `revenue_steps`, from 0."""
    train: TrainName | None = None
    """The train that starts it; none: the first phase."""
    nth: int = 1
    """Which new train of that kind starts it."""
    bank_trains: int | None = None
    """Trains of bank and pool together that a company may buy in one turn; None: any number."""
    buy_privates: tuple[int, int] | None = None
    """Percent of face value, from and to, at which companies may buy privates; None: not at all."""
    closes_privates: bool = False
    """Whether it closes the privates."""
    note: str = ""
    """What else begins or ends with it, in a few words."""
    points: tuple[int, int] | None = None
    """Tile points of a turn: anywhere, and where all its tiles lie in the zones that have more."""
    privatize: int | None = None
    """Percent of the market price for which a president may take a share from another player."""

    @cached_property
    def least_train_limit(self) -> int:
        """The lowest train limit of any kind of company."""
        return min((self.train_limit, *self.train_limits.values()))
