"""A started game in memory: the engine's game, its seats, and the effective rows of its log.

Settings and orders are kept, too. Workers answer questions about its position.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar
from zlib import compress, decompress

from bot.table.bounded_caches import BoundedDict
from bot.table.errors import Refused
from bot.table.games.game_log import UndoHistory
from bot.table.markdown import as_refusals
from bot.table.move_lines import DescribedMove, play_and_describe, with_mark
from bot.table.settings.table_settings import SETTINGS
from bot.workers.workers import Priority, Queue, Workers
from engine import Game, OfferCursor, PlayerId
from storage import (
    ANONYMISED_USER,
    CARETAKER_USER,
    GAME_SETTINGS,
    Database,
    Entry,
    GameRow,
    Order,
    Row,
    Seat,
    SeatEntry,
    ask,
    clocks,
    orders,
)
from storage import seats as stored_seats

T = TypeVar("T")

MAX_PAST_POSITIONS: Final = 30
"""The most positions of a live game kept in memory for undos."""


@dataclass(frozen=True, slots=True)
class CachedRows:
    """Stored facts of a game, read when they are first needed and again after this process has changed them."""

    chosen_settings: dict[str, str]
    orders: list[Order]


@dataclass(slots=True)
class LiveGame:
    """A running or finished game in memory;

    `seq` is the last row of its log, `effective_rows` are the rows in effect.
    """

    row: GameRow
    seats: tuple[Seat, ...]
    game: Game
    seq: int
    effective_rows: list[Row] = field(default_factory=list)
    hold_reason: str | None = None
    """The reason why the game waits for a moderator, as sentences; None if it does not."""
    seat_history: tuple[SeatEntry, ...] = ()
    """Users who have played each seat, oldest entry first."""
    pause: clocks.Pause | None = None
    """The stored pause of the game, which may have run out."""
    substitutes: dict[PlayerId, SeatEntry] = field(default_factory=dict)
    """The current substitutes, by player."""
    past_positions: BoundedDict[int, bytes] = field(default_factory=lambda: BoundedDict(MAX_PAST_POSITIONS))
    """The game as compressed text after some effective rows, by row; the newest comes last."""

    automatic_rows: dict[int, int | None] = field(default_factory=dict)
    """Automatic rows, each with its order (None: forced; TIME_UP: the player's time was up)."""
    undo_history: UndoHistory = field(default_factory=UndoHistory)
    """Undone moves that may still be redone, and earlier undos."""
    workers: Workers = field(default_factory=Workers)
    """Workers that search for moves."""
    cached_rows: CachedRows | None = None
    """Stored settings and orders; None if they must be read. Each change of them sets it to None."""
    seats_voted_on: bool = True
    """False if no proposal about an absent player's seat is open; True if one may be."""
    orders_may_have_ended: bool = True
    """False if every owner of an ended order was notified; True if one may not have been."""
    _views: tuple[object, dict[Callable[[Game], Any], Any]] = (None, {})
    """A key of the position for which views were made last, and these views."""

    @property
    def id(self) -> int:
        return self.row.id

    @property
    def position_key(self) -> tuple[object, ...]:
        """A key that changes with each move, undo or new name of a player."""
        return (self.seq, self.game.seq, self.game.players)

    def view(self, make: Callable[[Game], T]) -> T:
        """The view of the position that `make` returns; answer, turn message and board share it."""
        if self._views[0] != self.position_key:
            self._views = (self.position_key, {})
        views = self._views[1]
        if make not in views:
            views[make] = make(self.game)
        view: T = views[make]
        return view

    def move_obstacle(self, now: str) -> str | None:
        """The reason why no move can be made now; None if moves are possible."""
        if self.row.status == "abandoned":
            return f"Game {self.id} was abandoned."
        if self.hold_reason is None and self.pause is not None and self.pause.lasts_at(now):
            return f"Game {self.id} is paused. `/game resume` ends the pause."
        return self.hold_reason

    def require_running(self) -> None:
        """Raise Refused for an ended game."""
        if self.row.status != "running":
            raise Refused(f"Game {self.id} has ended.")

    def make_move(
        self, cursor: OfferCursor, user_id: int | None, mark: str = "", *, always_posted: bool = False
    ) -> DescribedMove:
        """Make the move of a complete cursor for the offer's player.

        `user_id` is the user who made it (None: automatic), `mark` is added to its line. With `always_posted` the
        thread shows its lines even if nothing happened. Raises IllegalAction; nothing is changed then.
        """
        events, lines = play_and_describe(self.game, cursor)
        lines = tuple(map(str, lines)) if always_posted else lines
        payload = cursor.action().model_dump_json()
        entry = Entry("action", payload, self.game.digest(), cursor.offer.actor, user_id)
        return DescribedMove(entry, events, with_mark(lines, mark))

    def remember_position(self, state: str) -> None:
        """Keep the position after the last effective row in memory, for undos."""
        self.past_positions[self.effective_rows[-1].seq] = compress(state.encode(), 1)

    def rows_of(self, entries: Sequence[Entry], now: str) -> list[Row]:
        """The log rows with which these entries will be stored."""
        numbered_entries = enumerate(entries, start=self.seq + 1)
        return [
            Row(self.id, n, e.kind, e.payload, e.digest, e.actor, e.user_id, now) for n, e in numbered_entries
        ]

    def position_text(self, seq: int) -> str | None:
        """The game as text after this row, if it is cached."""
        packed = self.past_positions.get(seq)
        return None if packed is None else decompress(packed).decode()

    def player_of(self, user_id: int) -> PlayerId | None:
        """The player of a user, as holder or substitute; None for a spectator."""
        held_player = next((seat.player_id for seat in self.seats if seat.user_id == user_id), None)
        return held_player or next((p for p, sub in self.substitutes.items() if sub.user_id == user_id), None)

    def user_of(self, player: PlayerId) -> int:
        """The user who plays a player now: the substitute, if there is one, or else the holder."""
        substitute = self.substitutes.get(player)
        return self.holder_of(player) if substitute is None else substitute.user_id

    def users_to_ping(self, player: PlayerId) -> tuple[int, ...]:
        """Users to ping when a player must act: the other users if the group plays the seat, none for a caretaker."""
        if player in self.caretaker_players:
            return ()
        return self.other_users(player) if player in self.group_players else (self.user_of(player),)

    def other_users(self, player: PlayerId) -> tuple[int, ...]:
        """The users of all other seats that are not played by the group or a caretaker."""
        without_user = self.group_players | self.caretaker_players
        return tuple(s.user_id for s in self.seats if s.player_id not in {player, *without_user})

    @property
    def users(self) -> tuple[int, ...]:
        """All users with a seat, in seating order, without caretakers and anonymised users."""
        return tuple(
            seat.user_id for seat in self.seats if seat.user_id not in (CARETAKER_USER, ANONYMISED_USER)
        )

    @property
    def group_players(self) -> frozenset[PlayerId]:
        """The players whose seats the group plays."""
        return stored_seats.players_played_by("group", self.seat_history)

    @property
    def ends_with_undo(self) -> bool:
        """True if the last row is an undo."""
        return self.effective_rows[-1].seq != self.seq

    @property
    def caretaker_players(self) -> frozenset[PlayerId]:
        """The players whose seats a caretaker plays."""
        return stored_seats.players_played_by("caretaker", self.seat_history)

    def holder_of(self, player: PlayerId) -> int:
        """The user who holds a player's seat; CARETAKER_USER if nobody does."""
        return next(seat.user_id for seat in self.seats if seat.player_id == player)

    def name_of(self, player: PlayerId) -> str:
        """The display name of a player's seat holder."""
        return next(seat.display_name for seat in self.seats if seat.player_id == player)


def name_players(game: Game, seats: Sequence[Seat]) -> Game:
    """Give the players of a game their current names; returns the game."""
    for seat in seats:
        if game.name(seat.player_id) != seat.display_name:
            game.rename(seat.player_id, seat.display_name)
    return game


async def chosen_settings(db: Database, live: LiveGame) -> dict[str, str]:
    """The values of all settings of a game, chosen or default, by name."""
    stored_settings = (await _read_cached_rows(db, live)).chosen_settings
    return {name: stored_settings.get(name, setting.default) for name, setting in SETTINGS.items()}


async def standing_orders(db: Database, live: LiveGame) -> list[Order]:
    """The standing orders of a game, oldest first."""
    return list((await _read_cached_rows(db, live)).orders)


async def _read_cached_rows(db: Database, live: LiveGame) -> CachedRows:
    if live.cached_rows is None:
        live.cached_rows = CachedRows(
            *await ask(db, GAME_SETTINGS.all_question(live.id), orders.question(live.id))
        )
    return live.cached_rows


MAX_WORKER_GAMES: Final = 4
"""The most positions that a worker keeps, since buttons and menus ask about the same one several times."""
_recent_games: OrderedDict[str, Game] = OrderedDict()
"""Recently asked positions in a worker, by their text."""


async def ask_position(
    workers: Workers, queue: Queue, position: str, function: Callable[..., T], *args: Any
) -> T:
    """Call `function(game, *args)` in a worker, on a position given as `Game.dump` writes it; returns the result.

    Raises Refused in place of IllegalAction, and NotDone.
    """
    return await workers.run(queue, _answer_question, position, function, args)


async def ask_worker(live: LiveGame, game: Game, function: Callable[..., T], *args: Any) -> T:
    """Call `function(game, *args)` in a worker, while the live game is locked for a move; returns the result."""
    return await ask_position(live.workers, move_queue(live), game.dump(), function, *args)


def move_queue(live: LiveGame) -> Queue:
    """The queue for work on which a move waits."""
    return Queue(Priority.SEARCH, live.row.guild_id)


def _answer_question(text: str, function: Callable[..., T], args: tuple[Any, ...]) -> T:
    # Removed while in use: if threads replace worker processes, two of them must not share a game.
    game = _recent_games.pop(text, None) or Game.load(text)
    try:
        with as_refusals(game):
            return function(game, *args)
    finally:
        _recent_games[text] = game
        if len(_recent_games) > MAX_WORKER_GAMES:
            _recent_games.popitem(last=False)
