"""Loading a game from its stored state, or by replaying its log."""

import asyncio
import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from bot.table.errors import Damaged, Refused
from bot.table.games.game_log import (
    DamagedRow,
    Opening,
    UndoHistory,
    effective_sound_rows,
    rows_before,
    sound_rows,
)
from bot.table.live import CachedRows, LiveGame, name_players
from bot.table.markdown import markdown_teller
from bot.table.settings.game_rules import read_list
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
    GAMES,
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
    """Load a started game; raises NoSuchGame, StorageError, and Damaged.

    Where no state was kept, or one by earlier rules, a worker replays the game, and the state is kept
    again: the next time it is taken up at once.
    """
    row, taken, rows, kept, sat, pause, made_by_orders = await ask(
        db,
        games.question(game_id),
        seats.question(game_id),
        log.question(game_id),
        _kept_question(game_id),
        seats.entries_question(game_id),
        clocks.pause_question(game_id),
        orders.automatic_question(game_id),
    )
    saved = _sound(kept)
    try:
        counting = await asyncio.to_thread(effective_sound_rows, rows)
        if saved is not None and saved.rules == RULES_VERSION:
            game, waits = await asyncio.to_thread(Game.resumed, saved), None
        else:
            sound = None if saved is None or kept is None else kept.state
            queue = Queue(Priority.QUESTION, row.guild_id)
            text, waits = await workers.run(queue, _replayed_text, counting, sound)
            game = Game.load(text)
            if waits is None:
                await _keep_again(db, game_id, rows[-1], text)
    except (NotDone, StorageError):
        raise
    except DamagedRow as flaw:
        _log.error("game %s is damaged: %s", game_id, flaw)
        raise _damaged(game_id, f"{flaw}.") from flaw
    except EngineError as error:
        _log.exception("cannot load game %s", game_id)
        raise _damaged(game_id, describe_error(error)) from error
    except Exception as error:
        _log.exception("cannot load game %s", game_id)
        raise _damaged(game_id, "its stored data makes no sense.") from error
    if not _seats_match(taken, game):
        _log.error("game %s is damaged: its seats do not match its players", game_id)
        raise _damaged(game_id, "its stored seats do not match its players.")
    name_players(game, taken)
    live = LiveGame(as_played(row, game), tuple(taken), game, rows[-1].seq, counting, waits, tuple(sat))
    live.pause, live.automatic = pause, made_by_orders
    live.undo_history = UndoHistory.of(rows)
    live.remember_position(game.dump())
    return live


async def require_started(db: Database, row: games.GameRow) -> None:
    """Raise Refused for a game without a position."""
    if row.status == "lobby":
        raise Refused(f"Game {row.id} has not started. `/game start` starts it.")
    if row.status == "abandoned" and await log.last_seq(db, row.id) == 0:
        raise Refused(f"Game {row.id} was abandoned before it started.")


async def is_current(db: Database, live: LiveGame) -> bool:
    """True if a live game has every stored move; other stored changes are applied."""
    row, seq, chosen, kept = await ask(
        db,
        games.question(live.id),
        log.newest_question(live.id),
        GAMES.all_question(live.id),
        orders.question(live.id),
    )
    live.row, live.cached_rows = as_played(row, live.game), CachedRows(chosen, kept)
    return seq == live.seq


async def is_seated_as_stored(db: Database, live: LiveGame) -> bool:
    """True if a live game's seats, substitutes and pause equal the stored ones."""
    taken, sat, pause = await ask(
        db, seats.question(live.id), seats.entries_question(live.id), clocks.pause_question(live.id)
    )
    return (tuple(taken), tuple(sat), pause) == (live.seats, live.seat_history, live.pause)


async def hidden_flaw(db: Database, game_id: int) -> str | None:
    """The damage in a playable game's log; None if there is none.

    Every move is replayed. Nothing is found in a game that began by other rules.
    """
    found = await log.read_rows(db, game_id)
    try:
        rows = log.to_replay(effective_sound_rows(found))
        if version_of(rows[0]) != RULES_VERSION:
            return None
        await asyncio.to_thread(replayed, rows)
    except DamagedRow as flaw:
        return f"Somebody changed the log of game {game_id} in the database: {flaw}."
    except EngineError as error:
        return f"Somebody changed the log of game {game_id} in the database: {describe_error(error)}"
    return None


