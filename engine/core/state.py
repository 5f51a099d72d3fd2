"""Where a game stands: plain data, no rules. Money in dollars, shares in percent."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from engine.core.ids import (
    OFFERING,
    Cell,
    CompanyId,
    Coord,
    EndReason,
    EntityId,
    HolderId,
    PhaseName,
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


@dataclass
class LastRun:
    """A company's last run: its routes and what each earned, in dollars, the revenue, and what became of it."""

    routes: tuple[str, ...]
    values: tuple[int, ...]
    revenue: int
    outcome: Outcome


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
    cell: Cell | None = None
    cash: int = 0
    floated: bool = False
    operated: bool = False
    trains: list[TrainName] = field(default_factory=list)
    obsolete: list[TrainName] = field(default_factory=list)
    """Trains that run once more and then leave; nobody can buy them."""
    tokens: list[int] = field(default_factory=list)
    """Prices of the tokens not yet placed, home token first."""
    trains_bought: int = 0
    last_run: "LastRun | None" = None
    markers: dict[str, Coord] = field(default_factory=dict)
    """Named tokens and markers of privates and events, with the hex where they lie (empty: on the charter)."""
    closed: bool = False
    """Whether it has left the game for good."""

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
    def running(self) -> list[TrainName]:
        """Every train that may run, obsolete ones included."""
        return self.trains + self.obsolete

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
    power_used: bool = False
    linked: CompanyId | None = None
    """The company whose certificate it brings."""


@dataclass
class Auction:
    """The private auction: standing bids by private (bidder -> dollars), passes in a row."""

    kind: Literal["auction"] = "auction"
    turn: int = 0
    """Seat index of the player to act."""
    passes: int = 0
    discount: int = 0
    bids: dict[PrivateId, dict[PlayerId, int]] = field(default_factory=dict)
    contested: PrivateId | None = None
    """The private being fought for by its bidders."""
    contest_turn: int = 0
    """Seat index of the bidder to act, where the bidders go round."""
    contest_passes: int = 0
    """Their passes in a row."""
    par_due: tuple[PlayerId, CompanyId] | None = None
    last_buyer: int = 0
    """Seat index of the last player who bought at face value."""
    resolving: bool = False
    """Whether bids on the next cheapest privates are being settled."""


@dataclass
class Stock:
    """A stock round."""

    kind: Literal["stock"] = "stock"
    number: int = 1
    turn: int = 0
    passes: int = 0
    last_actor: int | None = None
    sold: dict[PlayerId, list[CompanyId]] = field(default_factory=dict)
    """Companies each player has sold in this round."""
    acted: bool = False
    """Whether the player on turn has sold or bought something this turn."""
    bought: str | None = None
    """What the player on turn has bought: the company of a share, or another word; None: nothing yet."""
    sold_first: bool = False
    """Whether he has sold something before any purchase."""


@dataclass
class Deal:
    """A train of another company that has been agreed on but cannot be paid yet: the price in dollars."""

    train: TrainName
    source: CompanyId
    price: int


@dataclass
class CompanyTurn:
    """What the operating company has done in its turn."""

    company: CompanyId
    first: bool = False
    """Whether it is the company's first turn of the game."""
    done: list[str] = field(default_factory=list)
    """Names of the steps that are over."""
    laid: list[Literal["tile", "upgrade"]] = field(default_factory=list)
    """The company's own lays so far; a private's lay that replaces one counts."""
    lays: list[Coord] = field(default_factory=list)
    pair: tuple[PrivateId, Coord] | None = None
    """A private's first tile is laid, the second must follow: the private and where the first lies."""
    free_token: PrivateId | None = None
    """The private that lets the company place a token free right now."""
    revenue: int = 0
    runs: tuple[str, ...] = ()
    """The routes run in this turn, and below what each of them earned."""
    run_values: tuple[int, ...] = ()
    funds_before_last_share: int | None = None
    """Treasury and president's cash before the last share (or private) sold for a train."""
    smallest_sale: int | None = None
    """The smallest amount in dollars that a share or private sold for a train brought."""
    deal: Deal | None = None
    """Another company's train that the president sells shares for."""
    bought: int = 0
    """Trains bought in this turn."""
    bought_from_bank: int = 0
    """Those of them that came from bank or pool."""
    last_seller: str = ""
    """Bank, pool or company that sold the last of them."""


@dataclass
class Operating:
    """An operating round: `set` is the number of the stock round before it."""

    kind: Literal["operating"] = "operating"
    set: int = 1
    number: int = 1
    of: int = 1
    done: list[CompanyId] = field(default_factory=list)
    """Companies that have operated, in order."""
    turn: CompanyTurn | None = None
    private_sellers: list[PlayerId] = field(default_factory=list)
    """Players who sold a private to a company in this round."""


Round: TypeAlias = Auction | Stock | Operating


@dataclass
class Proposal:
    """An action that waits for consent: who proposed, who is asked, and the action as JSON."""

    by: PlayerId
    asked: PlayerId
    action: str


@dataclass
class Ending:
    """Why the game will end or has ended."""

    reason: EndReason
    by: EntityId | None = None


@dataclass
class Fresh:
    """What the turn just played changed on the map and the market, for the pictures; not a rule."""

    company: EntityId = ""
    hexes: list[Coord] = field(default_factory=list)
    tokens: list[tuple[Coord, int]] = field(default_factory=list)
    moves: dict[CompanyId, Cell] = field(default_factory=dict)
    """The cell each company came from."""


@dataclass
class State:
    """Everything but the map."""

    players: list[Player]
    companies: dict[CompanyId, Company]
    privates: dict[PrivateId, Private]
    bank: int
    phase: PhaseName
    depot: dict[TrainName, int | None]
    """New trains left, cheapest first (None: unlimited)."""
    round: Round
    auction: Auction | None = None
    """The private auction, while it is held inside the stock rounds."""
    pool: list[TrainName] = field(default_factory=list)
    """Discarded trains for sale."""
    market: list[CompanyId] = field(default_factory=list)
    """Companies with a share price, in the order in which they came into their cells."""
    priority: int = 0
    """Seat index of the priority deal."""
    proposal: Proposal | None = None
    end_votes: list[PlayerId] = field(default_factory=list)
    ending: Ending | None = None
    over: bool = False
    draws: int = 0
    fresh: Fresh = field(default_factory=Fresh)

    def player(self, player: PlayerId) -> Player:
        """The seat with this id; raises KeyError."""
        for seat in self.players:
            if seat.id == player:
                return seat
        raise KeyError(player)

    def seat(self, player: PlayerId) -> int:
        """Seat index of a player; raises KeyError."""
        for index, seat in enumerate(self.players):
            if seat.id == player:
                return index
        raise KeyError(player)

    def next_seat(self, seat: int) -> int:
        """Seat index of the next player to the left who is in the game."""
        count = len(self.players)
        seats = ((seat + ahead) % count for ahead in range(1, count + 1))
        return next(place for place in seats if not self.players[place].bankrupt)

    def in_game(self) -> list[Player]:
        """Players who have not gone bankrupt, in seat order."""
        return [player for player in self.players if not player.bankrupt]

    def is_player(self, entity: EntityId | None) -> bool:
        """Whether the id is a player's."""
        return entity in [seat.id for seat in self.players]

    def in_cell(self, cell: Cell) -> list[CompanyId]:
        """Companies in a cell of the market, first to act first."""
        return [company for company in self.market if self.companies[company].cell == cell]
