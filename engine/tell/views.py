"""Read-only pictures of a game, ready to show: values, colours and labels, never the state itself.

Colours are `#rrggbb` of a company, or the name of a tile colour (`yellow`), which a picture's theme turns into paint.
`ends` of track follow `engine.core.topology.End`: 0-5 hex edges on the map as laid, 6 + i the stop with index i.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.core.ids import Cell, CompanyId, Coord, PlayerId, PrivateId, TileId, TrainName
from engine.core.topology import End, StopKind

SlotState: TypeAlias = Literal["empty", "token", "home"]
"""`home`: kept for a company that has not placed its home token yet."""


@dataclass(frozen=True, slots=True)
class Badge:
    """A company as a disc: abbreviation and colour (`#rrggbb`)."""

    company: CompanyId
    colour: str


@dataclass(frozen=True, slots=True)
class SlotView:
    """One token space of a city."""

    state: SlotState
    badge: Badge | None = None
    objective: bool = False
    """At home of a company that has not reached its objective yet."""


@dataclass(frozen=True, slots=True)
class StopView:
    """A stop: every revenue figure it has (one, or one per revenue step), and which one counts now."""

    kind: StopKind
    revenue: tuple[int, ...]
    current: int
    """Index into `revenue`."""
    slots: tuple[SlotView, ...] = ()


MarkKind: TypeAlias = Literal["objective", "city_bonus", "named_train", "power"]
"""A company's goal; a token that raises a city's revenue; an end of a named train; where a private may build."""


@dataclass(frozen=True, slots=True)
class MarkView:
    """A mark on a hex that no tile prints: its letters, whose it is, and the printed icon it goes with."""

    kind: MarkKind
    text: str
    badge: Badge | None = None
    done: bool = False
    """Objective reached, token lying here, or marker held by a company."""
    icon: str = ""


@dataclass(frozen=True, slots=True)
class HexView:
    """One hex as it lies now. `x`, `y` are doubled coordinates (see `engine.board.hexes`)."""

    coord: Coord
    x: int
    y: int
    colour: str
    printed: bool
    """Printed on the map (True), or a tile laid in play."""
    pieces: tuple[tuple[End, End], ...] = ()
    stops: tuple[StopView, ...] = ()
    tile: TileId | None = None
    rotation: int = 0
    label: str = ""
    name: str = ""
    cost: int = 0
    """Terrain still to be paid, in dollars."""
    terrain: tuple[str, ...] = ()
    blocked_by: PrivateId | None = None
    joined: tuple[int, ...] = ()
    impassable: tuple[int, ...] = ()
    terminal: bool = False
    """Track ends here (red area): drawn as a spike."""
    marks: tuple[MarkView, ...] = ()


@dataclass(frozen=True, slots=True)
class RunView:
    """One train's route: `sum_text` is `30+50+20`; `stops` says for each stop whether it is counted."""

    train: TrainName
    sum_text: str
    value: int
    pieces: tuple[tuple[Coord, End, End], ...]
    stops: tuple[tuple[Coord, int, bool], ...]


@dataclass(frozen=True, slots=True)
class MapView:
    """The whole map. `fresh_hexes` and `fresh_tokens` (hex, stop, slot) were laid in the turn just played."""

    layout: Literal["flat", "pointy"]
    letters: Literal["columns", "rows"]
    hexes: tuple[HexView, ...]
    revenue_steps: tuple[str, ...]
    revenue_step: int
    title: str
    caption: str
    """`OR 2.1, phase 3, bank $5,210`."""
    trains_left: tuple[tuple[TrainName, int | None, int], ...] = ()
    """Name, how many are left (None: unlimited), price in dollars; market trains are not in it."""
    trains_in_pool: tuple[tuple[TrainName, int], ...] = ()
    fresh_hexes: tuple[Coord, ...] = ()
    fresh_tokens: tuple[tuple[Coord, int, int], ...] = ()
    runs: tuple[RunView, ...] = ()
    mark_words: tuple[tuple[MarkView, str], ...] = ()
    """What the marks on the hexes mean."""


