"""What the current round remembers, one kind of round each."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from engine.core.ids import CompanyId, Coord, PlayerId, PrivateId, TrainName


@dataclass
class Auction:
    """The private auction: standing bids by private (bidder -> dollars), passes in a row."""

    kind: Literal["auction"] = "auction"
    turn: int = 0
    """Seat index of the player to act."""
    passes: int = 0
    discount: int = 0
    discounts: dict[PrivateId, int] = field(default_factory=dict)
    """Where any private may get cheaper: by how many dollars each has."""
    eliminated: int = 0
    """How many privates players have taken out of the game."""
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
class Draft:
    """A stock round in which companies are reserved and started, in turns that go to and fro (a snake)."""

    kind: Literal["draft"] = "draft"
    turn: int = 0
    """Number of turns that are over, skipped ones included; the snake says whose the next one is."""
    passed: list[PlayerId] = field(default_factory=list)
    """Players who have passed since the last action."""
    reserved: dict[CompanyId, PlayerId] = field(default_factory=dict)
    """Companies reserved and not started yet, with who has reserved them."""
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
    """Whether the player on turn has sold or bought something this turn."""
    bought: str | None = None
    """What the player on turn has bought: the company of a share, or another word; None: nothing yet."""
    sold_first: bool = False
    """Whether they have sold something before any purchase."""
    bought_out: bool = False
    """Whether no further certificate may follow the one that they have bought."""
    first: bool = False
    """Whether it is the first one in which shares are to be had, privates having been sold in those before."""
    own_shares: list[CompanyId] = field(default_factory=list)
    """Companies that have redeemed a share or reissued shares in this round."""
    tokens_due: CompanyId | None = None
    """A company that has just floated: its president buys its tokens before anything else."""


@dataclass
class Deal:
    """A train of another company that has been agreed on but cannot be paid yet: the price in dollars."""

    train: TrainName
    source: CompanyId
    price: int


@dataclass
class DestinationRun:
    """A destination run whose income is still to be shared out: of which company's destination it is, and the route."""

    of: CompanyId
    route: str
    revenue: int
    """Dollars."""


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
    points: dict[Coord, int] = field(default_factory=dict)
    """Tile points that the lays have cost, by hex."""
    purses: dict[PrivateId, int] = field(default_factory=dict)
    """Privates given up to pay for the tiles of this turn, each with the dollars that are left of it."""
    at_once: list[PrivateId] = field(default_factory=list)
    """Privates bought to be given up for this turn's tiles: they close when its track is laid."""
    stations: int = 0
    """Tokens placed in this turn, where more than one may be."""
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
    last_share_price: int | None = None
    """What the last share sold for a train brought, a share of 10 %: it is kept when trains are bought."""
    smallest_sale: int | None = None
    """The smallest amount in dollars that a share or private sold for a train brought."""
    deal: Deal | None = None
    """Another company's train that the president sells shares for."""
    bought: int = 0
    """Trains bought in this turn."""
    redeemed: int = 0
    """Own shares bought back in this turn."""
    issued: int = 0
    """Shares put into the market in this turn."""
    bought_from_bank: int = 0
    """Those of them that came from bank or pool."""
    shuffled: bool = False
    """Whether it has shared out its trains between its shells."""
    last_seller: str = ""
    """Bank, pool or company that sold the last of them."""
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
    turn: CompanyTurn | None = None
    private_sellers: list[PlayerId] = field(default_factory=list)
    """Players who sold a private to a company in this round."""
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
    """Their passes in a row."""
    refused: list[tuple[CompanyId, CompanyId]] = field(default_factory=list)
    """Pairs that were proposed in vain."""


Round: TypeAlias = Auction | Draft | Stock | Operating | Merger
