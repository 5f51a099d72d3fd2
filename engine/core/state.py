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
"""Use of a company's revenue: paid out, half of it, kept, or lost to an event."""


NEUTRAL_TOKEN: Final = "neutral token"
"""Name of the neutral tokens among the markers that a company holds."""


@dataclass
class Player:
    """A seat: name as shown, cash."""

    id: PlayerId
    name: str
    cash: int
    bankrupt: bool = False
    """True if a forced purchase has bankrupted the player, who is out of the game if it continues."""


@dataclass
class LastRun:
    """A company's last run: routes, what each earned in dollars, the revenue, and the dividend decision."""

    routes: tuple[str, ...]
    values: tuple[int, ...]
    revenue: int
    outcome: Outcome


@dataclass
class ExtraTokens:
    """A company's extra tokens: bought, reserved for destinations, and bull tokens."""

    bought: list[int] = field(default_factory=list)
    """Prices of the tokens that it has had apart from the home, paid for or brought by a private."""
    reserved: list[CompanyId] = field(default_factory=list)
    """Tokens reserved for a destination, each as the company whose destination it is."""
    bulls: int = 0
    """Bull tokens on the charter."""
    placed: list[Coord] = field(default_factory=list)
    """The hex of every bull token on the board, so that it is one again when it returns to the charter."""
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
    """Percent of an ordinary certificate, which is one share; share prices are for one share."""
    par: int | None = None
    reissue_prices: list[int] = field(default_factory=list)
    """Price of each of its reissued shares, cheapest first."""
    cell: Cell | None = None
    cash: int = 0
    floated: bool = False
    operated: bool = False
    trains: list[TrainName] = field(default_factory=list)
    unsalable: list[TrainName] = field(default_factory=list)
    """Those of its trains that it may not sell."""
    obsolete: list[TrainName] = field(default_factory=list)
    """Trains that run once more and then leave; nobody can buy them."""
    tokens: list[int] = field(default_factory=list)
    """Prices of the tokens not yet placed, home token first."""
    extra: ExtraTokens | None = None
    """Special tokens of the company; None: it has had none."""
    trains_bought: int = 0
    proofs: int = 0
    """Transcontinental runs that it, or a company it was made of, has proven."""
    last_run: "LastRun | None" = None
    markers: dict[str, Coord] = field(default_factory=dict)
    """Named tokens and markers of privates and events, with the hex where they lie (empty: on the charter)."""
    held: dict[str, int] = field(default_factory=dict)
    """Number of the company's markers, by name, of markers that it may have several of."""
    closed: bool = False
    """True if the company has left the game for good."""
    split: bool = False
    """True if the company's shares count double, since its price has passed the end of the market."""
    waiting: bool = False
    """True if the company cannot be started yet: chance has kept it back until a later phase."""
    parts: list[CompanyId] = field(default_factory=list)
    """Companies that the company was merged from, highest price first; none: it has not merged."""
    second: list[TrainName] = field(default_factory=list)
    """Trains on the company's second charter, as far as it still has them."""

    def percent(self, holder: HolderId) -> int:
        """Percent held, the president's certificate included."""
        return self.shares.get(holder, 0) + (self.certificate if self.certificate_holder == holder else 0)

    def certificates(self, holder: HolderId) -> int:
        """Number of certificates the holder has, the president's as one."""
        return self.shares.get(holder, 0) // self.share + (self.certificate_holder == holder)

    @property
    def treasury(self) -> HolderId:
        """The holder id of shares in the company's own treasury."""
        return self.id

    @property
    def undivided(self) -> bool:
        """True if a single certificate is the whole company, so that no shares are traded."""
        return self.certificate == 100

    @property
    def running(self) -> list[TrainName]:
        """Every train that may run, obsolete ones included."""
        return self.trains + self.obsolete

    @property
    def merged(self) -> bool:
        """True if another company was merged into this one, whose charter holds a second set of trains."""
        return self.id in self.parts

    @property
    def in_receivership(self) -> bool:
        """True if the market holds the president's certificate of a started company."""
        return self.par is not None and self.certificate_holder == MARKET

    @property
    def started(self) -> bool:
        """True if a par price is set (it has a president)."""
        return self.par is not None

    @property
    def president(self) -> PlayerId | None:
        """The player with the president's certificate of a started company; None in receivership."""
        holder = self.certificate_holder
        return None if self.par is None or holder in (OFFERING, MARKET, self.treasury) else holder

    def holders(self) -> list[HolderId]:
        """Everybody who holds shares of it, players and pools."""
        return [holder for holder in {**self.shares, self.certificate_holder: 0} if self.percent(holder)]


@dataclass
class Private:
    """A private company: its owner (player or company), closed or not, power used up or not."""

    id: PrivateId
    owner: EntityId | None = None
    closed: bool = False
    removed: bool = False
    """True if it left before the first bid, or is not in play with so many players."""
    power_used: bool = False
    linked: CompanyId | None = None
    """The company whose certificate it brings."""
    given_up: bool = False
    """True if its owner has closed it to use its last benefit."""
    declined: bool = False
    """True if its owner has declined the last part of its power."""
    hex: Coord = ""
    """Hex where its own token lies."""


