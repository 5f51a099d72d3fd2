"""A recorded game as a table of this bot: its moves are stored as if played here, and the position posted."""

import hashlib
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Self, TypeVar

from bot.table.errors import Refused
from bot.table.games.opening import Opening
from bot.table.games.scores import scored
from bot.table.games.storing import SEE_LIST, certainly, stored_row
from bot.table.outbox import notices
from bot.table.outbox.notices import PINGED_HERE, Line, ThreadPing
from bot.table.settings.readings import chosen_rules
from bot.table.style import counted, strong
from bot.table.tables import Tables
from bot.workers.workers import Priority, Queue
from engine.core.actions import Action
from engine.core.errors import EngineError
from engine.core.ids import PlayerId
from engine.game import Game
from engine.interchange.old_exports import FIRST_RULES
from engine.record import Record, load, load_record, read_record, write_record
from engine.tell.teller import failure
from engine.titles import TITLES
from storage import games, log, seats
from storage.errors import WrongStatus
from storage.games import Game as GameRow
from storage.log import Entry
from storage.outbox import OutboxMessage
from storage.people import CARETAKER
from storage.results import Result
from storage.seats import Seat
from storage.settings import GAMES

T = TypeVar("T")
PLAYERS: Final = frozenset({"actor", "entity", "buyer", "seller", "source"})
"""Fields of actions that may hold a player; no other id has the form of a player's."""
SAID: Final = 1000
"""Characters that are said of why a file cannot be read: it may have any number of them in a name."""
FILE: Final = "recorded"
"""Under which a game has the fingerprint of the record it began as."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a recorded game is shown, and who holds its seats: (number, name) in seating order."""

    guild_id: int
    channel_id: int
    people: tuple[tuple[int, str], ...]
    thread_id: int | None = None
    """Its thread, or the message that it is made from; None: it gets a message, too."""


def read_position(path: Path, until: int | None) -> Game:
    """The position after action `until` (None: the last) of a log; raises Refused with what is wrong."""
    return _read(path, until, load)


def read_recorded(path: Path, until: int | None) -> Record:
    """A log up to action `until` (None: the last), in our form; raises Refused with what is wrong."""
    return _read(path, until, load_record)


def _read(path: Path, until: int | None, read: Callable[[str, int | None], T]) -> T:
    try:
        return read(path.read_text("utf-8"), until)
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise Refused(f"{path} is not a log: it is not text.") from error
    except EngineError as error:
        raise Refused(f"{path}: {failure(error)}") from error


