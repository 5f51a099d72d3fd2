"""Views of the board: the map with tiles and tokens, possible lays, the tiles left, and the stock market.

Colours of hexes are names of tile colours (`yellow`), which a picture's theme turns into paint. Ends of track follow
`engine.core.topology.End`: 0-5 are hex edges on the map as laid, 6 + i is the stop with index i. The same hexes and
cells are in one picture after the other, so each is hashed once, and pickled once for other processes.
"""

import pickle
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cache, cached_property, lru_cache
from operator import attrgetter
from typing import Any, Literal, TypeAlias, dataclass_transform

from engine.core.ids import Cell, CompanyId, Coord, PrivateId, TileId, TrainName
from engine.core.topology import End, StopKind

MAX_UNPACKED = 8192
"""Maximum number of cached views received from other processes."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
@dataclass(frozen=True, slots=True)
class View:
    """Base of views; every subclass becomes a frozen dataclass."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)


class HasMoney:
    """Base of classes that write amounts of money, with the title's currency sign."""

    currency: str

    def money(self, amount: int | None) -> str:
        """An amount as text, such as `$70`; "secret" if it is None."""
        return "secret" if amount is None else f"{self.currency}{amount}"


class MoneyView(HasMoney, View):
    """Base of views that contain amounts of money."""

    currency: str = field(default="$", kw_only=True)
    """The sign before an amount."""


class CachedView:
    """Base of frozen dataclasses that cache their deep hash and their pickled form.

    `dataclass` would replace `__hash__`, so each subclass says `__hash__ = CachedView.__hash__`.
    """

    @cached_property
    def _values(self) -> tuple[Any, ...]:
        return _values_reader(type(self))(self)  # type: ignore[arg-type]

    @cached_property
    def _hash(self) -> int:
        return hash(self._values)

    @cached_property
    def _packed(self) -> bytes:
        return pickle.dumps((type(self), self._values))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Callable[[bytes], object], tuple[bytes]]:
        # The other process has probably unpickled these bytes before (cached); the hash is not sent, because it differs
        # there.
        return _unpacked, (self._packed,)


@cache
def _values_reader(kind: type[Any]) -> Callable[[object], tuple[Any, ...]]:
    return attrgetter(*(field.name for field in fields(kind)))


@lru_cache(maxsize=MAX_UNPACKED)
def _unpacked(packed: bytes) -> object:
    view_class, values = pickle.loads(packed)
    return view_class(*values)


class Badge(View):
    """A company's disc: abbreviation and colour (`#rrggbb`)."""

    company: CompanyId
    colour: str


SlotState: TypeAlias = Literal["empty", "token", "home", "waiting", "kept"]
"""`home`: reserved for a company's home token; `waiting`: the same, but the company cannot start yet; `kept`: kept
for a further token of a company, or for a private.
"""


class SlotView(View):
    """A token space of a city."""

    state: SlotState
    badge: Badge | None = None
    objective: bool = False
    """True in the home of a company that has not reached its objective."""
    reserved_by: str = ""
    """Name of the player who has reserved the home's company."""


class StopView(View):
    """A stop with its revenue figures (one, or one per revenue step) and the index of the current figure."""

    kind: StopKind
    revenue: tuple[int, ...]
    current: int
    """Index into `revenue`."""
    slots: tuple[SlotView, ...] = ()


MarkKind: TypeAlias = Literal["objective", "city_bonus", "named_train", "power", "closed", "beside"]
"""In this order: a company's objective or destination; a token that raises a city's revenue; an end of a named train; a
hex where a private can lay its tile; hexes that a private closes; a company's token that takes no space.
"""
SignKind: TypeAlias = Literal[
    "hatching", "barrier", "crossing", "river", "frontier", "home", "reserved", "waiting", "kept", "dots"
]
"""Hatching, a line, a ring or dots, which mean the same on every map."""


class MarkView(View):
    """A mark on a hex that is not part of the tile: text, owner, and icon."""

    kind: MarkKind
    text: str
    badge: Badge | None = None
    done: bool = False
    """True if the objective is reached, the token is placed, or a company holds the marker."""
    icon: str = ""


@dataclass(frozen=True)
class HexView(CachedView, HasMoney):
    """A hex of the current map; `x` and `y` are doubled coordinates (see `engine.board.hexes`)."""

    coord: Coord
    x: int
    y: int
    colour: str
    pieces: tuple[tuple[End, End], ...] = ()
    stops: tuple[StopView, ...] = ()
    tile: TileId | None = None
    """The tile laid here; None if the hex is as printed."""
    rotation: int = 0
    label: str = ""
    name: str = ""
    cost: int = 0
    """Dollars that the next tile here costs."""
    terrain: tuple[str, ...] = ()
    blocked_by: PrivateId | None = None
    joined: tuple[int, ...] = ()
    impassable: tuple[int, ...] = ()
    river: tuple[int, ...] = ()
    """Edges along which a river flows."""
    border_costs: tuple[tuple[int, int], ...] = ()
    """Edges with a cost, and the dollars for joining track across them."""
    frontier: tuple[int, ...] = ()
    """Edges to another zone of the board."""
    terminal: bool = False
    """True if track ends here (red area); it is drawn as a spike."""
    marks: tuple[MarkView, ...] = ()
    currency: str = "$"
    """The sign before its cost."""

    __hash__ = CachedView.__hash__


class RunView(MoneyView):
    """One train's route: `sum_text` is such as `30+50+20`; each of `stops` has hex, index, and True if it pays."""

    train: TrainName
    sum_text: str
    value: int
    pieces: tuple[tuple[Coord, End, End], ...]
    stops: tuple[tuple[Coord, int, bool], ...]

    @property
    def short(self) -> str:
        """The train's short name: `5E+` for `5E+8E`, two trains that run as one."""
        first_train, plus, _ = self.train.partition("+")
        return first_train + plus


