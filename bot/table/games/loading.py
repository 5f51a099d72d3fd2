"""Loading a game from its stored state, or by replaying its log."""

import asyncio
import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from bot.table.errors import DamagedGame, Refused
from bot.table.games.game_log import (
    DamagedRow,
    GameStart,
    UndoHistory,
    checked_rows,
    rows_before,
    sound_rows,
)
from bot.table.live import CachedRows, LiveGame, name_players
from bot.table.markdown import markdown_teller
from bot.table.settings.game_rules import read_name_list
from bot.workers.errors import NotDone
from bot.workers.workers import Priority, Queue, Workers
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
    Cells,
    Database,
    Question,
    Row,
    Seat,
    StateDamaged,
    StorageError,
    ask,
    clocks,
    games,
    log,
    orders,
    positions,
    seats,
)

_log = logging.getLogger("stationmaster.loading")


async def load(db: Database, game_id: int, workers: Workers) -> LiveGame:
    """Load a started game; raises NoSuchGame, StorageError, and DamagedGame.

    If no state is stored, or a state of an earlier rules version, a worker replays the game, and the state is stored
    for the next time.
    """
    row, taken_seats, rows, stored_state, seat_history, pause, automatic_rows = await ask(
        db,
        games.question(game_id),
        seats.question(game_id),
        log.question(game_id),
        _stored_state_question(game_id),
        seats.entries_question(game_id),
        clocks.pause_question(game_id),
        orders.automatic_question(game_id),
    )
    saved_game = _sound_state(stored_state)
    try:
        effective_rows = await asyncio.to_thread(checked_rows, rows)
        if saved_game is not None and saved_game.rules == RULES_VERSION:
            game, hold_reason = await asyncio.to_thread(Game.resumed, saved_game), None
        else:
            sound_text = None if saved_game is None or stored_state is None else stored_state.state
            queue = Queue(Priority.QUESTION, row.guild_id)
            text, hold_reason = await workers.run(queue, _replay_as_text, effective_rows, sound_text)
            game = Game.load(text)
            if hold_reason is None:
                await _store_state_again(db, game_id, rows[-1], text)
    except (NotDone, StorageError):
        raise
    except DamagedRow as flaw:
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
        row_as_played(row, game),
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
    """Raise Refused for a game that has never started."""
    if row.status == "lobby":
        raise Refused(f"Game {row.id} has not started. `/game start` starts it.")
    if row.status == "abandoned" and await log.last_seq(db, row.id) == 0:
        raise Refused(f"Game {row.id} was abandoned before it started.")


async def is_current(db: Database, live: LiveGame) -> bool:
    """Update a live game's stored facts; True if it has every stored move."""
    row, seq, chosen, stored_orders = await ask(
        db,
        games.question(live.id),
        log.newest_question(live.id),
        GAME_SETTINGS.all_question(live.id),
        orders.question(live.id),
    )
    live.row, live.cached_rows = row_as_played(row, live.game), CachedRows(chosen, stored_orders)
    return seq == live.seq


async def is_seated_as_stored(db: Database, live: LiveGame) -> bool:
    """True if a live game's seats, substitutes and pause are those in the database."""
    taken_seats, seat_history, pause = await ask(
        db, seats.question(live.id), seats.entries_question(live.id), clocks.pause_question(live.id)
    )
    return (tuple(taken_seats), tuple(seat_history), pause) == (live.seats, live.seat_history, live.pause)


async def find_hidden_damage(db: Database, game_id: int) -> str | None:
    """Replay a game that can be loaded, to find damage in its log; None if there is none.

    A game that began under another rules version is not checked.
    """
    stored_rows = await log.read_rows(db, game_id)
    try:
        rows = log.rows_to_replay(checked_rows(stored_rows))
        if rules_version_of(rows[0]) != RULES_VERSION:
            return None
        await asyncio.to_thread(replayed_game, rows)
    except DamagedRow as flaw:
        return f"Somebody changed the log of game {game_id} in the database: {flaw}."
    except EngineError as error:
        return f"Somebody changed the log of game {game_id} in the database: {describe_error(error)}"
    return None


def rules_version_of(first_row: Row) -> str:
    """The rules version in a start or accept row."""
    if first_row.kind == "accept":
        return log.accepted_state(first_row.seq, first_row.payload).rules
    return GameStart.read(first_row.payload).rules


