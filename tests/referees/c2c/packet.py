"""A second statement of 18C2C's starting packet: eliminations, bids, sales as privates come to the top."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.referees.c2c.model import World
from tests.referees.c2c.printed import PRIVATES

Move = tuple[str | int, ...]


@dataclass
class Contest:
    """A private on top with several bids: its bidders raise clockwise."""

    private: str
    left: list[int]
    """Bidders still in it, the next to act first."""


@dataclass
class Packet:
    """The packet over all the stock rounds in which it is sold, one column of privates."""

    world: World
    eliminations: int = 6
    column: list[str] = field(default_factory=lambda: list(PRIVATES))
    bids: dict[str, dict[int, int]] = field(default_factory=dict)
    contest: Contest | None = None
    player: int = 0
    passes: int = 0
    last: int | None = None
    starter: int = 0
    """The player whose purchase set off the running sales."""

    @property
    def eliminating(self) -> bool:
        """True if privates are still removed (R-C2C-021)."""
        return len(self.gone) < self.eliminations

    @property
    def gone(self) -> list[str]:
        return [name for name, private in self.world.privates.items() if private.gone]

    @property
    def empty(self) -> bool:
        return not self.column

    @property
    def over(self) -> bool:
        return self.passes >= len(self.world.seats)

    @property
    def actor(self) -> int:
        return self.contest.left[0] if self.contest else self.player

    # --- what may be done -----------------------------------------------------------------------------------------

    def moves(self) -> set[Move]:
        if self.contest is not None:
            return set(self._raises(self.contest))
        if self.eliminating:
            return {("eliminate", name) for name in self.column}
        return set(self._purchase()) | set(self._bids())

    def may_pass(self) -> bool:
        """No removal may be declined."""
        return not self.eliminating

    @property
    def for_nothing(self) -> bool:
        """True if the top private has come to cost nothing, so that the acting player must take it (R-C2C-028)."""
        settled = not self.eliminating and self.contest is None and not self.empty
        return settled and self.world.privates[self.column[0]].price == 0

    def free_cash(self, player: int, without: str = "") -> int:
        """Cash that is not set aside for bids on others (R-C2C-026, R-C2C-027)."""
        aside = sum(bids.get(player, 0) for name, bids in self.bids.items() if name != without)
        return self.world.seats[player].cash - aside

    def least(self, name: str) -> int:
        highest = max(self.bids.get(name, {}).values(), default=0)
        return max(self.world.privates[name].value, highest) + 5

    def _purchase(self) -> Iterator[Move]:
        top = self.column[0]
        if self.world.privates[top].price <= self.free_cash(self.player):
            yield ("take", top)

    def _bids(self) -> Iterator[Move]:
        for name in self.column[1:]:
            least, most = self.least(name), self.free_cash(self.player, name)
            if least <= most:
                yield ("bid", name, least, most)

    def _raises(self, contest: Contest) -> Iterator[Move]:
        least, most = self.least(contest.private), self.free_cash(contest.left[0], contest.private)
        if least <= most:
            yield ("bid", contest.private, least, most)

    # --- what happens ---------------------------------------------------------------------------------------------

    def play(self, move: Move) -> None:
        match move:
            case ("eliminate", str(name)):
                self.world.privates[name].gone = True
                self.column.remove(name)
                self._next(self.player)
            case ("take", str(name)):
                self.starter = self.last = self.player
                self._sell(name, self.player, self.world.privates[name].price)
                self._settle()
            case ("bid", str(name), int(amount)) if self.contest is not None:
                self.bids[name][self.contest.left[0]] = amount
                self.contest.left.append(self.contest.left.pop(0))
            case ("bid", str(name), int(amount)):
                self.bids.setdefault(name, {})[self.player] = amount
                self.last = self.player
                self._next(self.player)

    def decline(self) -> None:
        """A pass; a bidder's is final."""
        if self.contest is None:
            self.player, self.passes = self.world.left_of(self.player)[0], self.passes + 1
            return
        self.contest.left.pop(0)
        if len(self.contest.left) == 1:
            (winner,) = self.contest.left
            self.contest = None
            self._win(winner)

    def _next(self, player: int) -> None:
        self.player, self.passes = self.world.left_of(player)[0], 0

    def _sell(self, name: str, player: int, amount: int) -> None:
        self.bids.pop(name, None)
        self.world.seats[player].cash -= amount
        self.world.pay(-amount)
        self.world.privates[name].owner = player
        self.column.remove(name)

    def _win(self, player: int) -> None:
        name = self.column[0]
        self._sell(name, player, self.bids[name][player])
        self._settle()

    def _settle(self) -> None:
        bids = self.bids.get(self.column[0], {}) if self.column else {}
        if len(bids) == 1:
            self._win(next(iter(bids)))
        elif bids:
            high = max(bids, key=lambda player: bids[player])
            order = [player for player in self.world.left_of(high) if player in bids]
            self.contest = Contest(self.column[0], order)
        else:
            self._next(self.starter)

    # --- rounds ---------------------------------------------------------------------------------------------------

    def close_round(self) -> None:
        """All have passed: the next round is opened by the player after the last who acted (R-C2C-028)."""
        if self.last is not None:
            self.world.priority = self.world.left_of(self.last)[0]

    def discount(self) -> None:
        """After the operating round the top private loses $5."""
        top = self.world.privates[self.column[0]]
        top.price = max(0, top.price - 5)

    def open_round(self) -> None:
        """Another stock round begins with the packet."""
        self.player, self.passes, self.last = self.world.priority, 0, None
