"""A second statement of 18C2C's stock rounds: what a turn may hold, and how the round ends."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, combinations

from tests.referees.c2c import shares
from tests.referees.c2c.market import PARS, Cell, zone
from tests.referees.c2c.model import Corporation, World
from tests.referees.c2c.packet import Move
from tests.referees.c2c.printed import CHEAPEST_START, EXTRA, GOALS, HOMES
from tests.referees.holdings import fewer


@dataclass
class StockRound:
    """The part of a stock round in which shares are traded."""

    world: World
    player: int
    first: bool = False
    passes: int = 0
    acted: bool = False
    bought: bool = False
    several: str = ""
    """A corporation in a brown cell whose share was bought from the pool: more may follow (R-C2C-032)."""
    stage: str = "open"
    last: int | None = None
    own: set[str] = field(default_factory=set)
    """Corporations that have redeemed or reissued in this round."""
    floating: str = ""
    """A corporation that has just floated and buys its tokens."""

    @property
    def over(self) -> bool:
        return not self.floating and self.passes >= len(self.world.seats)

    @property
    def actor(self) -> int:
        if self.floating:
            president = self.world.corporations[self.floating].president
            assert president is not None
            return president
        return self.player

    # --- what may be done -----------------------------------------------------------------------------------------

    def moves(self) -> set[Move]:
        if self.floating:
            return {("tokens", self.floating, *those) for those in self._subsets()}
        return set(self.sales()) | set(self.purchases()) | set(self.own_shares())

    def sales(self) -> Iterator[Move]:
        """Before the purchase or after it, not both; never in the first round (R-C2C-030, R-C2C-031)."""
        if not self.first and self.stage != "done":
            yield from shares.sales(self.world, self.player)

    def purchases(self) -> Iterator[Move]:
        """One purchase; at the limit and above it only what does not count (R-C2C-037)."""
        world, player = self.world, self.player
        if self.bought:
            more = ("buy", self.several, "pool")
            if more in shares.purchases(world, player) and zone(self._cell(self.several)) == "b":
                yield more
            return
        if self.stage == "sold" and not self.may_pass():
            return
        room = world.certificates(player) < world.limit
        for move in chain(shares.purchases(world, player), shares.privatizations(world, player)):
            if room or self._counts_not(move):
                yield move

    def _cell(self, name: str) -> Cell:
        cell = self.world.corporations[name].at
        assert cell is not None
        return cell

    def _counts_not(self, move: Move) -> bool:
        if move[0] == "start":
            return zone(PARS[int(move[2])]) != ""
        return self.world.corporations[str(move[1])].free

    def deals(self) -> Iterator[Move]:
        """Privates that players trade in the turn of buyer or seller: who sells, and who buys (R-C2C-038)."""
        world = self.world
        for private in world.privates.values():
            seller = private.owner
            if private.gone or not isinstance(seller, int):
                continue
            for buyer in range(len(world.seats)):
                room = world.certificates(buyer) < world.limit
                if buyer != seller and self.player in (seller, buyer) and room:
                    yield ("deal", private.name, seller, buyer)

    def deal(self, name: str, buyer: int, price: int) -> None:
        """Agreed; it is no action that keeps the round going."""
        private = self.world.privates[name]
        assert isinstance(private.owner, int)
        self.world.seats[private.owner].cash += price
        self.world.seats[buyer].cash -= price
        private.owner = buyer

    def own_shares(self) -> Iterator[Move]:
        """One redemption or reissue for each corporation that the player presides over."""
        for corporation in self.world.open_ones():
            able = corporation.president == self.player and corporation.floated
            if not able or corporation.name in self.own:
                continue
            yield from shares.redemptions(corporation)
            if corporation.redeemed:
                yield ("reissue", corporation.name)

    def may_pass(self) -> bool:
        """Above the limit one sells as long as that helps (R-C2C-037)."""
        over = self.world.certificates(self.player) > self.world.limit
        return not self.floating and not (over and any(map(self.helps, self.sales())))

    def helps(self, sale: Move) -> bool:
        corporation = self.world.corporations[str(sale[1])]
        return not corporation.free and fewer(self.world, self.player, corporation, int(sale[2])) > 0

    def _subsets(self) -> Iterator[tuple[int, ...]]:
        able = EXTRA[self.world.corporations[self.floating].par]
        for size in range(len(able) + 1):
            yield from combinations(able, size)

    # --- what happens ---------------------------------------------------------------------------------------------

    def play(self, move: Move) -> None:
        if move[0] == "deal":
            self.deal(str(move[1]), int(move[3]), int(move[4]))
            return
        if move[0] == "tokens":
            buy_tokens(self.world, self.world.corporations[self.floating], {int(p) for p in move[2:]})
            self.floating = ""
            return
        self.acted, self.last = True, self.player
        corporation = self.world.corporations[str(move[1])]
        match move:
            case ("sell", _, int(count)):
                self.several = ""
                self.stage = "sold" if self.stage == "open" else self.stage
                shares.sell(self.world, self.player, corporation, count)
            case ("redeem", _, source):
                self.own.add(corporation.name)
                shares.redeem(self.world, corporation, source)
            case ("reissue", _):
                self.own.add(corporation.name)
                shares.reissue(corporation)
            case _:
                self._purchase(corporation, move)

    def _purchase(self, corporation: Corporation, move: Move) -> None:
        self.bought = True
        self.stage = "done" if self.stage in ("sold", "done") else "bought"
        match move:
            case ("start", _, int(par)):
                shares.start(self.world, self.player, corporation, par)
            case ("buy", _, str(source)):
                brown = source == "pool" and zone(self._cell(corporation.name)) == "b"
                self.several = corporation.name if brown else ""
                if shares.buy(self.world, self.player, corporation, source):
                    self.floating = corporation.name
            case ("privatize", _, int(other)):
                shares.privatize(self.world, self.player, corporation, other)

    def decline(self) -> None:
        self.passes = 0 if self.acted else self.passes + 1
        self.acted = self.bought = False
        self.several = ""
        self.stage = "open"
        self.player = self.world.left_of(self.player)[0]

    def finish(self) -> None:
        """Priority to the left of the last who acted; sold out corporations rise (R-C2C-03A, R-C2C-03B)."""
        if self.last is not None:
            self.world.priority = self.world.left_of(self.last)[0]
        for name in self.world.order():
            corporation = self.world.corporations[name]
            if sum(corporation.shares.values()) == corporation.total:
                self.world.move_up(corporation)

    def dead(self) -> bool:
        """Nobody has acted, nothing earns, nobody can start a corporation or trade (first line of the dead ends)."""
        open_ones = list(self.world.open_ones())
        if open_ones:
            seats = range(len(self.world.seats))
            able = any(StockRound(self.world, seat).moves() for seat in seats)
            return not (any(c.floated for c in open_ones) or self._pays() or able)
        if self.last is not None:
            return False
        able = any(c.kind == "single" and not c.closed for c in self.world.corporations.values())
        return not (able and any(seat.cash >= CHEAPEST_START for seat in self.world.seats))

    def _pays(self) -> bool:
        return any(p.owner is not None and not p.gone for p in self.world.privates.values())


def buy_tokens(world: World, corporation: Corporation, prices: set[int]) -> None:
    """Extra tokens at the float, one reserved for the destination; all four bring a bull (R-C2C-061 to R-C2C-064)."""
    total = sum(prices)
    corporation.cash -= total
    world.pay(-total)
    corporation.bought = set(prices)
    corporation.charter = max(0, len(prices) - 1)
    corporation.goals = [(HOMES[corporation.name], GOALS[corporation.name])] if prices else []
    corporation.bulls = int(len(prices) == 4)
