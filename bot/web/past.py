"""The past of a game: what every move did, for the slider, and the numbers of the charts."""

from dataclasses import asdict
from typing import Any, Final

from aiohttp import web

from bot.client.entry.rate_limits import Kind
from bot.table.bounded import BoundedDict
from bot.table.game_cache import Locks
from bot.table.past.asked import PastGame
from bot.table.past.chapters import Chapter
from bot.table.past.chronicle import Work
from bot.table.past.course import at_present, chart
from bot.table.past.history import struck
from bot.table.past.lines import chapter_lines
from bot.table.tables import Tables
from bot.web.access import Access
from bot.web.limits import Limits
from bot.web.packing import Packed, closing, finished, opened, packed
from bot.web.positions import own_last, question_of, zipped
from bot.web.texts import plain_text
from engine.tell.views import CourseView

KEPT: Final = 50
"""Histories that are kept, each some 20 KB."""


class History:
    """Answers to who looks back."""

    def __init__(self, tables: Tables, access: Access, limits: Limits) -> None:
        self._tables = tables
        self._access = access
        self._limits = limits
        self._locks = Locks()
        self._kept: BoundedDict[tuple[int, int, object], Packed] = BoundedDict(KEPT)

    async def tell(self, request: web.Request) -> web.Response:
        """Every move that counts, what was undone, and the charts."""
        visitor = await self._access.visitor(request)
        async with self._tables.reading(visitor.game_id) as live:
            player = None if visitor.user_id is None else live.player_of(visitor.user_id)
            past, now, gone = PastGame.of(live), at_present(live.game), struck(live)
            mine, guild_id = own_last(live, player), live.row.guild_id
        self._limits.require(visitor, Kind.COMPLETION, guild_id)
        key = visitor.game_id, past.last, live.game.players
        async with self._locks.of(hash(key)):
            if key not in self._kept:
                work = Work(self._tables.workers, question_of(visitor, guild_id))
                chapter = await self._tables.chronicle.chapters(past, work)
                self._kept[key] = await work(told, past, chapter, now, gone)
        return zipped(request, finished(self._kept[key], closing({"last": past.last, "mine": mine})))


def told(
    past: PastGame, chapter: Chapter, now: CourseView, gone: list[tuple[int, str]]
) -> Packed:
    """The history as JSON without its last brace, packed; work for a worker."""
    lines: dict[int, list[str]] = {}
    for seq, line in chapter_lines(past.rows[0], chapter, past.names):
        lines.setdefault(seq, []).extend(plain_text(one) for one in line.split("\n"))
    names = past.names.now
    moves: list[dict[str, Any]] = [
        {"seq": row.seq, "who": names.get(row.actor), "player": row.actor or None, "lines": lines.get(row.seq, [])}
        for row in past.rows
    ]
    undone = [(seq, plain_text(line)) for seq, line in gone]
    return packed(opened({"moves": moves, "undone": undone, "charts": asdict(chart(chapter, now))}))
