"""Views of the board: the map with tiles and tokens, possible lays, the tiles left, and the stock market.

Colours of hexes are names of tile colours (`yellow`), which a picture's theme turns into paint. Ends of track are
numbers as in `engine.core.topology.End`: 0-5 are hex edges on the map as laid, 6 + i is the stop with index i. Many
pictures show the same hexes and cells; therefore each of these views is hashed only once, and pickled only once for
other processes.
"""

import pickle
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cache, cached_property, lru_cache
from operator import attrgetter
from typing import Any, Literal, TypeAlias, dataclass_transform

from engine.core.ids import Cell, CompanyId, Coord, PrivateId, TileId, TrainName
from engine.core.topology import End, StopKind

MAX_UNPACKED_VIEWS = 8192
"""Maximum number of cached views that were received from other processes."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
@dataclass(frozen=True, slots=True)
class View:
    """Base class of all views; every subclass becomes a frozen dataclass."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)


class MoneyMixin:
    """Base class of views that show amounts of money with the title's currency sign."""

    currency: str

    def money(self, amount: int | None) -> str:
        """The amount as text, such as `$70`; `secret` if it is None."""
        return "secret" if amount is None else f"{self.currency}{amount}"


class MoneyView(MoneyMixin, View):
    """Base class of views that contain amounts of money."""

    currency: str = field(default="$", kw_only=True)
    """The currency sign before an amount."""


class CachedView:
    """Base class of frozen dataclasses that cache their hash and their pickled form.

    `dataclass` would replace `__hash__`, so each subclass must set `__hash__ = CachedView.__hash__`.
    """

    @cached_property
    def _values(self) -> tuple[Any, ...]:
        return _field_reader(type(self))(self)  # type: ignore[arg-type]

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
        return _unpickle, (self._packed,)


@cache
def _field_reader(kind: type[Any]) -> Callable[[object], tuple[Any, ...]]:
    return attrgetter(*(field.name for field in fields(kind)))


@lru_cache(maxsize=MAX_UNPACKED_VIEWS)
def _unpickle(packed_view: bytes) -> object:
    view_class, values = pickle.loads(packed_view)
    return view_class(*values)


class Badge(View):
    """A company's disc in pictures: abbreviation and colour (`#rrggbb`)."""

    company: CompanyId
    colour: str


SlotState: TypeAlias = Literal["empty", "token", "home", "waiting", "kept"]
"""State of a token space.

`home`: reserved for a company's home token. `waiting`: reserved for the home token of a company that cannot start yet.
`kept`: kept for a later token of a company, or for a private.
"""


class SlotView(View):
    """A token space of a city."""

    state: SlotState
    badge: Badge | None = None
    has_open_objective: bool = False
    """True if the space is the home of a company that has yet to reach its historical objective."""
    reserved_by: str = ""
    """Name of the player who has reserved the company that has its home here."""


class StopView(View):
    """A stop on the map with its revenue: one number, or one for each revenue step of the title."""

    kind: StopKind
    revenue: tuple[int, ...]
    revenue_index: int
    """Index into `revenue` of the number that applies now."""
    slots: tuple[SlotView, ...] = ()


MarkKind: TypeAlias = Literal["objective", "city_bonus", "named_train", "power", "closed", "beside"]
"""Kind of a mark on a hex.

`objective`: a company's objective or destination. `city_bonus`: a token that raises a city's revenue. `named_train`: an
end of a named train's route. `power`: a private can lay its tile here. `closed`: a private blocks the hex. `beside`: a
company's token that takes no token space.
"""
SignKind: TypeAlias = Literal[
    "hatching", "barrier", "crossing", "river", "frontier", "home", "reserved", "waiting", "kept", "dots"
]
"""Kind of a drawn sign, such as hatching, a line, a ring or dots. A sign means the same on every map."""


class MarkView(View):
    """A mark on a hex that is not printed on the tile: text, company and icon."""

    kind: MarkKind
    text: str
    badge: Badge | None = None
    is_done: bool = False
    """True if the objective is reached, the token placed, or the marker owned by a company."""
    icon: str = ""


