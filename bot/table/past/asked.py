"""A game as it is when somebody asks about its past."""

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from bot.table.live import LiveGame
from bot.table.past.keeping import spacing
from bot.table.past.names import Names
from storage.log import Row
from storage.positions import EVERY


@dataclass(frozen=True)
class PastGame:
    """The rows of a game that count, at least one, of a log that ends with row `last`; and the names of its players."""

    game_id: int
    last: int
    rows: tuple[Row, ...]
    names: Names
    every: int = EVERY
    """Rows from one kept position to the next."""

    @classmethod
    def of(cls, live: LiveGame) -> Self:
        """That of a live game."""
        return cls(live.id, live.seq, tuple(live.counting), Names.of(live), spacing(live.game))

    @cached_property
    def numbers(self) -> list[int]:
        """The numbers of the rows."""
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
