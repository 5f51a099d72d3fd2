"""Views of the board: the map with what lies there, the lays to choose from, the tiles left, and the stock market.

Colours of hexes are names of tile colours (`yellow`), which a picture's theme turns into paint. `ends` of track follow
`engine.core.topology.End`: 0-5 hex edges on the map as laid, 6 + i the stop with index i. Hexes and cells come again in
picture after picture: they are hashed once, and packed once for another process.
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
"""The most views received from another process that are cached."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
@dataclass(frozen=True, slots=True)
class View:
    """Base of views; each kind is a frozen dataclass."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)


class HasMoney:
    """Amounts of money as text, with the title's sign before them."""

    currency: str

    def money(self, amount: int | None) -> str:
        """An amount as text: `$70`; "secret" for None."""
        return "secret" if amount is None else f"{self.currency}{amount}"


class MoneyView(HasMoney, View):
    """Base of views with amounts of money."""

    currency: str = field(default="$", kw_only=True)
    """The sign before an amount."""


class CachedView:
    """A frozen dataclass that caches its deep hash and pickled form.

    `dataclass` gives its classes a hash of their own, so each says `__hash__ = CachedView.__hash__`.
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
        # The other process has probably seen it before; what was hashed here is hashed otherwise there.
        return _unpacked, (self._packed,)


@cache
def _values_reader(kind: type[Any]) -> Callable[[object], tuple[Any, ...]]:
    return attrgetter(*(field.name for field in fields(kind)))


@lru_cache(maxsize=MAX_UNPACKED)
def _unpacked(packed: bytes) -> object:
    view_class, values = pickle.loads(packed)
    return view_class(*values)


class Badge(View):
    """A company as a disc: abbreviation and colour (`#rrggbb`)."""

    company: CompanyId
    colour: str


SlotState: TypeAlias = Literal["empty", "token", "home", "waiting"]
"""`home`: kept for a company that has not placed its home token yet; `waiting`: for one that cannot be started yet."""


class SlotView(View):
    """One token space of a city."""

    state: SlotState
    badge: Badge | None = None
    objective: bool = False
    """True at the home of a company that has not reached its objective yet."""
    reserved_by: str = ""
    """Name of the player who has reserved the company of this home."""


class StopView(View):
    """A stop with its revenue figures (one, or one per revenue step), and the index of the current one."""

    kind: StopKind
    revenue: tuple[int, ...]
    current: int
    """Index into `revenue`."""
    slots: tuple[SlotView, ...] = ()


MarkKind: TypeAlias = Literal["objective", "city_bonus", "named_train", "power", "closed", "beside"]
"""A company's goal; a token that raises a city's revenue; an end of a named train; where a private may build, and where
nobody may; a company's token that takes no space.
"""
SignKind: TypeAlias = Literal[
    "hatching", "barrier", "crossing", "river", "frontier", "home", "reserved", "waiting", "dots"
]
"""Hatching, a line, a ring or dots, which mean the same on every map."""


class MarkView(View):
    """A mark on a hex that no tile prints: letters, owner, and icon."""

    kind: MarkKind
    text: str
    badge: Badge | None = None
    done: bool = False
    """Objective reached, token lying here, or marker held by a company."""
    icon: str = ""


@dataclass(frozen=True)
class HexView(CachedView, HasMoney):
    """One hex as it is now; `x`, `y` are doubled coordinates (see `engine.board.hexes`)."""

    coord: Coord
    x: int
    y: int
    colour: str
    pieces: tuple[tuple[End, End], ...] = ()
    stops: tuple[StopView, ...] = ()
    tile: TileId | None = None
    """The tile laid in play; None: as printed."""
    rotation: int = 0
    label: str = ""
    name: str = ""
    cost: int = 0
    """Terrain still to be paid, in dollars."""
    terrain: tuple[str, ...] = ()
    blocked_by: PrivateId | None = None
    joined: tuple[int, ...] = ()
    impassable: tuple[int, ...] = ()
    river: tuple[int, ...] = ()
    """Edges along which a river flows."""
    border_costs: tuple[tuple[int, int], ...] = ()
    """Edges with the dollars that joining track across them costs."""
    frontier: tuple[int, ...] = ()
    """Edges that border another zone of the board."""
    terminal: bool = False
    """True if track ends here (red area): drawn as a spike."""
    marks: tuple[MarkView, ...] = ()
    currency: str = "$"
    """The sign before its cost."""

    __hash__ = CachedView.__hash__


class RunView(MoneyView):
    """One train's route: `sum_text` is `30+50+20`; `stops` end with True if counted."""

    train: TrainName
    sum_text: str
    value: int
    pieces: tuple[tuple[Coord, End, End], ...]
    stops: tuple[tuple[Coord, int, bool], ...]

    @property
    def short(self) -> str:
        """The train's short name: `5E+` for `5E+8E`, which run as one."""
        first_train, plus, _ = self.train.partition("+")
        return first_train + plus


