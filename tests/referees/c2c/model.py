"""A second statement of 18C2C's super-short game: where a game stands.

Written from the rules alone; it shares nothing with the engine. Players are numbered from 0 in seating order; a share
is what one ordinary certificate stands for, the president's certificate is two shares.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.referees.c2c import market
from tests.referees.c2c.market import Cell
from tests.referees.c2c.printed import BANK, CASH, HOMES, LIMITS, MARKERS, NATIONALS, PRIVATES, STOCK


@dataclass
class Seat:
    cash: int


@dataclass
class Corporation:
    """A single corporation, a merger (kind `merger`), or a national."""

    name: str
    kind: str = "single"
    total: int = 10
    """Shares in all: ten, or twenty for a large national."""
    par: int = 0
    at: Cell | None = None
    factor: int = 1
    president: int | None = None
    shares: dict[int, int] = field(default_factory=dict)
    offering: int = 0
    pool: int = 0
    redeemed: int = 0
    piles: list[int] = field(default_factory=list)
    """Prices of redeemed shares that are for sale again, the cheapest first."""
    cash: int = 0
    floated: bool = False
    operated: bool = False
    closed: bool = False
    shells: list[list[str]] = field(default_factory=lambda: [[]])
    bought: set[int] = field(default_factory=set)
    """Prices of the tokens that it, or for a merger one of both, has bought or been given."""
    charter: int = 0
    """Ordinary tokens not placed."""
    bulls: int = 0
    """Bull tokens not placed."""
    stands: dict[str, str] = field(default_factory=dict)
    """Tokens on the board by hex: `token`, `extra` (a destination token in an extra place), `bull` (in a place)
    or `loose` (a bull without a place)."""
    home_due: bool = True
    goals: list[tuple[str, str]] = field(default_factory=list)
    """Homes and destinations for which a token is reserved."""
    went: bool = False
    markers: int = 0
    fresh: bool = False

    @property
    def ordinary(self) -> bool:
        """True if it has a token to place as an ordinary one; of several bull tokens all but one are (R-C2C-072)."""
        return self.charter > 0 or self.bulls > 1

    @property
    def open(self) -> bool:
        return self.president is not None and not self.closed

    @property
    def price(self) -> int:
        """Market value of a share in dollars, doubled after $500."""
        assert self.at is not None
        return market.price(self.at) * self.factor

    @property
    def room(self) -> int:
        """Shares that the pool still takes."""
        return self.total // 2 - self.pool if self.open else 0

    @property
    def free(self) -> bool:
        return self.at is not None and market.zone(self.at) != ""

    @property
    def trains(self) -> list[str]:
        return [train for shell in self.shells for train in shell]

    @property
    def pile(self) -> int:
        return len(self.piles)

    def held(self, player: int) -> int:
        return self.shares.get(player, 0)

    def singles(self, player: int) -> int:
        return self.held(player) - 2 * (self.president == player)

    def papers(self, player: int) -> int:
        return self.held(player) - (self.president == player)


@dataclass
class Private:
    name: str
    price: int
    owner: int | str | None = None
    gone: bool = False
    spent: bool = False
    at_once: bool = False

    @property
    def value(self) -> int:
        return PRIVATES[self.name][0]


@dataclass
class World:
    seats: list[Seat]
    corporations: dict[str, Corporation]
    privates: dict[str, Private]
    bank: int
    phase: str = "2"
    depot: dict[str, int] = field(default_factory=lambda: dict(STOCK))
    junk: list[str] = field(default_factory=list)
    row: list[str] = field(default_factory=list)
    """Corporations in the order in which they came into their cells."""
    limit: int = 0
    priority: int = 0
    broken: bool = False
    markers: int = MARKERS
    """Engineers nobody has bought."""
    engineer: str = ""
    """The corporation that has bought the Army Engineers, or its successor."""
    ruined: int | None = None
    p_cities: set[str] = field(default_factory=set)
    """Cities that Prospectors have turned into P cities."""
    bonuses: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Bonus tokens by private: the hex, and the corporation that earns more there."""
    alone: bool = False

    # --- money ----------------------------------------------------------------------------------------------------

    def pay(self, amount: int) -> int:
        """The bank pays (or, below 0, receives); says how much. Empty at $0, and broken for good (R-C2C-260)."""
        self.bank -= amount
        self.broken = self.broken or self.bank <= 0
        return amount

    # --- players --------------------------------------------------------------------------------------------------

    def around(self, start: int) -> list[int]:
        count = len(self.seats)
        return [(start + i) % count for i in range(count)]

    def left_of(self, player: int) -> list[int]:
        """Players clockwise from the left of a seat; that seat comes last."""
        return self.around(player + 1)

    def new_limit(self) -> int:
        """Certificates a player may hold (R-C2C-004)."""
        playing = sum(self._counts(c) for c in self.corporations.values())
        count = len(self.seats)
        return (2 * 6 * playing + count) // (2 * count)

    def _counts(self, corporation: Corporation) -> bool:
        return not corporation.closed and (corporation.kind == "single" or corporation.open)

    def certificates(self, player: int) -> int:
        """Certificates that count against the limit (R-C2C-037)."""
        privates = sum(p.owner == player and not p.gone for p in self.privates.values())
        return privates + sum(c.papers(player) for c in self.open_ones() if not c.free)

    # --- corporations ---------------------------------------------------------------------------------------------

    def open_ones(self) -> Iterator[Corporation]:
        """Corporations started and not closed."""
        return (c for c in self.corporations.values() if c.open)

    def order(self) -> list[str]:
        """Corporations in operating order: price, then further right, then the upper token (R-C2C-090)."""
        return sorted(self.row, key=self._place)

    def _place(self, name: str) -> tuple[int, int]:
        at = self.corporations[name].at
        assert at is not None
        return -market.price(at), -at[1]

    def put(self, corporation: Corporation, cell: Cell) -> None:
        """A token goes under those in its new cell; one that does not move keeps its place (R-C2C-054)."""
        if corporation.at == cell:
            return
        corporation.at = cell
        if corporation.name in self.row:
            self.row.remove(corporation.name)
        self.row.append(corporation.name)

    def move_right(self, corporation: Corporation, columns: int = 1) -> None:
        """Move right; beyond $500 once to $250, with shares that count double (R-C2C-052)."""
        for _ in range(columns):
            assert corporation.at is not None
            if corporation.at != market.TOP:
                self.put(corporation, market.right(corporation.at))
            else:
                self._beyond(corporation)

    def move_up(self, corporation: Corporation) -> None:
        """A row up, or beyond $500."""
        assert corporation.at is not None
        if corporation.at == market.TOP:
            self._beyond(corporation)
        else:
            self.put(corporation, market.risen(corporation.at))

    def _beyond(self, corporation: Corporation) -> None:
        if corporation.factor == 1:
            corporation.factor = 2
            self.put(corporation, market.AFTER_TOP)

    def move_left(self, corporation: Corporation) -> None:
        """Move left; into a closed cell it closes (R-C2C-053)."""
        assert corporation.at is not None
        there = market.left(corporation.at)
        if there is None:
            self.close(corporation)
        else:
            self.put(corporation, there)

    def close(self, corporation: Corporation) -> None:
        """Shares worthless, trains to the pool, treasury to the bank, privates and markers removed."""
        self.pay(-corporation.cash)
        self.junk += corporation.trains
        for private in self.privates.values():
            private.gone = private.gone or private.owner == corporation.name
        if self.engineer == corporation.name:
            self.engineer, self.markers = "", 0
        self.bonuses = {name: it for name, it in self.bonuses.items() if it[1] != corporation.name}
        self.vanish(corporation)

    def vanish(self, corporation: Corporation) -> None:
        """It is no more; what it had is elsewhere."""
        self.row.remove(corporation.name)
        fresh = Corporation(corporation.name, corporation.kind, closed=True)
        self.corporations[corporation.name] = fresh

    # --- trains ---------------------------------------------------------------------------------------------------

    @property
    def train_limit(self) -> int:
        return LIMITS.get(self.phase, 2)

    def newest(self) -> str | None:
        return next((name for name, left in self.depot.items() if left), None)

    # --- the end --------------------------------------------------------------------------------------------------

    def score(self, player: int) -> int:
        """Cash, shares, open privates at value (R-C2C-262)."""
        shares = sum(c.held(player) * c.price for c in self.open_ones())
        privates = sum(p.value for p in self.privates.values() if p.owner == player and not p.gone)
        return self.seats[player].cash + shares + privates


def new_world(players: int) -> World:
    cash = CASH // players
    singles = [*HOMES]
    world = World(
        seats=[Seat(cash) for _ in range(players)],
        corporations={name: Corporation(name) for name in singles}
        | {name: Corporation(name, "national") for name in NATIONALS.values()},
        privates={name: Private(name, value) for name, (value, _) in PRIVATES.items()},
        bank=BANK - players * cash,
    )
    world.limit = world.new_limit()
    return world
