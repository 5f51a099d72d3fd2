"""Imports of recorded games: the bot reads a file, users claim seats, and the game continues on this server.

Until the game starts, nothing is stored in the database: the text of the public message contains the claims.
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

from bot.table.errors import NotPermitted, Refused
from bot.table.games.confirmed_writes import CHECK_GAME_LIST_HINT, confirm_write, find_stored_row
from bot.table.games.game_log import GameStart
from bot.table.markdown import count_noun, strong
from bot.table.orders.caretakers import DEFAULT_STRENGTH_NAME
from bot.table.outbox import notices
from bot.table.outbox.notices import THREAD_WELCOME_TEXT, Line, ThreadPing
from bot.table.past.past_games import ROWS_PER_STORED_POSITION
from bot.table.player_names import computer_name, distinct_name, harmless_name
from bot.table.results_and_ratings import game_results
from bot.table.settings.game_rules import chosen_rules
from bot.table.tables import Tables
from bot.workers.workers import Priority, QueuePlace
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
    CARETAKER_USER,
    GAME_SETTINGS,
    GameResult,
    GameRow,
    NewLogRow,
    OutboxMessage,
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
PLAYER_FIELDS: Final = frozenset({"actor", "entity", "buyer", "seller", "source"})
"""Fields of recorded actions whose value may be a player's id."""
MAX_REASON_LENGTH: Final = 1000
"""Maximum length of the reason shown when a file is refused, in characters."""
FINGERPRINT_KEY: Final = "recorded"
"""Key of the game setting that stores the fingerprint of the imported record."""


@dataclass(frozen=True, slots=True)
class ImportTarget:
    """Destination of an imported game: server, channel, and users (id, name) in seat order."""

    guild_id: int
    channel_id: int
    people: tuple[tuple[int, str], ...]
    thread_id: int | None = None
    """The id of the game's thread, or of the message that gets the thread. If None, a new message is posted."""


def require_size(size: int) -> None:
    """Raise Refused if a file is larger (in bytes) than any recorded game."""
    if size > interchange.MAX_LOG_BYTES:
        raise Refused(f"The file is too large: the limit is {interchange.MAX_LOG_BYTES:,} bytes.")


def read_position(path: Path, last_action_number: int | None) -> Game:
    """The position of a recorded game after action number `last_action_number` (None: the last); raises Refused."""
    return _read_file(path, last_action_number, load_game)


def read_recorded_game(path: Path, last_action_number: int | None) -> Record:
    """The recorded game in a file, up to action number `last_action_number` (None: the last); raises Refused."""
    return _read_file(path, last_action_number, load_record)


