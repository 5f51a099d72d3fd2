"""A second statement of 1846's train step: purchases, emergency issues, presidents' help, bankruptcy."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.referees.classic import shares
from tests.referees.classic.model import Move
from tests.referees.holdings import heir, left_after
from tests.referees.midwest.model import CARDS, Line, Midwest
from tests.referees.midwest.stock import sell


def issue_limit(line: Line) -> int:
    """As many as lie in the treasury, and with the pool no more than players hold (R-1846-060)."""
    return min(line.offering, sum(line.shares.values()) - line.pool)


@dataclass
class Purchase:
    """A company's train step."""

    world: Midwest
    company: Line
    issued: bool = False
    """True if it has issued shares for a train in this turn."""
    sold: set[str] = field(default_factory=set)
    """Companies of which the president sold a block for it."""
    before: int = 0
    """Dollars before the last share was sold or issued: a face that they pay is not bought (R-1846-122)."""

    @property
    def president(self) -> int:
        assert self.company.president is not None
        return self.company.president

    def on_sale(self) -> dict[tuple[str, str], int]:
        """Trains of bank and pool, with their prices."""
        names = [(name, "bank") for name in self.world.new_trains()]
        names += [(name, "pool") for name in self.world.junk]
        return {(name, source): self.world.title.trains[name].price for name, source in names}

    @property
    def faces(self) -> list[int]:
        """Prices of the cheapest card: one or both of its faces."""
        prices = self.on_sale()
        if not prices:
            return []
        name, source = min(prices, key=prices.__getitem__)
        card = next(faces for faces in CARDS if name in faces)
        return sorted(price for (face, of), price in prices.items() if face in card and of == source)

    @property
    def must(self) -> bool:
        """With or without a route (R-1846-112)."""
        return not self.company.trains and bool(self.faces)

    @property
    def funds(self) -> int:
        return self.company.cash + self.world.seats[self.president].cash

    # --- the company's issue --------------------------------------------------------------------------------------

    def issues(self) -> list[int]:
        """Enough for one of the faces, no more than needed for the dearer one, or else all (R-1846-120)."""
        able = self._brought()
        if not self.must or self.issued or self.company.cash >= self.faces[-1]:
            return []
        enough = [n for n, cash in able.items() if cash >= self.faces[0]]
        most = next((n for n in enough if able[n] >= self.faces[-1]), 99)
        return [n for n in enough if n <= most] or list(able)[-1:]

    def _brought(self) -> dict[int, int]:
        """The cash after each issue that brings any."""
        line = self.company
        prices = {n: self.world.price_at(line, -(n + 1)) for n in range(1, issue_limit(line) + 1)}
        return {n: line.cash + n * price for n, price in prices.items() if price}

    # --- purchases ------------------------------------------------------------------------------------------------

    @property
    def helped(self) -> bool:
        """The president may help if the company, which issues first, can pay neither face (R-1846-120 to 122)."""
        return self.must and self.company.cash < self.faces[0] and not self.issues()

    @property
    def money(self) -> int:
        """Dollars for a train of bank or pool."""
        return self.funds if self.helped else self.company.cash

    def trains(self) -> Iterator[Move]:
        world, line = self.world, self.company
        if len(line.trains) >= world.train_limit:
            return
        most, dearer = self.money, self.faces[-1] if self.faces else 0
        for (name, source), price in self.on_sale().items():
            spared = price <= self.before < dearer <= most and price < dearer
            if price <= most and not spared:
                yield ("train", name, source, "", ((price, price),))
        for other in world.corporations.values():
            sells = other.president is not None and (
                not other.independent or other.president == line.president
            )
            for name in dict.fromkeys(other.trains):
                if other is not line and sells and line.cash:
                    yield ("train", name, other.name, "", ((1, line.cash),))

    def sales(self) -> Iterator[Move]:
        """Blocks whose last share is needed for the dearer face (R-1846-121, D-1846-10)."""
        able = self.faces and (self.helped or self.company.trains)
        for name, count in self.blocks() if able else ():
            price = self.world.price(self.world.corporations[name])
            if self.funds + (count - 1) * price < self.faces[-1]:
                yield ("sell", name, count)

    def blocks(self) -> Iterator[tuple[str, int]]:
        """One of each company, even in receivership; the buying one keeps its president and does not close."""
        for name, count in shares.sales(self.world, self.president):
            line = self.world.corporations[name]
            if name in self.sold or not (line.operated or line.president == self.president):
                continue
            held = left_after(line, self.president, count)
            keeps = heir(self.world, line, held) == self.president and self.world.price(line) > 10
            if line is not self.company or keeps:
                yield name, count

    def largest(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for name, count in self.blocks():
            found[name] = max(count, found.get(name, 0))
        return found

    @property
    def hopeless(self) -> bool:
        """True if all that can be raised does not pay the cheapest train (R-1846-123)."""
        if not self.must:
            return False
        issue = max((self._brought()[n] for n in self.issues()), default=self.company.cash)
        prices = {name: self.world.price(self.world.corporations[name]) for name in self.largest()}
        raised = sum(count * prices[name] for name, count in self.largest().items())
        return issue + self.world.seats[self.president].cash + raised < self.faces[0]


def issue_for_train(world: Midwest, line: Line, count: int) -> None:
    """At the price `count` + 1 cells further left; the marker goes `count` (R-1846-120)."""
    line.cash += world.pay(count * world.price_at(line, -(count + 1)))
    line.offering -= count
    line.pool += count
    world.move(line, -count)


def take_train(world: Midwest, line: Line, name: str, source: str, price: int) -> None:
    """The president pays what the treasury lacks."""
    help_needed = max(0, price - line.cash)
    if help_needed:
        assert line.president is not None
        world.seats[line.president].cash -= help_needed
    line.cash += help_needed - price
    if source == "bank":
        world.pay(-price)
        world.take_new(line, name)
        return
    if source == "pool":
        world.pay(-price)
        world.junk.remove(name)
    else:
        world.corporations[source].cash += price
        world.corporations[source].trains.remove(name)
    line.trains.append(name)


def bankrupt(world: Midwest, purchase: Purchase) -> None:
    """All is sold, the president is out; companies without one are in receivership (R-1846-123)."""
    player, company = purchase.president, purchase.company
    for count in purchase.issues()[-1:]:
        issue_for_train(world, company, count)
    for name, count in purchase.largest().items():
        sell(world, player, world.corporations[name], count)
    world.out.add(player)
    for line in world.companies:
        count = line.shares.pop(player, 0)
        world.seats[player].cash += world.pay(count * world.price(line))
        line.pool += count
        if line.president == player:
            most = max(line.shares.values(), default=0)
            heirs = [seat for seat in world.left_of(player) if line.held(seat) == most]
            line.president = heirs[0] if most >= 2 else None
    for private in world.open_privates():
        if private.owner == player:
            world.close_private(private)
    company.cash += world.seats[player].cash
    world.seats[player].cash = 0
    if world.priority == player:
        world.priority = world.left_of(player)[0]


def buy_in_receivership(world: Midwest, line: Line) -> None:
    """The cheapest face as soon as it can pay (R-1846-130)."""
    prices = Purchase(world, line).on_sale()
    if not line.trains and prices:
        name, source = min(prices, key=prices.__getitem__)
        if prices[name, source] <= line.cash:
            take_train(world, line, name, source, prices[name, source])