@dataclass
class Auction:
    """The private auction: standing bids by private (bidder -> dollars), passes in a row."""

    kind: Literal["auction"] = "auction"
    turn: int = 0
    """Seat index of the player to act."""
    passes: int = 0
    discount: int = 0
    discounts: dict[PrivateId, int] = field(default_factory=dict)
    """Dollars by which each private has become cheaper, where more than the first may."""
    eliminated: int = 0
    """Number of privates that players have taken out of the game."""
    bids: dict[PrivateId, dict[PlayerId, int]] = field(default_factory=dict)
    contested: PrivateId | None = None
    """The private being fought for by its bidders."""
    contest_turn: int = 0
    """Seat index of the bidder to act, where bidders act in turn."""
    contest_passes: int = 0
    """Passes in a row of these bidders."""
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


@dataclass
class Draft:
    """A stock round in which companies are reserved and started, in turns that go to and fro (a snake)."""

    kind: Literal["draft"] = "draft"
    turn: int = 0
    """Number of turns that are over, including skipped ones; the snake order gives the next player."""
    passed: list[PlayerId] = field(default_factory=list)
    """Players who have passed since the last action."""
    reserved: dict[CompanyId, PlayerId] = field(default_factory=dict)
    """Companies reserved and not started yet, with the players who reserved them."""
    out: list[PlayerId] = field(default_factory=list)
    """Players who have given back their reservations and act no more in this round."""


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
    """True if the player on turn has sold or bought something this turn."""
    bought: str | None = None
    """Purchase of the player on turn: the company of a share, or another word; None: nothing yet."""
    sold_first: bool = False
    """True if the player on turn has sold something before any purchase."""
    bought_out: bool = False
    """True if the player on turn may not buy a further certificate."""
    sold_now: list[CompanyId] = field(default_factory=list)
    """Companies they have sold shares of this turn, where only one block of each may be sold."""
    first: bool = False
    """True if it is the first stock round with shares for sale, after rounds in which privates were sold."""
    own_shares: list[CompanyId] = field(default_factory=list)
    """Companies that have redeemed a share or reissued shares in this round."""
    tokens_due: CompanyId | None = None
    """A company that has just floated, whose president must first buy its tokens."""
    home_due: CompanyId | None = None
    """A company that has just been started, whose president must first choose its home."""


@dataclass
class Deal:
    """A train of another company that is agreed on but not paid yet: the price in dollars."""

    train: TrainName
    source: CompanyId
    price: int


@dataclass
class DestinationRun:
    """A destination run whose income is not paid out yet: the company whose destination it is, the route."""

    of: CompanyId
    route: str
    revenue: int


@dataclass
class CompanyTurn:
    """Record of the operating company's turn so far."""

    company: CompanyId
    first: bool = False
    """True if it is the company's first turn of the game."""
    done: list[str] = field(default_factory=list)
    """Names of the steps that are over."""
    laid: list[Literal["tile", "upgrade"]] = field(default_factory=list)
    """The company's own lays so far; a private's lay that replaces one counts."""
    lays: list[Coord] = field(default_factory=list)
    points: dict[Coord, int] = field(default_factory=dict)
    """Tile points that the lays have cost, by hex."""
    purses: dict[PrivateId, int] = field(default_factory=dict)
    """Privates given up to pay for this turn's tiles, each with the dollars left to spend."""
    at_once: list[PrivateId] = field(default_factory=list)
    """Privates bought only for this turn's tiles: they close at the end of the track step."""
    extra_lays: dict[PrivateId, int] = field(default_factory=dict)
    """Number of additional tiles that each private has laid."""
    stations: int = 0
    """Tokens placed in this turn, where more than one may be."""
    pair: tuple[PrivateId, Coord] | None = None
    """A private of whose two tiles only the first is laid, and the hex of that tile."""
    free_token: PrivateId | None = None
    """The private that lets the company place a token free right now."""
    home_due: CompanyId | None = None
    """A company whose home city must be chosen before anything else."""
    taken_up: list[tuple[CompanyId, Coord]] = field(default_factory=list)
    """Tokens taken up from a hex that has just got its first track: their cities are chosen before anything else."""
    revenue: int = 0
    runs: tuple[str, ...] = ()
    """The routes run in this turn; `run_values` has the dollars of each."""
    run_values: tuple[int, ...] = ()
    funds_before_last_share: int | None = None
    """Treasury and president's cash before the last share (or private) sold for a train."""
    last_share_price: int | None = None
    """Proceeds of the last share sold for a train; the value stays when trains are bought."""
    smallest_sale: int | None = None
    """The smallest amount in dollars that a share or private sold for a train brought."""
    sold_now: list[CompanyId] = field(default_factory=list)
    """Companies that the president has sold shares of, where only one block of each may be sold."""
    seller_lay: tuple[PrivateId, PlayerId] | None = None
    """A private just bought, and the player who sold it and may lay its tile before anything else."""
    deal: Deal | None = None
    """Another company's train that the president sells shares for."""
    bought: int = 0
    """Trains bought in this turn."""
    redeemed: int = 0
    """Own shares bought back in this turn."""
    issued: int = 0
    """Shares put into the market in this turn."""
    issued_for_train: int = 0
    """Shares put into the market to pay for a train that the company must buy."""
    has_run: list[TrainName] = field(default_factory=list)
    """Trains received in this turn that have run in this round, for another company."""
    bought_from_bank: int = 0
    """Number of the trains bought in this turn that came from bank or pool."""
    shuffled: bool = False
    """True if the company has distributed its trains between its two charters in this turn."""
    last_seller: str = ""
    """Bank, pool or company that sold the last train bought in this turn."""
    destination: DestinationRun | None = None
    """The destination run just made."""
    proofs: int = 0
    """Transcontinental runs proven in this turn; each has moved the price."""


