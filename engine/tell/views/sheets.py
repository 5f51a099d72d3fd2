"""Sheets of players, companies and trains, ready to show; money in dollars, shares in percent."""

from dataclasses import dataclass

from engine.core.ids import CompanyId, Coord, PlayerId, PrivateId, TrainName
from engine.tell.views.badge import Badge


@dataclass(frozen=True, slots=True)
class HoldingView:
    """Shares of one company: percent held, price of a share in dollars, value of the holding, whether president."""

    badge: Badge
    percent: int
    price: int
    value: int
    president: bool
    share: int = 10
    """Percent of one share."""
    certificate: int = 20
    """Percent of the president's certificate."""

    @property
    def shares(self) -> float:
        """How many shares that is."""
        return self.percent / self.share


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player's sheet; money in dollars."""

    player: PlayerId
    name: str
    cash: int | None
    """None: secret to who looks, and so is all that tells of it."""
    available: int | None
    """Cash not tied up in bids."""
    certificates: int
    certificate_limit: int
    priority: bool
    holdings: tuple[HoldingView, ...]
    privates: tuple[tuple[PrivateId, str, int, int], ...]
    """Abbreviation, name, face value, income."""
    value: int | None
    """Net worth: cash, shares at the present price, privates at face."""
    bankrupt: bool = False
    liquidity: int | None = 0
    """Cash, and what the largest block of every company that may be sold would bring at its present price."""


@dataclass(frozen=True, slots=True)
class LastRunView:
    """A company's last run: its revenue in dollars, whether shareholders got nothing of it, and what became of it."""

    revenue: int
    kept: bool
    words: str


@dataclass(frozen=True, slots=True)
class CompanyView:
    """A company's charter; money in dollars, shares in percent."""

    badge: Badge
    name: str
    president: str | None
    par: int | None
    price: int | None
    zone: str
    floated: bool
    treasury: int | None
    """None: secret to who looks."""
    trains: tuple[tuple[TrainName, TrainName | None], ...]
    """Train and the phase whose start takes it."""
    tokens_left: tuple[int, ...]
    tokens_placed: tuple[Coord, ...]
    home: Coord | None
    privates: tuple[PrivateId, ...]
    offering: int
    market: int
    removed: int
    holders: tuple[tuple[str, int, bool], ...]
    """Player's name, percent, whether president."""
    last_run: LastRunView | None
    float_percent: int
    share: int = 10
    """Percent of one share."""
    certificate: int = 20
    """Percent of the president's certificate."""
    own: int = 0
    """Percent in its treasury."""
    reissued: tuple[int, ...] = ()
    """Prices of the shares that it has redeemed and sells again, cheapest first."""
    kept: tuple[str, ...] = ()
    """Tokens on its charter that are no ordinary ones, in words."""
    fixed: bool = False
    """Whether its value never moves: it was started on a space of the market."""
    reserved_by: str = ""
    """Name of the player who has reserved it, to start it."""
    waits_for: str = ""
    """Phase from which it can be started."""
    closed: bool = False
    """Whether it has left the game for good."""
    obsolete: tuple[TrainName, ...] = ()
    """Trains that run once more and then leave."""
    shells: str = ""
    """The trains on each shell, of a company that has two."""
    parts: tuple[CompanyId, ...] = ()
    """Companies it was made of."""
    markers: tuple[str, ...] = ()
    """Names of markers it carries, with the hex of one that lies on the map."""


@dataclass(frozen=True, slots=True)
class TrainsView:
    """Trains: (name, left or None, price, stops or None, phase that takes it or None); the bank pool with prices."""

    bank: tuple[tuple[TrainName, int | None, int, int | None, TrainName | None], ...]
    pool: tuple[tuple[TrainName, int], ...]
    phase: str
    train_limit: int
    train_limits: tuple[tuple[str, int], ...] = ()
    """Kinds of companies with another limit."""
