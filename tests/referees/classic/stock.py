"""A second statement of stock rounds: what a turn may hold, and how the round ends."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.referees.classic import shares
from tests.referees.classic.model import Move, World


@dataclass
class StockRound:
    """A stock round (R-1830-020 to R-1830-027, R-1889-020 to R-1889-022)."""

    world: World
    number: int
    player: int
    passes: int = 0
    last: int | None = None
    sold: set[tuple[int, str]] = field(default_factory=set)
    """Players with the companies that they have sold in this round."""
    now: list[Move] = field(default_factory=list)
    """Sales and purchases of this turn."""

    @property
    def over(self) -> bool:
        return self.passes >= len(self.world.seats)

    @property
    def step(self) -> str:
        return "trade"

    @property
    def actor(self) -> int:
        return self.player

    # --- what may be done -----------------------------------------------------------------------------------------

    def moves(self) -> set[Move]:
        """The actions of the player on turn; above a limit they sell first, if that helps (R-1830-024, R-1889-024)."""
        sales = list(self._sales())
        if any(shares.helps(self.world, self.player, name, count) for _, name, count in sales):
            return set(sales)
        return set(sales) | set(self._purchases()) | set(self._deals()) | {("pass",)}

    @property
    def bought(self) -> list[Move]:
        """Purchases of this turn."""
        return [move for move in self.now if move[0] != "sell"]

    @property
    def _sale_came_first(self) -> bool:
        return bool(self.now) and self.now[0][0] == "sell"

    def _sales(self) -> Iterator[tuple[str, str, int]]:
        """None in the first round; otherwise at any time, or all of them on one side of the purchase."""
        both_sides = self.bought and self._sale_came_first and not self.world.title.sell_buy_sell
        if self.number == 1 or both_sides:
            return
        gone = {move[1] for move in self.now if move[0] == "sell"} if self.world.title.one_block else set()
        for name, count in shares.sales(self.world, self.player):
            if name not in gone:
                yield ("sell", name, count)

    def _purchases(self) -> Iterator[Move]:
        for move in shares.purchases(self.world, self.player):
            if (self.player, move[1]) not in self.sold and (not self.bought or self._one_more(move)):
                yield move

    def _one_more(self, move: Move) -> bool:
        """Several brown shares of one company from the pool; a private may come before (R-1830-004, R-1830-021)."""
        corporation = self.world.corporations[str(move[1])]
        free = self.world.title.several_of_offering
        shares = [before[1] if free else before[1:] for before in self.bought if before[0] != "private"]
        alike = all(share == (move[1] if free else move[1:]) for share in shares)
        from_there = move[0] == "buy" and (free or move[2] == "pool")
        return from_there and self.world.zone(corporation) == "b" and alike

    def _deals(self) -> Iterator[Move]:
        """Privates of other players, as the purchase of the turn (R-1830-025, R-GA-031)."""
        title, cash = self.world.title, self.world.seats[self.player].cash
        allowed = 0 < title.trades_from <= self.number and not self.world.reached("5")
        if not allowed or self.bought or cash < 1:
            return
        for private in self.world.open_privates():
            of_another = isinstance(private.owner, int) and private.owner != self.player
            if of_another and private.name not in title.bound:
                yield ("private", private.name, ((1, cash),))

    # --- what happens ---------------------------------------------------------------------------------------------

    def play(self, move: Move) -> None:
        if move == ("pass",):
            self._end_turn()
            return
        self.last = self.player
        self.now.append(move)
        world, name = self.world, str(move[1])
        match move:
            case ("sell", _, int(count)):
                self.sold.add((self.player, name))
                shares.sell(world, self.player, world.corporations[name], count)
            case ("par", _, int(price)):
                world.seats[self.player].cash -= 2 * price
                world.pay(-2 * price)
                shares.take_certificate(world.corporations[name], self.player)
                shares.start(world, self.player, world.corporations[name], price)
            case ("buy", _, str(source)):
                corporation = world.corporations[name]
                price = corporation.par if source == "offering" else world.price(corporation)
                shares.buy(world, self.player, corporation, source, price)
            case ("private", _, int(price)):
                private = world.privates[name]
                assert isinstance(private.owner, int)
                world.seats[private.owner].cash += price
                world.seats[self.player].cash -= price
                private.owner = self.player

    def skip(self) -> bool:
        """Pass over a player who can do nothing; true if somebody was."""
        idle = not self.over and self.moves() == {("pass",)}
        if idle:
            self._end_turn()
        return idle

    def _end_turn(self) -> None:
        self.passes = 0 if self.now else self.passes + 1
        self.now = []
        self.player = self.world.left_of(self.player)[0]

    def finish(self) -> None:
        """Priority to the left of the last who acted; companies that players hold whole rise (R-1830-026)."""
        world = self.world
        if self.last is not None:
            world.priority = world.left_of(self.last)[0]
        for name in world.order():
            corporation = world.corporations[name]
            if corporation.at is not None and corporation.offering + corporation.pool == 0:
                world.enter(corporation, world.title.chart.up(corporation.at))
