"""A running game in memory: the engine's game, who sits where, and which rows of the log count."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from zlib import compress, decompress

from bot.table.bounded import BoundedDict
from bot.table.games.redoable import Undone
from bot.table.style import MARKDOWN, marked, strong
from bot.workers.workers import Workers
from engine.core.cursor import Cursor
from engine.core.events import Event
from engine.core.ids import PlayerId
from engine.core.offers import Offer
from engine.game import Game
from engine.tell.narrate import sentences
from engine.tell.teller import Teller
from storage.games import Game as GameRow
from storage.log.log import Entry, Row
from storage.people import ANONYMISED, CARETAKER
from storage.posts.pings import Notification, Ping
from storage.tables.orders import Order
from storage.tables.pauses import Pause
from storage.tables.seat_history import SeatEntry, by_caretaker, by_group
from storage.tables.seats import Seat

REMEMBERED: Final = 30
"""How many positions of a live game are kept in memory for undos."""


@dataclass(frozen=True, slots=True)
class Known:
    """A game's settings by name, its standing orders, and as far as that was asked for, its pending notifications
    and pings.
    """

    chosen: dict[str, str]
    orders: list[Order]
    notifications: list[Notification] | None = None
    pinged: list[Ping] = field(default_factory=list)


class Made(NamedTuple):
    """A move that was made: its row of the log, what happened, and the public lines that say so, at least one."""

    entry: Entry
    events: tuple[Event, ...]
    lines: tuple[str, ...]


@dataclass(slots=True)
class LiveGame:
    """One running or finished game; `seq` is the last row of its log, `counting` the rows not undone."""

    row: GameRow
    seats: tuple[Seat, ...]
    game: Game
    seq: int
    counting: list[Row] = field(default_factory=list)
    waits: str | None = None
    """Why the game waits for a moderator, as sentences; None while it runs."""
    seat_history: tuple[SeatEntry, ...] = ()
    """Who has played for which seat, oldest first."""
    pause: Pause | None = None
    """The pause of the game; one that has run out is none."""
    substitutes: dict[PlayerId, SeatEntry] = field(default_factory=dict)
    """Who plays now for the holder of a seat."""
    stood: BoundedDict[int, bytes] = field(default_factory=lambda: BoundedDict(REMEMBERED))
    """The game as text, packed, after some of the rows that count, by their numbers, the latest last."""

    automatic: dict[int, int | None] = field(default_factory=dict)
    """Automatic rows, with the order that made each (None: there was no alternative)."""
    undone: Undone = field(default_factory=Undone)
    """What was undone since the last move, and may be redone."""
    workers: Workers = field(default_factory=Workers)
    """Who searches for moves."""
    known: Known | None = None
    """What else was read of it since it is held (`known.py`); None where that is not known, or not any more."""

    @property
    def id(self) -> int:
        """The game's number."""
        return self.row.id

    def held_up(self, now: str) -> str | None:
        """Why no move is possible now; None where the game runs."""
        if self.row.status == "abandoned":
            return f"Game {self.id} was abandoned."
        if self.waits is None and self.pause is not None and self.pause.lasts(now):
            return f"Game {self.id} pauses. `/game resume` ends the pause."
        return self.waits

    def make(self, walk: Cursor, user_id: int | None, mark: str = "") -> Made:
        """Make a move for the player whose offer it is; `user_id` did it (None: nobody), `mark` says how it came about.

        Raises IllegalAction, and changes nothing then.
        """
        events, lines = played(self.game, walk, marked_as=mark)
        payload = walk.action().model_dump_json()
        entry = Entry("action", payload, self.game.digest(), walk.offer.actor, user_id)
        return Made(entry, events, lines)

    def remember(self, state: str) -> None:
        """Keep the position after the last row that counts, for undos."""
        self.stood[self.counting[-1].seq] = compress(state.encode())

    def rows_of(self, entries: Sequence[Entry], now: str) -> list[Row]:
        """The rows that entries become which are stored next."""
        numbered = enumerate(entries, start=self.seq + 1)
        return [Row(self.id, n, e.kind, e.payload, e.digest, e.actor, e.user_id, now) for n, e in numbered]

    def as_it_stood(self, seq: int) -> str | None:
        """The game as text after this row, if it is remembered."""
        packed = self.stood.get(seq)
        return None if packed is None else decompress(packed).decode()

    def player_of(self, user_id: int) -> PlayerId | None:
        """The player this person plays, as holder of the seat or as a substitute; None for an onlooker."""
        held = next((seat.player_id for seat in self.seats if seat.user_id == user_id), None)
        return held or next((p for p, sub in self.substitutes.items() if sub.user_id == user_id), None)

    def user_of(self, player: PlayerId) -> int:
        """The person who plays this player now: the substitute, if there is one."""
        substitute = self.substitutes.get(player)
        return self.holder_of(player) if substitute is None else substitute.user_id

    def people_of(self, player: PlayerId) -> tuple[int, ...]:
        """Whom to ping for this player: the others where the group plays the seat; nobody for a caretaker."""
        if player in self.by_caretaker:
            return ()
        return self.others_than(player) if player in self.by_group else (self.user_of(player),)

    def others_than(self, player: PlayerId) -> tuple[int, ...]:
        """The people who have the other seats, and for whom neither the table nor a caretaker plays."""
        vanished = self.by_group | self.by_caretaker
        return tuple(s.user_id for s in self.seats if s.player_id not in {player, *vanished})

    @property
    def people(self) -> tuple[int, ...]:
        """Everybody who has a seat, in seating order; of an ended game without anonymised users."""
        return tuple(seat.user_id for seat in self.seats if seat.user_id not in (CARETAKER, ANONYMISED))

    @property
    def by_group(self) -> frozenset[PlayerId]:
        """The players whose moves the table makes by agreement, until they are back."""
        return by_group(self.seat_history)

    @property
    def taken_back(self) -> bool:
        """Whether the last row of the log is an undo."""
        return self.counting[-1].seq != self.seq

    @property
    def by_caretaker(self) -> frozenset[PlayerId]:
        """The players whose moves the computer makes, until they are back or somebody takes the seat."""
        return by_caretaker(self.seat_history)

    def holder_of(self, player: PlayerId) -> int:
        """The person who has the seat of this player; CARETAKER where nobody has."""
        return next(seat.user_id for seat in self.seats if seat.player_id == player)

    def name_of(self, player: PlayerId) -> str:
        """The name of the user who plays this player."""
        return next(seat.display_name for seat in self.seats if seat.player_id == player)