class LastGoodPosition(NamedTuple):
    """The last position of a damaged game that is consistent with its log, and its row."""

    seq: int
    game: Game
    is_stored: bool
    """True if it was stored with the last row, so that nothing is lost;

    False if it comes from replaying undamaged rows.
    """


async def last_good_position(db: Database, game_id: int, rows: Sequence[Row]) -> LastGoodPosition | None:
    """Find the last good position of a damaged game; None if there is none."""
    stored_state, taken_seats = await ask(db, _stored_state_question(game_id), seats.question(game_id))
    saved = _sound_state(stored_state)
    position = await asyncio.to_thread(_find_last_good_position, rows, saved)
    return position if position is not None and _seats_match(taken_seats, position.game) else None


async def position_after(db: Database, live: LiveGame, rows: Sequence[Row]) -> Game:
    """The game after these effective rows, with current names; raises Refused."""
    text = live.position_text(rows[-1].seq)
    if text is not None:
        return name_players(Game.load(text), live.seats)
    nearest_state = await positions.last_position_up_to(db, live.id, rows[-1].seq)
    try:
        return name_players(await asyncio.to_thread(_replay_from_stored, rows, nearest_state), live.seats)
    except EngineError as error:
        _log.exception("game %s cannot go back to row %s", live.id, rows[-1].seq)
        raise Refused(f"This cannot be undone: {describe_error(error)}") from error


def _replay_from_stored(rows: Sequence[Row], nearest_state: positions.StoredState | None) -> Game:
    """The game after these effective rows, replayed from `nearest_state` if that is sound; raises EngineError."""
    rows_to_replay = log.rows_to_replay(rows)
    saved = (
        None
        if nearest_state is None or began_under_first_rules(rows_to_replay[0])
        else _sound_state(nearest_state)
    )
    start_indexes = [
        n
        for n, row in enumerate(rows_to_replay)
        if nearest_state and (row.seq, row.digest) == (nearest_state.seq, nearest_state.digest)
    ]
    if saved is None or not start_indexes or saved.rules != RULES_VERSION:
        return replayed_game(rows)
    return _play_moves(Game.resumed(saved), rows_to_replay[start_indexes[0] + 1 :], rows_to_replay[0])


def replayed_game(rows: Sequence[Row]) -> Game:
    """The game after these effective rows, replayed from the last start or accept; raises ReplayDiverged."""
    first_row, *moves = log.rows_to_replay(rows)
    game = game_before_moves((first_row, *moves))
    require_same_position(game, first_row)
    return _play_moves(game, moves, first_row)


def _play_moves(game: Game, rows: Sequence[Row], first_row: Row) -> Game:
    """Make the moves of these rows and check each digest; `first_row` is the game's start or accept."""
    make_move = move_maker(first_row, game)
    for row in rows:
        action = read_action(row.payload)
        try:
            make_move(action)
        except IllegalAction as problem:
            raise ReplayDiverged(row.seq, problem.reason) from problem
        require_same_position(game, row)
    return game


def game_before_moves(rows: Sequence[Row]) -> Game:
    """The game at `rows[0]`, a start or accept; raises EngineError."""
    if rows[0].kind == "accept":
        return Game.load(log.accepted_state(rows[0].seq, rows[0].payload).state)
    opening = GameStart.read(rows[0].payload)
    if opening.from_log is None:
        # Rows without `from_log`: moves with old digests were made with the leniency for logs, so count them.
        opening = replace(
            opening, from_log=sum(not saved_games.is_comparable(row.digest) for row in rows[1:])
        )
    return opening.initial_game()


def move_maker(first_row: Row, game: Game) -> Callable[[Action], tuple[Event, ...]]:
    """The function that makes recorded moves: `Game.apply`, or its replacement for games under the first rules."""
    return interchange.EarlierMoves(game).apply if began_under_first_rules(first_row) else game.apply


def began_under_first_rules(first_row: Row) -> bool:
    """True if a game began under rules version 1."""
    return first_row.kind == "start" and GameStart.read(first_row.payload).rules == interchange.FIRST_RULES


def require_same_position(game: Game, row: Row) -> None:
    """Raise ReplayDiverged unless the game is in the position after this row."""
    if not game.matches_digest(row.digest):
        raise ReplayDiverged(row.seq)


