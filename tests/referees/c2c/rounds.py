"""A second statement of how the rounds of 18C2C follow each other, and how it ends."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from tests.referees.c2c.mergers import MergerRound
from tests.referees.c2c.model import Corporation, World
from tests.referees.c2c.packet import Move, Packet
from tests.referees.c2c.printed import ROUNDS, at_least_phase
from tests.referees.c2c.stock import StockRound
from tests.referees.c2c.turn import OperatingRound

Round: TypeAlias = Packet | StockRound | OperatingRound | MergerRound
Place = tuple[str | int, ...]


@dataclass
class Map:
    joined: Callable[[str, str], bool] = lambda one, other: False
    route: Callable[[str], bool] = lambda name: False
    reaches: Callable[[Corporation, tuple[str, str]], bool] = lambda corporation, pair: False
    missed: Callable[[str], set[Any]] = lambda step: set()


class Play:
    def __init__(self, world: World, the_map: Map, eliminations: int = 6) -> None:
        self.world = world
        self.map = the_map
        self.packet = Packet(world, eliminations, player=world.priority)
        self.round: Round = self.packet
        self.set = self.number = self.of = 1
        self.first = True
        self.last_round = False
        self.ending = ""

    # --- where it stands ------------------------------------------------------------------------------------------

    def at(self) -> Place:
        match self.round:
            case Packet():
                return ("packet", self.set, self.round.actor)
            case StockRound():
                return ("stock", self.set, self.round.acted, self.round.actor)
            case MergerRound():
                return ("merger", self.set, self.round.actor)
            case OperatingRound() as here:
                corporation = here.crowded or here.now.corporation
                return ("operating", self.set, self.number, corporation.name, here.actor)

    def toward(self, there: Place) -> None:
        """On to where the engine is; a player passed over on the way may have had nothing to do."""
        for _ in range(200):
            if self.ending or self.at() == there:
                return
            self.idle(there)
        raise AssertionError(f"engine: {there}, rules: {self.at()}")

    def idle(self, there: Place) -> None:
        """The player on turn has nothing to decide."""
        here = self.round
        if isinstance(here, OperatingRound):
            assert not here.crowded, f"{self.at()} discards, engine: {there}"
            here.idle_turn(there)
        else:
            moves = here.moves()
            assert not moves, f"{self.at()} may {sorted(moves, key=str)[:5]}, engine: {there}"
            here.decline()
        self.settle()

    # --- what happens ---------------------------------------------------------------------------------------------

    def play(self, move: Move) -> None:
        self.round.play(move)
        self.settle()

    def decline(self) -> None:
        """A pass outside operating rounds, and what follows automatically."""
        assert not isinstance(self.round, OperatingRound)
        self.round.decline()
        self.settle()

    def settle(self) -> None:
        """On to the next round that is not over."""
        while not self.ending:
            if self.world.ruined is not None:
                self.ending = "bankruptcy"
            elif isinstance(self.round, Packet) and self.round.empty:
                self._shares()
            elif isinstance(self.round, Packet) and self.round.for_nothing:
                self.round.play(("take", self.round.column[0]))
            elif self.round.over:
                self._next_round()
            else:
                return

    def _shares(self) -> None:
        """The packet is sold: shares in the same round, from the left of who started the last sales."""
        starter = self.packet.starter
        self.round = StockRound(self.world, self.world.left_of(starter)[0], first=True, last=starter)
        self.first = False

    def _next_round(self) -> None:
        match self.round:
            case Packet():
                self.round.close_round()
                self._operate(1, 1)
            case StockRound():
                self._after_stock(self.round)
            case MergerRound():
                self._operate_set()
            case OperatingRound():
                self._after_operating()

    def _after_stock(self, here: StockRound) -> None:
        here.finish()
        if here.dead():
            self.ending = "standstill"
        elif at_least_phase(self.world.phase, "4"):
            self.round = MergerRound(self.world, self.map.joined, self.world.priority)
        else:
            self._operate_set()

    def _operate_set(self) -> None:
        """The number of rounds is fixed as the set begins; after a broken bank it is one (R-C2C-011, R-C2C-260)."""
        self._operate(1, 1 if self.world.broken else ROUNDS.get(self.world.phase, 3))

    def _operate(self, number: int, of: int) -> None:
        self.number, self.of = number, of
        self.round = OperatingRound(self.world, self.map.route, self.map.reaches, self.map.missed)

    def _after_operating(self) -> None:
        if self.number < self.of:
            self._operate(self.number + 1, self.of)
        elif self.world.broken:
            self.ending = "bank"
        else:
            self._stock()

    def _stock(self) -> None:
        """Another stock round, which begins with what is left of the packet (R-C2C-028)."""
        self.set, self.number = self.set + 1, 1
        self.world.limit = self.world.new_limit()
        if self.packet.empty:
            self.round = StockRound(self.world, self.world.priority)
            return
        self.packet.discount()
        self.packet.open_round()
        self.round = self.packet

    def scores(self) -> list[int]:
        return [self.world.score(player) for player in range(len(self.world.seats))]
