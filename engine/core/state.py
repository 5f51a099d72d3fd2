"""The position of a game except for the map: plain data, no rules. Money is in dollars, shares in percent."""

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

RunOutcome: TypeAlias = Literal["paid", "half", "withheld", "lost"]
"""Outcome of a run for the company's revenue: paid out, half paid out, withheld, or lost to an event."""


NEUTRAL_TOKEN: Final = "neutral token"
"""The key under which `Company.held` counts a company's neutral tokens."""


@dataclass(slots=True)
class Player:
    """A player's displayed name and cash."""

    id: PlayerId
    name: str
    cash: int
    bankrupt: bool = False
    """True if the player went bankrupt in a forced purchase and is out of the game."""


@dataclass(slots=True)
class LastRun:
    """A company's last run: routes, dollars for each route, total revenue, and what was done with the revenue."""

    routes: tuple[str, ...]
    values: tuple[int, ...]
    revenue: int
    outcome: RunOutcome


@dataclass(slots=True)
class ExtraTokens:
    """A company's extra tokens (18C2C): bought tokens, tokens reserved for destinations, and bull tokens."""

    bought: list[int] = field(default_factory=list)
    """Prices of all tokens that the company ever got, bought or from a private, without the home token."""
    reserved: list[CompanyId] = field(default_factory=list)
    """Tokens reserved for destinations, each given as the company whose destination it is for."""
    bulls: int = 0
    """Number of bull tokens (which fit into a full city) on the charter."""
    placed: list[Coord] = field(default_factory=list)
    """The hex of each bull token placed on the board.

    A bull token that returns to the charter can be used only as a bull token again.
    """
    reached: list[CompanyId] = field(default_factory=list)
    """Companies whose destinations this company has reached."""


@dataclass(slots=True)
class Company:
    """A public company: its shares, trains, tokens and money.

    `shares` holds the percentage of ordinary certificates by holder. The president's certificate is separate:
    `certificate_holder`.
    """

    id: CompanyId
    certificate: int
    """Size of the president's certificate, in percent of the company."""
    shares: dict[HolderId, int]
    certificate_holder: HolderId = OFFERING
    share: int = 10
    """Size of an ordinary certificate, in percent of the company. It is one share, and share prices are per share."""
    par: int | None = None
    reissue_prices: list[int] = field(default_factory=list)
    """Price of each of the company's reissued shares, cheapest first."""
    cell: Cell | None = None
    cash: int = 0
    floated: bool = False
    operated: bool = False
    trains: list[TrainName] = field(default_factory=list)
    unsalable: list[TrainName] = field(default_factory=list)
    """Unsalable trains of the company: it is not allowed to sell them."""
    obsolete: list[TrainName] = field(default_factory=list)
    """Obsolete trains of the company: they run once more and leave the game; nobody can buy them."""
    tokens: list[int] = field(default_factory=list)
    """Prices of the company's tokens that are not placed yet, home token first."""
    extra: ExtraTokens | None = None
    """The company's extra tokens (18C2C); None if it never had any."""
    trains_bought: int = 0
    proofs: int = 0
    """Number of proofs of coast-to-coast runs by the company or by companies that merged into it."""
    last_run: "LastRun | None" = None
    markers: dict[str, Coord] = field(default_factory=dict)
    """Names of the company's markers, from privates and events, with their hexes (empty: on the charter)."""
    held: dict[str, int] = field(default_factory=dict)
    """Number of markers held, by name, for kinds of markers that a company can have more than once."""
    closed: bool = False
    """True if the company is closed: it has left the game for good."""
    split: bool = False
    """True if the company's shares have split: they count double, because its price passed the end of the market."""
    waiting: bool = False
    """True if the company is waiting for a later phase: it was kept out of play during set-up."""
    parts: list[CompanyId] = field(default_factory=list)
    """Parts of a merged company: all merged companies, including itself, highest price first; else empty."""
    second: list[TrainName] = field(default_factory=list)
    """The trains on the company's second charter, which it has after a merger."""

    def percent(self, holder: HolderId) -> int:
        """Percent of the company that the holder has, including the president's certificate."""
        return self.shares.get(holder, 0) + (self.certificate if self.certificate_holder == holder else 0)

    def certificates(self, holder: HolderId) -> int:
        """Number of certificates that the holder has; the president's certificate counts as one."""
        return self.shares.get(holder, 0) // self.share + (self.certificate_holder == holder)

    @property
    def treasury(self) -> HolderId:
        """The id that stands for the company's treasury as a holder of shares."""
        return self.id

    @property
    def is_undivided(self) -> bool:
        """True if one certificate is the whole company; its shares are not traded."""
        return self.certificate == 100

    @property
    def runnable_trains(self) -> list[TrainName]:
        """All trains of the company that can run, including obsolete ones."""
        return self.trains + self.obsolete

    @property
    def is_merged(self) -> bool:
        """True if another company was merged into this one, which now has two charters."""
        return self.id in self.parts

    @property
    def is_in_receivership(self) -> bool:
        """True if the market holds the president's certificate of a started company."""
        return self.par is not None and self.certificate_holder == MARKET

    @property
    def is_started(self) -> bool:
        """True if the company has a par price, and therefore a president."""
        return self.par is not None

    @property
    def president(self) -> PlayerId | None:
        """The player with the president's certificate of a started company; None in receivership."""
        holder = self.certificate_holder
        return None if self.par is None or holder in (OFFERING, MARKET, self.id) else holder

    def holders(self) -> list[HolderId]:
        """All holders of shares or the president's certificate: players, IPO, market, treasury."""
        return [holder for holder in {**self.shares, self.certificate_holder: 0} if self.percent(holder)]


