"""A second statement of 18NewEngland: what is printed, and where a game stands.

Written from the rules alone; it shares nothing with the engine. Shares are tens (the president's certificate is
two of them), prices are places on the row of majors, players are numbered from 0 in seating order.
"""

from dataclasses import dataclass, field

ROW = (
    *(35, 40, 45, 50, 55, 60, 65, 70, 80, 90, 100, 110, 120, 130),
    *(145, 160, 180, 200, 220, 240, 260, 280, 310, 340, 380, 420, 460, 500),
)
PARS = (100, 110, 120, 130, 145, 160, 180, 200)
YELLOW = (50, 55, 60, 65, 70)
GREEN = (80, 90, 100)
TRAINS = {"2": 100, "3": 180, "4": 300, "5E": 500, "6E": 600, "8E": 800}
"""Prices, in the order of sale."""
STOCK: dict[str, int | None] = {"2": 10, "3": 7, "4": 4, "5E": 4, "6E": 3, "8E": None}
LIMITS = {"2": (2, 4), "3": (2, 4), "4": (1, 3), "5": (1, 3), "6": (1, 2), "8": (1, 2)}
"""Trains that a minor and a major may own, by phase."""
RUSTS = {"4": "2", "6": "3", "8": "4"}
"""The trains that rust when a phase begins."""
CASH = {2: 520, 3: 400, 4: 280, 5: 280}
CERTIFICATES = {2: 25, 3: 20, 4: 16, 5: 13}
BANK = 12_000
HOMES = {
    **dict.fromkeys(("AWS", "HRR"), "B3"),
    **dict.fromkeys(("BL", "ER"), "L5"),
    **dict.fromkeys(("NYNH", "HNH", "NLN"), "F13"),
    **{"BP": "K10", "CR": "G8", "CV": "E2", "FRR": "J3", "GR": "L7", "NYW": "B19", "PE": "B11", "WNR": "I6"},
}
MAJORS = ("B&A", "B&M", "CN", "CVT", "D&H", "NYC", "NYNHH", "P&W")
Space = tuple[int, int]
"""A value space: its value, and 0 for the upper, 1 for the lower one."""


@dataclass
class Seat:
    cash: int
    out: bool = False


@dataclass
class Minor:
    """A minor company: one certificate, and the marker on its value space."""

    name: str
    drawn: bool = False
    reserved: int | None = None
    owner: int | None = None
    space: Space | None = None
    cash: int = 0
    trains: list[str] = field(default_factory=list)
    stands: set[str] = field(default_factory=set)
    """Hexes in which it has a station."""
    closed: bool = False

    @property
    def value(self) -> int:
        assert self.space is not None
        return self.space[0]

    @property
    def running(self) -> bool:
        return self.owner is not None and not self.closed


@dataclass
class Major:
    """A major company, in one of the three states: not started, in play, closed."""

    name: str
    par: int = 0
    at: int = -1
    """Place of its marker on the row."""
    president: int | None = None
    shares: dict[int, int] = field(default_factory=dict)
    offering: int = 0
    redeemed: int = 0
    pool: int = 0
    cash: int = 0
    trains: list[str] = field(default_factory=list)
    stations: list[int] = field(default_factory=list)
    """Prices of the stations still on the charter."""
    stands: set[str] = field(default_factory=set)
    """Hexes in which it has a station."""
    closed: bool = False

    @property
    def price(self) -> int:
        return ROW[self.at]

    @property
    def running(self) -> bool:
        return self.president is not None and not self.closed

    @property
    def room(self) -> int:
        """Shares that the pool still takes."""
        return 5 - self.pool if self.running else 0

    def held(self, player: int) -> int:
        return self.shares.get(player, 0)

    def singles(self, player: int) -> int:
        return self.held(player) - 2 * (self.president == player)


Company = Minor | Major


