"""The log of a game: its start row, integrity checks, and undone moves."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Self

from engine import RULES_VERSION, EngineError, Game, PlayerId, interchange, read_action
from storage import BadEntry, LogRow, log


@dataclass(frozen=True, slots=True)
class GameStart:
    """The start of a game, stored in the log's first row: title, profile, options, seed and players."""

    title: str
    profile: str
    options: tuple[str, ...]
    seed: int
    players: tuple[tuple[PlayerId, str], ...]
    from_log: int | None = 0
    """The number of moves imported from a recorded game; None in old rows, which lack this field."""
    rules: str = RULES_VERSION
    """The version of the bot's rules when the game began."""

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
            rules=content.get("rules", interchange.FIRST_RULES_VERSION),
        )

    def initial_game(self) -> Game:
        """The engine's game before the first move; raises TitleError for an unknown title."""
        return Game(
            self.title,
            self.players,
            self.seed,
            profile=self.profile,
            options=frozenset(self.options),
            from_log=self.from_log or 0,
        )


class RowDamaged(Exception):  # noqa: N818 - an error is named after what is wrong
    """Raised for an unreadable or missing log row. `seq` is its number, `str()` describes the damage."""

    def __init__(self, seq: int, damage: str) -> None:
        super().__init__(damage)
        self.seq = seq


def checked_rows(rows: Sequence[LogRow]) -> list[LogRow]:
    """The log rows that still count after all undos; raises RowDamaged if one of them cannot be read.

    An accept row is stored when a moderator accepts a position with `/game repair`; it contains the whole position. If
    a row before the last accept row is damaged, the result begins with that accept row.
    """
    try:
        return _check_rows(rows)
    except RowDamaged:
        accept_indexes = [index for index, row in enumerate(rows) if row.kind == "accept"]
        if not accept_indexes:
            raise
        return _check_rows(rows[accept_indexes[-1] :])


def rows_before(rows: Sequence[LogRow], seq: int) -> list[LogRow]:
    """The rows of a log before row `seq`, up to the first damaged one."""
    return rows_before_damage([row for row in rows if row.seq < seq])


def rows_before_damage(rows: Sequence[LogRow]) -> list[LogRow]:
    """The rows of a log up to the first damaged one."""
    while rows:
        try:
            checked_rows(rows)
        except RowDamaged as flaw:
            rows = [row for row in rows if row.seq < flaw.seq]
        else:
            break
    return list(rows)


def _check_rows(rows: Sequence[LogRow]) -> list[LogRow]:
    if not rows or (rows[0].seq > 1 and rows[0].kind != "accept"):
        raise RowDamaged(1, "move 1, its start, is missing from its log")
    undo_targets_and_seqs = [(_undo_target(row), row.seq) for row in rows if row.kind == "undo"]
    try:
        effective_rows = log.effective_rows(rows)
    except BadEntry as error:
        raise RowDamaged(rows[-1].seq, f"its log contradicts itself: {error}") from error
    missing_seq = _first_missing_seq(rows, undo_targets_and_seqs)
    for row in effective_rows:
        if missing_seq is not None and row.seq > missing_seq:
            break
        _check_row(row)
    if missing_seq is not None:
        raise RowDamaged(missing_seq, f"move {missing_seq} is missing from its log")
    return effective_rows


def _undo_target(undo_row: LogRow) -> int:
    try:
        return log.undo_target(undo_row.seq, undo_row.payload)
    except BadEntry as error:
        raise _unreadable_row(undo_row) from error


def _first_missing_seq(
    rows: Sequence[LogRow], undo_targets_and_seqs: Sequence[tuple[int, int]]
) -> int | None:
    """The number of the first log row that is missing and was not undone; None if there is none.

    `undo_targets_and_seqs` lists the undo rows, each as (number of its target row, its number).
    """
    stored_seqs = {row.seq for row in rows}
    missing_seqs = (seq for seq in range(rows[0].seq, rows[-1].seq) if seq not in stored_seqs)
    return next(
        (
            seq
            for seq in missing_seqs
            if all(not target_seq < seq < undo_seq for target_seq, undo_seq in undo_targets_and_seqs)
        ),
        None,
    )


def _check_row(row: LogRow) -> None:
    try:
        if row.kind == "start":
            GameStart.read(row.payload)
        elif row.kind == "accept":
            log.accepted_state(row.seq, row.payload)
        else:
            read_action(row.payload)
    except (EngineError, BadEntry, ValueError, LookupError, TypeError, AttributeError) as error:
        raise _unreadable_row(row) from error


def _unreadable_row(row: LogRow) -> RowDamaged:
    return RowDamaged(row.seq, f"move {row.seq} in its log cannot be read")


@dataclass(frozen=True, slots=True)
class UndoneMoves:
    """An undo row, with the rows that it undid, oldest first."""

    undo: LogRow
    rows: tuple[LogRow, ...]

    @property
    def players_who_agreed(self) -> tuple[str, ...]:
        """Players who consented to the undo; empty if it needed no consent."""
        return _players_who_agreed(self.undo)