@dataclass(slots=True)
class Private:
    """A private company: its owner (player or company), and flags such as closed and power used."""

    id: PrivateId
    owner: EntityId | None = None
    closed: bool = False
    removed: bool = False
    """True if the private was removed before the first bid, or is not used with this number of players."""
    power_used: bool = False
    linked: CompanyId | None = None
    """The linked company, whose certificate comes with the private."""
    given_up: bool = False
    """True if the owning company has given up the private: it closed it for its benefit."""
    declined: bool = False
    """True if the owner has declined to use the rest of the private's power."""
    hex: Coord = ""
    """Hex where the private's own token lies."""


@dataclass(slots=True)
class Auction:
    """The auction of the privates: current bids (private -> bidder -> dollars) and consecutive passes."""

    kind: Literal["auction"] = "auction"
    turn: int = 0
    """Seat index of the player whose turn it is in the auction."""
    passes: int = 0
    discount: int = 0
    discounts: dict[PrivateId, int] = field(default_factory=dict)
    """Discount on each private in dollars, in titles where several privates get cheaper."""
    eliminated: int = 0
    """Number of privates that players have eliminated from the game before bidding."""
    bids: dict[PrivateId, dict[PlayerId, int]] = field(default_factory=dict)
    contested: PrivateId | None = None
    """The contested private, for which several bidders compete now."""
    contest_turn: int = 0
    """Seat index of the bidder to act in the contest for a private, in titles where bidders act in turn."""
    contest_passes: int = 0
    """Number of consecutive passes in the contest for a private."""
    par_due: tuple[PlayerId, CompanyId] | None = None
    last_buyer: int = 0
    """Seat index of the last buyer of a private at face value."""
    resolving: bool = False
    """True while bids on the next cheapest privates are being resolved."""
    deck: list[PrivateId] = field(default_factory=list)
    """Deck of the cards still to be drafted, from the top: privates, and blank cards; secret."""
    chosen: dict[PlayerId, list[PrivateId]] = field(default_factory=dict)
    """Cards that each player has chosen in the draft; secret until its end."""
    chance: int = 0
    """Seed for the next random draws of a draft."""


@dataclass(slots=True)
class Draft:
    """A draft round (18NewEngland) in which players reserve and start companies, in snake order."""

    kind: Literal["draft"] = "draft"
    turn: int = 0
    """Number of turns so far, including skipped turns; it determines the next player in snake order."""
    passed: list[PlayerId] = field(default_factory=list)
    """Players who have passed since the last action of any player."""
    reserved: dict[CompanyId, PlayerId] = field(default_factory=dict)
    """Reserved companies that have not started, by company, each with the player who reserved it."""
    out: list[PlayerId] = field(default_factory=list)
    """Players who are out of this draft round, because they have given back their reserved companies."""


@dataclass(slots=True)
class Stock:
    """The state of a stock round."""

    kind: Literal["stock"] = "stock"
    number: int = 1
    turn: int = 0
    passes: int = 0
    last_actor: int | None = None
    sold: dict[PlayerId, list[CompanyId]] = field(default_factory=dict)
    """For each player, the companies whose shares they have sold in this round."""
    acted: bool = False
    """True if the current player has acted this turn: sold or bought something."""
    bought: str | None = None
    """The current player's purchase: the company whose share they bought, or `private`; None: nothing yet."""
    sold_first: bool = False
    """True if the current player has sold first, before buying."""
    bought_out: bool = False
    """True if the current player cannot buy another certificate this turn."""
    sold_now: list[CompanyId] = field(default_factory=list)
    """Companies of which the current player has sold a block this turn, in titles with one block per company."""
    first: bool = False
    """True in the first stock round in which shares are sold, after stock rounds that sold only privates."""
    own_shares: list[CompanyId] = field(default_factory=list)
    """Companies that have redeemed a share or reissued shares in this round."""
    tokens_due: CompanyId | None = None
    """A company that has just floated and whose tokens are due: its president must buy them next."""
    home_due: CompanyId | None = None
    """A company that has just started and whose home is due: its president must choose it next."""


