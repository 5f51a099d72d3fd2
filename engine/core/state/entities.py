"""Who holds money: players, companies and privates."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from engine.core.ids import (
    OFFERING,
    Cell,
    CompanyId,
    Coord,
    EntityId,
    HolderId,
    PlayerId,
    PrivateId,
    TrainName,
)

Outcome: TypeAlias = Literal["paid", "half", "withheld", "lost"]
"""What became of a company's revenue: paid out, half of it, kept, or lost to an event."""


@dataclass
class Player:
    """A seat: name as shown, cash."""

    id: PlayerId
    name: str
    cash: int
    bankrupt: bool = False
    """Whether a forced purchase has ruined the player: where the game continues they are out of it."""


@dataclass
class LastRun:
    """A company's last run: its routes and what each earned, in dollars, the revenue, and what became of it."""

    routes: tuple[str, ...]
    values: tuple[int, ...]
    revenue: int
    outcome: Outcome


@dataclass
class ExtraTokens:
    """A company's tokens that are not ordinary ones, where there are such."""

    bought: list[int] = field(default_factory=list)
    """Prices of the tokens that it has had apart from the home, paid for or brought by a private."""
    reserved: list[CompanyId] = field(default_factory=list)
    """Tokens reserved for a destination: of which company's home and destination each is."""
    bulls: int = 0
    """Bull tokens on the charter."""
    placed: list[Coord] = field(default_factory=list)
    """The hex of every bull token on the board: it is one again when it comes back."""
    reached: list[CompanyId] = field(default_factory=list)
    """Companies whose destination run has been made."""


@dataclass
class Company:
    """A public company.

    `shares` holds ordinary certificates as percent held by each holder; the president's certificate is apart,
    with `certificate_holder`.
    """

    id: CompanyId
    certificate: int
    """Percent of the president's certificate."""
    shares: dict[HolderId, int]
    certificate_holder: HolderId = OFFERING
    share: int = 10
    """Percent of an ordinary certificate, which is one share; prices are for one share."""
    par: int | None = None
    reissue_prices: list[int] = field(default_factory=list)
    """What each of its reissued shares costs, cheapest first."""
    cell: Cell | None = None
    cash: int = 0
    floated: bool = False
    operated: bool = False
    trains: list[TrainName] = field(default_factory=list)
    obsolete: list[TrainName] = field(default_factory=list)
    """Trains that run once more and then leave; nobody can buy them."""
    tokens: list[int] = field(default_factory=list)
    """Prices of the tokens not yet placed, home token first."""
    extra: ExtraTokens | None = None
    """Its tokens that are not ordinary ones; None: it has had none."""
    trains_bought: int = 0
    proofs: int = 0
    """Transcontinental runs that it, or a company it was made of, has proven."""
    last_run: "LastRun | None" = None
    markers: dict[str, Coord] = field(default_factory=dict)
    """Named tokens and markers of privates and events, with the hex where they lie (empty: on the charter)."""
    held: dict[str, int] = field(default_factory=dict)
    """How many it has of each marker that may come several times, by name."""
    closed: bool = False
    """Whether it has left the game for good."""
    split: bool = False
    """Whether its shares count double: the price has passed the end of the market."""
    waiting: bool = False
    """Whether it cannot be started yet: chance keeps it back until a phase brings it."""
    parts: list[CompanyId] = field(default_factory=list)
    """Companies it was made of, highest price first; none: it is as it was founded."""
    second: list[TrainName] = field(default_factory=list)
    """Trains on its second shell, as far as it still has them."""

    def percent(self, holder: HolderId) -> int:
        """Percent held, the president's certificate included."""
        return self.shares.get(holder, 0) + (self.certificate if self.certificate_holder == holder else 0)

    def certificates(self, holder: HolderId) -> int:
        """How many certificates the holder has, the president's as one."""
        return self.shares.get(holder, 0) // self.share + (self.certificate_holder == holder)

    @property
    def treasury(self) -> HolderId:
        """Holder of the shares that the company has itself: they belong to no player and lie in no market."""
        return self.id

    @property
    def undivided(self) -> bool:
        """Whether one certificate is all of it, so that there are no shares to trade."""
        return self.certificate == 100

    @property
    def running(self) -> list[TrainName]:
        """Every train that may run, obsolete ones included."""
        return self.trains + self.obsolete

    @property
    def merged(self) -> bool:
        """Whether another company went into it, whose charter gave it a second shell for trains."""
        return self.id in self.parts

    @property
    def started(self) -> bool:
        """Whether a par price is set (it has a president)."""
        return self.par is not None

    @property
    def president(self) -> PlayerId | None:
        """The player with the president's certificate of a started company."""
        return self.certificate_holder if self.started and self.certificate_holder != OFFERING else None

    def holders(self) -> list[HolderId]:
        """Everybody who holds something of it, players and pools."""
        return [holder for holder in {**self.shares, self.certificate_holder: 0} if self.percent(holder)]


@dataclass
class Private:
    """A private company: its owner (player or company), closed or not, power used up or not."""

    id: PrivateId
    owner: EntityId | None = None
    closed: bool = False
    removed: bool = False
    """Whether a player took it out of the game before the first bid."""
    power_used: bool = False
    linked: CompanyId | None = None
    """The company whose certificate it brings."""
    given_up: bool = False
    """Whether its owner has closed it for what that brings."""
