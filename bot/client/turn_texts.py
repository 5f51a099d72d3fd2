"""What the turn message says: who acts with what, what happened since, and where to look."""

from collections.abc import Sequence
from typing import Final

from bot.client.missed import Missed
from bot.client.texts import heading, steps
from bot.table.live import Live
from bot.table.style import sentence_list, strong
from engine.core.ids import PlayerId
from engine.tell.viewing import turn_view

MOST_LINES: Final = 12
"""Lines that are told again; of more, the last ones."""
ROOM: Final = 1200
"""Characters of them, of the 2000 that a message takes."""
NOTHING: Final = Missed()
"""Nothing was missed."""


def turn_text(live: Live, pinged: Sequence[PlayerId], missed: Missed = NOTHING) -> str:
    """Who acts, with what, in which step; and the lines they have missed. Mentions only those to be pinged."""
    view = turn_view(live.game)
    who = sentence_list(_called(live, player, pinged) for player in view.actors)
    parts = (f"{who}: {heading(view)}", *view.duty, steps(view), _since(live, missed), _board(live))
    return "\n".join(part for part in parts if part)


def _called(live: Live, player: PlayerId, pinged: Sequence[PlayerId]) -> str:
    return f"<@{live.user_of(player)}>" if player in pinged else strong(live.name_of(player))


def _since(live: Live, missed: Missed) -> str:
    """The lines since the last move of whoever acts, small, as many as there is room for; once they go on, a link."""
    if not missed.lines:
        return ""
    where = None if missed.first is None else _link(live, missed.first)
    if missed.seen:
        return f"-# [Before your turn]({where})" if where else ""
    kept: list[str] = []
    for line in reversed(missed.lines):
        if len(kept) == MOST_LINES or sum(map(len, kept)) + len(line) > ROOM:
            break
        kept.insert(0, line)
    more = len(missed.lines) - len(kept)
    head = f"[Since your last move]({where})" if where else "Since your last move"
    head += f", {more} earlier in `/log`:" if more else ":"
    return "\n".join(f"-# {part}" for line in (head, *kept) for part in line.split("\n"))


def _board(live: Live) -> str:
    row = live.row
    if row.board_message_id is None:
        return ""
    return f"-# [Map and market]({_link(live, row.board_message_id)})"


def _link(live: Live, message: int) -> str:
    """Where a message of the game's thread is found."""
    return f"https://discord.com/channels/{live.row.guild_id}/{live.row.thread_id}/{message}"
