"""What can be redone: found from the log alone, so that a restart changes nothing."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Self

from storage.log import Row, undo_target


@dataclass(frozen=True, slots=True)
class Taken:
    """An undo, and the moves that counted until then and were taken away by it, oldest first."""

    undo: Row
    rows: tuple[Row, ...]

    @property
    def agreed(self) -> tuple[str, ...]:
        """The players who have agreed to it; none where nobody was asked."""
        return _agreed(self.undo)


@dataclass(frozen=True, slots=True)
class Struck:
    """An undo that has taken something away, and the first and the last of the moves it took."""

    undo: Row
    first: int
    last: int

    @property
    def moves(self) -> str:
        """`move 7`, `moves 7 to 9`."""
        return _span(self.first, self.last)

    @property
    def agreed(self) -> tuple[str, ...]:
        """The players who have agreed to it; none where nobody was asked."""
        return _agreed(self.undo)


@dataclass(slots=True)
class Undone:
    """The undos of a game since somebody moved, the newest last.

    The undone move made again is no new move: making everything that an undo removed counts as a redo.
    """

    stack: list[Taken] = field(default_factory=list)
    struck: list[Struck] = field(default_factory=list)
    """All undos since the last accept, whether or not what they took away may come back, the newest last."""
    moved: Row | None = None
    """The move, or accept, since which nothing that was taken away before comes back."""
    _again: list[Row] = field(default_factory=list)
    """What was made again so far of what the last undo has taken away."""

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Self:
        """What may be redone in a game with this log."""
        found = cls()
        for row, gone in walked(rows):
            if row.kind == "undo":
                found.taken(row, gone)
            else:
                found.made(row)
        return found

    def last(self) -> Taken | None:
        """What a redo would bring back now; None after another move."""
        return self.stack[-1] if self.stack and not self._again else None

    def since(self) -> Row | None:
        """The move since which nothing comes back; None where nothing was taken away before."""
        return self._again[-1] if self._again else self.moved

    def taken(self, undo: Row, rows: Sequence[Row]) -> None:
        """An undo has taken these rows away; what was damaged never comes back."""
        if rows:
            self.struck.append(Struck(undo, rows[0].seq, rows[-1].seq))
        if json.loads(undo.payload).get("mends"):
            self._forget(undo)
            return
        if self._again:
            self._forget(self._again[-1])
        if rows:
            self.stack.append(Taken(undo, tuple(rows)))

    def made(self, row: Row) -> None:
        """A row was stored that is no undo."""
        if row.kind == "accept":
            self._forget(row)
            self.struck = []
        if not self.stack:
            return
        expected = self.stack[-1].rows[len(self._again)]
        if _what(row) != _what(expected):
            self._forget(row)
            return
        self._again.append(row)
        if len(self._again) == len(self.stack[-1].rows):
            self.stack.pop()
            self._again = []

    def _forget(self, moved: Row) -> None:
        self.stack, self._again, self.moved = [], [], moved


def walked(rows: Sequence[Row]) -> Iterator[tuple[Row, list[Row]]]:
    """Each row of a log that matters to undos, with the rows that it took away, oldest first: none where it is no undo.

    Those are the last accept, behind which no undo goes back, and what is before which may be damaged; and every row
    from the first undo after it on.
    """
    begins = [number for number, row in enumerate(rows) if row.kind == "accept"]
    since = begins[-1] if begins else 0
    undo = next((number for number in range(since, len(rows)) if rows[number].kind == "undo"), len(rows))
    counting = list(rows[since:undo])
    if begins:
        yield rows[since], []
    for row in rows[undo:]:
        gone: list[Row] = []
        if row.kind == "undo":
            to = undo_target(row.seq, row.payload)
            while counting and counting[-1].seq > to:
                gone.append(counting.pop())
        else:
            counting.append(row)
        yield row, gone[::-1]


def those(rows: Sequence[Row]) -> str:
    """`move 7`, `moves 7 to 9`."""
    return _span(rows[0].seq, rows[-1].seq)


def _span(first: int, last: int) -> str:
    return f"move {first}" if first == last else f"moves {first} to {last}"


def _agreed(undo: Row) -> tuple[str, ...]:
    return tuple(json.loads(undo.payload).get("agreed", ()))


def _what(row: Row) -> tuple[str, str, str, str]:
    return row.kind, row.payload, row.digest, row.actor
