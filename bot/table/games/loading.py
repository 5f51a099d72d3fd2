"""Loading a game into memory, from its stored position or by replaying its log."""

import asyncio
import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from bot.table.errors import GameDamaged, Refused
from bot.table.games.game_log import (
    GameStart,
    RowDamaged,
    UndoHistory,
    checked_rows,
    rows_before,
    rows_before_damage,
)
from bot.table.live import CachedRows, LiveGame, name_players
from bot.table.markdown import markdown_teller
from bot.table.settings.game_rules import read_name_list
from bot.workers.errors import NotDone
from bot.workers.workers import Priority, QueuePlace, Workers
from engine import (
    RULES_VERSION,
    Action,
    EngineError,
    Event,
    Game,
    IllegalAction,
    ReplayDiverged,
    Unreadable,
    describe_error,
    interchange,
    read_action,
    saved_games,
)
from storage import (
    GAME_SETTINGS,
    Database,
    LogRow,
    ParsedQuery,
    RowValues,
    Seat,
    StateDamaged,
    StorageError,
    clocks,
    fetch,
    games,
    log,
    orders,
    positions,
    seats,
)

_log = logging.getLogger("stationmaster.loading")


async def load(db: Database, game_id: int, workers: Workers) -> LiveGame:
    """Load a started game; raises NoSuchGame, StorageError, GameDamaged.

    If no position is stored, or only a position of an earlier rules version, a worker replays the log and the resulting
    position is stored.
    """
    row, taken_seats, rows, stored_state, seat_history, pause, automatic_rows = await fetch(
        db,
        games.game_query(game_id),
        seats.seats_query(game_id),
        log.log_rows_query(game_id),
        _stored_state_query(game_id),
        seats.seat_entries_query(game_id),
        clocks.pause_query(game_id),
        orders.automatic_moves_query(game_id),
    )
    saved_position = _valid_saved_position(stored_state)
    try:
        effective_rows = await asyncio.to_thread(checked_rows, rows)
        if saved_position is not None and saved_position.rules == RULES_VERSION:
            game, hold_reason = await asyncio.to_thread(Game.resume, saved_position), None
        else:
            valid_text = None if saved_position is None or stored_state is None else stored_state.state
            queue = QueuePlace(Priority.QUESTION, row.guild_id)
            text, hold_reason = await workers.run(queue, _replay_as_text, effective_rows, valid_text)
            game = Game.load(text)
            if hold_reason is None:
                await _store_state_again(db, game_id, rows[-1], text)
    except (NotDone, StorageError):
        raise
    except RowDamaged as flaw:
        _log.error("game %s is damaged: %s", game_id, flaw)
        raise _damaged_game(game_id, f"{flaw}.") from flaw
    except EngineError as error:
        _log.exception("cannot load game %s", game_id)
        raise _damaged_game(game_id, describe_error(error)) from error
    except Exception as error:
        _log.exception("cannot load game %s", game_id)
        raise _damaged_game(game_id, "its stored data is not valid.") from error
    if not _seats_match(taken_seats, game):
        _log.error("game %s is damaged: its seats do not match its players", game_id)
        raise _damaged_game(game_id, "its stored seats do not match its players.")
    name_players(game, taken_seats)
    live = LiveGame(
        row_with_rules_of_log(row, game),
        tuple(taken_seats),
        game,
        rows[-1].seq,
        effective_rows,
        hold_reason,
        tuple(seat_history),
    )
    live.pause, live.automatic_rows = pause, automatic_rows
    live.undo_history = UndoHistory.of(rows)
    live.remember_position(game.dump())
    return live


async def require_started(db: Database, row: games.GameRow) -> None:
    """Raise Refused for a game that has not started, or was abandoned before its start."""
    if row.status == "lobby":
        raise Refused(f"Game {row.id} has not started. `/game start` starts it.")
    if row.status == "abandoned" and await log.last_seq(db, row.id) == 0:
        raise Refused(f"Game {row.id} was abandoned before it started.")


async def is_current(db: Database, live: LiveGame) -> bool:
    """True if a game in memory is current: no stored move is missing. Rereads its settings, orders and database row."""
    row, seq, settings, stored_orders = await fetch(
        db,
        games.game_query(live.id),
        log.newest_seq_query(live.id),
        GAME_SETTINGS.all_settings_query(live.id),
        orders.standing_orders_query(live.id),
    )
    live.row, live.cached_rows = row_with_rules_of_log(row, live.game), CachedRows(settings, stored_orders)
    return seq == live.seq


async def has_stored_seats(db: Database, live: LiveGame) -> bool:
    """True if a game in memory has the same seats, substitutes and pause as the database."""
    taken_seats, seat_history, pause = await fetch(
        db, seats.seats_query(live.id), seats.seat_entries_query(live.id), clocks.pause_query(live.id)
    )
    return (tuple(taken_seats), tuple(seat_history), pause) == (live.seats, live.seat_history, live.pause)


