"""1846, as printed, and where a game of it stands; on the second statement of the classic game."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from tests.referees.classic.model import Corporation, Private, Seat, World, place_home
from tests.referees.classic.printed import Phase, Title, Train

BANKS = {3: 6_500, 4: 7_500, 5: 9_000}
COUNTS = {3: (5, 4, 3, 9), 4: (6, 5, 4, 9), 5: (7, 6, 5, 9)}
"""Cards of each kind, by number of players, less the two of the independents (R-1846-006)."""
LIMITS = {3: {5: 14, 4: 11}, 4: {6: 12, 5: 10, 4: 8}, 5: {7: 11, 6: 10, 5: 8, 4: 6}}
"""Certificate limits by companies left, of which 4 are the fewest that matter (R-1846-008)."""
CARDS = (("2",), ("4", "3/5"), ("5", "4/6"), ("6", "7/8"))
"""Faces of the cards, of which the buyer takes one (R-1846-110)."""
INDEPENDENTS = {"MS": ("MSP", "C15", 60), "BIG4": ("B4P", "G9", 40)}
"""The private of each, its home and its cash (R-1846-007)."""
GROUPS = (("LSL", "MC", "O&I", "LM"), ("SC", "MPC", "TBC", "BT"), ("C&O", "ERIE", "PRR"))
PROTECTED = {"": (), "first_ed": (), "second_ed_co": ("LM", "BT", "C&O")}
MARKERS = {"MPC": "meat", "BT": "boom", "SC": "steamboat"}
SYMBOLS = {"MPC": {"I1": 30, "D6": 30}, "BT": {"H12": 20}}
PORTS = {"B8": 40, "C5": 20, "D14": 20, "I1": 20, "G19": 40}
"""Dollars for the hexes of bonus markers (R-1846-094)."""

T1846 = Title(
    name="1846",
    bank=9_000,
    cash={3: 400, 4: 400, 5: 400},
    certificates={3: 14, 4: 12, 5: 11},
    rows=(
        "0 10 20 30 40P 50P 60P 70P 80P 90P 100P 112P 124P 137P 150P 165 180 195 212 230 250 270 295 320 345"
        " 375 405 440 475 510 550",
    ),
    homes={
        **{"PRR": "F20", "NYC": "D20", "B&O": "G19", "C&O": "I15", "ERIE": "E21", "GT": "B16", "IC": "K3"},
        **{name: home for name, (_, home, _) in INDEPENDENTS.items()},
    },
    tokens={
        **dict.fromkeys(("NYC", "B&O", "C&O", "ERIE", "IC"), (0, 80, 80, 80)),
        **{"PRR": (0, 80, 80, 80, 80), "GT": (0, 80, 80), "MS": (0,), "BIG4": (0,)},
    },
    privates={
        **{
            "MSP": (60, 0),
            "B4P": (40, 0),
            "C&WI": (60, 10),
            "MAIL": (80, 0),
            "TBC": (60, 20),
            "MPC": (60, 15),
        },
        **{"SC": (40, 10), "LSL": (40, 15), "MC": (40, 15), "O&I": (40, 15), "BT": (40, 10), "LM": (40, 15)},
    },
    trains={
        "2": Train(80, 9, rusts="IV", retires="III"),
        "4": Train(180, 6, retires="IV"),
        "3/5": Train(160, 6, retires="IV"),
        "5": Train(500, 5),
        "4/6": Train(450, 5),
        "6": Train(800, 9),
        "7/8": Train(900, 9),
    },
    phases={"I": Phase(4, 2), "II": Phase(4, 2), "III": Phase(3, 2), "IV": Phase(2, 2)},
    begins={"4": "II", "3/5": "II", "5": "III", "4/6": "III", "6": "IV", "7/8": "IV"},
    closes="III",
    one_block=True,
    options={"first_ed": {}, "second_ed_co": {}},
)


@dataclass
class Line(Corporation):
    """A company or an independent; its treasury shares are the `offering`."""

    closed: bool = False
    operated: bool = False
    bonuses: dict[str, str] = field(default_factory=dict)
    """The hex of each bonus marker."""

    @property
    def independent(self) -> bool:
        return self.name in INDEPENDENTS

    @property
    def in_receivership(self) -> bool:
        return self.at is not None and self.president is None


@dataclass
class Midwest(World):
    """The position of a game."""

    corporations: dict[str, Line]  # type: ignore[assignment]
    out: set[int] = field(default_factory=set)
    """Bankrupt players."""
    port: str = ""
    """The hex of the SC's marker, while a player owns it."""
    served: str = ""
    """The company or independent that has it then."""

    @property
    def companies(self) -> list[Line]:
        """All that can be started or operate, in the order of the list."""
        return [line for line in self.corporations.values() if not line.closed and not line.independent]

    def set_limit(self) -> None:
        """It falls with the companies, not with the players (R-1846-008)."""
        row = LIMITS[len(self.seats)]
        self.limit = row[max(min(row), min(max(row), len(self.companies)))]

    def left_of(self, player: int) -> list[int]:
        return [seat for seat in super().left_of(player) if seat not in self.out]

    def papers(self, corporation: Corporation, player: int) -> int:
        """The private of an independent counts, not the independent."""
        return 0 if corporation.name in INDEPENDENTS else super().papers(corporation, player)

    # --- prices ---------------------------------------------------------------------------------------------------

    def cells(self, line: Line, places: int) -> tuple[int, int]:
        assert line.at is not None
        last = len(self.title.rows[0].split()) - 1
        return (0, max(0, min(last, line.at[1] + places)))

    def price_at(self, line: Line, places: int) -> int:
        """The price so many cells further right."""
        return self.title.chart.price(self.cells(line, places))

    def move(self, line: Line, places: int) -> None:
        """A company whose marker comes to 0 closes (R-1846-038)."""
        self.enter(line, self.cells(line, places))
        if self.price(line) == 0:
            self.close(line)

    def close(self, line: Line) -> None:
        """Tokens, trains and privates leave the game, its shares are worthless (R-1846-140)."""
        self.pay(-line.cash)
        line.cash, line.trains, line.retired, line.charter, line.stands = 0, [], [], [], set()
        line.at, line.closed, line.president, line.shares, line.offering, line.pool = (
            None,
            True,
            None,
            {},
            0,
            0,
        )
        line.bonuses = {}
        self.row = [name for name in self.row if name != line.name]
        for private in self.open_privates():
            if private.owner == line.name:
                private.closed = True
        self.set_limit()

    # --- trains ---------------------------------------------------------------------------------------------------

    def new_trains(self) -> list[str]:
        """Either face of the next card (R-1846-110)."""
        return next((list(faces) for faces in CARDS if self.depot[faces[0]]), [])

    def take_new(self, corporation: Corporation, name: str) -> None:
        """The other face is gone, too."""
        for face in self.new_trains():
            left = self.depot[face]
            assert left is not None
            self.depot[face] = left - (face != name)
        super().take_new(corporation, name)

    def begin(self, phase: str) -> None:
        super().begin(phase)
        for line in self.corporations.values():
            if phase == "IV":
                line.retired = [train for train in line.retired if train != "2"]
                line.bonuses = {}
        if phase in ("III", "IV") and self.served:
            self.corporations[self.served].bonuses.pop("steamboat", None)
            self.port = self.served = ""

    def close_private(self, private: Private) -> None:
        """The MAIL stays with a company (R-1846-113); independents close with their privates."""
        if private.name == "MAIL" and isinstance(private.owner, str):
            return
        private.closed = True
        for name, (of, _, _) in INDEPENDENTS.items():
            if of == private.name and not self.corporations[name].closed:
                self.close(self.corporations[name])


