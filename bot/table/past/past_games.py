"""Past positions of games, replayed by workers from the nearest stored position."""

import logging
from bisect import bisect_right
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Self, TypeAlias, TypeVar

from bot.table.errors import Refused
from bot.table.games.loading import began_under_first_rules, rules_version_of
from bot.table.live import LiveGame
from bot.table.past.anonymise import NamesOverTime
from bot.table.past.history_lines import LOG_WAS_CHANGED_REASON, RULES_HAVE_CHANGED_REASON, MoveHistory
from bot.table.past.replay import ReplayStart, StoredPositionMismatch, replay_history, view_after
from bot.workers.workers import QueuePlace, Workers
from engine import RULES_VERSION, EngineError
from storage import Database, LogRow, NewLogRow, SideEffects, log, positions

_log = logging.getLogger("stationmaster.past")

T = TypeVar("T")
_PositionQuery: TypeAlias = Callable[[Database, int, int], Awaitable[positions.StoredState | None]]

ROWS_PER_STORED_POSITION: Final = 16
"""Number of log rows between stored positions. Replaying that many takes 2 ms, at most 20 ms in the largest title."""
ROWS_PER_REPLAY: Final = 1_000
"""Maximum number of log rows that one job replays, in less than a second. Most games need one job."""


def positions_to_store(
    effective_rows: Sequence[LogRow], entries: Sequence[NewLogRow], state: str
) -> SideEffects:
    """The change of stored positions that goes with new log rows; `state` is the position after them.

    An undo deletes all positions after its target. Other rows add this position if one of them is the 16th, 32nd, 48th
    (and so on) of the rows in effect.
    """
    last_entry = entries[-1]
    if last_entry.kind == "undo":
        return positions.DropPositions(effective_rows[-1].seq)
    row_count_before = len(effective_rows)
    if (
        row_count_before + len(entries)
    ) // ROWS_PER_STORED_POSITION == row_count_before // ROWS_PER_STORED_POSITION:
        return log.NO_SIDE_EFFECTS
    return positions.AddPosition(last_entry.digest, state)


@dataclass(frozen=True)
class GameToReplay:
    """Data for replaying a game: its log rows without undone ones, and its players' names.

    `last_seq` is the number of the last log row, even if that row was undone.
    """

    game_id: int
    last_seq: int
    rows: tuple[LogRow, ...]
    names: NamesOverTime

    @classmethod
    def of(cls, live: LiveGame) -> Self:
        return cls(live.id, live.seq, tuple(live.effective_rows), NamesOverTime.of(live))

    @cached_property
    def seqs(self) -> list[int]:
        return [row.seq for row in self.rows]

    @cached_property
    def _row_by_seq(self) -> dict[int, LogRow]:
        return {row.seq: row for row in self.rows}

    @cached_property
    def start_rows(self) -> list[LogRow]:
        """Log rows that contain a whole position: the start row and accept rows.

        An accept row is stored when a moderator accepts a position.
        """
        return [row for row in self.rows if row.kind != "action"]

    def row(self, seq: int) -> LogRow | None:
        """The log row with this number; None if it was undone or does not exist."""
        return self._row_by_seq.get(seq)

    def rows_between(self, after_seq: int, until_seq: int) -> tuple[LogRow, ...]:
        """The log rows after row `after_seq`, up to and including row `until_seq`, without undone ones."""
        return self.rows[bisect_right(self.seqs, after_seq) : bisect_right(self.seqs, until_seq)]

    def start_row_before(self, seq: int) -> LogRow:
        """The last start row or accept row (stored when a moderator accepts a position) at or before row `seq`."""
        return next(row for row in reversed(self.start_rows) if row.seq <= seq)


