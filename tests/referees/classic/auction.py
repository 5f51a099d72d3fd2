"""A second statement of the private auction: bids wait until a private is the cheapest, then the lowest acts."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.referees.classic import shares
from tests.referees.classic.model import Move, World


@dataclass
class Auction:
    """The auction before the first stock round (R-1889-010 to R-1889-012)."""

    world: World
    unsold: list[str]
    """The cheapest first."""
    player: int = 0
    bids: dict[str, dict[int, int]] = field(default_factory=dict)
    contest: bool = False
    """True if bidders fight for the cheapest."""
    passes: int = 0
    first: int = 0
    """The player left of the last one who took the cheapest: they open the stock round (R-1889-012)."""
    par_due: tuple[int, str] | None = None
    """The player who sets a par price, and the company."""

    @property
    def over(self) -> bool:
        return not self.unsold and self.par_due is None

    @property
    def step(self) -> str:
        return "par_due" if self.par_due else "bid"

    @property
    def actor(self) -> int:
        """In a contest the lowest bidder."""
        if self.par_due:
            return self.par_due[0]
        if self.contest:
            fighting = self.bids[self.unsold[0]]
            return min(fighting, key=fighting.__getitem__)
        return self.player

    # --- what may be done -----------------------------------------------------------------------------------------

    def moves(self) -> set[Move]:
        if self.par_due:
            return {("par", self.par_due[1], par) for par in self.world.title.chart.pars()}
        top, passes = self.unsold[0], {("pass",)}
        if self.contest:
            return passes | set(self._bid(top))
        taken: set[Move] = {("take", top)} if self._price(top) <= self._money(self.player, top) else set()
        return passes | taken | {bid for name in self.unsold[1:] for bid in self._bid(name)}

    def _price(self, name: str) -> int:
        return self.world.privates[name].price

    def _money(self, player: int, name: str) -> int:
        """All bids of a player bind their cash; a higher bid takes the place of the one before (R-1889-011)."""
        bound = sum(bids.get(player, 0) for other, bids in self.bids.items() if other != name)
        return self.world.seats[player].cash - bound

    def _bid(self, name: str) -> Iterator[Move]:
        highest = max(self.bids.get(name, {}).values(), default=self._price(name))
        least, most, step = highest + 5, self._money(self.actor, name), self.world.title.bids_in
        if least <= most:
            amounts = tuple((n, n) for n in range(least, most + 1, step))
            yield ("bid", name, ((least, most),) if step == 1 else amounts)

    # --- what happens ---------------------------------------------------------------------------------------------

    def play(self, move: Move) -> None:
        match move:
            case ("pass",):
                self._decline()
            case ("par", str(company), int(price)):
                assert self.par_due is not None
                player, self.par_due = self.par_due[0], None
                shares.start(self.world, player, self.world.corporations[company], price)
            case ("take", str(name)):
                self._take(name)
            case ("bid", str(name), int(amount)):
                self.bids.setdefault(name, {})[self.actor] = amount
                if not self.contest:
                    self._next(0)

    def _take(self, name: str) -> None:
        self.first = self.world.left_of(self.player)[0]
        self._sell(name, self.player, self._price(name))

    def _next(self, passes: int) -> None:
        self.player, self.passes = self.world.left_of(self.player)[0], passes

    def _decline(self) -> None:
        if self.contest:
            del self.bids[self.unsold[0]][self.actor]
            self._settle()
            return
        self._next(self.passes + 1)
        if self.passes == len(self.world.seats):
            self.passes = 0
            self._all_have_passed()

    def _all_have_passed(self) -> None:
        """The first private of the start loses $5, and the next player must take it for $0 (R-1889-012).

        Once it is sold, privates pay; where prices sink, it is the first of those left (R-1882-011).
        """
        sinks = self.world.title.sinks
        first = self.world.privates[self.unsold[0] if sinks else next(iter(self.world.privates))]
        if first.owner is not None:
            pay_privates(self.world)
            return
        first.price -= 5
        if first.price == 0:
            self._take(first.name)

    def _sell(self, name: str, player: int, amount: int) -> None:
        self.unsold.remove(name)
        self.bids.pop(name, None)
        self.world.seats[player].cash -= amount
        self.world.pay(-amount)
        self.world.privates[name].owner = player
        company, count = self.world.title.gifts.get(name, ("", 0))
        if count == 2:
            self.par_due = (player, company)
            shares.take_certificate(self.world.corporations[company], player)
        elif company:
            shares.buy(self.world, player, self.world.corporations[company], "offering", 0)
        self._settle()

    def _settle(self) -> None:
        """With one bidder the cheapest is sold, several fight for it, without one it stays (R-1889-012)."""
        fighting = self.bids.get(self.unsold[0], {}) if self.unsold else {}
        self.contest = len(fighting) > 1
        if len(fighting) == 1:
            ((player, amount),) = fighting.items()
            self._sell(self.unsold[0], player, amount)
        elif not fighting:
            self._next(0)


def pay_privates(world: World) -> None:
    for private in world.open_privates():
        if isinstance(private.owner, int):
            world.seats[private.owner].cash += world.pay(private.revenue)
        elif private.owner is not None:
            world.corporations[private.owner].cash += world.pay(private.revenue)