class MapView(MoneyView):
    """The whole map; `fresh_hexes` and `fresh_tokens` (hex, stop, slot) changed in the turn just played."""

    layout: Literal["flat", "pointy"]
    letters: Literal["columns", "rows"]
    hexes: tuple[HexView, ...]
    revenue_steps: tuple[str, ...]
    title: str
    caption: str
    """`OR 2.1, phase 3, bank $5210`."""
    trains_left: tuple[tuple[TrainName, int | None, int], ...] = ()
    """Name, how many are left (None: unlimited), price in dollars; market trains are not in it."""
    trains_in_pool: tuple[tuple[TrainName, int], ...] = ()
    fresh_hexes: tuple[Coord, ...] = ()
    fresh_tokens: tuple[tuple[Coord, int, int], ...] = ()
    runs: tuple[RunView, ...] = ()
    mark_words: tuple[tuple[MarkView, str], ...] = ()
    """Meanings of the marks on the hexes."""
    sign_words: tuple[tuple[SignKind, str], ...] = ()
    """Meanings of hatching, lines, rings and dots, also of those that are not on this map."""


class SpotView(MoneyView):
    """A hex in which a tile may be laid, and what the terrain costs, in dollars."""

    coord: Coord
    name: str
    cost: int


class LayView(MoneyView):
    """A tile in one rotation: its hex, how many are left (None: unlimited), its cost.

    `worth` is the company's best run before and after, in dollars; None where it is the same, or not known.
    """

    tile: TileId
    rotation: int
    hex: HexView
    sides: str
    """Sides of the hex that its track leads to: `SW-NE`."""
    left: int | None
    cost: int
    worth: tuple[int, int] | None = None


class TileView(View):
    """One type of tile: how many are left, of how many (None: unlimited)."""

    hex: HexView
    left: int | None
    count: int | None


class UpgradeView(View):
    """A possible upgrade of a hex, with the sides its track leads to in each rotation.

    `left`: how many are left (None: unlimited); `now`: the phase has its colour.
    """

    tile: TileId
    colour: str
    left: int | None
    now: bool
    sides: tuple[str, ...]
    hex: HexView
    """The hex with the tile, in the first of these rotations."""


class BestRunView(View):
    """A company's best routes found, on the map, with their revenue and its upper bound.

    `routes` are their texts, by which they are run.
    """

    map: MapView
    routes: tuple[str, ...]
    revenue: int
    upper: int


class TilesView(View):
    """Every type of tile of a title, by colour, with the number left."""

    title: str
    caption: str
    layout: Literal["flat", "pointy"]
    tiles: tuple[TileView, ...]


SpaceState: TypeAlias = Literal["free", "taken", "blocked", "later"]


class SpaceView(View):
    """A space for a minor's marker: its colour's letter, and the phase it waits for, if later."""

    state: SpaceState
    zone: str = ""
    badge: Badge | None = None
    """The minor there."""
    phase: str = ""


@dataclass(frozen=True)
class CellView(CachedView, HasMoney):
    """One cell of the stock market: price, zone letter, par or not, arrows and ledge."""

    price: int
    zone: str = ""
    par: bool = False
    up_arrow: bool = False
    """A move to the right goes up instead: last in its row, or an arrow says so."""
    down_arrow: bool = False
    """First in its row: a move to the left goes down instead."""
    ledge: bool = False
    """A sale that would end just below leaves the price here; so does one where nothing is below."""
    closed: bool = False
    """No price: a company that comes here leaves the game."""
    end: bool = False
    """Reaching it ends the game."""
    tokens: tuple[Badge, ...] = ()
    """Companies here, first to act first."""
    spaces: tuple[SpaceView, ...] = ()
    """Spaces for minors at this value, first to act first."""
    currency: str = "$"
    """The sign before its price."""

    __hash__ = CachedView.__hash__


class OrderView(MoneyView):
    """One line of the operating order."""

    badge: Badge
    price: int
    president: str
    floated: bool
    progress: Literal["waiting", "acting", "done", ""]
    markers: tuple[str, ...] = ()
    """Markers that will change the company's next turn."""


class MarketView(View):
    """The stock market, top row first (None: no cell), its legend as (letter, words), and the operating order."""

    rows: tuple[tuple[CellView | None, ...], ...]
    legend: tuple[tuple[str, str], ...]
    order: tuple[OrderView, ...]
    moves: tuple[tuple[CompanyId, Cell, Cell], ...]
    """Price moves of the turn just played: company, old cell, new cell."""
    title: str
    caption: str
    space_legend: tuple[tuple[SpaceView, str], ...] = ()
    """The kinds of spaces for minors on this market, each with its meaning in words."""
