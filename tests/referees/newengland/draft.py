"""A second statement of 18NewEngland's first stock round: a snake draft of minors."""

from dataclasses import dataclass, field

from tests.referees.newengland.model import World

Move = tuple[str | int, ...]


@dataclass
class Draft:
    """The first stock round, from the priority holder on."""

    world: World
    turn: int = 0
    resigned: set[int] = field(default_factory=set)
    passed: set[int] = field(default_factory=set)

    @property
    def player(self) -> int:
        count = len(self.world.seats)
        lap, place = divmod(self.turn, count)
        return place if lap % 2 == 0 else count - 1 - place

    @property
    def over(self) -> bool:
        return len(self.passed | self.resigned) == len(self.world.seats)

    def reservations(self, player: int) -> list[str]:
        return [minor.name for minor in self.world.minors.values() if minor.reserved == player]

    def moves(self) -> set[Move]:
        if self.player in self.resigned:
            return set()
        cash = self.world.seats[self.player].cash
        spaces = [space for space in self.world.spaces() if 2 * space[0] <= cash]
        if not spaces:
            return set()
        free = [name for name in self.world.on_offer() if self.world.minors[name].reserved is None]
        starts: set[Move] = {
            ("start", name, *space) for name in self.reservations(self.player) for space in spaces
        }
        return starts | {("reserve", name) for name in free}

    def skip(self) -> None:
        """A player who can do nothing is passed over, and so gives back what they have reserved."""
        while not self.over and not self.moves():
            self.decline()

    def play(self, move: Move) -> None:
        match move:
            case ("reserve", str(name)):
                self.world.minors[name].reserved = self.player
            case ("start", str(name), int(value), int(row)):
                self.world.start_minor(self.player, name, (value, row))
        self.passed = set()
        self.turn += 1

    def decline(self) -> None:
        """Pass; with reservations: relinquish them, and pass for the rest of the round."""
        player, mine = self.player, self.reservations(self.player)
        for name in mine:
            self.world.minors[name].reserved = None
        if mine:
            self.resigned.add(player)
        self.passed.add(player)
        self.turn += 1

    def finish(self) -> None:
        """Priority to the richest, the first of them in order; every started minor buys a 2-train."""
        cash = [seat.cash for seat in self.world.seats]
        self.world.priority = cash.index(max(cash))
        for name in self.world.minors_in_order():
            minor = self.world.minors[name]
            minor.cash -= 100
            self.world.pay(-100)
            self.world.take_new(minor)