async def find_hidden_damage(db: Database, game_id: int) -> str | None:
    """A sentence about damage in the log of a game that can be loaded; None if the log replays correctly.

    None also for a game that began under another rules version, which is not checked.
    """
    stored_rows = await log.read_rows(db, game_id)
    try:
        rows = log.rows_to_replay(checked_rows(stored_rows))
        if rules_version_of(rows[0]) != RULES_VERSION:
            return None
        await asyncio.to_thread(replayed_game, rows)
    except RowDamaged as flaw:
        return f"Somebody changed the log of game {game_id} in the database: {flaw}."
    except EngineError as error:
        return f"Somebody changed the log of game {game_id} in the database: {describe_error(error)}"
    return None


def rules_version_of(first_row: LogRow) -> str:
    """The rules version in a start row or accept row (stored when a moderator accepts a position)."""
    if first_row.kind == "accept":
        return log.accepted_state(first_row.seq, first_row.payload).rules
    return GameStart.read(first_row.payload).rules


class LastGoodPosition(NamedTuple):
    """The last position of a damaged game that agrees with its log, and the number of the log row that led to it."""

    seq: int
    game: Game
    is_stored: bool
    """True if this is the latest position, which was stored as a whole, so that no move is lost.

    False if it was replayed from the log rows before the damage.
    """


async def last_good_position(db: Database, game_id: int, rows: Sequence[LogRow]) -> LastGoodPosition | None:
    """The last position of a damaged game that agrees with its log; None if no position does."""
    stored_state, taken_seats = await fetch(db, _stored_state_query(game_id), seats.seats_query(game_id))
    saved_position = _valid_saved_position(stored_state)
    position = await asyncio.to_thread(_find_last_good_position, rows, saved_position)
    return position if position is not None and _seats_match(taken_seats, position.game) else None


async def position_after(db: Database, live: LiveGame, rows: Sequence[LogRow]) -> Game:
    """The game after the last of `rows`, which are log rows from the start without undone ones; raises Refused."""
    text = live.position_text(rows[-1].seq)
    if text is not None:
        return name_players(Game.load(text), live.seats)
    nearest_state = await positions.last_position_up_to(db, live.id, rows[-1].seq)
    try:
        return name_players(await asyncio.to_thread(_replay_from_stored, rows, nearest_state), live.seats)
    except EngineError as error:
        _log.exception("game %s cannot go back to row %s", live.id, rows[-1].seq)
        raise Refused(f"This cannot be undone: {describe_error(error)}") from error


def _replay_from_stored(rows: Sequence[LogRow], nearest_state: positions.StoredState | None) -> Game:
    """The game after the last of `rows`, replayed from the stored position `nearest_state` if that is valid.

    Raises EngineError.
    """
    rows_to_replay = log.rows_to_replay(rows)
    saved_position = (
        None
        if nearest_state is None or began_under_first_rules(rows_to_replay[0])
        else _valid_saved_position(nearest_state)
    )
    start_indexes = [
        n
        for n, row in enumerate(rows_to_replay)
        if nearest_state and (row.seq, row.digest) == (nearest_state.seq, nearest_state.digest)
    ]
    if saved_position is None or not start_indexes or saved_position.rules != RULES_VERSION:
        return replayed_game(rows)
    return _game_after_moves(
        Game.resume(saved_position), rows_to_replay[start_indexes[0] + 1 :], rows_to_replay[0]
    )


def replayed_game(rows: Sequence[LogRow]) -> Game:
    """The game after the last of `rows`, replayed from the last row that stores a position.

    This is the start row or an accept row (stored when a moderator accepts a position). Raises ReplayDiverged if a
    position differs from the digest in the log.
    """
    first_row, *move_rows = log.rows_to_replay(rows)
    game = game_before_moves((first_row, *move_rows))
    require_same_position(game, first_row)
    return _game_after_moves(game, move_rows, first_row)


def _game_after_moves(game: Game, rows: Sequence[LogRow], first_row: LogRow) -> Game:
    make_move = move_maker(first_row, game)
    for row in rows:
        action = read_action(row.payload)
        try:
            make_move(action)
        except IllegalAction as problem:
            raise ReplayDiverged(row.seq, problem.reason) from problem
        require_same_position(game, row)
    return game


def game_before_moves(rows: Sequence[LogRow]) -> Game:
    """The game at `rows[0]`, a start row or accept row; raises EngineError.

    An accept row is stored when a moderator accepts a position.
    """
    if rows[0].kind == "accept":
        return Game.load(log.accepted_state(rows[0].seq, rows[0].payload).state)
    game_start = GameStart.read(rows[0].payload)
    if game_start.from_log is None:
        # Rows without `from_log`: moves with old digests were made with the leniency for logs, so count them.
        game_start = replace(
            game_start, from_log=sum(not saved_games.is_comparable(row.digest) for row in rows[1:])
        )
    return game_start.initial_game()


def move_maker(first_row: LogRow, game: Game) -> Callable[[Action], tuple[Event, ...]]:
    """The function that makes recorded moves in this game: `Game.apply`, or its variant for rules version 1.

    `first_row` is the row at which the replay began; it contains the rules version.
    """
    return interchange.OldRulesReplay(game).apply if began_under_first_rules(first_row) else game.apply


