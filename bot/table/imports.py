"""Imports: a recorded game is read, its seats are claimed, and it is stored as if played here.

Claims are written in the message for everybody, and nowhere else: nothing is stored of a game that never
starts.
"""

import hashlib
import json
import logging
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Self, TypeVar

from bot.table.errors import NotYours, Refused
from bot.table.games.confirmed_writes import SEE_LIST, confirm_write, stored_row
from bot.table.games.game_log import Opening
from bot.table.markdown import count_noun, strong
from bot.table.orders.caretakers import NAME
from bot.table.outbox import notices
from bot.table.outbox.notices import PINGED_HERE, Line, ThreadPing
from bot.table.past.past_games import EVERY
from bot.table.player_names import computer_name, distinct_name, harmless
from bot.table.results_and_ratings import scored
from bot.table.settings.game_rules import chosen_rules
from bot.table.tables import Tables
from bot.workers.workers import Priority, Queue
from engine import (
    TITLES,
    Action,
    EngineError,
    Game,
    PlayerId,
    Record,
    describe_error,
    interchange,
    load_game,
    load_record,
    read_record,
    write_record,
)
from storage import (
    CARETAKER,
    GAMES,
    Entry,
    GameRow,
    OutboxMessage,
    Result,
    Seat,
    StorageError,
    WrongStatus,
    games,
    log,
    positions,
    seats,
)

_log = logging.getLogger("stationmaster.imports")

T = TypeVar("T")
PLAYERS: Final = frozenset({"actor", "entity", "buyer", "seller", "source"})
"""Fields of actions that may hold a player; no other id has the form of a player's."""
SAID: Final = 1000
"""Characters that are said of why a file cannot be read: it may have any number of them in a name."""
FILE: Final = "recorded"
"""Under which a game has the fingerprint of the record it began as."""


@dataclass(frozen=True, slots=True)
class TablePlace:
    """The place of an imported game, with its users (id, name) in seating order."""

    guild_id: int
    channel_id: int
    people: tuple[tuple[int, str], ...]
    thread_id: int | None = None
    """Its thread, or the message that it is made from; None: it gets a message, too."""


def require_size(size: int) -> None:
    """Raise Refused for a file larger than any game."""
    if size > interchange.LARGEST:
        raise Refused(f"The file is too large: the limit is {interchange.LARGEST:,} bytes.")


def read_position(path: Path, until: int | None) -> Game:
    """The position after action `until` (None: the last) of a log; raises Refused with the problem."""
    return _read(path, until, load_game)


def read_recorded(path: Path, until: int | None) -> Record:
    """The record of a log up to action `until` (None: the last); raises Refused with the problem."""
    return _read(path, until, load_record)


