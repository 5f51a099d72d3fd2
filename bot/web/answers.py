"""The JSON of the page's answers: the page's scripts are checked against these types (`make scripts`).

A view stands for the object with its fields.
"""

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from engine import CompanyId, Coord, PlayerId
from engine.views import (
    HexView,
    HistoryView,
    OfferView,
    PayoutsView,
    PhasesView,
    PlannedTokenView,
    PlanPartView,
    RunView,
    SaleView,
    ScoreView,
    TableView,
    TrainsView,
    TurnView,
)

LineEdit: TypeAlias = tuple[int, int, list[str]]
"""Place, number of deleted lines, and inserted lines."""


class Picture(TypedDict):
    """A picture: whole, or as a difference from one that the browser has."""

    id: str
    svg: NotRequired[str]
    base: NotRequired[str]
    edits: NotRequired[list[LineEdit]]


class TileCount(TypedDict):
    """One type of tile: how many are left (None: unlimited)."""

    tile: str | None
    colour: str
    label: str
    left: int | None
    count: int | None


class MapFrame(TypedDict):
    """The map's layout, and the words of its marks."""

    layout: str
    caption: str
    revenue_steps: tuple[str, ...]
    mark_words: tuple[tuple[Any, str], ...]


class PositionFields(TypedDict):
    """The part of a position that comes from the engine's views."""

    title: str
    currency: str
    digest: str
    over: bool
    round: str
    board: MapFrame
    turn: TurnView
    table: TableView
    trains: TrainsView
    phases: PhasesView
    sale: SaleView | None
    offer: OfferView | None
    tiles: list[TileCount]
    scores: ScoreView | None


class RunningClock(TypedDict):
    """A running turn and its deadline; None if the clock is stopped."""

    player: PlayerId
    name: str
    seconds: int
    stands: bool
    up_at: str | None


class ProposalJson(TypedDict):
    """An open proposal: whom it waits for, and the visitor's vote and possible answers."""

    number: int
    what: str
    by: str
    waits_for: list[str]
    voters: list[str]
    needed: int
    moderator: bool
    until: str
    said: bool | None
    answers: list[str]
    link: str | None


class CurrentFields(TypedDict):
    """The part of a position that is the table's."""

    name: str
    last: int
    held_up: str | None
    proposals: list[ProposalJson]
    clocks: list[RunningClock]


class You(TypedDict):
    """The visitor: their seat and rights."""

    player: PlayerId | None
    name: str | None
    acting: bool
    may_play: bool
    substitute: bool
    table: list[PlayerId]
    may_undo: bool
    may_redo: bool
    undo_to: int | None
    moderator: bool
    may_share: bool
    spectator: bool
    last_move: int | None
    user: str | None
    code: str | None
    session: str


class Position(PositionFields, CurrentFields):
    """The answer of `position`."""

    game: int
    at: int
    log: list[tuple[int, str]] | None
    map: Picture
    market: Picture
    you: You


class MoveLines(TypedDict):
    """One move and its lines."""

    seq: int
    who: str | None
    player: PlayerId | None
    lines: list[str]


class Charts(HistoryView):
    """The charts, with the dashes that distinguish companies of like colours."""

    cores: list[int]


class History(TypedDict):
    """The answer of `history`."""

    last: int
    moves: list[MoveLines]
    undone: list[tuple[int, str]]
    mine: int | None
    automatic: list[int]
    computers: list[str]
    charts: Charts


class OneClick(TypedDict):
    """A one-click move, with the values of its slots."""

    move: str
    label: str
    confirm: bool
    chosen: dict[str, Any]


class OfferJson(TypedDict):
    """One decision."""

    key: str
    kind: str
    entity: str
    label: str
    slots: list[str]
    labels: list[str]
    blocking: bool
    confirm: bool
    quick: list[OneClick]


_For = TypedDict("_For", {"for": PlayerId})


class TrialOffer(OfferJson, _For):
    """One decision in a what-if, with its player."""

    name: str


class Offers(TypedDict):
    """The answer of `offers`; `for` is the player who decides."""

    seq: int
    name: str | None
    offers: list[OfferJson]