@dataclass(frozen=True)
class HexView(CachedView, MoneyMixin):
    """A hex of the current map.

    `x` and `y` are its doubled coordinates, as in `engine.board.hexes`.
    """

    coord: Coord
    x: int
    y: int
    colour: str
    pieces: tuple[tuple[End, End], ...] = ()
    stops: tuple[StopView, ...] = ()
    tile: TileId | None = None
    """The tile laid in the hex; None if the hex is as printed."""
    rotation: int = 0
    label: str = ""
    name: str = ""
    cost: int = 0
    """Dollars that the next tile in the hex costs."""
    terrain: tuple[str, ...] = ()
    blocked_by: PrivateId | None = None
    joined_edges: tuple[int, ...] = ()
    impassable_edges: tuple[int, ...] = ()
    river_edges: tuple[int, ...] = ()
    """Edges (0-5) along which a river flows."""
    border_costs: tuple[tuple[int, int], ...] = ()
    """Edges (0-5) with a cost, each with the dollars for joining track across it."""
    frontier_edges: tuple[int, ...] = ()
    """Edges (0-5) on the frontier of the hex's zone; another zone of the board begins beyond them."""
    is_terminal: bool = False
    """True if track ends in this hex, a red area; the track is drawn as a spike."""
    marks: tuple[MarkView, ...] = ()
    currency: str = "$"
    """The currency sign before the terrain cost."""

    __hash__ = CachedView.__hash__


class RunView(MoneyView):
    """One train's route.

    `sum_text` is its revenue such as `30+50+20`; each stop is (hex, index of the stop, True if it pays).
    """

    train: TrainName
    sum_text: str
    revenue: int
    pieces: tuple[tuple[Coord, End, End], ...]
    stops: tuple[tuple[Coord, int, bool], ...]

    @property
    def short_train_name(self) -> str:
        """The train's short name, such as `5E+` for `5E+8E`, two trains that run as one."""
        first_train, plus, _ = self.train.partition("+")
        return first_train + plus


class MapView(MoneyView):
    """The whole map.

    `fresh_hexes` and `fresh_tokens` (hex, stop, space) are the changes of the last turn.
    """

    layout: Literal["flat", "pointy"]
    letters: Literal["columns", "rows"]
    hexes: tuple[HexView, ...]
    revenue_steps: tuple[str, ...]
    title: str
    caption: str
    """Caption of the map, such as `OR 2.1, phase 3`."""
    trains_left: tuple[tuple[TrainName, int | None, int], ...] = ()
    """New trains in the bank: name, number left (None: unlimited), price in dollars."""
    trains_in_pool: tuple[tuple[TrainName, int], ...] = ()
    fresh_hexes: tuple[Coord, ...] = ()
    fresh_tokens: tuple[tuple[Coord, int, int], ...] = ()
    runs: tuple[RunView, ...] = ()
    mark_meanings: tuple[tuple[MarkView, str], ...] = ()
    """The marks on the map with their meanings in words."""
    sign_meanings: tuple[tuple[SignKind, str], ...] = ()
    """The meaning in words of each kind of sign (hatching, line, ring, dots), even if this map does not have it."""


class LayHexView(MoneyView):
    """A hex where a tile can be laid, with its terrain cost in dollars."""

    coord: Coord
    name: str
    cost: int


class LayView(MoneyView):
    """A possible tile lay: tile, rotation and hex, copies left (None: unlimited), and cost in dollars.

    `revenue_change` is the revenue of the company's best run before and after the lay; None if the revenue is
    unchanged or was not computed.
    """

    tile: TileId
    rotation: int
    hex: HexView
    sides: str
    """Sides of the hex to which the tile's track leads, such as `SW-NE`."""
    copies_left: int | None
    cost: int
    revenue_change: tuple[int, int] | None = None


class TileView(View):
    """A tile type: copies left and total number of copies (None: unlimited)."""

    hex: HexView
    copies_left: int | None
    count: int | None


