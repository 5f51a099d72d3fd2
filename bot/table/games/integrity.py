"""Whether the stored log of a game is whole: what was changed from outside is found, and how far it is sound."""

from collections.abc import Sequence

from bot.table.games.opening import Opening
from engine.core.actions import read_action
from engine.core.errors import EngineError
from storage import log
from storage.errors import BadEntry
from storage.log import Row


class Flawed(Exception):  # noqa: N818 - an error is named after what is wrong
    """A row of a log is not what was stored: `seq` is its number, `str()` a clause that says what is wrong."""

    def __init__(self, seq: int, says: str) -> None:
        super().__init__(says)
        self.seq = seq


def counted(rows: Sequence[Row]) -> list[Row]:
    """The rows that count, each whole and readable; raises Flawed.

    Where what lies before the last accept is damaged, that accept is the first: it holds all that is needed.
    """
    try:
        return _whole(rows)
    except Flawed:
        accepts = [number for number, row in enumerate(rows) if row.kind == "accept"]
        if not accepts:
            raise
        return _whole(rows[accepts[-1] :])


def before(rows: Sequence[Row], seq: int) -> list[Row]:
    """The rows of a log before one that is flawed, or before the first flaw in them."""
    return unflawed([row for row in rows if row.seq < seq])


def unflawed(rows: Sequence[Row]) -> list[Row]:
    """The rows of a log before the first flaw in them."""
    while rows:
        try:
            counted(rows)
        except Flawed as flaw:
            rows = [row for row in rows if row.seq < flaw.seq]
        else:
            break
    return list(rows)


def _whole(rows: Sequence[Row]) -> list[Row]:
    if not rows or (rows[0].seq > 1 and rows[0].kind != "accept"):
        raise Flawed(1, "move 1, with which it started, is gone from its log")
    undos = [(_target(row), row.seq) for row in rows if row.kind == "undo"]
    try:
        counting = log.fold(rows)
    except BadEntry as error:
        raise Flawed(rows[-1].seq, f"its log contradicts itself: {error}") from error
    gone = _gone(rows, undos)
    for row in counting:
        if gone is not None and row.seq > gone:
            break
        _read(row)
    if gone is not None:
        raise Flawed(gone, f"move {gone} is gone from its log")
    return counting


def _target(undo: Row) -> int:
    """The row to which an undo goes back; raises Flawed."""
    try:
        return log.undo_target(undo.seq, undo.payload)
    except BadEntry as error:
        raise _unreadable(undo) from error


def _gone(rows: Sequence[Row], undos: Sequence[tuple[int, int]]) -> int | None:
    """The first number that is missing in a log and was not undone; `undos` are their targets and their own numbers."""
    there = {row.seq for row in rows}
    missing = (seq for seq in range(rows[0].seq, rows[-1].seq) if seq not in there)
    return next((seq for seq in missing if all(not to < seq < undo for to, undo in undos)), None)


def _read(row: Row) -> None:
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


def _unreadable(row: Row) -> Flawed:
    return Flawed(row.seq, f"move {row.seq} in its log cannot be read")