def _read(path: Path, until: int | None, read: Callable[[str, int | None], T]) -> T:
    try:
        return read(path.read_text("utf-8"), until)
    except OSError as error:
        raise Refused(f"Cannot read {path}: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise Refused(f"{path} is not a log: it is not text.") from error
    except EngineError as error:
        raise Refused(f"{path}: {describe_error(error)}") from error


@dataclass(frozen=True, slots=True)
class Imported:
    """A game read from a file and replayed."""

    head: Record
    """All but its actions."""
    moves: int
    text: str
    """The whole in our own form."""

    @classmethod
    def of(cls, recorded: Record) -> Self:
        """The import of a replayed game."""
        return cls(replace(recorded, actions=()), len(recorded.actions), write_record(recorded))

    @property
    def fingerprint(self) -> str:
        """A hash of players, rules and moves."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def read_imported(data: bytes) -> Imported:
    """The game in a file of either format, every action checked; raises Refused with the problem.

    For a worker: it takes as long as the whole game.
    """
    try:
        recorded = load_record(data)
    except EngineError as problem:
        raise Refused(f"The bot cannot read this game: {_shortly(problem)}") from None
    if recorded.rules == interchange.FIRST_RULES:
        try:
            recorded.initial_game().apply_all(recorded.actions)
        except EngineError as problem:
            why = _shortly(problem)
            raise Refused(
                f"The bot's rules have changed since this game began, and the current ones refuse it: {why}"
            ) from None
    return Imported.of(recorded)


def _shortly(problem: EngineError) -> str:
    said = describe_error(problem)
    return said if len(said) <= SAID else f"{said[: SAID - 1]}…"


@dataclass(frozen=True, slots=True)
class BegunGame:
    """A recorded game ready for storage: log rows, positions, and the last state."""

    entries: tuple[Entry, ...]
    kept: tuple[positions.StoredState, ...]
    state: str
    scored: tuple[Result, ...]
    over: bool
    actors: tuple[PlayerId, ...]


def begin_recorded(text: str, taken_seats: Sequence[Seat]) -> BegunGame:
    """A recorded game with a table's players, in seating order; for a worker."""
    recorded = read_record(text)
    opening = _opening(recorded, taken_seats)
    game = opening.initial_game()
    entries, kept = _rows(opening, game, renamed(recorded, taken_seats))
    scores = tuple(scored(game))
    return BegunGame(tuple(entries), tuple(kept), game.dump(), scores, game.over, game.actors())


async def add_recorded(tables: Tables, recorded: Record, place: TablePlace) -> int:
    """Store a recorded game as a running table of this server's users; returns its id."""
    return await add_imported(tables, Imported.of(recorded), place)


async def add_imported(tables: Tables, imported: Imported, place: TablePlace) -> int:
    """Store an imported game as a running table of this server's users; returns its id.

    What is recorded is read with the leniency of its profile for logs; from there on the game is like any
    other.
    """
    players = imported.head.players
    people = place.people[: len(players)]
    if len(people) < len(players):
        raise Refused(
            f"The game has {len(players)} players, but only {len(people)} members of this server "
            "can take seats."
        )
    row = await _lobby(tables, imported.head, place)
    try:
        await _seat_and_store(tables, imported, row, replace(place, people=people))
    except BaseException:
        with suppress(WrongStatus):  # it has begun nevertheless
            await tables.db.write(lambda tx: games.move_status(tx, row.id, ("lobby",), "abandoned"))
        raise
    tables.on_notice(row.id)
    return row.id


async def _seat_and_store(tables: Tables, imported: Imported, row: GameRow, place: TablePlace) -> None:
    """Seat the people, and store all moves."""
    await GAMES.put(tables.db, row.id, FILE, imported.fingerprint)
    now = tables.clock()
    taken = [await seats.join(tables.db, row.id, user_id, name, now=now) for user_id, name in place.people]
    queue = Queue(Priority.QUESTION, place.guild_id)
    game = await tables.workers.run(queue, begin_recorded, imported.text, taken)
    pending, at = _notices(game, row, imported.moves, place), tables.clock()
    commit = log.commit_start(
        *(tables.db, row.id, game.entries, pending),
        now=at,
        state=game.state,
        thread_id=place.thread_id,
        scored=game.scored,
    )
    await confirm_write(commit, lambda: stored_row(tables.db, row.id, 0, game.entries[0], at), SEE_LIST)
    try:
        await positions.add_positions(tables.db, row.id, game.kept)
    except StorageError as error:
        _log.warning("game %s: cannot store its earlier positions: %s", row.id, error)


async def games_imported_from(tables: Tables, imported: Imported, guild_id: int) -> list[GameRow]:
    """The games of a server imported from this record, oldest first."""
    found = [
        await games.get_game(tables.db, number)
        for number in await GAMES.with_value(tables.db, FILE, imported.fingerprint)
    ]
    return [row for row in found if row.guild_id == guild_id and row.status in ("running", "finished")]


def renamed(recorded: Record, taken_seats: Sequence[Seat]) -> list[Action]:
    """The recorded moves with a table's players, in seating order."""
    names = {old: seat.player_id for (old, _), seat in zip(recorded.players, taken_seats, strict=True)}
    return [_renamed(action, names) for action in recorded.actions]


async def _lobby(tables: Tables, head: Record, place: TablePlace) -> GameRow:
    return await games.create_game(
        tables.db,
        guild_id=place.guild_id,
        channel_id=place.channel_id,
        title=head.title,
        profile=head.profile,
        options=json.dumps(sorted(head.options)),
        seed=head.seed,
        name=TITLES[head.title].name,
        now=tables.clock(),
    )


def _opening(recorded: Record, taken_seats: Sequence[Seat]) -> Opening:
    return Opening(
        recorded.title,
        recorded.profile,
        tuple(sorted(recorded.options)),
        recorded.seed,
        tuple((seat.player_id, seat.display_name) for seat in taken_seats),
        from_log=min(recorded.from_log, len(recorded.actions)),
    )


def _seat_pings(game: BegunGame, place: TablePlace) -> list[OutboxMessage]:
    people = tuple(user_id for user_id, _ in place.people if user_id != CARETAKER)
    return [] if game.over or place.thread_id is None else [ThreadPing(people, PINGED_HERE).notice()]


def _notices(game: BegunGame, row: GameRow, moves: int, place: TablePlace) -> list[OutboxMessage]:
    rules, played = chosen_rules(row), count_noun(moves, "move")
    line = Line(f"`{len(game.entries)}` {strong(row.name)} as recorded, after {played}. {rules}", first=True)
    over = notices.newly_on_turn((), game.actors, None)
    pending = [
        notices.OPEN_NOTICE,
        notices.board_notice(),
        *_seat_pings(game, place),
        line.notice(),
        over.notice(),
    ]
    return [*pending, notices.END_NOTICE] if game.over else pending


def _rows(
    opening: Opening, game: Game, actions: Sequence[Action]
) -> tuple[list[Entry], list[positions.StoredState]]:
    """The rows of the log with digests, and the positions to store."""
    entries, kept = [Entry("start", opening.payload(), game.digest(), "")], list[positions.StoredState]()
    for seq, action in enumerate(actions, start=2):
        game.apply(action)
        entries.append(Entry("action", action.model_dump_json(), game.digest(), action.actor))
        if seq % EVERY == 0:
            kept.append(positions.StoredState(seq, entries[-1].digest, game.dump()))
    return entries, kept


def _renamed(action: Action, names: dict[str, str]) -> Action:
    named = {field: value for field, value in action if field in PLAYERS}
    return action.model_copy(update={field: names.get(value, value) for field, value in named.items()})


FREE: Final = "free"
REST: Final = 0
"""Number in place of a seat: the free seats shall go to the computer, which is asked once more."""
SURE: Final = 9
"""Number in place of a seat: they do."""
_TAKEN: Final = re.compile(r"(?P<name>.+) \(<@(?P<user>\d+)>\)")
_LINE: Final = re.compile(r"\d+\. (?P<was>.+): (?P<by>.+)")


@dataclass(frozen=True, slots=True)
class Claim:
    """A seat of an imported game: its player in the file, and its claimant (id, name), if any."""

    was: str
    by: tuple[int, str] | None = None

    def line(self, number: int) -> str:
        """The seat's line in the message."""
        taken = FREE if self.by is None else f"{self.by[1]} (<@{self.by[0]}>)"
        return f"{number}. {self.was}: {taken}"


@dataclass(frozen=True, slots=True)
class Claims:
    """The seats of an imported game in order, with the text above them."""

    about: str
    seats: tuple[Claim, ...]

    @classmethod
    def of(cls, title: str, moves: int, players: Sequence[str]) -> Self:
        """Claims without claimants."""
        names: list[str] = []
        for player in players:
            # Two seats that look alike could not be distinguished, nor a name with a colon be read again.
            names.append(distinct_name(harmless(player).replace(":", " "), names))
        about = (
            f"{strong(title)}, imported after {count_noun(moves, 'move')}. Press your seat to claim "
            "it, and again to give it back. The game continues when all seats are claimed, or the "
            "rest goes to the computer."
        )
        return cls(about, tuple(map(Claim, names)))

    @classmethod
    def read(cls, text: str) -> Self:
        """The claims in a message's text; raises Refused for another text."""
        about, *lines = text.split("\n")
        matches = [_LINE.fullmatch(line) for line in lines]
        if not matches or None in matches:
            raise Refused("These seats can no longer be claimed.")
        return cls(about, tuple(_claim(line["was"], line["by"]) for line in matches if line))

    def text(self) -> str:
        """The text of the message."""
        return "\n".join([self.about, *(seat.line(number) for number, seat in enumerate(self.seats, 1))])

    def pressed(self, number: int, user: int, name: str) -> Self:
        """Claims after a press on a seat, which takes or frees it; raises Refused, NotYours."""
        if number in (REST, SURE):
            self._require_seat(user)
            return self if number == REST else self._left_to_the_computer()
        seat = self.seats[number - 1]
        if seat.by is not None and seat.by[0] != user:
            raise NotYours(
                f"{seat.by[1]} has already claimed the seat of {seat.was}. A moderator can free it "
                "by pressing it."
            )
        others = [(other.was, other.by) for other in self.seats if other.by is not None and other is not seat]
        own = next((was for was, by in others if by[0] == user), None)
        if own is not None:
            raise Refused(f"You have already claimed the seat of {own}. Press it again to give it back.")
        taken = (user, distinct_name(name, [by[1] for _, by in others]))
        changed = replace(seat, by=taken if seat.by is None else None)
        return replace(self, seats=(*self.seats[: number - 1], changed, *self.seats[number:]))

    def is_anothers(self, number: int, user: int) -> bool:
        """True if another user has claimed the seat."""
        by = None if number in (REST, SURE) else self.seats[number - 1].by
        return by is not None and by[0] != user

    def freed(self, number: int) -> Self:
        """Claims after a moderator freed a seat."""
        free = replace(self.seats[number - 1], by=None)
        return replace(self, seats=(*self.seats[: number - 1], free, *self.seats[number:]))

    def _require_seat(self, user: int) -> None:
        if all(seat.by is None or seat.by[0] != user for seat in self.seats):
            raise NotYours(
                "Press your own seat first: only a player can give the other seats to the computer."
            )

    def _left_to_the_computer(self) -> Self:
        names = [seat.by[1] for seat in self.seats if seat.by is not None]
        taken = []
        for seat in self.seats:
            by = seat.by or (CARETAKER, computer_name(NAME, names))
            names.append(by[1])
            taken.append(replace(seat, by=by))
        return replace(self, seats=tuple(taken))

    def people(self) -> tuple[tuple[int, str], ...] | None:
        """The claimants in seating order; None while a seat is free."""
        taken = tuple(seat.by for seat in self.seats if seat.by is not None)
        return taken if len(taken) == len(self.seats) else None


def _claim(was: str, by: str) -> Claim:
    taken = _TAKEN.fullmatch(by)
    return Claim(was) if taken is None else Claim(was, (int(taken["user"]), taken["name"]))
