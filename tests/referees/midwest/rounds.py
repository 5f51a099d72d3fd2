"""A second statement of how 1846's rounds follow each other, and how it ends."""

from typing import TypeAlias

from tests.referees.classic.model import Move
from tests.referees.midwest.draft import Draft
from tests.referees.midwest.model import Line, Midwest
from tests.referees.midwest.stock import Round as StockRound
from tests.referees.midwest.turn import Map, OperatingRound

ROUNDS = 2

Round: TypeAlias = Draft | StockRound | OperatingRound


class Play:
    def __init__(self, world: Midwest, the_map: Map) -> None:
        self.world = world
        self.map = the_map
        self.round: Round = Draft(world, the_map.deck(), the_map.deck, len(world.seats) - 1)
        self.over = False
        self.settle()

    def moves(self) -> set[Move]:
        """The legal actions, apart from moves on the map."""
        return self.round.moves()

    def play(self, move: Move) -> None:
        self.round.play(move)
        self.settle()

    def settle(self) -> None:
        """On to the next decision; some ends come at once (R-1846-160)."""
        world = self.world
        while not self.over:
            if len(world.out) == len(world.seats) - 1:
                world.ending, self.over = "last_player", True
            elif not world.companies and not list(world.open_privates()):
                world.ending, self.over = "all_closed", True
            elif self._stands_still():
                world.ending, self.over = "standstill", True
            elif self.round.over:
                self._next_round()
            elif not self.round.skip():
                return

    def _stands_still(self) -> bool:
        """Nothing earns, and nobody could do anything in a new stock round."""
        here, world = self.round, self.world
        earns = any(map(self._earns, world.corporations.values()))
        if earns or any(p.revenue for p in world.open_privates()) or not isinstance(here, StockRound):
            return False
        return all(StockRound(world, here.number, seat).moves() == {("pass",)} for seat in world.left_of(0))

    def _earns(self, line: Line) -> bool:
        """True if it may act: an independent needs $20, or a train and a route."""
        runs = line.trains and self.map.has_route(line.name)
        return (
            (line.at is not None)
            if not line.independent
            else not line.closed and bool(line.cash >= 20 or runs)
        )

    def _next_round(self) -> None:
        match self.round:
            case Draft():
                self.round = StockRound(self.world, 1, 0)
            case StockRound(number=number):
                self.round.finish()
                self.round = OperatingRound(self.world, self.map, number, 1)
            case OperatingRound(stock_round=of, number=number):
                if number < ROUNDS:
                    self.round = OperatingRound(self.world, self.map, of, number + 1)
                elif self.world.ending:
                    self.over = True
                else:
                    self.round = StockRound(self.world, of + 1, self.world.priority)

    def scores(self) -> list[int]:
        return [self.world.score(player) for player in range(len(self.world.seats))]