def version_of(begin: Row) -> str:
    """The rules version of a start or accept."""
    if begin.kind == "accept":
        return log.accepted(begin.seq, begin.payload).rules
    return Opening.read(begin.payload).rules


class LastGoodPosition(NamedTuple):
    """The last good position of a damaged game, with its row."""

    seq: int
    game: Game
    kept: bool
    """True if it was kept with the last row: nothing is lost; else it is reached by replaying the sound rows. Else
    it is reached by replaying what is sound.
    """


async def last_good(db: Database, game_id: int, rows: Sequence[Row]) -> LastGoodPosition | None:
    """The last good position of a damaged game; None if there is none."""
    kept, taken = await ask(db, _kept_question(game_id), seats.question(game_id))
    saved = _sound(kept)
    good = await asyncio.to_thread(_last_good, rows, saved)
    return good if good is not None and _seats_match(taken, good.game) else None


async def position_after(db: Database, live: LiveGame, rows: Sequence[Row]) -> Game:
    """The game after these effective rows; raises Refused."""
    text = live.as_it_stood(rows[-1].seq)
    if text is not None:
        return name_players(Game.load(text), live.seats)
    near = await positions.last_position_up_to(db, live.id, rows[-1].seq)
    try:
        return name_players(await asyncio.to_thread(_game_after, rows, near), live.seats)
    except EngineError as error:
        _log.exception("game %s cannot go back to row %s", live.id, rows[-1].seq)
        raise Refused(f"This cannot be undone: {describe_error(error)}") from error


def _game_after(rows: Sequence[Row], near: positions.StoredState | None) -> Game:
    """The game after these effective rows, from a sound position nearby if there is one; raises EngineError."""
    stretch = log.to_replay(rows)
    saved = None if near is None or is_earlier(stretch[0]) else _sound(near)
    at = [n for n, row in enumerate(stretch) if near and (row.seq, row.digest) == (near.seq, near.digest)]
    if saved is None or not at or saved.rules != RULES_VERSION:
        return replayed(rows)
    return _moved_on(Game.resumed(saved), stretch[at[0] + 1 :], stretch[0])


def replayed(rows: Sequence[Row]) -> Game:
    """The game after these effective rows, each move checked since the last start or accept; raises ReplayDiverged."""
    first, *moves = log.to_replay(rows)
    game = game_before_moves((first, *moves))
    require_same_position(game, first)
    return _moved_on(game, moves, first)


def _moved_on(game: Game, rows: Sequence[Row], first_row: Row) -> Game:
    """The game after further checked moves; `first_row` is its start or accept."""
    make = move_maker(first_row, game)
    for row in rows:
        action = read_action(row.payload)
        try:
            make(action)
        except IllegalAction as problem:
            raise ReplayDiverged(row.seq, problem.reason) from problem
        require_same_position(game, row)
    return game


def game_before_moves(rows: Sequence[Row]) -> Game:
    """The game before these rows' moves, the first a start or accept; raises EngineError."""
    if rows[0].kind == "accept":
        return Game.load(log.accepted(rows[0].seq, rows[0].payload).state)
    opening = Opening.read(rows[0].payload)
    if opening.from_log is None:
        # Rules and leniency for logs were one then, and stay so for what was played by them.
        opening = replace(
            opening, from_log=sum(not saved_games.is_comparable(row.digest) for row in rows[1:])
        )
    return opening.initial_game()


def move_maker(first_row: Row, game: Game) -> Callable[[Action], tuple[Event, ...]]:
    """A function that makes recorded moves; a game begun under earlier rules continues by today's."""
    return interchange.EarlierMoves(game).apply if is_earlier(first_row) else game.apply


def is_earlier(first_row: Row) -> bool:
    """True for a game begun under rules before version 2."""
    return first_row.kind == "start" and Opening.read(first_row.payload).rules == interchange.FIRST_RULES


def require_same_position(game: Game, row: Row) -> None:
    """Raise ReplayDiverged unless the game's position is that of this row."""
    if not game.matches_digest(row.digest):
        raise ReplayDiverged(row.seq)


