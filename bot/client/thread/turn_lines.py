"""The upper part of a turn's post: lines of its moves, undone ones struck out."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final, Self

from bot.client.game_texts import LONGEST_MESSAGE
from bot.table.live import LiveGame
from bot.table.outbox.notices import Line
from engine import Coord
from storage import messages

NUMBERED: Final = re.compile(r"`(\d+)` (.*)")
"""The first line of what a move did."""
SMALL: Final = "-# "
"""Mark before lines that belong to no move."""
SUBJECT: Final = re.compile(r"((?:`\d+` )?(?:~~)?\*\*[^*]+\*\*) (\([^()]+\)) ")
"""Beginning of a line about a company: its letters, and its president."""
GAP: Final = "\n\n"
"""Between the lines of a turn and the turn text."""


def belongs_to_turn(payload: str) -> bool:
    """True if an outbox row belongs to a turn's post, rather than to a message of its own."""
    line = Line.read(payload)
    return line.note or NUMBERED.match(line.text) is not None


def leading(rows: Iterable[messages.StoredNotice]) -> list[messages.StoredNotice]:
    """Rows without a move after the last waiting move: a new post starts with them."""
    waiting = [row for row in rows if _is_new(row)]
    return [*takewhile(lambda row: Line.read(row.payload).note, reversed(waiting))][::-1]


def line_text(line: Line) -> str:
    """A line as shown in a post: small if it belongs to no move."""
    parts = [] if line.silent else line.text.split("\n")
    return "\n".join(f"{SMALL}{part.removeprefix(SMALL)}" if line.note else part for part in parts)


@dataclass(frozen=True, slots=True)
class TurnLog:
    """The lines shown in a turn's post, and those without room."""

    text: str = ""
    hexes: tuple[Coord, ...] = ()
    """Hexes that have changed in this turn."""
    pictured: tuple[int, ...] = ()
    """The rows of the outbox that say so."""
    new: tuple[int, ...] = ()
    """The rows of the outbox that are shown with it first."""
    loud: bool = False
    """True if others must see at once one of those that are shown first."""

    @classmethod
    def of_message(
        cls, live: LiveGame, rows: Iterable[messages.StoredNotice], message_id: int | None
    ) -> Self:
        """The lines of an editable message: shown and waiting ones, as far as there is room."""
        if message_id is None:
            return cls()
        kept = [(row, Line.read(row.payload)) for row in rows if row.message_id == message_id or _is_new(row)]
        texts = [struck_text(live, line_text(line)) for _, line in kept]
        while len(_joined_lines(texts)) > LONGEST_MESSAGE and kept[-1][0].waits:
            kept, texts = kept[:-1], texts[:-1]
        changed = [(row, line) for row, line in kept if line.hexes and not _is_struck(live, line.text)]
        return cls(
            shortest(texts, [line_text(line) for _, line in kept]),
            tuple(dict.fromkeys(coord for _, line in changed for coord in line.hexes)),
            tuple(row.id for row, _ in changed),
            tuple(row.id for row, _ in kept if row.waits),
            any(line.new_post for row, line in kept if row.waits),
        )

    def with_turn_text(self, text: str) -> str | None:
        """The whole post with the turn text below; None if there is no room."""
        whole = f"{self.text}{GAP}{text}" if self.text else text
        return whole if len(whole) <= LONGEST_MESSAGE else None


def _is_new(row: messages.StoredNotice) -> bool:
    """True if a line of a turn is not shown anywhere yet."""
    return row.waits and row.message_id is None and belongs_to_turn(row.payload)


def struck_text(live: LiveGame, text: str) -> str:
    """Lines of moves, undone ones struck out after their numbers."""
    lines, gone = [], False
    for part in text.split("\n"):
        numbered = NUMBERED.match(part)
        if numbered is not None:
            gone = _is_undone(live, int(numbered[1]))
        lines.append(_struck_out(part) if gone and part else part)
    return "\n".join(lines)


def shortest(struck: Sequence[str], plain: Sequence[str]) -> str:
    """These lines as one text, without strikes if only those make it too long."""
    whole = _joined_lines(struck)
    return whole if len(whole) <= LONGEST_MESSAGE else _joined_lines(plain)[:LONGEST_MESSAGE]


def _joined_lines(texts: Sequence[str]) -> str:
    """These lines; a company's president is named where it starts to act."""
    said, last = list[str](), ("", "")
    for part in "\n".join(filter(None, texts)).split("\n"):
        begins = SUBJECT.match(part)
        if begins is None:
            said.append(part)
            continue
        subject = begins[1].partition("**")[2], begins[2]
        said.append(f"{begins[1]} {part[begins.end() :]}" if subject == last else part)
        last = subject
    return "\n".join(said)


def _is_struck(live: LiveGame, text: str) -> bool:
    numbered = NUMBERED.match(text)
    return numbered is not None and _is_undone(live, int(numbered[1]))


def _struck_out(part: str) -> str:
    numbered = NUMBERED.match(part)
    mark = f"`{numbered[1]}` " if numbered is not None else "-# " if part.startswith("-# ") else ""
    return f"{mark}~~{part.removeprefix(mark)}~~"


def _is_undone(live: LiveGame, number: int) -> bool:
    """True if a move was undone; False for the undo itself."""
    struck = live.undo_history.struck
    if not any(line.first <= number <= line.last for line in struck):
        return False
    undos = {line.undo.seq for line in struck}
    return number not in undos and all(row.seq != number for row in live.counting)


def log_in(content: str, *, has_buttons: bool) -> str:
    """The lines of moves in a turn's post, without the turn text above buttons."""
    if has_buttons:
        return content.partition(GAP)[0] if GAP in content else ""
    return content if NUMBERED.match(content) or content.startswith(SMALL) else ""