def _read_file(path: Path, last_action_number: int | None, read: Callable[[str, int | None], T]) -> T:
    try:
        return read(path.read_text("utf-8"), last_action_number)
    except OSError as error:
        raise Refused(f"Cannot read {path}: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise Refused(f"{path} is not a log: it is not text.") from error
    except EngineError as error:
        raise Refused(f"{path}: {describe_error(error)}") from error


@dataclass(frozen=True, slots=True)
class ImportedGame:
    """A recorded game whose actions have all been checked against the rules."""

    record_without_moves: Record
    """The record's title, players and options, without its actions."""
    moves: int
    text: str
    """The whole record in the bot's file format."""

    @classmethod
    def of(cls, record: Record) -> Self:
        """The ImportedGame for a record whose actions have already been checked."""
        return cls(replace(record, actions=()), len(record.actions), write_record(record))

    @property
    def fingerprint(self) -> str:
        """A hash of the whole record. Two imports of the same record have the same fingerprint."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def read_imported_game(data: bytes) -> ImportedGame:
    """Read a game from an 18xx.games log or the bot's file format, and check every action; raises Refused.

    Run by a worker, since checking replays the game.
    """
    try:
        record = load_record(data)
    except EngineError as problem:
        raise Refused(f"The bot cannot read this game: {_short_refusal_text(problem)}") from None
    if record.rules == interchange.FIRST_RULES_VERSION:
        try:
            record.initial_game().apply_all(record.actions)
        except EngineError as problem:
            reason = _short_refusal_text(problem)
            raise Refused(
                f"The bot's rules have changed since this game began, and the current ones refuse it: {reason}"
            ) from None
    return ImportedGame.of(record)


def _short_refusal_text(problem: EngineError) -> str:
    reason = describe_error(problem)
    return reason if len(reason) <= MAX_REASON_LENGTH else f"{reason[: MAX_REASON_LENGTH - 1]}…"


@dataclass(frozen=True, slots=True)
class GameToStore:
    """A recorded game ready to be stored: log rows, earlier positions, and the last position."""

    entries: tuple[NewLogRow, ...]
    earlier_positions: tuple[positions.StoredState, ...]
    state: str
    results: tuple[GameResult, ...]
    is_over: bool
    actors: tuple[PlayerId, ...]


def replay_recorded_game(text: str, taken_seats: Sequence[Seat]) -> GameToStore:
    """Replay a recorded game with these seats as its players, in seat order; run by a worker."""
    record = read_record(text)
    start = _start_of_game(record, taken_seats)
    game = start.initial_game()
    entries, stored_positions = _rows_and_positions(
        start, game, moves_with_seated_players(record, taken_seats)
    )
    scores = tuple(game_results(game))
    return GameToStore(
        tuple(entries), tuple(stored_positions), game.dump(), scores, game.is_over, game.actors()
    )


async def store_recorded_game(tables: Tables, record: Record, import_target: ImportTarget) -> int:
    """Store a recorded game as a running game of this server; returns the game's id."""
    return await store_imported_game(tables, ImportedGame.of(record), import_target)


async def store_imported_game(
    tables: Tables, imported_game: ImportedGame, import_target: ImportTarget
) -> int:
    """Store an imported game as a running game of this server; returns the game's id.

    The imported actions may use the exceptions that the profile makes for 18xx.games logs; later moves may not.
    """
    players = imported_game.record_without_moves.players
    people = import_target.people[: len(players)]
    if len(people) < len(players):
        raise Refused(
            f"The game has {len(players)} players, but only {len(people)} members of this server "
            "can take seats."
        )
    row = await _create_lobby(tables, imported_game.record_without_moves, import_target)
    try:
        await _seat_and_store(tables, imported_game, row, replace(import_target, people=people))
    except BaseException:
        with suppress(WrongStatus):  # it has started after all
            await tables.db.write(lambda tx: games.change_status(tx, row.id, ("lobby",), "abandoned"))
        raise
    tables.on_notice(row.id)
    return row.id


async def _seat_and_store(
    tables: Tables, imported_game: ImportedGame, row: GameRow, import_target: ImportTarget
) -> None:
    await GAME_SETTINGS.put(tables.db, row.id, FINGERPRINT_KEY, imported_game.fingerprint)
    now = tables.clock()
    taken_seats = [
        await seats.join_game(tables.db, row.id, user_id, name, now=now)
        for user_id, name in import_target.people
    ]
    queue = QueuePlace(Priority.QUESTION, import_target.guild_id)
    game = await tables.workers.run(queue, replay_recorded_game, imported_game.text, taken_seats)
    pending_notices, stored_at = _start_notices(game, row, imported_game.moves, import_target), tables.clock()
    write = log.commit_start(
        *(tables.db, row.id, game.entries, pending_notices),
        now=stored_at,
        state=game.state,
        thread_id=import_target.thread_id,
        results_of_game=game.results,
    )
    await confirm_write(
        write, lambda: find_stored_row(tables.db, row.id, 0, game.entries[0], stored_at), CHECK_GAME_LIST_HINT
    )
    try:
        await positions.add_positions(tables.db, row.id, game.earlier_positions)
    except StorageError as error:
        _log.warning("game %s: cannot store its earlier positions: %s", row.id, error)


async def games_imported_from(tables: Tables, imported_game: ImportedGame, guild_id: int) -> list[GameRow]:
    """Running and finished games of this server that were imported from the same record, oldest first."""
    rows = [
        await games.get_game(tables.db, number)
        for number in await GAME_SETTINGS.owners_with_value(
            tables.db, FINGERPRINT_KEY, imported_game.fingerprint
        )
    ]
    return [row for row in rows if row.guild_id == guild_id and row.status in ("running", "finished")]


def moves_with_seated_players(record: Record, taken_seats: Sequence[Seat]) -> list[Action]:
    """The recorded actions, with the record's players replaced by the players of these seats, in seat order."""
    player_by_recorded_player = {
        recorded_player: seat.player_id
        for (recorded_player, _), seat in zip(record.players, taken_seats, strict=True)
    }
    return [_with_seated_players(action, player_by_recorded_player) for action in record.actions]


async def _create_lobby(tables: Tables, record: Record, import_target: ImportTarget) -> GameRow:
    return await games.create_game(
        tables.db,
        guild_id=import_target.guild_id,
        channel_id=import_target.channel_id,
        title=record.title,
        profile=record.profile,
        options=json.dumps(sorted(record.options)),
        seed=record.seed,
        name=TITLES[record.title].name,
        now=tables.clock(),
    )


def _start_of_game(record: Record, taken_seats: Sequence[Seat]) -> GameStart:
    return GameStart(
        record.title,
        record.profile,
        tuple(sorted(record.options)),
        record.seed,
        tuple((seat.player_id, seat.display_name) for seat in taken_seats),
        from_log=min(record.from_log, len(record.actions)),
    )


def _welcome_pings(game: GameToStore, import_target: ImportTarget) -> list[OutboxMessage]:
    user_ids = tuple(user_id for user_id, _ in import_target.people if user_id != CARETAKER_USER)
    return (
        []
        if game.is_over or import_target.thread_id is None
        else [ThreadPing(user_ids, THREAD_WELCOME_TEXT).notice()]
    )


def _start_notices(
    game: GameToStore, row: GameRow, move_count: int, import_target: ImportTarget
) -> list[OutboxMessage]:
    rules, moves_text = chosen_rules(row), count_noun(move_count, "move")
    line = Line(
        f"`{len(game.entries)}` {strong(row.name)} as recorded, after {moves_text}. {rules}", is_first=True
    )
    turn_change = notices.turn_change_between((), game.actors, None)
    pending_notices = [
        notices.THREAD_NOTICE,
        notices.board_notice(),
        *_welcome_pings(game, import_target),
        line.notice(),
        turn_change.notice(),
    ]
    return [*pending_notices, notices.END_NOTICE] if game.is_over else pending_notices


def _rows_and_positions(
    start: GameStart, game: Game, actions: Sequence[Action]
) -> tuple[list[NewLogRow], list[positions.StoredState]]:
    entries, stored_positions = (
        [NewLogRow("start", start.payload(), game.digest(), "")],
        list[positions.StoredState](),
    )
    for seq, action in enumerate(actions, start=2):
        game.apply(action)
        entries.append(NewLogRow("action", action.model_dump_json(), game.digest(), action.actor))
        if seq % ROWS_PER_STORED_POSITION == 0:
            stored_positions.append(positions.StoredState(seq, entries[-1].digest, game.dump()))
    return entries, stored_positions


def _with_seated_players(action: Action, player_by_recorded_player: dict[str, str]) -> Action:
    player_values = {field: value for field, value in action if field in PLAYER_FIELDS}
    return action.model_copy(
        update={field: player_by_recorded_player.get(value, value) for field, value in player_values.items()}
    )


FREE_SEAT_TEXT: Final = "free"
FREE_SEATS_TO_COMPUTERS: Final = 0
"""Special seat number of the button that gives all free seats to computer players. It asks for confirmation."""
FREE_SEATS_TO_COMPUTERS_CONFIRMED: Final = 9
"""Special seat number of the button that confirms computer players in all free seats."""
_CLAIMANT_PATTERN: Final = re.compile(r"(?P<name>.+) \(<@(?P<user>\d+)>\)")
_CLAIM_LINE_PATTERN: Final = re.compile(r"\d+\. (?P<was>.+): (?P<by>.+)")


@dataclass(frozen=True, slots=True)
class SeatClaim:
    """A seat of an imported game: the player's name in the file, and the user (id, name) who has claimed it."""

    recorded_name: str
    claimant: tuple[int, str] | None = None

    def line(self, number: int) -> str:
        """The line about this seat in the public message."""
        claimant_text = (
            FREE_SEAT_TEXT if self.claimant is None else f"{self.claimant[1]} (<@{self.claimant[0]}>)"
        )
        return f"{number}. {self.recorded_name}: {claimant_text}"


@dataclass(frozen=True, slots=True)
class SeatClaims:
    """All seats of an imported game in order, with their claims, written in and read from a public message."""

    introduction: str
    seats: tuple[SeatClaim, ...]

    @classmethod
    def of(cls, title: str, move_count: int, players: Sequence[str]) -> Self:
        """The seats of a game before any claim."""
        names: list[str] = []
        for player in players:
            # Seats must be distinguishable by name, and `read` splits lines at colons.
            names.append(distinct_name(harmless_name(player).replace(":", " "), names))
        introduction = (
            f"{strong(title)}, imported after {count_noun(move_count, 'move')}. Press your seat to claim "
            "it, and again to give it back. The game continues when all seats are claimed "
            "or given to the computer."
        )
        return cls(introduction, tuple(map(SeatClaim, names)))

    @classmethod
    def read(cls, text: str) -> Self:
        """The claims parsed from the text of a public message; raises Refused if the text shows no claims."""
        introduction, *lines = text.split("\n")
        matches = [_CLAIM_LINE_PATTERN.fullmatch(line) for line in lines]
        if not matches or None in matches:
            raise Refused("These seats can no longer be claimed.")
        return cls(introduction, tuple(_read_claim(line["was"], line["by"]) for line in matches if line))

    def text(self) -> str:
        """The text of the public message that shows these claims."""
        return "\n".join(
            [self.introduction, *(seat.line(number) for number, seat in enumerate(self.seats, 1))]
        )

    def after_press(self, number: int, user: int, name: str) -> Self:
        """The claims after a user pressed a button, which claims or frees a seat, or fills the free seats.

        The free seats are filled with computer players, once the user has confirmed this. Raises Refused, NotPermitted.
        """
        if number in (FREE_SEATS_TO_COMPUTERS, FREE_SEATS_TO_COMPUTERS_CONFIRMED):
            self._require_claim(user)
            return self if number == FREE_SEATS_TO_COMPUTERS else self._with_computers()
        seat = self.seats[number - 1]
        if seat.claimant is not None and seat.claimant[0] != user:
            raise NotPermitted(
                f"{seat.claimant[1]} has already claimed the seat of {seat.recorded_name}. A moderator can press "
                "it to free it."
            )
        other_claims = [
            (other.recorded_name, other.claimant)
            for other in self.seats
            if other.claimant is not None and other is not seat
        ]
        own_recorded_name = next(
            (recorded_name for recorded_name, other_claimant in other_claims if other_claimant[0] == user),
            None,
        )
        if own_recorded_name is not None:
            raise Refused(
                f"You have already claimed the seat of {own_recorded_name}. Press it again to give it back."
            )
        claimant = (user, distinct_name(name, [other_claimant[1] for _, other_claimant in other_claims]))
        changed_seat = replace(seat, claimant=claimant if seat.claimant is None else None)
        return replace(self, seats=(*self.seats[: number - 1], changed_seat, *self.seats[number:]))

    def is_claimed_by_another(self, number: int, user: int) -> bool:
        """True if a user other than `user` has claimed this seat."""
        claimant = (
            None
            if number in (FREE_SEATS_TO_COMPUTERS, FREE_SEATS_TO_COMPUTERS_CONFIRMED)
            else self.seats[number - 1].claimant
        )
        return claimant is not None and claimant[0] != user

    def after_freeing(self, number: int) -> Self:
        """The claims after a moderator freed a seat."""
        freed_seat = replace(self.seats[number - 1], claimant=None)
        return replace(self, seats=(*self.seats[: number - 1], freed_seat, *self.seats[number:]))

    def _require_claim(self, user: int) -> None:
        if all(seat.claimant is None or seat.claimant[0] != user for seat in self.seats):
            raise NotPermitted(
                "Press your own seat first: only a player of this game can give the other seats to the computer."
            )

    def _with_computers(self) -> Self:
        names = [seat.claimant[1] for seat in self.seats if seat.claimant is not None]
        claimed_seats = []
        for seat in self.seats:
            claimant = seat.claimant or (CARETAKER_USER, computer_name(DEFAULT_STRENGTH_NAME, names))
            names.append(claimant[1])
            claimed_seats.append(replace(seat, claimant=claimant))
        return replace(self, seats=tuple(claimed_seats))

    def claimants(self) -> tuple[tuple[int, str], ...] | None:
        """The users (id, name) in seat order; None while any seat is free."""
        claimants = tuple(seat.claimant for seat in self.seats if seat.claimant is not None)
        return claimants if len(claimants) == len(self.seats) else None


def _read_claim(recorded_name: str, claimant_text: str) -> SeatClaim:
    match = _CLAIMANT_PATTERN.fullmatch(claimant_text)
    return (
        SeatClaim(recorded_name)
        if match is None
        else SeatClaim(recorded_name, (int(match["user"]), match["name"]))
    )
