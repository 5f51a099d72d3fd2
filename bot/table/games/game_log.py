"""The log of a game: its start, effective and readable rows, and undone moves."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Self

from engine import RULES_VERSION, EngineError, Game, PlayerId, interchange, read_action
from storage import BadEntry, Row, log


@dataclass(frozen=True, slots=True)
class Opening:
    """The start of a game."""

    title: str
    profile: str
    options: tuple[str, ...]
    seed: int
    players: tuple[tuple[PlayerId, str], ...]
    from_log: int | None = 0
    """Number of first actions read from a log; None in rows from before this was stored."""
    rules: str = RULES_VERSION
    """The version of the rules that were in force."""

    def payload(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def read(cls, payload: str) -> Self:
        content = json.loads(payload)
        return cls(
            title=content["title"],
            profile=content["profile"],
            options=tuple(content["options"]),
            seed=content["seed"],
            players=tuple((player, name) for player, name in content["players"]),
            from_log=content.get("from_log"),
            rules=content.get("rules", interchange.FIRST_RULES),
        )

    def initial_game(self) -> Game:
        """The engine's game before the first move; raises TitleError."""
        return Game(
            self.title,
            self.players,
            self.seed,
            profile=self.profile,
            options=frozenset(self.options),
            from_log=self.from_log or 0,
        )


class DamagedRow(Exception):  # noqa: N818 - an error is named after what is wrong
    """A damaged log row: `seq` is its number, `str()` the damage."""

    def __init__(self, seq: int, says: str) -> None:
        super().__init__(says)
        self.seq = seq


def effective_sound_rows(rows: Sequence[Row]) -> list[Row]:
    """The effective rows, each readable; raises Flawed.

    Where what lies before the last accept is damaged, that accept is the first: it holds all that is
    needed.
    """
    try:
        return _readable_rows(rows)
    except DamagedRow:
        accepts = [number for number, row in enumerate(rows) if row.kind == "accept"]
        if not accepts:
            raise
        return _readable_rows(rows[accepts[-1] :])


def rows_before(rows: Sequence[Row], seq: int) -> list[Row]:
    """The rows of a log before a damaged one, or before the first damage."""
    return sound_rows([row for row in rows if row.seq < seq])


def sound_rows(rows: Sequence[Row]) -> list[Row]:
    """The rows of a log before the first damage."""
    while rows:
        try:
            effective_sound_rows(rows)
        except DamagedRow as flaw:
            rows = [row for row in rows if row.seq < flaw.seq]
        else:
            break
    return list(rows)


def _readable_rows(rows: Sequence[Row]) -> list[Row]:
    if not rows or (rows[0].seq > 1 and rows[0].kind != "accept"):
        raise DamagedRow(1, "move 1, its start, is missing from its log")
    undos = [(_target(row), row.seq) for row in rows if row.kind == "undo"]
    try:
        counting = log.effective_rows(rows)
    except BadEntry as error:
        raise DamagedRow(rows[-1].seq, f"its log contradicts itself: {error}") from error
    gone = _first_missing(rows, undos)
    for row in counting:
        if gone is not None and row.seq > gone:
            break
        _check_row(row)
    if gone is not None:
        raise DamagedRow(gone, f"move {gone} is missing from its log")
    return counting


def _target(undo: Row) -> int:
    try:
        return log.undo_target(undo.seq, undo.payload)
    except BadEntry as error:
        raise _unreadable(undo) from error


def _first_missing(rows: Sequence[Row], undos: Sequence[tuple[int, int]]) -> int | None:
    """The first number missing in a log and not undone; `undos` are their targets and their own numbers."""
    there = {row.seq for row in rows}
    missing = (seq for seq in range(rows[0].seq, rows[-1].seq) if seq not in there)
    return next((seq for seq in missing if all(not to < seq < undo for to, undo in undos)), None)


def _check_row(row: Row) -> None:
    """Raise Flawed unless what the row holds can be read."""
    try:
        if row.kind == "start":
            Opening.read(row.payload)
        elif row.kind == "accept":
            log.accepted(row.seq, row.payload)
        else:
            read_action(row.payload)
    except (EngineError, BadEntry, ValueError, LookupError, TypeError, AttributeError) as error:
        raise _unreadable(row) from error


