"""A second statement of forced train purchases, bankruptcy and liquidation in 18NewEngland."""

from collections.abc import Iterator
from dataclasses import dataclass

from tests.referees.holdings import fewer, heir, left_after, may_sell
from tests.referees.newengland.draft import Move
from tests.referees.newengland.model import ROW, TRAINS, Company, Major, World
from tests.referees.newengland.money import affordable, bank_trains, cheapest


@dataclass
class Forced:
    """The position of a company without a train whose treasury can pay none of bank or pool."""

    world: World
    company: Company

    @property
    def president(self) -> int:
        return self.world.head(self.company)

    @property
    def missing(self) -> int:
        return cheapest(self.world) - self.company.cash

    @property
    def lacking(self) -> int:
        return max(0, self.missing - self.world.seats[self.president].cash)

    def moves(self) -> set[Move]:
        """The cheapest train with the president's help, or sales as long as the money is not there."""
        return self.trains() | self.sales()

    def trains(self) -> set[Move]:
        """The cheapest of bank and pool, once the money is there."""
        price = cheapest(self.world)
        if self.lacking:
            return set()
        return {("train", n, s, price, price) for n, s in bank_trains(self.world) if TRAINS[n] == price}

    def sales(self) -> set[Move]:
        """Just enough; the operating company keeps its president, and no sale spoils what others could do."""
        found = {move: self._still_raised(major, n) for move, major, n in self._needed()}
        kept = {move for move, raised in found.items() if raised >= self.lacking}
        return kept or set(found)

    def _needed(self) -> Iterator[tuple[Move, Major, int]]:
        """Sales whose last share is needed."""
        if not self.lacking:
            return
        for major in self.world.majors.values():
            most = self.most(major)
            for shares in range(1, most + 1):
                if (shares - 1) * major.price < self.lacking and self._may_sell(major, shares):
                    yield ("sell", major.name, shares), major, shares

    def _still_raised(self, sold: Major, shares: int) -> int:
        """Dollars that come together when this is sold first, and then in each company as much as may be."""
        led = sold.president == self.president
        later = ROW[max(0, sold.at - shares)] if led else sold.price
        others = (major for major in self.world.majors.values() if major is not sold)
        rest = sum(self.most(major) * major.price for major in others)
        return shares * sold.price + (self.most(sold) - shares) * later + rest

    def excess(self) -> set[Move]:
        """Sales that bring the president back to the certificate limit, once they had to sell (D-NE-12)."""
        over = self.world.certificates(self.president) - self.world.limit
        return set() if over <= 0 or self.lacking else set(self._shed(over))

    def _shed(self, over: int) -> Iterator[Move]:
        """No more than needed."""
        for major in self.world.majors.values():
            for shares in range(1, self.most(major) + 1):
                left = [fewer(self.world, self.president, major, n) for n in (shares - 1, shares)]
                if self._may_sell(major, shares) and left[0] < over and left[1] > 0:
                    yield ("sell", major.name, shares)

    def _may_sell(self, major: Major, shares: int) -> bool:
        if not may_sell(self.world, self.president, major, shares):
            return False
        held = left_after(major, self.president, shares)
        return major is not self.company or heir(self.world, major, held) == self.president

    def most(self, major: Major) -> int:
        return max((n for n in range(1, 11) if self._may_sell(major, n)), default=0)

    @property
    def hopeless(self) -> bool:
        raised = sum(self.most(major) * major.price for major in self.world.majors.values() if major.running)
        return raised < self.lacking

    def help(self) -> None:
        self.world.seats[self.president].cash -= self.missing
        self.company.cash += self.missing


def is_forced(world: World, company: Company) -> bool:
    return not company.trains and not affordable(world, company)


def bankrupt(world: World, player: int, company: Company) -> list[str]:
    """The president sells what can be sold, and is out; their companies close. Says what was closed."""
    forced = Forced(world, company)
    for major in list(world.majors.values()):
        shares = forced.most(major)
        if shares:
            _sell_last(world, player, major, shares)
    world.pay(-world.seats[player].cash)
    world.seats[player].cash, world.seats[player].out = 0, True
    return close_all(world, player)


def _sell_last(world: World, player: int, major: Major, shares: int) -> None:
    """The proceeds leave with the player, so only the shares, the price and the presidency matter."""
    led = major.president == player
    major.shares = left_after(major, player, shares)
    major.pool += shares
    major.president = heir(world, major, major.shares)
    world.move(major, -shares if led else 0)


def close_all(world: World, player: int) -> list[str]:
    """Close every company that the player presides over."""
    mine = [company for company in world.companies if company.running and world.head(company) == player]
    for company in mine:
        world.close(company)
    return [company.name for company in mine]
