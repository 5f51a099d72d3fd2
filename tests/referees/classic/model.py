"""A second statement of the classic game: where a game stands.

Written from the rules alone; it shares nothing with the engine. Players are numbered from 0 in seating order; a share
is what one ordinary certificate stands for, the president's certificate is two shares.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.referees.classic.market import Cell
from tests.referees.classic.printed import Title

Move = tuple[str | int | tuple[tuple[int, int], ...], ...]


@dataclass
class Seat:
    cash: int


@dataclass
class Private:
    name: str
    price: int
    revenue: int
    owner: int | str | None = None
    closed: bool = False
    spent: bool = False
    """True if its power is used up."""


@dataclass
class Corporation:
    name: str
    charter: list[int]
    """Prices of the tokens not placed."""
    par: int = 0
    at: Cell | None = None
    president: int | None = None
    shares: dict[int, int] = field(default_factory=dict)
    offering: int = 10
    pool: int = 0
    cash: int = 0
    floated: bool = False
    trains: list[str] = field(default_factory=list)
    given: list[str] = field(default_factory=list)
    """Those of its trains that it cannot sell."""
    retired: list[str] = field(default_factory=list)
    """Trains that run once more: they count for no limit, and nobody buys them (R-AL-186, D-AL-9)."""
    stands: set[str] = field(default_factory=set)
    """Hexes with a token of it."""
    home_due: bool = True
    cityless: str = ""
    """The hex with cities and no track in which a token of it stands (R-1830-031, R-GA-061, R-1882-052)."""
    barred: bool = False
    """True if it cannot be started, or not in the usual way."""
    marks: list[str] = field(default_factory=list)
    """Markers of what it has reached."""

    def held(self, player: int) -> int:
        return self.shares.get(player, 0)

    def singles(self, player: int) -> int:
        return self.held(player) - 2 * (self.president == player)

    @property
    def room(self) -> int:
        """Shares that the pool still takes."""
        return 0 if self.at is None else 5 - self.pool

    @property
    def free(self) -> int:
        """Ordinary certificates in the offering."""
        return self.offering if self.par else self.offering - 2


@dataclass
class World:
    title: Title
    seats: list[Seat]
    corporations: dict[str, Corporation]
    privates: dict[str, Private]
    bank: int
    phase: str
    depot: dict[str, int | None]
    junk: list[str] = field(default_factory=list)
    """Trains in the pool."""
    row: list[str] = field(default_factory=list)
    """Companies in the order in which they came into their cells."""
    limit: int = 0
    """The certificate limit."""
    priority: int = 0
    ending: str = ""
    """Why the game ends, once that is certain."""
    ruined: bool = False
    tiles: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Tiles laid, with their rotation, by hex."""

    # --- money and players ----------------------------------------------------------------------------------------

    def pay(self, amount: int) -> int:
        """The bank pays (or, below 0, receives); says how much. A payment it cannot make breaks it (R-1830-064)."""
        self.bank -= amount
        if amount > 0 and self.bank < 0 and self.title.bank_ends != "never":
            self.ending = self.ending or "bank"
        return amount

    def left_of(self, player: int) -> list[int]:
        """Players clockwise from the left of a seat; that seat comes last."""
        count = len(self.seats)
        return [(player + i) % count for i in range(1, count + 1)]

    def certificates(self, player: int) -> int:
        """Privates, and certificates of companies outside the coloured cells (R-1830-004, R-1830-024)."""
        privates = sum(private.owner == player for private in self.open_privates())
        return privates + sum(self.papers(c, player) for c in self.corporations.values() if not self.zone(c))

    def papers(self, corporation: Corporation, player: int) -> int:
        return corporation.held(player) - (corporation.president == player)

    def open_privates(self) -> Iterator[Private]:
        return (private for private in self.privates.values() if not private.closed)

    # --- prices ---------------------------------------------------------------------------------------------------

    def price(self, corporation: Corporation) -> int:
        """Dollars for a share; nothing before the company has a par price."""
        return 0 if corporation.at is None else self.title.chart.price(corporation.at)

    def zone(self, corporation: Corporation) -> str:
        return "" if corporation.at is None else self.title.chart.zone(corporation.at)

    def enter(self, corporation: Corporation, cell: Cell) -> None:
        """Put a marker into a cell, below those that are there."""
        if corporation.at == cell:
            return
        corporation.at = cell
        self.row = [name for name in self.row if name != corporation.name] + [corporation.name]
        if self.title.top_price and self.price(corporation) >= self.title.top_price:
            self.ending = self.ending or "price"

    def order(self) -> list[str]:
        """By price, then further right, then above, then earlier in the cell (R-1830-030)."""
        corporations = [self.corporations[name] for name in self.row]
        places = {c.name: (-self.price(c), -c.at[1], c.at[0]) for c in corporations if c.at is not None}
        return sorted(self.row, key=places.__getitem__)

    # --- trains and phases ----------------------------------------------------------------------------------------

    def reached(self, phase: str) -> bool:
        names = list(self.title.phases)
        return phase in names and names.index(self.phase) >= names.index(phase)

    @property
    def train_limit(self) -> int:
        return self.title.phases[self.phase].limit

    def new_trains(self) -> list[str]:
        """The next kind, and from phase 6 on also D-trains (R-1830-005, R-18MS-005)."""
        left = [name for name, count in self.depot.items() if count != 0]
        return left[:1] + [name for name in left[1:] if name in self.title.late_trains and self.reached("6")]

    def take_new(self, corporation: Corporation, name: str) -> None:
        """A new train comes to a company; the first of its kind begins a phase."""
        left = self.depot[name]
        self.depot[name] = None if left is None else left - 1
        corporation.trains.append(name)
        phase = self.title.begins.get(name, name)
        if phase in self.title.phases and not self.reached(phase):
            self.begin(phase)

    def begin(self, phase: str) -> None:
        """A phase begins: trains rust or retire, privates close."""
        self.phase = phase
        kinds = self.title.trains.items()
        tired = {name for name, train in kinds if train.retires == phase}
        for corporation in self.corporations.values():
            corporation.retired += [train for train in corporation.trains if train in tired]
        self.rust({name for name, train in kinds if train.rusts == phase} | tired)
        for private in self.open_privates():
            if phase == self.title.close_later.get(private.name, self.title.closes):
                self.close_private(private)

    def rust(self, kinds: set[str]) -> None:
        self.junk = [train for train in self.junk if train not in kinds]
        for corporation in self.corporations.values():
            corporation.trains = [train for train in corporation.trains if train not in kinds]
            corporation.given = [train for train in corporation.given if train not in kinds]

    def give_up(self, train: str) -> None:
        """A train that is discarded or traded in."""
        if self.title.keeps_trains:
            self.junk.append(train)

    def close_private(self, private: Private) -> None:
        """Phase 5 closes privates, apart from those that stay with a player (R-1889-055)."""
        if private.name in self.title.stays and isinstance(private.owner, int):
            private.revenue = self.title.stays[private.name]
        else:
            private.closed = True

    # --- the end --------------------------------------------------------------------------------------------------

    def score(self, player: int) -> int:
        """Cash, shares at their price, open privates at value (R-1830-065)."""
        shares = sum(c.held(player) * self.price(c) for c in self.corporations.values())
        values = self.title.privates
        privates = sum(values[p.name][0] for p in self.open_privates() if p.owner == player)
        return self.seats[player].cash + shares + privates


def new_world(title: Title, players: int, kind: type[World] = World) -> World:
    world = kind(
        title=title,
        seats=[Seat(title.cash[players]) for _ in range(players)],
        corporations={
            name: Corporation(
                name, list(title.tokens[name]), home_due=bool(home), barred=name in title.starts_later
            )
            for name, home in title.homes.items()
        },
        privates={
            name: Private(name, value, revenue, closed=name in title.left_out.get(players, ()))
            for name, (value, revenue) in title.privates.items()
        },
        bank=title.bank - players * title.cash[players],
        limit=title.certificates[players],
        phase="2",
        depot={name: train.count for name, train in title.trains.items()},
    )
    if title.home_from_start:
        place_home(world, world.corporations[title.home_from_start])
    return world


def place_home(world: World, corporation: Corporation, coord: str = "") -> None:
    """The home token, which is free."""
    corporation.home_due = False
    corporation.charter.pop(0)
    corporation.stands.add(coord or world.title.homes[corporation.name])


def take_back(corporation: Corporation) -> None:
    """Track has come to where its token stands: the city is still to be chosen."""
    corporation.home_due = True
    corporation.charter.insert(0, 0)
    corporation.stands.remove(corporation.cityless)
    corporation.cityless = ""
