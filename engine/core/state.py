"""The position of a game without the map: plain data, no rules. Money in dollars, shares in percent."""

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from engine.core.ids import (
    MARKET,
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
"""Use of a company's revenue: all paid out, half paid out, withheld, or lost to an event."""


NEUTRAL_TOKEN: Final = "neutral token"
"""Name of the neutral tokens in `Company.held`."""


@dataclass(slots=True)
class Player:
    """A seat: the player's displayed name and their cash."""

    id: PlayerId
    name: str
    cash: int
    bankrupt: bool = False
    """True if a forced purchase has bankrupted the player, who is then out of the game."""


@dataclass(slots=True)
class LastRun:
    """A company's last run: the routes, the dollars that each earned, the revenue, and its use."""

    routes: tuple[str, ...]
    values: tuple[int, ...]
    revenue: int
    outcome: Outcome


@dataclass(slots=True)
class ExtraTokens:
    """A company's extra tokens: bought, reserved for destinations, and bull tokens."""

    bought: list[int] = field(default_factory=list)
    """Prices of all tokens that it has had apart from the home token, bought or brought by a private."""
    reserved: list[CompanyId] = field(default_factory=list)
    """Tokens reserved for destinations, each as the company to which the destination belongs."""
    bulls: int = 0
    """Bull tokens on the charter."""
    placed: list[Coord] = field(default_factory=list)
    """The hex of each bull token on the board; it becomes a bull token again when it returns to the charter."""
    reached: list[CompanyId] = field(default_factory=list)
    """Companies whose destination has been reached."""


@dataclass(slots=True)
class Company:
    """A public company.

    `shares` holds the percentage of ordinary certificates that each holder has; the president's certificate is
    separate, with `certificate_holder`.
    """

    id: CompanyId
    certificate: int
    """Percent of the president's certificate."""
    shares: dict[HolderId, int]
    certificate_holder: HolderId = OFFERING
    share: int = 10
    """Percent of an ordinary certificate, which is one share; share prices are per share."""
    par: int | None = None
    reissue_prices: list[int] = field(default_factory=list)
    """Price of each of its reissued shares, cheapest first."""
    cell: Cell | None = None
    cash: int = 0
    floated: bool = False
    operated: bool = False
    trains: list[TrainName] = field(default_factory=list)
    unsalable: list[TrainName] = field(default_factory=list)
    """Trains of the company that it may not sell."""
    obsolete: list[TrainName] = field(default_factory=list)
    """Trains that run once more and then leave; nobody can buy them."""
    tokens: list[int] = field(default_factory=list)
    """Prices of the tokens not yet placed, home token first."""
    extra: ExtraTokens | None = None
    """Its extra tokens; None: it never had any."""
    trains_bought: int = 0
    proofs: int = 0
    """Coast-to-coast runs that the company, or one that merged into it, has proven."""
    last_run: "LastRun | None" = None
    markers: dict[str, Coord] = field(default_factory=dict)
    """Named tokens and markers of privates and events, with their hexes (empty: on the charter)."""
    held: dict[str, int] = field(default_factory=dict)
    """Number of markers of each name, for markers of which a company can have several."""
    closed: bool = False
    """True if the company has left the game for good."""
    split: bool = False
    """True if the company's shares count double, because its price has passed the end of the market."""
    waiting: bool = False
    """True if the company was kept back at the start by chance and a later phase makes it available."""
    parts: list[CompanyId] = field(default_factory=list)
    """Companies that were merged into this one, highest price first, itself included; empty: it has not merged."""
    second: list[TrainName] = field(default_factory=list)
    """The company's trains on its second charter."""

    def percent(self, holder: HolderId) -> int:
        """Percent held by the holder, including the president's certificate."""
        return self.shares.get(holder, 0) + (self.certificate if self.certificate_holder == holder else 0)

    def certificates(self, holder: HolderId) -> int:
        """Number of certificates held; the president's certificate counts as one."""
        return self.shares.get(holder, 0) // self.share + (self.certificate_holder == holder)

    @property
    def treasury(self) -> HolderId:
        """The holder id for shares in the company's own treasury."""
        return self.id

    @property
    def undivided(self) -> bool:
        """True if a single certificate is the whole company, so that its shares are not traded."""
        return self.certificate == 100

    @property
    def running(self) -> list[TrainName]:
        """All trains that can run, including obsolete ones."""
        return self.trains + self.obsolete

    @property
    def merged(self) -> bool:
        """True if another company was merged into this one, which then has a second charter."""
        return self.id in self.parts

    @property
    def in_receivership(self) -> bool:
        """True if the market holds the president's certificate of a started company."""
        return self.par is not None and self.certificate_holder == MARKET

    @property
    def started(self) -> bool:
        """True if a par price is set, so that the company has a president."""
        return self.par is not None

    @property
    def president(self) -> PlayerId | None:
        """The player with the president's certificate of a started company; None in receivership."""
        holder = self.certificate_holder
        return None if self.par is None or holder in (OFFERING, MARKET, self.id) else holder

    def holders(self) -> list[HolderId]:
        """Everyone who holds its shares: players, pools and the treasury."""
        return [holder for holder in {**self.shares, self.certificate_holder: 0} if self.percent(holder)]


@dataclass(slots=True)
class Private:
    """A private company: its owner (player or company), if it is closed, and if its power is used up."""

    id: PrivateId
    owner: EntityId | None = None
    closed: bool = False
    removed: bool = False
    """True if it left the game before the first bid, or is not used with this number of players."""
    power_used: bool = False
    linked: CompanyId | None = None
    """The company whose certificate it brings."""
    given_up: bool = False
    """True if its owner has closed it for its benefit."""
    declined: bool = False
    """True if its owner has declined the last part of its power."""
    hex: Coord = ""
    """Hex where its own token lies."""


@dataclass(slots=True)
class Auction:
    """The auction of the privates: current bids (private -> bidder -> dollars) and consecutive passes."""

    kind: Literal["auction"] = "auction"
    turn: int = 0
    """Seat index of the player to act."""
    passes: int = 0
    discount: int = 0
    discounts: dict[PrivateId, int] = field(default_factory=dict)
    """Dollars by which the price of each private has been reduced, in titles where several get cheaper."""
    eliminated: int = 0
    """Number of privates that players have removed from the game."""
    bids: dict[PrivateId, dict[PlayerId, int]] = field(default_factory=dict)
    contested: PrivateId | None = None
    """The private for which several bidders compete now."""
    contest_turn: int = 0
    """Seat index of the bidder to act, in titles where bidders act in turn."""
    contest_passes: int = 0
    """Number of consecutive passes of these bidders."""
    par_due: tuple[PlayerId, CompanyId] | None = None
    last_buyer: int = 0
    """Seat index of the last player who bought at face value."""
    resolving: bool = False
    """True if bids on the next cheapest privates are being settled."""
    deck: list[PrivateId] = field(default_factory=list)
    """Cards of a draft from the top: privates, and cards that bring nothing; secret."""
    chosen: dict[PlayerId, list[PrivateId]] = field(default_factory=dict)
    """Cards that each player has taken in a draft, secret until its end."""
    chance: int = 0
    """Number from which the next draws of a draft follow."""


@dataclass(slots=True)
class Draft:
    """A stock round in which companies are reserved and started; turns go to and fro (a snake draft)."""

    kind: Literal["draft"] = "draft"
    turn: int = 0
    """Number of turns so far, including skipped ones; it determines the next player in the snake order."""
    passed: list[PlayerId] = field(default_factory=list)
    """Players who have passed since the last action."""
    reserved: dict[CompanyId, PlayerId] = field(default_factory=dict)
    """Reserved companies that have not started, with the players who reserved them."""
    out: list[PlayerId] = field(default_factory=list)
    """Players who have given back their reservations and cannot act again in this round."""


@dataclass(slots=True)
class Stock:
    """A stock round."""

    kind: Literal["stock"] = "stock"
    number: int = 1
    turn: int = 0
    passes: int = 0
    last_actor: int | None = None
    sold: dict[PlayerId, list[CompanyId]] = field(default_factory=dict)
    """Companies that each player has sold shares of in this round."""
    acted: bool = False
    """True if the current player has sold or bought something this turn."""
    bought: str | None = None
    """The current player's purchase: the company of a share, or another word; None: nothing yet."""
    sold_first: bool = False
    """True if the current player has sold before buying."""
    bought_out: bool = False
    """True if the current player cannot buy another certificate."""
    sold_now: list[CompanyId] = field(default_factory=list)
    """Companies of which the current player has sold a block this turn, in titles that allow one block of each."""
    first: bool = False
    """True in the first stock round with shares for sale, after rounds in which privates were sold."""
    own_shares: list[CompanyId] = field(default_factory=list)
    """Companies that have redeemed a share or reissued shares in this round."""
    tokens_due: CompanyId | None = None
    """A company that has just floated; its president must buy its tokens next."""
    home_due: CompanyId | None = None
    """A company that has just started; its president must choose its home next."""


@dataclass(slots=True)
class Deal:
    """An agreed purchase of another company's train that is not paid yet, with the price in dollars."""

    train: TrainName
    source: CompanyId
    price: int


@dataclass(slots=True)
class DestinationRun:
    """A destination run whose revenue is not paid out yet: the route, and the destination's company."""

    of: CompanyId
    route: str
    revenue: int


@dataclass(slots=True)
class CompanyTurn:
    """The actions of the operating company in its turn so far."""

    company: CompanyId
    first: bool = False
    """True if it is the company's first turn of the game."""
    done: list[str] = field(default_factory=list)
    """Names of the completed steps."""
    laid: list[Literal["tile", "upgrade"]] = field(default_factory=list)
    """The company's own lays so far, including lays of privates that replace one of them."""
    lays: list[Coord] = field(default_factory=list)
    points: dict[Coord, int] = field(default_factory=dict)
    """Tile points spent on lays, by hex."""
    purses: dict[PrivateId, int] = field(default_factory=dict)
    """Privates closed to pay for this turn's terrain, each with the dollars left."""
    at_once: list[PrivateId] = field(default_factory=list)
    """Privates bought to be used up in this turn's track step; they close at its end."""
    extra_lays: dict[PrivateId, int] = field(default_factory=dict)
    """Number of extra tiles laid with each private."""
    stations: int = 0
    """Tokens placed this turn, in titles that allow several."""
    pair: tuple[PrivateId, Coord] | None = None
    """A private whose first tile of two has been laid, and the hex of that tile."""
    free_token: PrivateId | None = None
    """The private that lets the company place a free token now."""
    home_due: CompanyId | None = None
    """A company whose home city must be chosen first."""
    taken_up: list[tuple[CompanyId, Coord]] = field(default_factory=list)
    """Tokens lifted from a hex that has just got its first track; their cities must be chosen first."""
    revenue: int = 0
    runs: tuple[str, ...] = ()
    """The routes run this turn; `run_values` has the dollars of each."""
    run_values: tuple[int, ...] = ()
    funds_before_last_share: int | None = None
    """Treasury and president's cash, in dollars, before the sale of the last share (or private) for a train."""
    last_share_price: int | None = None
    """Dollars received for the last share sold for a train; kept when trains are bought."""
    smallest_sale: int | None = None
    """The smallest amount in dollars received for any share or private sold for a train."""
    sold_now: list[CompanyId] = field(default_factory=list)
    """Companies of which the president has sold a block this turn, in titles that allow one block of each."""
    seller_lay: tuple[PrivateId, PlayerId] | None = None
    """A private just bought and the player who sold it, who may lay its tile first."""
    deal: Deal | None = None
    """Another company's train for which the president must sell shares."""
    bought: int = 0
    """Number of trains bought this turn."""
    redeemed: int = 0
    """Number of own shares redeemed this turn."""
    issued: int = 0
    """Shares put into the market in this turn."""
    issued_for_train: int = 0
    """Shares put into the market to pay for a train that the company must buy."""
    has_run: list[TrainName] = field(default_factory=list)
    """Trains received in this turn that have run in this round, for another company."""
    bought_from_bank: int = 0
    """Number of trains bought from bank or pool this turn."""
    shuffled: bool = False
    """True if the company has distributed its trains between its two charters this turn."""
    last_seller: str = ""
    """Seller of the last train bought this turn: bank, pool or company."""
    destination: DestinationRun | None = None
    """The destination run just made; None: none."""
    proofs: int = 0
    """Number of coast-to-coast runs proven this turn; each has moved the share price."""


@dataclass(slots=True)
class Operating:
    """An operating round; `set` is the number of the stock round before it."""

    kind: Literal["operating"] = "operating"
    set: int = 1
    number: int = 1
    of: int = 1
    done: list[CompanyId] = field(default_factory=list)
    """Companies that have operated, in order."""
    floated: list[CompanyId] = field(default_factory=list)
    """Companies that floated in this round; they operate from the next round on."""
    turn: CompanyTurn | None = None
    private_sellers: list[PlayerId] = field(default_factory=list)
    """Players who sold a private to a company in this round."""
    named: list[EntityId] = field(default_factory=list)
    """Hexes, companies and passes with which privates' owners have used a power of this round."""
    resold: list[tuple[CompanyId, str]] = field(default_factory=list)
    """Companies that bought a marker from another company in this round, with its name; they cannot use it yet."""


@dataclass(slots=True)
class Merger:
    """A merger round, with set and number of the operating round before it; after a stock round the number is 0."""

    kind: Literal["merger"] = "merger"
    set: int = 1
    number: int = 1
    of: int = 1
    done: list[CompanyId] = field(default_factory=list)
    """Minors whose presidents have decided or had no decision to make, in order."""
    formed: CompanyId | None = None
    """The company that has just formed; its president still has decisions to make."""
    turn: int = 0
    """Seat index of the player to propose, in titles where players propose in turn."""
    passes: int = 0
    """Number of consecutive passes of these players."""
    refused: list[tuple[CompanyId, CompanyId]] = field(default_factory=list)
    """Pairs of companies whose merger was refused."""


Round: TypeAlias = Auction | Draft | Stock | Operating | Merger


@dataclass(slots=True)
class Proposal:
    """An action that waits for consent: the proposer, the player asked, and the action as JSON."""

    by: PlayerId
    asked: PlayerId
    action: str


@dataclass(slots=True)
class MarkerSupply:
    """Markers of a private that are still available, and the company that sells them."""

    left: int
    seller: CompanyId | None = None


@dataclass(slots=True)
class Ending:
    """The reason for the end of the game, whether triggered or reached, and the entity that caused it."""

    reason: EndReason
    by: EntityId | None = None


@dataclass(slots=True)
class RecentChanges:
    """Changes on map and market in the last turn, for the pictures; no rule uses them."""

    company: EntityId = ""
    hexes: list[Coord] = field(default_factory=list)
    tokens: list[tuple[Coord, int]] = field(default_factory=list)
    moves: dict[CompanyId, Cell] = field(default_factory=dict)
    """The cell from which each company moved."""


@dataclass(slots=True)
class State:
    """The whole position, except for the map."""

    players: list[Player]
    companies: dict[CompanyId, Company]
    privates: dict[PrivateId, Private]
    bank: int
    phase: PhaseName
    depot: dict[TrainName, int | None]
    """New trains left by type, cheapest first (None: unlimited)."""
    round: Round
    auction: Auction | None = None
    """The private auction, if it is held within the stock rounds."""
    pool: list[TrainName] = field(default_factory=list)
    """Discarded trains in the bank pool."""
    market: list[CompanyId] = field(default_factory=list)
    """Companies with a share price, in the order in which they entered their cells."""
    flipped: list[Cell] = field(default_factory=list)
    """Market spaces taken by the flipped marker of a closed company."""
    certificate_limit: int = 0
    """The certificate limit if it depends on the companies in play; 0: the title's table gives it."""
    priority: int = 0
    """Seat index of the player with the priority deal."""
    supplies: dict[str, MarkerSupply] = field(default_factory=dict)
    """Supplies of markers by name, from the first marker given or sold."""
    proposal: Proposal | None = None
    asked: dict[PlayerId, list[str]] = field(default_factory=dict)
    """Kinds of offers that players made to others in this round: computer players ask only once; no rule uses it."""
    end_votes: list[PlayerId] = field(default_factory=list)
    ending: Ending | None = None
    over: bool = False
    event_train: TrainName = ""
    """The train type drawn at the start whose first new train triggers an event; empty: none, or the event is over."""
    draws: int = 0
    fresh: RecentChanges = field(default_factory=RecentChanges)

    def player(self, player: PlayerId) -> Player:
        """The player with this id. Raises KeyError if there is none."""
        for seat in self.players:
            if seat.id == player:
                return seat
        raise KeyError(player)

    def seat(self, player: PlayerId) -> int:
        """Seat index of a player. Raises KeyError if there is none."""
        for index, seat in enumerate(self.players):
            if seat.id == player:
                return index
        raise KeyError(player)

    def next_seat(self, seat: int) -> int:
        """Seat index of the next player to the left who has not gone bankrupt."""
        count = len(self.players)
        next_seats = ((seat + distance) % count for distance in range(1, count + 1))
        return next(seat_index for seat_index in next_seats if not self.players[seat_index].bankrupt)

    def players_in_game(self) -> list[Player]:
        """Players who have not gone bankrupt, in seat order."""
        return [player for player in self.players if not player.bankrupt]

    def is_player(self, entity: EntityId | None) -> bool:
        """True if the id belongs to a player."""
        return entity in [seat.id for seat in self.players]

    def in_cell(self, cell: Cell) -> list[CompanyId]:
        """Companies in a market cell, in operating order."""
        return [company for company in self.market if self.companies[company].cell == cell]
