"""A second statement of companies' money: dividends, trains, forced purchases, bankruptcy."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from tests.referees.classic import shares
from tests.referees.classic.model import Corporation, Move, World
from tests.referees.holdings import heir, left_after

Ranges = tuple[tuple[int, int], ...]

# --- dividends --------------------------------------------------------------------------------------------------------


def dividend(world: World, corporation: Corporation, revenue: int, option: str) -> None:
    """Pool shares pay the company, offering shares nobody (R-1830-039); the marker moves right or left."""
    assert corporation.at is not None
    chart = world.title.chart
    if option == "withhold" or revenue == 0:
        corporation.cash += world.pay(revenue)
        world.enter(corporation, chart.left(corporation.at))
        return
    for player, count in corporation.shares.items():
        world.seats[player].cash += world.pay(count * revenue // 10)
    corporation.cash += world.pay(corporation.pool * revenue // 10)
    world.enter(corporation, chart.right(corporation.at))


# --- trains -----------------------------------------------------------------------------------------------------------


@dataclass
class Purchase:
    """A company's train step: what it may buy, what its president may sell for that."""

    world: World
    company: Corporation
    must: bool
    """True if it has no train, but a route."""
    lacks: bool
    """The same, if also a route is enough that obliges to nothing (R-1882-040)."""
    from_bank: int = 0
    """Trains bought in this turn from bank and pool."""
    sold: set[str] = field(default_factory=set)
    """Companies whose shares were sold for a train in this turn."""
    last_price: int | None = None
    """Dollars for a share in the last sale of this turn."""

    @property
    def president(self) -> int:
        assert self.company.president is not None
        return self.company.president

    @property
    def funds(self) -> int:
        return self.company.cash + self.world.seats[self.president].cash

    def on_sale(self) -> list[tuple[str, str]]:
        """Trains of bank and pool with their source."""
        return [(name, "bank") for name in self.world.new_trains()] + [
            (name, "pool") for name in dict.fromkeys(self.world.junk)
        ]

    @property
    def cheapest(self) -> int:
        return min((self.world.title.trains[name].price for name, _ in self.on_sale()), default=0)

    @property
    def bound(self) -> bool:
        """True if it must buy, as far as there are trains."""
        return self.must and bool(self.on_sale())

    @property
    def helped(self) -> bool:
        """True if the president may help, as far as there are trains."""
        return self.lacks and bool(self.on_sale())

    @property
    def forced(self) -> bool:
        return self.helped and self.company.cash < self.cheapest

    @property
    def asks(self) -> bool:
        """True if a train could be bought, had nothing been sold for one."""
        return self.bound or any(replace(self, last_price=None, sold=set()).trains())

    def trains(self) -> Iterator[Move]:
        """Purchases: train, source, train given in exchange, prices."""
        spare = len(self.company.trains) < self.world.train_limit
        trades = list(self._trade_ins())
        yield from trades
        if spare or (trades and self.world.title.limit_gives_way):
            yield from self._of_the_bank()
            yield from self._of_others()

    def _may_buy_from_bank(self) -> bool:
        """One a turn at first (R-GA-090)."""
        until = self.world.title.one_train_until
        return not until or self.world.reached(until) or self.from_bank == 0

    def _of_the_bank(self) -> Iterator[Move]:
        most = self.company.cash
        for name, source in self.on_sale() if self._may_buy_from_bank() else ():
            price = self.world.title.trains[name].price
            helped = self.forced and price == self.cheapest and price <= self.funds
            if price <= most or helped:
                yield ("train", name, source, "", ((price, price),))

    def _trade_ins(self) -> Iterator[Move]:
        """A 4, 5 or 6 and 800 for a D (R-1830-005)."""
        for name, source in self.on_sale():
            for old in dict.fromkeys(self.company.trains):
                if name == "D" and old in ("4", "5", "6") and self.company.cash >= 800:
                    yield ("train", name, source, old, ((800, 800),))

    def _of_others(self) -> Iterator[Move]:
        for other in self.world.corporations.values():
            if other is self.company:
                continue
            for name in dict.fromkeys(other.trains):
                prices = self._prices(self.world.title.trains[name].price)
                if other.trains.count(name) > other.given.count(name) and prices:
                    yield ("train", name, other.name, "", prices)

    def _prices(self, face: int) -> Ranges:
        """Up to the treasury; with the president's money up to face value (R-1830-061, R-1889-062)."""
        low, own = 1, self.company.cash
        if not self.world.title.helps_others:
            return ((low, own),) if own and not self.sold else ()
        if face <= own:
            return ((low, own),)
        most = min(face, self.funds) if self.helped else own
        if self.last_price is not None:
            low = max(1, self.funds - self.last_price + 1)
        return ((low, most),) if low <= most else ()

    # --- sales for a train ----------------------------------------------------------------------------------------

    @property
    def missing(self) -> int:
        return self.cheapest - self.funds

    def sales(self) -> Iterator[Move]:
        """Blocks of which the last share is needed (R-1830-062, R-1889-061)."""
        if not (self.forced or (self.world.title.sells_freely and self.on_sale())):
            return
        for name, count in self.blocks():
            if (count - 1) * self.world.price(self.world.corporations[name]) < self.missing:
                yield ("sell", name, count)

    def blocks(self) -> Iterator[tuple[str, int]]:
        """Blocks that could be sold for a train, needed or not: some presidencies must not change."""
        world, fixed = self.world, self.world.title.fixed_sales
        for name, count in shares.sales(world, self.president):
            corporation = world.corporations[name]
            held = left_after(corporation, self.president, count)
            keeps = heir(world, corporation, held) == corporation.president
            moves = not (fixed or corporation is self.company)
            if (keeps or moves) and not (fixed and name in self.sold):
                yield name, count

    def largest(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for name, count in self.blocks():
            found[name] = max(count, found.get(name, 0))
        return found

    @property
    def hopeless(self) -> bool:
        """True if all sales together do not pay the cheapest train (R-1830-063)."""
        blocks = self.largest().items()
        raised = sum(count * self.world.price(self.world.corporations[name]) for name, count in blocks)
        return bool(self.on_sale()) and raised < self.missing


def take_train(world: World, company: Corporation, name: str, source: str, old: str, price: int) -> None:
    """A train changes hands; the president pays what the treasury lacks."""
    help_needed = max(0, price - company.cash)
    assert company.president is not None
    world.seats[company.president].cash -= help_needed
    company.cash += help_needed - price
    if old:
        company.trains.remove(old)
        world.give_up(old)
    if source in ("bank", "pool"):
        world.pay(-price)
    if source == "bank":
        world.take_new(company, name)
    elif source == "pool":
        world.junk.remove(name)
        company.trains.append(name)
    else:
        world.corporations[source].cash += price
        world.corporations[source].trains.remove(name)
        company.trains.append(name)


def bankrupt(world: World, purchase: Purchase, sells: bool) -> None:
    """The last sales are made, the cash goes to the bank, the game is over (R-1830-063).

    That they are made in operating order shows only in the order of markers in a cell, which no longer matters: the
    order of the list does as well.
    """
    player, blocks = purchase.president, purchase.largest() if sells else {}
    for name, count in blocks.items():
        shares.sell(world, player, world.corporations[name], count)
    world.pay(-world.seats[player].cash)
    world.seats[player].cash = 0
    world.ending, world.ruined = "bankruptcy", True
