"""Games of the past: rows, and replays in workers from the nearest stored position."""

import logging
from bisect import bisect_right
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Self, TypeAlias, TypeVar

from bot.table.errors import Refused
from bot.table.games.loading import is_earlier, version_of
from bot.table.live import LiveGame
from bot.table.past.anonymise import NamesOverTime
from bot.table.past.history_lines import THE_LOG, THE_RULES, MoveHistory
from bot.table.past.replay import ReplayStart, UnsoundPosition, look_at, replay_history
from bot.workers.workers import Queue, Workers
from engine import RULES_VERSION, EngineError
from storage import Database, Entry, Row, SideEffects, log, positions

_log = logging.getLogger("stationmaster.past")

T = TypeVar("T")
_Find: TypeAlias = Callable[[Database, int, int], Awaitable[positions.StoredState | None]]

EVERY: Final = 16
"""Rows from one kept position to the next: they take 2 ms to replay, and some 20 ms late in the largest title."""
AT_ONCE: Final = 1_000
"""Rows that are replayed in one piece of work: most games, and less than a second in the largest title."""


def positions_to_store(counting: Sequence[Row], entries: Sequence[Entry], state: str) -> SideEffects:
    """Changes of stored positions for the next rows; `state` is that after them.

    An undo drops the positions that it undoes; of each sixteen moves the last is kept, or the last that is
    stored with it.
    """
    last = entries[-1]
    if last.kind == "undo":
        return positions.DropPositions(counting[-1].seq)
    made = len(counting)
    if (made + len(entries)) // EVERY == made // EVERY:
        return log.NOTHING
    return positions.AddPosition(last.digest, state)


@dataclass(frozen=True)
class PastGame:
    """A game's effective rows, at least one, of a log ending with row `last`; and player names."""

    game_id: int
    last: int
    rows: tuple[Row, ...]
    names: NamesOverTime

    @classmethod
    def of(cls, live: LiveGame) -> Self:
        return cls(live.id, live.seq, tuple(live.counting), NamesOverTime.of(live))

    @cached_property
    def numbers(self) -> list[int]:
        return [row.seq for row in self.rows]

    @cached_property
    def _by_number(self) -> dict[int, Row]:
        return {row.seq: row for row in self.rows}

    @cached_property
    def starts(self) -> list[Row]:
        """The start and the accepts."""
        return [row for row in self.rows if row.kind != "action"]

    def row(self, seq: int) -> Row | None:
        """The row of this number, None if undone."""
        return self._by_number.get(seq)

    def rows_between(self, after: int, until: int) -> tuple[Row, ...]:
        """The rows after one and up to another."""
        return self.rows[bisect_right(self.numbers, after) : bisect_right(self.numbers, until)]

    def start_before(self, seq: int) -> Row:
        """The start or accept from which row `seq` was reached."""
        return next(row for row in reversed(self.starts) if row.seq <= seq)


