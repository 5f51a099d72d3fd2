"""Replays of rows in a worker, from a start, an accept or a stored position."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, TypeVar

from bot.table.games.loading import game_before_moves, is_earlier, move_maker, require_same_position
from bot.table.markdown import MARKDOWN
from bot.table.move_lines import play_and_describe
from bot.table.past.anonymise import NamesOverTime, with_names
from bot.table.past.history_lines import MoveHistory, accepted_line
from engine import (
    EngineError,
    Event,
    Game,
    PlayerId,
    Request,
    actions,
    interchange,
    narrate,
    read_action,
    saved_games,
    turning_points,
)
from engine.views import map_view
from storage import Row

T = TypeVar("T")

COMPARED: Final = 16
"""Rows from one comparison with the log to the next: a digest takes as long as a move."""


class UnsoundPosition(Exception):  # noqa: N818 - named after what is wrong
    """The stored position after row `seq` does not fit the log."""

    def __init__(self, seq: int) -> None:
        super().__init__(seq)
        self.seq = seq


@dataclass(frozen=True, slots=True)
class ReplayStart:
    """The start of a replay: a start, an accept, or the stored position after `row`."""

    first: Row
    row: Row
    state: str | None = None

    def game(self, rows: Sequence[Row]) -> Game:
        """The game before these rows; raises Unsound, EngineError."""
        if self.state is None:
            return game_before_moves((self.first, *rows))
        try:
            saved = saved_games.read_saved(self.state)
            if saved_games.fingerprints_match(saved.digest(), self.row.digest):
                return Game.resumed(saved)
        except EngineError as error:
            raise UnsoundPosition(self.row.seq) from error
        raise UnsoundPosition(self.row.seq)


# --- one position ----------------------------------------------------------------------------------------------------


def look_at(
    start: ReplayStart,
    rows: Sequence[Row],
    names: Mapping[PlayerId, str],
    look: Callable[..., T],
    *args: object,
) -> T:
    """The result of `look` in the position after the last of these rows.

    `look` gets the game, what the last move did, the map with its routes over it where it was a run, and
    `args`. Raises Unsound, EngineError.
    """
    game = start.game(rows)
    make = move_maker(start.first, game)
    if not rows:
        return look(with_names(game, names), "", None, *args)
    *before, last = rows
    for row in before:
        make(read_action(row.payload))
    with_names(game, names)
    action = read_action(last.payload)
    # A company runs on the map as it is before its turn continues.
    ran = map_view(game, action.routes) if isinstance(action, actions.RunRoutes) else None
    events = make(action)
    require_same_position(game, last)
    return look(game, "\n".join(narrate.sentences(events, game, MARKDOWN)), ran, *args)


# --- the history -----------------------------------------------------------------------------------------------------


class Replayed(NamedTuple):
    """The history of some rows, the start for the rest, and the row that diverged (None: none)."""

    history: MoveHistory
    end: ReplayStart
    stray: Row | None


def replay_history(
    start: ReplayStart, rows: Sequence[Row], names: NamesOverTime, after: int, pictured: frozenset[int]
) -> Replayed:
    """The history of the rows after row `after`; raises Unsound.

    At first only some positions are compared with the log: where those are right, so are the ones before
    them.
    """
    try:
        return _replayed(start, rows, names, after, pictured, COMPARED)
    except EngineError:
        return _replayed(start, rows, names, after, pictured, 1)


def _replayed(
    start: ReplayStart,
    rows: Sequence[Row],
    names: NamesOverTime,
    after: int,
    pictured: frozenset[int],
    compared: int,
) -> Replayed:
    """The replay, ended before a diverging row if each is compared; else raises EngineError."""
    replay, replayed, story = _Replay(names), MoveHistory(), turning_points.Story()
    end, stray = start, None
    for number, row in enumerate((start.row, *rows)):
        try:
            events, line = replay.replay_row(row) if number else replay.start_at(start, rows)
            ends = number == len(rows) or rows[number].kind == "accept"
            if (ends or number % compared == 0) and not (row is start.row and start.state):
                require_same_position(replay.game, row)
        except EngineError:
            if compared > 1:
                raise
            stray = row
            break
        story.follow(replay.game, events, row.seq)
        end = ReplayStart(row if row.kind == "accept" else end.first, row)
        if row.seq > after:
            replayed.add_position(row.seq, replay.game, events, line)
            if row.seq in pictured:
                replayed.maps.append(map_view(replay.game))
    replayed.story = [event for event in story.occurrences if event.move > after]
    if stray is None and end.row is not end.first:
        end = replace(end, state=replay.game.dump())
    return Replayed(replayed, end, stray)


class _Replay:
    """A game during replay, with player names of the time."""

    game: Game

    def __init__(self, names: NamesOverTime) -> None:
        self._names = names
        self._earlier: interchange.EarlierMoves | None = None

    def start_at(self, start: ReplayStart, rows: Sequence[Row]) -> tuple[Sequence[Event], str]:
        """Start at these rows."""
        self.game = start.game(rows)
        self._earlier = interchange.EarlierMoves(self.game) if is_earlier(start.first) else None
        accepted = start.row.kind == "accept" and start.state is None
        return (), accepted_line(start.row) if accepted else ""

    def replay_row(self, row: Row) -> tuple[Sequence[Event], str]:
        """The events and line of the next row; raises EngineError."""
        if row.kind == "accept":
            return self.start_at(ReplayStart(row, row), ())
        game, action = with_names(self.game, self._names.names_at(row.seq)), read_action(row.payload)
        if self._earlier is None:
            events, lines = play_and_describe(game, game.walk(Request.of_action(action)))
        else:
            events = self._earlier.apply(action)
            lines = tuple(narrate.sentences(events, game, MARKDOWN))
        return events, f"`{row.seq}` " + "\n".join(lines) if lines else ""