class UpgradeView(View):
    """A tile that could upgrade a hex, with the sides its track leads to in each rotation.

    `copies_left` is None if unlimited. `is_allowed_now` is True if the current phase allows the tile's colour.
    """

    tile: TileId
    colour: str
    copies_left: int | None
    is_allowed_now: bool
    sides: tuple[str, ...]
    hex: HexView
    """The hex with the tile laid in the first of its possible rotations."""


class BestRunView(View):
    """A company's best routes on the map, with their revenue in dollars.

    `upper_bound` is an upper bound for the revenue of any routes. `routes` are the routes as texts, in the form used
    by a `run_routes` action.
    """

    map: MapView
    routes: tuple[str, ...]
    revenue: int
    upper_bound: int


class PlanPartView(View):
    """A planned tile or token in words.

    `notes` say why it is not legal, or which conditions are not met yet.
    """

    text: str
    """The planned tile or token as plan text, such as `G5:57:2`."""
    hex: Coord
    description: str
    state: Literal["laid", "true", "misfit"]
    notes: tuple[str, ...]
    cost: int
    """Dollars that the paying company would pay for the planned tile or token."""


class PlanView(View):
    """A plan (sketched tiles and tokens) on the map, with the dollars that the paying company would pay."""

    parts: tuple[PlanPartView, ...]
    cost: int
    map: MapView


class PlannedLayView(View):
    """A tile that can be added to a plan; `notes` are conditions that are not met yet."""

    text: str
    lay: LayView
    notes: tuple[str, ...]


class PlannedTokenView(View):
    """A token that can be added to a plan, with its description."""

    text: str
    company: CompanyId
    description: str


class TilesView(View):
    """All tile types of a title, by colour, with the number of copies left."""

    title: str
    caption: str
    layout: Literal["flat", "pointy"]
    tiles: tuple[TileView, ...]


SpaceState: TypeAlias = Literal["free", "taken", "blocked", "later"]


class SpaceView(View):
    """A market space for one minor's marker: its zone letter, and the phase that opens it if it is not open yet."""

    state: SpaceState
    zone: str = ""
    badge: Badge | None = None
    """The disc of the minor on the space; None if it is free."""
    phase: str = ""


@dataclass(frozen=True)
class CellView(CachedView, MoneyMixin):
    """A cell of the stock market: price, zone letter, arrows, and whether it is a par cell or a ledge."""

    price: int
    zone: str = ""
    is_par: bool = False
    has_up_arrow: bool = False
    """True for an arrow up: a marker that would move right from this cell moves up, for example at the end of a row."""
    has_down_arrow: bool = False
    """True for an arrow down: a marker that would move left from this cell moves down, as at the start of a row."""
    is_ledge: bool = False
    """True for a ledge: a marker that a sale would move to the cell below, or below the last row, stays here."""
    closes_company: bool = False
    """True if a company closes when its marker reaches the cell, which has no price."""
    ends_game: bool = False
    """True if a share price that reaches this cell ends the game."""
    tokens: tuple[Badge, ...] = ()
    """Companies whose markers are in the market cell, in operating order."""
    spaces: tuple[SpaceView, ...] = ()
    """Spaces with this cell's value for minors' markers, in operating order."""
    currency: str = "$"
    """The currency sign before the cell's price."""

    __hash__ = CachedView.__hash__


class OrderView(MoneyView):
    """A company's line in the operating order."""

    badge: Badge
    price: int
    president: str
    is_floated: bool
    progress: Literal["waiting", "acting", "done", ""]
    markers: tuple[str, ...] = ()
    """Names of markers that affect the company's next turn."""


class MarketView(View):
    """The stock market, its legend as (letter, meaning), and the operating order.

    Rows come from the top; None stands for a place without a cell.
    """

    rows: tuple[tuple[CellView | None, ...], ...]
    legend: tuple[tuple[str, str], ...]
    operating_order: tuple[OrderView, ...]
    price_moves: tuple[tuple[CompanyId, Cell, Cell], ...]
    """Price moves in the last turn: (company, old cell, new cell)."""
    title: str
    caption: str
    space_legend: tuple[tuple[SpaceView, str], ...] = ()
    """Legend of the spaces for minors' markers: an example of each kind that this market has, with its meaning."""
