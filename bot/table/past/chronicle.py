"""The chronicle of each game: the positions and chapters of its past that are kept.

What is missing of them is made once and kept.
"""

import logging
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple, Self, TypeVar

from bot.table.errors import MovedOn
from bot.table.game_cache import Locks
from bot.table.games.loading import is_earlier
from bot.table.live import LiveGame
from bot.table.past.anonymise import Names
from bot.table.past.chapters import FORM, Anchor, Chapter, Unsound, bound_chapters, read_on
from bot.workers.workers import Queue, Workers
from engine import Game
from storage import Database, Entry, Row, SideEffects, log, positions

LARGE: Final = 200
"""Hexes of a map on which moves take long to make again; both of 18C2C have more, all others fewer than 100."""


def spacing(game: Game) -> int:
    """Rows from one kept position of a game to the next: the same at all times."""
    return positions.OFTEN if len(game.title.spec.map.all_hexes) > LARGE else positions.EVERY


def positions_to_store(
    counting: Sequence[Row], entries: Sequence[Entry], state: str, every: int
) -> SideEffects:
    """Changes to kept positions with the rows that come next, after those that count; `state` is that after them.

    An undo drops the positions that it undoes; of every `every` moves the last is kept, or the last that is
    stored with it.
    """
    last = entries[-1]
    if last.kind == "undo":
        return positions.DropPositions(counting[-1].seq)
    made = len(counting)
    if (made + len(entries)) // every == made // every:
        return log.NOTHING
    return positions.AddPosition(last.digest, state)


@dataclass(frozen=True)
class PastGame:
    """The rows of a game that count, at least one, of a log that ends with row `last`; and the names of its players."""

    game_id: int
    last: int
    rows: tuple[Row, ...]
    names: Names
    every: int = positions.EVERY
    """Rows from one kept position to the next."""

    @classmethod
    def of(cls, live: LiveGame) -> Self:
        return cls(live.id, live.seq, tuple(live.counting), Names.of(live), spacing(live.game))

    @cached_property
    def numbers(self) -> list[int]:
        return [row.seq for row in self.rows]

    @cached_property
    def _by_number(self) -> dict[int, Row]:
        return {row.seq: row for row in self.rows}

    @cached_property
    def _begins(self) -> list[Row]:
        return [row for row in self.rows if row.kind != "action"]

    def row(self, seq: int) -> Row | None:
        """The row of this number, None where it does not count."""
        return self._by_number.get(seq)

    def between(self, after: int, until: int) -> tuple[Row, ...]:
        """The rows after one and up to another."""
        return self.rows[bisect_right(self.numbers, after) : bisect_right(self.numbers, until)]

    def first(self, seq: int) -> Row:
        """The start, or the accept, from which the row `seq` was reached."""
        return next(row for row in reversed(self._begins) if row.seq <= seq)


_log = logging.getLogger("stationmaster.past")

T = TypeVar("T")

AT_ONCE: Final = 100
"""Rows that are made again in one piece of work: a quarter of a second late in the longest title."""


@dataclass(frozen=True, slots=True)
class Work:
    """Long computations in workers, and the queue in which they wait."""

    workers: Workers
    queue: Queue

    async def __call__(self, function: Callable[..., T], *values: Any) -> T:
        """The result of a function of a module for these values; raises NotDone."""
        found: T = await self.workers.run(self.queue, function, *values)
        return found


class _Gap(NamedTuple):
    """Chapters that are not there: the first begins after row `after`, and they end with these rows."""

    after: int
    ends: list[int]


