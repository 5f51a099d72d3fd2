"""A second statement of forced train purchases in 18C2C (R-C2C-212 to R-C2C-215)."""

from collections.abc import Iterator
from dataclasses import dataclass

from tests.referees.c2c import shares
from tests.referees.c2c.model import Corporation, World
from tests.referees.c2c.money import affordable, bank_trains, cheapest
from tests.referees.c2c.packet import Move
from tests.referees.c2c.printed import TRAINS
from tests.referees.holdings import heir, left_after


@dataclass
class Forced:
    """The position of a corporation without a train whose treasury can pay none of bank or pool."""

    world: World
    corporation: Corporation

    @property
    def president(self) -> int:
        assert self.corporation.president is not None
        return self.corporation.president

    @property
    def missing(self) -> int:
        return cheapest(self.world) - self.corporation.cash

    @property
    def lacking(self) -> int:
        return max(0, self.missing - self.world.seats[self.president].cash)

    def moves(self) -> set[Move]:
        """The cheapest train with the president's help, or sales while the money is not there; ruin without either."""
        price = cheapest(self.world)
        if not self.lacking:
            return {("train", n, s, price, price) for n, s in bank_trains(self.world) if TRAINS[n] == price}
        return set(self.sales()) or {("bankrupt",)}

    def sales(self) -> Iterator[Move]:
        """Only as much as is needed, and the corporation keeps its president."""
        for move in shares.sales(self.world, self.president):
            corporation, count = self.world.corporations[str(move[1])], int(move[2])
            if (count - 1) * corporation.price < self.lacking and self._keeps(corporation, count):
                yield move

    def _keeps(self, corporation: Corporation, count: int) -> bool:
        held = left_after(corporation, self.president, count)
        return corporation is not self.corporation or (heir(self.world, corporation, held) == self.president)

    def help(self) -> None:
        self.world.seats[self.president].cash -= self.missing
        self.corporation.cash += self.missing


def is_forced(world: World, corporation: Corporation) -> bool:
    return bool(bank_trains(world)) and not corporation.trains and not affordable(world, corporation)


def bankrupt(world: World, player: int) -> None:
    """The president's sales stand, the cash goes to the bank, the game is over."""
    world.pay(-world.seats[player].cash)
    world.seats[player].cash = 0
    world.ruined = player
