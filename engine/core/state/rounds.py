"""What the round going on remembers, one kind of round each."""

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
    redeemed: int = 0
    """Own shares bought back in this turn."""
    issued: int = 0
    """Shares put into the market in this turn."""
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


@dataclass
class Merger:
    """A merger round: the numbers are those of the operating round before it."""

    kind: Literal["merger"] = "merger"
    set: int = 1
    number: int = 1
    of: int = 1
    done: list[CompanyId] = field(default_factory=list)
    """Minors whose presidents have decided or had nothing to decide, in order."""
    formed: CompanyId | None = None
    """The major just formed, about which its president still decides."""


Round: TypeAlias = Auction | Draft | Stock | Operating | Merger
