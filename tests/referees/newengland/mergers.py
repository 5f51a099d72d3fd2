"""A second statement of 18NewEngland's merger rounds."""

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.referees.newengland.draft import Move
from tests.referees.newengland.model import HOMES, PARS, ROW, Major, Minor, World

Joined = Callable[[str, str], bool]


def par_of(one: int, other: int) -> int:
    """The sum of two values, rounded down to a price on the row."""
    return max(price for price in PARS if price <= one + other)


def missing(minor: Minor) -> int:
    return 200 - 2 * minor.value


@dataclass
class MergerRound:
    """The merger round after an operating round."""

    world: World
    joined: Joined
    one_city: Joined = lambda one, other: False
    waiting: list[str] = field(default_factory=list)
    """Minors that have not decided yet, in operating order."""
    made: str = ""
    """The major just made, while its president may buy more of it."""
    station_due: bool = False

    def __post_init__(self) -> None:
        """The order is that of the operating round."""
        self.waiting = self.world.minors_in_order()

    @property
    def over(self) -> bool:
        return not self.waiting and not self.made

    @property
    def player(self) -> int:
        return self.world.head(self.world.company(self.made or self.waiting[0]))

    def majors(self) -> list[str]:
        """Majors not started and not closed."""
        return [m.name for m in self.world.majors.values() if m.president is None and not m.closed]

    def moves(self) -> set[Move]:
        if self.station_due:
            return {("take_back", self.made)}
        if self.made:
            return {("buy", self.made, "offering")} if self._may_buy(self.world.majors[self.made]) else set()
        minor = self.world.minors[self.waiting[0]]
        found: set[Move] = set()
        for major in self.majors():
            if missing(minor) <= self.world.seats[self.player].cash:
                found.add(("convert", minor.name, major))
            found |= {("merge", minor.name, partner, major) for partner in self.partners(minor)}
        return found

    def partners(self, minor: Minor) -> list[str]:
        """Minors of the same owner, connected, or at home in the same hex; they may have passed."""
        return [
            other.name
            for other in self.world.minors.values()
            if other is not minor and other.running and other.owner == minor.owner
            if HOMES[other.name] == HOMES[minor.name] or self.joined(minor.name, other.name)
        ]

    def _may_buy(self, major: Major) -> bool:
        player = self.player
        rich = self.world.seats[player].cash >= major.par
        return bool(major.offering) and major.held(player) < 6 and rich and self.world.room(player)

    def play(self, move: Move) -> None:
        match move:
            case ("convert", str(name), str(major)):
                minor = self.world.minors[name]
                added = missing(minor)
                self.world.seats[self.player].cash -= added
                self._make(major, 100, [minor], [40, 80])
                self.world.majors[major].cash += added
            case ("merge", str(name), str(partner), str(major)):
                two = [self.world.minors[name], self.world.minors[partner]]
                together, in_one_city = HOMES[name] == HOMES[partner], self.one_city(name, partner)
                self._make(major, par_of(two[0].value, two[1].value), two, [80])
                if together and in_one_city:
                    self._take_back()
                # Of two stations in one city it makes no difference which goes back.
                self.station_due = together and not in_one_city
            case ("take_back", _):
                self._take_back()
            case ("buy", str(name), _):
                self._buy(self.world.majors[name])

    def _take_back(self) -> None:
        self.world.majors[self.made].stations.insert(0, 40)
        self.station_due = False

    def _make(self, name: str, par: int, minors: list[Minor], stations: list[int]) -> None:
        world, major, owner = self.world, self.world.majors[name], minors[0].owner
        assert owner is not None
        major.par, major.at, major.president = par, ROW.index(par), owner
        major.shares, major.offering, major.stations = {owner: 2}, 8, stations
        world.row.append(name)
        for minor in minors:
            self._absorb(minor, major)
        self.made = name

    def _absorb(self, minor: Minor, major: Major) -> None:
        major.cash, minor.cash = major.cash + minor.cash, 0
        major.trains, minor.trains = major.trains + minor.trains, []
        major.stands, minor.stands, minor.closed = major.stands | minor.stands, set(), True
        if minor.name in self.waiting:
            self.waiting.remove(minor.name)

    def _buy(self, major: Major) -> None:
        player = self.player
        self.world.seats[player].cash -= major.par
        major.cash += major.par
        major.offering -= 1
        major.shares[player] = major.held(player) + 1

    def skip(self) -> None:
        while not self.over and not self.moves():
            self.decline()

    def decline(self) -> None:
        """Pass, or buy no more."""
        if self.made:
            self.made = ""
        else:
            self.waiting.pop(0)
