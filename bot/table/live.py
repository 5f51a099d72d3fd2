"""A started game in memory: the engine's game, its seats, its log, and its cached settings and orders.

Worker processes compute answers about its position.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar
from zlib import compress, decompress

from bot.table.bounded_caches import BoundedDict
from bot.table.errors import Refused
from bot.table.games.game_log import UndoHistory
from bot.table.markdown import refusing_illegal_actions
from bot.table.move_lines import DescribedMove, play_and_describe, with_mark
from bot.table.settings.table_settings import SETTINGS
from bot.workers.workers import Priority, QueuePlace, Workers
from engine import Game, OfferCursor, PlayerId
from storage import (
    ANONYMISED_USER,
    CARETAKER_USER,
    GAME_SETTINGS,
    Database,
    GameRow,
    LogRow,
    NewLogRow,
    Order,
    Seat,
    SeatEntry,
    clocks,
    fetch,
    orders,
)
from storage import seats as stored_seats

T = TypeVar("T")

MAX_PAST_POSITIONS: Final = 30
"""Maximum number of past positions of a game in memory, ready for an undo."""


@dataclass(frozen=True, slots=True)
class CachedRows:
    """Cached database rows of a game: its settings and standing orders. After a change they are read again."""

    chosen_settings: dict[str, str]
    orders: list[Order]


@dataclass(slots=True)
class LiveGame:
    """A running or finished game in memory.

    `seq` is the number of the last log row; `effective_rows` are the log rows that no undo has removed.
    """

    row: GameRow
    seats: tuple[Seat, ...]
    game: Game
    seq: int
    effective_rows: list[LogRow] = field(default_factory=list)
    hold_reason: str | None = None
    """The reason why the game is on hold, so that a moderator must decide how it continues; None if it is not."""
    seat_history: tuple[SeatEntry, ...] = ()
    """Seat changes (which user or role plays a seat from when), oldest first."""
    pause: clocks.Pause | None = None
    """The stored pause of the game, even if that pause is already over."""
    substitutes: dict[PlayerId, SeatEntry] = field(default_factory=dict)
    """Current substitutes (users who play for a seat's holder), by player."""
    past_positions: BoundedDict[int, bytes] = field(default_factory=lambda: BoundedDict(MAX_PAST_POSITIONS))
    """Compressed positions after some log rows, by row number; the newest comes last."""

    automatic_rows: dict[int, int | None] = field(default_factory=dict)
    """The log row of each automatic move, with the number of the standing order that made the move.

    Instead of a number, None marks a forced move or a computer player's move, and TIME_UP a move made because the
    player's time was up.
    """
    undo_history: UndoHistory = field(default_factory=UndoHistory)
    """The undos in the log, and the moves that can be redone."""
    workers: Workers = field(default_factory=Workers)
    """Worker processes that compute slow answers, such as best routes."""
    cached_rows: CachedRows | None = None
    """Cached settings and orders; None if they must be read again after a change."""
    may_have_seat_proposals: bool = True
    """False if certainly no proposal about an absent player's seat is open; True if one may be open."""
    orders_may_have_ended: bool = True
    """True if a standing order may have ended without a notification to its owner."""
    _views: tuple[object, dict[Callable[[Game], Any], Any]] = (None, {})
    """The current `position_key`, and the views of that position by the function that made them."""

    @property
    def id(self) -> int:
        return self.row.id

    @property
    def position_key(self) -> tuple[object, ...]:
        """A key of the position in memory, which changes with each move or undo, and when a player is renamed."""
        return (self.seq, self.game.seq, self.game.players)

    def view(self, make_view: Callable[[Game], T]) -> T:
        """The result of `make_view(game)` for the current position.

        It is cached, since the reply, the turn message and the board show the same views.
        """
        if self._views[0] != self.position_key:
            self._views = (self.position_key, {})
        views = self._views[1]
        if make_view not in views:
            views[make_view] = make_view(self.game)
        view: T = views[make_view]
        return view

    def move_obstacle(self, now: str) -> str | None:
        """The reason why no move is possible now (abandoned, paused, or on hold); None if moves are possible."""
        if self.row.status == "abandoned":
            return f"Game {self.id} was abandoned."
        if self.hold_reason is None and self.pause is not None and self.pause.is_active_at(now):
            return f"Game {self.id} is paused. `/game resume` ends the pause."
        return self.hold_reason

    def require_running(self) -> None:
        """Raise Refused for an ended game."""
        if self.row.status != "running":
            raise Refused(f"Game {self.id} has ended.")

    def make_move(
        self, cursor: OfferCursor, user_id: int | None, mark: str = "", *, is_always_posted: bool = False
    ) -> DescribedMove:
        """Make a complete move in this game in memory.

        `user_id` is the user who made the move (None: automatic). `mark` is appended to the move's line. With
        `is_always_posted`, the thread shows the lines even if nothing of interest happened. Raises IllegalAction, which
        changes nothing.
        """
        events, lines = play_and_describe(self.game, cursor)
        lines = tuple(map(str, lines)) if is_always_posted else lines
        payload = cursor.action().model_dump_json()
        entry = NewLogRow("action", payload, self.game.digest(), cursor.offer.actor, user_id)
        return DescribedMove(entry, events, with_mark(lines, mark))

    def remember_position(self, state: str) -> None:
        """Cache the current position for later undos; `state` is the position as text."""
        self.past_positions[self.effective_rows[-1].seq] = compress(state.encode(), 1)

    def rows_of(self, entries: Sequence[NewLogRow], now: str) -> list[LogRow]:
        """The log rows that these new entries will become when stored."""
        numbered_entries = enumerate(entries, start=self.seq + 1)
        return [
            LogRow(self.id, n, e.kind, e.payload, e.digest, e.actor, e.user_id, now)
            for n, e in numbered_entries
        ]

    def position_text(self, seq: int) -> str | None:
        """The position after log row `seq` as text, if it is cached; else None."""
        compressed_text = self.past_positions.get(seq)
        return None if compressed_text is None else decompress(compressed_text).decode()

    def player_of(self, user_id: int) -> PlayerId | None:
        """The player for whom a user plays, as holder or substitute; None for a spectator."""
        seated_player = next((seat.player_id for seat in self.seats if seat.user_id == user_id), None)
        return seated_player or next(
            (p for p, substitute in self.substitutes.items() if substitute.user_id == user_id), None
        )

    def user_of(self, player: PlayerId) -> int:
        """The user who plays for this player now: the substitute or, without a substitute, the holder."""
        substitute = self.substitutes.get(player)
        return self.holder_of(player) if substitute is None else substitute.user_id

    def users_to_ping(self, player: PlayerId) -> tuple[int, ...]:
        """Users to ping when this player must act: normally the one user who plays the seat.

        These are all other users if the group (the other players together) plays the seat, and nobody if a computer
        player does.
        """
        if player in self.caretaker_players:
            return ()
        return self.other_users(player) if player in self.group_players else (self.user_of(player),)

    def other_users(self, player: PlayerId) -> tuple[int, ...]:
        """Users of all seats but this player's, without seats played by the group or by a computer player."""
        players_without_user = self.group_players | self.caretaker_players
        return tuple(s.user_id for s in self.seats if s.player_id not in {player, *players_without_user})

    @property
    def users(self) -> tuple[int, ...]:
        """All users with a seat, in seat order. Computer players and anonymised users are left out."""
        return tuple(
            seat.user_id for seat in self.seats if seat.user_id not in (CARETAKER_USER, ANONYMISED_USER)
        )

    @property
    def group_players(self) -> frozenset[PlayerId]:
        """Players whose seats the group (the other players together) plays."""
        return stored_seats.players_with_role("group", self.seat_history)

    @property
    def ends_with_undo(self) -> bool:
        """True if the last log row is an undo."""
        return self.effective_rows[-1].seq != self.seq

    @property
    def caretaker_players(self) -> frozenset[PlayerId]:
        """Players whose seats a caretaker (computer player) plays."""
        return stored_seats.players_with_role("caretaker", self.seat_history)

    def holder_of(self, player: PlayerId) -> int:
        """The user who holds a player's seat; CARETAKER_USER if a computer player does."""
        return next(seat.user_id for seat in self.seats if seat.player_id == player)

    def name_of(self, player: PlayerId) -> str:
        """The display name of the seat holder."""
        return next(seat.display_name for seat in self.seats if seat.player_id == player)


def name_players(game: Game, seats: Sequence[Seat]) -> Game:
    """Rename the game's players to the display names of these seats; returns the game."""
    for seat in seats:
        if game.name(seat.player_id) != seat.display_name:
            game.rename(seat.player_id, seat.display_name)
    return game


async def chosen_settings(db: Database, live: LiveGame) -> dict[str, str]:
    """All settings of a game by name, with default values where none was chosen."""
    stored_settings = (await _read_cached_rows(db, live)).chosen_settings
    return {name: stored_settings.get(name, setting.default) for name, setting in SETTINGS.items()}


async def standing_orders(db: Database, live: LiveGame) -> list[Order]:
    """The active standing orders of a game, oldest first."""
    return list((await _read_cached_rows(db, live)).orders)


async def _read_cached_rows(db: Database, live: LiveGame) -> CachedRows:
    if live.cached_rows is None:
        live.cached_rows = CachedRows(
            *await fetch(db, GAME_SETTINGS.all_settings_query(live.id), orders.standing_orders_query(live.id))
        )
    return live.cached_rows


MAX_WORKER_GAMES: Final = 4
"""Maximum number of games (positions) in a worker's cache, since buttons and menus often ask about the same one."""
_recent_games: OrderedDict[str, Game] = OrderedDict()
"""The games that this worker used last, by their position as text."""


async def ask_about_position(
    workers: Workers, queue: QueuePlace, position: str, function: Callable[..., T], *args: Any
) -> T:
    """The result of `function(game, *args)`, called in a worker; `position` is the game as written by `Game.dump`.

    Raises NotDone, and Refused in place of IllegalAction.
    """
    return await workers.run(queue, _call_with_cached_game, position, function, args)


async def ask_worker(live: LiveGame, game: Game, function: Callable[..., T], *args: Any) -> T:
    """The result of `function(game, *args)`, called in a worker with the priority of a route search.

    The caller must hold the lock of `live`. Raises NotDone, and Refused in place of IllegalAction.
    """
    return await ask_about_position(live.workers, search_queue(live), game.dump(), function, *args)


def search_queue(live: LiveGame) -> QueuePlace:
    """The queue of worker jobs that search routes for a move in this game."""
    return QueuePlace(Priority.SEARCH, live.row.guild_id)


def _call_with_cached_game(text: str, function: Callable[..., T], args: tuple[Any, ...]) -> T:
    # Removed while in use: if threads replace worker processes, two of them must not share a game.
    game = _recent_games.pop(text, None) or Game.load(text)
    try:
        with refusing_illegal_actions(game):
            return function(game, *args)
    finally:
        _recent_games[text] = game
        if len(_recent_games) > MAX_WORKER_GAMES:
            _recent_games.popitem(last=False)
