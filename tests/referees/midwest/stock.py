"""A second statement of 1846's stock rounds: shares of treasuries, sales by blocks, prices that presidents move."""

from collections.abc import Iterator
from dataclasses import dataclass

from tests.referees.classic import shares
from tests.referees.classic.model import Move, place_home
from tests.referees.classic.stock import StockRound
from tests.referees.holdings import fewer, heir, left_after
from tests.referees.midwest.model import Line, Midwest


def may_hold(line: Line, player: int) -> bool:
    """60 % (R-1846-036)."""
    return line.held(player) < 6


def sell(world: Midwest, player: int, line: Line, count: int) -> None:
    """The whole block at the price; one cell left if the president sells (R-1846-034)."""
    led = line.president == player
    world.seats[player].cash += world.pay(count * world.price(line))
    line.shares = left_after(line, player, count)
    line.pool += count
    line.president = heir(world, line, line.shares)
    if led:
        world.move(line, -1)


def buy(world: Midwest, player: int, line: Line, source: str) -> None:
    """At the price, to the treasury or the bank (R-1846-033); 20 % end a receivership (R-1846-039)."""
    price = world.price(line)
    world.seats[player].cash -= price
    if source == "treasury":
        line.offering -= 1
        line.cash += price
    else:
        line.pool -= 1
        world.pay(-price)
    line.shares[player] = line.held(player) + 1
    if line.president is not None:
        line.president = heir(world, line, line.shares)
    elif line.held(player) >= 2:
        line.president = player


def start(world: Midwest, player: int, line: Line, price: int) -> None:
    """20 % for twice the price; it floats, and stands at home, at once (R-1846-031); the IC gets more (R-1846-032)."""
    world.seats[player].cash -= 2 * price
    line.cash += 2 * price + (world.pay(price) if line.name == "IC" else 0)
    line.par, line.president, line.floated = price, player, True
    line.offering -= 2
    line.shares = {player: 2}
    world.enter(line, world.title.chart.pars()[price])
    place_home(world, line)


@dataclass
class Round(StockRound):
    world: Midwest

    @property
    def over(self) -> bool:
        return self.passes >= len(self.world.seats) - len(self.world.out)

    def moves(self) -> set[Move]:
        """Above the limit they sell first, if that helps."""
        sales = list(self._sales())
        if self.world.certificates(self.player) > self.world.limit and any(map(self._helps, sales)):
            return set(sales)
        return {*sales, *self._purchases(), ("pass",)}

    def _helps(self, sale: tuple[str, str, int]) -> bool:
        _, name, count = sale
        return fewer(self.world, self.player, self.world.corporations[name], count) > 0

    def _sales(self) -> Iterator[tuple[str, str, int]]:
        """Not after a purchase; others than the president once the company has operated (R-1846-030, R-1846-035)."""
        gone = {move[1] for move in self.now}
        for name, count in shares.sales(self.world, self.player) if not self.bought else ():
            line = self.world.corporations[name]
            able = line.president == self.player or (line.operated and not line.in_receivership)
            if able and name not in gone:
                yield ("sell", name, count)

    def _purchases(self) -> Iterator[Move]:
        world, player = self.world, self.player
        if self.bought or world.certificates(player) >= world.limit:
            return
        cash = world.seats[player].cash
        for line in world.companies:
            if (player, line.name) in self.sold or not may_hold(line, player):
                continue
            if not line.par:
                pars = world.title.chart.pars()
                yield from (("par", line.name, price) for price in pars if 2 * price <= cash)
            elif world.price(line) <= cash:
                yield from (("buy", line.name, source) for source in self._sources(line))

    def _sources(self, line: Line) -> Iterator[str]:
        """The certificate of a receivership alone goes to who gives a share for it (R-1846-039)."""
        if line.offering:
            yield "treasury"
        singles = line.pool - 2 * line.in_receivership
        if singles > 0 or (line.in_receivership and line.held(self.player)):
            yield "pool"

    def play(self, move: Move) -> None:
        if move == ("pass",):
            self._end_turn()
            return
        self.last = self.player
        self.now.append(move)
        line = self.world.corporations[str(move[1])]
        match move:
            case ("sell", str(name), int(count)):
                self.sold.add((self.player, name))
                sell(self.world, self.player, line, count)
            case ("par", _, int(price)):
                start(self.world, self.player, line, price)
            case ("buy", _, str(source)):
                buy(self.world, self.player, line, source)

    def finish(self) -> None:
        """Left for shares in the pool, right if players hold all (R-1846-037)."""
        world = self.world
        if self.last is not None:
            world.priority = world.left_of(self.last)[0]
        for name in world.order():
            line = world.corporations[name]
            if line.pool:
                world.move(line, -1)
            elif not line.offering:
                world.move(line, 1)