class Chronicle:
    """The kept past of games."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._making = Locks()

    async def chapters(self, game: PastGame, work: Work, after: int = 0) -> Chapter:
        """The chapters of a game as one, at least those after a row; raises MovedOn."""
        while True:
            marks = await self.complete(game, work, after)
            kept = await self._read(game, [mark.seq for mark in marks if mark.seq > after])
            if kept is None:
                continue
            tail = await self._tail(game, work, marks)
            if tail is not None:
                return Chapter.whole([*kept, tail])

    async def complete(self, game: PastGame, work: Work, after: int = 0) -> list[positions.PositionMark]:
        """Make and keep what is not there yet of the chapters after a row; what is kept then, in order.

        Those who ask at the same time wait for one another. Raises MovedOn where an undo came between.
        """
        async with self._making.of(game.game_id):
            while True:
                marks = await self.marks(game)
                gap = _gap(game, marks, after)
                if gap is None:
                    return marks
                await self._fill(game, work, marks, gap)

    async def marks(self, game: PastGame) -> list[positions.PositionMark]:
        """The kept chapters and positions of a game after rows that count, in order; others are thrown away."""
        found = await positions.marks(self._db, game.game_id)
        good = [m for m in found if (row := game.row(m.seq)) is not None and row.digest == m.digest]
        there = {mark.seq for mark in good}
        await self._drop(game, [m.seq for m in found if m.seq <= game.last and m.seq not in there])
        return good

    async def near(self, game: PastGame, seq: int) -> Anchor:
        """The nearest position from which what comes after row `seq` can be reached, without looking at all others."""
        first, kept = game.first(seq), await positions.nearest(self._db, game.game_id, seq)
        row = None if kept is None else game.row(kept.seq)
        if (
            kept is None
            or row is None
            or row.digest != kept.digest
            or row.seq <= first.seq
            or is_earlier(first)
        ):
            return await self.anchor(game, await self.marks(game), seq)
        return Anchor(first, row, kept.state)

    async def anchor(self, game: PastGame, marks: Sequence[positions.PositionMark], seq: int) -> Anchor:
        """The nearest position from which what comes after row `seq` can be reached."""
        first = game.first(seq)
        kept = [mark.seq for mark in marks if first.seq < mark.seq <= seq and mark.has_state]
        # What began by the first rules is followed from there: it matters what was asked last.
        for near in [] if is_earlier(first) else reversed(kept):
            row, state = game.row(near), await positions.state(self._db, game.game_id, near)
            if row is not None and state is not None:
                return Anchor(first, row, state)
            await self._drop(game, [near])
        return Anchor(first, first, None)

    async def distrust(self, game: PastGame, anchor: Anchor) -> None:
        """Throw away a position that is not the one after its row; it is made anew."""
        await self._drop(game, [anchor.row.seq])

    async def _read(self, game: PastGame, wanted: Sequence[int]) -> list[Chapter] | None:
        """The chapters that end with these rows; None where some were not readable, which are made anew."""
        texts = await positions.chapters(self._db, game.game_id, wanted)
        read = {seq: Chapter.read(text) for seq, text in texts.items()}
        found = [read.get(seq) for seq in wanted]
        await self._drop(game, [seq for seq, one in zip(wanted, found, strict=True) if one is None])
        whole = [one for one in found if one is not None]
        return whole if len(whole) == len(wanted) else None

    async def _fill(
        self, game: PastGame, work: Work, marks: Sequence[positions.PositionMark], gap: _Gap
    ) -> None:
        """Make some of the chapters of a gap, and keep them; none where the position before it was another."""
        anchor = await self.anchor(game, marks, gap.after)
        ends = gap.ends if is_earlier(anchor.first) else gap.ends[: AT_ONCE // game.every]
        rows = game.between(anchor.row.seq, ends[-1])
        try:
            made = await work(bound_chapters, anchor, rows, frozenset({gap.after, *ends}))
        except Unsound:
            await self.distrust(game, anchor)
            return
        made = _led([one for one in made if one.seq > gap.after], marks, anchor)
        if not await positions.add(self._db, game.game_id, game.last, made):
            raise MovedOn

    async def _tail(
        self, game: PastGame, work: Work, marks: Sequence[positions.PositionMark]
    ) -> Chapter | None:
        """The chapter of the rows after what is stored; None where it must be tried again."""
        after = marks[-1].seq if marks else game.rows[0].seq
        if not game.between(after, game.last):
            return Chapter()
        anchor = await self.anchor(game, marks, after)
        try:
            return await work(read_on, anchor, game.between(anchor.row.seq, game.last), after)
        except Unsound:
            await self.distrust(game, anchor)
            return None

    async def _drop(self, game: PastGame, seqs: Sequence[int]) -> None:
        if seqs:
            _log.warning("game %s: what is kept after moves %s is thrown away", game.game_id, seqs)
            await positions.drop(self._db, game.game_id, seqs)


def _gap(game: PastGame, marks: Sequence[positions.PositionMark], after: int) -> _Gap | None:
    """The first chapters that are not there, and are asked for or lead to positions that are not there."""
    previous, begin, ends = game.rows[0].seq, 0, list[int]()
    for mark in marks:
        fits = (mark.since, mark.form) == (previous, FORM)
        if not fits and (mark.seq > after or not mark.has_state):
            begin = begin or previous
            ends += sorted({*_every(game, previous, mark.seq), mark.seq})
        elif ends:
            break
        previous = mark.seq
    if not ends:
        begin, ends = previous, _every(game, previous, game.last)[: max(0, positions.MOST - len(marks))]
    return _Gap(begin, ends) if ends else None


def _led(
    made: Sequence[positions.Position], marks: Sequence[positions.PositionMark], anchor: Anchor
) -> list[positions.Position]:
    """What was made, but for what comes after moves that do not lead where they led: past the next position kept.

    From there on it is made again, from that position.
    """
    again = {mark.seq for mark in marks if mark.has_state} if not is_earlier(anchor.first) else set[int]()
    found: list[positions.Position] = []
    for one in made:
        found.append(one)
        if one.state is None and one.seq in again:
            break
    return found


def _every(game: PastGame, after: int, until: int) -> list[int]:
    rows = game.between(after, until)
    return [row.seq for row in rows[game.every - 1 :: game.every]]
