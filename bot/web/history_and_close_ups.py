"""Details of a game: history with charts, a hex, and a company's best routes."""

from collections.abc import Callable
from typing import Final

from aiohttp import web

from bot.table.board_links_and_sessions import Visitor
from bot.table.bounded_caches import BoundedDict
from bot.table.game_cache import Locks
from bot.table.live import ask_position
from bot.table.past.game_record import undone_lines
from bot.table.past.past_games import PastGame
from bot.table.past.past_views import at_present
from bot.table.rate_limits import Kind
from bot.web.context import GAME, Page
from bot.web.entry.access import visitor_of
from bot.web.entry.page_and_stream_limits import asker_of
from bot.web.offers_as_json import PictureLooks
from bot.web.position_answers import (
    last_move_by_hand,
    number,
    packed_answer,
    question_of,
    require_there,
    seq_of,
    theme_of,
)
from bot.web.position_as_json import hex_packed, history_json, packed_past, routes_packed
from bot.web.wire import Packed

KEPT: Final = 50
"""Histories that are kept, each some 20 KB."""


def routes(page: Page) -> list[web.RouteDef]:
    """Routes of details."""
    history, close_ups = History(page), CloseUps(page)
    return [
        web.get(f"{GAME}/history", history.show),
        web.get(rf"{GAME}/hex/{{coord:[A-Za-z0-9]{{1,6}}}}", close_ups.hex),
        web.get(rf"{GAME}/routes/{{company:[^/]{{1,20}}}}", close_ups.routes),
    ]


class CloseUps:
    """Answers about parts of a position."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._turns = Locks()
        """By who asks: one hex at a time."""

    async def hex(self, request: web.Request) -> web.Response:
        """A hex with its tile, revenue by phase, and possible upgrades."""
        visitor, coord = await visitor_of(self._page, request), request.match_info["coord"].upper()
        theme = theme_of(request)
        async with self._turns.of(asker_of(visitor)):
            require_there(request)
            return await self._detail_answer(request, visitor, Kind.COMPLETION, hex_packed, coord, theme)

    async def routes(self, request: web.Request) -> web.Response:
        """A company's best routes on the map."""
        visitor, company = await visitor_of(self._page, request), request.match_info["company"]
        looks = PictureLooks(theme_of(request), self._page.pictures.get(request.query.get("have", "")))
        return await self._detail_answer(request, visitor, Kind.QUESTION, routes_packed, company, looks)

    async def _detail_answer(
        self, request: web.Request, visitor: Visitor, kind: Kind, look: Callable[..., Packed], *values: object
    ) -> web.Response:
        """The answer of a worker's function about the requested position."""
        tables, at = self._page.tables, number(request, "at")
        async with tables.reading(visitor.game_id) as live:
            guild_id, past, seq = live.row.guild_id, PastGame.of(live), seq_of(live, at)
            position = live.game.dump() if seq == past.rows[-1].seq else None
        self._page.limits.require(visitor, kind, guild_id)
        if position is not None:
            queue = question_of(visitor, guild_id, visitor.game_id)
            answer = await ask_position(tables.workers, queue, position, look, *values)
        else:
            queue = question_of(visitor, guild_id)
            answer = await tables.past.view_position(past, seq, queue, packed_past, look, *values)
        return packed_answer(request, answer, {"at": seq})


class History:
    """Answers about earlier moves."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._locks = Locks()
        self._kept: BoundedDict[tuple[int, int, object], Packed] = BoundedDict(KEPT)

    async def show(self, request: web.Request) -> web.Response:
        """Every effective move, undone ones, and charts."""
        visitor = await visitor_of(self._page, request)
        tables = self._page.tables
        async with tables.reading(visitor.game_id) as live:
            player = None if visitor.user_id is None else live.player_of(visitor.user_id)
            past, now, gone = PastGame.of(live), at_present(live.game), undone_lines(live)
            mine, guild_id = last_move_by_hand(live, player), live.row.guild_id
        self._page.limits.require(visitor, Kind.COMPLETION)
        key = visitor.game_id, past.last, live.game.players
        async with self._locks.of(hash(key)):
            if key not in self._kept:
                queue = question_of(visitor, guild_id)
                history = await tables.past.history(past, queue)
                self._kept[key] = await tables.workers.run(queue, history_json, past, history, now, gone)
        return packed_answer(request, self._kept[key], {"last": past.last, "mine": mine})