class PastGames:
    """Replays games in workers."""

    def __init__(self, db: Database, workers: Workers) -> None:
        self._db = db
        self._workers = workers

    async def view_position(
        self, game: PastGame, seq: int, queue: Queue, look: Callable[..., T], *args: object
    ) -> T:
        """The result of `look` in a worker, for the position after row `seq`.

        Raises Refused where there is no such position, or none can be shown.
        """
        numbers = game.numbers
        if game.row(seq) is None:
            undone = (
                f"Move {seq} was undone or does not exist" if seq <= game.last else f"There is no move {seq}"
            )
            raise Refused(f"{undone}. The last one is {numbers[-1]}.")
        # A start and an accept have done nothing that is seen only from the position before.
        before = seq if game.start_before(seq).seq == seq else numbers[numbers.index(seq) - 1]

        async def looked() -> T:
            start = await self._start_before(game, before)
            rows = game.rows_between(start.row.seq, seq)
            return await self._workers.run(queue, look_at, start, rows, game.names.names_at(seq), look, *args)

        try:
            return await self._from_sound_positions(game, looked)
        except EngineError as error:
            raise Refused(f"Cannot show move {seq}: the bot's rules have changed since.") from error

    async def history(
        self, game: PastGame, queue: Queue, after: int = 0, pictured: Collection[int] = ()
    ) -> MoveHistory:
        """The history after row `after`, with maps after the `pictured` rows."""
        return await self._from_sound_positions(
            game, lambda: self._history(game, queue, after, frozenset(pictured))
        )

    async def _history(
        self, game: PastGame, queue: Queue, after: int, pictured: frozenset[int]
    ) -> MoveHistory:
        """The history, replayed piece by piece; raises Unsound."""
        history, start = MoveHistory(), await self._start_before(game, after)
        while True:
            rows = game.rows_between(start.row.seq, game.numbers[-1])
            rows = rows if is_earlier(start.first) else rows[:AT_ONCE]
            piece = await self._workers.run(queue, replay_history, start, rows, game.names, after, pictured)
            history.extend(piece.history)
            after = max(after, piece.end.row.seq)
            if piece.stray is None:
                start = piece.end
                if start.row.seq == game.numbers[-1]:
                    return history
                continue
            resumed = await self._start_after(game, piece.stray.seq)
            after = _note_gap(history, game, piece.stray, resumed, after)
            if resumed is None:
                return history
            start = resumed

    async def _from_sound_positions(self, game: PastGame, ask: Callable[[], Awaitable[T]]) -> T:
        """The answer; asked again without a stored position that turns out to be wrong."""
        while True:
            try:
                return await ask()
            except UnsoundPosition as unsound:
                await self._drop(game, unsound.seq)

    async def _start_before(self, game: PastGame, seq: int) -> ReplayStart:
        """The nearest start for a replay of the rows after `seq`."""
        first = game.start_before(max(seq, game.rows[0].seq))
        kept = await self._stored_start(
            game, first, positions.last_position_up_to, seq, range(first.seq + 1, seq + 1)
        )
        return kept or ReplayStart(first, first)

    async def _start_after(self, game: PastGame, seq: int) -> ReplayStart | None:
        """The next start after row `seq`, which cannot be replayed: an accept or stored position."""
        first = game.start_before(seq)
        accept = next((row for row in game.starts if row.seq > seq), None)
        end = game.last + 1 if accept is None else accept.seq
        kept = await self._stored_start(game, first, positions.first_position_from, seq, range(seq, end))
        return kept or (None if accept is None else ReplayStart(accept, accept))

    async def _stored_start(
        self, game: PastGame, first_row: Row, find: _Find, seq: int, within: range
    ) -> ReplayStart | None:
        """The start at the position that `find` returns for row `seq`; None if it is not within these rows."""
        # What began by the first rules is replayed from there: it matters what was asked last.
        while not is_earlier(first_row):
            kept = await find(self._db, game.game_id, seq)
            if kept is None or kept.seq not in within:
                return None
            row = game.row(kept.seq)
            if row is not None and row.digest == kept.digest:
                return ReplayStart(first_row, row, kept.state)
            await self._drop(game, kept.seq)
        return None

    async def _drop(self, game: PastGame, seq: int) -> None:
        _log.warning("game %s: dropped the position stored after move %s", game.game_id, seq)
        await positions.drop_position(self._db, game.game_id, seq)


def _note_gap(found: MoveHistory, game: PastGame, stray: Row, end: ReplayStart | None, after: int) -> int:
    """Add hidden rows to the history; returns the last of them."""
    until = game.last if end is None else end.row.seq - (end.row.kind == "accept")
    hidden = [row.seq for row in game.rows_between(max(after, stray.seq - 1), until)]
    if hidden:
        same_rules = version_of(game.start_before(stray.seq)) == RULES_VERSION
        found.hide(hidden[0], hidden[-1], THE_LOG if same_rules else THE_RULES)
    return max([after, *hidden])
