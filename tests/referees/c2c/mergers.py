"""A second statement of 18C2C's merger rounds and of what two corporations become."""

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.referees.c2c.market import price, top_row
from tests.referees.c2c.model import Corporation, World
from tests.referees.c2c.packet import Move
from tests.referees.c2c.tokens import join

Joined = Callable[[str, str], bool]


def costliest_first(world: World, names: list[str]) -> list[Corporation]:
    """By price (doubled shares as two), at equal prices the earlier in operating order."""
    order = world.order()
    found = [world.corporations[name] for name in names]
    return sorted(found, key=lambda c: (-c.price, order.index(c.name)))


def halved(olds: list[Corporation], players: int) -> dict[int, int]:
    """New shares of the players, two for one, rounded down (R-C2C-224)."""
    new = {player: sum(old.held(player) for old in olds) // 2 for player in range(players)}
    return {player: count for player, count in new.items() if count}


def pay_odd(world: World, olds: list[Corporation]) -> None:
    """A player's odd share is paid by the bank, the highest-priced kind they hold (`olds` highest-priced first)."""
    for player, seat in enumerate(world.seats):
        if sum(old.held(player) for old in olds) % 2:
            seat.cash += world.pay(next(old.price for old in olds if old.held(player)))


def first_of(world: World, new: dict[int, int], favoured: list[Corporation], start: int) -> int | None:
    """The president: most shares, two at least; ties: presidents of those favoured, then clockwise (R-C2C-225)."""
    most = max(new.values(), default=0)
    if most < 2:
        return None
    ranked = [old.president for old in favoured] + world.around(start)
    return next(player for player in ranked if player is not None and new.get(player) == most)


@dataclass
class MergerRound:
    """After a stock round, from the first 4 on: each proposes one merger or passes (R-C2C-220)."""

    world: World
    joined: Joined
    player: int
    passes: int = 0
    refused: set[frozenset[str]] = field(default_factory=set)

    @property
    def over(self) -> bool:
        return self.passes >= len(self.world.seats)

    @property
    def actor(self) -> int:
        return self.player

    def moves(self) -> set[Move]:
        """Mergers the player may propose, by name in alphabetical order."""
        able = [c for c in self.world.open_ones() if c.kind == "single" and c.floated and c.operated]
        pairs = [
            (a, b)
            for a in able
            for b in able
            if a.name < b.name and self.player in (a.president, b.president)
        ]
        return {("merge", a.name, b.name) for a, b in pairs if self._may(a, b)}

    def _may(self, one: Corporation, other: Corporation) -> bool:
        new = halved([one, other], len(self.world.seats))
        if max(new.values(), default=0) < 2 or frozenset((one.name, other.name)) in self.refused:
            return False
        return self.joined(one.name, other.name)

    def may_pass(self) -> bool:
        """A proposal is never due."""
        return True

    def play(self, move: Move) -> None:
        """Both presidents have agreed."""
        merge(self.world, [str(name) for name in move[1:3]], self.player)
        self.passes = 0
        self.player = self.world.left_of(self.player)[0]

    def refuse(self, move: Move) -> None:
        """A refused merger counts as a pass, and is not proposed again."""
        self.refused.add(frozenset(str(name) for name in move[1:3]))
        self.decline()

    def decline(self) -> None:
        self.passes += 1
        self.player = self.world.left_of(self.player)[0]


def merge(world: World, names: list[str], proposer: int) -> None:
    """Two corporations become one, on the charter of the higher-priced (R-C2C-223 to R-C2C-229)."""
    olds = costliest_first(world, names)
    cell = top_row(sum(old.price for old in olds))
    new = halved(olds, len(world.seats))
    merged = Corporation(olds[0].name, "merger", par=price(cell), shares=new, floated=True, operated=True)
    merged.president = first_of(world, new, olds, proposer)
    pay_odd(world, olds)
    merged.offering = sum(old.offering + old.pile for old in olds) // 2
    merged.redeemed = sum(old.redeemed for old in olds) // 2
    merged.pool = merged.total - merged.offering - merged.redeemed - sum(new.values())
    merged.shells = [olds[0].trains, olds[1].trains]
    merged.went = all(old.went for old in olds)
    inherit(world, merged, olds)
    for old in olds:
        merged.goals += old.goals
        world.vanish(old)
    world.corporations[merged.name] = merged
    world.put(merged, cell)


def inherit(world: World, heir: Corporation, olds: list[Corporation]) -> None:
    """Treasuries, privates, markers and tokens are joined (R-C2C-226, R-C2C-227, R-C2C-244)."""
    heir.stands, ordinary, bulls = join(olds)
    heir.charter = sum(old.charter for old in olds) + ordinary
    heir.bulls = sum(old.bulls for old in olds) + bulls
    heir.cash = sum(old.cash for old in olds)
    heir.bought = set[int]().union(*(old.bought for old in olds))
    heir.markers = sum(old.markers for old in olds)
    heir.home_due = False
    for old in olds:
        for private in world.privates.values():
            private.owner = heir.name if private.owner == old.name else private.owner
        world.engineer = heir.name if world.engineer == old.name else world.engineer
        for name, (coord, owner) in world.bonuses.items():
            world.bonuses[name] = (coord, heir.name if owner == old.name else owner)