def row_as_played(row: games.GameRow, game: Game) -> games.GameRow:
    """The game's row, with title, profile and options corrected to those with which the live game began."""
    named_options = read_name_list(row.options)
    options = None if named_options is None else frozenset(named_options)
    if (row.title, row.profile, options) == (game.title.id, game.profile, game.options):
        return row
    _log.warning("game %s: its title, profile or options differ from those at its start", row.id)
    options_text = json.dumps(sorted(game.options))
    return replace(row, title=game.title.id, profile=game.profile, options=options_text)


def _stored_state_question(game_id: int) -> Question[positions.StoredState | None]:
    """Return a Question for the state after the last row; None if not stored, or stored for another row."""
    question = positions.last_question(game_id)

    def read(cells: list[Cells]) -> positions.StoredState | None:
        try:
            return question.read(cells)
        except StateDamaged as error:
            _log.warning("game %s: %s", game_id, error)
            return None

    return Question(question.query, read)


def _sound_state(stored_state: positions.StoredState | None) -> saved_games.SavedPosition | None:
    """The stored state, if it can be read and fits the log; else None."""
    if stored_state is None:
        return None
    try:
        saved = saved_games.read_saved(stored_state.state)
    except Unreadable as error:
        _log.warning("the state stored after move %s cannot be read: %s", stored_state.seq, error)
        return None
    if saved_games.fingerprints_match(saved.digest(), stored_state.digest):
        return saved
    _log.warning("the state stored after move %s differs from the log", stored_state.seq)
    return None


def _replay_as_text(effective_rows: Sequence[Row], stored_text: str | None) -> tuple[str, str | None]:
    """Replay a game; return it as text, and the reason to put it on hold, if any. Raises EngineError.

    If the replay diverges under today's rules, the game keeps the position `stored_text` and is put on hold.
    """
    try:
        return replayed_game(effective_rows).dump(), None
    except ReplayDiverged as problem:
        if stored_text is None:
            raise
        saved = saved_games.read_saved(stored_text)
        game = Game.resumed(saved)
        return game.dump(), _hold_reason(game, saved, problem, effective_rows)


async def _store_state_again(db: Database, game_id: int, last_row: Row, state: str) -> None:
    try:
        await log.store_state(db, game_id, positions.StoredState(last_row.seq, last_row.digest, state))
    except StorageError as error:
        _log.warning("game %s: cannot store its state again: %s", game_id, error)


def _find_last_good_position(
    rows: Sequence[Row], saved: saved_games.SavedPosition | None
) -> LastGoodPosition | None:
    if saved is not None:
        return LastGoodPosition(rows[-1].seq, Game.resumed(saved), is_stored=True)
    sound = sound_rows(rows)
    while sound:
        effective_rows = checked_rows(sound)
        try:
            return LastGoodPosition(effective_rows[-1].seq, replayed_game(effective_rows), is_stored=False)
        except ReplayDiverged as problem:
            sound = rows_before(sound, problem.seq)
        except EngineError:  # the state in a start or accept row cannot be read
            sound = rows_before(sound, log.rows_to_replay(effective_rows)[0].seq)
    return None


def _seats_match(taken_seats: Sequence[Seat], game: Game) -> bool:
    return {seat.player_id for seat in taken_seats} == {player for player, _ in game.players}


def _damaged_game(game_id: int, problem: str) -> DamagedGame:
    return DamagedGame(
        f"Game {game_id} cannot be loaded: {problem} Its stored data is damaged, or somebody changed "
        "it in the database. No move is possible until a moderator returns the game to its last good "
        "position with `/game repair`, or ends it with `/game abandon`. A backup may have the whole game."
    )


def _hold_reason(
    game: Game, saved: saved_games.SavedPosition, problem: ReplayDiverged, rows: Sequence[Row]
) -> str:
    mover = next((row.actor for row in rows if row.seq == problem.seq), "")
    move_text = f"{game.name(mover)}'s move {problem.seq}" if mover else f"move {problem.seq}"
    if problem.reason is None:
        effect = "now leads to another position."
    else:
        effect = f"would now be refused: {markdown_teller(game).refusal(IllegalAction(problem.reason))}"
    return (
        "This game is on hold. The bot's rules have changed since its last move (from version "
        f"{saved.rules} to "
        f"{RULES_VERSION}), and {move_text} {effect} Nothing is lost: the position is "
        "unchanged. A "
        "moderator lets the game continue from it with `/game repair`; until then no move is possible."
    )
