"""The upper part of a turn message: lines about the turn's moves, with undone moves struck out."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final, Self

from bot.client.game_texts import MAX_MESSAGE_LENGTH
from bot.table.live import LiveGame
from bot.table.outbox.notices import Line
from engine import Coord
from storage import messages

NUMBERED_LINE_PATTERN: Final = re.compile(r"`(\d+)` (.*)")
"""Regex for the first line about a move: its number and text."""
SMALL_PREFIX: Final = "-# "
"""Discord's markdown for small text, used for lines that belong to no move."""
COMPANY_SUBJECT_PATTERN: Final = re.compile(r"((?:`\d+` )?(?:~~)?\*\*[^*]+\*\*) (\([^()]+\)) ")
"""Regex for the subject at a line's start: a company's name and its president."""
TURN_TEXT_GAP: Final = "\n\n"
"""The blank line in a turn message between the lines about moves and the text below them."""


def line_belongs_to_turn(payload: str) -> bool:
    """True if a line goes into the turn message: it is about a move, or is a note. Others get a separate message."""
    line = Line.read(payload)
    return line.is_note or NUMBERED_LINE_PATTERN.match(line.text) is not None


def leading_line_rows(
    rows: Iterable[messages.OutboxNotice], round_row_id: int | None = None
) -> list[messages.OutboxNotice]:
    """The unposted lines with which a new turn message starts: notes after the last move, and a new round's moves.

    `round_row_id` is the id of the outbox row about that round, if that row is not posted yet.
    """

    def is_leading_row(row: messages.OutboxNotice) -> bool:
        line = Line.read(row.payload)
        return line.is_note or line.is_after_round or (round_row_id is not None and row.id > round_row_id)

    return [*takewhile(is_leading_row, reversed([row for row in rows if _is_unposted_row(row)]))][::-1]


def line_text(line: Line) -> str:
    """A line as a post shows it: in small text if it is a note (about no move), empty if marked silent."""
    line_parts = [] if line.is_silent else line.text.split("\n")
    return "\n".join(
        f"{SMALL_PREFIX}{part.removeprefix(SMALL_PREFIX)}" if line.is_note else part for part in line_parts
    )


@dataclass(frozen=True, slots=True)
class TurnLog:
    """The lines that a turn message shows, and the changed hexes that they report."""

    text: str = ""
    hexes: tuple[Coord, ...] = ()
    """Hexes that the moves of this turn have changed."""
    pictured_row_ids: tuple[int, ...] = ()
    """Outbox rows of the lines that report changes of the map."""
    new_row_ids: tuple[int, ...] = ()
    """Outbox rows of lines that this message shows for the first time."""
    must_show_at_once: bool = False
    """True if a new line must be seen at once, so that it needs a new message."""

    @classmethod
    def of_message(
        cls, live: LiveGame, rows: Iterable[messages.OutboxNotice], message_id: int | None
    ) -> Self:
        """The lines for a turn message: those that it already shows, and as many unposted ones as fit."""
        if message_id is None:
            return cls()
        rows_and_lines = [
            (row, Line.read(row.payload))
            for row in rows
            if row.message_id == message_id or _is_unposted_row(row)
        ]
        texts = [with_undone_struck_out(live, line_text(line)) for _, line in rows_and_lines]
        while len(_joined_lines(texts)) > MAX_MESSAGE_LENGTH and rows_and_lines[-1][0].is_unposted:
            rows_and_lines, texts = rows_and_lines[:-1], texts[:-1]
        map_changes = [
            (row, line) for row, line in rows_and_lines if line.hexes and not _is_line_undone(live, line.text)
        ]
        return cls(
            strike_out_if_it_fits(texts, [line_text(line) for _, line in rows_and_lines]),
            tuple(dict.fromkeys(coord for _, line in map_changes for coord in line.hexes)),
            tuple(row.id for row, _ in map_changes),
            tuple(row.id for row, _ in rows_and_lines if row.is_unposted),
            any(line.is_new_post for row, line in rows_and_lines if row.is_unposted),
        )

    def with_turn_text(self, text: str) -> str | None:
        """The lines followed by the text about the turn; None if this is too long for a message."""
        full_text = f"{self.text}{TURN_TEXT_GAP}{text}" if self.text else text
        return full_text if len(full_text) <= MAX_MESSAGE_LENGTH else None


def _is_unposted_row(row: messages.OutboxNotice) -> bool:
    return row.is_unposted and row.message_id is None and line_belongs_to_turn(row.payload)


def with_undone_struck_out(live: LiveGame, text: str) -> str:
    """The text with undone moves struck out. Their numbers stay readable."""
    lines, is_undone = [], False
    for line in text.split("\n"):
        line_match = NUMBERED_LINE_PATTERN.match(line)
        if line_match is not None:
            is_undone = is_undone_move(live, int(line_match[1]))
        lines.append(_strike_out(line) if is_undone and line else line)
    return "\n".join(lines)


def strike_out_if_it_fits(struck_out_lines: Sequence[str], plain_lines: Sequence[str]) -> str:
    """The struck-out lines as one text or, if that is too long for a message, the plain lines."""
    text = _joined_lines(struck_out_lines)
    return text if len(text) <= MAX_MESSAGE_LENGTH else _joined_lines(plain_lines)[:MAX_MESSAGE_LENGTH]


def _joined_lines(texts: Sequence[str]) -> str:
    """The lines as one text. Of consecutive lines about one company, only the first names its president."""
    lines, last_subject = list[str](), ("", "")
    for line in "\n".join(filter(None, texts)).split("\n"):
        subject_match = COMPANY_SUBJECT_PATTERN.match(line)
        if subject_match is None:
            lines.append(line)
            continue
        subject = subject_match[1].partition("**")[2], subject_match[2]
        lines.append(f"{subject_match[1]} {line[subject_match.end() :]}" if subject == last_subject else line)
        last_subject = subject
    return "\n".join(lines)


def _is_line_undone(live: LiveGame, text: str) -> bool:
    line_match = NUMBERED_LINE_PATTERN.match(text)
    return line_match is not None and is_undone_move(live, int(line_match[1]))


def strike_out_lines(text: str) -> str:
    """The text with each line struck out in Discord's markdown."""
    return "\n".join(map(_strike_out, filter(None, text.split("\n"))))


def _strike_out(line: str) -> str:
    line_match = NUMBERED_LINE_PATTERN.match(line)
    prefix = f"`{line_match[1]}` " if line_match is not None else "-# " if line.startswith("-# ") else ""
    return f"{prefix}~~{line.removeprefix(prefix)}~~"


def is_undone_move(live: LiveGame, number: int) -> bool:
    """True if the move with this number was undone. Always False for an undo."""
    undone_ranges = live.undo_history.undone_ranges
    if not any(undone_range.first_seq <= number <= undone_range.last_seq for undone_range in undone_ranges):
        return False
    undo_seqs = {undone_range.undo.seq for undone_range in undone_ranges}
    return number not in undo_seqs and all(row.seq != number for row in live.effective_rows)


def move_lines_in(content: str, *, has_buttons: bool) -> str:
    """The lines about moves in a posted turn message, without the text about the turn below them."""
    if has_buttons:
        return content.partition(TURN_TEXT_GAP)[0] if TURN_TEXT_GAP in content else ""
    return content if NUMBERED_LINE_PATTERN.match(content) or content.startswith(SMALL_PREFIX) else ""
