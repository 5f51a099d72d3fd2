"""The moves that an undo loses, in words: by their lines, with what changes and what was secret."""

import re
from collections.abc import Sequence
from textwrap import shorten
from typing import Final

from bot.table.games import loading
from bot.table.live import LiveGame
from bot.table.moves.verbs import typed_form
from bot.table.outbox.notices import LINE, Line
from bot.table.style import strong
from bot.table.undo.undoing import Loss, changes
from engine.core.actions import read_action
from engine.core.errors import Unreadable
from storage import Database, outbox
from storage.log import Row

SHOWN: Final = 12
"""At most this many of the moves that would be lost are listed; of more, the last ones."""
LONGEST: Final = 110
"""Characters of each of them."""
_NUMBERED: Final = re.compile(r"`([0-9]+)` ")
"""How the line of a move begins."""


async def loss_text(db: Database, live: LiveGame, found: Loss) -> str:
    """The moves that are lost, by their lines, what changes with them, and what was secret and is known by them."""
    lines = await first_lines(db, live, found.rows)
    more = len(lines) - SHOWN
    earlier = [f"{more} earlier, and"] if more > 0 else []
    shown = [f"> {line}" for line in (*earlier, *lines[-SHOWN:])]
    kept = [row for row in live.counting if row.seq <= found.to]
    changed = changes(live.game, await loading.back_to(db, live, kept))
    return "\n".join([*shown, *changed, *(f"{strong('Known since:')} {one}" for one in found.shown)])


async def first_lines(db: Database, live: LiveGame, rows: Sequence[Row]) -> list[str]:
    """The first line of each of these moves, by its number; its player, where the line is deleted."""
    after_all = rows[0].seq - 1 if rows else live.seq
    lines: dict[int, str] = {}
    for one in await outbox.of_kind(db, live.id, LINE, after_all):
        for line in Line.read(one.payload).text.split("\n"):
            number = _NUMBERED.match(line)
            if number is not None:
                lines.setdefault(int(number[1]), line)
    return [shorten(lines.get(row.seq) or _silent(live, row), LONGEST, placeholder=" ...") for row in rows]


def _silent(live: LiveGame, row: Row) -> str:
    """A move whose line is not in the thread, such as one of a recorded game, as it would be typed."""
    who = f"{live.name_of(row.actor)}: " if row.actor else ""
    try:
        what = typed_form(read_action(row.payload))
    except Unreadable:
        what = "a move"
    return f"`{row.seq}` {who}{what}"
