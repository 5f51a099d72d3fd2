"""A second statement of 18NewEngland's stock rounds: sales, purchases, presidencies, whose turn it is."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.referees.holdings import fewer, heir, left_after, may_sell
from tests.referees.newengland.draft import Move
from tests.referees.newengland.model import Major, World

# --- shares -----------------------------------------------------------------------------------------------------------


def sell(world: World, player: int, major: Major, shares: int) -> None:
    """The bank pays the price before the sale; a president's sale moves the marker one left per share."""
    world.seats[player].cash += world.pay(shares * major.price)
    led = major.president == player
    major.shares = left_after(major, player, shares)
    major.pool += shares
    major.president = heir(world, major, major.shares)
    if led:
        for _ in range(shares):
            world.move(major, -1)


SOURCES = ("pool", "offering", "treasury")


def stock_of(major: Major, source: str) -> int:
    return {"pool": major.pool, "offering": major.offering, "treasury": major.redeemed}[source]


def buy(world: World, player: int, major: Major, source: str) -> None:
    """One share at the present price; who gets the money depends on where it comes from."""
    world.seats[player].cash -= major.price
    if source == "treasury":
        major.redeemed -= 1
        major.cash += major.price
    elif source == "pool":
        major.pool -= 1
        world.pay(-major.price)
    else:
        major.offering -= 1
        world.pay(major.par - major.price)
        major.cash += major.par
    major.shares[player] = major.held(player) + 1
    major.president = heir(world, major, major.shares)


# --- the round --------------------------------------------------------------------------------------------------------


@dataclass
class StockRound:
    """A stock round after the first."""

    world: World
    player: int
    passes: int = 0
    sold: set[tuple[int, str]] = field(default_factory=set)
    acted: bool = False
    bought: bool = False
    last: int | None = None

    @property
    def over(self) -> bool:
        return self.passes >= len(self.world.alive)

    def moves(self) -> set[Move]:
        if self.bought:
            return set()
        sales = set(self._sales())
        return sales if self.must_sell(sales) else sales | set(self._purchases())

    def must_sell(self, sales: set[Move] | None = None) -> bool:
        if self.world.certificates(self.player) <= self.world.limit:
            return False
        return any(map(self._helps, set(self._sales()) if sales is None else sales))

    def _helps(self, sale: Move) -> bool:
        _, name, shares = sale
        return fewer(self.world, self.player, self.world.majors[str(name)], int(shares)) > 0

    def _sales(self) -> Iterator[Move]:
        for major in self.world.majors.values():
            for shares in range(1, 11):
                if may_sell(self.world, self.player, major, shares):
                    yield ("sell", major.name, shares)

    def _purchases(self) -> Iterator[Move]:
        cash = self.world.seats[self.player].cash
        if not self.world.room(self.player):
            return
        for name in self.world.on_offer():
            yield from (("start", name, *s) for s in self.world.spaces() if 2 * s[0] <= cash)
        for major in self.world.majors.values():
            if not major.running or (self.player, major.name) in self.sold:
                continue
            if major.held(self.player) < 6 and major.price <= cash:
                yield from (("buy", major.name, s) for s in SOURCES if stock_of(major, s))

    def play(self, move: Move) -> None:
        """An action of the player on turn; a purchase ends the turn."""
        self.acted, self.last = True, self.player
        match move:
            case ("sell", str(name), int(shares)):
                self.sold.add((self.player, name))
                sell(self.world, self.player, self.world.majors[name], shares)
            case ("buy", str(name), str(source)):
                self.bought = True
                buy(self.world, self.player, self.world.majors[name], source)
            case ("start", str(name), int(value), int(row)):
                self.bought = True
                self.world.start_minor(self.player, name, (value, row))

    def skip(self) -> None:
        """A player who can do nothing more is passed over."""
        while not self.over and not self.moves():
            self.decline()

    def decline(self) -> None:
        self.passes = 0 if self.acted else self.passes + 1
        self.acted = self.bought = False
        self.player = self.world.left_of(self.player)[0]

    def finish(self) -> None:
        """Priority to the left of the last one who acted."""
        if self.last is not None:
            self.world.priority = self.world.left_of(self.last)[0]
