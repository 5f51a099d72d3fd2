"""A second statement of how the rounds of 18NewEngland follow each other, and how it ends."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from tests.referees.newengland.draft import Draft, Move
from tests.referees.newengland.mergers import MergerRound
from tests.referees.newengland.model import HOMES, ROW, World
from tests.referees.newengland.stock import StockRound
from tests.referees.newengland.turn import OperatingRound

Round: TypeAlias = Draft | StockRound | OperatingRound | MergerRound


@dataclass
class Map:
    asked: Callable[[str, str], bool] = lambda company, step: True
    joined: Callable[[str, str], bool] = lambda one, other: False
    one_city: Callable[[str, str], bool] = lambda one, other: False


class Play:
    def __init__(self, world: World, the_map: Map) -> None:
        self.world = world
        self.map = the_map
        self.round: Round = Draft(world)
        self.set = self.number = 1
        """The set of operating rounds that is played or comes next, and the round in it."""
        self.ending = ""
        """Why the game is over."""
        self.settle()

    @property
    def player(self) -> int:
        return self.round.player

    def play(self, move: Move) -> None:
        self.round.play(move)
        self.settle()

    def decline(self) -> None:
        """A pass, and what follows automatically."""
        self.round.decline()
        self.settle()

    def settle(self) -> None:
        while not self.ending:
            if len(self.world.alive) == 1:
                self.ending = "last_player"
                return
            if self._stands_still():
                self.ending = "standstill"
                return
            self.round.skip()
            if not self.round.over:
                return
            self._next_round()

    def _stands_still(self) -> bool:
        here, world = self.round, self.world
        if not isinstance(here, StockRound) or any(company.running for company in world.companies):
            return False
        on_turn = here.player
        able = [bool(here.moves()) for here.player in world.alive]
        here.player = on_turn
        return not any(able)

    def _next_round(self) -> None:
        match self.round:
            case Draft():
                self.round.finish()
                self._operate(1)
            case StockRound():
                self.round.finish()
                self._operate(1)
            case OperatingRound():
                self._after_operating()
            case MergerRound():
                self._after_merging()

    def _operate(self, number: int) -> None:
        """New minors have placed their home stations before the round."""
        self.number = number
        for minor in self.world.minors.values():
            if minor.running:
                minor.stands = {HOMES[minor.name]}
        self.round = OperatingRound(self.world, self.map.asked)

    def _after_operating(self) -> None:
        """500 ends the game at once, a broken bank with the set; else minors may merge from phase 3 on."""
        if any(major.at == len(ROW) - 1 for major in self.world.majors.values() if major.running):
            self.ending = "price"
        elif self.world.broken and self.number == 2:
            self.ending = "bank"
        elif self.world.phase != "2":
            self.round = MergerRound(self.world, self.map.joined, self.map.one_city)
        else:
            self._after_merging()

    def _after_merging(self) -> None:
        if self.number == 1:
            self._operate(2)
            return
        self.set, self.number = self.set + 1, 1
        self.round = StockRound(self.world, self.world.first)

    def scores(self) -> list[int]:
        return [self.world.score(player) for player in range(len(self.world.seats))]