def played(game: Game, walk: Cursor, marked_as: str = "") -> tuple[tuple[Event, ...], tuple[str, ...]]:
    """Make a move; what happened, and the public lines that tell of it, at least one, with a mark behind its own line.

    Raises IllegalAction, and changes nothing then.
    """
    events = game.play(walk)
    lines = move_lines(events, game, walk.offer)
    return events, with_mark(_own_first(lines, game, walk.offer), marked_as) if marked_as else lines


def with_mark(lines: tuple[str, ...], mark: str) -> tuple[str, ...]:
    """The lines of a move; how it came about stands behind the first, which says what was done."""
    return (f"{lines[0]} {mark}", *lines[1:]) if mark else lines


def _own_first(lines: tuple[str, ...], game: Game, offer: Offer) -> tuple[str, ...]:
    """The line of what was done first, then those of what it led to; a step that was ended gets one."""
    name = marked(game).name(offer.entity)
    own = next((n for n, line in enumerate(lines) if line.startswith((name, strong(name)))), None)
    if own is not None:
        return (lines[own], *lines[:own], *lines[own + 1 :])
    return (_quiet(marked(game), offer), *lines) if offer.kind == "pass" else lines


def move_lines(events: Sequence[Event], game: Game, offer: Offer) -> tuple[str, ...]:
    """The public lines that tell of a move by an offer, at least one."""
    return tuple(sentences(events, game, MARKDOWN)) or (_quiet(marked(game), offer),)


def _quiet(words: Teller, offer: Offer) -> str:
    """Ending a step is no event; what the button said tells of it."""
    return f"{strong(words.name(offer.entity))}: {words.say(offer.label).lower()}."


def name_players(game: Game, seats: Sequence[Seat]) -> Game:
    """The game, with the current names of its players."""
    for seat in seats:
        if game.name(seat.player_id) != seat.display_name:
            game.rename(seat.player_id, seat.display_name)
    return game