def began_under_first_rules(first_row: LogRow) -> bool:
    """True if a game began under rules version 1; `first_row` is the first row of its log."""
    return (
        first_row.kind == "start"
        and GameStart.read(first_row.payload).rules == interchange.FIRST_RULES_VERSION
    )


def require_same_position(game: Game, row: LogRow) -> None:
    """Raise ReplayDiverged unless the game's position has the digest stored in this row."""
    if not game.matches_digest(row.digest):
        raise ReplayDiverged(row.seq)


def row_with_rules_of_log(row: games.GameRow, game: Game) -> games.GameRow:
    """The game's database row, with title, profile and options replaced by those in its log."""
    named_options = read_name_list(row.options)
    options = None if named_options is None else frozenset(named_options)
    if (row.title, row.profile, options) == (game.title.id, game.profile, game.options):
        return row
    _log.warning("game %s: its title, profile or options differ from those at its start", row.id)
    options_text = json.dumps(sorted(game.options))
    return replace(row, title=game.title.id, profile=game.profile, options=options_text)


def _stored_state_query(game_id: int) -> ParsedQuery[positions.StoredState | None]:
    """A database query for a game's latest position; its answer is None if no readable position is stored."""
    parsed_query = positions.last_state_query(game_id)

    def read(cells: list[RowValues]) -> positions.StoredState | None:
        try:
            return parsed_query.read(cells)
        except StateDamaged as error:
            _log.warning("game %s: %s", game_id, error)
            return None

    return ParsedQuery(parsed_query.query, read)


def _valid_saved_position(stored_state: positions.StoredState | None) -> saved_games.SavedPosition | None:
    if stored_state is None:
        return None
    try:
        saved_position = saved_games.read_position(stored_state.state)
    except Unreadable as error:
        _log.warning("the state stored after move %s cannot be read: %s", stored_state.seq, error)
        return None
    if saved_games.fingerprints_match(saved_position.digest(), stored_state.digest):
        return saved_position
    _log.warning("the state stored after move %s differs from the log", stored_state.seq)
    return None


def _replay_as_text(effective_rows: Sequence[LogRow], stored_text: str | None) -> tuple[str, str | None]:
    """Replay a game; returns its position as text, and the reason to put the game on hold (None: no reason).

    If the moves lead to another position under the current rules, the game keeps the position `stored_text` and is on
    hold until a moderator decides. Raises EngineError.
    """
    try:
        return replayed_game(effective_rows).dump(), None
    except ReplayDiverged as problem:
        if stored_text is None:
            raise
        saved_position = saved_games.read_position(stored_text)
        game = Game.resume(saved_position)
        return game.dump(), _reason_for_hold(game, saved_position, problem, effective_rows)


async def _store_state_again(db: Database, game_id: int, last_row: LogRow, state: str) -> None:
    try:
        await log.store_state(db, game_id, positions.StoredState(last_row.seq, last_row.digest, state))
    except StorageError as error:
        _log.warning("game %s: cannot store its state again: %s", game_id, error)


def _find_last_good_position(
    rows: Sequence[LogRow], saved_position: saved_games.SavedPosition | None
) -> LastGoodPosition | None:
    if saved_position is not None:
        return LastGoodPosition(rows[-1].seq, Game.resume(saved_position), is_stored=True)
    undamaged_rows = rows_before_damage(rows)
    while undamaged_rows:
        effective_rows = checked_rows(undamaged_rows)
        try:
            return LastGoodPosition(effective_rows[-1].seq, replayed_game(effective_rows), is_stored=False)
        except ReplayDiverged as problem:
            undamaged_rows = rows_before(undamaged_rows, problem.seq)
        except EngineError:  # the state in a start or accept row cannot be read
            undamaged_rows = rows_before(undamaged_rows, log.rows_to_replay(effective_rows)[0].seq)
    return None


def _seats_match(taken_seats: Sequence[Seat], game: Game) -> bool:
    return {seat.player_id for seat in taken_seats} == {player for player, _ in game.players}


def _damaged_game(game_id: int, problem: str) -> GameDamaged:
    return GameDamaged(
        f"Game {game_id} cannot be loaded: {problem} Its stored data is damaged, or somebody changed "
        "it in the database. No move is possible until a moderator returns the game to its last good "
        "position with `/game repair`, or ends it with `/game abandon`. A backup may have the whole game."
    )


def _reason_for_hold(
    game: Game, saved_position: saved_games.SavedPosition, problem: ReplayDiverged, rows: Sequence[LogRow]
) -> str:
    mover = next((row.actor for row in rows if row.seq == problem.seq), "")
    diverging_move_text = f"{game.name(mover)}'s move {problem.seq}" if mover else f"move {problem.seq}"
    if problem.reason is None:
        effect = "now leads to another position."
    else:
        effect = f"would now be refused: {markdown_teller(game).refusal(IllegalAction(problem.reason))}"
    return (
        "This game is on hold. The bot's rules have changed since its last move (from version "
        f"{saved_position.rules} to "
        f"{RULES_VERSION}), and {diverging_move_text} {effect} Nothing is lost: the position is "
        "unchanged. A "
        "moderator lets the game continue from it with `/game repair`; until then no move is possible."
    )
