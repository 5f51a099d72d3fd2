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
    ProposedDealView,
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
    copies_left: int | None
    count: int | None


class MapFrame(TypedDict):
    """The map's layout and caption, the names of its revenue steps (such as phases), and the meanings of its marks."""

    layout: str
    caption: str
    revenue_steps: tuple[str, ...]
    mark_meanings: tuple[tuple[Any, str], ...]


class PositionFields(TypedDict):
    """The part of a position (game state) that is computed from the engine's views alone."""

    title: str
    currency: str
    digest: str
    is_over: bool
    round_kind: str
    map_frame: MapFrame
    turn: TurnView
    table: TableView
    trains: TrainsView
    phases: PhasesView
    sale: SaleView | None
    proposed_deal: ProposedDealView | None
    tiles: list[TileCount]
    scores: ScoreView | None


class RunningClock(TypedDict):
    """A player's running turn; `expires_at` is when the player's time is up (None while the clock is stopped)."""

    player: PlayerId
    name: str
    seconds_left: int
    is_stopped: bool
    expires_at: str | None


class ProposalJson(TypedDict):
    """An open proposal: the players it waits for, the visitor's vote, and the answers that the visitor may give."""

    number: int
    description: str
    proposer_name: str
    must_still_agree: list[str]
    missing_voters: list[str]
    missing_vote_count: int
    needs_moderator: bool
    expires_at: str
    own_vote: bool | None
    possible_answers: list[str]
    message_url: str | None


class CurrentFields(TypedDict):
    """The part of a position that does not come from the engine.

    It holds the game's name, the reason why nobody can move now (if any), open proposals, and clocks.
    """

    name: str
    last_seq: int
    move_obstacle: str | None
    proposals: list[ProposalJson]
    clocks: list[RunningClock]


class VisitorFields(TypedDict):
    """The visitor of the page: their seat, and what they are permitted to do."""

    player: PlayerId | None
    name: str | None
    is_acting: bool
    may_play: bool
    may_try_moves: bool
    is_substitute: bool
    absent_players: list[PlayerId]
    may_undo: bool
    may_redo: bool
    undo_target_seq: int | None
    is_moderator: bool
    may_share: bool
    is_spectator: bool
    own_last_seq: int | None
    user_name: str | None
    confirmation_code: str | None
    session_id: str


class Position(PositionFields, CurrentFields):
    """Response of the HTTP route `position`: the whole board page at one move."""

    game_id: int
    seq: int
    log: list[tuple[int, str]] | None
    map: Picture
    market: Picture
    you: VisitorFields


class MoveLines(TypedDict):
    """A move with its log lines."""

    seq: int
    player_name: str | None
    player: PlayerId | None
    lines: list[str]


class Charts(HistoryView):
    """The charts, and each company's dash pattern (as an index), which tells apart lines in similar colours."""

    dash_indexes: list[int]


class History(TypedDict):
    """Response of the HTTP route `history`: all moves with their log lines, and charts."""

    last_seq: int
    moves: list[MoveLines]
    undone_lines: list[tuple[int, str]]
    own_last_seq: int | None
    automatic_seqs: list[int]
    computer_players: list[str]
    charts: Charts


class OneClickMoveJson(TypedDict):
    """A complete move that a single button makes, with the values chosen for its slots (parameters)."""

    move_key: str
    label: str
    needs_confirmation: bool
    values_by_slot: dict[str, Any]


class OfferJson(TypedDict):
    """An offer: a decision open to a player, such as to lay track, with the names of its slots (parameters)."""

    key: str
    kind: str
    entity: str
    label: str
    slot_names: list[str]
    slot_labels: list[str]
    is_blocking: bool
    needs_confirmation: bool
    one_click_moves: list[OneClickMoveJson]


class TrialOffer(OfferJson):
    """An offer (decision open to a player) that can be tried next in a what-if, with the player."""

    player: PlayerId
    player_name: str


class Offers(TypedDict):
    """Response of the HTTP route `offers`: the decisions open to `player` (None for a spectator)."""

    seq: int
    player: PlayerId | None
    player_name: str | None
    offers: list[OfferJson]


class UsualAmount(TypedDict):
    """A frequently chosen amount that gets a button."""

    picks: list[str]
    label: str


