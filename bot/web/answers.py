"""JSON types of the board page's responses; `make scripts` checks the page's scripts against them.

Where a field's type is a class from `engine.views`, the JSON contains an object with the fields of that class.
"""

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from engine import CompanyId, Coord, PlayerId
from engine.views import (
    HexView,
    HistoryView,
    PayoutsView,
    PhasesView,
    PlannedTokenView,
    PlanPartView,
    ProposalView,
    RunView,
    SaleView,
    ScoreView,
    TableView,
    TrainsView,
    TurnView,
)

LineEdit: TypeAlias = tuple[int, int, list[str]]
"""An edit of a text: index of a line, number of lines deleted there, and lines inserted there."""


class Picture(TypedDict):
    """An SVG picture: the whole SVG, or line edits of a picture that the browser already has."""

    id: str
    svg: NotRequired[str]
    base: NotRequired[str]
    edits: NotRequired[list[LineEdit]]


class TileCount(TypedDict):
    """A type of tile, with the number left (None: unlimited)."""

    tile: str | None
    colour: str
    label: str
    left: int | None
    count: int | None


class MapFrame(TypedDict):
    """The map's layout and caption, the names of its revenue steps (such as phases), and the meanings of its marks."""

    layout: str
    caption: str
    revenue_steps: tuple[str, ...]
    mark_words: tuple[tuple[Any, str], ...]


class PositionFields(TypedDict):
    """The part of a position (game state) that is computed from the engine's views alone."""

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
    offer: ProposalView | None
    tiles: list[TileCount]
    scores: ScoreView | None


class RunningClock(TypedDict):
    """A player's running turn; `up_at` is when the player's time is up (None while the clock is stopped)."""

    player: PlayerId
    name: str
    seconds: int
    stands: bool
    up_at: str | None


class ProposalJson(TypedDict):
    """An open proposal: the players it waits for, the visitor's vote, and the answers that the visitor may give."""

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
    """The part of a position that does not come from the engine.

    It holds the game's name, the reason why nobody can move now (if any), open proposals, and clocks.
    """

    name: str
    last: int
    held_up: str | None
    proposals: list[ProposalJson]
    clocks: list[RunningClock]


class You(TypedDict):
    """The visitor of the page: their seat, and what they are permitted to do."""

    player: PlayerId | None
    name: str | None
    acting: bool
    may_play: bool
    may_try: bool
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
    """Response of the HTTP route `position`: the whole board page at one move."""

    game: int
    at: int
    log: list[tuple[int, str]] | None
    map: Picture
    market: Picture
    you: You


class MoveLines(TypedDict):
    """A move with its log lines."""

    seq: int
    who: str | None
    player: PlayerId | None
    lines: list[str]


class Charts(HistoryView):
    """The charts, and each company's dash pattern (as an index), which tells apart lines in similar colours."""

    cores: list[int]


class History(TypedDict):
    """Response of the HTTP route `history`: all moves with their log lines, and charts."""

    last: int
    moves: list[MoveLines]
    undone: list[tuple[int, str]]
    mine: int | None
    automatic: list[int]
    computers: list[str]
    charts: Charts


class OneClick(TypedDict):
    """A complete move that a single button makes, with the values chosen for its slots (parameters)."""

    move: str
    label: str
    confirm: bool
    chosen: dict[str, Any]


class OfferJson(TypedDict):
    """An offer: a decision open to a player, such as to lay track, with the names of its slots (parameters)."""

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
    """An offer (decision open to a player) that can be tried next in a what-if, with the player's name."""

    name: str


class Offers(TypedDict):
    """Response of the HTTP route `offers`: the decisions open to one player; the field `for` names the player."""

    seq: int
    name: str | None
    offers: list[OfferJson]


class UsualAmount(TypedDict):
    """A frequently chosen amount that gets a button."""

    pick: list[str]
    label: str


class Choice(TypedDict):
    """A possible value of a slot (parameter of a decision), with details such as hex, company or price."""

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
    """The routes of a company's trains with their revenue, and a map that shows them."""

    runs: tuple[RunView, ...]
    total: int
    map: Picture


class Step(TypedDict):
    """The next question of an offer (decision open to a player), given the picks made so far.

    If `ask` is `nothing`, the move is complete, and the step shows the move's effect. `back` holds the picks without
    the last one, for the Back button.
    """

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


class StepAnswer(TypedDict):
    """Response of the HTTP route `walk`: the next question of an offer, or the effect of the complete move."""

    seq: int
    step: Step


class Done(TypedDict):
    """Response to a request that changes the game."""

    seq: int | None
    lines: list[str]
    proposed: bool


class WhatIfAnswer(TypedDict):
    """Response of the HTTP route `whatif`: the position after the tried moves, and the next decisions."""

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
    """A standing order that the visitor can give with a single button."""

    choice: str
    what: str
    label: str


class Orders(TypedDict):
    """Response of the HTTP route `orders`: the visitor's standing orders, and orders that they can give."""

    lines: list[str]
    standing: list[int]
    offers: list[QuickOrder]
    privates: dict[str, str]
    sealed: dict[str, int] | None


class Shared(TypedDict):
    """Response of the HTTP route `share`: a public link to the film (replay) of the game."""

    film: str


class HexTile(TypedDict):
    """A tile to which a hex can be upgraded, now or later."""

    tile: str
    colour: str
    sides: tuple[str, ...]
    left: int | None
    now: bool
    svg: str


class HexCloseUp(TypedDict):
    """Response of the HTTP route `hex`: one hex with its tile, revenue and possible upgrades."""

    at: int
    coord: Coord
    hex: HexView
    facts: list[tuple[str, str]]
    tiles: list[HexTile]


class Routes(RunFields):
    """Response of the HTTP route `routes`: a company's best routes, and the dividends they allow."""

    at: int
    company: CompanyId
    text: str
    proven: bool
    before: int | None
    payouts: PayoutsView | None


class Plan(TypedDict):
    """Response of the HTTP route `plan`: the parts of a track plan, and the map with the plan's legal parts."""

    at: int
    parts: tuple[PlanPartView, ...]
    cost: int
    map: Picture


class PlanChoices(TypedDict):
    """Response of the HTTP route `plan/{hex}`: the tiles and tokens that a plan could add in this hex."""

    at: int
    tiles: list[Choice]
    tokens: list[PlannedTokenView]


class Session(TypedDict):
    """One of the user's browser sessions, which gives access to the board of one game."""

    id: str
    game: int
    name: str
    device: str
    opened: str
    here: bool


class Sessions(TypedDict):
    """Response of the HTTP route `sessions`: the user's browser sessions."""

    sessions: list[Session]