def _unreadable(row: Row) -> DamagedRow:
    return DamagedRow(row.seq, f"move {row.seq} in its log cannot be read")


@dataclass(frozen=True, slots=True)
class UndoneMoves:
    """An undo, with the moves that it took back, oldest first."""

    undo: Row
    rows: tuple[Row, ...]

    @property
    def agreed(self) -> tuple[str, ...]:
        """The players who agreed to it; none if nobody was asked."""
        return _agreed(self.undo)


@dataclass(frozen=True, slots=True)
class StruckMoves:
    """An undo with the first and last of the moves it took back."""

    undo: Row
    first: int
    last: int

    @property
    def moves(self) -> str:
        """`move 7`, `moves 7 to 9`."""
        return _span(self.first, self.last)

    @property
    def agreed(self) -> tuple[str, ...]:
        """The players who agreed to it; none if nobody was asked."""
        return _agreed(self.undo)


@dataclass(slots=True)
class UndoHistory:
    """The undos since the last new move, newest last.

    The undone move made again is no new move: making everything that an undo removed counts as a redo.
    """

    stack: list[UndoneMoves] = field(default_factory=list)
    struck: list[StruckMoves] = field(default_factory=list)
    """All undos since the last accept, whether or not what they took away may come back, the newest last."""
    moved: Row | None = None
    """The move, or accept, since which nothing that was taken away before comes back."""
    _again: list[Row] = field(default_factory=list)
    """The moves of the last undo that were made again so far."""

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Self:
        """The undone moves in this log."""
        log = cls()
        for row, gone in undo_walk(rows):
            if row.kind == "undo":
                log.record_undo(row, gone)
            else:
                log.record_row(row)
        return log

    def redoable(self) -> UndoneMoves | None:
        """The moves that a redo would make; None after a new move."""
        return self.stack[-1] if self.stack and not self._again else None

    def forgotten_since(self) -> Row | None:
        """The new move that ended redo; None if nothing was undone before."""
        return self._again[-1] if self._again else self.moved

    def record_undo(self, undo: Row, rows: Sequence[Row]) -> None:
        """Record an undo of these rows; damaged ones cannot be redone."""
        if rows:
            self.struck.append(StruckMoves(undo, rows[0].seq, rows[-1].seq))
        if json.loads(undo.payload).get("mends"):
            self._forget(undo)
            return
        if self._again:
            self._forget(self._again[-1])
        if rows:
            self.stack.append(UndoneMoves(undo, tuple(rows)))

    def record_row(self, row: Row) -> None:
        """Record a row that is not an undo."""
        if row.kind == "accept":
            self._forget(row)
            self.struck = []
        if not self.stack:
            return
        expected = self.stack[-1].rows[len(self._again)]
        if _move_identity(row) != _move_identity(expected):
            self._forget(row)
            return
        self._again.append(row)
        if len(self._again) == len(self.stack[-1].rows):
            self.stack.pop()
            self._again = []

    def _forget(self, moved: Row) -> None:
        self.stack, self._again, self.moved = [], [], moved


def undo_walk(rows: Sequence[Row]) -> Iterator[tuple[Row, list[Row]]]:
    """The log rows that matter for undos, each with the rows that it took back, oldest first.

    Those are the last accept, behind which no undo goes back, and what is before which may be damaged; and
    every row from the first undo after it on.
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
            to = log.undo_target(row.seq, row.payload)
            while counting and counting[-1].seq > to:
                gone.append(counting.pop())
        else:
            counting.append(row)
        yield row, gone[::-1]


def moves_text(rows: Sequence[Row]) -> str:
    """`move 7`, `moves 7 to 9`."""
    return _span(rows[0].seq, rows[-1].seq)


def _span(first: int, last: int) -> str:
    return f"move {first}" if first == last else f"moves {first} to {last}"


def _agreed(undo: Row) -> tuple[str, ...]:
    return tuple(json.loads(undo.payload).get("agreed", ()))


def _move_identity(row: Row) -> tuple[str, str, str, str]:
    return row.kind, row.payload, row.digest, row.actor