@dataclass(slots=True)
class TrainDeal:
    """An agreed but unpaid purchase of another company's train, at a price in dollars."""

    train: TrainName
    source: CompanyId
    price: int


@dataclass(slots=True)
class DestinationRun:
    """A destination run (18C2C) not yet paid out: the route, and the company whose destination it reaches."""

    of: CompanyId
    route: str
    revenue: int


@dataclass(slots=True)
class CompanyTurn:
    """The operating company's turn: what it has done so far."""

    company: CompanyId
    first: bool = False
    """True if it is the company's first turn of the game."""
    done: list[str] = field(default_factory=list)
    """Names of the steps of this turn that are done."""
    laid: list[Literal["tile", "upgrade"]] = field(default_factory=list)
    """Tile lays of the turn that count against the limit, including lays by privates that replace a company's lay."""
    lays: list[Coord] = field(default_factory=list)
    points: dict[Coord, int] = field(default_factory=dict)
    """Tile points that the operating company has spent this turn, by hex."""
    purses: dict[PrivateId, int] = field(default_factory=dict)
    """For each private closed to pay for this turn's terrain, the dollars left in its purse."""
    at_once: list[PrivateId] = field(default_factory=list)
    """Privates bought for use at once, in this turn's track step alone; they close at the end of the step."""
    extra_lays: dict[PrivateId, int] = field(default_factory=dict)
    """Number of extra tiles laid this turn with each private."""
    stations: int = 0
    """Number of station tokens placed this turn, in titles that allow several."""
    pair: tuple[PrivateId, Coord] | None = None
    """A private that has laid only the first tile of a pair, and the hex of that tile."""
    free_token: PrivateId | None = None
    """The private that lets the company place a free token now."""
    home_due: CompanyId | None = None
    """A company whose home is due: its city must be chosen before the turn goes on."""
    taken_up: list[tuple[CompanyId, Coord]] = field(default_factory=list)
    """Tokens taken up from a hex with its first track, as (company, hex); a city must now be chosen for each."""
    revenue: int = 0
    runs: tuple[str, ...] = ()
    """The routes run this turn, as texts; `run_values` has the dollars of each."""
    run_values: tuple[int, ...] = ()
    funds_before_last_share: int | None = None
    """Funds in dollars (treasury and president's cash) before the last share or private was sold for a train."""
    last_share_price: int | None = None
    """Price in dollars of the last share sold for a train; not reset by a train purchase."""
    smallest_sale: int | None = None
    """Dollars from the smallest sale of a share or private for a train."""
    sold_now: list[CompanyId] = field(default_factory=list)
    """Companies of which the president has sold a block this turn, in titles with one block per company."""
    seller_lay: tuple[PrivateId, PlayerId] | None = None
    """(private, player) if the player, as seller of the private, may lay its tile before the turn goes on."""
    deal: TrainDeal | None = None
    """The deal for another company's train, for which the president must still sell shares."""
    bought: int = 0
    """Number of trains that the operating company has bought this turn."""
    redeemed: int = 0
    """Number of its own shares that the operating company has redeemed this turn."""
    issued: int = 0
    """Number of shares that the operating company has issued to the market this turn."""
    issued_for_train: int = 0
    """Number of shares issued to pay for a train that the company must buy."""
    has_run: list[TrainName] = field(default_factory=list)
    """Trains acquired this turn that another company has already run in this round."""
    bought_from_bank: int = 0
    """Number of trains that the operating company has bought from bank or pool this turn."""
    shuffled: bool = False
    """True if the company has shuffled its trains this turn: divided them between its two charters."""
    last_seller: str = ""
    """Seller of the last train bought this turn: the bank, the pool or a company."""
    destination: DestinationRun | None = None
    """The destination run (18C2C) just made and not yet paid out; None if there is none."""
    proofs: int = 0
    """Number of proofs of coast-to-coast runs this turn; each moves the share price."""


@dataclass(slots=True)
class Operating:
    """The state of an operating round; `set` is the number of the stock round that preceded it."""

    kind: Literal["operating"] = "operating"
    set: int = 1
    number: int = 1
    of: int = 1
    done: list[CompanyId] = field(default_factory=list)
    """Companies whose turn in this round is done, in order."""
    floated: list[CompanyId] = field(default_factory=list)
    """Companies that floated in this round; they operate from the next round."""
    turn: CompanyTurn | None = None
    private_sellers: list[PlayerId] = field(default_factory=list)
    """Players who sold a private to a company in this round."""
    named: list[EntityId] = field(default_factory=list)
    """Choices of a movable marker's owner before this round: a hex, a company, or their own id for a pass."""
    resold: list[tuple[CompanyId, str]] = field(default_factory=list)
    """Resold markers, bought from another company in this round, as (buyer, marker name); usable from the next."""