def as_played(row: games.GameRow, game: Game) -> games.GameRow:
    """The game's row with the title, profile and options it is played by."""
    named = read_list(row.options)
    options = None if named is None else frozenset(named)
    if (row.title, row.profile, options) == (game.title.id, game.profile, game.options):
        return row
    _log.warning("game %s: its title, profile or options differ from those at its start", row.id)
    played = json.dumps(sorted(game.options))
    return replace(row, title=game.title.id, profile=game.profile, options=played)


def _kept_question(game_id: int) -> Question[positions.StoredState | None]:
    """Ask for the state stored with the last row; None for another row's."""
    question = positions.last_question(game_id)

    def read(cells: list[Cells]) -> positions.StoredState | None:
        try:
            return question.read(cells)
        except StateDamaged as error:
            _log.warning("game %s: %s", game_id, error)
            return None

    return Question(question.query, read)


def _sound(kept: positions.StoredState | None) -> saved_games.Saved | None:
    """The stored state, if it is readable and fits the log; else None."""
    if kept is None:
        return None
    try:
        saved = saved_games.read_saved(kept.state)
    except Unreadable as error:
        _log.warning("the state stored after move %s cannot be read: %s", kept.seq, error)
        return None
    if saved_games.fingerprints_match(saved.digest(), kept.digest):
        return saved
    _log.warning("the state stored after move %s differs from the log", kept.seq)
    return None


def _replayed_text(counting: Sequence[Row], kept: str | None) -> tuple[str, str | None]:
    """The game as text after these effective rows, and its reason to be on hold; raises EngineError."""
    try:
        return replayed(counting).dump(), None
    except ReplayDiverged as problem:
        if kept is None:
            raise
        saved = saved_games.read_saved(kept)
        game = Game.resumed(saved)
        return game.dump(), _waiting_reason(game, saved, problem, counting)


async def _keep_again(db: Database, game_id: int, last: Row, state: str) -> None:
    try:
        await log.store_state(db, game_id, positions.StoredState(last.seq, last.digest, state))
    except StorageError as error:
        _log.warning("game %s: cannot store its state again: %s", game_id, error)


def _last_good(rows: Sequence[Row], saved: saved_games.Saved | None) -> LastGoodPosition | None:
    if saved is not None:
        return LastGoodPosition(rows[-1].seq, Game.resumed(saved), kept=True)
    good = sound_rows(rows)
    while good:
        counting = effective_sound_rows(good)
        try:
            return LastGoodPosition(counting[-1].seq, replayed(counting), kept=False)
        except ReplayDiverged as problem:
            good = rows_before(good, problem.seq)
        except EngineError:  # the position from which the rest continues is not readable
            good = rows_before(good, log.to_replay(counting)[0].seq)
    return None


def _seats_match(taken_seats: Sequence[Seat], game: Game) -> bool:
    return {seat.player_id for seat in taken_seats} == {player for player, _ in game.players}


def _damaged(game_id: int, what: str) -> Damaged:
    return Damaged(
        f"Game {game_id} cannot be loaded: {what} Its stored data is damaged, or somebody changed "
        "it in the database. Until then no move is possible: a moderator can return the game to "
        "its last good position with `/game repair`, or end it with `/game abandon`. A backup may "
        "have the whole game."
    )


def _waiting_reason(
    game: Game, saved: saved_games.Saved, problem: ReplayDiverged, rows: Sequence[Row]
) -> str:
    actor = next((row.actor for row in rows if row.seq == problem.seq), "")
    whose = f", {game.name(actor)}'s," if actor else ""
    if problem.reason is None:
        change = "now leads to another position."
    else:
        change = f"would now be refused: {markdown_teller(game).refusal(IllegalAction(problem.reason))}"
    return (
        "This game is on hold. The bot's rules have changed since its last move (from version "
        f"{saved.rules} to "
        f"{RULES_VERSION}), and move {problem.seq}{whose} {change} Nothing is lost: the position is "
        "unchanged. A "
        "moderator lets the game continue from it with `/game repair`; until then no move is possible."
    )