class GameReplayer:
    """Shows past positions and the history of games; workers replay the moves."""

    def __init__(self, db: Database, workers: Workers) -> None:
        self._db = db
        self._workers = workers

    async def view_position(
        self, game: GameToReplay, seq: int, queue: QueuePlace, view: Callable[..., T], *args: object
    ) -> T:
        """The result of `view` for the position after log row `seq`, computed in a worker (see `view_after`).

        Raises Refused if the row does not exist, or if its position cannot be shown.
        """
        seqs = game.seqs
        if game.row(seq) is None:
            problem = (
                f"Move {seq} was undone or does not exist"
                if seq <= game.last_seq
                else f"There is no move {seq}"
            )
            raise Refused(f"{problem}. The last one is {seqs[-1]}.")
        # A start or accept row has no effects to show, so no row before it is needed.
        start_seq = seq if game.start_row_before(seq).seq == seq else seqs[seqs.index(seq) - 1]

        async def view_once() -> T:
            start = await self._start_before(game, start_seq)
            rows = game.rows_between(start.row.seq, seq)
            return await self._workers.run(
                queue, view_after, start, rows, game.names.names_at(seq), view, *args
            )

        try:
            return await self._retry_without_wrong_positions(game, view_once)
        except EngineError as error:
            raise Refused(f"Cannot show move {seq}: the bot's rules have changed since.") from error

    async def history(
        self, game: GameToReplay, queue: QueuePlace, after_seq: int = 0, map_seqs: Collection[int] = ()
    ) -> MoveHistory:
        """The history of the moves after log row `after_seq`, with a map after each row in `map_seqs`."""
        return await self._retry_without_wrong_positions(
            game, lambda: self._replay_history(game, queue, after_seq, frozenset(map_seqs))
        )

    async def _replay_history(
        self, game: GameToReplay, queue: QueuePlace, after_seq: int, map_seqs: frozenset[int]
    ) -> MoveHistory:
        history, start = MoveHistory(), await self._start_before(game, after_seq)
        while True:
            rows = game.rows_between(start.row.seq, game.seqs[-1])
            rows = rows if began_under_first_rules(start.first_row) else rows[:ROWS_PER_REPLAY]
            replayed_rows = await self._workers.run(
                queue, replay_history, start, rows, game.names, after_seq, map_seqs
            )
            history.extend(replayed_rows.history)
            after_seq = max(after_seq, replayed_rows.next_start.row.seq)
            if replayed_rows.diverging_row is None:
                start = replayed_rows.next_start
                if start.row.seq == game.seqs[-1]:
                    return history
                continue
            next_start = await self._start_after(game, replayed_rows.diverging_row.seq)
            after_seq = _hide_unreplayable_rows(
                history, game, replayed_rows.diverging_row, next_start, after_seq
            )
            if next_start is None:
                return history
            start = next_start

    async def _retry_without_wrong_positions(
        self, game: GameToReplay, replay: Callable[[], Awaitable[T]]
    ) -> T:
        """The result of `replay`. If it meets a wrong stored position, delete that position and call `replay` again."""
        while True:
            try:
                return await replay()
            except StoredPositionMismatch as mismatch:
                await self._delete_stored_position(game, mismatch.seq)

    async def _start_before(self, game: GameToReplay, seq: int) -> ReplayStart:
        """The nearest stored position, start row or accept row at or before log row `seq`."""
        first_row = game.start_row_before(max(seq, game.rows[0].seq))
        stored_start = await self._stored_start(
            game, first_row, positions.last_position_up_to, seq, range(first_row.seq + 1, seq + 1)
        )
        return stored_start or ReplayStart(first_row, first_row)

    async def _start_after(self, game: GameToReplay, seq: int) -> ReplayStart | None:
        """The first point after row `seq` from which a replay can resume; None if there is none.

        This is a stored position or an accept row (stored when a moderator accepts a position). Row `seq` itself cannot
        be replayed.
        """
        first_row = game.start_row_before(seq)
        accept_row = next((row for row in game.start_rows if row.seq > seq), None)
        end = game.last_seq + 1 if accept_row is None else accept_row.seq
        stored_start = await self._stored_start(
            game, first_row, positions.first_position_from, seq, range(seq, end)
        )
        return stored_start or (None if accept_row is None else ReplayStart(accept_row, accept_row))

    async def _stored_start(
        self,
        game: GameToReplay,
        first_row: LogRow,
        find_position: _PositionQuery,
        seq: int,
        allowed_seqs: range,
    ) -> ReplayStart | None:
        # Games under the first rules are always replayed from the start, since some moves depend on earlier ones.
        while not began_under_first_rules(first_row):
            position = await find_position(self._db, game.game_id, seq)
            if position is None or position.seq not in allowed_seqs:
                return None
            row = game.row(position.seq)
            if row is not None and row.digest == position.digest:
                return ReplayStart(first_row, row, position.state)
            await self._delete_stored_position(game, position.seq)
        return None

    async def _delete_stored_position(self, game: GameToReplay, seq: int) -> None:
        _log.warning("game %s: dropped the position stored after move %s", game.game_id, seq)
        await positions.drop_position(self._db, game.game_id, seq)


def _hide_unreplayable_rows(
    history: MoveHistory,
    game: GameToReplay,
    diverging_row: LogRow,
    next_start: ReplayStart | None,
    after_seq: int,
) -> int:
    last_hidden_seq = (
        game.last_seq if next_start is None else next_start.row.seq - (next_start.row.kind == "accept")
    )
    seqs_to_hide = [
        row.seq for row in game.rows_between(max(after_seq, diverging_row.seq - 1), last_hidden_seq)
    ]
    if seqs_to_hide:
        is_under_current_rules = rules_version_of(game.start_row_before(diverging_row.seq)) == RULES_VERSION
        history.hide_rows(
            seqs_to_hide[0],
            seqs_to_hide[-1],
            LOG_WAS_CHANGED_REASON if is_under_current_rules else RULES_HAVE_CHANGED_REASON,
        )
    return max([after_seq, *seqs_to_hide])
