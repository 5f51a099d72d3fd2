"""A second statement of how the rounds follow each other, and how the game ends."""

from typing import ClassVar, TypeAlias

from tests.referees.classic import shares
from tests.referees.classic.auction import Auction
from tests.referees.classic.model import Move, World
from tests.referees.classic.stock import StockRound
from tests.referees.classic.turn import Map, OperatingRound

Round: TypeAlias = Auction | StockRound | OperatingRound


class Play:
    worlds: ClassVar[type[World]] = World
    auctions: ClassVar[type[Auction]] = Auction
    stock_rounds: ClassVar[type[StockRound]] = StockRound
    operating_rounds: ClassVar[type[OperatingRound]] = OperatingRound

    def __init__(self, world: World, the_map: Map) -> None:
        self.world = world
        self.map = the_map
        self.round: Round = self.auctions(world, [p.name for p in world.open_privates() if p.owner is None])
        self.rounds = 1
        """Operating rounds of the set."""
        self.over = False
        self.settle()

    def moves(self) -> set[Move]:
        """The legal actions, apart from moves on the map."""
        found = self.round.moves()
        anytime = self.round.step not in ("bid", "par_due", "discard", "home_choice", "seller_lay")
        return found | set(shares.exchanges(self.world)) if anytime else found

    def play(self, move: Move) -> None:
        match move:
            case ("exchange", str(name), str(source)):
                shares.exchange(self.world, name, source)
            case ("player_lay", str(name)):
                self.world.privates[name].spent = True
            case _:
                self.round.play(move)
        self.settle()

    def settle(self) -> None:
        while not self.over:
            if self.world.ruined:
                self.over = True
            elif self.round.over:
                self._next_round()
            elif isinstance(self.round, Auction) or not self.round.skip():
                return

    def _next_round(self) -> None:
        match self.round:
            case Auction(first=first):
                self.world.priority = first
                self.round = self.stock_rounds(self.world, 1, self.world.priority)
            case StockRound(number=number):
                self.round.finish()
                self.rounds = self.world.title.phases[self.world.phase].rounds
                self.round = self.operating_rounds(self.world, self.map, number, 1)
            case OperatingRound(stock_round=of, number=number):
                last = number == self.rounds
                if self.world.ending and (last or self._ends_with_round()):
                    self.over = True
                elif last:
                    self.round = self.stock_rounds(self.world, of + 1, self.world.priority)
                else:
                    self.round = self.operating_rounds(self.world, self.map, of, number + 1)

    def _ends_with_round(self) -> bool:
        """A price ends the game with the round; a broken bank with the set, or in 18GA with the round (R-GA-100)."""
        return self.world.ending == "price" or self.world.title.bank_ends == "round"

    def scores(self) -> list[int]:
        return [self.world.score(player) for player in range(len(self.world.seats))]