class MapView(MoneyView):
    """The whole map; the last turn changed `fresh_hexes` and `fresh_tokens` (hex, stop, space)."""

    layout: Literal["flat", "pointy"]
    letters: Literal["columns", "rows"]
    hexes: tuple[HexView, ...]
    revenue_steps: tuple[str, ...]
    title: str
    caption: str
    """A caption such as `OR 2.1, phase 3`."""
    trains_left: tuple[tuple[TrainName, int | None, int], ...] = ()
    """New trains: name, number left (None: unlimited), price in dollars."""
    trains_in_pool: tuple[tuple[TrainName, int], ...] = ()
    fresh_hexes: tuple[Coord, ...] = ()
    fresh_tokens: tuple[tuple[Coord, int, int], ...] = ()
    runs: tuple[RunView, ...] = ()
    mark_words: tuple[tuple[MarkView, str], ...] = ()
    """Meanings of the marks on the hexes."""
    sign_words: tuple[tuple[SignKind, str], ...] = ()
    """Meanings of hatching, lines, rings and dots, also of those that are not on this map."""


class SpotView(MoneyView):
    """A hex where a tile can be laid, and the cost of its terrain in dollars."""

    coord: Coord
    name: str
    cost: int


class LayView(MoneyView):
    """A tile in one rotation: its hex, number of tiles left (None: unlimited), and cost in dollars.

    `worth` is the revenue of the company's best run before and after the lay; None if it is the same, or was not
    computed.
    """

    tile: TileId
    rotation: int
    hex: HexView
    sides: str
    """Sides of the hex to which its track leads, such as `SW-NE`."""
    left: int | None
    cost: int
    worth: tuple[int, int] | None = None


class TileView(View):
    """A kind of tile: number of tiles left and total number (None: unlimited)."""

    hex: HexView
    left: int | None
    count: int | None


class UpgradeView(View):
    """A possible upgrade of a hex, with the sides to which its track leads in each rotation.

    `left` is the number of tiles left (None: unlimited); `now` is True if the current phase allows its colour.
    """

    tile: TileId
    colour: str
    left: int | None
    now: bool
    sides: tuple[str, ...]
    hex: HexView
    """The hex with the tile in its first rotation."""


class BestRunView(View):
    """A company's best routes on the map, with their revenue and an upper bound in dollars.

    `routes` are the texts of the routes in a `run_routes` action.
    """

    map: MapView
    routes: tuple[str, ...]
    revenue: int
    upper: int


class PlanPartView(View):
    """A part of a plan in words; `notes` are reasons why it does not fit, or conditions that are not met yet."""

    text: str
    """The part as in the plan's text."""
    hex: Coord
    words: str
    state: Literal["laid", "true", "misfit"]
    notes: tuple[str, ...]
    cost: int
    """Dollars that the chosen company pays."""


class PlanView(View):
    """A plan on the map, with the dollars that the chosen company pays for it."""

    parts: tuple[PlanPartView, ...]
    cost: int
    map: MapView


class PlannedLayView(View):
    """A tile that can be planned; `notes` are conditions that are not met yet."""

    text: str
    lay: LayView
    notes: tuple[str, ...]


class PlannedTokenView(View):
    """A token that can be planned in a city, with its words."""

    text: str
    company: CompanyId
    words: str


class TilesView(View):
    """All kinds of tiles of a title, by colour, with the number left."""

    title: str
    caption: str
    layout: Literal["flat", "pointy"]
    tiles: tuple[TileView, ...]


SpaceState: TypeAlias = Literal["free", "taken", "blocked", "later"]


class SpaceView(View):
    """A space for a minor's marker: letter of its zone, and the phase that opens it if it is not open."""

    state: SpaceState
    zone: str = ""
    badge: Badge | None = None
    """The minor on the space."""
    phase: str = ""


@dataclass(frozen=True)
class CellView(CachedView, HasMoney):
    """A cell of the stock market: price, letter of its zone, True if a par cell, arrows and ledge."""

    price: int
    zone: str = ""
    par: bool = False
    up_arrow: bool = False
    """True if a marker that would move right moves up: the cell ends its row or has an arrow."""
    down_arrow: bool = False
    """True if a marker that would move left moves down: the cell begins its row."""
    ledge: bool = False
    """True if a sale that would end in the cell below, or has no cell below, leaves the marker here."""
    closed: bool = False
    """True if the cell has no price and a company whose marker comes here closes."""
    end: bool = False
    """True if a share price that reaches the cell ends the game."""
    tokens: tuple[Badge, ...] = ()
    """Companies in the cell, in operating order."""
    spaces: tuple[SpaceView, ...] = ()
    """Spaces for minors of this value, in operating order."""
    currency: str = "$"
    """The currency sign before its price."""

    __hash__ = CachedView.__hash__


class OrderView(MoneyView):
    """A line of the operating order."""

    badge: Badge
    price: int
    president: str
    floated: bool
    progress: Literal["waiting", "acting", "done", ""]
    markers: tuple[str, ...] = ()
    """Markers that affect the company's next turn."""


class MarketView(View):
    """The stock market, top row first (None: no cell), its legend as (letter, meaning), and the operating order."""

    rows: tuple[tuple[CellView | None, ...], ...]
    legend: tuple[tuple[str, str], ...]
    order: tuple[OrderView, ...]
    moves: tuple[tuple[CompanyId, Cell, Cell], ...]
    """Price moves of the last turn: company, old cell, new cell."""
    title: str
    caption: str
    space_legend: tuple[tuple[SpaceView, str], ...] = ()
    """The kinds of spaces for minors on this market, with their meanings."""