@dataclass(frozen=True, slots=True)
class CellView:
    """One cell of the stock market: price, zone letter, whether a par cell, and the arrows and ledge at its border."""

    price: int
    zone: str = ""
    par: bool = False
    up_arrow: bool = False
    """Last in its row: a move to the right goes up instead."""
    down_arrow: bool = False
    """First in its row: a move to the left goes down instead."""
    ledge: bool = False
    """No cell below: a sale leaves the price where it is."""
    end: bool = False
    """Reaching it ends the game."""
    tokens: tuple[Badge, ...] = ()
    """Companies here, first to act first."""


@dataclass(frozen=True, slots=True)
class OrderView:
    """One line of the operating order."""

    badge: Badge
    price: int
    president: str
    floated: bool
    progress: Literal["waiting", "acting", "done", ""]
    markers: tuple[str, ...] = ()
    """Markers that will change the company's next turn."""


@dataclass(frozen=True, slots=True)
class MarketView:
    """The stock market, top row first (None: no cell), its legend as (letter, words), and the operating order."""

    rows: tuple[tuple[CellView | None, ...], ...]
    legend: tuple[tuple[str, str], ...]
    order: tuple[OrderView, ...]
    moves: tuple[tuple[CompanyId, Cell, Cell], ...]
    """Price moves of the turn just played: company, old cell, new cell."""
    title: str
    caption: str


@dataclass(frozen=True, slots=True)
class HoldingView:
    """Shares of one company: percent held, value of 10 % in dollars, value of the holding, whether president."""

    badge: Badge
    percent: int
    price: int
    value: int
    president: bool


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player's sheet; money in dollars."""

    player: PlayerId
    name: str
    cash: int
    available: int
    """Cash not tied up in bids."""
    certificates: int
    certificate_limit: int
    priority: bool
    holdings: tuple[HoldingView, ...]
    privates: tuple[tuple[PrivateId, str, int, int], ...]
    """Abbreviation, name, face value, income."""
    value: int
    """Net worth: cash, shares at the present price, privates at face."""
    bankrupt: bool = False


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
    treasury: int
    trains: tuple[tuple[TrainName, TrainName | None], ...]
    """Train and the phase whose start takes it."""
    tokens_left: tuple[int, ...]
    tokens_placed: tuple[Coord, ...]
    home: Coord
    privates: tuple[PrivateId, ...]
    offering: int
    market: int
    removed: int
    holders: tuple[tuple[str, int, bool], ...]
    """Player's name, percent, whether president."""
    last_run: tuple[int, str] | None
    """Revenue of the last run and `paid` or `withheld`."""
    float_percent: int
    obsolete: tuple[TrainName, ...] = ()
    """Trains that run once more and then leave."""
    markers: tuple[str, ...] = ()
    """Names of markers it carries, with the hex of one that lies on the map."""


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One player's final standing; players with the same total share a rank."""

    rank: int
    player: PlayerId
    name: str
    cash: int
    shares: tuple[HoldingView, ...]
    privates: int
    total: int


@dataclass(frozen=True, slots=True)
class ScoreView:
    """The final table, best first, and the sentence that says how the game ended."""

    title: str
    ending: str
    rows: tuple[ScoreRow, ...]


@dataclass(frozen=True, slots=True)
class TrainsView:
    """Trains: (name, left or None, price, stops or None, phase that takes it or None); the bank pool with prices."""

    bank: tuple[tuple[TrainName, int | None, int, int | None, TrainName | None], ...]
    pool: tuple[tuple[TrainName, int], ...]
    phase: str
    train_limit: int


@dataclass(frozen=True, slots=True)
class TurnView:
    """Who acts and where in the turn we are: `steps` are (words, done, current)."""

    round_name: str
    """`SR 2`, `OR 2.1`, `Auction`."""
    phase: str
    actors: tuple[PlayerId, ...]
    actor_names: tuple[str, ...]
    entity: str
    """The company or player that acts, as shown."""
    facts: str
    """`treasury $210, trains 2 2, token $60`."""
    steps: tuple[tuple[str, bool, bool], ...]
    over: bool