@dataclass(frozen=True, slots=True)
class UndoneRows:
    """An undo row, with the numbers of the first and last row that it undid."""

    undo: LogRow
    first_seq: int
    last_seq: int

    @property
    def moves_text(self) -> str:
        """The undone moves in words: `move 7`, `moves 7 to 9`."""
        return _move_numbers_text(self.first_seq, self.last_seq)

    @property
    def players_who_agreed(self) -> tuple[str, ...]:
        """Players who consented to the undo; empty if it needed no consent."""
        return _players_who_agreed(self.undo)


@dataclass(slots=True)
class UndoHistory:
    """The undos in a game's log, and the moves that can still be redone.

    A new move makes a redo impossible, unless it is identical to the next undone move. Players who repeat all undone
    moves by hand get the same result as with a redo.
    """

    redo_stack: list[UndoneMoves] = field(default_factory=list)
    undone_ranges: list[UndoneRows] = field(default_factory=list)
    """All undos since the last accept row (stored when a moderator accepts a position), oldest first.

    Undos that cannot be redone now are included.
    """
    row_that_ended_redo: LogRow | None = None
    """The last move or repair that made earlier undone moves impossible to redo; None if there was none."""
    _redone_rows: list[LogRow] = field(default_factory=list)
    """Moves by hand that repeat the first moves of the last undo, until all of its moves are repeated."""

    @classmethod
    def of(cls, rows: Sequence[LogRow]) -> Self:
        """The undo history of a log."""
        history = cls()
        for row, undone_rows in rows_with_undone_rows(rows):
            if row.kind == "undo":
                history.record_undo(row, undone_rows)
            else:
                history.record_row(row)
        return history

    def next_redo(self) -> UndoneMoves | None:
        """The undone moves that a redo would make again now; None if a redo is not possible."""
        return self.redo_stack[-1] if self.redo_stack and not self._redone_rows else None

    def move_that_ended_redo(self) -> LogRow | None:
        """The move after which a redo is no longer possible; None if no move has prevented it."""
        return self._redone_rows[-1] if self._redone_rows else self.row_that_ended_redo

    def record_undo(self, undo_row: LogRow, rows: Sequence[LogRow]) -> None:
        """Record an undo row and the rows that it undid. An undo that repairs a damaged game cannot be redone."""
        if rows:
            self.undone_ranges.append(UndoneRows(undo_row, rows[0].seq, rows[-1].seq))
        if json.loads(undo_row.payload).get("mends"):
            self._forget_undone(undo_row)
            return
        if self._redone_rows:
            self._forget_undone(self._redone_rows[-1])
        if rows:
            self.redo_stack.append(UndoneMoves(undo_row, tuple(rows)))

    def record_row(self, row: LogRow) -> None:
        """Record a log row other than an undo."""
        if row.kind == "accept":
            self._forget_undone(row)
            self.undone_ranges = []
        if not self.redo_stack:
            return
        next_undone_row = self.redo_stack[-1].rows[len(self._redone_rows)]
        if _move_identity(row) != _move_identity(next_undone_row):
            self._forget_undone(row)
            return
        self._redone_rows.append(row)
        if len(self._redone_rows) == len(self.redo_stack[-1].rows):
            self.redo_stack.pop()
            self._redone_rows = []

    def _forget_undone(self, row: LogRow) -> None:
        self.redo_stack, self._redone_rows, self.row_that_ended_redo = [], [], row


def rows_with_undone_rows(rows: Sequence[LogRow]) -> Iterator[tuple[LogRow, list[LogRow]]]:
    """Yield the log rows that matter for a redo, each with the rows that it undid, oldest first.

    These are the last accept row (stored when a moderator accepts a position), if the log has one, and all rows from
    the first undo after it. Rows other than undos are yielded with an empty list.
    """
    accept_indexes = [index for index, row in enumerate(rows) if row.kind == "accept"]
    first_index = accept_indexes[-1] if accept_indexes else 0
    undo_index = next(
        (index for index in range(first_index, len(rows)) if rows[index].kind == "undo"), len(rows)
    )
    effective_rows = list(rows[first_index:undo_index])
    if accept_indexes:
        yield rows[first_index], []
    for row in rows[undo_index:]:
        undone_rows: list[LogRow] = []
        if row.kind == "undo":
            target_seq = log.undo_target(row.seq, row.payload)
            while effective_rows and effective_rows[-1].seq > target_seq:
                undone_rows.append(effective_rows.pop())
        else:
            effective_rows.append(row)
        yield row, undone_rows[::-1]


def moves_text(rows: Sequence[LogRow]) -> str:
    """The numbers of these rows in words: `move 7`, `moves 7 to 9`."""
    return _move_numbers_text(rows[0].seq, rows[-1].seq)


def _move_numbers_text(first_seq: int, last_seq: int) -> str:
    return f"move {first_seq}" if first_seq == last_seq else f"moves {first_seq} to {last_seq}"


def _players_who_agreed(undo_row: LogRow) -> tuple[str, ...]:
    return tuple(json.loads(undo_row.payload).get("agreed", ()))


def _move_identity(row: LogRow) -> tuple[str, str, str, str]:
    return row.kind, row.payload, row.digest, row.actor
