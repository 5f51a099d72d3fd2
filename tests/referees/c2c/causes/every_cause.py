"""What causes a refusal in 18C2C, stated a second time: for each reason whether it holds for what was wished.

Everything is worked out from the second statement's position; the engine's rules are not asked.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from engine.core.facts import Fact
from engine.game import Game
from engine.play.steps.base import Request
from tests.referees.c2c.mergers import MergerRound
from tests.referees.c2c.model import Corporation, Private, World
from tests.referees.c2c.packet import Packet
from tests.referees.c2c.rounds import Play
from tests.referees.c2c.stock import StockRound
from tests.referees.c2c.turn import OperatingRound


@dataclass(frozen=True)
class Ask:
    """What was asked for, why the engine says it cannot be, and where the second statement stands."""

    game: Game
    play: Play
    request: Request
    reason: Fact

    @property
    def world(self) -> World:
        """The second statement's position."""
        return self.play.world

    @property
    def seat(self) -> int:
        """The player who asks."""
        return self.seat_of(self.request.actor)

    def seat_of(self, player: Any) -> int:
        """The number of a player, -1 for anybody else."""
        seats = [name for name, _ in self.game.players]
        return seats.index(player) if player in seats else -1

    @property
    def waiting(self) -> str:
        """The step of the engine that waits for an answer."""
        step = self.game.step()
        return "" if step is None else step.name

    @property
    def cash(self) -> int:
        """Dollars of the player who asks."""
        return self.world.seats[self.seat].cash

    def cited(self, name: str) -> Any:
        """A value that the reason names."""
        return self.reason.values[name]

    def given(self, name: str) -> Any:
        """A value of the request; None: left open."""
        return self.request.given.get(name)

    @property
    def named(self) -> Corporation:
        """The corporation that the reason speaks of: the one that was named, where one was."""
        name = self.cited("company")
        asked = self.given("company")
        assert asked in (None, name) or asked not in self.world.corporations, (asked, name)
        return self.world.corporations[name]

    @property
    def private(self) -> Private:
        """The private that the reason speaks of."""
        return self.world.privates[self.cited("private")]

    @property
    def operating(self) -> OperatingRound | None:
        """The running operating round, if it is one."""
        here = self.play.round
        return here if isinstance(here, OperatingRound) else None

    @property
    def mine(self) -> Corporation:
        """The corporation that operates; the reason may speak of no other one."""
        assert self.operating is not None
        corporation = self.operating.now.corporation
        assert self.reason.values.get("company", corporation.name) == corporation.name
        return corporation

    @property
    def steps(self) -> list[str]:
        """What is left of the turn."""
        return [] if self.operating is None else self.operating.now.steps

    @property
    def stock(self) -> StockRound:
        """The running stock round."""
        assert isinstance(self.play.round, StockRound)
        return self.play.round

    @property
    def packet(self) -> Packet:
        """The packet being sold."""
        assert isinstance(self.play.round, Packet)
        return self.play.round

    @property
    def merging(self) -> MergerRound:
        """The running merger round."""
        assert isinstance(self.play.round, MergerRound)
        return self.play.round


Cause: TypeAlias = Callable[[Ask], bool]
"""Whether a reason holds for what was asked."""
CAUSES: Final[dict[str, Cause]] = {}
"""For each reason whether it holds."""


def holds(ask: Ask) -> bool:
    """Whether the reason given is a cause; one that this statement does not know is none."""
    return ask.reason.name in CAUSES and CAUSES[ask.reason.name](ask)