class UsualAmount(TypedDict):
    """An amount with a button of its own."""

    pick: list[str]
    label: str


class Choice(TypedDict):
    """One value of a slot, with details by its subject."""

    pick: list[str]
    label: str
    value: NotRequired[Any]
    hex: NotRequired[Coord | None]
    stop: NotRequired[int]
    company: NotRequired[CompanyId]
    private: NotRequired[str]
    price: NotRequired[int]
    cost: NotRequired[int]
    tile: NotRequired[str]
    rotation: NotRequired[int]
    sides: NotRequired[str]
    left: NotRequired[int | None]
    worth: NotRequired[tuple[int, int] | None]
    svg: NotRequired[str]
    notes: NotRequired[tuple[str, ...]]


class RunFields(TypedDict):
    """Routes of all trains, with their revenue, and the map with them."""

    runs: tuple[RunView, ...]
    total: int
    map: Picture


class Step(TypedDict):
    """The next question of an offer, or (`nothing`) the effect of the whole move; `back`: picks before it."""

    ask: Literal["choice", "amount", "nothing"]
    kind: str
    offer: str
    picked: tuple[str, ...]
    labels: tuple[str, ...]
    back: tuple[str, ...] | None
    slot: NotRequired[str]
    question: NotRequired[str]
    choices: NotRequired[list[Choice]]
    low: NotRequired[int]
    high: NotRequired[int]
    step: NotRequired[int]
    limits: NotRequired[str]
    usual: NotRequired[list[UsualAmount]]
    move: NotRequired[str]
    label: NotRequired[str]
    confirm: NotRequired[bool]
    summary: NotRequired[str]
    full: NotRequired[str]
    lines: NotRequired[tuple[str, ...]]
    sure: NotRequired[str | None]
    map: NotRequired[Picture]
    market: NotRequired[Picture | None]
    lay: NotRequired[Choice]
    runs: NotRequired[tuple[RunView, ...]]
    total: NotRequired[int]


class Walked(TypedDict):
    """The answer of `cursor`."""

    seq: int
    step: Step


class Done(TypedDict):
    """The answer to a change."""

    seq: int | None
    lines: list[str]
    proposed: bool


class Tried(TypedDict):
    """The answer of `whatif`."""

    seq: int
    tried: list[list[str]]
    own: int
    note: str
    changes: list[str]
    turn: TurnView | None
    offers: list[TrialOffer]
    map: Picture | None
    market: Picture | None


class QuickOrder(TypedDict):
    """A possible order."""

    choice: str
    what: str
    label: str


class Orders(TypedDict):
    """The answer of `orders`."""

    lines: list[str]
    standing: list[int]
    offers: list[QuickOrder]
    privates: dict[str, str]
    sealed: dict[str, int] | None


class Shared(TypedDict):
    """The answer of `share`: the link to the film for everybody."""

    film: str


class HexTile(TypedDict):
    """A possible upgrade of a hex."""

    tile: str
    colour: str
    sides: tuple[str, ...]
    left: int | None
    now: bool
    svg: str


class HexCloseUp(TypedDict):
    """The answer of `hex`."""

    at: int
    coord: Coord
    hex: HexView
    facts: list[tuple[str, str]]
    tiles: list[HexTile]


class Routes(RunFields):
    """The answer of `routes`."""

    at: int
    company: CompanyId
    text: str
    proven: bool
    before: int | None
    payouts: PayoutsView | None


class Plan(TypedDict):
    """The answer of `plan`: the parts of a plan, and the map with those that fit."""

    at: int
    parts: tuple[PlanPartView, ...]
    cost: int
    map: Picture


class PlanChoices(TypedDict):
    """The answer of `plan/{hex}`: tiles and tokens that can be added there."""

    at: int
    tiles: list[Choice]
    tokens: list[PlannedTokenView]


class Session(TypedDict):
    """One of a user's sessions."""

    id: str
    game: int
    name: str
    device: str
    opened: str
    here: bool


class Sessions(TypedDict):
    """The answer of `sessions`."""

    sessions: list[Session]