@dataclass(slots=True)
class Merger:
    """A merger round; `set` and `number` are those of the preceding operating round (`number` 0: a stock round)."""

    kind: Literal["merger"] = "merger"
    set: int = 1
    number: int = 1
    of: int = 1
    done: list[CompanyId] = field(default_factory=list)
    """Minors whose merger turn is done, in order."""
    formed: CompanyId | None = None
    """The company that has just formed and whose president still has decisions to make."""
    turn: int = 0
    """Seat index of the player who may propose a merger, in titles where players propose in turn."""
    passes: int = 0
    """Number of consecutive passes by players who could propose a merger."""
    refused: list[tuple[CompanyId, CompanyId]] = field(default_factory=list)
    """Pairs of companies whose merger was proposed and refused."""


Round: TypeAlias = Auction | Draft | Stock | Operating | Merger


@dataclass(slots=True)
class Proposal:
    """An action that waits for another player's consent: the proposer, the player asked, and the action as JSON."""

    by: PlayerId
    asked: PlayerId
    action: str


@dataclass(slots=True)
class MarkerSupply:
    """A private's unsold markers, and the company that sells them."""

    left: int
    seller: CompanyId | None = None


@dataclass(slots=True)
class Ending:
    """The end of the game, triggered or reached: its reason, and the player or company that caused it."""

    reason: EndReason
    by: EntityId | None = None


@dataclass(slots=True)
class RecentChanges:
    """Changes on map and market in the last turn, to highlight in pictures; the rules do not use them."""

    company: EntityId = ""
    hexes: list[Coord] = field(default_factory=list)
    tokens: list[tuple[Coord, int]] = field(default_factory=list)
    moves: dict[CompanyId, Cell] = field(default_factory=dict)
    """For each company whose marker moved in the last turn, the market cell from which it came."""


@dataclass(slots=True)
class State:
    """The whole position except for the map."""

    players: list[Player]
    companies: dict[CompanyId, Company]
    privates: dict[PrivateId, Private]
    bank: int
    phase: PhaseName
    depot: dict[TrainName, int | None]
    """The depot: new trains left in the bank by type, cheapest first (None: unlimited)."""
    round: Round
    auction: Auction | None = None
    """The auction of privates, if it takes place within the stock rounds."""
    pool: list[TrainName] = field(default_factory=list)
    """Discarded trains in the bank pool."""
    market: list[CompanyId] = field(default_factory=list)
    """All companies with a share price, in the order in which they entered their market cells."""
    flipped: list[Cell] = field(default_factory=list)
    """Market spaces occupied by the flipped marker of a closed company."""
    certificate_limit: int = 0
    """The certificate limit, if it depends on the companies in play; 0: the title's table gives it."""
    priority: int = 0
    """Seat index of the player with the priority deal."""
    supplies: dict[str, MarkerSupply] = field(default_factory=dict)
    """Supplies of unsold markers, by marker name; one exists once a first marker has been given or sold."""
    proposal: Proposal | None = None
    asked: dict[PlayerId, list[str]] = field(default_factory=dict)
    """Kinds of proposals that each player has made in this round, so that computer players propose each only once."""
    end_votes: list[PlayerId] = field(default_factory=list)
    ending: Ending | None = None
    over: bool = False
    event_train: TrainName = ""
    """Train type drawn during set-up whose first new train triggers the title's event; empty if no event is to come."""
    draws: int = 0
    fresh: RecentChanges = field(default_factory=RecentChanges)

    def player(self, player: PlayerId) -> Player:
        """The player with this id. Raises KeyError if there is none."""
        for candidate in self.players:
            if candidate.id == player:
                return candidate
        raise KeyError(player)

    def seat(self, player: PlayerId) -> int:
        """Seat index of a player. Raises KeyError if there is none."""
        for index, candidate in enumerate(self.players):
            if candidate.id == player:
                return index
        raise KeyError(player)

    def next_seat(self, seat: int) -> int:
        """Seat index of the next player on the left of `seat` who has not gone bankrupt."""
        count = len(self.players)
        next_seats = ((seat + distance) % count for distance in range(1, count + 1))
        return next(seat_index for seat_index in next_seats if not self.players[seat_index].bankrupt)

    def players_in_game(self) -> list[Player]:
        """Players who have not gone bankrupt, in seat order."""
        return [player for player in self.players if not player.bankrupt]

    def is_player(self, entity: EntityId | None) -> bool:
        """True if the id belongs to a player."""
        return entity in [player.id for player in self.players]

    def companies_in_cell(self, cell: Cell) -> list[CompanyId]:
        """Companies in a market cell, in operating order."""
        return [company for company in self.market if self.companies[company].cell == cell]
