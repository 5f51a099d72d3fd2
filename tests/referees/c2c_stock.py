"""A second statement of 18C2C's stock rounds: what a turn may hold, and how the round ends."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, combinations

import c2c_shares
from c2c_market import zone
from c2c_model import CHEAPEST_START, EXTRA, GOALS, HOMES, PARS, Corporation, World
from c2c_packet import Move


@dataclass
class StockRound:
    """The part of a stock round in which shares are traded."""

    world: World
    player: int
    first: bool = False
    """Whether it is the first in which shares can be bought, so that nobody sells."""
    passes: int = 0
    acted: bool = False
    bought: bool = False
    stage: str = "open"
    """What sales may follow: `open`, `sold` (none after the purchase), `bought`, `done`."""
    last: int | None = None
    own: set[str] = field(default_factory=set)
    """Corporations that have redeemed or reissued in this round."""
    floating: str = ""
    """A corporation that has just floated and buys its tokens."""

    @property
    def over(self) -> bool:
        """Whether all have passed in a row."""
        return not self.floating and self.passes >= len(self.world.seats)

    @property
    def actor(self) -> int:
        """Who decides."""
        if self.floating:
            president = self.world.corporations[self.floating].president
            assert president is not None
            return president
        return self.player

    # --- what may be done -----------------------------------------------------------------------------------------

    def moves(self) -> set[Move]:
        """What may be done, apart from passing and trades of privates."""
        if self.floating:
            return {("tokens", self.floating, *those) for those in self._subsets()}
        return set(self.sales()) | set(self.purchases()) | set(self.own_shares())

    def sales(self) -> Iterator[Move]:
        """Before the purchase or after it, not both; never in the first round (R-C2C-030, R-C2C-031)."""
        if not self.first and self.stage != "done":
            yield from c2c_shares.sales(self.world, self.player)

    def purchases(self) -> Iterator[Move]:
        """One purchase; at the limit and above it only what does not count (R-C2C-037)."""
        if self.bought:
            return
        world, player = self.world, self.player
        room = world.certificates(player) < world.limit
        for move in chain(c2c_shares.purchases(world, player), c2c_shares.privatizations(world, player)):
            if room or self._counts_not(move):
                yield move

    def _counts_not(self, move: Move) -> bool:
        if move[0] == "start":
            return zone(PARS[int(move[2])]) != ""
        return self.world.corporations[str(move[1])].free

    def own_shares(self) -> Iterator[Move]:
        """One redemption or reissue for each corporation he presides over."""
        for corporation in self.world.open_ones():
            if (
                corporation.president != self.player
                or not corporation.floated
                or corporation.name in self.own
            ):
                continue
            yield from c2c_shares.redemptions(corporation)
            if corporation.redeemed:
                yield ("reissue", corporation.name)

    def may_pass(self) -> bool:
        """Above the limit one sells as long as that helps (R-C2C-037)."""
        over = self.world.certificates(self.player) > self.world.limit
        return not self.floating and not (over and any(map(self.helps, self.sales())))

    def helps(self, sale: Move) -> bool:
        """Whether a sale makes certificates fewer that count."""
        corporation = self.world.corporations[str(sale[1])]
        return (
            not corporation.free and c2c_shares.fewer(self.world, self.player, corporation, int(sale[2])) > 0
        )

    def _subsets(self) -> Iterator[tuple[int, ...]]:
        able = EXTRA[self.world.corporations[self.floating].par]
        for size in range(len(able) + 1):
            yield from combinations(able, size)

    # --- what happens ---------------------------------------------------------------------------------------------

    def play(self, move: Move) -> None:
        """An action."""
        if move[0] == "tokens":
            buy_tokens(self.world, self.world.corporations[self.floating], {int(p) for p in move[2:]})
            self.floating = ""
            return
        self.acted, self.last = True, self.player
        corporation = self.world.corporations[str(move[1])]
        match move:
            case ("sell", _, int(count)):
                self.stage = "sold" if self.stage == "open" else self.stage
                c2c_shares.sell(self.world, self.player, corporation, count)
            case ("redeem", _, source):
                self.own.add(corporation.name)
                c2c_shares.redeem(self.world, corporation, source)
            case ("reissue", _):
                self.own.add(corporation.name)
                c2c_shares.reissue(corporation)
            case _:
                self._purchase(corporation, move)

    def _purchase(self, corporation: Corporation, move: Move) -> None:
        self.bought = True
        self.stage = "done" if self.stage == "sold" else "bought"
        match move:
            case ("start", _, int(par)):
                c2c_shares.start(self.world, self.player, corporation, par)
            case ("buy", _, str(source), int(count)):
                if c2c_shares.buy(self.world, self.player, corporation, source, count):
                    self.floating = corporation.name
            case ("privatize", _, int(other)):
                c2c_shares.privatize(self.world, self.player, corporation, other)

    def decline(self) -> None:
        """The turn ends; it counts as a pass when nothing was done in it."""
        self.passes = 0 if self.acted else self.passes + 1
        self.acted = self.bought = False
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
        """No corporation is started, and nobody can start one (first line of the dead ends)."""
        if any(True for _ in self.world.open_ones()):
            return False
        able = any(c.kind == "single" and not c.closed for c in self.world.corporations.values())
        return not (able and any(seat.cash >= CHEAPEST_START for seat in self.world.seats))


def buy_tokens(world: World, corporation: Corporation, prices: set[int]) -> None:
    """Extra tokens at the float, one reserved for the destination; all four bring a bull (R-C2C-061 to R-C2C-064)."""
    total = sum(prices)
    corporation.cash -= total
    world.pay(-total)
    corporation.bought = set(prices)
    corporation.charter = max(0, len(prices) - 1)
    corporation.goals = [(HOMES[corporation.name], GOALS[corporation.name])] if prices else []
    corporation.bulls = int(len(prices) == 4)