@dataclass(frozen=True, slots=True)
class Imported:
    """A game that was read from a file and played through."""

    head: Record
    """All but its actions."""
    moves: int
    text: str
    """The whole in our own form."""

    @classmethod
    def of(cls, recorded: Record) -> Self:
        """A game that was played through already."""
        return cls(replace(recorded, actions=()), len(recorded.actions), write_record(recorded))

    @property
    def fingerprint(self) -> str:
        """The same for the same players, rules and moves, and for nothing else."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def read_imported(data: bytes) -> Imported:
    """The game in a file of either form, every action checked; raises Refused with what cannot be read.

    For a worker: it takes as long as the whole game.
    """
    try:
        recorded = load_record(data)
    except EngineError as problem:
        raise Refused(f"The game cannot be read: {_shortly(problem)}") from None
    if recorded.rules == FIRST_RULES:
        try:
            recorded.begin().apply_all(recorded.actions)
        except EngineError as problem:
            why = _shortly(problem)
            raise Refused(
                f"The rules have changed since the game began, and today's refuse it: {why}"
            ) from None
    return Imported.of(recorded)


def _shortly(problem: EngineError) -> str:
    said = failure(problem)
    return said if len(said) <= SAID else f"{said[: SAID - 1]}…"


@dataclass(frozen=True, slots=True)
class Begun:
    """A recorded game as it is stored: the rows of its log, and the position after them."""

    entries: tuple[Entry, ...]
    state: str
    scored: tuple[Result, ...]
    over: bool
    actors: tuple[PlayerId, ...]


def begun(text: str, taken: Sequence[Seat]) -> Begun:
    """A game in our own form, played by the players of a table, in seating order; for a worker."""
    recorded = read_record(text)
    opening = _opening(recorded, taken)
    game = opening.begin()
    entries = _entries(opening, game, renamed(recorded, taken))
    return Begun(tuple(entries), game.dump(), tuple(scored(game)), game.over, game.actors())


async def add_recorded(tables: Tables, recorded: Record, place: Place) -> int:
    """Store a recorded game as a running table, with people of this server in its seats; its number."""
    return await add_imported(tables, Imported.of(recorded), place)


async def add_imported(tables: Tables, imported: Imported, place: Place) -> int:
    """Store an imported game as a running table, with people of this server in its seats; its number.

    What is recorded is read with the leniency of its profile for logs; from there on the game is like any other.
    """
    players = imported.head.players
    people = place.people[: len(players)]
    if len(people) < len(players):
        raise Refused(
            f"The game has {len(players)} players, but this server has only {len(people)} members for them."
        )
    row = await _lobby(tables, imported.head, place)
    try:
        await _begin(tables, imported, row, replace(place, people=people))
    except BaseException:
        with suppress(WrongStatus):  # it has begun nevertheless
            await tables.db.write(lambda tx: games.move_status(tx, row.id, ("lobby",), "abandoned"))
        raise
    tables.on_notice(row.id)
    return row.id


async def _begin(tables: Tables, imported: Imported, row: GameRow, place: Place) -> None:
    """Seat the people, and store all moves."""
    await GAMES.put(tables.db, row.id, FILE, imported.fingerprint)
    now = tables.clock()
    taken = [await seats.join(tables.db, row.id, user_id, name, now=now) for user_id, name in place.people]
    queue = Queue(Priority.QUESTION, place.guild_id)
    game = await tables.workers.run(queue, begun, imported.text, taken)
    pending, at = _notices(game, row, imported.moves, place), tables.clock()
    commit = log.commit_start(
        *(tables.db, row.id, game.entries, pending),
        now=at,
        state=game.state,
        thread_id=place.thread_id,
        scored=game.scored,
    )
    await certainly(commit, lambda: stored_row(tables.db, row.id, 0, game.entries[0], at), SEE_LIST)


async def taken_from(tables: Tables, imported: Imported, guild_id: int) -> list[GameRow]:
    """The games of a server that began as this very record, oldest first."""
    found = [
        await games.get_game(tables.db, number)
        for number in await GAMES.with_value(tables.db, FILE, imported.fingerprint)
    ]
    return [row for row in found if row.guild_id == guild_id and row.status in ("running", "finished")]


def renamed(recorded: Record, taken: Sequence[Seat]) -> list[Action]:
    """The moves of a recorded game by the players of a table, in seating order."""
    names = {old: seat.player_id for (old, _), seat in zip(recorded.players, taken, strict=True)}
    return [_renamed(action, names) for action in recorded.actions]


async def _lobby(tables: Tables, head: Record, place: Place) -> GameRow:
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


def _opening(recorded: Record, taken: Sequence[Seat]) -> Opening:
    return Opening(
        recorded.title,
        recorded.profile,
        tuple(sorted(recorded.options)),
        recorded.seed,
        tuple((seat.player_id, seat.display_name) for seat in taken),
        from_log=min(recorded.from_log, len(recorded.actions)),
    )


def _seat_pings(game: Begun, place: Place) -> list[OutboxMessage]:
    """Everybody who claimed a seat is pinged in the thread of the game."""
    people = tuple(user_id for user_id, _ in place.people if user_id != CARETAKER)
    return [] if game.over or place.thread_id is None else [ThreadPing(people, PINGED_HERE).notice()]


def _notices(game: Begun, row: GameRow, moves: int, place: Place) -> list[OutboxMessage]:
    rules, played = chosen_rules(row), counted(moves, "move")
    line = Line(f"`{len(game.entries)}` {strong(row.name)} as recorded, after {played}. {rules}", opens=True)
    over = notices.hand_over((), game.actors, None)
    pending = [notices.opened(), notices.board(), *_seat_pings(game, place), line.notice(), over.notice()]
    return [*pending, notices.ended()] if game.over else pending


def _entries(opening: Opening, game: Game, actions: Sequence[Action]) -> list[Entry]:
    """The rows of the log: the start, and each action with the digest of the position after it."""
    found = [Entry("start", opening.payload(), game.digest(), "")]
    for action in actions:
        game.apply(action)
        found.append(Entry("action", action.model_dump_json(), game.digest(), action.actor))
    return found


def _renamed(action: Action, names: dict[str, str]) -> Action:
    """The same action with our seats in place of the log's players."""
    named = {field: value for field, value in action if field in PLAYERS}
    return action.model_copy(update={field: names.get(value, value) for field, value in named.items()})