@dataclass
class Operating:
    """An operating round: `set` is the number of the stock round before it."""

    kind: Literal["operating"] = "operating"
    set: int = 1
    number: int = 1
    of: int = 1
    done: list[CompanyId] = field(default_factory=list)
    """Companies that have operated, in order."""
    floated: list[CompanyId] = field(default_factory=list)
    """Companies that have floated in this round: they operate from the next one on."""
    turn: CompanyTurn | None = None
    private_sellers: list[PlayerId] = field(default_factory=list)
    """Players who sold a private to a company in this round."""
    named: list[EntityId] = field(default_factory=list)
    """Hexes, companies and passes with which privates' owners have used a power of this round."""
    resold: list[tuple[CompanyId, str]] = field(default_factory=list)
    """Companies that bought a marker from another one in this round, with its name: they may not use it yet."""


@dataclass
class Merger:
    """A merger round: the numbers are those of the round before it, an operating round or (number 0) a stock round."""

    kind: Literal["merger"] = "merger"
    set: int = 1
    number: int = 1
    of: int = 1
    done: list[CompanyId] = field(default_factory=list)
    """Minors whose presidents have decided or had nothing to decide, in order."""
    formed: CompanyId | None = None
    """The company just formed, about which its president still decides."""
    turn: int = 0
    """Seat index of the player to propose, where players propose in turn."""
    passes: int = 0
    """Passes in a row of these players."""
    refused: list[tuple[CompanyId, CompanyId]] = field(default_factory=list)
    """Pairs of companies whose merger was refused."""


Round: TypeAlias = Auction | Draft | Stock | Operating | Merger


@dataclass
class Proposal:
    """An action that waits for consent: who proposed, who is asked, and the action as JSON."""

    by: PlayerId
    asked: PlayerId
    action: str


@dataclass
class MarkerSupply:
    """Markers of a private that nobody has received yet, and the company that sells them."""

    left: int
    seller: CompanyId | None = None


@dataclass
class Ending:
    """The reason for the end of the game, coming or past."""

    reason: EndReason
    by: EntityId | None = None


@dataclass
class RecentChanges:
    """Changes on map and market in the turn just played, for the pictures; not part of the rules."""

    company: EntityId = ""
    hexes: list[Coord] = field(default_factory=list)
    tokens: list[tuple[Coord, int]] = field(default_factory=list)
    moves: dict[CompanyId, Cell] = field(default_factory=dict)
    """The cell each company came from."""


@dataclass
class State:
    """The whole position except the map."""

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
    flipped: list[Cell] = field(default_factory=list)
    """Spaces of the market that the flipped marker of a closed company keeps."""
    certificate_limit: int = 0
    """The certificate limit where it depends on the companies in play; 0: that of the title's table applies."""
    priority: int = 0
    """Seat index of the priority deal."""
    supplies: dict[str, MarkerSupply] = field(default_factory=dict)
    """Markers of privates by name, once one has been given or sold."""
    proposal: Proposal | None = None
    asked: dict[PlayerId, list[str]] = field(default_factory=dict)
    """Kinds of offers that players have made to others in this round; not a rule: caretakers ask only once."""
    end_votes: list[PlayerId] = field(default_factory=list)
    ending: Ending | None = None
    over: bool = False
    event_train: TrainName = ""
    """The type drawn at the start whose first new train brings an event of the title; empty: it is over."""
    draws: int = 0
    fresh: RecentChanges = field(default_factory=RecentChanges)

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
        next_seats = ((seat + distance) % count for distance in range(1, count + 1))
        return next(seat_index for seat_index in next_seats if not self.players[seat_index].bankrupt)

    def players_in_game(self) -> list[Player]:
        """Players who have not gone bankrupt, in seat order."""
        return [player for player in self.players if not player.bankrupt]

    def is_player(self, entity: EntityId | None) -> bool:
        """True if the id is a player's."""
        return entity in [seat.id for seat in self.players]

    def in_cell(self, cell: Cell) -> list[CompanyId]:
        """Companies in a cell of the market, first to act first."""
        return [company for company in self.market if self.companies[company].cell == cell]