@dataclass
class World:
    seats: list[Seat]
    minors: dict[str, Minor]
    majors: dict[str, Major]
    bank: int
    phase: str = "2"
    depot: dict[str, int | None] = field(default_factory=lambda: dict(STOCK))
    junk: list[str] = field(default_factory=list)
    """Trains in the pool."""
    row: list[str] = field(default_factory=list)
    """Majors in the order in which they came into their cells."""
    limit: int = 20
    """The certificate limit."""
    used: set[Space] = field(default_factory=set)
    """Value spaces with a marker, flipped ones included."""
    priority: int = 0
    broken: bool = False

    # --- money ----------------------------------------------------------------------------------------------------

    def pay(self, amount: int) -> int:
        """The bank pays (or, below 0, receives); says how much."""
        self.bank -= amount
        if amount > 0 and self.bank <= 0:
            self.broken = True
        return amount

    # --- players --------------------------------------------------------------------------------------------------

    @property
    def alive(self) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if not seat.out]

    def left_of(self, player: int) -> list[int]:
        """Players still in the game, clockwise from the left of a seat; that seat comes last."""
        count = len(self.seats)
        return [n for i in range(1, count + 1) if not self.seats[n := (player + i) % count].out]

    @property
    def first(self) -> int:
        return self.left_of(self.priority)[0] if self.seats[self.priority].out else self.priority

    def certificates(self, player: int) -> int:
        minors = sum(minor.owner == player and not minor.closed for minor in self.minors.values())
        return minors + sum(self.papers(major, player) for major in self.majors.values() if major.running)

    def papers(self, major: Major, player: int) -> int:
        return major.singles(player) + (major.president == player)

    def room(self, player: int) -> bool:
        return self.certificates(player) < self.limit

    # --- companies ------------------------------------------------------------------------------------------------

    @property
    def companies(self) -> list[Company]:
        return [*self.minors.values(), *self.majors.values()]

    def company(self, name: str) -> Company:
        return self.minors[name] if name in self.minors else self.majors[name]

    def head(self, company: Company) -> int:
        head = company.owner if isinstance(company, Minor) else company.president
        assert head is not None
        return head

    def order(self) -> list[str]:
        return [*self.minors_in_order(), *self.majors_in_order()]

    def minors_in_order(self) -> list[str]:
        """Minors by value, the upper space first."""
        minors = [minor for minor in self.minors.values() if minor.running and minor.space is not None]
        return [minor.name for minor in sorted(minors, key=lambda m: (-m.value, m.space or (0, 0)))]

    def majors_in_order(self) -> list[str]:
        """Majors by price, the upper marker first."""
        return sorted(self.row, key=lambda name: -self.majors[name].at)

    def move(self, major: Major, places: int) -> None:
        """Move a marker; into another cell it comes in at the bottom, one cell after the other."""
        target = max(0, min(len(ROW) - 1, major.at + places))
        if target != major.at:
            major.at = target
            self.row.remove(major.name)
            self.row.append(major.name)

    # --- minors ---------------------------------------------------------------------------------------------------

    def spaces(self) -> list[Space]:
        """Free value spaces on which a minor may be started now."""
        values = YELLOW if self.phase == "2" else YELLOW + GREEN
        return [(value, row) for value in values for row in (0, 1) if (value, row) not in self.used]

    def on_offer(self) -> list[str]:
        """Minors that may be started now (or reserved, in the first stock round)."""
        names = [m.name for m in self.minors.values() if m.drawn or self.phase != "2"]
        return [n for n in names if self.minors[n].owner is None and not self.minors[n].closed]

    def start_minor(self, player: int, name: str, space: Space) -> None:
        """A player starts a minor: twice the value goes into its treasury."""
        minor = self.minors[name]
        minor.owner, minor.space, minor.reserved = player, space, None
        self.used.add(space)
        self.seats[player].cash -= 2 * space[0]
        minor.cash += 2 * space[0]

    # --- trains ---------------------------------------------------------------------------------------------------

    def train_limit(self, company: Company) -> int:
        return LIMITS[self.phase][isinstance(company, Major)]

    def newest(self) -> str:
        return next(name for name, left in self.depot.items() if left is None or left > 0)

    def take_new(self, company: Company) -> str:
        """A new train comes to a company; the first of its kind changes the phase."""
        name = self.newest()
        left = self.depot[name]
        self.depot[name] = None if left is None else left - 1
        company.trains.append(name)
        if int(name[0]) > int(self.phase):
            self._begin(name[0])
        return name

    def _begin(self, phase: str) -> None:
        self.phase = phase
        rusty = RUSTS.get(phase)
        for company in self.companies:
            company.trains = [train for train in company.trains if train != rusty]
        self.junk = [train for train in self.junk if train != rusty]

    # --- the end of companies and players -------------------------------------------------------------------------

    def close(self, company: Company) -> None:
        """Liquidation or the end of a bankrupt president: cash to the bank, trains out of the game."""
        self.pay(-company.cash)
        company.cash, company.trains, company.stands, company.closed = 0, [], set(), True
        if isinstance(company, Major):
            self.row.remove(company.name)
            company.stations = []

    def score(self, player: int) -> int:
        """Cash, shares at their price, minors at twice their value; nothing for the bankrupt."""
        seat = self.seats[player]
        if seat.out:
            return 0
        shares = sum(m.held(player) * m.price for m in self.majors.values() if m.running)
        minors = sum(2 * m.value for m in self.minors.values() if m.running and m.owner == player)
        return seat.cash + shares + minors


def new_world(players: int, drawn: set[str]) -> World:
    return World(
        seats=[Seat(CASH[players]) for _ in range(players)],
        minors={name: Minor(name, name in drawn) for name in sorted(HOMES)},
        majors={name: Major(name) for name in MAJORS},
        bank=BANK - players * CASH[players],
        limit=CERTIFICATES[players],
    )
