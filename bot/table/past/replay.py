"""Replay of log rows; workers run these functions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, TypeVar

from bot.table.games.loading import (
    began_under_first_rules,
    game_before_moves,
    move_maker,
    require_same_position,
)
from bot.table.markdown import MARKDOWN
from bot.table.move_lines import play_and_describe
from bot.table.past.anonymise import NamesOverTime, rename_players
from bot.table.past.history_lines import MoveHistory, line_of_accept_row
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
from storage import LogRow

T = TypeVar("T")

ROWS_PER_COMPARISON: Final = 16
"""Number of rows from one comparison of the position with the log to the next; each takes as long as a move."""


class StoredPositionMismatch(Exception):  # noqa: N818 - named after what is wrong
    """Raised if the stored position after log row `seq` differs from the log."""

    def __init__(self, seq: int) -> None:
        super().__init__(seq)
        self.seq = seq


@dataclass(frozen=True, slots=True)
class ReplayStart:
    """The start of a replay: a start row, an accept row, or a stored position.

    An accept row is stored when a moderator accepts a position. `first_row` is the last start or accept row at or
    before `row`. `state` is the stored position after `row`, if the replay starts from one.
    """

    first_row: LogRow
    row: LogRow
    state: str | None = None

    def game_before(self, rows: Sequence[LogRow]) -> Game:
        """The game at this start, before `rows` are replayed. Raises StoredPositionMismatch, EngineError."""
        if self.state is None:
            return game_before_moves((self.first_row, *rows))
        try:
            saved_position = saved_games.read_position(self.state)
            if saved_games.fingerprints_match(saved_position.digest(), self.row.digest):
                return Game.resume(saved_position)
        except EngineError as error:
            raise StoredPositionMismatch(self.row.seq) from error
        raise StoredPositionMismatch(self.row.seq)


# --- one position ----------------------------------------------------------------------------------------------------


def view_after(
    start: ReplayStart,
    rows: Sequence[LogRow],
    names: Mapping[PlayerId, str],
    view: Callable[..., T],
    *args: object,
) -> T:
    """The result of `view` for the position after the last of these rows.

    `view` gets the game, the line of the last row, the map with routes (None if that row is not a run), and `args`.
    Raises StoredPositionMismatch, EngineError.
    """
    game = start.game_before(rows)
    make_move = move_maker(start.first_row, game)
    if not rows:
        return view(rename_players(game, names), "", None, *args)
    *earlier_rows, last_row = rows
    for row in earlier_rows:
        make_move(read_action(row.payload))
    rename_players(game, names)
    action = read_action(last_row.payload)
    # The routes of a run are shown on the map before the move.
    run_map = map_view(game, action.routes) if isinstance(action, actions.RunRoutes) else None
    events = make_move(action)
    require_same_position(game, last_row)
    return view(game, "\n".join(narrate.sentences(events, game, MARKDOWN)), run_map, *args)


# --- the history -----------------------------------------------------------------------------------------------------


class ReplayedRows(NamedTuple):
    """The result of a replay: history, start for replaying later rows, and first row that differs from the log."""

    history: MoveHistory
    next_start: ReplayStart
    diverging_row: LogRow | None


def replay_history(
    start: ReplayStart, rows: Sequence[LogRow], names: NamesOverTime, after_seq: int, map_seqs: frozenset[int]
) -> ReplayedRows:
    """Replay rows and collect the history after log row `after_seq`. Raises StoredPositionMismatch.

    At first only some positions are compared with the log. If one differs, the rows are replayed again and all are
    compared, to find the first wrong one.
    """
    try:
        return _replay_rows(start, rows, names, after_seq, map_seqs, ROWS_PER_COMPARISON)
    except EngineError:
        return _replay_rows(start, rows, names, after_seq, map_seqs, 1)


def _replay_rows(
    start: ReplayStart,
    rows: Sequence[LogRow],
    names: NamesOverTime,
    after_seq: int,
    map_seqs: frozenset[int],
    rows_per_comparison: int,
) -> ReplayedRows:
    """Replay rows, comparing the position with the log once in `rows_per_comparison` rows.

    If every row is compared, the replay stops at the first that differs; otherwise EngineError is raised.
    """
    replayed_game, history, story = _ReplayedGame(names), MoveHistory(), turning_points.GameStory()
    next_start, diverging_row = start, None
    for number, row in enumerate((start.row, *rows)):
        try:
            events, line = replayed_game.replay_row(row) if number else replayed_game.start_at(start, rows)
            is_last_before_accept = number == len(rows) or rows[number].kind == "accept"
            if (is_last_before_accept or number % rows_per_comparison == 0) and not (
                row is start.row and start.state
            ):
                require_same_position(replayed_game.game, row)
        except EngineError:
            if rows_per_comparison > 1:
                raise
            diverging_row = row
            break
        story.add_events(replayed_game.game, events, row.seq)
        next_start = ReplayStart(row if row.kind == "accept" else next_start.first_row, row)
        if row.seq > after_seq:
            history.add_position(row.seq, replayed_game.game, events, line)
            if row.seq in map_seqs:
                history.maps.append(map_view(replayed_game.game))
    history.occurrences = [event for event in story.occurrences if event.move > after_seq]
    if diverging_row is None and next_start.row is not next_start.first_row:
        next_start = replace(next_start, state=replayed_game.game.dump())
    return ReplayedRows(history, next_start, diverging_row)


class _ReplayedGame:
    """A game that is being replayed, with the players' names at the time of each move."""

    game: Game

    def __init__(self, names: NamesOverTime) -> None:
        self._names = names
        self._old_rules_replay: interchange.OldRulesReplay | None = None

    def start_at(self, start: ReplayStart, rows: Sequence[LogRow]) -> tuple[Sequence[Event], str]:
        """Load the game at this start; returns no events, and the public line of the start.

        The line is empty unless the start is an accept row (stored when a moderator accepts a position).
        """
        self.game = start.game_before(rows)
        self._old_rules_replay = (
            interchange.OldRulesReplay(self.game) if began_under_first_rules(start.first_row) else None
        )
        is_accept = start.row.kind == "accept" and start.state is None
        return (), line_of_accept_row(start.row) if is_accept else ""

    def replay_row(self, row: LogRow) -> tuple[Sequence[Event], str]:
        if row.kind == "accept":
            return self.start_at(ReplayStart(row, row), ())
        game, action = rename_players(self.game, self._names.names_at(row.seq)), read_action(row.payload)
        if self._old_rules_replay is None:
            events, lines = play_and_describe(game, game.cursor_for(Request.of_action(action)))
        else:
            events = self._old_rules_replay.apply(action)
            lines = tuple(narrate.sentences(events, game, MARKDOWN))
        return events, f"`{row.seq}` " + "\n".join(lines) if lines else ""