class Choice(TypedDict):
    """A possible value of a slot (parameter of a decision), with details such as hex, company or price."""

    picks: list[str]
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
    copies_left: NotRequired[int | None]
    revenue_change: NotRequired[tuple[int, int] | None]
    svg: NotRequired[str]
    notes: NotRequired[tuple[str, ...]]


class RunFields(TypedDict):
    """The routes of a company's trains with their revenue, and a map that shows them."""

    runs: tuple[RunView, ...]
    total: int
    map: Picture


class Step(TypedDict):
    """The next question of an offer (decision open to a player), given the picks made so far.

    If `input_kind` is `nothing`, the move is complete, and the step shows the move's effect. `picks_before` holds the
    picks without the last one, for the Back button.
    """

    input_kind: Literal["choice", "amount", "nothing"]
    kind: str
    offer_label: str
    picks: tuple[str, ...]
    pick_labels: tuple[str, ...]
    picks_before: tuple[str, ...] | None
    slot: NotRequired[str]
    question: NotRequired[str]
    choices: NotRequired[list[Choice]]
    minimum: NotRequired[int]
    maximum: NotRequired[int]
    increment: NotRequired[int]
    limits_text: NotRequired[str]
    usual_amounts: NotRequired[list[UsualAmount]]
    move_key: NotRequired[str]
    label: NotRequired[str]
    needs_confirmation: NotRequired[bool]
    summary: NotRequired[str]
    full_text: NotRequired[str]
    lines: NotRequired[tuple[str, ...]]
    confirmation_question: NotRequired[str | None]
    map: NotRequired[Picture]
    market: NotRequired[Picture | None]
    lay: NotRequired[Choice]
    runs: NotRequired[tuple[RunView, ...]]
    total: NotRequired[int]


class StepAnswer(TypedDict):
    """Response of the HTTP route `walk`: the next question of an offer, or the effect of the complete move."""

    seq: int
    step: Step


class ChangeAnswer(TypedDict):
    """Response to a request that changes the game."""

    seq: int | None
    lines: list[str]
    is_proposed: bool


class WhatIfAnswer(TypedDict):
    """Response of the HTTP route `whatif`: the position after the tried moves, and the next decisions."""

    seq: int
    lines_by_move: list[list[str]]
    own_move_count: int
    note: str
    changes: list[str]
    turn: TurnView | None
    offers: list[TrialOffer]
    map: Picture | None
    market: Picture | None


class QuickOrder(TypedDict):
    """A standing order that the visitor can give with a single button."""

    choice: str
    details: str
    label: str


class Orders(TypedDict):
    """Response of the HTTP route `orders`: the visitor's standing orders, and orders that they can give."""

    lines: list[str]
    standing_order_numbers: list[int]
    quick_orders: list[QuickOrder]
    name_by_private: dict[str, str]
    sealed_bid_by_private: dict[str, int] | None


class ShareAnswer(TypedDict):
    """Response of the HTTP route `share`: a public link to the film (replay) of the game."""

    film_url: str


class HexTile(TypedDict):
    """A tile to which a hex can be upgraded, now or later."""

    tile: str
    colour: str
    sides: tuple[str, ...]
    copies_left: int | None
    is_allowed_now: bool
    svg: str


class HexCloseUp(TypedDict):
    """Response of the HTTP route `hex`: one hex with its tile, revenue and possible upgrades."""

    seq: int
    coord: Coord
    hex: HexView
    facts: list[tuple[str, str]]
    tiles: list[HexTile]


class Routes(RunFields):
    """Response of the HTTP route `routes`: a company's best routes, and the dividends they allow."""

    seq: int
    company: CompanyId
    routes_text: str
    is_proven_best: bool
    revenue_before: int | None
    payouts: PayoutsView | None


class Plan(TypedDict):
    """Response of the HTTP route `plan`: the parts of a track plan, and the map with the plan's legal parts."""

    seq: int
    parts: tuple[PlanPartView, ...]
    cost: int
    map: Picture


class PlanChoices(TypedDict):
    """Response of the HTTP route `plan/{hex}`: the tiles and tokens that a plan could add in this hex."""

    seq: int
    tiles: list[Choice]
    tokens: list[PlannedTokenView]


class Session(TypedDict):
    """One of the user's browser sessions, which gives access to the board of one game."""

    id: str
    game_id: int
    game_name: str
    device: str
    opened_at: str
    is_current: bool


class Sessions(TypedDict):
    """Response of the HTTP route `sessions`: the user's browser sessions."""

    sessions: list[Session]