def new_midwest(players: int, removed: set[str]) -> Midwest:
    title = replace(T1846, bank=BANKS[players])
    counts = {face: count for faces, count in zip(CARDS, COUNTS[players], strict=True) for face in faces}
    world = Midwest(
        title=title,
        seats=[Seat(title.cash[players]) for _ in range(players)],
        corporations={
            name: Line(name, list(title.tokens[name]), offering=10 * (name not in INDEPENDENTS))
            for name in title.homes
        },
        privates={
            name: Private(name, value, revenue, closed=name in removed)
            for name, (value, revenue) in title.privates.items()
        },
        bank=title.bank - players * title.cash[players],
        phase="I",
        depot=dict(counts),
    )
    for line in world.corporations.values():
        if line.independent or line.name in removed:
            place_home(world, line)
        if line.independent:
            line.trains = ["2"]
        line.closed = line.name in removed
        if line.closed:
            line.charter, line.offering = [], 0
    world.set_limit()
    return world


def removals(players: int, option: str) -> Iterator[tuple[set[str], int]]:
    """Groups of which cards are removed by chance, and how many (R-1846-003, R-1846-004)."""
    for group in GROUPS:
        names = {name for name in group if not (option == "first_ed" and name in ("LM", "BT"))}
        privates = group is not GROUPS[2]
        yield names - set(PROTECTED[option]), 5 - players + (privates and option != "first_ed")
